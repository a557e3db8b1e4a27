"""A session of runs without a screen: forks, edits, breakpoints, notices, what is unsaved, and several runs at once."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from algorithms import Change, Opening, Refused, datasets, find
from algorithms.core import Add, Remove
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun, loaded_again
from algorithms.playback.runs.request import read
from algorithms.playback.runs.run_session import RunSession
from algorithms.timeline import conditions
from algorithms.userfile.in_process import plain_algorithm
from tests.tiny import TINY, Rows


@pytest.fixture(autouse=True)
def _no_step_seems_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """As none does on a machine with nothing else to do."""
    monkeypatch.setattr(Player, "slow", property(lambda player: player.timeline.algorithm.apart))


def session(at: int = 0, **parameters: Any) -> RunSession:
    """One that stands there, also where the machine does other things and a moment's work does not go so far."""
    return worked(RunSession(LoadedRun.checked(TINY, Rows(), parameters), at))


def worked(runs: RunSession) -> RunSession:
    """The session when its player has come to where it was sent."""
    for _ in range(200):
        if runs.player.goal is None:
            break
        runs.player.work(0.05)
        runs.tell_news()
    assert runs.player.goal is None
    return runs


class Listener:
    """Writes down what a session tells, and does what takes long when it is asked to."""

    def __init__(self, runs: RunSession):
        self.runs, self.told = runs, [runs.notice]
        self.drawn = 0
        self.aside_work: list[Callable[[], None]] = []

    def show_notice(self) -> None:
        self.told.append(self.runs.notice)

    def redraw(self) -> None:
        self.drawn += 1

    def act(self) -> None: ...

    def aside(self, work: Any, then: Any) -> None:
        self.aside_work.append(lambda: then(work()))


def heard(runs: RunSession) -> Listener:
    runs.audience = listener = Listener(runs)
    return listener


# Forks, and going between them


def test_a_fork_becomes_the_current_run_and_its_beginning_is_told() -> None:
    runs = session(at=7)
    listener = heard(runs)
    runs.fork(7, Change(parameters={"eta": 0.4}), "faster")
    assert (runs.branch.name, runs.player.t, len(runs.branches.all)) == ("faster", 7, 2)
    assert runs.notice == "forked at step 7; tab goes to the other run"
    assert listener.drawn == 1
    assert runs.current.parameters == {"eta": 0.4}
    assert runs.viewer.timeline is runs.branch.timeline


def test_a_run_that_is_passed_by_hands_on_the_step_that_it_was_to_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = session(at=7)
    for eta in (0.4, 0.2):
        runs.fork(7, Change(parameters={"eta": eta}))
    runs.player.seek(20)
    worked(runs)
    monkeypatch.setattr(Player, "slow", property(lambda player: True))  # the step comes from a thread, after the keys
    first = runs.branch
    runs.select_beside(1)
    runs.select_beside(1)
    assert runs.branch is not first
    assert worked(runs).player.t == 20


def test_a_fork_that_cannot_be_is_told_and_changes_nothing() -> None:
    runs = session(at=3)
    runs.fork(3, Change(parameters={"eta": 7.0}))
    assert len(runs.branches.all) == 1
    assert "eta" in runs.notice


def test_a_fork_of_a_run_that_was_begun_anew_meanwhile_is_told() -> None:
    runs = session(at=7)
    runs.access.take()
    runs.fork(7, Change(parameters={"eta": 0.4}))
    runs.begin(runs.loaded)
    runs.access.free()
    assert (len(runs.branches.all), "begun anew meanwhile" in runs.notice) == (1, True)
    runs.fork(7, Change(parameters={"eta": 0.4}))  # as far as the run was, and is not
    assert (len(runs.branches.all), "begun anew meanwhile" in runs.notice) == (1, True)


def test_going_to_another_run_keeps_the_step_and_the_speed_and_stops_nothing() -> None:
    runs = session(at=7)
    runs.fork(2, Change(parameters={"eta": 0.4}), "faster")
    runs.player.faster(3)
    runs.player.seek(9)
    worked(runs).select_beside(1)
    worked(runs)
    assert (runs.branch, runs.player.t, runs.player.pace) == (runs.branches.root, 9, 5)
    runs.player.play(True)
    runs.select_beside(-1)
    assert (runs.branch.name, runs.player.playing) == ("faster", True)


def test_one_run_has_none_beside_it() -> None:
    runs = session()
    runs.select_beside(1)
    assert runs.notice.startswith("there is one run")


def test_a_deleted_run_is_left_for_the_one_it_came_from() -> None:
    runs = session(at=7)
    runs.fork(2, Change(parameters={"eta": 0.4}))
    gone = runs.branch
    runs.branches.delete(gone)
    runs.select_remaining()
    assert runs.branch is runs.branches.root
    assert gone not in runs.players
    runs.select(gone)
    assert runs.branch is runs.branches.root


def test_the_range_is_that_of_the_longest_run() -> None:
    runs = session(at=30)
    runs.fork(2, Change(parameters={"steps": 500}))
    runs.player.seek(450)
    assert worked(runs).range == 500
    runs.select(runs.branches.root)
    assert runs.range == 500


def test_what_needs_the_runs_waits_for_a_thread_and_is_then_done_in_order() -> None:
    runs = session(at=7)
    runs.access.take()
    runs.fork(3, Change(parameters={"eta": 0.3}), "one")
    runs.fork(3, Change(parameters={"eta": 0.4}), "two")
    assert len(runs.branches.all) == 1
    runs.access.free()
    assert [branch.name for branch in runs.branches.all] == ["first run", "one", "two"]
    assert not runs.access.busy


def test_a_fork_made_in_a_thread_lets_what_comes_after_it_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = session(at=7)
    listener = heard(runs)
    monkeypatch.setattr(type(TINY), "apart", property(lambda _: True))
    runs.fork(3, Change(parameters={"eta": 0.3}), "one")
    runs.select(runs.branches.root, 1)
    assert (runs.access.busy, runs.notice, len(runs.branches.all)) == (True, "forking it", 1)
    (work,) = listener.aside_work
    work()
    assert len(runs.branches.all) == 2
    assert worked(runs).branch is runs.branches.root, "what waited for the fork comes after it"
    assert not runs.access.busy


# Edits


def test_edits_at_one_step_are_one_fork_and_are_taken_back_one_by_one() -> None:
    runs = session(at=5)
    runs.change(Change(edits=(Add((1.0, 1.0)),)), "a row is added")
    runs.change(Change(edits=(Add((2.0, 1.0)),)), "a row is added")
    assert (len(runs.branches.all), runs.data.n) == (2, 4)
    assert runs.notice.startswith("a row is added; ")
    assert runs.notice.endswith("; u undoes it, tab is the other run")
    runs.undo()
    assert (len(runs.branches.all), runs.data.n, runs.notice.split(";")[0]) == (2, 3, "the last edit is undone")
    runs.undo()
    assert (len(runs.branches.all), runs.data.n) == (1, 2)
    runs.undo()
    assert runs.notice.startswith("nothing to undo")


def test_an_edit_of_a_fork_that_ran_on_is_a_fork_of_its_own() -> None:
    runs = session(at=5)
    runs.change(Change(edits=(Add((1.0, 1.0)),)), "a row is added")
    runs.player.step(1)
    worked(runs).change(Change(edits=(Remove(0),)), "row 0 is removed")
    assert (len(runs.branches.all), runs.data.n) == (3, 2)
    runs.undo()
    runs.undo()
    assert (len(runs.branches.all), runs.branch) == (2, runs.branches.root)
    assert "stays, B has all runs" in runs.notice


# Breakpoints and searches


def test_breakpoints_are_armed_in_every_run_that_is_gone_to() -> None:
    runs = session()
    runs.breakpoints.append(Breakpoint("t == 4"))
    runs.arm()
    runs.player.to_end()
    assert worked(runs).player.t == 4
    assert runs.notice == "stopped where t == 4"
    runs.fork(2, Change(parameters={"eta": 0.4}))
    runs.player.to_end()
    assert worked(runs).player.t == 4
    runs.breakpoints[0].on = False
    runs.arm()
    runs.player.to_end()
    assert worked(runs).player.t == 30


def test_a_breakpoint_without_a_meaning_here_stops_nothing() -> None:
    runs = session()
    runs.breakpoints += [Breakpoint("gone > 3"), Breakpoint("t == 6")]
    runs.arm()
    runs.player.to_end()
    assert worked(runs).player.t == 6


def test_to_the_next_breakpoint_and_the_one_before() -> None:
    runs = session(at=10)
    runs.go_to_breakpoint(True)
    assert runs.notice == "there are no breakpoints; b makes one"
    runs.breakpoints += [Breakpoint("t == 4"), Breakpoint("t == 20")]
    runs.arm()
    runs.go_to_breakpoint(True)
    assert (worked(runs).player.t, runs.notice) == (20, "stopped where t == 20")
    runs.go_to_breakpoint(False)
    assert worked(runs).player.t == 4
    for each in runs.breakpoints:
        each.on = False
    runs.arm()
    runs.go_to_breakpoint(True)
    assert runs.notice == "no breakpoint is on; b makes one"


def test_where_a_run_of_ones_own_fails_is_what_goes_wrong_in_it() -> None:
    def mine() -> Iterator[dict[str, int]]:
        for i in range(7):
            yield {"x": i}
        raise ValueError("it cannot")

    runs = worked(RunSession(LoadedRun.checked(plain_algorithm(mine), Rows(), {})))
    for at in (0, 7):  # before it, and there
        runs.player.seek(at)
        worked(runs).go_to_breakpoint(True)
        assert (worked(runs).player.t, runs.notice) == (7, "here it fails: no step comes after this one")
    runs.go_to_breakpoint(False)
    assert worked(runs).player.t == 7
    assert "before step 7 it never comes to" in runs.notice


def test_a_condition_that_never_holds_leaves_the_cursor_and_is_told() -> None:
    runs = session(at=10)
    state = runs.player.frame.state
    runs.go_to_condition(conditions.parse("x < 0", TINY, runs.data, state), forward=True)
    assert worked(runs).player.t == 10
    assert runs.notice == "after step 10 it never comes to x < 0"


def test_the_last_change_of_a_field() -> None:
    runs = session(at=10)
    runs.go_to_last_change_of("iteration")
    assert worked(runs).player.t == 10 - 5
    assert runs.notice.startswith("iteration last changed here, at step 5")
    runs.go_to_last_change_of("nothing of the kind")
    assert runs.player.t == 5
    assert runs.notice


def test_the_first_difference_of_two_runs() -> None:
    runs = session(at=10)
    runs.fork(6, Change(parameters={"eta": 0.4}), "faster")
    (other,) = runs.others
    runs.player.seek(20)
    worked(runs).go_to_difference(other)
    assert worked(runs).player.t == 7
    assert "x" in runs.notice


# Notices


def test_a_notice_is_told_until_the_next_one_and_forgotten_in_silence() -> None:
    runs = session()
    listener = heard(runs)
    runs.tell("one")
    runs.tell("two")
    runs.forget_notice()
    assert listener.told == ["", "one", "two"]
    assert runs.notice == ""


def test_what_the_player_says_is_told_once() -> None:
    runs = session()
    runs.player.event(False)
    listener = heard(runs)
    runs.tell_news()
    runs.tell_news()
    assert listener.told == ["", "no marked event comes before this step"]


# What is saved


def test_what_would_be_lost_is_in_words(tmp_path: Path) -> None:
    runs = RunSession(LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 3}), 3)
    assert runs.unsaved == ""
    runs.fork(3, Change(parameters={"sweeps": 5}))
    assert runs.unsaved == "1 fork is not saved."
    runs.breakpoints += [Breakpoint("moved == 0"), Breakpoint("moved == 1", False)]
    assert runs.unsaved == "1 fork and 2 breakpoints are not saved."
    path = tmp_path / "kept.json"
    assert runs.save(path, {})
    assert (runs.unsaved, runs.notice) == ("", f"saved: {path}")
    assert runs.file.proposed(runs) == Path("lloyd-faithful.json")
    runs.branches.rename(runs.branch, "short")
    assert runs.unsaved

    again = RunSession(LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 3}))
    opening = Opening(path)
    opening.work()
    again.resume(opening)
    assert again.unsaved == ""
    assert [(each.text, each.on) for each in again.breakpoints] == [("moved == 0", True), ("moved == 1", False)]
    assert [branch.name for branch in again.branches.all] == ["first run", again.branch.name]
    assert worked(again).player.t == runs.player.t
    assert again.file.proposed(again) == path
    assert again.notice == "kept.json: as it was saved"


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    runs = session()
    assert not runs.save(tmp_path / "no.json", {})
    assert runs.notice.startswith("not saved: ")


def test_another_run_in_place_of_all_keeps_the_breakpoints_and_nothing_else() -> None:
    runs = session(at=7)
    runs.breakpoints.append(Breakpoint("t == 4"))
    runs.fork(2, Change(parameters={"eta": 0.4}))
    runs.begin(LoadedRun.checked(TINY, Rows(), {"steps": 12}))
    assert (len(runs.branches.all), runs.player.t, runs.loaded.parameters) == (1, 0, {"steps": 12})
    runs.player.to_end()
    assert worked(runs).player.t == 4


def test_a_run_without_a_first_state_leaves_all_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = session(at=7)
    branches = runs.branches

    def refuse(self: LoadedRun) -> None:
        raise Refused("no first state.")

    monkeypatch.setattr(LoadedRun, "timeline", refuse)
    with pytest.raises(Refused):
        runs.begin(LoadedRun.checked(TINY, Rows(), {}))
    assert (runs.branches, runs.player.t) == (branches, 7)


def test_an_edited_file_that_fails_before_its_first_step_is_not_loaded(tmp_path: Path) -> None:
    """Neither before its first yield, which a plain generator has after its start, nor before a state of its own."""
    path = tmp_path / "mine.py"
    path.write_text("def mine():\n    for i in range(9):\n        yield i\n")
    request = read("iterscope", [str(path)])
    assert request.opened is not None
    path.write_text("def mine():\n    x = 1 / 0\n    yield x\n")
    with pytest.raises(Refused, match="it fails in line 2 before its first step: ZeroDivisionError"):
        loaded_again(request.opened)
    path.write_text("def mine():\n    yield 1\n    yield 1 / 0\n")
    again, player = loaded_again(request.opened)
    assert (again.spec, player.timeline.last) == (str(path), 1)


# Several runs beside each other


def compared_with(runs: RunSession, **parameters: Any) -> ComparedRun:
    return ComparedRun("", LoadedRun.checked(TINY, Rows(), parameters).timeline())


def test_runs_beside_each_other_begin_at_the_step_of_the_current_one() -> None:
    runs = session(at=7)
    runs.fork(3, Change(parameters={"eta": 0.4}), "faster")
    assert [run.name for run in runs.candidates] == ["faster", "first run"]
    runs.player.seek(9)
    together = worked(runs).compare(runs.candidates)
    assert [follower.player.t for follower in together.followers] == [9, 9]
    together.step(1)
    together.work(0.1)
    runs.end_comparison()
    assert worked(runs).player.t == 10, "the step of the comparison is the step of the one run"
    assert [run.name for run in runs.compared_last] == ["faster", "first run"]


def test_runs_beside_each_other_begin_where_the_current_one_is_on_its_way_to() -> None:
    runs = session()
    runs.player.seek(30)
    assert runs.player.t == 0
    assert runs.compare([*runs.candidates, compared_with(runs, eta=0.3)]).place == (30.0, 0.0)


def test_a_run_that_was_brought_in_is_there_for_the_next_comparison() -> None:
    runs = session(at=5)
    other = compared_with(runs, eta=0.3)
    runs.compare([*runs.candidates, other])
    runs.side_by_side.note(0, {}, [])
    runs.end_comparison()
    assert runs.compared_last[1].timeline is runs.candidates[1].timeline is other.timeline
    runs.begin(LoadedRun.checked(TINY, Rows(), {"eta": 0.25}))
    etas = [run.timeline.parameters["eta"] for run in runs.compared_last]
    assert etas == [0.25, 0.3], "it stands where the one before it stood"
    assert [follower.player.t for follower in runs.compare(runs.compared_last).followers] == [5, 5]


def test_the_comparison_comes_back_with_the_runs_that_it_had() -> None:
    runs = session(at=5)
    runs.compare([*runs.candidates, *(compared_with(runs, eta=eta) for eta in (0.2, 0.3, 0.4))])
    runs.end_comparison()
    runs.fork(5, Change(parameters={"eta": 0.05}), "slow")
    assert [run.timeline.parameters["eta"] for run in runs.compared_last] == [0.1, 0.2, 0.3, 0.4]
    assert len(runs.candidates) == 5


def test_while_runs_are_compared_it_is_their_cursor_that_is_heard() -> None:
    runs = session()
    together = runs.compare([*runs.candidates, compared_with(runs, eta=0.3)])
    together.notice, runs.player.notice = "from all", "from one"
    runs.tell_news()
    assert (runs.notice, together.notice) == ("from all", "")
    runs.end_comparison()
    runs.tell_news()
    assert runs.notice == "from one"
