"""Charts of curves: drawn where there is room, and nothing where there is none."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from tui.paint.canvas import Canvas
from tui.paint.charts import Line, Mark, after, drawn, fitting_ticks, put
from tui.paint.palette import DARK
from tui.paint.x_axis import steps_up_to
from tui.paint.y_axis import YAxis, fitted_y_axis

LONG = Line(np.arange(500.0), np.linspace(3.0, 1.0, 500), 0xFFFFFF)


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (0, 20), (1, 20), (15, 20), (80, 3)])
def test_without_room_there_is_no_chart(columns: int, rows: int) -> None:
    assert drawn([LONG], columns, rows, steps_up_to(500), False, DARK) is None


def test_with_room_the_curve_falls_from_left_to_right() -> None:
    chart = drawn([LONG], 60, 12, steps_up_to(500), False, DARK)
    assert chart is not None
    rows, columns = np.nonzero((chart.glyphs >= 0x2801) & (chart.glyphs <= 0x28FF))
    assert rows[columns.argmin()] < rows[columns.argmax()]
    assert chart.step(chart.column(250)) == pytest.approx(250, abs=10)


@pytest.mark.parametrize(
    ("low", "high", "rows", "log"),
    [
        (0.0, 10.0, 13, False),
        (-3.28, -1.41, 13, False),
        (0.128, 0.688, 9, False),
        (1e-9, 3.0, 9, True),
        (0.02, 0.03, 7, True),
        (5.0, 5.0, 5, False),
        (1e-300, 1e-299, 6, False),
        (-1e300, 1e300, 6, False),
        (1e8, 1e8 + 1e-3, 8, False),
        (-0.3, 0.3, 3, False),
        (-1.0, 100.0, 3, False),
        (1e-5, 1e5, 3, True),
    ],
)
def test_the_ends_of_the_vertical_axis_are_labelled_and_hold_the_values(low, high, rows, log):
    ends = np.log10([low, high]) if log else (low, high)
    axis = fitted_y_axis(float(ends[0]), float(ends[1]), rows, log)
    assert axis.low <= ends[0] + 1e-12 * abs(ends[0])
    assert ends[1] <= axis.high + 1e-12 * abs(ends[1])
    places = [row for row, _ in axis.ticks]
    assert {axis.head, axis.rows - 1} <= set(places)
    assert axis.rows == rows, "what is left over stands over the axis"
    assert len(set(places)) == len(places)
    for row, text in axis.ticks:
        value = axis.high - (row - axis.head) / (axis.plot - 1) * (axis.high - axis.low)
        named = float(text.replace(",", ""))
        off = 0.26 * (axis.high - axis.low) / (axis.plot - 1)
        assert (np.log10(named) if log else named) == pytest.approx(value, rel=0.02, abs=off)


def distances(axis: YAxis) -> set[int]:
    """The rows from each label to the next."""
    places = sorted(row for row, _ in axis.ticks)
    return {b - a for a, b in pairwise(places)}


@given(st.floats(-1e6, 1e6), st.floats(1e-4, 1e6), st.integers(4, 30))
def test_each_label_is_the_number_of_its_row_and_few_rows_are_left_over(low, span, rows):
    axis = fitted_y_axis(low, low + span, rows, False)
    assert axis.head <= 1 + (rows > 11)
    assert axis.rows == rows
    assert len(distances(axis)) == 1, "so that each stands on its line"
    step = (axis.high - axis.low) / (axis.plot - 1)
    for row, text in axis.ticks:
        assert float(text.replace(",", "")) == pytest.approx(
            axis.high - (row - axis.head) * step, rel=6e-3, abs=1e-3 * (axis.high - axis.low)
        )


@given(st.floats(-60, 60), st.floats(0.0, 60), st.integers(4, 30))
def test_on_a_logarithmic_axis_equal_ratios_are_equal_numbers_of_rows(low, span, rows):
    axis = fitted_y_axis(low, low + span, rows, True)
    row = (axis.high - axis.low) / (axis.plot - 1)
    assert axis.low <= low + 1e-9 * max(axis.high - axis.low, 1)
    assert low + span <= axis.high + 1e-9 * max(axis.high - axis.low, 1)
    assert axis.head <= 1 + (rows > 11)
    assert {axis.head, axis.rows - 1} <= {at for at, _ in axis.ticks}
    for at, text in axis.ticks:
        true = axis.high - (at - axis.head) * row
        assert abs(np.log10(float(text.replace(",", ""))) - true) <= 0.26 * row + 1e-3, "within a quarter of a row"
    if span > 3:
        assert len(distances(axis)) == 1, "powers of ten are evenly spaced"


@given(st.lists(st.integers(-3000, 3000), min_size=1, max_size=5), st.integers(4, 25))
def test_counts_have_whole_numbers_beside_them(values, rows):
    axis = fitted_y_axis(float(min(values)), float(max(values)), rows, False, whole=True)
    assert all(float(text.replace(",", "")).is_integer() for _, text in axis.ticks)
    assert axis.low <= min(values) <= max(values) <= axis.high


def test_a_count_that_is_always_0_has_an_axis_to_1():
    assert [text for _, text in fitted_y_axis(0.0, 0.0, 9, False, whole=True).ticks] == ["0", "1"]


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=12),
    st.integers(6, 26),
    st.integers(30, 70),
    st.booleans(),
)
@example([0.0, 0.0, -5e-324], 6, 30, False)  # half of the least number there is none
def test_a_mark_is_in_the_cell_of_its_curve(values, rows, columns, log):
    of = np.exp(np.array(values) / 100) if log else np.array(values)
    line = Line(np.arange(float(len(of))), of, 0xFFFFFF)
    chart = drawn([line], columns, rows, steps_up_to(len(of) - 1), log, DARK)
    assert chart is not None
    for t, value in enumerate(of.tolist()):
        row, column = chart.y_axis.row(float(np.log10(value)) if log else value), chart.column(t)
        assert 0x2800 < chart.glyphs[row, column] < 0x2900


def at_the_cursor(rows, values):
    """The marks of some flat curves, by row, and those that have no place."""
    lines = [Line(np.arange(11.0), np.full(11, v), 0xFFFFFF) for v in (0.0, 100.0, *values)]
    chart = drawn(lines, 40, rows, steps_up_to(10), False, DARK)
    assert chart is not None
    canvas = Canvas(40, rows, 0, 0)
    marks = [Mark(5.0, value, "abcdef"[i], 0xFFFFFF) for i, value in enumerate(values)]
    hidden = put(canvas, chart, 5.0, np.zeros(40, bool), DARK, marks, False)
    seen = {chr(glyph): row for row, glyph in enumerate(canvas.glyphs[:, chart.column(5)]) if chr(glyph) in "abcdef="}
    return chart, seen, hidden


@pytest.mark.parametrize("rows", [7, 16, 30])
@given(st.lists(st.integers(0, 1000).map(lambda tenths: tenths / 10), min_size=1, max_size=5, unique=True))
def test_every_mark_is_on_the_row_of_its_value_or_behind_one_that_is(rows, values):
    chart, seen, hidden = at_the_cursor(rows, values)
    for i, value in enumerate(values):
        shown = "abcdef"[hidden.get(i, i)]
        assert seen[shown] == chart.y_axis.row(value), "a row off it would be read as another value"
    assert len(seen) == len({chart.y_axis.row(value) for value in values})


@pytest.mark.parametrize(("low", "high", "log"), [(0.0, 10.0, False), (-3.28, -1.41, False), (0.5, 1.0, False)])
@pytest.mark.parametrize("rows", [5, 9, 14, 23])
def test_a_mark_stands_on_the_row_of_the_label_that_writes_its_value(low, high, log, rows):
    axis = fitted_y_axis(low, high, rows, log)
    for row, text in axis.ticks:
        assert axis.row(float(text.replace(",", ""))) == row


def test_of_marks_in_one_cell_the_first_is_seen_and_one_of_this_step_before_one_that_is_held():
    chart, seen, hidden = at_the_cursor(7, [40.0, 40.5, 41.0, 90.0])
    assert seen == {"a": chart.y_axis.row(40.0), "d": chart.y_axis.row(90.0)}
    assert hidden == {1: 0, 2: 0}
    canvas = Canvas(40, 7, 0, 0)
    marks = [Mark(5.0, 40.0, "a", 0xFFFFFF, weak=True), Mark(5.0, 40.5, "b", 0xFFFFFF)]
    assert put(canvas, chart, 5.0, np.zeros(40, bool), DARK, marks, False) == {0: 1}


@pytest.mark.parametrize("rows", [7, 16])
def test_where_values_are_equal_there_is_one_white_knot_on_their_line(rows):
    chart, seen, hidden = at_the_cursor(rows, [50.0, 50.0 * (1 + 1e-12), 90.0, 50.0])
    assert seen == {"=": chart.y_axis.row(50.0), "c": chart.y_axis.row(90.0)}
    assert hidden == {1: 0, 3: 0}
    _, seen, hidden = at_the_cursor(rows, [50.13, 50.13 * (1 + 1e-8)])
    assert (set(seen), hidden) == ({"a"}, {1: 0}), "in one cell, but not equal"


def cells_of(*ends, columns=60, rows=14):
    """The chart of straight curves from 0 to some ends: its braille dots and its colours."""
    inks = (0x0000FF, 0x00FF00, 0xFF0000)
    lines = [Line(np.arange(11.0), np.arange(11.0) * end, ink) for end, ink in zip(ends, inks)]
    chart = drawn(lines, columns, rows, steps_up_to(10), False, DARK)
    assert chart is not None
    braille = (chart.glyphs > 0x2800) & (chart.glyphs < 0x2900)
    return np.where(braille, chart.glyphs - 0x2800, 0), np.where(braille, chart.ink, -1)


def test_equal_curves_are_one_line_in_dashes_of_both_colours():
    dots, ink = cells_of(1.0, 1.0)
    alone, _ = cells_of(1.0)
    assert (dots == alone).all(), "not a dot more than one curve has"
    flat = [int(colour) for colour in ink[:, 8:].max(axis=0)]
    changes = np.flatnonzero(np.diff(flat)) + 1
    assert set(np.diff(changes).tolist()) == {3}, "dashes of one length"


def test_curves_that_are_nearly_equal_have_all_their_dots_in_each_cell():
    dots, _ = cells_of(1.0, 0.97)
    each = [cells_of(end)[0] for end in (1.0, 0.97)]
    assert (dots == (each[0] | each[1])).all(), "no line hops from one to the other"


def test_no_dot_has_the_colour_of_another_curve():
    dots, ink = cells_of(1.0, 0.97)
    (first, _), (second, _) = (cells_of(end) for end in (1.0, 0.97))
    for mine, others, colour in ((first, second, 0x0000FF), (second, first, 0x00FF00)):
        assert ((dots & others & ~mine)[ink == colour] == 0).all()
    assert len(set(ink[(first > 0) & (second > 0) & (first != second)].tolist())) == 1, "a pale one of both"


def test_an_upright_line_that_curves_share_has_dashes_too():
    jump = np.array([0.0] * 5 + [10.0] * 6)
    lines = [Line(np.arange(11.0), jump, ink) for ink in (0x0000FF, 0x00FF00)]
    chart = drawn(lines, 60, 20, steps_up_to(10), False, DARK)
    assert chart is not None
    braille = (chart.glyphs > 0x2800) & (chart.glyphs < 0x2900)
    column = int(braille.sum(axis=0).argmax())
    assert set(chart.ink[:, column][braille[:, column]].tolist()) == {0x0000FF, 0x00FF00}


def test_labels_are_multiples_of_their_distance_rather_than_fill_the_rows_best() -> None:
    assert [text for _, text in fitted_y_axis(79.0, 266.0, 14, False).ticks] == ["0", "100", "200", "300"]


def test_a_quarter_is_written_whole():
    ticks = fitted_y_axis(0.02, 0.98, 13, False).ticks
    assert [text for _, text in ticks] == ["0.00", "0.25", "0.50", "0.75", "1.00"]


def test_both_ends_of_the_horizontal_axis_are_labelled():
    chart = drawn([LONG], 60, 12, steps_up_to(487), False, DARK)
    below = "".join(map(chr, chart.glyphs[-1])).split()
    assert below[0] == "0"
    assert below[-1] == "487"


def test_a_logarithmic_axis_of_values_about_1_has_two_ends() -> None:
    axis = fitted_y_axis(-4e-16, 0.0, 13, log=True)
    assert axis.low < 0 < axis.high
    assert axis.ticks[0][1] == "0.5"
    assert 0 < axis.row(0.0) < 12


def test_no_label_loses_its_sign():
    tiny = Line(np.arange(10.0), np.linspace(-1.5e-13, 4.5e-13, 10), 0xFFFFFF)
    chart = drawn([tiny], 60, 12, steps_up_to(9), False, DARK)
    labels = [float(text) for row in chart.glyphs for text in ["".join(map(chr, row[:7])).strip()] if text]
    assert labels == sorted(labels, reverse=True)
    assert min(labels) < 0 < max(labels)


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [(-1.4171725, -1.4171718, {"-1.4172", "+2e-7", "+4e-7"}), (0.0, 4.0, {"0", "1", "2", "3", "4"})],
)
def test_labels_that_differ_in_later_digits_are_told_apart(low: float, high: float, texts: set[str]) -> None:
    shown = [text for _, text in fitting_ticks(fitted_y_axis(low, high, 9, False))]
    assert texts <= set(shown)
    assert len(set(shown)) == len(shown)
    assert all(len(text) <= 7 for text in shown)


def test_a_curve_is_bright_up_to_the_value_that_is_held_and_no_further():
    lines = [Line(np.array([0.0, 4.0, 10.0]), np.array([0.0, 4.0, 10.0]), 0xFF0000), LONG]
    chart = drawn(lines, 40, 13, steps_up_to(10), False, DARK)
    assert chart is not None
    canvas = Canvas(40, 13, 0, 0)
    mark = Mark(8.0, 4.0, "a", 0xFF0000, weak=True, since=4.0)
    put(canvas, chart, 8.0, after(chart, 8.0), DARK, [mark], False)
    bright, known = canvas.ink == 0xFF0000, chart.column(4.0)
    assert (bright == (chart.ink == 0xFF0000))[:, : known + 1].all()
    assert not bright[:, known + 1 :].any()
    others = (chart.ink == LONG.ink) & (np.arange(40) <= chart.column(8.0))
    assert (canvas.ink[others] == LONG.ink).all(), "other curves are as they were"


def test_where_a_row_is_a_factor_of_two_no_mark_stands_off_its_line():
    values = (14.281, 14.621)
    lines = [Line(np.arange(11.0), np.geomspace(v, v * 1e-12, 11), 0xFFFFFF) for v in (1e3, *values)]
    chart = drawn(lines, 52, 15, steps_up_to(10), True, DARK)
    assert chart is not None
    canvas = Canvas(52, 15, 0, 0)
    marks = [Mark(0.0, value, "ab"[i], 0xFFFFFF) for i, value in enumerate(values)]
    hidden = put(canvas, chart, 0.0, np.zeros(52, bool), DARK, marks, True)
    seen = {chr(glyph): row for row, glyph in enumerate(canvas.glyphs[:, chart.column(0)]) if chr(glyph) in "ab"}
    assert seen == {"a": chart.y_axis.row(float(np.log10(values[0])))}
    assert hidden == {1: 0}, "the legend says with which it is"


def words_after(cursor: float, rising: bool = True) -> tuple[int, int, int]:
    """Where "to come" stands on a chart at a cursor: its first column and its end, -1 where it is not written; and the
    column of the cursor."""
    chart = drawn([LONG], 60, 12, steps_up_to(500), False, DARK)
    assert chart is not None
    canvas, column = Canvas(60, 12, DARK.panel, DARK.ink), chart.column(cursor)
    later = after(chart, cursor) if rising else np.arange(60) < column
    put(canvas, chart, cursor, later, DARK, [], False)
    found = ["".join(map(chr, row)).find("to come") for row in canvas.glyphs]
    return max(found), max(found) + len("to come"), column


def test_what_is_weaker_in_a_chart_is_named_to_come_beside_the_cursor_where_it_has_room() -> None:
    first, _, column = words_after(100.0)
    assert first == column + 2
    _, end, column = words_after(400.0, rising=False)
    assert end == column - 1, "along a variable that falls what comes is at the left"
    assert words_after(499.0)[0] == words_after(450.0)[0] == -1


@pytest.mark.parametrize("value", np.linspace(-3.45, -3.05, 9).tolist())
def test_a_value_by_itself_has_its_dots_in_the_cell_of_its_mark(value: float) -> None:
    line = Line(np.array([0.0]), np.array([value]), 1)
    chart = drawn([line], 30, 9, steps_up_to(10), False, DARK)
    assert chart is not None
    dotted = np.argwhere((chart.glyphs > 0x2800) & (chart.glyphs < 0x2900)).tolist()
    assert dotted == [[chart.y_axis.row(value), chart.column(0)]]
