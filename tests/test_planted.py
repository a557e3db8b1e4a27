"""Each algorithm has a planted fault of each kind, and the table counts them."""

from pathlib import Path

import pytest

from algorithms import names
from tests.planted import cases, counted, table


def test_the_table_has_a_line_an_algorithm_and_their_sums_last() -> None:
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table().splitlines()]
    assert [line[0] for line in lines[2:-1]] == list(names())
    assert lines[-1] == [f"all {len(names())}", *(str(sum(map(int, c))) for c in list(zip(*lines[2:-1]))[1:])]


def test_no_file_of_the_notes_keeps_a_line_an_algorithm() -> None:
    """Two people who each add an algorithm would both change it, and meet in a conflict."""
    notes = (Path(__file__).parent / "README.md").read_text()
    assert [name for name in names() if f"| {name} |" in notes] == []


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
