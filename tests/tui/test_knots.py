"""Knots: where two sides of a theorem meet again and again."""

import numpy as np

from tui.paint.canvas import Canvas
from tui.paint.charts import Line, drawn
from tui.paint.palette import DARK
from tui.paint.x_axis import XAxis
from tui.sections.charts.meetings import meetings, put_knots

SAW = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 3.0], [3.0, 3.0], [3.0, 4.0], [4.0, 4.0]])


def test_sides_meet_where_they_are_equal_and_part_in_turn() -> None:
    assert meetings(SAW)[:, 0].tolist() == [True, False, True, False, True, False, True]
    assert not meetings(np.repeat(SAW[:, :1], 2, axis=1)).any()  # one curve, not a row of knots
    assert not meetings(np.array([[1.0, 2.0]] * 5 + [[2.0, 2.0]] * 5)).any()  # it has come to its end


def test_a_knot_stands_on_the_line_but_not_under_the_marks_and_none_where_they_would_touch() -> None:
    t, x_axis = np.arange(7), XAxis(0.0, 6.0)
    chart = drawn([Line(t, side, DARK.ink) for side in SAW.T], 40, 12, x_axis, False, DARK)
    assert chart is not None
    canvas = Canvas(40, 12, DARK.panel, DARK.dim)
    put_knots(canvas, chart, t, SAW, 2, False, DARK)
    knots = {(int(row), int(column)) for row, column in zip(*np.nonzero(canvas.glyphs == ord("=")))}
    assert knots == {(chart.y_axis.row(SAW[i, 0]), chart.column(i)) for i in (0, 4, 6)}
    assert {int(canvas.ground[knot]) for knot in knots} == {DARK.ink, DARK.dim}  # those to come are weaker
    close, canvas = drawn([Line(t, SAW[:, 0], DARK.ink)], 20, 12, x_axis, False, DARK), Canvas(20, 12, 0, DARK.dim)
    assert close is not None
    put_knots(canvas, close, t, SAW, 2, False, DARK)
    assert set(canvas.ground[canvas.glyphs == ord("=")].tolist()) == {0}, "no row of blocks"
    many, canvas = np.tile(SAW, (9, 1)), Canvas(40, 12, DARK.panel, DARK.dim)
    chart = drawn([Line(np.arange(63), many[:, 0], DARK.ink)], 40, 12, XAxis(0.0, 62.0), False, DARK)
    assert chart is not None
    put_knots(canvas, chart, np.arange(63), many, 0, False, DARK)
    assert not (canvas.glyphs == ord("=")).any()


def test_the_axis_has_room_for_the_values_of_a_chart_beside_it() -> None:
    line = Line(np.arange(7), SAW[:, 0], DARK.ink)
    alone = drawn([line], 40, 12, XAxis(0.0, 6.0), False, DARK)
    beside = drawn([line], 40, 12, XAxis(0.0, 6.0), False, DARK, holds=np.array([-3.0, np.nan, 40.0]))
    assert alone is not None
    assert beside is not None
    assert (alone.y_axis.low, alone.y_axis.high) == (1.0, 4.0)
    assert beside.y_axis.low <= -3
    assert beside.y_axis.high >= 40
