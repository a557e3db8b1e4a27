"""Charts of curves: drawn where there is room, and nothing where there is none."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tui.paint.across import steps_up_to
from tui.paint.charts import Line, drawn, fitting_ticks
from tui.paint.palette import DARK
from tui.paint.upright import upright

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
    axis = upright(float(ends[0]), float(ends[1]), rows, log)
    assert axis.low <= ends[0] + 1e-12 * abs(ends[0])
    assert ends[1] <= axis.high + 1e-12 * abs(ends[1])
    places = [row for row, _ in axis.ticks]
    assert {0, axis.rows - 1} <= set(places)
    assert axis.rows <= rows
    assert len(set(places)) == len(places)
    for row, text in axis.ticks:
        value = axis.high - row / (axis.rows - 1) * (axis.high - axis.low)
        named = float(text.replace(",", ""))
        assert (np.log10(named) if log else named) == pytest.approx(value, rel=0.02, abs=(axis.high - axis.low) / rows)


@given(st.floats(-1e6, 1e6), st.floats(1e-4, 1e6), st.integers(4, 30))
def test_of_the_rows_one_is_left_over_at_most_and_each_label_is_the_number_of_its_row(low, span, rows):
    axis = upright(low, low + span, rows, False)
    assert rows - 1 <= axis.rows <= rows
    distances = {b - a for (a, _), (b, _) in zip(axis.ticks[1:], axis.ticks)}
    assert len(distances) == 1, "so that each stands on its line"
    step = (axis.high - axis.low) / (axis.rows - 1)
    for row, text in axis.ticks:
        assert float(text.replace(",", "")) == pytest.approx(
            axis.high - row * step, rel=6e-3, abs=1e-3 * (axis.high - axis.low)
        )


def test_labels_are_multiples_of_their_distance_rather_than_fill_the_rows_best() -> None:
    assert [text for _, text in upright(79.0, 266.0, 14, False).ticks] == ["0", "100", "200", "300"]


def test_a_quarter_is_written_whole():
    assert [text for _, text in upright(0.02, 0.98, 13, False).ticks] == ["1.00", "0.75", "0.50", "0.25", "0.00"][::-1]


def test_both_ends_of_the_horizontal_axis_are_labelled():
    chart = drawn([LONG], 60, 12, steps_up_to(487), False, DARK)
    below = "".join(map(chr, chart.glyphs[-1])).split()
    assert below[0] == "0"
    assert below[-1] == "487"


def test_a_logarithmic_axis_of_values_about_1_has_two_ends() -> None:
    axis = upright(-4e-16, 0.0, 13, log=True)
    assert axis.low < 0 < axis.high
    assert axis.row(0.0) == 6


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
    shown = [text for _, text in fitting_ticks(upright(low, high, 9, False))]
    assert texts <= set(shown)
    assert len(set(shown)) == len(shown)
    assert all(len(text) <= 7 for text in shown)
