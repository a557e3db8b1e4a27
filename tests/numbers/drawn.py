"""What Hypothesis draws: parameters within their bounds, and rows in which few values come again and again."""

import math
from typing import Any, get_args

import numpy as np
from hypothesis import strategies as st

from algorithms import Algorithm
from algorithms.core import Parameter
from tests.numbers.cases import Rows

_FEW = 24  # above its least, of a whole number that may be a size
_VALUES = (0.0, 1.0, -1.0, 0.1, 0.3, 3.0, 1e-8, 1e8, 1e-17, 1.0 + 2.0**-52, -0.5, 1e-30, 1e4, 1e40, -1e-60)


def parameters_of(algorithm: Algorithm, n: int) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the parameters, each with a value within its bounds; `n` rows make n - 1, n and n + 1 worth trying."""
    return st.fixed_dictionaries({}, optional={p.name: values_of(p, n) for p in algorithm.parameters})


def values_of(parameter: Parameter, n: int) -> st.SearchStrategy[Any]:
    """Values that a parameter may have."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.type is bool:
        return st.booleans()
    kind = parameter.type if parameter.lengths is None else get_args(parameter.type)[0]
    if parameter.lengths is None:
        return _whole(parameter, n, math.inf) if kind is int else _real(parameter)
    shortest, longest = parameter.lengths
    each = _whole(parameter, n, _FEW) if kind is int else _real(parameter)
    return st.lists(each, min_size=shortest, max_size=longest).map(tuple)


def bound_of(parameter: Parameter, largest: bool) -> float:
    """The largest or least value that is allowed: a bound, or the number next to it where it is excluded."""
    bound = parameter.most if largest else parameter.least
    assert bound is not None
    if parameter.open_most if largest else parameter.open_least:
        return math.nextafter(bound, -math.inf if largest else math.inf)
    return float(bound)


def _whole(parameter: Parameter, n: int, most: float) -> st.SearchStrategy[int]:
    low, high = math.ceil(bound_of(parameter, False)), int(min(bound_of(parameter, True), most))
    worth = [v for v in (low, low + 1, n - 1, n, n + 1, high) if low <= v <= high]
    return st.sampled_from(worth) | st.integers(low, min(high, low + _FEW))


def _real(parameter: Parameter) -> st.SearchStrategy[float]:
    """The bounds, evenly between them, and evenly between their logarithms."""
    low, high = bound_of(parameter, False), bound_of(parameter, True)
    usual = [float(parameter.default)] if isinstance(parameter.default, float) else []
    wanted = st.sampled_from([low, high, *usual]) | st.floats(low, high)
    if high <= 0:
        return wanted
    sizes = st.floats(math.log(max(low, high * 1e-15)), math.log(high))
    return wanted | sizes.map(lambda size: min(max(math.exp(size), low), high))


@st.composite
def rows_of_few_values(draw: st.DrawFn) -> Rows:
    """2 to 8 rows of 1 to 4 features, with ties and rows that come twice."""
    n, d = draw(st.integers(2, 8)), draw(st.integers(1, 4))
    value = st.sampled_from(draw(st.lists(st.sampled_from(_VALUES), min_size=1, max_size=6)))
    away = draw(st.sampled_from([0.0, 0.0, 1e3, 1e6, 1e12]))
    X = np.array(draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=n, max_size=n))) + away
    codes = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    numbers = draw(st.lists(value, min_size=n, max_size=n))
    classes = draw(st.sampled_from([(), ("a", "b")]))
    return Rows(X, np.array(codes), np.array(numbers), classes)
