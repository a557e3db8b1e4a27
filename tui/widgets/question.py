"""The question about the next step, under the stage."""

from typing import ClassVar

from textual import events

from algorithms.core import Ask
from algorithms.playback.asks.quiz import Told
from tui.paint.canvas import Canvas
from tui.sections.lesson import paint_line
from tui.sections.question import question_lines
from tui.widgets.field import Field
from tui.widgets.raster import RasterView


class Question(RasterView):
    """Shows a question, or what was answered, under a line with its heading."""

    DEFAULT_CSS = "Question { height: 3; display: none; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._ask: Ask | None = None
        self._told: Told | None = None
        self._heading = ""

    def show(self, ask: Ask, told: Told | None, heading: str) -> None:
        self._ask, self._told, self._heading = ask, told, heading
        self.redraw()

    def rows_for(self, columns: int) -> int:
        """Count the rows that it takes in so many columns."""
        if self._ask is None:
            return 0
        return 1 + len(list(question_lines(self._ask, self._told, columns - 2, self.palette)))

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        if self._ask is None:
            return
        canvas.text(0, 0, "─" * canvas.columns, palette.line)
        canvas.text(1, 0, f" {self._heading} ", palette.accent)
        for row, line in enumerate(question_lines(self._ask, self._told, canvas.columns - 2, palette), start=1):
            if row < canvas.rows:
                paint_line(canvas, row, line)


class Guess(Field):
    """A field for an answer, in which the keys of questions do what they do."""

    DEFAULT_CSS = "Guess { display: none; }"
    ACTIONS: ClassVar[dict[str, str]] = {"P": "ask", "question_mark": "help"}

    async def on_key(self, event: events.Key) -> None:
        if event.key in self.ACTIONS:
            event.stop()
            event.prevent_default()
            await self.screen.run_action(self.ACTIONS[event.key])
