"""The ends of a histogram's bars: finite, increasing and around all numbers, whichever these are."""

import numpy as np
import pytest

from algorithms.playback.sweeps.swept_runs import bar_edges

LEAST, MOST = 5e-324, np.finfo(float).max


@pytest.mark.parametrize(
    "values",
    [
        [LEAST], [0, LEAST], [-LEAST, LEAST], [0, 1e-310], [2e-308, 3e-308], [-1e308, 1e308], [-MOST, MOST], [MOST],
        [0, MOST], [-MOST], [0], [1.0, 1.0 + 1e-15], [1, 3, 4.5], [1e15, 1e15 + 1], range(100),
    ],
)  # fmt: skip
def test_they_are_finite_increasing_and_around_all_numbers(values):
    edges = bar_edges(np.array(values, float))
    assert np.isfinite(edges).all()
    assert (edges[1:] > edges[:-1]).all()
    assert edges[0] <= min(values) <= max(values) <= edges[-1]
    assert 2 <= len(edges) <= 42


def test_they_are_round():
    assert bar_edges(np.array([0.0, 39.0])).tolist() == list(range(41))
    assert bar_edges(np.array([0.5, 1.5])).tolist() == pytest.approx(np.arange(10, 32) / 20)
