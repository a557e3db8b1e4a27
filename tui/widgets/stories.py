"""What happened in this step, a line for each of several runs."""

from msgspec import Struct

from algorithms.playback.comparison.compared_run import LETTERS
from tui.paint.canvas import Canvas, fitted
from tui.paint.text import cut, typeset
from tui.widgets.raster import RasterView


class Story(Struct, frozen=True):
    """A run's phase and what happened in it; `wrong` where that is bad news."""

    run: int
    phase: str
    words: str
    wrong: bool = False


class Stories(RasterView):
    """One line a run; a notice takes the last line until the next step."""

    DEFAULT_CSS = "Stories { height: 2; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._stories: tuple[Story, ...] = ()
        self._notice = ""

    def show(self, stories: tuple[Story, ...], notice: str) -> None:
        if (stories, notice) != (self._stories, self._notice):
            self._stories, self._notice = stories, notice
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        width = max((len(story.phase) for story in self._stories), default=0)
        for row, story in enumerate(self._stories[: canvas.rows]):
            column = canvas.text(1, row, LETTERS[story.run], palette.run(story.run), bold=True) + 1
            canvas.text(column, row, story.phase, palette.accent, bold=True)
            column += min(width, 16) + 2
            words = cut(typeset(story.words), canvas.columns - column - 1)
            canvas.text(column, row, words, palette.wrong if story.wrong else palette.ink)
        if self._notice and canvas.rows:
            last = canvas.rows - 1
            text = fitted(f" {self._notice} ", canvas.columns - 1)
            canvas.text(0, last, " " * canvas.columns, palette.ink, palette.selected)
            canvas.text(0, last, text, palette.accent, palette.selected)
