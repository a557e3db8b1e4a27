"""Searching a run: the same steps are found in both directions, in slices, with few states kept, and across forks."""

import math
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from algorithms import Dataset, Timeline
from algorithms.core import Curve, Event, Theorem
from algorithms.timeline.conditions import Condition, Search, any_of, parse, starting
from tests.examples import examples
from tests.timeline.toys import DATA, ORBIT, declared, forgetful, orbit, unresumable

TEXTS = (
    "jumps >= 2",
    "length > 2.2",
    "length rises and row 1 is visited",
    "laps rises or jump",
    "jump and x[0] < 0",
    "x turned",
    "lap",
    "not drift",
    "iteration 7",
    "t > 30 and t < 50",
    "seen changes",
    "laps rises and jumps > 3",
    "a theorem fails",
    "jumps < 0",
    "laps > 3 or laps < 2",
    "not (length > 1 and jumps < 5)",
    "iteration >= 4",
)


def every_match(run: Timeline, condition: Condition, forward: bool, seconds: float = math.inf) -> list[int]:
    """Every hit, one search after another, in rising order."""
    hits: list[int] = []
    start = -1 if forward else len(run)
    while True:
        search = Search(run, condition, start, forward)
        while not search.done:
            search.work(seconds)
        assert not search.trouble
        if search.match is None:
            assert search.progress == 1.0 or not forward
            return hits if forward else hits[::-1]
        start = search.match
        hits.append(start)


def by_hand(run: Timeline, condition: Condition) -> list[int]:
    return [t for t in range(len(run)) if condition.holds(run, t)]


@settings(max_examples=examples(40), deadline=None)
@given(
    text=st.sampled_from(TEXTS),
    budget=st.sampled_from((600, 3_000, 20_000, 1 << 20)),
    laps=st.integers(1, 90),
    limit=st.sampled_from((0.5, 1.5, 3.0)),
    slices=st.booleans(),
    begins=st.booleans(),
)
def test_the_same_steps_both_ways(text: str, budget: int, laps: int, limit: float, slices: bool, begins: bool) -> None:
    run = Timeline(ORBIT, DATA, {"laps": laps, "limit": limit}, budget=budget).run()
    condition = parse(text, ORBIT, DATA)
    condition = starting(condition) if begins else condition
    expected = by_hand(run, condition)
    assert every_match(run, condition, True, 0.0 if slices else math.inf) == expected
    assert every_match(run, condition, False, 0.0 if slices else math.inf) == expected
    unrun = Timeline(ORBIT, DATA, {"laps": laps, "limit": limit}, budget=budget)
    assert every_match(unrun, condition, True, 0.0 if slices else math.inf) == expected


@settings(max_examples=examples(25), deadline=None)
@given(
    text=st.sampled_from(TEXTS),
    budget=st.sampled_from((600, 20_000)),
    at=st.integers(0, 150),
    again=st.integers(0, 60),
    pull=st.sampled_from((0.9, 0.5)),
)
def test_the_same_steps_both_ways_across_forks(text: str, budget: int, at: int, again: int, pull: float) -> None:
    run = Timeline(ORBIT, DATA, {"laps": 40}, budget=budget).run()
    fork = run.fork(min(at, run.last), pull=pull).run()
    run = fork.fork(min(fork.begin + again, fork.last), limit=1.0).run()
    condition = parse(text, ORBIT, DATA)
    expected = by_hand(run, condition)
    assert every_match(run, condition, True) == expected
    assert every_match(run, condition, False) == expected


def test_a_search_runs_on_and_stops_at_the_hit() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 1_000_000, "limit": 1.5})
    t = Search(run, parse("jumps >= 40", ORBIT, DATA), 0).work()
    assert t is not None
    assert run.at(t).state.jumps == 40
    assert run.at(t - 1).state.jumps == 39
    assert len(run) == t + 1


def test_a_search_works_no_longer_than_it_may() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 1_000_000, "limit": 1.5})
    run.advance(3_000)
    for forward in (True, False):
        search = Search(run, parse("jumps < 0", ORBIT, DATA), 0 if forward else run.last, forward)
        for _ in range(5):
            assert search.work(0.0) is None
            assert not search.done
        assert search.position < 3_000 or forward


def test_a_search_stays_within_its_limit() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 1_000_000, "limit": 1.5})
    search = Search(run, parse("jumps < 0", ORBIT, DATA), 0)
    for limit in (5, 6, 40):
        search.work(limit=limit)
        assert search.position == limit
    assert len(run) == 41
    run.advance(100)
    search.work(limit=70)
    assert search.position == 70
    assert not search.done


def test_progress_goes_from_nothing_to_all_of_it() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 2_000}, budget=3_000).run()
    for forward in (True, False):
        search = Search(run, parse("jumps < 0", ORBIT, DATA), 0 if forward else run.last, forward)
        seen: list[float] = [search.progress or 0.0]
        while not search.done:
            search.work(0.001)
            seen.append(search.progress or 0.0)
        assert seen[0] == 0.0
        assert seen[-1] == 1.0
        assert seen == sorted(seen)
        assert len(set(seen)) > 3


def test_the_first_step_can_be_found_and_nothing_lies_before_it() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 2}).run()
    assert Search(run, parse("start", ORBIT, DATA), 5, forward=False).work() == 0
    assert Search(run, parse("jumps == 0", ORBIT, DATA), 1, forward=False).work() == 0
    before = Search(run, parse("jumps == 0", ORBIT, DATA), 0, forward=False)
    assert before.work() is None
    assert before.done


def test_backwards_replays_no_step_more_than_once() -> None:
    made = 0

    def counted(data: Dataset, state: Any = None, *, laps: int = 900) -> Any:
        nonlocal made
        for each in orbit(data, state, laps=laps):
            made += 1
            yield each
        return "done"

    run = Timeline(declared(counted, start_only=()), DATA, budget=20_000).run()
    assert run.stride > 8
    made = 0
    assert Search(run, parse("jumps < 0", run.algorithm, DATA, run.at(0).state), len(run), forward=False).work() is None
    assert made <= len(run) + 10


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bad > 0", "the curve bad could not be measured at step"),
        ("theorem 1 fails", "the theorem a bad one could not be computed at step"),
        ("a bad event", "the event a bad event could not be told at step"),
    ],
)
def test_a_hook_that_raises_ends_it_with_a_sentence(text: str, said: str, forward: bool) -> None:
    def bad(*_: Any) -> Any:
        raise ZeroDivisionError("by zero")

    algorithm = declared(
        orbit,
        curves=(Curve("bad", bad, phases=("lap",)),),
        theorems=(Theorem("a bad one", bad, "nobody"),),
        events=(Event("a bad event", bad),),
    )
    run = Timeline(algorithm, DATA, {"laps": 4}).run()
    search = Search(run, parse(text, algorithm, DATA), -1 if forward else len(run), forward)
    assert search.work() is None
    assert search.done
    assert said in search.trouble
    assert "ZeroDivisionError: by zero" in search.trouble


def test_any_of_several() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 9}).run()
    some = [parse(text, ORBIT, DATA) for text in ("jump", "row 1 is visited and x[0] > 0")]
    expected = sorted({t for condition in some for t in by_hand(run, condition)})
    assert every_match(run, any_of(some), True) == expected
    assert every_match(run, any_of(some), False) == expected


@pytest.mark.parametrize("make", [forgetful, unresumable])
def test_what_cannot_be_replayed_is_searched_as_far_as_it_is_kept(make: Any) -> None:
    algorithm = declared(make, start_only=())
    whole = Timeline(algorithm, DATA, {"laps": 60}).run()
    condition = parse("x[0] > 3", algorithm, DATA, whole.at(0).state)
    expected = every_match(whole, condition, True)
    assert expected == every_match(whole, condition, False) == by_hand(whole, condition)
    few = Timeline(algorithm, DATA, {"laps": 60}, budget=4_000).run()
    assert Search(few, condition, 0).gaps == few.stride > 1
    kept = every_match(few, condition, True)
    assert kept == every_match(few, condition, False)
    assert kept
    assert set(kept) <= set(expected)


def test_a_sweep_gives_what_the_timeline_gives() -> None:
    for budget in (600, 20_000, 1 << 20):
        root = Timeline(ORBIT, DATA, {"laps": 60}, budget=budget).run()
        run = root.fork(90, pull=0.5).run()
        for first, stop in ((0, len(run)), (1, 2), (run.begin - 3, run.begin + 3), (run.begin, len(run)), (37, 61)):
            swept = list(run.sweep(first, stop))
            assert [t for t, _, _ in swept] == list(range(first, stop))
            for t, before, state in swept:
                frame = run.at(t)
                assert state.t == t
                assert state.x.tolist() == frame.state.x.tolist()
                assert (before is None) == (frame.before is None)
                assert before is None or frame.before is None or before.x.tolist() == frame.before.x.tolist()


def test_what_two_runs_share() -> None:
    root = Timeline(ORBIT, DATA, {"laps": 20}).run()
    fork = root.fork(40, pull=0.5).run()
    again = fork.fork(fork.begin + 20, limit=1.0).run()
    early = root.fork(12, limit=1.0).run()
    other = Timeline(ORBIT, DATA, {"laps": 20}).run()
    assert root.shared_with(root) == len(root)
    assert root.shared_with(fork) == fork.shared_with(root) == fork.begin
    assert again.shared_with(fork) == again.begin
    assert again.shared_with(root) == fork.begin
    assert again.shared_with(early) == early.shared_with(again) == early.begin
    assert root.shared_with(other) == 0


def test_a_curve_of_two_phases_is_compared_with_the_later_of_them() -> None:
    curve = Curve("turns", lambda problem, state: state.x[0], phases=("lap", "jump"))
    algorithm = declared(orbit, curves=(curve,))
    for budget in (3_000, 1 << 20):
        run = Timeline(algorithm, DATA, {"laps": 60, "limit": 2.0}, budget=budget).run()
        turns = [t for t in range(len(run)) if run.kind(t).phase in ("lap", "jump")]
        places = [run.values(run.at(t))[0] for t in turns]
        expected = [t for t, before, after in zip(turns[1:], places, places[1:]) if after > before]
        condition = parse("turns rises", algorithm, DATA)
        assert expected
        assert (
            every_match(run, condition, True)
            == every_match(run, condition, False)
            == by_hand(run, condition)
            == expected
        )


@pytest.mark.parametrize("budget", [3_000, 1 << 20])
def test_a_comparison_begins_to_hold_where_it_did_not_before(budget: int) -> None:
    run = Timeline(ORBIT, DATA, {"laps": 60, "limit": 2.0}, budget=budget).run()
    for text in ("length > 1.5", "not length > 1.5", "jumps >= 3", "iteration >= 4 or t < 9", "x[0] < 0 and x[1] < 0"):
        plain = parse(text, ORBIT, DATA)
        holds = [plain.holds(run, t) for t in range(len(run))]
        expected = [t for t in range(len(run)) if holds[t] and not (t and holds[t - 1])]
        assert expected
        assert every_match(run, starting(plain), True) == every_match(run, starting(plain), False) == expected


def test_of_a_curve_of_some_phases_it_begins_where_it_was_measured() -> None:
    run = Timeline(ORBIT, DATA, {"laps": 9}).run()
    laps = [t for t in range(len(run)) if run.kind(t).phase == "lap"]
    assert every_match(run, starting(parse("laps > 3", ORBIT, DATA)), True) == laps[3:4]


def test_what_happens_at_a_step_is_found_each_time() -> None:
    for text in ("jump", "row 1 is visited", "x changes", "jump and jumps > 2", "a theorem fails", "iteration 3"):
        condition = parse(text, ORBIT, DATA)
        assert starting(condition) is condition
