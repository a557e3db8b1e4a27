"""Every algorithm that the catalogue finds, on every data set it starts with, keeps to the contract."""

from functools import cache
from typing import Any

import pytest

from algorithms import Dataset, Recipe, find
from tests.chosen import chosen
from tests.conformance import ON_A_RUN, ON_ALL_DATA, ON_DATA, ON_ITSELF, ON_MANY_RUNS
from tests.conformance.samples import thinned

STARTS = [pytest.param(name, i, id=f"{name}-{s.name}") for name in chosen() for i, s in enumerate(find(name).datasets)]


def said(check: Any) -> str:
    return str(check.__name__.removeprefix("check_"))


@cache
def data_of(name: str, i: int) -> Dataset:
    return find(name).datasets[i].load()


@cache
def with_rows_held_out(name: str) -> Dataset:
    recipe = find(name).datasets[0]
    assert isinstance(recipe, Recipe)
    return recipe.with_(hold_out=0.25).load()


@cache
def rows_of(name: str, i: int) -> Dataset:
    """The data set it opens with as it is, and some rows of each other one."""
    return thinned(data_of(name, i)) if i else data_of(name, i)


@pytest.mark.parametrize(("name", "i"), STARTS)
@pytest.mark.parametrize("check", ON_A_RUN, ids=said)
def test_a_run_on_its_data(name: str, i: int, check: Any) -> None:
    check(find(name), rows_of(name, i))


@pytest.mark.parametrize("name", chosen())
@pytest.mark.parametrize("check", ON_MANY_RUNS, ids=said)
def test_many_runs_on_a_few_rows(name: str, check: Any) -> None:
    check(find(name), thinned(data_of(name, 0)))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "i"), STARTS)
@pytest.mark.parametrize("check", ON_DATA, ids=said)
def test_everything_on_its_whole_data(name: str, i: int, check: Any) -> None:
    check(find(name), data_of(name, i))


@pytest.mark.parametrize("name", chosen())
@pytest.mark.parametrize("check", ON_ALL_DATA, ids=said)
def test_on_all_its_data(name: str, check: Any) -> None:
    algorithm = find(name)
    check(algorithm, [*(rows_of(name, i) for i in range(len(algorithm.datasets))), with_rows_held_out(name)])


@pytest.mark.parametrize("name", chosen())
@pytest.mark.parametrize("check", ON_ITSELF, ids=said)
def test_its_declaration(name: str, check: Any) -> None:
    check(find(name))


@pytest.mark.parametrize("name", chosen())
def test_it_starts_with_two_real_data_sets_and_a_made_one(name: str) -> None:
    made = [start.about.made for start in find(name).datasets if isinstance(start, Recipe) and start.about]
    assert made.count(False) >= 2
    assert made.count(True) >= 1
