"""A run goes on for so long: on a machine that is busy elsewhere for more of the clock, and never for ever."""

from itertools import count

import pytest

from algorithms import Timeline, find
from algorithms.timeline import live_run


def steps_in(monkeypatch: pytest.MonkeyPatch, seconds: float, got: float) -> int:
    """How many steps are taken in so long where a look at the clock costs a millisecond, and that share is ours."""
    run = Timeline(find("perceptron"), find("perceptron").datasets[0])
    run.advance(1)
    looks = count()
    now = [0.0]

    def clock() -> float:
        now[0] = next(looks) / 1000
        return now[0]

    monkeypatch.setattr(live_run, "perf_counter", clock)
    monkeypatch.setattr(live_run, "thread_time", lambda: got * now[0])
    before = len(run)
    run.advance(1000, seconds)
    return len(run) - before


def test_a_busy_machine_is_given_up_to_four_times_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = steps_in(monkeypatch, 0.01, 1.0)
    assert 8 <= usual <= 12
    assert 2 * usual < steps_in(monkeypatch, 0.01, 0.1) <= 4 * usual


def test_a_thread_that_has_long_shows_what_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps_in(monkeypatch, 0.1, 0.1) == steps_in(monkeypatch, 0.1, 1.0)


def test_that_a_step_is_long_is_no_sign_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps_in(monkeypatch, 0.01, 0.6) == steps_in(monkeypatch, 0.01, 1.0)
