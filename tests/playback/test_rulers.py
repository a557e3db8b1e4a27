"""Rulers: the numbers along a panel stand on the lines of its rows, at equal distances."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from algorithms.core import Band, Bars, Points
from algorithms.core.plane import Axis
from algorithms.core.resolve import ResolvedPanel
from algorithms.core.scene import Mark
from algorithms.playback.pictures.limits import Limits, whole_of
from algorithms.playback.pictures.rulers import Scale, on_lines, ruler, scale_of, widened


@given(
    st.floats(-1e4, 1e4),
    st.floats(1e-3, 1e4),
    st.integers(6, 40),
    st.sampled_from([Scale(), Scale(70.0, 13.5), Scale(bars=True), Scale(3.0, -2.0)]),
)
def test_widened_limits_hold_the_others_and_have_numbers_at_equal_distances(low, span, rows, scale) -> None:
    foot, head = widened(low, low + span, rows, scale)
    hair = 1e-5 * (head - foot)
    assert foot <= low + hair
    assert low + span <= head + hair
    assert head - foot <= 1.8 * span, "little of the panel is given up"
    chosen = ruler(foot, head, rows, scale)
    assert len(chosen.ticks) >= 2
    apart = {b - a for (a, _), (b, _) in pairwise(chosen.ticks)}
    assert max(apart) - min(apart) <= 1, "at equal distances"
    for row, at in chosen.ticks:
        place = (at - foot) / (head - foot) * rows - 0.5
        assert place == pytest.approx(row, abs=0.5001), "in its row"


@given(st.floats(-8, 3), st.floats(2.6, 9), st.integers(6, 40))
def test_powers_of_ten_are_on_lines_too(low, span, rows) -> None:
    foot, head = widened(low, low + span, rows, Scale(log=True))
    chosen = ruler(foot, head, rows, Scale(log=True))
    assert all(at == round(at) for _, at in chosen.ticks)
    apart = [b - a for (a, _), (b, _) in pairwise(chosen.ticks)]
    assert max(apart) - min(apart) <= 1


@pytest.mark.parametrize("rows", range(5, 32))
@pytest.mark.parametrize(("low", "high"), [(0.0, 0.37), (-1.05, 1.05), (-8.05, 8.05), (-3.6, 1.0)])
def test_numbers_beside_bars_stand_on_their_lines(low, high, rows) -> None:
    foot, head = widened(low, high, rows, Scale(bars=True))
    chosen = ruler(foot, head, rows, Scale(bars=True))
    assert len(chosen.ticks) >= 2
    for row, at in chosen.ticks:
        assert (at - foot) / (head - foot) * rows - 0.5 == pytest.approx(row, abs=0.3)


def test_panels_have_a_number_in_each_four_or_five_rows_also_where_limits_stay() -> None:
    for low, high in ((-0.045, 2.72), (4.0, 4.4), (-1.06e-17, 4.7e-17), (-11.92, 11.92), (-1.4, 11.3)):
        for rows in (19, 20, 31):
            rows_of = [row for row, _ in ruler(low, high, rows, Scale()).ticks]
            assert rows / 8 <= len(rows_of) <= rows / 2
            assert rows_of[0] <= 6
            assert rows_of[-1] >= rows - 7, "near both ends"


def test_little_is_given_up_for_round_numbers() -> None:
    spans = [x * 10**k for k in (-3, 0, 4) for x in np.linspace(1, 10, 91)]
    for rows, most in ((31, 1.2), (20, 1.25), (8, 1.45)):
        wider = [
            (head - foot) / span for span in spans for foot, head in [widened(-0.4 * span, 0.6 * span, rows, Scale())]
        ]
        assert max(wider) < most
        assert np.mean(wider) < 1.13


def test_counts_have_whole_numbers() -> None:
    foot, head = widened(-0.05, 3.25, 13, Scale(whole=True))
    assert [at for _, at in ruler(foot, head, 13, Scale(whole=True)).ticks] == [0.0, 1.0, 2.0, 3.0]


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


def panel_of(*marks: Mark) -> ResolvedPanel:
    return ResolvedPanel("", marks, Axis("column"), Axis("x·r"), None, False, "", "own")


def test_columns_and_counts_have_whole_numbers_and_measurements_have_not() -> None:
    columns, half = np.array([[1.0, 0.3], [2.0, -0.4]]), np.array([0.5, 2.5])
    level = Band(x=half, lower=-np.ones(2), upper=np.ones(2))
    assert whole_of(panel_of(level, Points(at=columns))) == (True, False)
    assert whole_of(panel_of(Points(at=columns + 0.5))) == (False, False)
    assert whole_of(panel_of(Bars(heights=np.array([0.2, 0.7]), edges=np.array([0.5, 1.5, 2.5])))) == (True, False)
    counts = Bars(heights=np.array([5.0, 0.0, 9.0]), edges=np.array([0.0, 0.1, 0.2, 0.3]))
    assert whole_of(panel_of(counts, Points(at=columns))) == (False, True)
    assert whole_of(panel_of(Points(at=np.array([[0.0, 3e-17], [1.0, 0.0]])))) == (True, False), "small is not whole"
