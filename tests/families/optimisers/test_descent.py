"""What the optimisers measure alike."""

from itertools import islice

import numpy as np
import pytest

from algorithms import find
from algorithms.toolbox.functions import FUNCTIONS, above_lowest

BELOW = np.array([1.5 - 2e-9, 0.0])  # beside the deeper of the two wells, where rounding leaves f below f*


@pytest.mark.parametrize("name", ["newton", "lbfgs", "gradient_descent", "coordinate_descent"])
def test_no_optimiser_comes_below_the_least_value(name):
    wells, algorithm = FUNCTIONS["two wells"], find(name)
    assert wells.value(BELOW) < wells.lowest
    problem = algorithm.problem(parameters={"function": "two wells"})
    (state,) = islice(algorithm.start(problem), 1)
    excess = next(curve for curve in algorithm.curves if curve.name == "excess")
    assert excess.value(problem, state.replaced(x=BELOW)) == 0.0
    assert excess.value(problem, state.replaced(x=BELOW + 1.0)) > 0.5


def test_above_no_least_value_there_is_no_number():
    assert np.isnan(above_lowest(FUNCTIONS["saddle"], np.zeros(2)))
