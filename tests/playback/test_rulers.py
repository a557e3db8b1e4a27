"""Rulers: the numbers along a panel stand on the lines of its rows, at equal distances."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from algorithms.core.plane import Axis
from algorithms.playback.limits import Limits
from algorithms.playback.rulers import Scale, on_lines, ruler, scale_of, widened


@given(
    st.floats(-1e4, 1e4),
    st.floats(1e-3, 1e4),
    st.integers(6, 40),
    st.sampled_from([Scale(), Scale(70.0, 13.5), Scale(edges=True), Scale(3.0, -2.0)]),
)
def test_widened_limits_hold_the_others_and_have_a_number_on_each_of_its_lines(low, span, rows, scale) -> None:
    foot, head = widened(low, low + span, rows, scale)
    hair = 1e-5 * (head - foot)
    assert foot <= low + hair
    assert low + span <= head + hair
    assert head - foot <= 2.2 * span, "little of the panel is given up"
    chosen = ruler(foot, head, rows, scale)
    assert len(chosen.ticks) >= 2
    assert len({b - a for (a, _), (b, _) in pairwise(chosen.ticks)}) == 1, "at equal distances"
    for row, at in chosen.ticks:
        place = (at - foot) / (head - foot) * rows - (0 if scale.edges else 0.5)
        assert place == pytest.approx(row, abs=0.03), "on the line of its row"


@given(st.floats(-8, 3), st.floats(2, 9), st.integers(6, 40))
def test_powers_of_ten_are_on_lines_too(low, span, rows) -> None:
    foot, head = widened(low, low + span, rows, Scale(log=True))
    chosen = ruler(foot, head, rows, Scale(log=True))
    assert all(at == round(at) for _, at in chosen.ticks)
    assert len({b - a for (a, _), (b, _) in pairwise(chosen.ticks)}) <= 1


def test_bars_stand_on_the_row_of_0() -> None:
    foot, head = widened(0.0, 0.37, 9, Scale(edges=True))
    assert foot == pytest.approx(0.0, abs=1e-5)
    assert foot < 0, "what is at 0 is in the row over the edge"
    assert head >= 0.37
    assert ruler(foot, head, 9, Scale(edges=True)).ticks[0] == (0, 0.0)


def test_counts_have_whole_numbers() -> None:
    foot, head = widened(0.0, 3.2, 12, Scale(whole=True))
    assert [at for _, at in ruler(foot, head, 12, Scale(whole=True)).ticks] == [0.0, 1.0, 2.0, 3.0]


def test_with_few_rows_two_numbers_are_better_than_unequal_ones() -> None:
    for rows in range(4, 9):
        rows_of = [row for row, _ in ruler(-1.25, 1.25, rows, Scale()).ticks]
        assert len(rows_of) >= 2
        assert len({b - a for a, b in pairwise(rows_of)}) == 1


def test_units_stay_as_long_across_as_up() -> None:
    wide = on_lines(Limits(-3.1, 4.4, -2.0, 3.3), 60, 20, scale_of(Axis("y", 5.0, 2.0)), equal=True)
    assert wide.width / 60 * 2 == pytest.approx(wide.height / 20)
    assert wide.left <= -3.1
    assert wide.right >= 4.4
    assert all(
        (at - wide.bottom) / wide.height * 20 - 0.5 == pytest.approx(row, abs=0.01)
        for row, at in ruler(wide.bottom, wide.top, 20, scale_of(Axis("y", 5.0, 2.0))).ticks
    )
