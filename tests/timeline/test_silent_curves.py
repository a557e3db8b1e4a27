"""Conditions on a curve that is nan at some steps: it is silent there, and compared with where it spoke last."""

import math

import numpy as np
import pytest

from algorithms import Timeline, find
from algorithms.core import Curve
from algorithms.data import datasets
from algorithms.timeline.conditions import Search, parse, starting
from tests.timeline.toys import DATA, declared, orbit


def every_fifth(problem, state):
    """Known at steps 0, 5, 10, ...: 0, -5, -2, 1, -4, ..."""
    return float((state.t * 3) % 8 - state.t % 7) if state.t % 5 == 0 else math.nan


SPARSE = declared(
    orbit, curves=(Curve("sparse", every_fifth), Curve("laps", lambda p, s: s.iteration, phases=("lap",)))
)
KNOWN = {t: every_fifth(None, type("At", (), {"t": t})) for t in range(0, 41, 5)}


def hits(run: Timeline, text: str, forward: bool = True, begins: bool = False) -> list[int]:
    """Every step at which it holds, found one after another."""
    condition = parse(text, run.algorithm, run.data)
    condition = starting(condition) if begins else condition
    at, found = (-1 if forward else len(run)), []
    while (hit := Search(run, condition, at, forward).work()) is not None:
        found.append(hit)
        at = hit
    return found if forward else found[::-1]


def sparse_run() -> Timeline:
    run = Timeline(SPARSE, DATA, {"laps": 10})
    run.advance(40)
    run.run()
    return run


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("way", ["rises", "falls", "changes"])
def test_it_is_compared_with_its_last_value(way: str, forward: bool) -> None:
    compare = {"rises": np.greater, "falls": np.less, "changes": np.not_equal}[way]
    pairs = zip(list(KNOWN)[1:], list(KNOWN.values())[1:], KNOWN.values())
    assert hits(sparse_run(), f"sparse {way}", forward) == [t for t, now, then in pairs if compare(now, then)]


@pytest.mark.parametrize("forward", [True, False])
def test_a_comparison_begins_to_hold_where_it_did_not_when_the_curve_spoke_last(forward: bool) -> None:
    low = [value < 0 for value in KNOWN.values()]
    expected = [t for t, now, then in zip(KNOWN, low, [False, *low]) if now and not then]
    assert hits(sparse_run(), "sparse < 0", forward, begins=True) == expected != [t for t in KNOWN if KNOWN[t] < 0]


def test_that_it_is_nan_begins_where_it_falls_silent() -> None:
    assert hits(sparse_run(), "isnan(sparse)", begins=True)[:3] == [1, 6, 11]


def test_the_mean_error_of_cross_validation_rises_where_a_value_is_worse_than_the_one_before() -> None:
    run = Timeline(find("cross_validation"), datasets.load("sine", n=20), {"tried": 8}).run()
    t, errors = run.curve("mean error")
    rising = t[1:][np.diff(errors) > 0].tolist()
    assert rising
    assert hits(run, "'mean error' rises") == hits(run, "'mean error' rises", forward=False) == rising
