"""Coordinates of rows in the space of a kernel: their inner products are K, and there are no more than rows."""

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.families.kernels.shared.kernel_rows import coordinates, gram_with_bias
from algorithms.toolbox.kernels import Kernel

FEW = Dataset(np.random.default_rng(0).normal(size=(12, 4)), np.arange(12) % 2, classes=("a", "b"))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    "kernel",
    [
        Kernel("linear", 1.0, 1, 0.0),
        Kernel("polynomial", 0.3, 10, 1.0),
        Kernel("polynomial", 0.3, 2, 1.0),
        Kernel("rbf", 0.5, 1, 0.0),
    ],
    ids=lambda kernel: f"{kernel.name} {kernel.degree}",
)
def test_inner_products_of_coordinates_are_those_of_the_kernel(kernel: Kernel, bias: bool) -> None:
    """A polynomial of degree 10 has 1,001 features: Newton's steps among these took 25 seconds for 12 rows."""
    z, K = coordinates(FEW, kernel, bias), gram_with_bias(FEW, kernel, bias)
    assert z @ z.T == pytest.approx(K, abs=1e-12 * np.abs(K).max())
    assert z.shape[1] <= FEW.n
