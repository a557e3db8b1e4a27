"""The timeline: a run given back at any step and forked, whatever the budget."""

import math
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from algorithms import Refused, Timeline
from algorithms.core import Curve, Event, State, Theorem
from algorithms.core.state import same
from tests.examples import examples
from tests.timeline import toys
from tests.timeline.toys import (
    DATA,
    MOVED,
    ORBIT,
    PHASED,
    OrbitState,
    brittle,
    declared,
    forgetful,
    length,
    orbit,
    unresumable,
)

BUDGETS = (1, 700, 3_000, 20_000, 10**8)


def plain(n: int, start: State | None = None, data: Any = DATA, **parameters: Any) -> list[State]:
    """The states that the generator itself yields, from its start or from what comes after `start`."""
    return list(islice(ORBIT(data, state=start, **parameters), n))


def check(run: Timeline, t: int, truth: list[State], begin: int = 0) -> None:
    """The frame at t is the state of the plain run, with the one before it."""
    frame = run.at(t)
    assert frame.t == t
    assert same(frame.state, truth[t])
    assert (frame.before is None) == (t == begin)
    if frame.before is not None:
        assert same(frame.before, truth[t - 1])


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("algorithm", [ORBIT, PHASED])
def test_any_step_is_the_run_s_own_whatever_the_budget(budget: int, algorithm: Any) -> None:
    truth = plain(301)
    run = Timeline(algorithm, DATA, budget=budget)
    assert run.advance(300) == 300
    assert len(run) == 300
    order = [*range(0, 300, 7), *range(299, 250, -1), *np.random.default_rng(0).integers(0, 300, 60).tolist()]
    for t in order:
        check(run, t, truth)
    assert run.resumes


@pytest.mark.parametrize("budget", BUDGETS)
def test_memory_stays_within_the_budget_but_for_a_few_states(budget: int) -> None:
    run = Timeline(ORBIT, DATA, {"size": 1000}, budget=budget)
    run.advance(400)
    for t in range(399, 300, -1):
        run.at(t)
    one = 8 * 1000 + 400
    assert run._own.checkpoints.bytes <= max(budget // 2, 3 * 4 * one)
    held = run._own._segments._held.values()
    assert sum(stretch.kept.bytes for stretch in held) <= max(budget // 3, 3 * 4 * one) * 1.5


actions = st.lists(
    st.one_of(
        st.tuples(st.just("advance"), st.integers(1, 60)),
        st.tuples(st.just("at"), st.floats(0, 1)),
        st.tuples(st.just("back"), st.integers(1, 12)),
        st.tuples(st.just("fetch"), st.floats(0, 1)),
        st.tuples(st.just("prefetch"), st.floats(0, 1)),
        st.tuples(st.just("trail"), st.floats(0, 1)),
        st.tuples(st.just("recent"), st.floats(0, 1)),
        st.tuples(st.just("fork"), st.floats(0, 1)),
        st.tuples(st.just("fork pull"), st.floats(0, 1)),
        st.tuples(st.just("fork data"), st.floats(0, 1)),
        st.tuples(st.just("fork state"), st.floats(0, 1)),
    ),
    max_size=30,
)


@settings(max_examples=examples(40), deadline=None)
@given(actions, st.sampled_from(BUDGETS))
def test_any_use_of_it_gives_what_the_generator_gives(todo: list[tuple[str, Any]], budget: int) -> None:
    run = Timeline(ORBIT, DATA, budget=budget)
    run.advance(1)
    truth = plain(2000)  # of the run at hand: forks replace its tail
    changed_at = 0
    cursor = 0
    for action, x in todo:
        if action == "advance":
            assert run.advance(x) == x
            continue
        if action == "back":
            for _ in range(x):
                cursor = max(cursor - 1, 0)
                assert same(run.at(cursor).state, truth[cursor])
            continue
        cursor = round(x * run.last)
        if action == "at":
            before = run.at(cursor).before
            assert same(run.at(cursor).state, truth[cursor])
            assert before is None or same(before, truth[cursor - 1])
        elif action == "fetch":
            for _ in range(3000):
                frame = run.fetch(cursor, seconds=0.0)
                if frame is not None:
                    break
            assert frame is not None
            assert same(frame.state, truth[cursor])
            assert run.steps_to(cursor) == 0
        elif action == "prefetch":
            run.prefetch(cursor, seconds=1e-5)
        elif action == "trail":
            trail = run.trail(cursor)
            assert [s.t for s in trail] == sorted({s.t for s in trail})
            assert all(same(s, truth[s.t]) for s in trail)
        elif action == "recent":
            assert all(same(s, truth[s.t]) for s in run.recent(cursor, 5))
        else:
            begin = run.nearest_entry(cursor)
            first = run.at(begin).state
            owner = run._owner(begin)
            data: Any = owner.data
            parameters = owner.parameters
            if action == "fork":
                fork = run.fork(cursor)
            elif action == "fork pull":
                parameters = parameters | {"pull": 0.5 + 0.4 * x}
                fork = run.fork(cursor, pull=parameters["pull"])
            elif action == "fork data":
                data = MOVED if data is DATA else DATA
                fork = run.fork(cursor, data=data)
            else:
                first = replace(first, x=np.array([x, 1.0]))
                fork = run.fork(begin, state=first)
            assert fork.begin == begin
            assert len(fork) == begin + 1
            truth = truth[:begin] + [first] + plain(2000, first, data, **parameters)
            run, cursor = fork, begin
            changed_at = max(changed_at, begin)
    assert all(run.kind(t).phase == truth[t].phase for t in range(len(run)))
    starts = [t for t in range(len(run)) if t == 0 or truth[t].iteration != truth[t - 1].iteration]
    assert run.iteration_starts().tolist() == starts


def events_of(states: list[State]) -> list[int]:
    """Where something happened, from the states themselves."""
    found = []
    for before, after in zip([None, *states], states):
        turned = before is not None and before.x[0] * after.x[0] < 0  # type: ignore[attr-defined]
        if after.phase == "jump" or turned:
            found.append(after.t)
    return found


def test_next_and_previous_event_and_iteration_across_a_fork_of_a_fork() -> None:
    run = Timeline(ORBIT, DATA, {"limit": 2.0}, budget=3000)
    run.advance(100)
    one = run.fork(60, limit=1.5)
    one.advance(100)
    two = one.fork(120, limit=4.0)
    two.advance(100)
    assert two.begin < 121
    states = [two.at(t).state for t in range(len(two))]
    events = events_of(states)
    # A fork's first state is what it was in its parent.
    assert [t for t in range(len(two)) if any(two.kind(t).events)] == events
    assert len([e for e in events if e < one.begin]) > 3
    for t in range(-1, len(two) + 1):
        assert two.next_event(t) == next((e for e in events if e > t), None)
        assert two.previous_event(t) == next((e for e in reversed(events) if e < t), None)
    starts = two.iteration_starts().tolist()
    for t in range(len(two)):
        assert two.next_iteration(t) == next((s for s in starts if s > t), None)
        assert two.previous_iteration(t) == next((s for s in reversed(starts) if s < t), None)


@pytest.mark.parametrize("budget", BUDGETS)
def test_recent_is_what_the_last_events_left_behind(budget: int) -> None:
    run = Timeline(ORBIT, DATA, {"limit": 2.0}, budget=budget)
    run.advance(200)
    events = events_of(plain(200, limit=2.0))
    for t in (0, 3, 40, 150, 199):
        past = [e for e in events if e <= t][:-1]
        wanted = past[::-1][:6]
        if len(wanted) < 6 and t > 0:
            wanted.append(0)
        assert [s.t for s in run.recent(t, 6, seconds=math.inf)] == wanted


def test_a_trail_is_the_same_for_a_step_however_far_the_run_has_come() -> None:
    run = Timeline(ORBIT, DATA, budget=8 << 20)
    run.advance(2500)
    short = {t: [s.t for s in run.trail(t)] for t in (0, 1, 50, 127, 128, 400, 999, 1030, 2100)}
    assert short[999] == list(range(1000))  # as it was taken: of a zigzag every second place would be a straight line
    assert short[1030] == [*range(1025), 1030]
    assert short[2100] == [*range(1024), *range(1024, 2048, 8), *range(2048, 2100, 16), 2100]
    run.advance(25_000)
    assert run.stride > 1
    for t, trail in short.items():
        run.at(t)
        assert [s.t for s in run.trail(t)] == trail


def test_a_trail_of_few_large_states_is_made_of_kept_ones() -> None:
    run = Timeline(ORBIT, DATA, {"size": 2000}, budget=200_000)
    run.advance(100)
    assert run.stride > 4
    trail = [s.t for s in run.trail(99)]
    assert trail[0] == 0
    assert trail[-1] == 99
    assert all(t % run.stride == 0 for t in trail[:-1])


def test_a_limited_fetch_goes_on_where_it_left_off() -> None:
    run = Timeline(ORBIT, DATA, budget=1)
    run.advance(1000)
    target = run.last - 3
    left = [run.steps_to(target)]
    while run.fetch(target, seconds=0.0) is None:
        left.append(run.steps_to(target))
    assert left == list(range(left[0], left[0] - len(left), -1))
    assert left[0] > 30
    assert run.steps_to(target) == 0


def test_going_back_step_by_step_replays_little_even_when_little_is_held() -> None:
    calls = 0

    def counting(data: Any, state: Any = None, *, pull: float = 0.9) -> Any:
        nonlocal calls
        for later in orbit(data, state, pull=pull):
            calls += 1
            yield later

    run = Timeline(declared(counting, start_only=()), DATA, budget=1)
    run.advance(1025)
    calls = 0
    for t in range(1000, 500, -1):
        run.at(t)
    assert calls < 500 * 40  # the stretch is 512 steps long, and two of its states are held


def test_back_steps_in_a_stretch_at_hand_replay_nothing() -> None:
    run = Timeline(ORBIT, DATA, budget=300_000)
    run.advance(2000)
    stride = run.stride
    assert stride > 4
    t = 1000 // stride * stride + stride - 1
    assert run.prefetch(t, math.inf)
    assert [run.steps_to(u) for u in range(t - 2 * stride + 2, t + 1)] == [0] * (2 * stride - 1)


def test_beyond_the_run_is_said() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(5)
    for t in (-1, 5, 99):
        with pytest.raises(IndexError, match=f"step {t} is not there: the run has come to step 4"):
            run.at(t)
        with pytest.raises(IndexError):
            run.fork(t)


def test_the_end_is_told_in_the_generator_s_words() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 3}).run()
    assert run.stopped is not None
    assert run.stopped.reason == "3 laps"
    assert not run.stopped.failed
    assert run.advance(5) == 0
    assert run.at(run.last).state.iteration == 3


def test_an_ended_run_forked_with_a_wider_limit_goes_on() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 3}).run()
    fork = run.fork(run.last, laps=5).run()
    assert fork.at(fork.last).state.iteration == 5
    assert same(fork.at(fork.last).state, plain(99, laps=5)[-1])


# A step or a hook that raises


def test_a_step_that_raises_ends_the_run_and_loses_nothing() -> None:
    run = Timeline(declared(brittle, start_only=(), theorems=()), DATA)
    assert run.advance(100) == 7
    assert run.stopped is not None
    assert run.stopped.failed
    assert run.stopped.reason == "ZeroDivisionError: the seventh step"
    source = Path(toys.__file__).read_text().splitlines()
    assert "raise ZeroDivisionError" in source[run.stopped.line - 1]
    assert "Traceback" in run.stopped.details
    assert run.at(6).state.t == 6
    assert len(run.curve("length")[0]) == 7


@pytest.mark.parametrize("error", [ZeroDivisionError, StopIteration, MemoryError])
def test_a_hook_that_raises_is_told_and_the_run_goes_on(error: type[Exception]) -> None:
    def bad_curve(problem: Any, state: OrbitState) -> float:
        if state.t > 3:
            raise error("no curve")
        return 1.0

    def bad_sides(problem: Any, before: Any, after: Any) -> None:
        raise error("no sides")

    def bad_event(before: Any, after: Any) -> bool:
        raise error("no event")

    algorithm = declared(
        orbit,
        events=(Event("odd", bad_event),),
        curves=(Curve("bad", bad_curve), Curve("length", length)),
        theorems=(Theorem("never", bad_sides, "none"),),
    )
    run = Timeline(algorithm, DATA)
    assert run.advance(50) == 50
    assert run.stopped is None
    assert {t.what: t.t for t in run.troubles} == {"the curve bad": 4, "the theorem never": 0, "the event odd": 0}
    assert all(t.error.startswith(error.__name__) for t in run.troubles)
    assert all("Traceback" in t.details for t in run.troubles)
    (verdict,) = run.verdicts(run.at(10))
    assert verdict.status == "undecided"
    assert verdict.why == f"computing it failed: {error.__name__}: no sides"
    assert run.curve("bad")[0].tolist() == [0, 1, 2, 3]
    assert len(run.curve("length")[0]) == 50
    assert math.isnan(run.values(run.at(10))[0])
    assert run.next_event(0) is None


# Generators that cannot be resumed


def test_a_generator_that_takes_no_state_is_recorded_whole_and_then_at_kept_steps() -> None:
    algorithm = declared(unresumable, start_only=())
    run = Timeline(algorithm, DATA)
    run.run()
    assert not run.resumes
    assert [run.at(t).t for t in range(len(run))] == list(range(51))
    assert run.at(7).before is not None
    small = Timeline(algorithm, DATA, budget=4000).run()
    assert small.stride > 1
    for t in range(len(small) - 1):
        assert small.at(t).t == t // small.stride * small.stride
        assert same(small.at(t).state, run.at(small.at(t).t).state)
    assert small.at(small.last).t == small.last
    assert small.prefetch(9, 1.0)
    with pytest.raises(Refused, match="cannot be taken up again from a state"):
        small.fork(3)


def test_a_generator_that_keeps_something_to_itself_is_found_out() -> None:
    run = Timeline(declared(forgetful, start_only=()), DATA, budget=4000).run()
    assert not run.resumes
    truth = list(forgetful(DATA))
    assert all(same(run.at(t).state, truth[run.at(t).t]) for t in range(len(run)))


def test_a_replay_that_ends_early_falls_back_to_what_is_kept() -> None:
    def short_of_breath(data: Any, state: OrbitState | None = None, *, laps: int = 100) -> Any:
        resumed = state is not None
        for i, later in enumerate(orbit(data, state, laps=laps)):
            if resumed and i == 3:
                return
            yield later

    run = Timeline(declared(short_of_breath, start_only=()), DATA, budget=40_000).run()
    assert 4 < run.stride < 100
    assert run.resumes  # three steps were right
    frame = run.at(run.stride + run.stride - 1)
    assert frame.t == run.stride
    assert not run.resumes


# Forks


def test_a_fork_with_nothing_changed_does_as_its_parent() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(50)
    fork = run.fork(20)
    fork.advance(30)
    assert fork.problem is run.problem
    for t in range(50):
        assert same(fork.at(t).state, run.at(t).state)
        assert [v.status for v in fork.verdicts(fork.at(t))] == [v.status for v in run.verdicts(run.at(t))]
    assert fork.at(fork.begin).before is not None


def test_a_fork_that_changes_something_silences_what_rests_on_the_run() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(50)
    changes: list[dict[str, Any]] = [{"pull": 0.8}, {"data": MOVED}, {"state": replace(run.at(20).state, jumps=0)}]
    for change in changes:
        fork = run.fork(20, **change)
        assert fork.begin == 20
        fork.advance(10)
        first, later = fork.verdicts(fork.at(20)), fork.verdicts(fork.at(21))
        assert [v.status for v in first] == ["holds", "does not apply", "does not apply"]
        assert [v.status for v in later] == ["holds", "holds", "does not apply"]
        assert [v.status for v in fork.verdicts(fork.at(19))] == ["holds"] * 3
        again = fork.fork(24)
        again.advance(5)
        assert again.verdicts(again.at(26))[2].status == "does not apply"


def test_a_fork_at_the_start_keeps_the_first_state() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(10)
    fork = run.fork(0, pull=0.5)
    fork.advance(20)
    assert fork.begin == 0
    assert [same(a, fork.at(t).state) for t, a in enumerate(plain(21, pull=0.5))] == [True] * 21
    assert fork.iteration_starts().tolist()[0] == 0


def test_a_fork_begins_where_a_change_is_sound() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(30)
    assert [run.nearest_entry(t) for t in range(9)] == [0, 0, 0, 0, 4, 4, 4, 4, 8]
    assert run.fork(11, pull=0.5).begin == 8


def test_a_fork_of_a_fork_before_its_beginning_is_of_the_run_that_was_there() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(50)
    one = run.fork(40, pull=0.5)
    two = one.fork(8, limit=2.0)
    assert two.parent is run
    assert two.parameters["pull"] == 0.9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"size": 3}, "size cannot be changed half-way"),
        ({"pull": 2.0}, "pull = 2.0 will not do"),
        ({"push": 2.0}, "there is no parameter 'push'"),
        ({"data": DATA.X[:2]}, "keeps 3 rows of 2 features; data has 2 rows"),
    ],
)
def test_what_a_fork_cannot_change_is_refused_in_words(change: dict[str, Any], words: str) -> None:
    from algorithms import Dataset

    run = Timeline(ORBIT, DATA)
    run.advance(10)
    if "data" in change:
        change = {"data": Dataset(change["data"])}
    with pytest.raises(Refused, match=words):
        run.fork(8, **change)
    run.fork(8, size=2)


def test_a_state_can_be_changed_at_a_sound_place_only_and_by_one_of_its_kind() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(10)
    with pytest.raises(Refused, match="the state of step 9 cannot be changed: the nearest sound place is step 8"):
        run.fork(9, state=run.at(9).state)
    with pytest.raises(Refused, match="with fields replaced"):
        run.fork(8, state=run.at(7).state)


def test_curves_of_a_fork_go_on_from_those_of_its_parent() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(50)
    fork = run.fork(20, pull=0.5)
    fork.advance(30)
    t, values = fork.curve("length")
    assert t.tolist() == list(range(51))
    assert np.allclose(values, [length(fork.problem, fork.at(i).state) for i in range(51)])
    t, sides = fork.theorem_series(2)
    assert t.tolist() == list(range(20))
    assert sides.shape == (20, 2)
