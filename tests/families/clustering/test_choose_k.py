"""How many clusters: against scikit-learn's KMeans and GaussianMixture, and its theorems broken on purpose."""

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset, Problem, Theorem
from algorithms.core.scene import Cursor, Points
from algorithms.core.state import same
from algorithms.data import blobs, faithful, iris, mixture
from algorithms.families.clustering.choose_k.algorithm import tried
from algorithms.toolbox.covariances import least_variances
from algorithms.toolbox.gaussian import as_matrices
from algorithms.toolbox.numbers_of_clusters import expectation_maximisation, free_parameters

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_start_that_is_not_the_best_or_a_k_that_is_not_is_noticed",
    "update": "test_means_half_way_and_a_likelihood_of_another_model_are_noticed",
}

CHOOSE = find("choose_k")
FALLS, LEAST, LIKELIER, BEST, MIDDLE, MEAN, ROWS, CHARGED, FEWER = CHOOSE.theorems
PLANTED = {  # a fit lies in a tuple of the state, out of reach of small changes to its fields
    FALLS.statement: "test_an_objective_that_hardly_falls_is_noticed",
    LIKELIER.statement: "test_a_mixture_with_other_means_or_weights_is_noticed",
    BEST.statement: "test_a_start_that_is_not_the_best_or_a_k_that_is_not_is_noticed",
    MIDDLE.statement: "test_means_half_way_and_a_likelihood_of_another_model_are_noticed",
    MEAN.statement: "test_a_mixture_with_other_means_or_weights_is_noticed",
    ROWS.statement: "test_means_half_way_and_a_likelihood_of_another_model_are_noticed",
    LEAST.statement: "test_a_start_that_is_not_the_best_or_a_k_that_is_not_is_noticed",
    CHARGED.statement: "test_clusters_counted_for_parameters_are_noticed",
    FEWER.statement: "test_bic_that_chooses_more_than_aic_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "ln L never falls with k: a component of weight 0 changes nothing": "the model is k-means",
    "the mixture has the rows' mean: Σπμ = 1/n Σx": "the model is k-means",
}
MIXTURES = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}
NAMED = {
    "blobs": CHOOSE.datasets[0],
    "waiting": faithful.with_(columns=("waiting",)),
    "iris": iris,
    "mixture": mixture.with_(n=120, k=2),
}


@cache
def finished(name: str, **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = CHOOSE.problem(NAMED[name].load(), None, parameters)
    return problem, list(CHOOSE.start(problem))


def with_fit(state: Any, **changes: Any) -> Any:
    """The state with a changed fit in hand."""
    fits = list(state.fits)
    fits[state.shown] = replace(fits[state.shown], **changes)
    return state.replaced(fits=tuple(fits))


def broken(problem: Problem, states: list[Any], theorem: Theorem, i: int, wrong: Any) -> None:
    """The theorem holds at the i-th state, and fails at the wrong one."""
    assert theorem.verdict(problem, states[i - 1], states[i]).status == "holds"
    assert theorem.verdict(problem, states[i - 1], wrong).status == "fails"


# The algorithm


def test_two_clusters_of_four_rows_by_hand() -> None:
    """0, 1, 9, 10: F is 82 of one cluster, 1 of two; of two -2 ln L = 4 (ln 2π/4 + 1) + 8 ln 2."""
    data = Dataset([[0.0], [1.0], [9.0], [10.0]])
    states = list(CHOOSE(data, most=4))
    assert [f.least for f in states[-1].fits] == pytest.approx([82, 1, 0.5, 0])
    two = states[2].fits[1]
    assert two.deviance == pytest.approx(4 * (np.log(2 * np.pi / 4) + 1) + 2 * 4 * np.log(2))
    assert states[2].fits[1].weights.tolist() == [0.5, 0.5]
    assert np.isnan(states[4].fits[3].deviance)
    assert [s.phase for s in states] == ["start", "fit", "fit", "fit", "fit", "choose"]


def test_parameters_are_counted_and_not_clusters() -> None:
    for model in ("full", "diagonal", "spherical"):
        assert [free_parameters(model, k, 1) for k in (1, 2, 3)] == [2, 5, 8]
    for k, d in ((1, 1), (3, 2), (4, 5)):
        X = np.random.default_rng(k).normal(size=(60, d))
        for model, theirs in MIXTURES.items():
            fitted = GaussianMixture(k, covariance_type=theirs, max_iter=2, tol=1e9).fit(X)
            assert free_parameters(model, k, d) == fitted._n_parameters()
        assert free_parameters("k-means", k, d) == k - 1 + k * d + 1


@pytest.mark.parametrize("name", ["blobs", "iris", "waiting"])
def test_scikit_learn_finds_no_less_of_clusters_from_ten_starts_and_the_same_from_ours(name: str) -> None:
    problem, states = finished(name, starts=10)
    X = problem.data.X
    for k, fit in enumerate(states[-1].fits[:5], 1):
        same_means = KMeans(k, init=fit.means, n_init=1, tol=0).fit(X)
        assert fit.least == pytest.approx(same_means.inertia_, rel=1e-8)
        assert fit.least <= KMeans(k, n_init=10, random_state=0).fit(X).inertia_ * 1.01


@pytest.mark.parametrize("model", MIXTURES)
@pytest.mark.parametrize("name", ["blobs", "waiting"])
def test_scikit_learn_has_the_same_criteria_at_the_same_mixture(name: str, model: str) -> None:
    problem, states = finished(name, model=model, most=3)
    X, curves = problem.data.X, {curve.name: curve for curve in CHOOSE.curves}
    for state in states[1:4]:
        fit = state.fits[state.shown]
        precisions = np.linalg.inv(as_matrices(fit.covariances, X.shape[1]))
        theirs = GaussianMixture(len(fit.means), covariance_type=MIXTURES[model])
        diagonals = np.diagonal(precisions, axis1=1, axis2=2)
        theirs.weights_, theirs.means_ = fit.weights, fit.means
        theirs.precisions_cholesky_ = {
            "full": np.linalg.cholesky(precisions),
            "tied": np.linalg.cholesky(precisions[0]),
            "diagonal": np.sqrt(diagonals),
            "spherical": np.sqrt(diagonals[:, 0]),
        }[model]
        assert curves["BIC"].measure(problem, state) == pytest.approx(theirs.bic(X), rel=1e-8)
        assert curves["AIC"].measure(problem, state) == pytest.approx(theirs.aic(X), rel=1e-8)


def test_from_the_same_start_scikit_learn_comes_to_the_same_mixture() -> None:
    X = NAMED["waiting"].load().X
    weights, means, variances = np.array([0.5, 0.5]), np.array([[50.0], [80.0]]), np.array([50.0, 50.0])
    *_, level = expectation_maximisation(X, weights, means, variances, "spherical", least_variances(X, 1e-6))
    theirs = GaussianMixture(
        2, covariance_type="spherical", weights_init=weights, means_init=means, precisions_init=1 / variances,
        tol=1e-10, max_iter=1000, reg_covar=0,
    ).fit(X)  # fmt: skip
    assert level == pytest.approx(theirs.score(X), abs=1e-4)


def test_the_run_that_it_opens_with_chooses_as_many_as_there_are_and_the_mixture_the_true_two() -> None:
    problem, states = finished("blobs")
    assert states[-1].shown + 1 == 4
    bic = [tried(problem, state).bic[state.shown] for state in states[1:9]]
    assert int(np.argmin(bic)) + 1 == 4
    assert finished("mixture", model="full", most=5)[1][-1].shown + 1 == 2
    assert finished("waiting", most=5)[1][-1].shown + 1 == 2


def test_with_a_mean_on_each_row_nothing_is_left_and_it_is_said() -> None:
    data = Dataset(np.random.default_rng(0).normal(size=(6, 2)))
    run = Timeline(CHOOSE, data, {"most": 6}).run()
    last = run.at(6)
    assert last.state.fits[5].least < 1e-25
    assert "σ is 0 to rounding" in CHOOSE.explain(run.problem, last.before, last.state)
    assert run.failures == []


def test_equal_rows_end_it_in_words() -> None:
    run = Timeline(CHOOSE, Dataset([[1.0, 2.0]] * 5), {"most": 3}).run()
    assert run.stopped is not None
    assert run.stopped.reason == "σ is 0 for every k, so there is no BIC"
    assert run.failures == []


# Its states


@pytest.mark.parametrize("model", ["k-means", "full"])
def test_it_goes_on_from_any_state_bit_for_bit(model: str) -> None:
    problem, states = finished("waiting", model=model, most=4)
    for i, state in list(enumerate(states))[::4]:
        rest = list(CHOOSE.start(problem, pickle.loads(pickle.dumps(state))))
        assert len(rest) == len(states) - i - 1
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :]))


def test_half_way_more_are_tried_from_more_starts_or_chosen_by_another_criterion() -> None:
    run = Timeline(CHOOSE, iris, {"most": 4}).run()
    fork = run.fork(run.last, most=6, starts=7, seed=3, criterion="AIC").run()
    end = fork.at(fork.last).state
    assert [len(fit.tries) for fit in end.fits] == [5, 5, 5, 5, 7, 7]
    assert fork.failures == []
    assert fork.stopped is not None
    assert fork.stopped.reason.startswith("AIC chooses k = ")
    with pytest.raises(Refused, match="model cannot be changed half-way"):
        run.fork(2, model="full")


def test_other_rows_begin_it_anew() -> None:
    run = Timeline(CHOOSE, iris, {"most": 3}).run()
    fork = run.fork(2, data=edited(run.data, [Move(3, (9.0, 9.0, 9.0, 9.0))])).run()
    assert fork.from_start == ("How many clusters starts afresh: these clusters were fitted to other rows.")
    assert fork.failures == []


# Its theorems


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("model", ["k-means", *MIXTURES])
def test_they_hold_for_every_model(name: str, model: str) -> None:
    problem, states = finished(name, model=model, most=4, starts=2)
    mine = [FALLS, MIDDLE] if model == "k-means" else [LIKELIER, MEAN]
    for theorem in CHOOSE.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        other = theorem in [FALLS, MIDDLE, LIKELIER, MEAN] and theorem not in mine
        assert answers == ({"does not apply"} if other else {"holds", "does not apply"}), theorem.statement


def test_a_start_that_is_not_the_best_or_a_k_that_is_not_is_noticed() -> None:
    problem, states = finished("blobs")
    i = 5
    tries = states[i].fits[4].tries
    assert tries.max() > tries.min() * 1.001
    broken(problem, states, BEST, i, with_fit(states[i], means=states[i].fits[4].means + 0.05))
    for wrong in {*range(8)} - {states[-1].shown}:
        broken(problem, states, LEAST, len(states) - 1, states[-1].replaced(shown=wrong))


def test_means_half_way_and_a_likelihood_of_another_model_are_noticed() -> None:
    problem, states = finished("blobs")
    fit = states[3].fits[2]
    half_way = with_fit(states[3], means=0.5 * (fit.means + problem.data.X[:3]))
    broken(problem, states, MIDDLE, 3, half_way)
    without_weights = fit.deviance + 2 * problem.data.n * float(fit.weights @ np.log(fit.weights))
    for wrong in (without_weights, -fit.deviance, 0.5 * fit.deviance):
        broken(problem, states, ROWS, 3, with_fit(states[3], deviance=wrong))


def test_a_mixture_with_other_means_or_weights_is_noticed() -> None:
    problem, states = finished("waiting", model="full", most=3)
    fit = states[2].fits[1]
    broken(problem, states, MEAN, 2, with_fit(states[2], weights=fit.weights[::-1]))
    broken(problem, states, ROWS, 2, with_fit(states[2], covariances=0.9 * fit.covariances))
    broken(problem, states, BEST, 2, with_fit(states[2], covariances=2 * fit.covariances))
    broken(problem, states, LIKELIER, 2, with_fit(states[2], deviance=states[2].fits[0].deviance + 0.1))


def test_an_objective_that_hardly_falls_is_noticed() -> None:
    problem, states = finished("blobs")
    was = states[3].fits[1].least
    broken(problem, states, FALLS, 3, with_fit(states[3], tries=np.array([was * 0.999])))


def test_bic_that_chooses_more_than_aic_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, states = finished("iris")
    module = __import__(CHOOSE.run.__module__, fromlist=["penalised"])
    honest = module.penalised
    swapped = {"AIC": "BIC", "BIC": "AIC"}
    assert FEWER.verdict(problem, None, states[8]).status == "holds"
    monkeypatch.setattr(module, "penalised", lambda data, model, fits, name: honest(data, model, fits, swapped[name]))
    afresh = CHOOSE.problem(problem.data)
    assert FEWER.verdict(afresh, None, states[8]).status == "fails"


def test_of_few_rows_nothing_is_said_of_the_two_criteria() -> None:
    run = Timeline(CHOOSE, Dataset([[0.0], [1.0], [5.0], [9.0]]), {"most": 3}).run()
    frame = run.at(2)
    assert FEWER.verdict(run.problem, frame.before, frame.state).why == "there are 4 rows: ln n is below 2"


# What a person sees


def test_both_criteria_and_the_elbow_stand_at_the_k_in_hand() -> None:
    problem, states = finished("blobs")
    for state in (states[5], states[-1]):
        _, criteria, elbow, table = CHOOSE.scene(problem, None, state).panels
        for panel in (criteria, elbow):
            (cursor,) = [mark for mark in panel.marks if isinstance(mark, Cursor)]
            assert cursor.x == state.shown + 1
        rings = [np.flatnonzero(m.ringed).tolist() for m in criteria.marks if isinstance(m, Points)]
        assert rings == [[3], [3]]
        assert table.marks[0].marked == (state.shown,)
        assert [m.names for m in criteria.marks if isinstance(m, Points)] == [("AIC",), ("BIC",)]
        assert list(table.marks[0].columns[2:5]) == ["F", "BIC", "AIC"]  # the last ones go where it is narrow


def test_it_says_what_it_does() -> None:
    problem, states = finished("blobs")
    texts = [CHOOSE.explain(problem, b, a) for b, a in zip([None, *states], states)]
    assert texts[0] == "k = 1 to 8 will be tried, each by Lloyd's algorithm from 5 starts."
    assert texts[4].startswith("With k = 4 start 2 of 5 is the best: F = 326.5, after 677.91. It fits 12 numbers (K):")
    assert texts[4].endswith("the least so far; AIC = 1,632.3.")
    assert texts[9] == "With k = 4 BIC is 1,671.9, the least; AIC is least at the same k. F alone never rises with k."
    assert Timeline(CHOOSE, problem.data).run().stopped.reason == "BIC chooses k = 4 of 8"


def test_more_clusters_than_rows_are_refused() -> None:
    with pytest.raises(Refused, match=r"^8 clusters need 8 rows or more; data has 4: lower most\.$"):
        CHOOSE(Dataset([[0.0], [1.0], [2.0], [3.0]]))


def test_blobs_are_counted_right_by_most_samples() -> None:
    samples = [blobs.with_(n=90, k=3, spread=0.8, seed=seed).load() for seed in range(8)]
    counts = [list(CHOOSE(data, most=5, starts=3))[-1].shown + 1 for data in samples]
    assert np.median(counts) == 3


@pytest.mark.parametrize("model", ["k-means", "full", "tied", "diagonal", "spherical"])
def test_clusters_counted_for_parameters_are_noticed(model, monkeypatch):
    """The theorem counts by itself what the generator charges for."""
    data = Dataset(faithful.load().X)
    run = Timeline(CHOOSE, data, {"model": model, "most": 3, "starts": 1}).run()
    assert not run.failures
    monkeypatch.setattr("algorithms.families.clustering.choose_k.algorithm.free_parameters", lambda model, k, d: k)
    run = Timeline(CHOOSE, data, {"model": model, "most": 3, "starts": 1}).run()
    assert CHARGED.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_at_the_end_the_first_theorem_speaks_which_a_key_opens():
    """That F never rises, not that the choice is the choice."""
    run = Timeline(find("choose_k"), find("choose_k").datasets[0]).run()
    frame = run.at(run.last)
    assert frame.state.phase == "choose"
    sides = run.algorithm.theorems[0].verdict(run.problem, frame.before, frame.state).sides
    k = frame.state.shown + 1
    assert sides.names == (f"F with {k}", f"F with {k - 1}, less max D²")
