"""The line below the stage: the phase, and what happened in this step."""

from tui.paint.canvas import Canvas, fitted
from tui.paint.text import wrapped
from tui.widgets.raster import RasterView


class Narration(RasterView):
    """One or two sentences, and what the phase means; a notice stands below in its place until the next step,
    and has all the lines where it needs them."""

    DEFAULT_CSS = "Narration { height: 2; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._phase, self._meaning, self._words, self._wrong, self._notice = "", "", "", False, ""

    def show(self, phase: str, meaning: str, words: str, wrong: bool = False, notice: str = "") -> None:
        self._phase, self._meaning, self._words, self._wrong, self._notice = phase, meaning, words, wrong, notice
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        column = canvas.text(1, 0, self._phase, palette.accent, bold=True) + 2
        lines = wrapped(self._words, canvas.columns - column - 1)
        notice = wrapped(self._notice, canvas.columns - column - 1) if self._notice else []
        if len(notice) > canvas.rows:
            last = " ".join(notice[canvas.rows - 1 :])
            notice = [*notice[: canvas.rows - 1], fitted(last, canvas.columns - column - 1)]
        rows = canvas.rows - len(notice)
        if not rows:
            lines = []
        elif len(lines) > rows:
            rest = " ".join(lines[rows - 1 :])
            lines = [*lines[: rows - 1], fitted(rest, canvas.columns - column - 1)]
        for i, line in enumerate(lines):
            canvas.text(column, i, line, palette.wrong if self._wrong else palette.ink)
        for i, line in enumerate(notice, start=len(lines)):
            canvas.text(column, i, line, palette.ink)
        if not notice and len(lines) < canvas.rows and self._meaning:
            canvas.text(column, len(lines), fitted(self._meaning, canvas.columns - column - 1), palette.dim)
