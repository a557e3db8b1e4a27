"""Charts along a variable of a curve's own, such as λ or k, in place of the steps."""

import math

import numpy as np

from algorithms.core import Curve
from algorithms.timeline.variables import AlongVariable
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK, mix
from tui.sections.charts.curves import ChartContext, Charts, CurveNow, step_at


def test_a_curve_along_a_variable_is_dim_where_it_has_not_come_to_and_a_click_finds_the_step() -> None:
    steps, falling = np.arange(6), 10.0 ** np.arange(4, -2, -1)
    along = AlongVariable("λ", True, steps, falling, steps / 5)
    curve = CurveNow(Curve("error", lambda problem, state: 0.0), steps, steps / 5, 0.4, along, falling[2])
    canvas, charts = Canvas(60, 14, DARK.panel, DARK.ink), Charts()
    chart = charts.paint(canvas, "error along λ", [curve], ChartContext(2, 5), DARK)
    assert chart is not None
    here = chart.column(100.0)
    braille = (canvas.glyphs[1:-1] > 0x2800) & (canvas.glyphs[1:-1] <= 0x28FF)
    dim = canvas.ink[1:-1] == mix(DARK.panel, DARK.classes[0], 0.45)
    assert (dim & braille)[:, :here].sum() == braille[:, :here].sum() > 0, "λ falls: what comes is at the left"
    assert not (dim & braille)[:, here + 1 :].any()
    assert [step_at(chart, [curve], chart.column(x)) for x in falling] == [0, 1, 2, 3, 4, 5]
    texts = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert texts[-1].split() == ["0.1", "1", "10", "100", "1,000", "10,000"]


def test_a_click_and_the_mouse_over_a_curve_that_has_come_to_nothing_yet_read_the_others() -> None:
    steps, rising = np.arange(3), np.array([1.0, 2.0, 3.0])
    none = np.zeros(0)
    empty = AlongVariable("k", False, none.astype(int), none, none)
    of = Curve("error", lambda problem, state: 0.0)
    curves = [
        CurveNow(of, none.astype(int), none, math.nan, empty, math.nan),
        CurveNow(of, steps, steps / 5, 0.4, AlongVariable("k", False, steps, rising, steps / 5), 3.0),
    ]
    canvas, context = Canvas(60, 14, DARK.panel, DARK.ink), ChartContext(2, 5, pointer=(40, 5))
    chart = Charts().paint(canvas, "error along k", curves, context, DARK)
    assert chart is not None
    assert [step_at(chart, curves, chart.column(x)) for x in rising] == [0, 1, 2]
    assert step_at(chart, curves[:1], 30) == 0
    assert " k " in "".join(map(chr, canvas.glyphs[-1]))


def test_of_a_variable_that_was_measured_once_there_is_a_chart() -> None:
    ends = [(1e4, True), (3.0, False), (0.0, False), (0.25, False), (1e308, True), (-1e308, False)]
    for x, log in ends:
        along = AlongVariable("v", log, np.array([4]), np.array([x]), np.array([1.0]))
        curve = CurveNow(Curve("error", lambda problem, state: 0.0), along.t, along.values, 1.0, along, x)
        chart = Charts().paint(Canvas(40, 14, DARK.panel, DARK.ink), "v", [curve], ChartContext(4, 5), DARK)
        assert (chart is not None) == (abs(x) < 1e150), "what is too large to have an axis has no chart"
    nothing = AlongVariable("v", False, np.arange(0), np.zeros(0), np.zeros(0))
    curve = CurveNow(Curve("error", lambda problem, state: 0.0), np.arange(1), np.ones(1), 1.0, nothing)
    assert Charts().paint(Canvas(40, 14, DARK.panel, DARK.ink), "v", [curve], ChartContext(4, 5), DARK) is None


def test_along_a_variable_the_cursor_stands_where_a_curve_is_measured_at_this_step() -> None:
    t = np.arange(4)
    curves = [
        CurveNow(
            Curve(name, lambda problem, state: 0.0), t, t / 3, 0.5, AlongVariable("n", False, t, t, t / 3), x, held
        )
        for name, x, held in (("odd", 3.0, 5), ("even", 2.0, None))
    ]
    for shown, x in ((curves, 2.0), (curves[:1], 3.0)):
        canvas = Canvas(40, 14, DARK.panel, DARK.ink)
        chart = Charts().paint(canvas, "wrong", shown, ChartContext(6, 9), DARK)
        assert chart is not None
        fitted_y_axis = (canvas.glyphs == ord("│")).sum(axis=0)
        assert np.flatnonzero(fitted_y_axis > 3).tolist() == [chart.column(x)]
