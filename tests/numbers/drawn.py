"""Parameters within their bounds, as Hypothesis draws them: the edges, what depends on the rows, and all between."""

import math
from typing import Any, get_args

from hypothesis import strategies as st

from algorithms import Algorithm, Parameter

_PIECES = 24  # of a whole number that may be a size, as long as it has no reason to be larger


def parameters_of(algorithm: Algorithm, n: int) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the parameters, each with a value within its bounds; `n` rows make n - 1, n and n + 1 worth trying."""
    return st.fixed_dictionaries({}, optional={p.name: values_of(p, n) for p in algorithm.parameters})


def values_of(parameter: Parameter, n: int) -> st.SearchStrategy[Any]:
    """Values that a parameter may have."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.type is bool:
        return st.booleans()
    least, most = parameter.least, parameter.most
    assert least is not None
    assert most is not None
    if parameter.lengths is not None:
        shortest, longest = parameter.lengths
        kind = get_args(parameter.type)[0]
        each = _whole(least, min(most, _PIECES), n) if kind is int else _real(parameter, least, most)
        return st.lists(each, min_size=shortest, max_size=longest).map(tuple)
    return _whole(least, most, n) if parameter.type is int else _real(parameter, least, most)


def _whole(least: float, most: float, n: int) -> st.SearchStrategy[int]:
    low, high = math.ceil(least), math.floor(most)
    worth = [v for v in (low, low + 1, n - 1, n, n + 1, high) if low <= v <= high]
    return st.sampled_from(worth) | st.integers(low, min(high, low + _PIECES))


def _real(parameter: Parameter, least: float, most: float) -> st.SearchStrategy[float]:
    """The edges, evenly between them, and evenly between their logarithms."""
    low = math.nextafter(least, math.inf) if parameter.open_least else float(least)
    high = math.nextafter(most, -math.inf) if parameter.open_most else float(most)
    edges = st.sampled_from([low, high, float(parameter.default)])
    between = st.floats(low, high, exclude_min=parameter.open_least, exclude_max=parameter.open_most)
    if high <= 0 or math.isinf(high):
        return edges | between
    lowest = math.log(low if low > 0 else min(1e-12, high / 2))
    sizes = st.floats(lowest, math.log(high)).map(lambda size: min(max(math.exp(size), low), high))
    return edges | between | sizes
