"""The Gaussian mixture: worked by hand, against scikit-learn, and its theorems broken on purpose."""

import importlib
import math
import warnings
from itertools import islice

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from algorithms import Add, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.data import faithful, iris, mixture, penguins
from algorithms.families.mixtures.gaussian_mixture import algorithm as module
from algorithms.families.mixtures.gaussian_mixture.algorithm import begin
from algorithms.families.mixtures.gaussian_mixture.measures import bound, log_likelihood
from algorithms.toolbox.covariances import fixed_variance, least_variances, narrowest
from algorithms.toolbox.numbers_of_clusters import free_parameters

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_rows_that_go_whole_to_one_component_are_seen_as_the_run_goes",
    "update": "test_means_that_go_half_way_are_seen_as_the_run_goes",
}
SILENT = {  # in the run that opens, and why
    "σ -> 0 is k-means: J/n <= -2σ² log L/n - const <= J/n - 2σ² log π": "each component has a covariance of its own",
}

MIXTURE = find("gaussian_mixture")
NEVER_FALLS, BOUND, BOUND_RISES, MEAN, MOMENTS, K_MEANS = MIXTURE.theorems
PHASES = (NEVER_FALLS, BOUND, BOUND_RISES)  # those that speak at every step
KINDS = {"full": "full", "tied": "tied", "diagonal": "diag", "spherical": "spherical"}
FLOOR = 1e-7


def run_of(data, **parameters):
    return list(MIXTURE(data, **parameters))


def after(states, phase, nth=0):
    """The nth state of a phase, and the one before it."""
    places = [t for t, s in enumerate(states) if s.phase == phase]
    return states[places[nth] - 1], states[places[nth]]


def started_at(data, weights, means, covariances, floor=FLOOR):
    arrays = (np.array(a, float) for a in (weights, means, covariances))
    return begin(data.n, *arrays, least_variances(data.X, floor))


def fails(theorem, problem, before, state):
    return theorem.verdict(problem, before, state).status == "fails"


def holds(theorem, problem, before, state):
    return theorem.verdict(problem, before, state).status == "holds"


# The algorithm


def test_the_first_e_and_m_step_by_hand():
    """Rows 0, 1, 3; components N(0, 1) and N(2, 1), half each: row 1 is shared equally."""
    data = Dataset([[0.0], [1.0], [3.0]])
    start = started_at(data, [0.5, 0.5], [[0.0], [2.0]], [[[1.0]], [[1.0]]])
    e, m = run_of(data, k=2, iterations=1, state=start)
    odds = math.exp(2)  # row 0: (0 - 2)²/2 - 0; row 3: 9/2 - 1/2 = 4
    r = [odds / (1 + odds), 0.5, 1 / (1 + math.exp(4))]
    assert np.allclose(e.responsibilities, [[p, 1 - p] for p in r], rtol=1e-15)
    density = [
        0.5 * (math.exp(-(x**2) / 2) + math.exp(-((x - 2) ** 2) / 2)) / math.sqrt(2 * math.pi) for x in (0, 1, 3)
    ]
    assert e.log_likelihood == pytest.approx(sum(map(math.log, density)) / 3, rel=1e-15)
    held = sum(r)
    mean = (r[1] + 3 * r[2]) / held
    variance = (r[0] * mean**2 + r[1] * (1 - mean) ** 2 + r[2] * (3 - mean) ** 2) / held
    assert m.weights[0] == pytest.approx(held / 3, rel=1e-15)
    assert m.means[0, 0] == pytest.approx(mean, rel=1e-14)
    assert m.covariances[0, 0, 0] == pytest.approx(variance, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("recipe", [faithful.with_(scale=True), iris, penguins, mixture], ids=lambda r: r.name)
@pytest.mark.parametrize("iterations", [1, 4, 25])
def test_the_same_as_scikit_learn_after_as_many_iterations(kind, recipe, iterations):
    data, k = recipe.load(), 3
    start = next(MIXTURE(data, k=k, covariance=kind, start="random", floor=FLOOR))
    last = run_of(data, k=k, covariance=kind, floor=FLOOR, tol=0, iterations=iterations, state=start)[-1]
    precisions = np.linalg.inv(start.covariances) if start.covariances.ndim == 3 else 1 / start.covariances
    theirs = GaussianMixture(
        k,
        covariance_type=KINDS[kind],
        reg_covar=0,
        tol=0,
        max_iter=iterations,
        weights_init=start.weights,
        means_init=start.means,
        precisions_init=precisions[0] if kind == "tied" else precisions,
        init_params="random",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs.fit(data.X)
    assert (last.iteration, theirs.n_iter_) == (iterations, iterations)
    scale = np.abs(data.X).max()
    assert np.allclose(last.weights, theirs.weights_, rtol=1e-8, atol=1e-10)
    assert np.allclose(last.means, theirs.means_, rtol=1e-8, atol=1e-8 * scale)
    assert np.allclose(last.covariances, theirs.covariances_, rtol=1e-8, atol=1e-8 * scale)
    assert last.log_likelihood == pytest.approx(theirs.lower_bound_, rel=1e-10)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_it_finds_the_mixture_that_made_the_rows(d):
    data = mixture.with_(n=20_000, d=d, k=2, seed=3).load()
    last = run_of(data, k=2, start="k-means")[-1]
    truth = data.truth
    order = [int(np.linalg.norm(last.means - m, axis=1).argmin()) for m in truth["means"]]
    assert sorted(order) == [0, 1]
    assert np.allclose(last.weights[order], truth["weights"], atol=0.02)
    assert np.allclose(last.means[order], truth["means"], atol=0.06)
    assert np.allclose(last.covariances[order], truth["covariances"], atol=0.08)


@pytest.mark.parametrize("start", ["k-means", "random"])
def test_every_m_step_keeps_the_mean_and_covariance_of_the_data(start):
    data = iris.load()
    middle = data.X.mean(axis=0)
    for state in run_of(data, k=3, start=start):
        if state.phase == "maximise" and not state.narrow.any():
            assert np.allclose(state.weights @ state.means, middle, rtol=1e-12)
            away = state.means - middle
            within = np.tensordot(state.weights, state.covariances, 1)
            assert np.allclose(within + (state.weights * away.T) @ away, np.cov(data.X.T, bias=True), atol=1e-12)


def test_one_component_is_the_data_s_own_mean_and_covariance_at_once():
    data = iris.load()
    states = run_of(data, k=1)
    assert [s.phase for s in states] == ["start", *["expect", "maximise"] * 2, "expect"]
    assert np.allclose(states[2].means[0], data.X.mean(axis=0))
    assert np.allclose(states[2].covariances[0], np.cov(data.X.T, bias=True))


def test_it_ends_on_an_e_step_that_gains_no_more_than_tol():
    run = Timeline(MIXTURE, faithful.load(), {"tol": 1e-4}).run()
    last = run.at(run.last).state
    assert last.phase == "expect"
    assert 0 <= last.gain <= 1e-4
    assert "a row, no more than 0.0001" in run.stopped.reason
    finer = run.fork(run.last, tol=1e-8).run()
    assert finer.last > run.last


def test_it_gives_up_after_as_many_iterations_as_it_was_given():
    run = Timeline(MIXTURE, faithful.load(), {"iterations": 3}).run()
    last = run.at(run.last).state
    assert (last.phase, last.iteration) == ("maximise", 3)
    assert run.stopped.reason.startswith("3 iterations")


# The floor


def spike(n=40, seed=0):
    """A round cloud and, far from it, three rows on one spot: a component alone on them has no variance."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    X[:3] = 8.0, 8.0
    return Dataset(X)


@pytest.mark.parametrize("kind", KINDS)
def test_a_component_on_one_spot_is_held_at_the_floor(kind):
    data, floor = spike(), 1e-4
    problem = MIXTURE.problem(data, None, {"k": 2, "covariance": kind, "floor": floor, "start": "k-means"})
    states = list(MIXTURE.start(problem))
    least = least_variances(data.X, floor)
    narrow = int(states[-1].weights.argmin())
    assert states[-1].weights[narrow] == pytest.approx(3 / 40)
    assert states[-1].narrow[narrow] == {"full": 2, "tied": 0, "diagonal": 2, "spherical": 1}[kind]
    for before, state in zip([None, *states], states):
        assert narrowest(state.covariances, least) >= 1 - 1e-9
        assert np.isfinite(state.log_likelihood) or state.phase == "start"
        assert not any(fails(theorem, problem, before, state) for theorem in MIXTURE.theorems)


@pytest.mark.parametrize("kind", KINDS)
def test_a_component_to_which_no_row_is_left_keeps_its_place_with_weight_0(kind):
    data = Dataset(np.random.default_rng(0).normal(size=(50, 2)))
    covariances = {
        "full": [np.eye(2)] * 2,
        "tied": [np.eye(2)] * 2,
        "diagonal": np.ones((2, 2)),
        "spherical": np.ones(2),
    }[kind]
    start = started_at(data, [0.5, 0.5], [[0.0, 0.0], [1000.0, 0.0]], covariances)
    problem = MIXTURE.problem(data, None, {"k": 2, "covariance": kind})
    states = [start, *MIXTURE.start(problem, start)]
    assert states[-1].weights.tolist() == [1.0, 0.0]
    assert states[-1].means[1].tolist() == [1000.0, 0.0]
    assert np.allclose(states[-1].means[0], data.X.mean(axis=0))
    for before, state in zip(states, states[1:]):
        assert all(holds(theorem, problem, before, state) for theorem in PHASES)
        assert not any(fails(theorem, problem, before, state) for theorem in MIXTURE.theorems)


def test_more_components_than_different_rows_run():
    data = Dataset(np.repeat(np.random.default_rng(1).normal(size=(3, 2)), 4, axis=0))
    for start in ("k-means", "random"):
        assert np.isfinite(run_of(data, k=6, start=start)[-1].log_likelihood)


# The theorems


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", ["k-means", "random"])
@pytest.mark.parametrize("floor", [1e-7, 1e-2, 1.0])
def test_the_theorems_hold_at_every_step(kind, start, floor):
    for data in (faithful.with_(sample=60).load(), iris.with_(sample=60).load(), spike()):
        problem = MIXTURE.problem(data, None, {"k": 4, "covariance": kind, "start": start, "floor": floor, "tol": 1e-9})
        states = list(islice(MIXTURE.start(problem), 24))
        assert all(holds(theorem, problem, b, s) for b, s in zip(states, states[1:]) for theorem in PHASES)
        assert not any(
            fails(theorem, problem, b, s) for b, s in zip(states, states[1:]) for theorem in MIXTURE.theorems
        )


def test_adding_to_the_diagonal_makes_the_likelihood_fall_and_that_is_seen():
    """What the floor is clipped for: with 1e-2 on the diagonal a settled mixture gets worse at an M step."""
    data = iris.load()
    problem = MIXTURE.problem(data, None, {"k": 3, "tol": 1e-9, "iterations": 400})
    states = list(MIXTURE.start(problem))
    before, m = after(states, "maximise", -1)
    worse = replace(m, covariances=m.covariances + 1e-2 * np.eye(4))
    assert holds(NEVER_FALLS, problem, before, m)
    assert fails(NEVER_FALLS, problem, before, worse)
    assert fails(BOUND_RISES, problem, before, worse)


def test_a_wrong_m_step_is_seen():
    data = faithful.with_(scale=True).load()
    problem = MIXTURE.problem(data)
    states = list(MIXTURE.start(problem))
    before, m = after(states, "maximise", 3)
    backwards = replace(m, means=before.means - (m.means - before.means))
    assert fails(NEVER_FALLS, problem, before, backwards)
    assert fails(BOUND_RISES, problem, before, backwards)
    swapped = replace(m, weights=m.weights[::-1])
    assert fails(BOUND_RISES, problem, before, swapped)


def test_a_wrong_e_step_is_seen():
    data = faithful.with_(scale=True).load()
    problem = MIXTURE.problem(data)
    states = list(MIXTURE.start(problem))
    before, e = after(states, "expect", 3)
    hard = replace(e, responsibilities=np.eye(2)[e.responsibilities.argmax(axis=1)])
    assert fails(BOUND, problem, before, hard)
    assert holds(BOUND, problem, before, e)
    fewer = replace(after(states, "maximise", 3)[1], responsibilities=e.responsibilities / 2)
    assert fails(BOUND, problem, e, fewer)  # shares that do not sum to one bound nothing
    prior = replace(e, responsibilities=np.tile(e.weights, (data.n, 1)))
    assert fails(BOUND_RISES, problem, before, prior)


def test_a_spike_held_at_the_floor_goes_on_when_a_fork_lowers_it():
    data, chosen = spike(), {"k": 2, "floor": 1e-3, "start": "k-means"}
    run = Timeline(MIXTURE, data, chosen).run()
    assert run.at(run.last).state.narrow.any()
    fork = run.fork(run.last, floor=1e-5).run()
    last = fork.at(fork.last).state
    assert narrowest(last.covariances, least_variances(data.X, 1e-5)) == pytest.approx(1)
    assert last.log_likelihood > run.at(run.last).state.log_likelihood + 3 / 40 * math.log(99)
    assert not fork.failures
    assert len(list(MIXTURE(data, state=last, **chosen | {"floor": 1e-5}))) == 0


def test_the_numbers_that_are_free_and_what_they_cost():
    """In one dimension 3k - 1: 2, 5, 8; against scikit-learn's AIC and BIC of the same parameters."""
    data = faithful.with_(columns=("waiting",)).load()
    for k, free in ((1, 2), (2, 5), (3, 8)):
        problem = MIXTURE.problem(data, None, {"k": k})
        last = list(MIXTURE.start(problem))[-1]
        *_, panel = MIXTURE.scene(problem, None, last).panels
        values = [row[1] for row in panel.marks[0].rows]
        theirs = GaussianMixture(k, weights_init=last.weights, means_init=last.means)
        theirs.weights_, theirs.means_, theirs.covariances_ = last.weights, last.means, last.covariances
        theirs.precisions_cholesky_ = 1 / np.sqrt(last.covariances)
        assert values[0] == free == 3 * k - 1
        assert values[2:] == pytest.approx([theirs.aic(data.X), theirs.bic(data.X)])
    kinds = ("full", "tied", "diagonal", "spherical", "fixed")
    assert [free_parameters(kind, 3, 2) for kind in kinds] == [17, 11, 14, 11, 8]


def test_across_a_raised_floor_the_theorems_are_silent_and_then_hold_again():
    data = spike()
    run = Timeline(MIXTURE, data, {"k": 2, "floor": 1e-6, "start": "k-means"}).run()
    fork = run.fork(run.last, floor=0.1).run()
    frames = [fork.at(t) for t in range(fork.begin, fork.last + 1)]
    said = [[v.status for v in fork.verdicts(f)] for f in frames]
    first_m = next(i for i, f in enumerate(frames) if i and f.state.phase == "maximise")
    assert said[first_m][0] == "does not apply"
    assert not fork.failures
    assert said[-1][:3] == ["holds"] * 3


def failed(run):
    return {failure.verdict.theorem.statement for failure in run.failures}


def test_weights_that_are_never_updated_are_seen_as_the_run_goes(monkeypatch):
    maximise = module.maximise
    monkeypatch.setattr(module, "maximise", lambda X, state, *more: (state.weights, *maximise(X, state, *more)[1:]))
    run = Timeline(MIXTURE, faithful.with_(scale=True)).run()
    assert failed(run) == {MEAN.statement, MOMENTS.statement}


def test_means_that_go_half_way_are_seen_as_the_run_goes(monkeypatch):
    maximise = module.maximise

    def half_way(X, state, *more):
        weights, means, *rest = maximise(X, state, *more)
        return weights, (means + state.means) / 2, *rest

    monkeypatch.setattr(module, "maximise", half_way)
    run = Timeline(MIXTURE, faithful.with_(scale=True)).run()
    assert {MEAN.statement, MOMENTS.statement} <= failed(run)


@pytest.mark.parametrize("share", [0.9, 1.1])
@pytest.mark.parametrize("kind", KINDS)
def test_covariances_that_are_a_little_off_break_the_second_moments(share, kind):
    problem = MIXTURE.problem(iris.load(), None, {"k": 3, "covariance": kind})
    before, m = after(list(MIXTURE.start(problem)), "maximise", 3)
    assert holds(MOMENTS, problem, before, m)
    assert fails(MOMENTS, problem, before, replace(m, covariances=share * m.covariances))


def test_rows_that_go_whole_to_one_component_are_seen_as_the_run_goes(monkeypatch):
    expect = module.expect

    def hard(X, weights, means, covariances):
        shares, level = expect(X, weights, means, covariances)
        return np.eye(len(means))[shares.argmax(axis=1)], level

    monkeypatch.setattr(module, "expect", hard)
    run = Timeline(MIXTURE, faithful.with_(scale=True), {"iterations": 6}).run()
    assert BOUND.statement in failed(run)


def test_a_likelihood_that_is_noted_wrong_is_seen(monkeypatch):
    """The run would end by it."""
    problem = MIXTURE.problem(faithful.with_(scale=True).load())
    before, e = after(list(MIXTURE.start(problem)), "expect", 3)
    assert fails(BOUND, problem, before, replace(e, log_likelihood=before.log_likelihood))


def test_numbers_that_are_none_break_every_theorem():
    problem = MIXTURE.problem(iris.load(), None, {"k": 3, "covariance": "fixed"})
    before, m = after(list(MIXTURE.start(problem)), "maximise", 2)
    for theorem in (NEVER_FALLS, BOUND, BOUND_RISES, MEAN, K_MEANS):
        assert holds(theorem, problem, before, m)
        assert fails(theorem, problem, before, replace(m, means=m.means * np.nan))


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e7])
@pytest.mark.parametrize("kind", [*KINDS, "fixed"])
def test_the_moments_hold_far_from_the_origin(kind, offset):
    data = Dataset(iris.load().X + offset)
    problem = MIXTURE.problem(data, None, {"k": 3, "covariance": kind, "floor": 1e-4, "iterations": 20})
    states = list(MIXTURE.start(problem))
    for theorem in MIXTURE.theorems:
        assert not any(fails(theorem, problem, b, s) for b, s in zip([None, *states], states))
    assert any(holds(MEAN, problem, b, s) for b, s in zip(states, states[1:]))


# Tied covariances, and a fixed variance


def test_tied_components_share_the_pooled_scatter():
    data = iris.load()
    states = run_of(data, k=3, covariance="tied", iterations=2)
    last, r = states[-1], states[-2].responsibilities
    away = data.X[:, None, :] - last.means
    pooled = np.einsum("ij,ijf,ijg->fg", r, away, away) / data.n
    for covariance in last.covariances:
        assert np.allclose(covariance, pooled, rtol=1e-10, atol=1e-12)


def test_with_a_small_fixed_variance_it_is_k_means():
    """From the same means the rows' likeliest components are Lloyd's clusters sweep by sweep, and so are the means."""
    data = faithful.with_(scale=True).load()
    means = data.X[[3, 40, 77]]
    start = begin(data.n, np.full(3, 1 / 3), means, np.full(3, 1e-6), least_variances(data.X, 1e-7))
    ours = run_of(data, k=3, covariance="fixed", sigma=1e-3, floor=1e-7, state=start, tol=0, iterations=6)
    lloyd = importlib.import_module("algorithms.families.clustering.lloyd")
    theirs = list(find("lloyd")(data, k=3, state=lloyd.begin(data, means), sweeps=6))
    assigned = [s for s in theirs if s.phase == "assign"]
    updated = [s for s in theirs if s.phase == "update"]
    for e, a in zip([s for s in ours if s.phase == "expect"], assigned):
        assert e.responsibilities.argmax(axis=1).tolist() == a.labels.tolist()
    for m, u in zip([s for s in ours if s.phase == "maximise"], updated):
        assert np.allclose(m.means, u.means, atol=1e-6)
    assert len(updated) > 3


@pytest.mark.parametrize("sigma", [0.01, 0.1, 0.3, 2.0])
def test_the_likelihood_comes_between_k_means_and_k_means_with_weights(sigma):
    problem = MIXTURE.problem(faithful.with_(scale=True).load(), None, {"covariance": "fixed", "sigma": sigma})
    states = list(MIXTURE.start(problem))
    assert all(holds(K_MEANS, problem, b, s) for b, s in zip([None, *states], states))
    wider = replace(states[-1], covariances=1.5 * states[-1].covariances)
    assert holds(K_MEANS, problem, None, wider)
    low, soft, high = K_MEANS.verdict(problem, None, states[-1]).sides.values
    assert high - low <= 2 * fixed_variance(problem.data.X, sigma) * np.log(2) * 1.5


def test_a_fork_with_a_smaller_variance_goes_on_with_it():
    run = Timeline(MIXTURE, faithful.with_(scale=True), {"covariance": "fixed", "sigma": 1.0}).run()
    t = run.nearest_entry(run.last)
    fork = run.fork(t, sigma=0.1).run()
    first = fork.at(t).state
    assert np.allclose(first.covariances, 0.01)
    assert np.array_equal(first.means, run.at(t).state.means)
    assert fork.last > t + 1
    assert not fork.failures


def test_the_bound_is_jensen_s_for_any_shares():
    data = iris.load()
    problem = MIXTURE.problem(data, None, {"k": 3})
    state, rng = run_of(data, k=3)[5], np.random.default_rng(0)
    for _ in range(20):
        any_shares = replace(state, responsibilities=rng.dirichlet(np.ones(3), data.n))
        assert bound(problem, any_shares) < log_likelihood(problem, state)


# Refusals, and what a person is told


def test_more_components_than_rows_are_refused_in_words():
    with pytest.raises(Refused, match="5 components need 5 rows or more; data has 4"):
        MIXTURE(np.zeros((4, 2)), k=5)
    with pytest.raises(Refused, match="out of range: scale it"):
        MIXTURE([[1e140], [0.0]], k=1)


def test_the_least_decided_row_and_the_shares_are_named():
    data = Dataset([[0.0], [1.0], [3.0]], features=("x",))
    start = started_at(data, [0.5, 0.5], [[0.0], [2.0]], [[[1.0]], [[1.0]]])
    problem = MIXTURE.problem(data, None, {"k": 2, "iterations": 1})
    e, m = MIXTURE.start(problem, start)
    text = MIXTURE.explain(problem, start, e)
    assert text.startswith("Row 1 (x 1) is the least decided: 0.500 of it goes to component 0, 0.500 to 1.")
    assert "Component 0 moves most (x 0 -> 0.396) and holds 1.399 of 3 rows" in MIXTURE.explain(problem, e, m)


def test_rows_far_from_the_origin_give_the_same_run():
    """What is stored of a mean is rounded there, and nothing else."""
    near = iris.load().X
    far = Dataset(near + 2.0**30)
    for kind in KINDS:
        chosen = {"k": 3, "covariance": kind, "floor": 1e-4, "tol": 0, "iterations": 10}
        a, b = run_of(Dataset(near), **chosen)[-1], run_of(far, **chosen)[-1]
        assert np.allclose(a.weights, b.weights, atol=1e-6)
        assert np.allclose(a.means + 2.0**30, b.means, rtol=0, atol=1e-6)
        assert np.allclose(a.covariances, b.covariances, atol=1e-6)


def test_rows_keep_their_shares_and_a_new_one_has_its_responsibilities():
    run = Timeline(find("gaussian_mixture"), faithful.with_(scale=True)).run()
    t = run.nearest_entry(run.last)
    was = run.at(t).state
    fork = run.fork(t, data=edited(run.data, [Remove(0), Add(tuple(was.means[1]))]))
    first = fork.at(t).state
    assert np.array_equal(first.responsibilities[:-1], was.responsibilities[1:])
    assert first.responsibilities[-1].sum() == pytest.approx(1.0)
    assert first.responsibilities[-1].argmax() == 1
    assert fork.run().at(fork.last).state.log_likelihood != was.log_likelihood
    assert fork.last > t + 1  # it does not take the gain over other rows for convergence


def test_a_peak_over_one_feature_is_dragged_in_the_units_of_the_data():
    data = faithful.with_(columns=("waiting",), scale=True).load()
    run = Timeline(find("gaussian_mixture"), data)
    run.advance(9)
    frame = run.at(run.nearest_entry(8))
    grips = run.algorithm.scene(run.problem, frame.before, frame.state).panels[0].marks[-1]
    moved = grips.moved(frame.state, 0, np.array([60.0, 0.01]))
    assert data.original(moved.means)[0, 0] == pytest.approx(60.0)
