"""Branches: every run of the tree is what it would be from its start, and its name says what differs."""

import doctest
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from algorithms import Add, Algorithm, Branches, Change, Label, Move, Refused, Remove, Timeline, datasets, edited, find
from algorithms.core import State
from algorithms.core.state import same
from algorithms.timeline import branches
from algorithms.timeline.branches import Branch
from tests.examples import examples
from tests.timeline.toys import DATA, ORBIT, declared, unresumable


def tree(**parameters: Any) -> Branches:
    run = Timeline(ORBIT, DATA, parameters)
    run.advance(61)
    return Branches(run)


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(branches).failed == 0


# Any use of it

blobs, faithful = datasets.blobs.with_(n=30, margin=0.1).load(), datasets.load("faithful")
CASES: tuple[tuple[Algorithm, Any, str, tuple[float, ...], str], ...] = (
    (ORBIT, DATA, "pull", (0.5, 0.7, 0.9, 0.95), "x"),
    (find("perceptron"), blobs, "eta", (0.1, 0.5, 1.0, 2.0), "w"),
    (find("lloyd"), faithful, "sweeps", (1, 3, 20, 300), "means"),
)
whole = st.integers(0, 10_000)
actions = st.lists(
    st.tuples(st.sampled_from(("advance", "seek", "fork", "fork state", "fork data", "delete")), whole, whole),
    max_size=25,
)


def states(algorithm: Algorithm, data: Any, n: int, state: State | None = None, **parameters: Any) -> list[State]:
    return list(islice(algorithm(data, state=state, **parameters), n))


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(CASES), st.sampled_from((3_000, 10**8)), actions)
def test_any_run_is_what_it_is_from_its_start(case: Any, budget: int, todo: list[tuple[str, int, int]]) -> None:
    algorithm, data, parameter, values, field = case
    first = Timeline(algorithm, data, budget=budget)
    first.advance(20)
    runs = Branches(first)
    truth: dict[Branch, list[State]] = {runs.root: states(algorithm, data, 3_000)}
    for action, which, number in todo:
        branch = runs.all[which % len(runs.all)]
        at = number % len(branch.timeline)
        if action == "advance":
            branch.timeline.advance(number % 40)
        elif action == "seek":
            frame = branch.timeline.at(at)
            assert same(frame.state, truth[branch][at])
            assert frame.before is None or same(frame.before, truth[branch][at - 1])
        elif action == "delete" and branch is not runs.root:
            gone = set(branch.tree())
            runs.delete(branch)
            assert gone.isdisjoint(runs.all)
        elif action.startswith("fork"):
            begin = branch.timeline.nearest_entry(at)
            state = truth[branch][begin]
            rows = branch.owner(begin).timeline.data
            own = {p: v for b in branch.owner(begin).path for p, v in b.change.parameters.items()}
            if action == "fork":
                change = Change(parameters={parameter: values[number % len(values)]})
                own |= change.parameters
            elif action == "fork data":
                row = number % rows.n
                change = Change(edits=(Move(row, tuple(rows.X[row] + 0.25)),))
                rows = edited(rows, change.edits)
            else:
                change = Change(state={field: getattr(state, field) * 0.5})
                state = replace(state, **change.state)
            made = runs.fork(branch, at, change)
            assert (made.at, made.begin, made.parent) == (at, begin, branch.owner(begin))
            begun = made.timeline.at(begin).state  # what goes with data and parameters may have followed
            assert same(getattr(begun, field), getattr(state, field))
            assert algorithm.adapt is not None or same(begun, state)
            state = begun
            rest = states(algorithm, rows, 3_000, state, **own)
            truth[made] = [*truth[branch][:begin], state, *rest]
    for branch in runs.all:
        run = branch.timeline
        assert len({b.name for b in runs.all}) == len(runs.all)
        assert all(same(run.at(t).state, truth[branch][t]) for t in range(len(run)))
        assert [run.kind(t).phase for t in range(len(run))] == [s.phase for s in truth[branch][: len(run)]]
        if run.stopped:
            assert len(run) == len(truth[branch])


# What it says


def test_a_fork_is_named_by_what_differs_and_where_it_begins() -> None:
    runs = tree()
    one = runs.fork(runs.root, 11, Change(parameters={"pull": 0.5, "limit": "3"}))
    assert (one.name, one.at, one.begin) == ("pull 0.9 -> 0.5 at 8", 11, 8)
    assert one.change == Change(parameters={"pull": 0.5})  # limit was 3 before
    assert runs.fork(runs.root, 8, Change(parameters={"pull": 0.5})).name == "pull 0.9 -> 0.5 at 8 (2)"
    one.timeline.advance(20)
    two = runs.fork(one, 20, Change(parameters={"pull": 0.123456789, "laps": 7}, state={"x": np.ones(2)}))
    assert two.name == "pull 0.5 -> 0.123456789, laps 1000000 -> 7, x set at 20"
    assert runs.fork(runs.root, 40, Change(state={"x": np.ones(2)})).name == "x set at 40"
    assert runs.fork(runs.root, 40, Change(), "as it was").name == "as it was"
    assert runs.fork(runs.root, 40, Change()).name == "again at 40"


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ((Move(1, (0.0, 1.0)),), "row 1 moved at 8"),
        ((Move(1, (0.0, 1.0)), Move(1, (0.0, 2.0))), "2 rows moved at 8"),
        ((Add((0.0, 1.0)),), "row added afresh"),
        ((Add((0.0, 1.0)), Remove(0), Add((1.0, 1.0))), "2 rows added, 1 removed afresh"),
    ],
)
def test_a_fork_with_edits_is_named_by_them(edits: tuple[Any, ...], words: str) -> None:
    runs = tree()
    made = runs.fork(runs.root, 9, Change(edits=edits))
    assert made.name == words
    assert made.begin == (0 if "afresh" in words else 8)
    assert np.array_equal(made.timeline.data.X, edited(DATA, edits).X)
    assert bool(made.timeline.from_start) == ("afresh" in words)


def test_a_label_is_changed_half_way() -> None:
    runs = Branches(Timeline(find("perceptron"), blobs).run())
    row = next(i for i in range(blobs.n) if blobs.y[i] == 0)
    made = runs.fork(runs.root, runs.root.timeline.last, Change(edits=(Label(row, 1),)))
    assert made.name == f"row {row} labelled anew at {made.begin}"
    assert made.timeline.data.y[row] == 1


@pytest.mark.parametrize("length", range(1, 80, 6))
def test_no_name_made_of_a_change_is_too_long(length: int) -> None:
    fields = {letter * length: 1 for letter in "abc"}
    name = branches.named(Change(parameters=fields), dict.fromkeys(fields, 2), "at 1000000")
    assert len(name) <= branches.LONGEST
    assert name.endswith(" at 1000000")


def test_a_fork_before_the_beginning_of_a_fork_is_of_the_run_that_was_there() -> None:
    runs = tree()
    one = runs.fork(runs.root, 40, Change(parameters={"pull": 0.5}))
    two = runs.fork(one, 8, Change(parameters={"limit": 2.0}))
    three = runs.fork(one, 40, Change(parameters={"limit": 2.0}))
    assert (two.parent, three.parent) == (runs.root, one)
    assert two.timeline.parameters["pull"] == 0.9
    assert runs.all == [runs.root, one, three, two]
    assert three.path == [runs.root, one, three]
    assert [three.owner(t) for t in (0, 39, 40, 50)] == [runs.root, runs.root, three, three]


def test_a_run_is_deleted_with_its_forks() -> None:
    runs = tree()
    one = runs.fork(runs.root, 40, Change(parameters={"pull": 0.5}))
    two = runs.fork(one, 40, Change(parameters={"limit": 2.0}))
    other = runs.fork(runs.root, 8, Change(parameters={"limit": 2.0}))
    runs.delete(one)
    assert runs.all == [runs.root, other]
    assert two.timeline.advance(3) == 3  # whoever still holds it can use it
    with pytest.raises(Refused, match="the first run cannot be deleted"):
        runs.delete(runs.root)


def test_a_change_has_the_same_words_in_whatever_order_it_was_made() -> None:
    was = {"eta": 1.0, "steps": 9}
    for parameters in ({"eta": 0.1, "steps": 3}, {"steps": 3, "eta": 0.1}):
        assert branches.named(Change(parameters=parameters), was, "at 4") == "eta 1 -> 0.1, steps 9 -> 3 at 4"
    for state in ({"w": 1.0, "b": 2.0}, {"b": 2.0, "w": 1.0}):  # a file has them by name
        assert branches.named(Change(state=state), was, "at 4") == "b set, w set at 4"


def test_a_run_is_renamed() -> None:
    runs = tree()
    one = runs.fork(runs.root, 40, Change(parameters={"pull": 0.5}))
    runs.rename(one, "half of it")
    runs.rename(one, "half of it")
    assert one.name == "half of it"
    for name, words in (("first run", "already"), ("", "1 to 60"), ("a\x1b[2Jb", "control"), ("a" * 61, "60")):
        with pytest.raises(Refused, match=words):
            runs.rename(one, name)
        with pytest.raises(Refused, match=words) if name else pytest.raises(IndexError):
            runs.fork(runs.root, 40 if name else 400, Change(), name)
    assert [b.name for b in runs.all] == ["first run", "half of it"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change(parameters={"size": 3}), "size cannot be changed half-way"),
        (Change(parameters={"pull": 7}), "pull = 7 will not do"),
        (Change(parameters={"pul": 0.5}), "Did you mean pull"),
        (Change(state={"y": 1}), "no field 'y' to replace; it has x, seen, row, jumps"),
        (Change(state={"t": 1}), "no field 't' to replace"),
        (Change(state={"x": np.ones(3)}), r"x of step 40 has shape \(2,\)"),
        (Change(state={"x": "ab"}), "x holds float64 numbers"),
        (Change(state={"jumps": 1.5}), "jumps of step 40 is int; float will not do"),
        (Change(edits=(Remove(7),)), "there is no row 7"),
    ],
)
def test_what_cannot_be_changed_is_refused_in_words(change: Change, words: str) -> None:
    runs = tree()
    with pytest.raises(Refused, match=words):
        runs.fork(runs.root, 41, change)
    assert runs.all == [runs.root]


def test_a_run_that_cannot_be_taken_up_again_is_not_forked() -> None:
    run = Timeline(declared(unresumable, start_only=()), DATA)
    run.advance(5)
    runs = Branches(run)
    with pytest.raises(Refused, match="cannot be taken up again"):
        runs.fork(runs.root, 3, Change(parameters={"laps": 4}))
