"""What is between two curves of a chart, of which one is never above the other: the two sides of something."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Curve, Verdict
from algorithms.playback.pictures.viewer import CurveNow
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.charts import Chart, Line, Mark, drawn, put
from tui.paint.palette import Palette
from tui.paint.ticks import number
from tui.paint.x_axis import XAxis

ROWS = 6  # under the chart: a heading, four of the plot, the labels, of which the chart gives one
LEAST = (48, 13)  # columns and rows of the chart with what is between from which on there is room for that
_VALUE = 6  # columns that are kept for a value
_EQUAL = 1e-9  # of a value, up to which two are equal
_FEWEST = 2  # steps at which both are measured


class Between(Struct, frozen=True, eq=False):
    """The difference of two curves.

    Attributes:
        name: "upper - lower".
        t, values: where both were measured, and what was between them there.
        lower: the lower curve there.
        now: what is between them at the step that is shown, NaN before both are measured.
        upper_first: whether the first of the curves is the upper one.
    """

    name: str
    t: Array
    values: Array
    lower: Array
    now: float
    upper_first: bool

    def curve(self, log: bool) -> CurveNow:
        """Make it a curve as others are."""
        return CurveNow(Curve(self.name, lambda problem, state: math.nan, log=log), self.t, self.values, self.now)

    def touched_after(self, phase: Callable[[int], str]) -> str:
        """Name the phase after which nothing is between them, each time; "" where none that comes again is so."""
        phases = np.array([phase(int(t)) for t in self.t])
        touching = self.values == 0
        again = [p for p in set(phases[touching].tolist()) if np.count_nonzero(phases == p) > 1]
        always = {str(p) for p in again if touching[phases == p].all()}
        return always.pop() if len(always) == 1 and not touching.all() else ""


def between(curves: Sequence[CurveNow]) -> Between | None:
    """Find what is between two curves drawn along the steps; None of others, and where they cross or are equal."""
    if len(curves) != 2 or any(curve.along is not None for curve in curves):
        return None
    a, b = curves
    t, mine, theirs = np.intersect1d(a.t, b.t, assume_unique=True, return_indices=True)
    first, second = np.asarray(a.values[mine], float), np.asarray(b.values[theirs], float)
    known = np.isfinite(first) & np.isfinite(second)
    t, first, second = t[known], first[known], second[known]
    if len(t) < _FEWEST:
        return None
    apart = first - second
    apart[np.abs(apart) <= _EQUAL * np.maximum(np.abs(first), np.abs(second))] = 0.0
    if not apart.any() or (apart.min() < 0 < apart.max()):
        return None
    upper, lower, values = (a, b, second) if apart.max() > 0 else (b, a, first)
    now = upper.now - lower.now
    if abs(now) <= _EQUAL * max(abs(upper.now), abs(lower.now)):
        now = 0.0
    return Between(f"{upper.curve.name} - {lower.curve.name}", t, np.abs(apart), values, now, upper is a)


def related(curves: Sequence[CurveNow], verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a theorem says at this step that one of two curves is not above the other."""
    if len(curves) != 2:
        return False
    a, b = (curve.now for curve in curves)
    equal = math.isclose(a, b, rel_tol=_EQUAL)
    if math.isnan(a) or math.isnan(b) or (equal and a == 0):  # that two counts are 0 says nothing of them
        return False
    for verdict in verdicts:
        if verdict.sides is not None and verdict.sides.relation in ("<=", "<"):
            near = [[math.isclose(x, side, rel_tol=_EQUAL) for side in verdict.sides.values] for x in (a, b)]
            if all(sum(of) > equal for of in near):
                return True
    return False


def drawn_between(curve: CurveNow, x: Array, columns: int, x_axis: XAxis, palette: Palette) -> Chart | None:
    """Draw what is between; None where nothing of it is in sight."""
    known = np.isfinite(x)
    line = Line(x[known], curve.values[known], palette.accent)
    return drawn([line], columns, ROWS - 1, x_axis, curve.curve.log, palette)


def paint_between(
    canvas: Canvas,
    chart: Chart,
    curve: CurveNow,
    signs: str,
    touched: str,
    cursor: float,
    later: Array,
    palette: Palette,
    to_come: bool = True,
) -> None:
    """Paint it under its heading, with this step's number.

    Args:
        signs: "■ - ◆", where the names of the curves are too long.
        touched: the phase after which nothing is between them, "" if there is none.
        to_come: whether it is written what is to come.
    """
    mark, log = Mark(cursor, curve.now, "●", palette.accent), curve.curve.log
    put(canvas.part(0, 1, canvas.columns, canvas.rows - 1), chart, cursor, later, palette, [mark], log, to_come)
    canvas.text(0, 0, " " * canvas.columns, palette.dim)
    value = number(curve.now) if not math.isnan(curve.now) else "–"
    note = f'0 at each "{touched}"' if touched else ""
    words = "between them, logarithmic: " if log else "between them: "
    room = canvas.columns - 3 - max(width_of(value), _VALUE)
    names = (curve.curve.name, signs)
    named = next((n for n in names if width_of(words + n + note) + bool(note) <= room), signs)
    column = canvas.text(1, 0, fitted(words + named, room) + " ", palette.dim)
    column = canvas.text(column, 0, value, palette.accent, bold=True)
    if note and canvas.columns - 1 - width_of(note) > column:
        canvas.text(canvas.columns - 1 - width_of(note), 0, note, palette.dim)
