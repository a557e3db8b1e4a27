"""Forks with other rows or another state: what begins where, and what is refused."""

from typing import Any

import numpy as np
import pytest

from algorithms import Add, Dataset, Label, Move, Refused, Remove, Timeline, datasets, edited, find
from algorithms.core.state import same
from tests.tiny import TINY, Rows


def lloyd() -> Timeline:
    run = Timeline(find("lloyd"), datasets.load("faithful"), {"k": 3})
    run.advance(9)
    return run


def test_without_adapt_a_run_starts_afresh_when_rows_come_or_go_and_says_so() -> None:
    run = Timeline(TINY, Rows())
    run.advance(12)
    fork = run.fork(8, data=edited(run.data, [Add((5.0, 5.0))]), eta=0.2)
    assert "starts afresh" in fork.from_start
    assert (fork.begin, len(fork), fork.parent) == (0, 1, run)
    assert fork.parameters["eta"] == 0.2
    assert fork.run().verdicts(fork.at(3))[0].status == "holds"
    with pytest.raises(Refused, match="starts afresh"):
        run.fork(8, data=edited(run.data, [Add((1.0, 1.0))]), state=run.at(8).state.replaced(x=[1.0]))


def test_without_adapt_a_moved_row_leaves_the_state_as_it_is() -> None:
    run = Timeline(TINY, Rows())
    run.advance(12)
    fork = run.fork(8, data=edited(run.data, [Move(0, (5.0, 5.0))]))
    assert (fork.begin, fork.from_start) == (8, "")
    assert same(fork.at(8).state, run.at(8).state)


def test_edits_of_a_branch_are_followed_from_the_run_that_made_the_step() -> None:
    run = lloyd()
    one = run.fork(6, data=edited(run.data, [Remove(0)]))
    one.advance(4)
    two = one.fork(3, data=edited(one.data, [Add((3.0, 70.0)), Remove(9)]))  # before `one` began
    assert two.parent is run
    assert two.begin == 2
    was, now = run.at(2).state, two.at(2).state
    assert np.array_equal(now.labels[:-1], np.delete(was.labels, [0, 10]))


def test_the_past_of_an_edited_fork_is_its_parents() -> None:
    run = lloyd()
    fork = run.fork(6, data=edited(run.data, [Remove(0), Remove(0)]))
    fork.advance(4)
    assert fork.at(5).state is run.at(5).state
    assert fork.problem_at(5) is run.problem
    assert len(fork.at(6).state.labels) == run.data.n - 2
    assert fork.at(6).before is None
    assert fork.trail(8)


def test_a_state_and_rows_change_together() -> None:
    run = lloyd()
    means = run.at(6).state.means + 1.0
    fork = run.fork(6, state=run.at(6).state.replaced(means=means.tolist()), data=edited(run.data, [Remove(0)]))
    assert np.array_equal(fork.at(6).state.means, means)
    assert len(fork.at(6).state.labels) == run.data.n - 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"means": [[1.0, 2.0]]}, r"means of step 6 has shape \(3, 2\)"),
        ({"means": [[1.0, np.nan]] * 3}, "finite"),
        ({"middles": 1}, "no field 'middles' to replace; it has means, labels"),
        ({"t": 3}, "no field 't' to replace"),
        ({"means": [["a", "b"]] * 3}, "means holds float64"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(fields: dict[str, Any], words: str) -> None:
    run = lloyd()
    with pytest.raises(Refused, match=words):
        run.fork(6, state=run.at(6).state.replaced(**fields))


def test_replaced_is_the_same_moment_and_leaves_the_state_alone() -> None:
    state = lloyd().at(6).state
    held = state.means.copy()
    other = state.replaced(means=(held + 1).tolist(), moved=3)
    assert (other.t, other.iteration, other.phase, other.moved) == (6, state.iteration, state.phase, 3)
    assert not other.means.flags.writeable
    assert other.means.dtype == held.dtype
    assert np.array_equal(state.means, held)


def test_an_edit_that_the_algorithm_cannot_run_on_is_refused() -> None:
    run = Timeline(find("lloyd"), Dataset(datasets.load("faithful").X[:4]), {"k": 4})
    run.advance(3)
    with pytest.raises(Refused, match="4 clusters need 4 rows"):
        run.fork(2, data=edited(run.data, [Remove(0)]))


def test_a_flipped_label_is_seen_by_what_follows() -> None:
    run = Timeline(find("perceptron"), datasets.load("blobs", n=60, margin=0.1)).run()
    fork = run.fork(run.last, data=edited(run.data, [Label(0, 1 - int(np.asarray(run.data.y)[0]))]))
    fork.advance(run.data.n + 1)
    assert any(fork.kind(t).phase == "mistake" for t in range(fork.begin + 1, len(fork)))
