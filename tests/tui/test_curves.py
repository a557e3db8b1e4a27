"""The charts beside the stage: several curves are told apart by their marks, not by colour alone."""

import numpy as np

from algorithms.core import Curve
from algorithms.timeline.variables import AlongVariable
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.sections.curves import Charts, CurveNow, step_at


def rows_of(*ends: float) -> list[str]:
    """A chart of straight curves from 0 to these ends, at its middle."""
    t = np.arange(11)
    curves = [
        CurveNow(Curve(f"c{i}", lambda problem, state: 0.0), t, t * end / 10, end / 2) for i, end in enumerate(ends)
    ]
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    assert Charts().paint(canvas, "curves", curves, 5, 10, DARK) is not None
    return ["".join(map(chr, row)) for row in canvas.glyphs]


def test_one_curve_has_a_dot_at_the_cursor() -> None:
    legend, *chart = rows_of(1.0)
    assert "━ c0" in legend
    assert sum(row.count("●") for row in chart) == 1


def test_each_of_several_has_its_own_mark_in_the_legend_and_at_the_cursor() -> None:
    legend, *chart = rows_of(1.0, 0.2, 0.2)
    for mark, name in zip("●▲■", ("c0", "c1", "c2")):
        assert f"{mark} {name}" in legend
        assert sum(row.count(mark) for row in chart) == 1
    assert any("▲■" in row for row in chart)  # beside each other where they are equal


def test_in_a_low_chart_no_curve_is_without_its_name() -> None:
    names = ("posterior mean", "MLE", "posterior mode", "truth")
    t = np.arange(11)
    curves = [CurveNow(Curve(name, lambda problem, state: 0.0), t, t / 10.0, 0.571) for name in names]
    canvas = Canvas(33, 7, DARK.panel, DARK.ink)
    Charts().paint(canvas, "θ", curves, 5, 10, DARK)
    legend = ["".join(map(chr, row)) for row in canvas.glyphs[:3]]
    assert all(any(f"{name} 0.571" in row for row in legend) for name in names)


def legend(t: int, values: list[float], now: float) -> str:
    """The legend of one curve that was measured at steps 3, 4, ..., at step t."""
    curve = CurveNow(Curve("loss", lambda problem, state: 0.0), np.arange(3, 3 + len(values)), np.array(values), now)
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    Charts().paint(canvas, "loss", [curve], t, 10, DARK)
    return "".join(map(chr, canvas.glyphs[0]))


def test_the_legend_says_nan_and_infinity_in_words_and_a_dash_only_before_there_is_a_value() -> None:
    assert "loss nan" in legend(9, [1.0, 0.5], np.nan)
    assert "loss ∞" in legend(9, [1.0, 0.5], np.inf)
    assert "loss –" in legend(2, [1.0, 0.5], np.nan)


def test_a_curve_along_a_variable_is_dim_where_it_has_not_come_to_and_a_click_finds_the_step() -> None:
    steps, falling = np.arange(6), 10.0 ** np.arange(4, -2, -1)
    along = AlongVariable("λ", True, steps, falling, steps / 5)
    curve = CurveNow(Curve("error", lambda problem, state: 0.0), steps, steps / 5, 0.4, along, falling[2])
    canvas, charts = Canvas(60, 14, DARK.panel, DARK.ink), Charts()
    chart = charts.paint(canvas, "error along λ", [curve], 2, 5, DARK)
    assert chart is not None
    here = chart.column(100.0)
    braille = (canvas.glyphs[1:-1] > 0x2800) & (canvas.glyphs[1:-1] <= 0x28FF)
    dim = canvas.ink[1:-1] == DARK.faint
    assert (dim & braille)[:, :here].sum() == braille[:, :here].sum() > 0, "λ falls: what comes is at the left"
    assert not (dim & braille)[:, here + 1 :].any()
    assert [step_at(chart, [curve], chart.column(x)) for x in falling] == [0, 1, 2, 3, 4, 5]
    texts = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert texts[-1].split() == ["1", "100", "10,000"]


def test_of_a_variable_that_was_measured_once_there_is_a_chart() -> None:
    ends = [(1e4, True), (3.0, False), (0.0, False), (0.25, False), (1e308, True), (-1e308, False)]
    for x, log in ends:
        along = AlongVariable("v", log, np.array([4]), np.array([x]), np.array([1.0]))
        curve = CurveNow(Curve("error", lambda problem, state: 0.0), along.t, along.values, 1.0, along, x)
        chart = Charts().paint(Canvas(40, 14, DARK.panel, DARK.ink), "v", [curve], 4, 5, DARK)
        assert (chart is not None) == (abs(x) < 1e150), "what is too large to have an axis has no chart"
    nothing = AlongVariable("v", False, np.arange(0), np.zeros(0), np.zeros(0))
    curve = CurveNow(Curve("error", lambda problem, state: 0.0), np.arange(1), np.ones(1), 1.0, nothing)
    assert Charts().paint(Canvas(40, 14, DARK.panel, DARK.ink), "v", [curve], 4, 5, DARK) is None
