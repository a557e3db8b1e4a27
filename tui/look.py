"""The look of the widgets that are Textual's own, and what its palette of commands offers."""

from collections.abc import Iterator
from functools import partial

from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.theme import Theme

from tui.paint.palette import DARK, Palette


def theme_of(palette: Palette) -> Theme:
    """The palette of the raster for the widgets that are Textual's own."""
    return Theme(
        name=f"iterscope-{palette.name}",
        primary=f"#{palette.accent:06x}",
        accent=f"#{palette.accent:06x}",
        foreground=f"#{palette.ink:06x}",
        background=f"#{palette.background:06x}",
        surface=f"#{palette.panel:06x}",
        panel=f"#{palette.panel:06x}",
        success=f"#{palette.good:06x}",
        error=f"#{palette.wrong:06x}",
        dark=palette is DARK,
        variables={"line": f"#{palette.line:06x}", "dim": f"#{palette.dim:06x}"},
    )


def commands_of(screen: Screen[object]) -> Iterator[SystemCommand]:
    """Every key's action by name."""
    for binding in getattr(screen, "all_bindings", screen.BINDINGS):
        if isinstance(binding, Binding) and binding.description:
            words = binding.description[0].upper() + binding.description[1:]
            yield SystemCommand(words, f"key: {binding.key.split(',')[0]}", partial(screen.run_action, binding.action))
