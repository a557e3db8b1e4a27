"""The curves of one chart: drawn by plotext, with a legend that holds this step's values."""

import math

import numpy as np

from algorithms.core import Array
from algorithms.playback.viewer import CurveNow
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.charts import Chart, Line, Mark, after, around, drawn, put, steps_up_to
from tui.paint.palette import GLYPHS, Palette
from tui.paint.ticks import number


class Charts:
    """Draws charts and keeps what was drawn until a curve, the size or the look changes."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[object, ...], Chart | None]] = {}

    def paint(
        self, canvas: Canvas, name: str, curves: list[CurveNow], t: int, last: int, palette: Palette
    ) -> Chart | None:
        """Paint the chart of a group of curves, with the cursor at step t; gives the chart back for the mouse."""
        curves = [c for c in curves if c.t.size] or curves[:1]  # one that is never measured says nothing
        inks = [palette.classes[i % len(palette.classes)] for i in range(len(curves))]
        used = self._legend(canvas, curves, inks, t, palette)
        body = canvas.part(0, used, canvas.columns, canvas.rows - used)
        log = curves[0].curve.log
        key = (canvas.columns, canvas.rows, palette.name, last, tuple(_mark(c) for c in curves))
        held = self._kept.get(name)
        if held is None or held[0] != key:
            chart = _chart(curves, inks, body, last, palette)
            held = self._kept[name] = (key, chart)
        chart = held[1]
        if chart is not None:
            shapes = [_shape(i, len(curves)) for i in range(len(curves))]
            marks = [
                Mark(t if c.along is None else c.here, c.now, shape or "●", ink if shape else palette.accent)
                for c, shape, ink in zip(curves, shapes, inks)
            ]
            put(body, chart, marks[0].x, _later(chart, curves, t), palette, marks, log)
        return chart

    @staticmethod
    def _legend(canvas: Canvas, curves: list[CurveNow], inks: list[int], t: int, palette: Palette) -> int:
        """ "● objective 64.6   ▲ bound 70.1": each curve's mark on the cursor, with its value there; returns how many
        lines it took. A curve stands on the first line that has room for it, so that as few as can be do."""
        most = max(canvas.rows - 4, 1)  # of a low chart little is left, but no curve without a name
        free = [1]  # the next free column of each line
        for i, (curve, ink) in enumerate(zip(curves, inks)):
            value = number(curve.now) if measured(curve, t) else "–"
            name = curve.curve.name if len(curves) > 1 else curve.curve.formula or curve.curve.name
            width = width_of(name) + width_of(value) + 3
            row = next((r for r, at in enumerate(free) if at == 1 or at + width <= canvas.columns), len(free))
            if row == len(free):
                if row == most:
                    break
                free.append(1)
            column = canvas.text(free[row], row, f"{_shape(i, len(curves)) or '━'} ", ink)
            name = fitted(name, canvas.columns - column - width_of(value) - 2)
            column = canvas.text(column, row, name + " ", palette.dim)
            free[row] = canvas.text(column, row, value, palette.accent, bold=True) + 2
        return len(free)


def _chart(curves: list[CurveNow], inks: list[int], body: Canvas, last: int, palette: Palette) -> Chart | None:
    """Draw curves along the steps up to `last`, or along the variable that they share."""
    known = [c.along for c in curves if c.along is not None and len(c.along.x)]
    if curves[0].along is None:
        across, lines = steps_up_to(last), [Line(c.t, c.values, ink) for c, ink in zip(curves, inks)]
    elif known:
        across = around(np.concatenate([along.x for along in known]), known[0].log)
        lines = [Line(*c.along.line()[:2], ink) for c, ink in zip(curves, inks) if c.along is not None]
    else:
        return None
    return drawn(lines, body.columns, body.rows, across, curves[0].curve.log, palette)


def _later(chart: Chart, curves: list[CurveNow], t: int) -> Array:
    """Mask the columns that no curve has come to at step t."""
    alongs = [c.along for c in curves if c.along is not None]
    if not alongs:
        return after(chart, t)
    lines = [along.line() for along in alongs if len(along.x)]
    return np.asarray(np.logical_and.reduce([chart.not_yet(x, since, t) for x, _, since in lines]))


def step_at(chart: Chart, curves: list[CurveNow], column: int) -> int:
    """Find the step at a column of a chart: of a curve along a variable, that which first came nearest to it."""
    along = next((c.along for c in curves if c.along is not None), None)
    if along is None:
        return chart.step(column)
    x, _, since = along.line()
    return int(since[np.abs(chart.columns_of(x) - column).argmin()])


def measured(curve: CurveNow, t: int) -> bool:
    """Tell whether the curve has a value at step t, be it NaN; not before it is first measured."""
    return not math.isnan(curve.now) or (bool(curve.t.size) and float(curve.t[0]) <= t)


def _shape(i: int, count: int) -> str:
    """Choose the mark of one of several curves, so that not colour alone tells them apart; "" for a single one."""
    return GLYPHS[i % len(GLYPHS)] if count > 1 else ""


def _mark(curve: CurveNow) -> tuple[object, ...]:
    """Fingerprint a curve: changes when it does."""
    x = b"" if curve.along is None else curve.along.x.tobytes()
    return (curve.curve.name, hash(curve.t.tobytes()), hash(curve.values.tobytes()), hash(x))
