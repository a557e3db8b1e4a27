"""The timeline of several runs: a line for each against what they are aligned by, one cursor across all."""

import numpy as np
from msgspec import Struct
from textual import events

from algorithms.core import Array
from algorithms.playback.comparison.alignment import Axis
from algorithms.playback.comparison.compared_run import LETTERS
from tui.paint.canvas import Canvas, width_of
from tui.paint.ticks import round_ticks, tick_labels
from tui.widgets.dragging import Dragged
from tui.widgets.seeking import PlaceSought


class Course(Struct, frozen=True, eq=False):
    """How far a run has come.

    Attributes:
        here: the coordinate of the step it shows.
        known: the one up to which it has been computed.
        ended: whether there is no more of it.
        starts: where its iterations begin.
        begin: where it was forked, None if it was not.
    """

    here: float
    known: float
    ended: bool
    starts: Array
    begin: float | None = None


class Tracks(Dragged):
    """Click to go to a place, drag to move along."""

    DEFAULT_CSS = "Tracks { height: 3; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._courses: tuple[Course, ...] = ()
        self._axis = Axis(1.0, 0.0, 1.0, "")

    def show(self, courses: tuple[Course, ...], axis: Axis) -> None:
        self._courses, self._axis = courses, axis
        self.redraw()

    @property
    def _span(self) -> tuple[int, int]:
        """Measure the first column of the lines and how many they have."""
        return 4, max(self.size.width - 7, 1)

    def _column(self, along: float) -> int:
        left, columns = self._span
        return left + round(min(max(along / self._axis.last, 0.0), 1.0) * (columns - 1))

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        left, columns = self._span
        if not self._courses or canvas.columns < 12:
            return
        cursor = self._column(self._axis.here)
        for row, course in enumerate(self._courses):
            canvas.text(1, row, LETTERS[row], palette.run(row), bold=True)
            here, known = self._column(course.here), self._column(course.known)
            canvas.text(left, row, "┈" * columns, palette.faint)
            canvas.text(left, row, "─" * (known - left + 1), palette.dim)
            canvas.text(left, row, "━" * (here - left + 1), palette.run(row))
            self._paint_starts(canvas, row, course, here)
            if course.begin is not None and course.begin <= self._axis.last:
                canvas.text(self._column(course.begin), row, "╰", palette.ink, bold=True)
            if course.ended and course.known <= self._axis.last:
                canvas.text(known, row, "┫" if here >= known else "┤", palette.ink)
                canvas.text(known + 1, row, " " * (left + columns - known - 1), palette.dim)
            elif course.known > self._axis.last:
                canvas.text(left + columns, row, "▸", palette.dim)
            canvas.text(cursor, row, "│", palette.accent)
            canvas.text(here, row, "●", palette.accent, bold=True)
        self._paint_numbers(canvas, len(self._courses), cursor)

    def _paint_starts(self, canvas: Canvas, row: int, course: Course, here: int) -> None:
        """Paint a mark where an iteration begins, unless they are so dense that they would say nothing."""
        left, columns = self._span
        shown = course.starts[course.starts <= self._axis.last]
        at = np.unique(left + np.rint(shown / self._axis.last * (columns - 1)).astype(int))
        if len(at) * 2 > max(self._column(course.known) - left, 2):
            return
        for column in at.tolist():
            passed = column <= here
            canvas.text(column, row, "┳" if passed else "┬", self.palette.run(row) if passed else self.palette.dim)

    def _paint_numbers(self, canvas: Canvas, row: int, cursor: int) -> None:
        """Round numbers along the axis, its name at the right."""
        palette, axis = self.palette, self._axis
        left, columns = self._span
        name = f"{axis.name} →"
        end = canvas.columns - width_of(name) - 1
        canvas.text(end, row, name, palette.dim)
        ticks = round_ticks(0.0, axis.last / axis.unit, max(columns // 12, 2))
        if axis.unit == 1.0:
            ticks = [t for t in ticks if t == int(t)]
        for tick, text in zip(ticks, tick_labels(ticks)):
            start = self._column(tick * axis.unit) - width_of(text) // 2
            if start + width_of(text) < end - 1:
                canvas.text(max(start, 0), row, text, palette.dim)

    def seek(self, x: int) -> None:
        left, columns = self._span
        share = min(max((x - left) / max(columns - 1, 1), 0.0), 1.0)
        self.post_message(PlaceSought(share * self._axis.last))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.grab(event.x)
