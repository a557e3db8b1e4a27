"""Every algorithm that the catalogue finds, with every data set or setting it opens with, keeps to the contract."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from algorithms import Algorithm, Dataset, Recipe, find
from algorithms.conformance.samples import thinned, with_settings
from algorithms.core.parameters import as_typed
from tests.chosen import chosen, in_turn
from tests.conformance import ON_ALL_DATA, ON_DATA, ON_ITSELF, ON_MANY_RUNS, ON_STATES, ON_WHAT_IS_SHOWN, check_wrong
from tests.tiny import TINY


def said(check: Any) -> str:
    return str(check.__name__.removeprefix("check_"))


def openings(name: str) -> list[str]:
    """What an algorithm opens with, in words: its data sets, or its settings where it works on no data."""
    algorithm = find(name)
    if algorithm.needs.data:
        return [source.name for source in algorithm.datasets]
    return [",".join(f"{name}={as_typed(value)}" for name, value in each.items()) for each in algorithm.settings]


def starts(name: str) -> list[Any]:
    return [pytest.param(name, i, id=f"{name}-{words}") for i, words in enumerate(openings(name))]


STARTS = [start for name in chosen() for start in starts(name)]
ENDS = [start for name in chosen() for start in (starts(name)[:1] + starts(name)[1:][-1:])]


def crossed(runs: list[Any], checks: Sequence[Any]) -> list[Any]:
    """Each third pair of a run and a check, the checks of a run one after another."""
    pairs = [
        (i + k, pytest.param(*run.values, check, id=f"{run.id}-{said(check)}"))
        for i, run in enumerate(runs)
        for k, check in enumerate(checks)
    ]
    return in_turn(pairs, 3)


@cache
def opened(name: str, i: int) -> tuple[Algorithm, Dataset]:
    """The algorithm with the i-th of what it opens with."""
    algorithm = find(name)
    if algorithm.needs.data:
        return algorithm, algorithm.datasets[i].load()
    return with_settings(algorithm, [])[i]


@cache
def with_rows_held_out(name: str) -> tuple[Dataset, ...]:
    """The first that it opens with of each kind of target, a quarter of it held out."""
    recipes = [recipe for recipe in find(name).datasets if isinstance(recipe, Recipe)]
    first = {recipe.load().kind: recipe for recipe in reversed(recipes)}
    return tuple(recipe.with_(hold_out=0.25).load() for recipe in first.values())


@cache
def with_few_rows(name: str) -> tuple[Algorithm, Dataset]:
    """Some rows of the data set it opens with."""
    algorithm, data = opened(name, 0)
    return algorithm, thinned(data)


@cache
def with_fewer_rows(name: str, i: int) -> tuple[Algorithm, Dataset]:
    """The data set it opens with as it is, and some rows of each other one."""
    algorithm, data = opened(name, i)
    return algorithm, thinned(data) if i else data


# What several checks ask of one run is worked out once: the checks of an algorithm come one after another.


@pytest.mark.parametrize(("name", "i", "check"), crossed(ENDS, ON_STATES))
def test_the_states_on_the_first_and_last_of_its_data(name: str, i: int, check: Any) -> None:
    check(*with_fewer_rows(name, i))


@pytest.mark.parametrize("check", ON_WHAT_IS_SHOWN, ids=said)
@pytest.mark.parametrize(("name", "i"), STARTS if len(chosen()) == 1 else ENDS)  # of one that is checked alone all
def test_what_is_shown_on_its_data(name: str, i: int, check: Any) -> None:
    check(*with_fewer_rows(name, i))


@pytest.mark.parametrize(("name", "check"), crossed([pytest.param(name, id=name) for name in chosen()], ON_MANY_RUNS))
def test_many_runs_on_a_few_rows(name: str, check: Any) -> None:
    check(*with_few_rows(name))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "i"), STARTS)
def test_everything_on_its_whole_data(name: str, i: int) -> None:
    for check in ON_DATA:  # one test, since thousands take seconds to collect where they are not run
        check(*opened(name, i))


@pytest.mark.parametrize("check", ON_ALL_DATA, ids=said)
@pytest.mark.parametrize("name", chosen())
def test_on_all_its_data(name: str, check: Any) -> None:
    algorithm = find(name)
    if not algorithm.needs.data:
        check(algorithm, [Dataset.none])
        return
    rows = [with_fewer_rows(name, i)[1] for i in range(len(algorithm.datasets))]
    check(algorithm, [*rows, *with_rows_held_out(name)])


@pytest.mark.parametrize("name", chosen())
@pytest.mark.parametrize("check", ON_ITSELF, ids=said)
def test_its_declaration(name: str, check: Any) -> None:
    check(find(name))


@pytest.mark.parametrize("name", chosen())
def test_it_starts_with_two_real_data_sets_and_a_made_one_or_with_settings(name: str) -> None:
    if not find(name).needs.data:
        assert len(find(name).settings) >= 2
        return
    made = [start.about.made for start in find(name).datasets if isinstance(start, Recipe) and start.about]
    assert made.count(False) >= 2
    assert made.count(True) >= 1


@pytest.mark.parametrize("name", chosen())
def test_it_has_two_questions(name: str) -> None:
    assert len(find(name).asks) >= 2


@pytest.mark.parametrize("name", chosen())
def test_its_tests_plant_a_wrong_choice_and_a_wrong_update(name: str) -> None:
    check_wrong(find(name))


def test_an_algorithm_whose_tests_plant_neither_is_named() -> None:
    with pytest.raises(AssertionError, match="plants no wrong choice"):
        check_wrong(TINY)
