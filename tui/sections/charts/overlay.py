"""One curve of several runs on one chart, each line with its run's letter at the cursor."""

import math
from collections.abc import Sequence
from time import perf_counter

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.objectives import Objectives
from algorithms.playback.pictures.viewer import CurveNow, Picture
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.charts import Chart, Line, Mark, after, drawn, put
from tui.paint.palette import Palette, mix
from tui.paint.ticks import number
from tui.paint.x_axis import XAxis
from tui.sections.charts import edge as chart_edge
from tui.sections.charts.edge import Reading, paint_edge
from tui.sections.charts.pointer import paint_part, paint_pointer
from tui.sections.comparison.numbers import difference
from tui.sections.comparison.rows import DIGITS

_APART = 0.3  # seconds from one drawing of a growing curve to the next
_HELD = 0.4  # of a run's colour in its line after its end
_ENDS = "each letter stands where its run ends"


class Series(Struct, frozen=True, eq=False):
    """A run's curve against what all are drawn against.

    Attributes:
        run: which run.
        x, values: the curve, coordinates rising.
        here, now: where the run is on it, and the value there.
        since: of a curve along its own variable, the step that first came to each x.
        t: the step that the run shows.
        ended: whether there is no more of it, so that its last value is held.
        held: whether the cursor is beyond its end.
        held_from: the step at which the value was measured, where that was in another phase than the one shown.
        measured: where that is on it; NaN where it is not to be seen.
    """

    run: int
    x: Array
    values: Array
    here: float
    now: float
    since: Array | None = None
    t: int = 0
    ended: bool = False
    held: bool = False
    held_from: int | None = None
    measured: float = math.nan

    @property
    def last(self) -> float:
        """Get the last value; NaN where there is none, or where that is it."""
        return float(self.values[-1]) if len(self.values) else math.nan


class Abscissa(Struct, frozen=True):
    """What curves of several runs are drawn against: its name, and its ends.

    Attributes:
        cursor: where all runs are on it; NaN where each is at a place of its own.
        whole: all of it, where a part is seen.
    """

    name: str
    x_axis: XAxis
    cursor: float
    whole: XAxis | None = None


class Charted(Struct, frozen=True):
    """A curve on a chart, and the runs of which it is drawn there: all of one objective."""

    name: str
    runs: tuple[int, ...]


def pages(pictures: Sequence[Picture], objectives: Objectives | None = None) -> list[list[Charted]]:
    """Group the charts shown at once: a curve that runs share by itself, where it measures other objectives in some of
    them a chart for each; of those that only one run has, one a run."""
    of_each = [list(curves_of(picture)) for picture in pictures]
    having = {name: [i for i, names in enumerate(of_each) if name in names] for names in of_each for name in names}
    same = objectives or Objectives()
    shared = [
        [Charted(name, tuple(runs)) for runs in same.groups(name, having[name])]
        for name in sorted(having, key=lambda name: -len(having[name]))
        if len(having[name]) > 1
    ]
    own = [[Charted(name, (i,)) for name in names if len(having[name]) == 1] for i, names in enumerate(of_each)]
    most = max(map(len, own), default=0)
    return shared + [[charts[k % len(charts)] for charts in own if charts] for k in range(most)]


def curves_of(picture: Picture) -> dict[str, CurveNow]:
    """Find a picture's curves by name, without those that were never measured."""
    return {c.curve.name: c for curves in picture.charts.values() for c in curves if c.t.size}


def variable_of(curves: Sequence[CurveNow]) -> str:
    """Name the variable along which runs' curves are drawn, "" for the axis that all runs have: where one has none, or
    another."""
    names = {"" if curve.along is None else curve.along.name for curve in curves}
    return names.pop() if len(names) == 1 else ""


class Overlay:
    """Draws the chart, and keeps it until a curve, the size or the look changes; a growing one for a moment.

    Attributes:
        thick: whether lines are two dots thick, for a hall.
    """

    def __init__(self) -> None:
        self.thick = self._grown = False
        self._kept: tuple[tuple[object, ...], tuple[object, ...], float, Chart | None] | None = None

    @property
    def stale(self) -> bool:
        """Tell whether the curves have grown since it was drawn, and it is time to draw it again."""
        return self._grown and self._kept is not None and perf_counter() - self._kept[2] >= _APART

    def forget(self) -> None:
        """Draw it anew, since a curve is another run's."""
        self._kept = None

    def paint(
        self,
        canvas: Canvas,
        title: str,
        note: str,
        series: Sequence[Series],
        against: Abscissa,
        log: bool,
        palette: Palette,
        pointer: int | None = None,
    ) -> Chart | None:
        """Paint the framed chart with its legend, and its values at the column of the mouse; gives the chart back."""
        inside = framed(canvas, title, note, palette)
        body = inside.part(0, 1, inside.columns, inside.rows - 1)
        edge = self._edge(body, series)
        self._legend(inside, series, edge is not None, palette)
        if edge is not None:
            body = body.part(0, 0, body.columns - edge.columns, body.rows)
        if against.whole is not None:
            paint_part(body.part(0, body.rows - 1, body.columns, 1), against.x_axis, against.whole, palette)
            body = body.part(0, 0, body.columns, body.rows - 1)
        chart = self._chart(body, title, series, against, log, palette)
        if chart is None:
            inside.text(1, 1, "nothing was measured yet", palette.dim)
            return None
        marks = [_letter(s, palette) for s in series if against.whole is None or against.x_axis.holds(s.here)]
        cursor = against.cursor if against.x_axis.holds(against.cursor) else math.nan
        put(body, chart, cursor, _later(chart, series, against), palette, marks, log)
        if edge is not None:
            paint_edge(edge, chart, [Reading(s.run, s.now, s.held_from is not None) for s in series], log, palette)
        if pointer is not None:
            paint_pointer(body, chart, pointer, against.name, [(s.run, s.x, s.values) for s in series], palette)
        unit = f" {against.name} → "
        canvas.text(canvas.columns - 2 - width_of(unit), canvas.rows - 1, unit, palette.dim)
        return chart

    @staticmethod
    def _edge(body: Canvas, series: Sequence[Series]) -> Canvas | None:
        """Find room for the values beside the chart; of runs that each stand at a place of their own there is none."""
        if body.columns < chart_edge.LEAST or len(series) < 2 or any(s.since is not None for s in series):
            return None
        return body.part(body.columns - chart_edge.COLUMNS, 0, chart_edge.COLUMNS, body.rows)

    def _chart(
        self, body: Canvas, title: str, series: Sequence[Series], against: Abscissa, log: bool, palette: Palette
    ) -> Chart | None:
        look = (palette.name, log, self.thick)
        shape = (body.columns, body.rows, *look, title, against.name, against.x_axis, len(series))
        grown = tuple(_mark(s) for s in series)
        now = perf_counter()
        if self._kept is not None and self._kept[0] == shape:
            _, held, when, chart = self._kept
            self._grown = held != grown
            if not self._grown or now - when < _APART:
                return chart
        lines = [Line(s.x, s.values, palette.run(s.run)) for s in series]
        lines += [_held(s, against, palette) for s in series if s.ended and len(s.x)]
        chart = drawn(lines, body.columns, body.rows, against.x_axis, log, palette, self.thick)
        self._kept, self._grown = (shape, grown, now, chart), False
        return chart

    @staticmethod
    def _legend(canvas: Canvas, series: Sequence[Series], edge: bool, palette: Palette) -> None:
        """ "━ A 64.65   ━ B 70.1   B - A +5.45": the values where the runs are; of a curve along λ, with λ there. Of
        more than two runs with their values at the edge the letters alone, and what these mean where a run ends."""
        column = 1
        few = edge and len(series) > 2
        for one in series:
            column = canvas.text(column, 0, f"━ {LETTERS[one.run]} ", palette.run(one.run), bold=True)
            measured = len(one.x) > 0 and float(one.x[0]) <= one.here
            value = number(one.now, DIGITS) if measured or not math.isnan(one.now) else "–"
            place = f" at {number(one.here)}" if one.since is not None and math.isfinite(one.here) else ""
            if few and math.isfinite(one.now):
                column += 1
                continue
            value = fitted(f"{value + place:<9}", canvas.columns - column)
            before = one.held_from is not None
            column = canvas.text(column, 0, value, palette.dim if before else palette.ink, bold=not before) + 2
        ends = few and any(one.held for one in series)
        name, words = ("", _ENDS) if ends else _apart(series)
        room = canvas.columns - column - 1
        if words and width_of(name) + width_of(words) + 1 <= room:
            column = canvas.text(column, 0, name, palette.dim) + bool(name)
            column = canvas.text(column, 0, words, palette.dim if ends else palette.accent, bold=not ends) + 2
        since = next((text for text in _since(series) if column + width_of(text) <= canvas.columns - 1), "")
        canvas.text(canvas.columns - 1 - width_of(since), 0, since, palette.dim)


def _letter(series: Series, palette: Palette) -> Mark:
    """Choose the letter on a line: in its colour on the panel alone where the value is one of before."""
    letter, ink = LETTERS[series.run], palette.run(series.run)
    if series.held_from is None:
        return Mark(series.here, series.now, letter, palette.background, ink)
    return Mark(series.here, series.now, letter, ink, weak=True, since=series.measured)


def _since(series: Sequence[Series]) -> tuple[str, ...]:
    """Say of which steps the values are that were measured in another phase, the longest words first."""
    held = [(LETTERS[one.run], one.held_from) for one in series if one.held_from is not None]
    if not held:
        return ()
    steps = {t for _, t in held}
    if len(held) == len(series) and len(steps) == 1:
        return f"held since step {held[0][1]:,}", f"of step {held[0][1]:,}"
    of_each = ", ".join(f"{letter} {t:,}" for letter, t in held)
    return f"held since step: {of_each}", f"since {of_each}"


def _apart(series: Sequence[Series]) -> tuple[str, str]:
    """Name the difference of two runs where they are, and give it; nothing of more, or at places of their own."""
    if len(series) != 2 or any(one.since is not None for one in series):
        return "", ""
    a, b = series
    return f"{LETTERS[b.run]} - {LETTERS[a.run]}", difference(a.now, b.now)


def _held(series: Series, against: Abscissa, palette: Palette) -> Line:
    """Draw a run's last value on to the end of the axis, faintly."""
    x = np.array([float(series.x[-1]), max(against.x_axis.last, float(series.x[-1]))])
    return Line(x, np.full(2, series.last), mix(palette.panel, palette.run(series.run), _HELD))


def _later(chart: Chart, series: Sequence[Series], against: Abscissa) -> Array:
    """Mask the columns that no run has come to."""
    if math.isfinite(against.cursor):
        columns = np.arange(chart.glyphs.shape[1])
        return after(chart, against.cursor) if against.cursor >= against.x_axis.first else columns >= chart.left
    masks = [chart.not_yet(s.x, s.since, s.t) for s in series if s.since is not None and len(s.x)]
    return np.asarray(np.logical_and.reduce(masks))


def _mark(series: Series) -> tuple[object, ...]:
    size = len(series.x)
    ends = (float(series.x[-1]), float(series.values[-1])) if size else (0.0, 0.0)
    return (series.run, size, series.ended, *ends)
