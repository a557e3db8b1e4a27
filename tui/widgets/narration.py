"""The line below the stage: the phase, and what happened in this step."""

from tui.paint.canvas import Canvas, fitted
from tui.paint.text import wrapped
from tui.widgets.raster import RasterView


class Narration(RasterView):
    """One or two sentences; a notice takes their place until the next step."""

    DEFAULT_CSS = "Narration { height: 2; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._phase, self._meaning, self._words, self._wrong = "", "", "", False

    def show(self, phase: str, meaning: str, words: str, wrong: bool = False) -> None:
        self._phase, self._meaning, self._words, self._wrong = phase, meaning, words, wrong
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        column = canvas.text(1, 0, self._phase, palette.accent, bold=True) + 2
        lines = wrapped(self._words, canvas.columns - column - 1)
        if len(lines) > canvas.rows:
            rest = " ".join(lines[canvas.rows - 1 :])
            lines = [*lines[: canvas.rows - 1], fitted(rest, canvas.columns - column - 1)]
        for i, line in enumerate(lines):
            canvas.text(column, i, line, palette.wrong if self._wrong else palette.ink)
        if len(lines) < canvas.rows and self._meaning:
            canvas.text(column, len(lines), fitted(self._meaning, canvas.columns - column - 1), palette.dim)
