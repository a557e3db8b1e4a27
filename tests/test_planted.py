"""The notes on the tests count the planted faults as they are."""

import pytest

from algorithms import names
from tests.planted import README, cases, counted, table, written


def test_the_notes_on_the_tests_count_the_planted_faults() -> None:
    assert table() in README.read_text(), "it is another table now: python -m tests.planted --write"
    assert written(README.read_text()) == README.read_text()


def test_every_algorithm_has_one_of_each_kind() -> None:
    for name in names():
        choices, updates, theorems, named = counted(name)
        assert min(choices, updates, theorems) >= 1
        assert named <= theorems


def test_a_case_is_each_way_in_which_a_test_is_run() -> None:
    @pytest.mark.parametrize("times", [0.5, -1.0])
    @pytest.mark.parametrize("name", ["a", "b", "c"])
    def several(name: str, times: float) -> None: ...

    def one() -> None: ...

    assert cases(several) == 6
    assert cases(one) == 1
