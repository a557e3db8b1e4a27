"""What is under the mouse in words: a letter with its values before the step and after, a word of the field."""

import re
from collections.abc import Iterable

from textual import events
from textual.errors import NoWidget

from algorithms.core.glossary import word_at
from tui.screens.live import LiveScreen, T
from tui.sections.signs import Letter
from tui.terminal.clean import safe
from tui.widgets.raster import RasterView
from tui.widgets.source import Source

_ARTICLE = "a"  # a letter of some algorithms, and a word of most sentences


class Explaining(LiveScreen[T]):
    """A screen on which the mouse names letters and words wherever they are painted, but for names in the source."""

    def letters_now(self) -> Iterable[Letter]:
        """List the letters of what is shown, with what each means now."""
        raise NotImplementedError

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Put what is under the mouse into words, or nothing."""
        try:
            widget, region = self.get_widget_at(int(event.screen_x), int(event.screen_y))
        except NoWidget:
            return
        if isinstance(widget, RasterView) and not isinstance(widget, Source):
            column, row = int(event.screen_x) - region.x, int(event.screen_y) - region.y
            words = explained(widget.render_line(row).text, column, self.letters_now())
            widget.tooltip = safe(words) if words else None


def explained(line: str, column: int, letters: Iterable[Letter]) -> str:
    """Say what the letter at a column of a line means, or else the word; "" of all else."""
    for names, words in letters:
        for name in names.split(", "):
            if name.casefold() != _ARTICLE and _is_at(name, line, column):
                return f"{name}: {words()}"
    word = word_at(line, column)
    return f"{word.word}: {word.sentence}" if word else ""


def _is_at(name: str, line: str, column: int) -> bool:
    """Tell whether a letter is at a column, with whatever index, and not as a part of a word or a name."""
    stem, index, _ = name.partition("_")
    pattern = rf"(?<![^\W\d_α-ωΑ-Ω]){re.escape(stem)}" + (r"[_ᵢⱼ₀-₉]\w*" if index else r"(?![A-Za-z0-9])")
    return any(match.start() <= column < match.end() for match in re.finditer(pattern, line))
