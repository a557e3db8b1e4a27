"""Marks that meet in a column: in their order, none over another, none more than a row off its line."""

import pytest
from hypothesis import given, strategies as st

from tui.paint.distinct_rows import distinct_rows


@pytest.mark.parametrize(
    ("places", "rows"),
    [
        ([3.0], [3]),
        ([2.0, 6.4], [2, 6]),
        ([3.9, 4.1], [3, 4]),
        ([3.9, 4.0, 4.1], [3, 4, 5]),
        ([0.0, 0.1], [0, 1]),
        ([8.8, 9.0], [8, 9]),
        ([8.0, 8.0, 9.0], [7, 8, 9]),
    ],
)
def test_a_mark_stands_on_its_line_where_it_can_and_a_row_off_where_others_are(
    places: list[float], rows: list[int]
) -> None:
    assert distinct_rows(places, 10) == rows


def test_of_four_on_one_line_three_are_seen() -> None:
    chosen = distinct_rows([4.0] * 4, 10)
    assert [row for row in chosen if row is not None] == [3, 4, 5]
    assert len(chosen) == 4


@given(st.lists(st.floats(0, 9), max_size=8))
def test_rows_are_in_the_order_of_their_places_and_near_them(places: list[float]) -> None:
    places.sort()
    chosen = distinct_rows(places, 10)
    seen = [(row, place) for row, place in zip(chosen, places, strict=True) if row is not None]
    assert all(0 <= row < 10 and abs(row - round(place)) <= 1 for row, place in seen)
    rows = [row for row, _ in seen]
    assert rows == sorted(set(rows))
    assert not places or seen
