"""Every algorithm on every hard data set, with its default parameters and as many parts as there are rows."""

from collections.abc import Sequence

import pytest

from algorithms import Refused, find, names
from algorithms.conformance.samples import with_settings
from tests.chosen import chosen, in_turn
from tests.numbers.cases import CASES, dataset, distinct, usual
from tests.numbers.checks import ALL, STEPS, check_hard, check_refusal

WITH_DATA = [name for name in chosen() if find(name).needs.data]
PAIRS = [(name, case) for name in WITH_DATA for case in distinct(find(name).needs)]
SETTINGS = [(name, i) for name in chosen() if not find(name).needs.data for i in range(len(find(name).settings))]

_STEPS = 24  # of a run; in the soak 200
_EVERY = 9  # of the pairs of an algorithm and a data set, one has a picture painted; in the soak all have three


def place(name: str, case: str) -> int:
    return names().index(name) + list(CASES).index(case)


@pytest.mark.parametrize(("name", "case"), in_turn([(place(*pair), pair) for pair in PAIRS], 5))
def test_a_hard_data_set_is_refused_in_a_sentence_or_runs(name: str, case: str) -> None:
    at = place(name, case)
    check_case(name, case, _STEPS, at % _EVERY == 0, (at // _EVERY % len(ALL),))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "case"), PAIRS)
def test_a_hard_data_set_is_shown_wherever_it_runs(name: str, case: str) -> None:
    check_case(name, case, STEPS, True, ALL)


@pytest.mark.parametrize(("name", "i"), SETTINGS)
def test_a_setting_of_an_algorithm_without_data_runs_and_is_shown(name: str, i: int) -> None:
    algorithm, none = with_settings(find(name), [])[i]
    assert check_hard(algorithm, none, {}, 2 * _STEPS, painted=(i % len(ALL),)) != "refused"


def check_case(name: str, case: str, steps: int, shown: bool, painted: Sequence[int]) -> None:
    algorithm = find(name)
    try:
        data = dataset(CASES[case](), algorithm.needs)
    except Refused as refusal:
        check_refusal(str(refusal))
        return
    check_hard(algorithm, data, {}, steps, shown, painted)


@pytest.mark.parametrize(
    ("name", "more"), in_turn([(i + more, (name, more)) for i, name in enumerate(WITH_DATA) for more in (0, 1)], 2)
)
def test_a_whole_number_as_large_as_there_are_rows_runs_or_is_refused(name: str, more: int) -> None:
    algorithm = find(name)
    data = dataset(usual(n=6), algorithm.needs)
    value = data.n + more
    for p in algorithm.parameters:
        if p.type is int and p.least is not None and p.most is not None and p.least <= value <= p.most:
            try:
                check_hard(algorithm, data, {p.name: value}, steps=24, shown=False)
            except AssertionError as error:
                raise AssertionError(f"{p.name} = {value}: {error}") from error
