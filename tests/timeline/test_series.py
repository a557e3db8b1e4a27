"""Series and log: what is known of a long run stays small, covers all of it and every kind of step."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import Timeline
from algorithms.core import Curve, Event, Sides, Theorem
from algorithms.timeline import series
from algorithms.timeline.step_log import Kind, StepLog
from tests.timeline.toys import DATA, ORBIT, OrbitState, declared, length, orbit


def test_curves_of_a_long_run_are_a_few_thousand_evenly_spread_values_of_its_own() -> None:
    run = Timeline(ORBIT, DATA, {"limit": 2.0})
    run.advance(20_000)
    t, values = run.curve("length")
    assert 1000 < len(t) <= series.MOST + 1
    assert t[0] == 0
    assert t[-1] == run.last
    assert np.diff(t).max() < 60
    for i in np.linspace(0, len(t) - 1, 40).astype(int):
        assert values[i] == length(run.problem, run.at(int(t[i])).state)
    t, laps = run.curve("laps")
    assert len(t) > 500
    assert all(run.kind(int(i)).phase == "lap" for i in t)
    assert np.array_equal(laps, [run.at(int(i)).state.iteration for i in t])


def test_rare_kinds_of_step_stay_while_frequent_ones_are_thinned() -> None:
    run = Timeline(ORBIT, DATA, {"limit": 3.6})
    run.advance(25_000)
    t, _ = run.curve("length")
    phases = [run.kind(int(i)).phase for i in t]
    assert phases.count("start") == 1
    jumps = sum(kind.phase == "jump" for kind in map(run.kind, range(len(run))))
    assert phases.count("jump") >= min(jumps, 200)


def test_curves_reach_the_newest_step_whenever_they_are_asked_for() -> None:
    run = Timeline(ORBIT, DATA)
    for _ in range(300):
        run.advance(37)
        t, values = run.curve("length")
        assert t[-1] == run.last
        assert values[-1] == length(run.problem, run.at(run.last).state)
        assert (np.diff(t) > 0).all()
        t, sides = run.theorem_series(0)
        assert t[-1] == run.last
        assert sides[-1].tolist() == [values[-1], 3.0]


def test_a_theorem_that_fails_once_is_never_forgotten() -> None:
    def once(problem: Any, before: Any, after: OrbitState) -> Sides:
        return Sides(("t", float(after.t == 3)), ("0", 0.0), ("1", 1.0))

    run = Timeline(declared(orbit, theorems=(Theorem("t is not 3", once, "made up"),)), DATA)
    run.advance(20_000)
    assert [f.t for f in run.failures] == [3]
    t, sides = run.theorem_series(0)
    assert sides.shape == (len(t), 3)
    fork = run.fork(run.nearest_entry(100))
    assert [f.t for f in fork.failures] == [3]
    assert [f.t for f in run.fork(0).failures] == []


def test_a_failure_that_was_looked_at_is_noted_once() -> None:
    def odd(problem: Any, before: Any, after: OrbitState) -> Sides:
        return Sides(("odd", float(after.t % 1000 == 777)), ("0", 0.0))

    run = Timeline(declared(orbit, theorems=(Theorem("never odd", odd, "made up"),)), DATA)
    run.advance(20_000)
    for t in (19_777, 9_777, 9_777):
        assert run.verdicts(run.at(t))[0].status == "fails"
    noted = [f.t for f in run.failures]
    assert {19_777, 9_777} <= set(noted)
    assert noted == sorted(set(noted))


def test_dear_curves_are_measured_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def dear(problem: Any, state: OrbitState) -> float:
        nonlocal now
        now += 0.01
        return 1.0

    for clock in ("perf_counter", "process_time"):
        monkeypatch.setattr(series, clock, lambda: now)
    run = Timeline(declared(orbit, curves=(Curve("dear", dear),)), DATA)
    run.advance(30_000)
    assert now < 20  # at every step it would be 300
    t, _ = run.curve("dear")
    assert len(t) > 60
    assert np.diff(t).max() < 30_000 / 20


def test_dear_curves_are_measured_at_every_step_where_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def dear(problem: Any, state: OrbitState) -> float:
        nonlocal now
        now += 0.01
        return 1.0

    for clock in ("perf_counter", "process_time"):
        monkeypatch.setattr(series, clock, lambda: now)
    run = Timeline(declared(orbit, curves=(Curve("dear", dear),)), DATA)
    for _ in range(1000):
        run.advance(1)
        now += 0.1  # as when ten steps a second are shown
    assert len(run.curve("dear")[0]) == 1000


def test_seventy_thousand_kinds_of_step() -> None:
    def fickle(data: Any, state: OrbitState | None = None, *, laps: int = 70_000) -> Any:
        for later in orbit(data, state, laps=laps):
            yield replace(later, phase=f"phase {later.t}")

    run = Timeline(declared(fickle, start_only=(), events=(Event("66,000", lambda b, a: a.t == 66_000),)), DATA)
    run.advance(70_000)  # more than two bytes count
    assert run.kind(69_999).phase == "phase 69999"
    assert run.next_event(0) == 66_000
    assert run.previous_event(69_999) == 66_000
    assert len(run.curve("length")[0]) <= series.MOST + 1


def test_searches_in_a_log_look_at_every_step() -> None:
    rng = np.random.default_rng(0)
    log = StepLog()
    codes = [log.code(Kind("a", 1, (False,))), log.code(Kind("b", 1, (True,)))]
    marks = np.flatnonzero(rng.random(20_000) < 0.0005)
    for t in range(20_000):
        log.codes.append(codes[int(t in marks)])

    def wanted(kind: Kind) -> bool:
        return kind.phase == "b"

    assert list(log.backwards(wanted, 0, 20_000)) == marks[::-1].tolist()
    for t in (0, 5, 1023, 1024, 1025, 5000, 19_999, 20_000, *marks.tolist()):
        after, before = marks[marks >= t], marks[marks < t]
        assert log.first(wanted, t, 20_000) == (after[0] if len(after) else None)
        assert log.last(wanted, 0, t) == (before[-1] if len(before) else None)


def test_iteration_starts_handed_out_do_not_change_later() -> None:
    run = Timeline(ORBIT, DATA)
    run.advance(1000)
    held = run.iteration_starts()
    copy = held.copy()
    run.advance(10_000)
    assert np.array_equal(held, copy)
    assert not held.flags.writeable
    assert len(run.iteration_starts()) > len(held)
