"""The charts beside the stage: several curves are told apart by their marks, not by colour alone."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms.core import Curve, Sides, Theorem, Verdict
from algorithms.core.theorems import Relation
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK, mix
from tui.paint.shortened import shortened
from tui.sections.charts.curves import ChartContext, Charts, CurveNow, curve_looks
from tui.sections.charts.gap import related
from tui.sections.charts.legend import Entry, Remark, legend


def rows_of(*ends: float) -> list[str]:
    """A chart of straight curves from 0 to these ends, at its middle."""
    t = np.arange(11)
    curves = [
        CurveNow(Curve(f"c{i}", lambda problem, state: 0.0), t, t * end / 10, end / 2) for i, end in enumerate(ends)
    ]
    canvas = Canvas(44, 14, DARK.panel, DARK.ink)
    assert Charts().paint(canvas, "curves", curves, ChartContext(5, 10), DARK) is not None
    return ["".join(map(chr, row)) for row in canvas.glyphs]


def test_one_curve_has_a_dot_at_the_cursor() -> None:
    legend, *chart = rows_of(1.0)
    assert "━ c0" in legend
    assert sum(row.count("●") for row in chart) == 1


def test_each_of_several_has_its_own_mark_in_the_legend_and_at_the_cursor() -> None:
    first, second, *chart = rows_of(1.0, 0.2, 0.5)
    for mark, name in zip("●▲■", ("c0:", "c1:", "c2:")):
        assert f"{mark} {name}" in first + second
        assert sum(row.count(mark) for row in chart) == 1
    columns = {row.index(mark) for mark in "●▲■" for row in chart if mark in row}
    assert len(columns) == 1
    first, second, *chart = rows_of(1.0, 0.2, 0.201)
    assert "c2: 0.101 behind ▲" in first + second
    assert [sum(row.count(mark) for row in chart) for mark in "●▲■"] == [1, 1, 0]


def test_the_legend_says_which_marks_are_equal() -> None:
    first, second, *chart = rows_of(1.0, 0.2, 0.2)
    assert "c2: 0.100 equals ▲" in first + second
    assert sum(row.count("=") for row in chart) == 1, "it stands for both"
    assert "▲" not in "".join(chart)
    assert "■" not in "".join(chart)


@pytest.mark.parametrize("several", [1, 3])
def test_it_is_painted_in_any_room_or_none(several: int) -> None:
    t = np.arange(11)
    curves = [CurveNow(Curve(f"curve {i}", lambda problem, state: 0.0), t, t / 10.0, 0.5) for i in range(several)]
    for seen in (None, 0, 5):
        for rows in range(8):
            for columns in range(0, 40, 3):
                Charts().paint(
                    Canvas(columns, rows, DARK.panel, DARK.ink), "θ", curves, ChartContext(5, 10, seen=seen), DARK
                )


def test_a_second_line_that_says_which_mark_is_behind_leaves_room_for_what_is_between() -> None:
    entries = [Entry("●", DARK.ink, "dual", "17.52"), Entry("▲", DARK.ink, "primal", "17.52")]
    laid = legend(entries, [Remark("between 0.001", DARK.accent, 14)], 31, 5, False)
    assert laid.rows == 2
    assert len(laid.remarks) == 1


def test_in_a_low_chart_no_curve_is_without_its_name() -> None:
    names = ("posterior mean", "MLE", "posterior mode", "truth")
    t = np.arange(11)
    curves = [CurveNow(Curve(name, lambda problem, state: 0.0), t, t / 10.0, 0.571) for name in names]
    canvas = Canvas(33, 7, DARK.panel, DARK.ink)
    Charts().paint(canvas, "θ", curves, ChartContext(5, 10), DARK)
    legend = ["".join(map(chr, row)) for row in canvas.glyphs[:3]]
    assert all(any(f"{name} 0.571" in row for row in legend) for name in names)


def legend_at(t: int, values: list[float], now: float) -> str:
    """The legend of one curve that was measured at steps 3, 4, ..., at step t."""
    curve = CurveNow(Curve("loss", lambda problem, state: 0.0), np.arange(3, 3 + len(values)), np.array(values), now)
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    Charts().paint(canvas, "loss", [curve], ChartContext(t, 10), DARK)
    return "".join(map(chr, canvas.glyphs[0]))


def test_the_legend_says_nan_and_infinity_in_words_and_a_dash_only_before_there_is_a_value() -> None:
    assert "loss nan" in legend_at(9, [1.0, 0.5], np.nan)
    assert "loss ∞" in legend_at(9, [1.0, 0.5], np.inf)
    assert "loss –" in legend_at(2, [1.0, 0.5], np.nan)


def test_no_curve_has_a_colour_or_shape_of_the_stage() -> None:
    t = np.arange(11)
    curves = [CurveNow(Curve(f"c{i}", lambda problem, state: 0.0), t, t * (i + 1.0), 5.0) for i in range(2)]
    canvas = Canvas(40, 14, DARK.panel, DARK.ink)
    assert Charts().paint(canvas, "curves", curves, ChartContext(5, 10, used=frozenset({0, 1, 3})), DARK) is not None
    legend = "".join(map(chr, canvas.glyphs[0]))
    assert "■ c0" in legend
    assert "★ c1" in legend
    in_use = {DARK.classes[tone] for tone in (0, 1, 3)}
    braille = (canvas.glyphs > 0x2800) & (canvas.glyphs < 0x2900)
    assert not in_use & set(canvas.ink[braille].tolist())


def test_a_curve_has_the_tone_that_what_it_measures_has_on_the_stage_and_no_other_takes_it() -> None:
    tones = (None, 3, "accent", None)
    curves = [
        CurveNow(Curve(f"c{i}", lambda problem, state: 0.0, tone=tone), np.arange(11), np.arange(11.0), 5.0)  # type: ignore[arg-type]
        for i, tone in enumerate(tones)
    ]
    assert curve_looks(curves, frozenset({0, 3})) == [(1, "▲"), (3, "◆"), ("accent", "■"), (4, "★")]
    assert curve_looks(curves[:1], frozenset()) == [(0, "●")]


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
    assert chart.x_axis.first < 20 < chart.x_axis.last
    assert chart.x_axis.last - chart.x_axis.first == (60 - 8 - 1) // 4
    rows = ["".join(map(chr, row)) for row in canvas.glyphs]
    assert rows[17].split() == ["phase", *["E", "M"] * 7][: len(rows[17].split())]
    assert " 20 " in rows[16]
    assert rows[19].startswith("all")
    assert rows[19].rstrip().endswith("60")
    charts.near = False
    whole = charts.paint(canvas, "level", saw(61), context, DARK)
    assert whole is not None
    assert (whole.x_axis.first, whole.x_axis.last) == (0, 60)


def test_the_window_stands_still_while_the_cursor_is_in_its_middle_half() -> None:
    charts, firsts = Charts(), []
    for t in range(20, 40):
        canvas = Canvas(60, 20, DARK.panel, DARK.ink)
        chart = charts.paint(canvas, "level", saw(61), ChartContext(t, 60), DARK)
        assert chart is not None
        quarter = (chart.x_axis.last - chart.x_axis.first) // 4
        assert chart.x_axis.first + quarter <= t <= chart.x_axis.last - quarter
        firsts.append(chart.x_axis.first)
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


def painted(
    curves: list[CurveNow], context: ChartContext, columns: int = 60, rows: int = 24
) -> tuple[Canvas, list[str]]:
    canvas = Canvas(columns, rows, DARK.panel, DARK.ink)
    assert Charts().paint(canvas, "chart", curves, context, DARK) is not None
    return canvas, ["".join(map(chr, row)) for row in canvas.glyphs]


def ink_of(canvas: Canvas, row: int, text: str) -> int:
    """The colour of a text in a row."""
    line = "".join(map(chr, canvas.glyphs[row]))
    return int(canvas.ink[row, line.index(text)])


def test_a_value_that_is_held_is_dim_and_the_legend_says_of_which_step_it_is() -> None:
    t = np.arange(2, 11, 2)
    of_m = Curve("gap", lambda problem, state: 0.0, phases=("maximise",))
    for now, held_from, ink in ((8, None, DARK.ink), (9, 8, DARK.dim)):
        curve = CurveNow(of_m, t, np.where(t < 10, t / 10.0, 0.0), 0.8, held_from=held_from)
        canvas, rows = painted([curve], ChartContext(now, 10), rows=14)
        assert ink_of(canvas, 0, "0.800") == ink
        assert ("of step 8" in rows[0]) == (held_from is not None)
        mark = next(i for i, row in enumerate(rows) if "●" in row)
        strength = 1.0 if held_from is None else 0.6
        assert ink_of(canvas, mark, "●") == mix(DARK.panel, DARK.classes[0], strength)
        assert ("┄" in rows[mark]) == (held_from is not None), "the value is held from there to the cursor"


@pytest.mark.parametrize(("rows", "has_room"), [(14, True), (9, False)])
def test_that_values_are_held_is_said_once_after_the_last_curve_or_not_at_all(rows: int, has_room: bool) -> None:
    t = np.arange(2, 11, 2)
    of_m = Curve("share of wrong votes", lambda problem, state: 0.0, phases=("vote",))
    curves = [CurveNow(of_m, t, t / 10.0, 0.8, held_from=8)] * 2
    _, texts = painted(curves, ChartContext(9, 10), columns=44, rows=rows)
    (*entries, last) = [row for row in texts if "share" in row or "dim" in row]
    assert not any("dim" in row for row in entries)
    assert ("dim: values of step 8" in last) == has_room
    assert ("share" in last) != has_room, "no curve stands beside it"


def test_a_curve_with_a_line_of_its_own_keeps_its_name_where_others_are_cut() -> None:
    names = ("training error", "held-out error", "naive Bayes, training", "naive Bayes, held out")
    entries = [Entry("●", DARK.ink, name, "0.0714") for name in names]
    laid = legend(entries, [], 40, 3, False)
    assert [entry.name for entry in laid.entries][2:] == list(names[2:])
    assert laid.rows == 3


def test_a_curve_that_is_measured_at_every_step_has_no_line_for_the_step_of_its_value() -> None:
    t = np.arange(1, 11)
    curve = CurveNow(Curve("F", lambda problem, state: 0.0, phases=("expect", "maximise")), t, t * 1.0, 5.0)
    _, rows = painted([curve] * 2, ChartContext(5, 10), columns=34, rows=13)
    assert rows[1].split()[0] == "10", "the chart begins under the two curves"


def test_where_there_is_no_room_for_the_names_they_are_cut_and_the_numbers_are_not() -> None:
    names = ("training error", "held-out error", "out-of-bag error", "training error of a tree", "held-out of a tree")
    t, value = np.arange(11), 0.04761
    curves = [CurveNow(Curve(name, lambda problem, state: 0.0), t, t * value, value) for name in names]
    for columns, rows in ((33, 14), (33, 7), (30, 8), (60, 6)):
        _, texts = painted(curves, ChartContext(5, 10), columns, rows)
        legend = "\n".join(row for row in texts if "0.0476" in row)
        assert legend.count("0.0476") == len(names)
        assert all(mark in legend for mark in "●▲■◆★")
        for name in names:
            assert name.replace(" of a", "") in legend or name in legend or name.split()[0] in legend or "…" in legend
        assert sum(bool(set(row) & set(map(chr, range(0x2801, 0x2900)))) for row in texts) >= 2, (
            "the chart is there too"
        )


def test_between_two_sides_stands_what_is_left_with_the_phase_after_which_it_is_nothing() -> None:
    context = ChartContext(21, 60, phase=lambda t: ("expect", "maximise")[t % 2], between=True)
    sides = [replace(curve, now=float(curve.values[21])) for curve in saw(61)]
    canvas, rows = painted(sides, context, rows=30)
    heading = next(i for i, row in enumerate(rows) if "between them" in row)
    assert "between them: level - bound 0.400" in rows[heading]
    assert '0 at each "expect"' in rows[heading]
    once = replace(context, phase=lambda t: "work" if t % 2 else "start" if t == 0 else "rest")
    _, begun = painted([replace(sides[0], values=sides[1].values + (sides[1].t > 0)), sides[1]], once, rows=30)
    assert "0 at each" not in "\n".join(begun), "of a phase that comes but once nothing is said"
    assert ink_of(canvas, heading, "0.400") == DARK.accent
    assert [row[:7].strip() for row in rows[heading + 1 : heading + 5] if row[:7].strip()] == ["0.4", "0.0"]
    braille = (canvas.glyphs > 0x2800) & (canvas.glyphs < 0x2900)
    strip = slice(heading + 1, heading + 5)
    weak = mix(DARK.panel, DARK.accent, 0.45)
    assert set(np.unique(canvas.ink[strip][braille[strip]])) <= {DARK.accent, weak, weak - 1, weak + 1, weak + 256}
    assert rows[heading + 6].split()[1] in ("E", "M"), "under the ticks the phases, as under a chart without it"
    _, without = painted(sides, replace(context, between=False), rows=30)
    assert not any("between them" in row for row in without)


def test_what_is_between_has_uprights_from_side_to_side_where_there_is_room() -> None:
    t = np.arange(61)
    upper = CurveNow(Curve("upper", lambda problem, state: 0.0), t, np.where(t % 2, 8.0, 1.0) + t / 100, 8.0)
    lower = CurveNow(Curve("lower", lambda problem, state: 0.0), t, 1.0 + t / 100, 1.0)
    canvas, rows = painted([upper, lower], ChartContext(20, 60, between=True), rows=30)
    heading = next(i for i, row in enumerate(rows) if "between them" in row)
    columns = np.flatnonzero((canvas.ink[: heading - 1] == mix(DARK.panel, DARK.accent, 0.55)).any(axis=0))
    assert len(columns) >= 3
    assert set(np.diff(columns).tolist()) <= {8, 9}, "at every second step, of four columns each"


def test_nothing_stands_between_curves_that_cross_or_are_three_or_have_no_room() -> None:
    t = np.arange(61)

    def curve(name: str, values: np.ndarray) -> CurveNow:
        return CurveNow(Curve(name, lambda problem, state: 0.0), t, values, float(values[20]))

    above, below, crossing = curve("a", t + 5.0), curve("b", t * 1.0), curve("c", 60.0 - t)
    context = ChartContext(20, 60, between=True)
    for curves, rows, there in (
        ([above, below], 24, True),
        ([below, above], 24, True),
        ([below, crossing], 24, False),
        ([below, below], 24, False),
        ([above, below, curve("d", t - 5.0)], 24, False),
        ([above, below], 12, False),
    ):
        _, texts = painted(curves, context, rows=rows)
        assert any("between them: a - b" in row for row in texts) == there
    canvas, texts = painted([above, below], context, columns=40, rows=24)
    assert not any("between them" in row for row in texts)
    assert "between 5 " in texts[0], "in a narrow chart the legend says it"
    assert ink_of(canvas, 0, "between 5") == DARK.accent
    _, small = painted([curve("dual", t + 0.000757), curve("primal", t * 1.0)], context, columns=31, rows=15)
    assert "between 0.0008" in small[0]
    assert "primal 20 behind ●" in small[1]


def test_a_part_is_drawn_from_edge_to_edge_also_where_nothing_was_measured_at_its_ends() -> None:
    t = np.arange(0, 101, 10)
    curve = CurveNow(Curve("c", lambda problem, state: 0.0), t, t * 1.0, 30.0)
    charts, canvas = Charts(), Canvas(60, 14, DARK.panel, DARK.ink)
    assert charts.paint(canvas, "c", [curve], ChartContext(30, 100), DARK) is not None
    assert charts.zooms.zoom("c", 0.04, 0.34)
    canvas = Canvas(60, 14, DARK.panel, DARK.ink)
    chart = charts.paint(canvas, "c", [curve], ChartContext(30, 100), DARK)
    assert chart is not None
    assert (chart.x_axis.first, chart.x_axis.last) == (33, 37)
    assert chart.y_axis.low <= 33
    assert chart.y_axis.high >= 37
    assert chart.y_axis.high - chart.y_axis.low < 10, "its limits are from the part alone"
    braille = ((canvas.glyphs > 0x2800) & (canvas.glyphs < 0x2900)).any(axis=0)
    assert braille[chart.left : chart.left + chart.columns - 1].all()
    assert "●" not in "".join(map(chr, canvas.glyphs.ravel())), "the cursor is not in it"


def test_the_logarithm_is_that_which_was_chosen() -> None:
    t = np.arange(11)
    curve = CurveNow(Curve("c", lambda problem, state: 0.0, log=True), t, 10.0 ** -t.astype(float), 1e-5)
    for log, ends in ((None, (1, 1e-10)), (True, (1, 1e-10)), (False, (1, 0))):
        _, rows = painted([curve], ChartContext(5, 10, log=log), rows=14)
        labels = [float(row[:7]) for row in rows[1:-1] if row[:7].strip()]
        assert (labels[0], labels[-1]) == ends


def test_where_the_mouse_is_each_curve_is_read_and_nothing_moves() -> None:
    t = np.arange(0, 61)
    curves = [CurveNow(Curve(n, lambda problem, state: 0.0), t, v, 0.0) for n, v in (("a", t * 1.0), ("b", t / 8.0))]
    still, before = painted(curves, ChartContext(20, 60), rows=14)
    chart = Charts().paint(Canvas(60, 14, 0, 0), "c", curves, ChartContext(20, 60), DARK)
    assert chart is not None
    canvas, rows = painted(curves, ChartContext(20, 60, pointer=(chart.column(40), 5)), rows=14)
    assert "step 40  ● 40  ▲ 5" in rows[-1]
    elsewhere = canvas.glyphs[:-1] != still.glyphs[:-1]
    assert set(np.flatnonzero(elsewhere.any(axis=0)).tolist()) == {chart.column(40)}
    assert before[:1] == rows[:1]
    _, outside = painted(curves, ChartContext(20, 60, pointer=(2, 5)), rows=14)
    assert outside == before


def test_the_long_name_of_a_single_curve_goes_on_in_a_second_line_where_there_is_room() -> None:
    t = np.arange(11)
    formula = "share of all rows that others win"
    one = CurveNow(Curve("error", lambda problem, state: 0.0, formula=formula), t, t / 10, 0.5)
    for rows, first, second in (
        (14, "━ share of all rows that", "others win 0.500"),
        (10, "━ share of all rows that", "others win 0.500"),
        (8, "━ share of all rows that", "others win 0.500"),
        (6, "━ share of all rows… 0.500", "1"),
    ):
        canvas = Canvas(28, rows, DARK.panel, DARK.ink)
        Charts().paint(canvas, "error", [one], ChartContext(5, 10), DARK)
        lines = ["".join(map(chr, row)) for row in canvas.glyphs]
        assert first in lines[0]
        assert second in lines[1]


def test_of_names_that_begin_alike_each_keeps_what_tells_it_from_the_others() -> None:
    names = [
        "training error",
        "held-out error",
        "out-of-bag error",
        "training error of a tree",
        "held-out error of a tree",
    ]
    for width in range(24, 13, -1):
        short = shortened(names, width)
        assert all(len(name) <= width for name in short)
        assert len(set(short)) == len(names)
        assert not any(name.rstrip("…").split()[-1] in ("of", "a") for name in short if name)
    assert shortened(names, 17)[3:] == ["training tree", "held-out tree"], "error is in the names of all"
    assert shortened(["gain of x1", "gain of x2"], 4) == ["x1", "x2"]


def test_a_legend_takes_a_third_of_the_rows_and_more_only_for_names_to_be_read() -> None:
    entries = [Entry("●", 0, name, "0.571") for name in ("posterior mean", "likelihood", "posterior mode", "truth")]
    assert legend(entries, [], 33, 3, True, 5).rows == 3
    five = [*entries, Entry("●", 0, "another one", "0.571")]
    assert legend(five, [], 26, 3, True, 5).rows == 5
    assert all(len(entry.name) >= 5 for entry in legend(five, [], 26, 3, True, 5).entries)
    assert legend(five, [], 26, 3, True).rows <= 3


def test_a_name_that_ends_with_a_digit_is_apart_from_its_value() -> None:
    assert [Entry("●", 0, name, "0").named for name in ("rows with P <=", "λ above 0", "error")] == [
        "rows with P <=:",
        "λ above 0:",
        "error",
    ]


def test_curves_are_sides_of_something_where_a_theorem_has_their_values() -> None:
    t = np.arange(5)
    a, b = (
        CurveNow(Curve(name, lambda problem, state: 0.0), t, t * 1.0, now) for name, now in (("a", 3.0), ("b", 5.0))
    )
    theorem = Theorem("a <= b", lambda problem, before, after: None, source="a lecture")

    def said(*values: float, relation: Relation = "<=") -> tuple[Verdict, ...]:
        return (Verdict(theorem, "holds", Sides(*((str(v), v) for v in values), relation=relation)),)

    assert related([a, b], said(3.0, 5.0))
    assert related([b, a], said(1.0, 3.0, 5.0))
    assert not related([a, b], said(3.0, 6.0))
    assert not related([a, b], said(3.0, 5.0, relation="=="))
    assert not related([a, b, a], said(3.0, 5.0))
    nothing = [replace(curve, now=0.0) for curve in (a, b)]
    assert not related(nothing, said(0.0, 0.0)), "that two counts are 0 says nothing of them"
