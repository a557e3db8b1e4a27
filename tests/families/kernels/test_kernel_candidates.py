"""A function says by its formula what its values are, on the rows that it is asked of."""

import numpy as np
import pytest

from algorithms.data import iris, line
from algorithms.families.kernels.kernel_matrix.kernel_candidates import FORMULAS, candidate_of


def test_a_power_of_a_base_that_is_never_negative_is_that_power() -> None:
    data = iris.with_(sample=12).load()
    k = candidate_of(data, "power", 1.0, 2, 1.0)
    assert k.formula == FORMULAS["power"] == "(γ x·z + c)^1.5"
    assert k(data.X, data.X) == pytest.approx((data.X @ data.X.T + 1) ** 1.5)


def test_where_the_base_is_negative_the_formula_says_what_stands_for_the_power() -> None:
    data = line.with_(n=12).load()
    k = candidate_of(data, "power", 1.0, 2, 1.0)
    u = data.X @ data.X.T + 1
    assert u.min() < 0
    assert k.formula.startswith("sgn(u)|u|^1.5 with u = γ x·z + c")
    assert k(data.X, data.X) == pytest.approx(np.sign(u) * np.abs(u) ** 1.5)
    assert not candidate_of(data, "power", 1.0, 2, 50.0).signed
