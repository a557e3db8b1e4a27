"""Kept moments are a lesson: each plays to the very state that was on the screen, and passes the check."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from algorithms import Label, Move, find
from algorithms.core import Refused
from algorithms.core.catalogue import names
from algorithms.lectures.lessons import lesson_named
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.keeping import Beside, command_of_run, kept_after, kept_in_new, leading, moment_of
from algorithms.playback.lessons.played import played
from algorithms.playback.runs.in_front import InFront
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import requested
from algorithms.timeline.branches import Branch, Branches, Change
from tests.tiny import TINY, Rows


def opened(name: str, steps: float = 200) -> tuple[LoadedRun, Branches]:
    loaded = LoadedRun.usual(find(name))
    run = loaded.timeline()
    run.advance(steps)
    return loaded, Branches(run)


def kept(path: Path, index: int = 0) -> tuple[Branch, int]:
    """The run and the step that a file's moment plays to, once the file has no fault."""
    lesson = lesson_named(str(path))
    assert list(faults(lesson)) == []
    shown = played(lesson, index)
    return shown.branch, shown.t


@pytest.mark.parametrize("name", sorted(names())[::6])
def test_an_algorithm_on_what_it_opens_with(name: str, tmp_path: Path) -> None:
    loaded, branches = opened(name, 12)
    t = min(9, branches.root.timeline.last)
    made = kept_in_new(moment_of(loaded, branches.root, t, InFront()), loaded, tmp_path)
    branch, there = kept(made.path)
    assert there == t
    mine, theirs = branches.root.timeline.at(t).state, branch.timeline.at(t).state
    for field, value in mine.parts().items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, theirs.get(field))


@pytest.mark.parametrize("name", names())
def test_a_command_line_is_every_run_that_opens(name: str) -> None:
    loaded = LoadedRun.usual(find(name))
    again = requested(shlex.split(command_of_run(loaded))).opened
    assert again is not None
    assert again.recipe == loaded.recipe or not loaded.data


def test_what_is_in_front_is_kept_by_name(tmp_path: Path) -> None:
    loaded, branches = opened("perceptron")
    text = moment_of(loaded, branches.root, 7, InFront(0, "training error", hall=True, sides=True))
    made = kept_in_new(text, loaded, tmp_path)
    assert kept(made.path)[1] == 7
    front = played(lesson_named(str(made.path)), 0).front
    assert front == InFront(0, "training error", hall=True, sides=True)


def test_forks_and_edits_by_hand_are_kept(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    root = branches.root.timeline
    means = root.at(2).state.means.copy()
    means[1, 0] += 0.1
    state = branches.fork(branches.root, 2, Change(state={"means": means}))
    state.timeline.advance(3)
    moved = branches.fork(state, 4, Change(edits=(Move(5, (4.25, 60.5)),)))
    moved.timeline.run()
    made = kept_in_new(moment_of(loaded, state, 4, InFront()), loaded, tmp_path)
    kept_after(moment_of(loaded, moved, moved.timeline.last, InFront()), made.path, None)
    for index, (branch, t) in enumerate(((state, 4), (moved, moved.timeline.last))):
        there, at = kept(made.path, index)
        assert at == t
        assert (there.timeline.at(t).state.means == branch.timeline.at(t).state.means).all()


def test_other_parameters_of_a_fork_are_kept(tmp_path: Path) -> None:
    loaded, branches = opened("perceptron")
    fork = branches.fork(branches.root, 3, Change(parameters={"eta": 0.1}))
    fork.timeline.advance(40)
    made = kept_in_new(moment_of(loaded, fork, 30, InFront()), loaded, tmp_path)
    there, at = kept(made.path)
    assert at == 30
    assert (there.timeline.at(30).state.w == fork.timeline.at(30).state.w).all()


def test_ten_of_them_are_a_lesson(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    run = branches.root.timeline
    made = kept_in_new(moment_of(loaded, branches.root, 0, InFront()), loaded, tmp_path)
    for t in range(1, 10):
        made = kept_after(
            moment_of(loaded, branches.root, t, InFront(0 if t > 1 else None, "objective")), made.path, None
        )
    lesson = lesson_named(str(made.path))
    assert [played(lesson, i).t for i in range(10)] == list(range(10))
    assert list(faults(lesson)) == []
    assert run.stopped is not None


def test_the_end_is_kept_with_what_is_said_of_it(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    last = branches.root.timeline.last
    made = kept_in_new(moment_of(loaded, branches.root, last, InFront()), loaded, tmp_path)
    assert "The end: no row moved" in made.path.read_text()
    assert kept(made.path)[1] == last


def test_a_moment_goes_in_between_and_nothing_else_changes(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    first, second, third = (moment_of(loaded, branches.root, t, InFront()) for t in (1, 2, 3))
    made = kept_in_new(first, loaded, tmp_path)
    kept_after(third, made.path, 0)
    text = made.path.read_text().replace("step 1\n", "step 1, in words of my own\n", 1)
    made.path.write_text(text)
    kept_after(second, made.path, 0)
    after = made.path.read_text()
    assert [played(lesson_named(str(made.path)), i).t for i in range(3)] == [1, 2, 3]
    assert after.replace(f"{second}\n", "", 1) == text


def test_no_file_that_is_there_is_taken(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    (tmp_path / "lloyd-lesson.md").write_text("mine")
    made = kept_in_new(moment_of(loaded, branches.root, 1, InFront()), loaded, tmp_path)
    assert made.path.name == "lloyd-lesson-2.md"
    assert (tmp_path / "lloyd-lesson.md").read_text() == "mine"


def test_a_file_that_is_no_lesson_stays_as_it_is(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    path = tmp_path / "x.md"
    path.write_text("mine")
    with pytest.raises(Refused, match="begins with its head"):
        kept_after(moment_of(loaded, branches.root, 1, InFront()), path, None)
    assert path.read_text() == "mine"


def test_what_no_lesson_says_is_refused() -> None:
    loaded, branches = opened("perceptron")
    labelled = branches.fork(branches.root, 3, Change(edits=(Label(0, 1 - int(loaded.data.y[0])),)))  # type: ignore[index]
    with pytest.raises(Refused, match="labelled anew"):
        moment_of(loaded, labelled, labelled.timeline.last, InFront())
    own = LoadedRun.checked(TINY, Rows(), {}, "mine.py")
    with pytest.raises(Refused, match="no code of its own"):
        command_of_run(own)


def together(tmp_path: Path, *stood: Beside) -> tuple[list[str], list[int]]:
    """The runs side by side of the moment that is kept of some, and where they stand, once it has no fault."""
    first = leading(stood)
    beside = [each for i, each in enumerate(stood) if i != first]
    lead = stood[first]
    made = kept_in_new(moment_of(lead.loaded, lead.branch, lead.t, InFront(), beside), lead.loaded, tmp_path)
    lesson = lesson_named(str(made.path))
    assert list(faults(lesson)) == []
    shown = played(lesson, 0)
    for each, run in zip((lead, *beside), shown.compared):
        assert run.timeline.parameters == each.branch.timeline.parameters
        assert shown.at(run.timeline) == each.t
    return [one.rest for one in lesson.moments[0].said_by("compare")], [shown.at(r.timeline) for r in shown.compared]


def test_runs_side_by_side_are_kept(tmp_path: Path) -> None:
    loaded, branches = opened("lloyd")
    other = LoadedRun.checked(loaded.algorithm, loaded.recipe, {"seed": 4})
    beside = Branches(other.timeline())
    beside.root.timeline.run()
    words, at = together(tmp_path, Beside(loaded, branches.root, 3), Beside(other, beside.root, 3))
    assert at == [3, 3]
    assert words[0].startswith("-p ")
    ends = branches.root.timeline.last, beside.root.timeline.last
    _, at = together(
        tmp_path, *(Beside(each, b.root, t) for each, b, t in zip((loaded, other), (branches, beside), ends))
    )
    assert set(at) == set(ends)


def test_a_fork_is_kept_beside_its_run_and_another_algorithm_on_other_data(tmp_path: Path) -> None:
    loaded, branches = opened("perceptron")
    fork = branches.fork(branches.root, 5, Change(parameters={"eta": 0.5}))
    fork.timeline.run()
    words, at = together(tmp_path, Beside(loaded, branches.root, 7), Beside(loaded, fork, 7))
    assert (words, at) == ([""], [7, 7])
    other = LoadedRun.usual(find("lloyd"))
    run = Branches(other.timeline())
    run.root.timeline.run()
    words, _ = together(tmp_path, Beside(loaded, branches.root, 2), Beside(other, run.root, 2))
    assert words[0].startswith("lloyd --data ")


def test_runs_that_no_lesson_has_side_by_side_are_refused() -> None:
    loaded, branches = opened("perceptron")
    forks = [branches.fork(branches.root, 5, Change(parameters={"eta": eta})) for eta in (0.5, 0.25)]
    for fork in forks:
        fork.timeline.run()
    with pytest.raises(Refused, match="one fork"):
        moment_of(loaded, forks[0], 6, InFront(), [Beside(loaded, forks[1], 6)])
    with pytest.raises(Refused, match="at one step"):
        moment_of(loaded, forks[0], 6, InFront(), [Beside(loaded, branches.root, 8)])
