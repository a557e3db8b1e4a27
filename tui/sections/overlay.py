"""One curve of several runs on one chart, each line with its run's letter at the cursor."""

import math
from collections.abc import Sequence
from time import perf_counter

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.playback.alignment import Axis
from algorithms.playback.compared_run import LETTERS
from algorithms.playback.viewer import CurveNow, Picture
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.charts import Chart, Line, drawn, put
from tui.paint.palette import Palette
from tui.paint.ticks import number

_APART = 0.3  # seconds from one drawing of a growing curve to the next


class Series(Struct, frozen=True, eq=False):
    """A run's curve against the common axis.

    Attributes:
        run: which run.
        x, values: the curve, coordinates rising.
        now: the value at the step that is shown.
    """

    run: int
    x: Array
    values: Array
    now: float


def pages(pictures: Sequence[Picture]) -> list[list[str]]:
    """Group the curves shown at once: one that runs share by itself; of those that only one run has, one a run."""
    of_each = [list(curves_of(picture)) for picture in pictures]
    count = {name: sum(name in names for names in of_each) for names in of_each for name in names}
    shared = [[name] for name in sorted(count, key=lambda name: -count[name]) if count[name] > 1]
    own = [[name for name in names if count[name] == 1] for names in of_each]
    most = max(map(len, own), default=0)
    return shared + [[names[k % len(names)] for names in own if names] for k in range(most)]


def curves_of(picture: Picture) -> dict[str, CurveNow]:
    """Find a picture's curves by name, without those that were never measured."""
    return {c.curve.name: c for curves in picture.charts.values() for c in curves if c.t.size}


class Overlay:
    """Draws the chart, and keeps it until a curve, the size or the look changes; a growing one for a moment.

    Attributes:
        stale: whether the curves have grown since it was drawn.
    """

    def __init__(self) -> None:
        self.stale = False
        self._kept: tuple[tuple[object, ...], tuple[object, ...], float, Chart | None] | None = None

    def paint(
        self, canvas: Canvas, title: str, note: str, series: Sequence[Series], axis: Axis, log: bool, palette: Palette
    ) -> Chart | None:
        """Paint the framed chart with its legend; gives the chart back for the mouse."""
        inside = framed(canvas, title, note, palette)
        self._legend(inside, series, axis.here, palette)
        body = inside.part(0, 1, inside.columns, inside.rows - 1)
        chart = self._chart(body, title, series, axis, log, palette)
        if chart is None:
            inside.text(1, 1, "nothing was measured yet", palette.dim)
            return None
        here = axis.here / axis.unit
        put(body, chart, here, palette, [], log)
        self._letters(body, chart, series, here, log, palette)
        unit = f" {axis.name} → "
        canvas.text(canvas.columns - 2 - width_of(unit), canvas.rows - 1, unit, palette.dim)
        return chart

    def _chart(
        self, body: Canvas, title: str, series: Sequence[Series], axis: Axis, log: bool, palette: Palette
    ) -> Chart | None:
        last = max(math.ceil(axis.last / axis.unit), 1)
        shape = (body.columns, body.rows, palette.name, title, axis.name, last, len(series))
        grown = tuple(_mark(s) for s in series)
        now = perf_counter()
        if self._kept is not None and self._kept[0] == shape:
            _, held, when, chart = self._kept
            self.stale = held != grown
            if not self.stale or now - when < _APART:
                return chart
        lines = [Line(s.x / axis.unit, s.values, palette.run(s.run)) for s in series]
        chart = drawn(lines, body.columns, body.rows, last, log, palette)
        self._kept, self.stale = (shape, grown, now, chart), False
        return chart

    @staticmethod
    def _legend(canvas: Canvas, series: Sequence[Series], here: float, palette: Palette) -> None:
        """ "━ A 64.65   ━ B 70.1": the values at the cursor."""
        column = 1
        for one in series:
            column = canvas.text(column, 0, f"━ {LETTERS[one.run]} ", palette.run(one.run), bold=True)
            measured = len(one.x) > 0 and float(one.x[0]) <= here
            value = number(one.now) if measured or not math.isnan(one.now) else "–"
            value = fitted(f"{value:<9}", canvas.columns - column)
            column = canvas.text(column, 0, value, palette.accent) + 2

    @staticmethod
    def _letters(
        body: Canvas, chart: Chart, series: Sequence[Series], here: float, log: bool, palette: Palette
    ) -> None:
        """Put each run's letter on its line at the cursor; side by side where they would cover each other."""
        taken: dict[int, int] = {}
        bottom = min(body.rows, chart.glyphs.shape[0]) - 1
        cursor = chart.column(here)
        for one in series:
            value = math.log10(one.now) if log and one.now > 0 else one.now
            if not np.isfinite(value) or (log and one.now <= 0):
                continue
            share = float(np.clip((chart.high - value) / (chart.high - chart.low), 0, 1))
            row = min(int(share * bottom), bottom - 1)
            column = cursor + taken.get(row, 0)
            taken[row] = taken.get(row, 0) + 1
            if column >= body.columns:
                column = cursor - taken[row] + 1
            body.text(column, row, LETTERS[one.run], palette.background, palette.run(one.run), bold=True)


def _mark(series: Series) -> tuple[object, ...]:
    size = len(series.x)
    ends = (float(series.x[-1]), float(series.values[-1])) if size else (0.0, 0.0)
    return (series.run, size, *ends)
