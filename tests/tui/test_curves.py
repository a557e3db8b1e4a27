"""The charts beside the stage: several curves are told apart by their marks, not by colour alone."""

import numpy as np

from algorithms.core import Curve
from algorithms.timeline.variables import AlongVariable
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK, mix
from tui.sections.curves import ChartContext, Charts, CurveNow, step_at


def rows_of(*ends: float) -> list[str]:
    """A chart of straight curves from 0 to these ends, at its middle."""
    t = np.arange(11)
    curves = [
        CurveNow(Curve(f"c{i}", lambda problem, state: 0.0), t, t * end / 10, end / 2) for i, end in enumerate(ends)
    ]
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    assert Charts().paint(canvas, "curves", curves, ChartContext(5, 10), DARK) is not None
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
    rows = [next(i for i, row in enumerate(chart) if mark in row) for mark in "▲■"]
    columns = {row.index(mark) for mark in "▲■" for row in chart if mark in row}
    assert abs(rows[0] - rows[1]) == 1, "where they are equal one stands above the other"
    assert len(columns) == 1


def test_in_a_low_chart_no_curve_is_without_its_name() -> None:
    names = ("posterior mean", "MLE", "posterior mode", "truth")
    t = np.arange(11)
    curves = [CurveNow(Curve(name, lambda problem, state: 0.0), t, t / 10.0, 0.571) for name in names]
    canvas = Canvas(33, 7, DARK.panel, DARK.ink)
    Charts().paint(canvas, "θ", curves, ChartContext(5, 10), DARK)
    legend = ["".join(map(chr, row)) for row in canvas.glyphs[:3]]
    assert all(any(f"{name} 0.571" in row for row in legend) for name in names)


def legend(t: int, values: list[float], now: float) -> str:
    """The legend of one curve that was measured at steps 3, 4, ..., at step t."""
    curve = CurveNow(Curve("loss", lambda problem, state: 0.0), np.arange(3, 3 + len(values)), np.array(values), now)
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    Charts().paint(canvas, "loss", [curve], ChartContext(t, 10), DARK)
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
    chart = charts.paint(canvas, "error along λ", [curve], ChartContext(2, 5), DARK)
    assert chart is not None
    here = chart.column(100.0)
    braille = (canvas.glyphs[1:-1] > 0x2800) & (canvas.glyphs[1:-1] <= 0x28FF)
    dim = canvas.ink[1:-1] == mix(DARK.panel, DARK.classes[0], 0.45)
    assert (dim & braille)[:, :here].sum() == braille[:, :here].sum() > 0, "λ falls: what comes is at the left"
    assert not (dim & braille)[:, here + 1 :].any()
    assert [step_at(chart, [curve], chart.column(x)) for x in falling] == [0, 1, 2, 3, 4, 5]
    texts = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert texts[-1].split() == ["0.1", "1", "100", "10,000"]


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


def test_no_curve_has_a_colour_or_shape_of_the_stage() -> None:
    t = np.arange(11)
    curves = [CurveNow(Curve(f"c{i}", lambda problem, state: 0.0), t, t * (i + 1.0), 5.0) for i in range(2)]
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    assert Charts().paint(canvas, "curves", curves, ChartContext(5, 10, used=frozenset({0, 1, 3})), DARK) is not None
    legend = "".join(map(chr, canvas.glyphs[0]))
    assert "■ c0" in legend
    assert "★ c1" in legend
    worn = {DARK.classes[tone] for tone in (0, 1, 3)}
    braille = (canvas.glyphs > 0x2800) & (canvas.glyphs < 0x2900)
    assert not worn & set(canvas.ink[braille].tolist())


def saw(steps: int) -> list[CurveNow]:
    """A level that rises at even steps, and a bound that touches it there and is below it in between."""
    t = np.arange(steps)
    level = np.floor(t / 2.0)
    bound = level - 0.4 * (t % 2)
    named = (("level", level), ("bound", bound))
    return [CurveNow(Curve(name, lambda problem, state: 0.0), t, values, values[20]) for name, values in named]


def test_curves_that_meet_again_and_again_are_seen_from_near_with_the_phases_and_the_whole_run_below() -> None:
    canvas = Canvas(60, 20, DARK.panel, DARK.ink)
    charts = Charts()
    context = ChartContext(20, 60, phase=lambda t: ("expect", "maximise")[t % 2])
    chart = charts.paint(canvas, "level", saw(61), context, DARK)
    assert chart is not None
    assert charts.is_near
    assert chart.across.first < 20 < chart.across.last
    assert chart.across.last - chart.across.first == (60 - 8 - 1) // 4
    rows = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert rows[17].split() == (["E", "M"] * 7)[: len(rows[17].split())]
    assert " 20 " in rows[16]
    assert rows[19].startswith("all")
    assert rows[19].rstrip().endswith("60")
    charts.near = False
    whole = charts.paint(canvas, "level", saw(61), context, DARK)
    assert whole is not None
    assert (whole.across.first, whole.across.last) == (0, 60)


def test_the_window_stands_still_while_the_cursor_is_in_its_middle_half() -> None:
    charts, firsts = Charts(), []
    for t in range(20, 40):
        canvas = Canvas(60, 20, DARK.panel, DARK.ink)
        chart = charts.paint(canvas, "level", saw(61), ChartContext(t, 60), DARK)
        assert chart is not None
        quarter = (chart.across.last - chart.across.first) // 4
        assert chart.across.first + quarter <= t <= chart.across.last - quarter
        firsts.append(chart.across.first)
    assert firsts[:3] == [firsts[0]] * 3
    assert firsts == sorted(firsts)


def test_curves_on_each_other_are_both_seen() -> None:
    t = np.arange(11)
    curves = [CurveNow(Curve(name, lambda problem, state: 0.0), t, t * 1.0, 5.0) for name in "ab"]
    canvas = Canvas(60, 14, DARK.panel, DARK.ink)
    Charts().paint(canvas, "curves", curves, ChartContext(10, 10), DARK)
    braille = (canvas.glyphs > 0x2800) & (canvas.glyphs < 0x2900)
    counts = [int((canvas.ink[braille] == DARK.classes[i]).sum()) for i in (0, 1)]
    assert min(counts) >= 0.4 * sum(counts) > 0


def test_nan_is_a_gap() -> None:
    t = np.arange(21)
    values = np.where((t >= 8) & (t <= 12), np.nan, 1.0 * t)
    canvas = Canvas(60, 14, DARK.panel, DARK.ink)
    chart = Charts().paint(
        canvas, "c", [CurveNow(Curve("c", lambda problem, state: 0.0), t, values, 20.0)], ChartContext(20, 20), DARK
    )
    assert chart is not None
    braille = ((canvas.glyphs > 0x2800) & (canvas.glyphs < 0x2900)).any(axis=0)
    assert not braille[chart.column(8) : chart.column(12)].any()
    assert braille[chart.column(3)]
    assert braille[chart.column(17)]


def test_when_the_legend_takes_another_line_the_chart_is_drawn_anew_with_its_axis_below() -> None:
    t, charts = np.arange(11), Charts()
    for value in (0.5, 123456.789):
        curves = [
            CurveNow(Curve(name, lambda problem, state: 0.0), t, t * 1.0, value) for name in ("first one", "second one")
        ]
        canvas = Canvas(37, 14, DARK.panel, DARK.ink)
        assert charts.paint(canvas, "curves", curves, ChartContext(5, 10), DARK) is not None
        below = "".join(map(chr, canvas.glyphs[-1])).split()
        assert (below[0], below[-1]) == ("0", "10")
