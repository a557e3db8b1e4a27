"""One theorem in several runs, for the last row of a hall: under the stages, as these stand."""

from collections.abc import Sequence

from textual import events

from algorithms.playback.comparison.alignment import Axis
from tui.paint.canvas import Canvas
from tui.paint.x_axis import steps_up_to
from tui.sections.charts.curves import looks_of
from tui.sections.theorems.abreast import (
    Common,
    CurvesAbreast,
    OfRun,
    Shown,
    paint_digits_abreast,
    paint_heading,
    rows_of_heading,
)
from tui.sections.theorems.large import BigSides
from tui.widgets.raster import RasterView
from tui.widgets.seeking import PlaceSought


class TheoremsAbreast(RasterView):
    """Shows the sides of the theorem in hand in each run, in large digits or as curves; or what was measured."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._of_runs: Sequence[Shown] = ()
        self._axis = Axis(1.0, 0.0, 1.0, "step")
        self._columns, self._curves, self._below = 1, False, 1
        self._used: frozenset[int] = frozenset()
        self._sides: BigSides | None = None
        self._charts = CurvesAbreast()

    def show(
        self, of_runs: Sequence[Shown], axis: Axis, columns: int, curves: bool, used: frozenset[int] = frozenset()
    ) -> None:
        """Show what a theorem says of the runs that state it, or what was measured in those that have it.

        Args:
            columns: how many stages stand beside each other.
            curves: whether over the run, as curves; else in digits.
            used: tones on the stages, which no curve takes.
        """
        self._of_runs, self._axis, self._columns, self._curves, self._used = of_runs, axis, columns, curves, used
        self.redraw()

    def on_mount(self) -> None:
        self._sides = BigSides(getattr(self.app, "ascii_alone", False))

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        if not self._of_runs or self._sides is None:
            return
        rows = rows_of_heading(self._of_runs[0], canvas.columns)
        paint_heading(canvas, self._of_runs[0], palette)
        below = canvas.part(0, rows, canvas.columns, canvas.rows - rows)
        if not self._curves:
            paint_digits_abreast(below, self._of_runs, self._sides, palette)
            return
        of_runs = [one for one in self._of_runs if isinstance(one, OfRun)]
        axis = self._axis
        x_axis, cursor = steps_up_to(max(round(axis.last / axis.unit), 1)), axis.here / axis.unit
        letters = {palette.run(one.run) for one in of_runs}
        of_letters = {tone for tone, colour in enumerate(palette.classes) if colour in letters}
        tones = looks_of(max(one.values.shape[1] for one in of_runs), self._used | of_letters)
        common = Common(x_axis, cursor, axis.name, self._columns)
        self._below = rows
        self._charts.paint(below, of_runs, common, tones, palette)

    def on_click(self, event: events.Click) -> None:
        for left, rows, chart in self._charts.drawn if self._curves else ():
            if event.y - self._below in rows and chart.left <= event.x - left < chart.left + chart.columns:
                self.post_message(PlaceSought(chart.x(event.x - left) * self._axis.unit))
