"""Which field of a step is computed first, read from the source."""

from pathlib import Path

import pytest

from algorithms import Timeline, datasets, find, load
from algorithms.timeline.computing import in_order, line_of

LOOP = """
def mine(n=3):
    a = b = 0
    c = 1
    state = {}
    for i in range(n):
        b += 1
        yield {"late": c * 2, "c": c, "a": a, "b": b, "of_part": state.get("x", 0), "copied": float(b)}
        c = c + 1
        a = a + c
"""


@pytest.fixture
def run(tmp_path: Path) -> Timeline:
    (tmp_path / "mine.py").write_text(LOOP)
    return Timeline(load(str(tmp_path / "mine.py")), None, {}).run()


def test_what_stands_below_the_yield_in_a_loop_comes_before_what_stands_above_it(run: Timeline) -> None:
    assert in_order(run, 2, ["late", "b", "a", "c"]) == ["c", "a", "b", "late"]


def test_the_line_is_that_of_the_variable_that_is_yielded_under_the_name(run: Timeline) -> None:
    assert line_of(run, 2, "c") == (9, "c = c + 1")
    assert line_of(run, 2, "b") == line_of(run, 2, "copied") == (7, "b += 1")
    late = line_of(run, 2, "late")
    assert late is not None
    assert late[0] == 8
    assert line_of(run, 2, "nobody") is None


def test_what_is_computed_before_a_loop_comes_before_it_and_the_last_line_that_does_counts(tmp_path: Path) -> None:
    text = "def mine():\n    a = 1\n    a = 2\n    for i in range(3):\n        b = i\n        yield b, a\n"
    (tmp_path / "mine.py").write_text(text)
    run = Timeline(load(str(tmp_path / "mine.py")), None, {}).run()
    assert in_order(run, 1, ["b", "a"]) == ["a", "b"]
    assert line_of(run, 1, "a") == (3, "a = 2")


def test_of_an_algorithm_of_the_catalogue_the_keywords_of_its_states_count() -> None:
    run = Timeline(find("lloyd"), datasets.load("faithful"), {"k": 3})
    run.advance(4)
    line = line_of(run, 2, "means")
    assert line is not None
    assert line[1] == 'state = state.after("update", means=middles(state))'
