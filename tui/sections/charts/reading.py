"""What a chart says where the mouse is: the value of each curve there, in one short label."""

import numpy as np

from algorithms.playback.pictures.viewer import CurveNow
from tui.paint.canvas import SPACE, Canvas, fitted, width_of
from tui.paint.charts import Chart
from tui.paint.palette import Palette
from tui.paint.ticks import number
from tui.sections.charts.axis import ChartContext, here, step_at


def paint_reading(
    canvas: Canvas,
    rows: tuple[int, int],
    chart: Chart,
    curves: list[CurveNow],
    shapes: list[str],
    context: ChartContext,
    p: Palette,
) -> None:
    """Paint a line where the mouse is, and at its foot the label, in place of the ticks: no curve is hidden.

    Args:
        rows: the first row of the plot, and that of the ticks.
    """
    if context.pointer is None:
        return
    column, (top, bottom) = context.pointer[0], rows
    if not (chart.left <= column < chart.left + chart.columns and bottom < canvas.rows):
        return
    for row in range(top, bottom):
        if canvas.glyphs[row, column] in (SPACE, ord("─")):
            canvas.text(column, row, "┆", p.dim)
    label = fitted(f" {_words(chart, curves, shapes, column, context)} ", canvas.columns)
    start = min(max(column - width_of(label) // 2, 0), canvas.columns - width_of(label))
    canvas.text(start, bottom, label, p.on_held, p.held)


def _words(chart: Chart, curves: list[CurveNow], shapes: list[str], column: int, context: ChartContext) -> str:
    """Say where it is and what the curves are there: "step 14  ■ -1.683  ◆ -1.714"."""
    t = step_at(chart, curves, column, context)
    alongs = [c.along for c in curves if c.along is not None]
    along = next((each for each in alongs if len(each.x)), None)
    if along is not None:
        x, values, _ = along.line()
        near = int(np.abs(chart.columns_of(x) - column).argmin())
        place = f"{along.name} {number(float(x[near]))}"
        read = [float(each.values_at(x[near : near + 1])[0]) for each in alongs]
    elif alongs:  # none of which has come to anything yet
        return f"step {t:,}"
    else:
        t = _sampled(curves, t)
        place = f"step {t:,}"
        if context.coordinate is not None:
            x_here = here(context, t)
            at = f"{int(x_here):,}" if context.coordinate.whole else number(x_here)
            unit = context.coordinate.name.partition(" of ")[0]
            place = f"{unit} {at}, {place}" if context.coordinate.whole else f"{at} {unit}, {place}"
        read = [_value(c, t) for c in curves]
    values_said = [f"{s} {number(v)}" if len(curves) > 1 else number(v) for s, v in zip(shapes, read)]
    return "  ".join([place, *values_said])


def _sampled(curves: list[CurveNow], t: int) -> int:
    """Choose the step nearest to t at which something was measured: of a long run not every one was."""
    steps = np.concatenate([c.t for c in curves])
    return int(steps[np.abs(steps - t).argmin()])


def _value(curve: CurveNow, t: int) -> float:
    """Get the value that a curve has at step t, the last one where it was not measured there; NaN before."""
    i = int(np.searchsorted(curve.t, t, side="right")) - 1
    return float(curve.values[i]) if i >= 0 else float("nan")
