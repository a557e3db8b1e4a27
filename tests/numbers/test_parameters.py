"""Every algorithm with parameters from anywhere within their bounds, on hard data sets and on drawn rows."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from algorithms import Refused, find
from tests.chosen import chosen, in_turn
from tests.numbers.cases import CASES, dataset, usual
from tests.numbers.checks import ALL, check_hard
from tests.numbers.drawn import bound_of, parameters_of, rows_of_few_values

_COMMON = settings(
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def check_drawn(name: str, drawn: st.DataObject, steps: int, shown: bool) -> None:
    """One of the hard data sets, or rows of a few values, with parameters within their bounds."""
    algorithm = find(name)
    rows = drawn.draw(st.sampled_from([*CASES]).map(lambda case: CASES[case]()) | rows_of_few_values(), label="rows")
    try:
        data = dataset(rows, algorithm.needs)
    except Refused:
        return
    check_hard(algorithm, data, drawn.draw(parameters_of(algorithm, data.n), label="parameters"), steps, shown)


@pytest.mark.parametrize("name", chosen())
def test_parameters_within_their_bounds(name: str) -> None:
    @settings(_COMMON, max_examples=3, derandomize=True)
    @given(st.data())
    def each(drawn: Any) -> None:
        check_drawn(name, drawn, 60, shown=False)

    each()


@pytest.mark.soak
@pytest.mark.parametrize("name", chosen())
def test_many_parameters_within_their_bounds(name: str) -> None:
    @settings(_COMMON, max_examples=300)
    @given(st.data())
    def each(drawn: Any) -> None:
        check_drawn(name, drawn, 200, shown=True)

    each()


@pytest.mark.parametrize(
    ("name", "largest"),
    in_turn([(i + largest, (name, largest)) for i, name in enumerate(chosen()) for largest in (True, False)], 2),
)
def test_a_number_at_its_bound_on_ordinary_rows(name: str, largest: bool) -> None:
    """Step sizes that diverge among them."""
    algorithm = find(name)
    data = dataset(usual(), algorithm.needs)
    for place, p in enumerate(p for p in algorithm.parameters if p.type is float):
        value = bound_of(p, largest)
        try:
            check_hard(algorithm, data, {p.name: value}, 40, largest, (place % len(ALL),))
        except AssertionError as error:
            raise AssertionError(f"{p.name} = {value!r}: {error}") from error
