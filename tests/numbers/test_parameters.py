"""Every algorithm with parameters from anywhere within their bounds, on every hard data set."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from algorithms import Algorithm, Refused, find, names
from tests.numbers.cases import CASES, dataset, usual
from tests.numbers.checks import check_hard
from tests.numbers.drawn import parameters_of

_COMMON = settings(
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def check_drawn(algorithm: Algorithm, drawn: st.DataObject, steps: int) -> None:
    """A hard data set, drawn, with drawn parameters."""
    case = drawn.draw(st.sampled_from([*CASES]), label="case")
    try:
        data = dataset(CASES[case](), algorithm.needs)
    except Refused:
        return
    check_hard(algorithm, data, drawn.draw(parameters_of(algorithm, data.n), label="parameters"), steps)


@pytest.mark.parametrize("name", names())
def test_parameters_within_their_bounds(name: str) -> None:
    @settings(_COMMON, max_examples=20, derandomize=True)
    @given(st.data())
    def each(drawn: Any) -> None:
        check_drawn(find(name), drawn, 120)

    each()


@pytest.mark.soak
@pytest.mark.parametrize("name", names())
def test_many_parameters_within_their_bounds(name: str) -> None:
    @settings(_COMMON, max_examples=600)
    @given(st.data())
    def each(drawn: Any) -> None:
        check_drawn(find(name), drawn, 200)

    each()


@pytest.mark.parametrize("largest", [True, False], ids=["at_the_most", "at_the_least"])
@pytest.mark.parametrize("name", names())
def test_a_number_at_its_bound_on_ordinary_rows(name: str, largest: bool) -> None:
    """Step sizes that diverge among them."""
    algorithm = find(name)
    data = dataset(usual(), algorithm.needs)
    for p in algorithm.parameters:
        if p.type is float:
            bound = p.most if largest else p.least
            assert bound is not None
            excluded = p.open_most if largest else p.open_least
            value = float(bound) * (1 - 1e-9 if largest else 1 + 1e-9) if excluded and bound else float(bound)
            try:
                check_hard(algorithm, data, {p.name: value or 1e-12 if excluded else value})
            except AssertionError as error:
                raise AssertionError(f"{p.name} = {value!r}: {error}") from error
