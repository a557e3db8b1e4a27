"""ComparePlayer: one cursor for several runs, by step, by iteration and by time spent."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core.state import same
from algorithms.playback.comparison.alignment import ByIterations, BySteps, ByTime, duration
from algorithms.playback.comparison.compare_player import ComparePlayer
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.comparison.side_by_side import SideBySide
from algorithms.playback.comparison.stops import StopsAhead
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.cursor.player import SPEEDS, Player
from algorithms.playback.cursor.stopwatch import Stopwatch, stopwatches
from algorithms.playback.runs.run_session import RunSession
from tests.tiny import TINY, Rows


@pytest.fixture(autouse=True)
def _no_step_seems_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """As none does on a machine with nothing else to do."""
    monkeypatch.setattr(Player, "slow", property(lambda player: player.timeline.algorithm.apart))


def tiny(**parameters: Any) -> Timeline:
    return Timeline(TINY, Rows().load(), parameters)


def together(*runs: Timeline, alignment: Callable[[list[Timeline]], Any] = lambda _runs: BySteps()) -> ComparePlayer:
    return ComparePlayer([Player(run) for run in runs], alignment(list(runs)))


def worked(these: ComparePlayer) -> ComparePlayer:
    for _ in range(300):
        these.work(0.05)
        if not these.seeks and not any(follower.aim for follower in these.followers):
            return these
    raise AssertionError("they never came to where they were to go")


def at(these: ComparePlayer) -> list[int]:
    return [follower.player.t for follower in these.followers]


def timed(runs: list[Timeline], *spent: list[float]) -> ByTime:
    """By time, with the time of each step as it is given."""
    alignment = ByTime(runs)
    for run, seconds in zip(runs, spent):
        watch = alignment.watch(run)
        watch._spent, watch._count, watch.done = np.array(seconds), len(seconds), True
    return alignment


# By step


def test_a_step_moves_all_of_them() -> None:
    these = together(tiny(), tiny(eta=0.3))
    these.step(1)
    assert at(worked(these)) == [1, 1]
    these.step(1)
    assert at(worked(these)) == [2, 2]
    these.step(-1)
    assert at(worked(these)) == [1, 1]


def test_a_run_that_has_ended_holds_its_last_state() -> None:
    these = together(tiny(steps=6), tiny(steps=20))
    these.seek(15)
    assert at(worked(these)) == [6, 15]
    assert these.holds(these.followers[0])
    assert not these.holds(these.followers[1])
    these.step(-1)
    assert at(worked(these)) == [6, 14]
    these.seek(5)
    assert at(worked(these)) == [5, 5]
    assert not these.holds(these.followers[0])


def test_beyond_all_ends_is_the_last_end() -> None:
    these = together(tiny(steps=6), tiny(steps=20))
    these.seek(99)
    worked(these)
    these.step(1)
    assert at(worked(these)) == [6, 20]
    these.to_end()
    assert at(worked(these)) == [6, 20]
    assert these.at_end
    these.step(-1)
    assert at(worked(these)) == [6, 19]


def test_to_the_next_iteration_and_event_of_any() -> None:
    these = together(tiny(steps=7), tiny(steps=30))
    for move, there in ((these.iteration, [5, 5]), (these.event, [7, 10]), (these.iteration, [7, 15])):
        move(True)
        assert at(worked(these)) == there
    for move, there in ((these.event, [7, 10]), (these.iteration, [5, 5]), (these.iteration, [0, 0])):
        move(False)
        assert at(worked(these)) == there
    these.event(False)
    assert at(worked(these)) == [0, 0]
    assert "no marked event" in these.notice


def test_the_first_difference_of_any_is_gone_to_and_told() -> None:
    parent = tiny(steps=40)
    parent.advance(20)
    forks = [parent.fork(17, eta=0.4), parent.fork(9, eta=0.3)]
    these = together(parent, *forks)
    these.difference(0)
    assert at(worked(these)) == [10, 10, 10]
    assert these.notice.startswith("They differ first at step 10 (kick): x[0] is 0.4295 in A, ")
    assert " in C (1 of 1 entries differ" in these.notice
    these.difference(1)
    assert at(worked(these)) == [10, 10, 10]
    assert " in B, " in these.notice
    assert " in C" in these.notice


def test_runs_that_never_differ_stay_where_they_are_and_say_so() -> None:
    these = together(tiny(), tiny())
    these.step(1)
    worked(these).difference(1)
    assert at(worked(these)) == [1, 1]
    assert these.notice == "no difference between B and A"


def test_runs_that_have_no_field_in_common_say_so() -> None:
    rows = Dataset([[0.0], [1.0], [3.0]], [0, 1, 1], classes=("a", "b"))
    these = together(Timeline(find("beta_bernoulli"), rows), Timeline(find("decision_tree"), rows))
    these.difference(0)
    worked(these)
    assert these.notice.startswith("no field has the same name in both: A has ")


def test_where_there_is_no_further_event_they_stay_and_it_is_said() -> None:
    these = together(tiny(steps=3), tiny(steps=4))
    these.step(1)
    worked(these)
    these.event(True)
    assert at(worked(these)) == [1, 1]
    assert "end before the next event" in these.notice


def test_the_clock_moves_all_of_them_and_stops_at_the_last_end() -> None:
    these = together(tiny(steps=3), tiny(steps=8))
    these.play()
    these.tick(0.25)
    assert at(these) == [1, 1]
    for _ in range(20):
        these.tick(0.25)
    assert at(these) == [3, 8]
    assert not these.playing
    these.play()
    assert at(worked(these)) == [0, 0]
    assert these.playing


def test_as_fast_as_it_goes_comes_to_the_end() -> None:
    these = together(tiny(steps=300), tiny(steps=500))
    these.faster(99)
    assert math.isinf(these.speed)
    these.play()
    for _ in range(200):
        these.tick(0.03)
    assert at(these) == [300, 500]
    assert not these.playing


def test_another_wish_takes_the_place_of_the_last() -> None:
    these = together(tiny(steps=100_000), tiny(steps=100_000))
    these.seek(90_000)
    these.work(0.001)
    these.seek(5)
    assert at(worked(these)) == [5, 5]
    assert all(follower.run.last < 50_000 for follower in these.followers)


def test_giving_up_stays_where_they_are() -> None:
    these = together(tiny(), tiny(steps=100_000))
    these.step(1)
    worked(these)
    these.to_end()
    these.work(0.001)
    assert these.cancel()
    assert not these.cancel()
    assert at(worked(these)) == [1, 1]


def test_a_fork_shares_the_past_with_its_parent() -> None:
    parent = tiny(steps=40)
    parent.advance(20)
    fork = parent.fork(10, eta=0.4)
    these = together(parent, fork)
    these.seek(10)
    worked(these)
    first, second = (follower.player for follower in these.followers)
    assert same(first.frame.state, second.frame.state)
    these.step(1)
    worked(these)
    assert not same(first.frame.state, second.frame.state)


def test_a_run_that_is_worked_on_apart_does_not_hold_up_the_others() -> None:
    these = together(tiny(), tiny(steps=50))
    these.followers[0].busy = True
    these.seek(9)
    for _ in range(20):
        these.work(0.02)
    assert at(these) == [0, 9]
    these.step(1)
    these.step(1)
    for _ in range(20):
        these.work(0.02)
    assert at(these) == [0, 11]
    these.followers[0].busy = False
    assert at(worked(these)) == [11, 11]


def test_kin_are_not_worked_on_at_once() -> None:
    parent = tiny()
    parent.advance(9)
    these = together(parent, parent.fork(5, eta=0.3), tiny())
    these.followers[0].busy = True
    assert [these.busy(follower) for follower in these.followers] == [True, True, False]


# By iteration


def by_iterations(_runs: list[Timeline]) -> ByIterations:
    return ByIterations()


def test_every_run_is_at_the_last_state_of_the_iteration() -> None:
    these = together(tiny(steps=7), tiny(steps=30), alignment=by_iterations)
    these.iteration(True)
    assert at(worked(these)) == [4, 4]
    these.iteration(True)
    assert at(worked(these)) == [7, 9]
    these.iteration(True)
    assert at(worked(these)) == [7, 14]
    assert these.holds(these.followers[0])
    these.iteration(False)
    assert at(worked(these)) == [7, 9]
    these.seek(3)
    assert at(worked(these)) == [7, 19]


def test_steps_go_through_an_iteration() -> None:
    these = together(tiny(steps=7), tiny(steps=30), alignment=by_iterations)
    these.seek(1)
    worked(these)
    these.step(1)
    assert at(worked(these)) == [7, 10]
    these.step(-1)
    assert at(worked(these)) == [7, 9]
    these.step(-1)
    assert at(worked(these)) == [7, 8]
    these.step(-1)
    assert at(worked(these)) == [7, 7]
    these.step(-1)
    assert at(worked(these)) == [6, 6]
    these.step(-1)
    these.work(0.05)
    these.step(-1)
    assert at(worked(these)) == [4, 4]


def test_steps_asked_for_faster_than_they_are_found_add_up() -> None:
    these = together(tiny(), tiny(eta=0.3), alignment=by_iterations)
    for by in (1, 1, 1, 1, -1):
        these.step(by)
    assert at(worked(these)) == [3, 3]
    these.step(-1)
    assert at(worked(these)) == [2, 2]
    these.step(1)
    these.event(forward=True)  # in place of the step
    these.step(1)
    assert at(worked(these)) == [3, 3]


def test_a_run_of_shorter_iterations_waits_at_their_ends() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.1], [1.0, 0.9]])
    y = np.array([0, 0, 1, 1, 0, 0])  # not to be separated: every pass goes through all rows
    runs = [Timeline(find("perceptron"), Dataset(X[:n], y[:n], kind="class"), {"epochs": 4}) for n in (4, 6)]
    these = together(*runs, alignment=by_iterations)
    these.seek(1)
    assert at(worked(these)) == [4, 6]
    for there in ([5, 7], [6, 8], [7, 9], [8, 10], [8, 11], [8, 12], [9, 13]):
        these.step(1)
        assert at(worked(these)) == there
    these.step(-1)
    assert at(worked(these)) == [8, 12]


def test_the_clock_moves_by_whole_iterations() -> None:
    these = together(tiny(), tiny(eta=0.2), alignment=by_iterations)
    these.play()
    these.tick(0.25)
    assert at(worked(these)) == [9, 9]


# By time spent


def test_by_time_each_run_is_as_far_as_it_would_have_come() -> None:
    runs = [tiny(steps=4), tiny(steps=3)]
    these = ComparePlayer([Player(run) for run in runs], timed(runs, [0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 2.5, 3.5, 9.0]))
    for there in ([1, 0], [2, 0], [2, 1], [3, 1], [3, 2], [4, 2], [4, 3], [4, 3]):
        these.step(1)
        assert at(worked(these)) == there
    assert these.holds(these.followers[0])
    for there in ([4, 2], [3, 2], [3, 1], [2, 1]):
        these.step(-1)
        assert at(worked(these)) == there
    these.seek(8.9)
    assert at(worked(these)) == [4, 2]


def test_what_comes_first_in_time_is_gone_to_first() -> None:
    runs = [tiny(), tiny()]
    one = [float(t) for t in range(31)]
    these = ComparePlayer([Player(run) for run in runs], timed(runs, one, [2 * t for t in one]))
    for there in ([5, 2], [10, 5], [15, 7]):
        these.event(True)
        assert at(worked(these)) == there
    these.iteration(False)
    assert at(worked(these)) == [10, 5]


def test_the_clock_goes_as_fast_as_the_fastest() -> None:
    runs = [tiny(steps=8), tiny(steps=8)]
    one = [float(t) for t in range(9)]
    these = ComparePlayer([Player(run) for run in runs], timed(runs, one, [2 * t for t in one]))
    these.play()
    for _ in range(4):
        these.tick(0.25)
    assert at(worked(these)) == [4, 2]


def test_another_alignment_keeps_the_run_in_hand_where_it_is() -> None:
    runs = [tiny(steps=30), tiny(steps=30)]
    these = ComparePlayer([Player(run) for run in runs])
    these.seek(12)
    worked(these)
    these.align(timed(runs, [float(t) for t in range(31)], [3.0 * t for t in range(31)]), 0)
    assert at(worked(these)) == [12, 4]
    these.align(ByIterations(), 1)
    assert at(worked(these)) == [4, 4]


def test_steps_are_timed_one_by_one_and_forks_share_what_they_share() -> None:
    parent = tiny(steps=40)
    parent.advance(20)
    fork = parent.fork(10, steps=25)
    first, second = stopwatches([parent, fork])
    while not (first.done and second.done):
        first.work(0.01)
        second.work(0.01)
    assert first.last == parent.run().last == 40
    assert second.last == fork.run().last == 25
    assert first.spent[:11].tolist() == second.spent[:11].tolist()
    assert all(a <= b for a, b in zip(second.spent, second.spent[1:]))
    assert second.spent[-1] > 0


def test_a_fork_that_has_ended_has_no_value_of_its_parent_on_the_chart() -> None:
    parent = tiny(steps=40).run()
    fork = parent.fork(10, eta=0.4, steps=25).run()
    t, values = BySteps().series(fork, *fork.curve("f"))
    assert t[-1] == 25
    assert values[-1] == float(fork.at(25).state.x[0] ** 2) != parent.curve("f")[1][25]
    assert fork.theorem_series(0)[0][-1] == 25


def test_a_run_that_can_be_made_only_once_is_refused() -> None:
    class Once:
        resumes = False
        algorithm = TINY

    with pytest.raises(Refused, match="Tiny descent .* cannot be timed"):
        Stopwatch(Once())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "0 s"), (2.0, "2.00 s"), (1.234e-3, "1.23 ms"), (4.56e-5, "45.6 µs"), (7e-7, "700 ns")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_runs_are_shown_beside_each_other_at_the_step_that_the_player_is_on_its_way_to() -> None:
    first, second = tiny(), tiny()
    player = Player(first)
    player.seek(5)
    session: SideBySide[RunSession] = SideBySide()
    these = session.begin([ComparedRun("", first), ComparedRun("", second)], player)
    assert player.t == 0
    assert at(worked(these)) == [5, 5]


# Breakpoints on the way


def first_below(run: Timeline, bound: float) -> int:
    t, values = run.run().curve("f")
    return int(t[values < bound][0])


@pytest.mark.parametrize("pace", [4, len(SPEEDS) - 1])
def test_playing_stops_where_a_breakpoint_holds_in_any_run(pace: int) -> None:
    slow, quick = tiny(), tiny(eta=0.3)
    these = together(slow, quick)
    these.pace, stops = pace, [Breakpoint("f < 1"), Breakpoint("f < 5", on=False)]
    seen = []
    for _ in range(3):
        these.play(breakpoints=stops)
        for _ in range(400):
            these.tick(0.05, 0.05)
            if not these.playing:
                break
        seen.append((these.place[0], these.notice))
        these.notice = ""
    firsts = [first_below(run, 1) for run in (slow, quick)]
    assert seen == [(firsts[1], "B stops where f < 1"), (firsts[0], "A stops where f < 1"), (30.0, "")]


def test_running_to_the_end_stops_at_breakpoints_though_another_run_goes_on_for_long() -> None:
    endless, quick = tiny(steps=10**5, eta=1e-5), tiny(eta=0.3)
    these = together(endless, quick)
    these.to_end([Breakpoint("f < 1")])
    assert at(worked(these)) == [first_below(quick, 1)] * 2
    assert these.notice == "B stops where f < 1"
    assert len(endless) < 10**5, "the other was not run to its end first"
    assert not these.playing


def test_a_run_is_not_advanced_by_looking_for_breakpoints_in_it() -> None:
    runs = [tiny(), tiny(eta=0.3)]
    for run in runs:
        run.advance(2)
    stops = StopsAhead(runs, [Breakpoint("f < 1")])
    lengths = [len(run) for run in runs]
    assert stops.place(BySteps(), (0.0, 0.0), (30.0, 0.0)) is None
    assert [len(run) for run in runs] == lengths
    for run in runs:
        run.run()
    assert stops.place(BySteps(), (0.0, 0.0), (30.0, 0.0)) == (first_below(runs[1], 1), 0.0)


def test_looking_on_for_a_breakpoint_leaves_slow_runs_to_their_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [tiny(), tiny(eta=0.3)]
    these = together(*runs)
    monkeypatch.setattr(Player, "slow", property(lambda player: player.timeline is runs[0]))
    lengths = len(runs[0])
    these.stop([Breakpoint("f < 1")], forward=True)
    for _ in range(20):
        these.work(0.05)
    assert len(runs[0]) == lengths, "not in the thread of the one who asks"
    assert these.seeks
    for _ in range(20):
        these.work_on(0, 0.05)  # as its thread does
        these.work(0.05)
    assert these.notice == "B stops where f < 1"
    assert these.place == (first_below(runs[1], 1), 0.0)


def test_by_iteration_too_playing_stops_at_the_step_inside() -> None:
    runs = [Timeline(find("lloyd"), Dataset(np.random.default_rng(k).normal(size=(40, 2))), {"k": 3}) for k in (0, 1)]
    these = together(*runs, alignment=lambda _runs: ByIterations())
    these.play(breakpoints=[Breakpoint("update and t > 3")])
    for _ in range(200):
        these.tick(0.2, 0.05)
    assert these.notice == "A stops where update and t > 3, B stops where update and t > 3"
    assert at(these) == [4, 4]
    assert these.place == these.alignment.key(runs[0], 4)
    assert these.place[1] == 1.0, "in the middle of an iteration"
    these.to_end()
    assert at(worked(these)) == [run.last for run in runs]
