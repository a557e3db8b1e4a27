"""What is seen in the first minute: four steps a second, 240 steps of the run that an algorithm opens with."""

import numpy as np
import pytest

from algorithms import Timeline, find

FIRST = 240


def opening(name: str, most: int = FIRST) -> Timeline:
    algorithm = find(name)
    run = Timeline(algorithm, algorithm.datasets[0])
    run.advance(most)
    return run


def test_the_perceptron_makes_most_of_its_mistakes_and_ends_soon_after() -> None:
    run = opening("perceptron", 1_000)
    mistakes = run.at(run.last).state.mistakes
    assert run.stopped is not None
    assert run.last <= 1.5 * FIRST
    assert run.at(FIRST).state.mistakes >= 0.8 * mistakes > 5


def test_the_coin_comes_to_its_truth_and_does_not_drift_away() -> None:
    run = opening("beta_bernoulli")
    _, truth = run.curve("truth")
    _, mean = run.curve("posterior mean")
    _, deviation = run.curve("deviation")
    away = np.abs(mean - truth) / deviation
    assert away[-1] < 0.5  # deviations
    assert away[len(away) // 2 :].max() < 1.0


@pytest.mark.parametrize(
    ("name", "curve"),
    [("pca", "reconstruction error"), ("beta_bernoulli", "prior's share"), ("gaussian_mixture", "mean log-likelihood")],
)
def test_what_the_lecture_speaks_of_is_a_curve_by_its_name(name: str, curve: str) -> None:
    _, values = opening(name).curve(curve)
    assert np.isfinite(values).any()


def test_the_prior_s_share_is_what_its_tosses_are_of_all() -> None:
    run = opening("beta_bernoulli")
    _, share = run.curve("prior's share")
    alpha, beta = run.problem.parameters.alpha, run.problem.parameters.beta
    assert share.tolist() == pytest.approx([(alpha + beta) / (alpha + beta + n) for n in range(len(share))])


@pytest.mark.parametrize("seed", [2, 4])
def test_with_its_other_seed_a_coin_would_drift(seed: int) -> None:
    """The default seed ends further from its truth, measured in deviations, than those that were chosen."""
    coin = find("beta_bernoulli")
    ends = []
    for each in (0, seed):
        run = Timeline(coin, coin.datasets[0].with_(seed=each)).run()
        values = dict(zip([curve.name for curve in coin.curves], run.values(run.at(run.last))))
        ends.append(abs(values["posterior mean"] - values["truth"]) / values["deviation"])
    assert ends[0] > ends[1]
