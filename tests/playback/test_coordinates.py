"""Curves can be drawn along iterations and time: each step has a place, and each place a nearest step."""

import numpy as np
import pytest

from algorithms import Timeline
from algorithms.core import Refused
from algorithms.playback.cursor.coordinates import Iterations, Spent, step_near
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows


def run(steps: int = 30) -> Timeline:
    timeline = LoadedRun.checked(TINY, Rows(), {"steps": steps}).timeline()
    while not timeline.stopped:
        timeline.advance(float("inf"), 1.0)
    return timeline


def test_steps_are_at_even_distances_between_the_numbers_of_iterations() -> None:
    timeline = run()
    starts, along = timeline.iteration_starts(), Iterations(timeline)
    places = along.of(np.arange(31))
    assert places[starts] == pytest.approx([timeline.iteration_number(i) for i in range(len(starts))])
    assert np.diff(places[starts[1] : starts[2] + 1]) == pytest.approx(np.full(5, 0.2))
    assert (np.diff(places) > 0).all()
    assert [step_near(along, place, 30) for place in places] == list(range(31))
    assert [step_near(along, place, 30) for place in (-5.0, 99.0)] == [0, 30]


def test_time_is_known_of_the_steps_that_were_timed_and_rises_with_them() -> None:
    timeline = run()
    spent = Spent(timeline)
    assert np.isnan(spent.of(np.arange(1, 31))).all()
    assert spent.lags
    while spent.lags:
        spent.learn(0.1)
    places = spent.of(np.arange(31))
    assert places[0] == 0
    assert (np.diff(places) >= 0).all()
    assert places[-1] >= 20
    assert spent.name.endswith("s of processor time")


class _Once:
    """A run that cannot be taken up again."""

    resumes, parent = False, None

    def __init__(self, timeline: Timeline):
        self.algorithm = timeline.algorithm


def test_what_runs_only_once_cannot_be_timed() -> None:
    with pytest.raises(Refused, match="cannot be timed"):
        Spent(_Once(run()))  # type: ignore[arg-type]
