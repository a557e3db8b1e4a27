"""What holds on average beside a run on the screen: begun when asked for, of the run's own data and parameters."""

import time

import numpy as np
import pytest

from algorithms import Dataset, Timeline, datasets
from algorithms.core import Label, edited
from algorithms.playback.theorems.expecting import Expecting
from algorithms.sweeping import estimates
from tests.patience import PATIENCE
from tests.playback.few_runs import few_runs


@pytest.fixture
def expecting():
    made = Expecting()
    yield made
    made.cancel()


def worked_out(expecting, run, index=0):
    expecting.begin(run, index)
    end = time.monotonic() + PATIENCE
    while expecting.running and time.monotonic() < end:
        expecting.take()
        time.sleep(0.02)
    return expecting.estimate(run, index)


def test_it_is_worked_out_when_it_is_asked_for_and_not_before(expecting):
    with few_runs("k_means_plus_plus") as algorithm:
        run = Timeline(algorithm, datasets.iris, {"k": 4})
        run.run()
        (verdict,) = expecting.verdicts(run)
        assert verdict.status == "expected"
        assert verdict.why == "over 6 seeds: open it, and it is worked out"
        assert not expecting.running
        estimate = worked_out(expecting, run)
        *_, alone = estimates(algorithm.expectations[0], algorithm, datasets.iris, {"k": 4}, jobs=1)
        assert np.array_equal(np.sort(estimate.values), np.sort(alone.values))
        assert (estimate.mean, estimate.bound) == (pytest.approx(alone.mean), alone.bound)
        assert expecting.verdicts(run)[0].why == str(estimate)
        other = Timeline(algorithm, datasets.iris, {"k": 5})
        assert expecting.estimate(other, 0) is None


def test_of_edited_rows_it_is_worked_out_on_those(expecting):
    with few_runs("stochastic_gradient", 3) as algorithm:
        run = Timeline(algorithm, algorithm.datasets[0])
        run.advance(6)
        branch = run.fork(5, data=edited(run.data, (Label(0, 1e4),)))
        bound = worked_out(expecting, branch).bound
        assert bound > 10 * worked_out(expecting, run).bound


def test_rows_without_splits_are_refused_in_words(expecting):
    with few_runs("adaboost", 3) as algorithm:
        data = datasets.iris.with_(positive="versicolor").load()
        run = Timeline(algorithm, Dataset(data.X, data.y, classes=data.classes))
        run.advance(4)
        expecting.begin(run, 0)
        assert "open data by name" in expecting.verdicts(run)[0].why
        assert not expecting.running
