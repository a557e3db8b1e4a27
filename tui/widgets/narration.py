"""The line below the stage: the phase, and what happened in this step."""

import re

from algorithms.core import Verdict
from algorithms.core.words import point_of
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.text import hung, typeset, wrapped
from tui.sections.theorems.rows import paint_in_a_row
from tui.widgets.raster import RasterView

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_])")  # where one ends and the next begins with a letter


def first_sentence(words: str) -> str:
    """Cut a text after its first sentence."""
    return _SENTENCE.split(words, maxsplit=1)[0]


def in_short(words: str) -> str:
    """Take the sentence that says most: the point where one is marked, else the first."""
    return point_of(words) or first_sentence(words)


def in_sentences(words: str, column: int, columns: int, rows: int) -> list[tuple[int, str]]:
    """Break a text into rows of (first column, line); of one that is too long as many whole sentences as fit, with an
    ellipsis after them."""
    sentences = _SENTENCE.split(words)
    for count in range(len(sentences), 0, -1):
        some = " ".join(sentences[:count]) + (" …" if count < len(sentences) else "")
        lines = hung(some, column, columns, rows)
        if " ".join(line for _, line in lines).split() == some.split():
            return lines
    return hung(words, column, columns, rows)


class Narration(RasterView):
    """One or two sentences, and what the phase means; a notice stands below in its place until the next step,
    and has all the lines where it needs them. A theorem for which the column beside the stage has no room has the last
    line.

    Attributes:
        brief: whether the sentence that says most is all that is said.
        stating: whether the last line is a theorem's.
    """

    DEFAULT_CSS = "Narration { height: 2; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._phase, self._meaning, self._words, self._wrong, self._notice = "", "", "", False, ""
        self._painted: tuple[object, ...] = ()
        self._theorem: Verdict | None = None
        self._failed: dict[str, int] = {}
        self._watch = ""
        self.brief = False
        self.stating = False

    def state(self, theorem: Verdict | None, failed: dict[str, int]) -> None:
        """Put a theorem into the last line, or none; `failed` as for the list of them."""
        self.stating, self._theorem, self._failed = theorem is not None, theorem, failed

    def open_with(self, point: str) -> None:
        """Say first what one will see, until something is done; "" ends that."""
        if point != self._watch:
            self._watch = point
            self.redraw()

    def show(self, phase: str, meaning: str, words: str, wrong: bool = False, notice: str = "") -> None:
        self._phase, self._meaning, self._words, self._wrong, self._notice = phase, meaning, words, wrong, notice
        painted, self._painted = self._painted, (phase, meaning, words, wrong, notice, self.brief, self._theorem)
        if self._painted != painted:
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        if self._theorem is not None and not self.brief:
            last = canvas.rows - 1
            paint_in_a_row(canvas.part(0, last, canvas.columns, 1), self._theorem, self._failed, palette)
            canvas = canvas.part(0, 0, canvas.columns, last)
        if self._watch and not self.brief:
            canvas = self._paint_watch(canvas)
        column = canvas.text(1, 0, self._phase, palette.accent, bold=True) + 2
        notice = hung(self._notice, column, canvas.columns, canvas.rows) if self._notice else []
        words = typeset(in_short(self._words) if self.brief else self._words)
        lines = in_sentences(words, column, canvas.columns, canvas.rows - len(notice))
        inks = [palette.wrong if self._wrong else palette.ink] * len(lines) + [palette.ink] * len(notice)
        for row, ((first, line), ink) in enumerate(zip([*lines, *notice], inks)):
            canvas.text(first, row, line, ink)
        if not notice and not self.brief and len(lines) < canvas.rows and self._meaning:
            canvas.text(column, len(lines), fitted(typeset(self._meaning), canvas.columns - column - 1), palette.dim)

    def _paint_watch(self, canvas: Canvas) -> Canvas:
        """Paint what one will see in the first rows; returns the others, of which there is one at least."""
        palette = self.palette
        column = 1 + width_of("watch") + 2
        lines = wrapped(self._watch, canvas.columns - column - 1)[: max(canvas.rows - 1, 1)]
        canvas.ground[: len(lines), :] = palette.selected
        canvas.text(1, 0, "watch", palette.accent, bold=True)
        for row, line in enumerate(lines):
            canvas.text(column, row, line, palette.ink)
        return canvas.part(0, len(lines), canvas.columns, canvas.rows - len(lines))
