"""The density of a mixture over one feature is drawn where it is, however narrow a component is."""

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.core import Array, Path
from algorithms.toolbox.panels.density import mixture_density

ROWS = Dataset(np.linspace(0.0, 10.0, 41)[:, None], name="a line")


def paths_of(means: list[float], deviations: list[float]) -> list[Array]:
    k = len(means)
    shares = np.full((ROWS.n, k), 1 / k)
    panel = mixture_density(
        ROWS, np.full(k, 1 / k), np.array(means)[:, None], np.array(deviations) ** 2, shares, np.zeros(ROWS.n, bool)
    )
    return [mark.at for mark in panel.marks if isinstance(mark, Path)]


@pytest.mark.parametrize("sigma", [1.0, 0.0049, 1e-6])
def test_a_needle_is_as_high_as_it_is(sigma: float) -> None:
    sum_of_both, broad, needle = paths_of([5.0, 3.01234], [2.0, sigma])
    summit = 0.5 / (sigma * np.sqrt(2 * np.pi))
    assert needle[:, 1].max() == pytest.approx(summit)
    assert needle[needle[:, 1].argmax(), 0] == pytest.approx(3.01234)
    assert sum_of_both[:, 1].max() >= summit
    inside = np.abs(needle[:, 0] - 3.01234) <= 2 * sigma
    assert inside.sum() >= 9, "its flanks are drawn, too"
    assert (np.diff(needle[:, 0]) > 0).all()
    assert broad[:, 1].max() == pytest.approx(0.5 / (2 * np.sqrt(2 * np.pi)))
