"""Ticks are round and inside; numbers are short and true."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from tui.paint.ticks import (
    number,
    parts_between,
    power_text,
    power_texts,
    power_ticks,
    round_ticks,
    spaced,
    tick_labels,
)
from tui.paint.x_axis import steps_up_to


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 12))
def test_ticks_lie_inside_and_are_few(low: float, span: float, most: int) -> None:
    high = low + span
    ticks = round_ticks(low, high, most)
    assert len(ticks) <= most + 1
    slack = 1e-6 * span + 1e-12 * abs(low)
    assert all(low - slack <= t <= high + slack for t in ticks)
    labels = tick_labels(ticks)
    assert len(set(labels)) == len(labels) or span < 1e-2 * max(abs(low), abs(high))


def test_ticks_of_a_known_axis() -> None:
    assert round_ticks(41, 98, 6) == [50, 60, 70, 80, 90]
    assert tick_labels([0.5, 1.0, 1.5]) == ["0.5", "1.0", "1.5"]
    assert tick_labels([0, 500, 1000]) == ["0", "500", "1,000"]


@pytest.mark.parametrize(
    ("ticks", "texts"),
    [
        ([-0.5, 0.5], ["-0.5", "0.5"]),
        ([-0.1, 0.0, 0.1], ["-0.1", "0.0", "0.1"]),
        ([0.0098, 0.01], ["0.0098", "0.0100"]),
        ([0.0, 2e-17, 4e-17], ["0", "2e-17", "4e-17"]),
        ([5e-5, 1e-4, 1.5e-4], ["5.0e-5", "1.0e-4", "1.5e-4"]),
        ([2e6, 2.5e6], ["2.0e6", "2.5e6"]),
        ([-1e-9, 0.0], ["-1e-9", "0"]),
        ([0.25], ["0.25"]),
    ],
)
def test_no_two_numbers_of_an_axis_are_written_alike_and_all_in_one_notation(ticks, texts) -> None:
    assert tick_labels(ticks) == texts


def test_where_one_power_of_ten_would_be_long_all_are_powers() -> None:
    assert power_texts([-2.0, 0.0, 2.0]) == ["0.01", "1", "100"]
    assert power_texts([-9.0, -4.0, 1.0]) == ["1e-9", "1e-4", "1e1"]
    assert power_texts([-6.69897, -3.0, 0.0]) == ["2e-7", "1e-3", "1"]


@pytest.mark.parametrize("last", range(4, 300))
def test_also_a_narrow_axis_has_a_number_between_its_ends(last: int) -> None:
    assert len(steps_up_to(last).ticks(2)) >= 3


@pytest.mark.parametrize(("low", "high"), [(0, 0), (1, 0), (math.nan, 1), (0, math.inf)])
def test_no_ticks_without_a_span(low: float, high: float) -> None:
    assert round_ticks(low, high, 5) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1283.42, "1,283"),
        (64.65, "64.65"),
        (0.0331, "0.0331"),
        (3.0, "3"),
        (0.9999999999997, "1"),
        (1.0001, "1.000"),
        (0.0, "0"),
        (1.2e-5, "1.20e-05"),
        (math.inf, "∞"),
        (-math.inf, "-∞"),
        (math.nan, "nan"),
        (None, ""),
        (12345, "12,345"),
    ],
)
def test_numbers_as_people_write_them(value: float | None, text: str) -> None:
    assert number(value) == text


@given(st.floats(-1e300, 1e300))
def test_a_number_is_short_and_within_a_thousandth(value: float) -> None:
    text = number(value)
    assert len(text) <= 11
    assert math.isclose(float(text.replace(",", "")), value, rel_tol=1e-2, abs_tol=1e-300)


@pytest.mark.parametrize("columns", [12, 40, 76, 156])
def test_numbers_of_iterations_are_at_even_distances_and_do_not_touch(columns: int) -> None:
    begun = [(i * columns // 30, i) for i in range(30)]
    placed = spaced(begun, 0, columns)
    numbers = [int(text) for _, text in placed]
    assert len({b - a for a, b in zip(numbers, numbers[1:])}) <= 1
    assert all(b - (a + len(text)) >= 2 for (a, text), (b, _) in zip(placed, placed[1:]))
    assert placed[0][0] >= 0
    assert placed[-1][0] + len(placed[-1][1]) <= columns


@pytest.mark.parametrize("missing", [{1}, {3}, {1, 2}, {4, 5, 6}])
def test_numbers_of_iterations_are_at_even_distances_where_some_have_no_column_of_their_own(missing: set[int]) -> None:
    placed = spaced([(4 * i, i) for i in range(20) if i not in missing], 0, 100)
    numbers = [int(text) for _, text in placed]
    assert len({b - a for a, b in zip(numbers, numbers[1:])}) == 1, numbers


def test_a_logarithmic_axis_has_powers_of_ten_and_skips_some_where_there_are_many() -> None:
    assert power_ticks(-3.2, 2.4, 8)[1] == ["0.001", "0.01", "0.1", "1", "10", "100"]
    assert power_ticks(-11.0, 1.0, 4)[1] == ["1e-9", "1e-6", "1e-3", "1"]
    assert power_ticks(0.1, 0.9, 4)[1] == ["2", "5"]
    assert len(power_ticks(0.11, 0.12, 4)[0]) >= 2
    assert power_ticks(1.0, 1.0, 4) == ([], [])


@given(st.floats(-300, 300), st.floats(1e-3, 300), st.integers(1, 12))
def test_ticks_of_a_logarithmic_axis_lie_inside_and_are_few(low: float, span: float, most: int) -> None:
    ticks, texts = power_ticks(low, low + span, most)
    assert len(ticks) == len(texts) <= most + 1
    assert all(low - 1e-6 <= tick <= low + span + 1e-6 for tick in ticks)


@pytest.mark.parametrize(
    ("power", "text"),
    [(-5, "1e-5"), (-3, "0.001"), (0, "1"), (4, "10,000"), (6, "1e6"), (3.69897, "5,000"), (-6.69897, "2e-7")],
)
def test_powers_of_ten_as_people_write_them(power: float, text: str) -> None:
    assert power_text(power) == text


@given(st.integers(0, 500), st.integers(2, 30_000), st.integers(2, 9))
def test_of_whole_numbers_between_two_ends_none_is_near_one(first: int, span: int, most: int) -> None:
    inner = parts_between(float(first), float(first + span), most, whole=True)
    places = [first, *inner, first + span]
    assert all(at == round(at) for at in inner)
    apart = [b - a for a, b in pairwise(places)]
    assert len(apart) <= most + 1
    assert not inner or min(apart[0], apart[-1]) >= 0.5 * max(apart[1:-1], default=0)


@pytest.mark.parametrize(
    ("last", "most", "inner"),
    [(60, 3, [20, 40]), (450, 3, [150, 300]), (214, 3, [100]), (25, 6, [5, 10, 15, 20]), (68, 3, [20, 40]), (1, 5, [])],
)
def test_ends_are_divided_into_equal_parts_where_these_are_round(last: int, most: int, inner: list[int]) -> None:
    assert parts_between(0.0, float(last), most, whole=True) == inner
