"""What was run and is veiled does not count as run, and is there again, unchanged, when it is gone on to."""

from typing import Any

import numpy as np
import pytest

from algorithms import Timeline, find
from algorithms.core import Curve, Problem, Sides, Theorem
from algorithms.core.state import same
from algorithms.timeline import conditions
from tests.timeline.toys import DATA, declared, orbit


def ended() -> Timeline:
    return Timeline(find("lloyd")).run()


def test_nothing_after_the_veil_counts_as_run() -> None:
    run, whole = ended(), ended()
    run.veil(5)
    assert (len(run), run.last, run.stopped) == (6, 5, None)
    assert len(whole) > 6
    assert whole.stopped
    for curve in run.algorithm.curves:
        t, values = run.curve(curve.name)
        at, all_values = whole.curve(curve.name)
        assert t.tolist() == [each for each in at.tolist() if each <= 5]
        assert values.tolist() == all_values[: len(t)].tolist()
    for i in range(len(run.algorithm.theorems)):
        assert (run.theorem_series(i)[0] <= 5).all()
        assert len(run.theorem_series(i)[0]) == np.count_nonzero(whole.theorem_series(i)[0] <= 5)
    assert run.iteration_starts().tolist() == [t for t in whole.iteration_starts().tolist() if t <= 5]
    assert run.next_iteration(5) is None
    assert whole.next_iteration(5) is not None
    with pytest.raises(IndexError):
        run.at(6)


def test_what_is_veiled_is_gone_on_to_without_being_made_again() -> None:
    run, whole = ended(), ended()
    made: list[object] = []
    go_on = run._own.advance
    run._own.advance = lambda steps, seconds, later: made.append(steps) or go_on(steps, seconds)  # type: ignore[func-returns-value,method-assign]
    run.veil(3)
    assert run.advance(2) == 2
    assert (run.last, run.stopped, made) == (5, None, [])
    assert run.advance() == 1
    assert same(run.at(6).state, whole.at(6).state)
    run.run()
    assert (run.last, run.stopped) == (whole.last, whole.stopped)


def test_steps_beyond_those_that_were_veiled_are_made() -> None:
    run = Timeline(find("lloyd"))
    run.advance(5)
    run.veil(1)
    assert run.advance(6) == 6
    assert run.last == 7


def test_no_more_is_veiled_by_who_asks_for_steps_that_are_there() -> None:
    run = ended()
    run.veil(5)
    assert run.advance(2 - len(run)) == 0
    assert run.last == 5
    assert conditions.parse("objective changes", run).holds(run, 5)
    assert run.last == 5


def test_the_veil_can_be_lifted_and_one_after_the_newest_step_hides_nothing() -> None:
    run = ended()
    last = run.last
    run.veil(last)
    assert run.stopped
    run.veil(2)
    run.unveil()
    assert (run.last, run.stopped is not None) == (last, True)


def test_failures_and_troubles_after_the_veil_are_not_known() -> None:
    def late(problem: Problem, state: Any) -> float:
        return 1 / (0 if state.iteration == 1 else 1)

    wrong = Theorem("t < 6", lambda problem, before, after: Sides(("t", after.t), ("5", 5.0)), source="here")
    run = Timeline(declared(orbit, curves=(Curve("late", late),), theorems=(wrong,)), DATA)
    run.advance(10)
    assert run.troubles[0].t == 4
    assert run.failures[0].t == 6
    run.veil(5)
    assert (len(run.troubles), run.failures) == (1, [])
    run.veil(3)
    assert run.troubles == ()


def test_a_fork_before_the_veil_is_a_run_of_its_own() -> None:
    run = ended()
    run.veil(4)
    fork = run.fork(2)
    assert fork.last == fork.begin <= 2
    fork.run()
    assert fork.stopped
    assert run.last == 4
