"""The look of the widgets that are Textual's own, the names of keys, and the commands that its palette offers."""

from collections.abc import Iterator
from functools import partial

from textual.app import SystemCommand
from textual.binding import Binding
from textual.keys import format_key
from textual.markup import escape
from textual.screen import Screen
from textual.theme import Theme

from tui.paint.legible import readable
from tui.paint.palette import DARK, Palette, mix

_PRINTED = {
    "right": "→", "left": "←", "up": "↑", "down": "↓", "space": "space", "enter": "enter", "tab": "tab",
    "escape": "esc", "delete": "del", "backspace": "backspace", "pageup": "pgup", "pagedown": "pgdn",
    "shift": "⇧", "alt": "alt ", "ctrl": "ctrl+",
}  # fmt: skip


def printed(key: str) -> str:
    """Name a key as keyboards and the bottom line do: "⇧→" for "shift+right", "[" for "left_square_bracket"."""
    return "".join(_PRINTED.get(part) or (part if len(part) == 1 else format_key(part)) for part in key.split("+"))


def theme_of(palette: Palette) -> Theme:
    """Make a theme of the raster's palette, for the widgets that are Textual's own."""
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
        variables=variables_of(palette),
    )


def variables_of(palette: Palette) -> dict[str, str]:
    """Name the colours that ours add to Textual's: two as they are read on what is in hand, whose ground is `line`."""
    colours = {
        "line": palette.line,
        "dim": palette.dim,
        "chosen": mix(palette.panel, palette.accent, 0.25),
        "dim-in-hand": readable(palette.dim, palette.line),
        "accent-in-hand": readable(palette.accent, palette.line),
    }
    return {name: f"#{colour:06x}" for name, colour in colours.items()}


def commands_of(screen: Screen[object]) -> Iterator[SystemCommand]:
    """Yield every key's action by name."""
    for binding in getattr(screen, "all_bindings", screen.BINDINGS):
        if isinstance(binding, Binding) and binding.description:
            words = binding.description[0].upper() + binding.description[1:]
            keys = escape(printed(binding.key.split(",")[0]))
            yield SystemCommand(words, f"key: {keys}", partial(screen.run_action, binding.action))
