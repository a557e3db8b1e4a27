"""Gaussian discriminants: by hand, against scikit-learn, the line and the conic, no masking, and their theorems."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, DragHandles, Ellipse
from algorithms.core.state import same
from algorithms.data import blobs, collinear, davis, iris, penguins, tilt, wine
from algorithms.families.bayes import gaussian_discriminant as file
from algorithms.families.bayes.shared.class_moments import Moments, moments_of
from algorithms.families.bayes.shared.generative import posterior

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_of_another_class_or_taken_twice_is_noticed",
    "update": "test_a_mean_that_goes_half_way_or_a_scatter_about_the_old_mean_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "Σ of its own: log odds = xᵀAx + w·x + b": "the classes share one covariance: the log odds are linear",
}

GDA = find("gaussian_discriminant")
LIKELIEST, LINEAR, QUADRATIC, NO_MASKING, MOMENTS = GDA.theorems
FOUR = Dataset([[0.0, 0.0], [2.0, 0.0], [1.0, 3.0], [3.0, 5.0]], [0, 0, 1, 1], classes=("a", "b"))


def run_of(data, **parameters):
    problem = GDA.problem(data, None, parameters)
    return problem, list(GDA.start(problem))


def shares(problem, state, X):
    return posterior(file.gaussians(problem, state).scores(X)).T


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


def test_four_rows_by_hand():
    """Means (1, 0) and (2, 4); the scatters sum to ((4, 2), (2, 2)), so Σ = ((1, ½), (½, ½)) and w = Σ⁻¹(1, 4)."""
    problem, states = run_of(FOUR, order="cyclic")
    assert [s.means.tolist() for s in states[1:3]] == [[[0, 0], [0, 0]], [[1, 0], [0, 0]]]
    last = states[-1]
    assert last.means.tolist() == [[1, 0], [2, 4]]
    assert last.scatter.tolist() == [[[2, 0], [0, 0]], [[2, 2], [2, 2]]]
    of = file.gaussians(problem, last)
    assert of.covariances[0].tolist() == [[1, 0.5], [0.5, 0.5]]
    W, b = of.linear()
    w = np.linalg.solve([[1, 0.5], [0.5, 0.5]], [1, 4])
    assert W[1] - W[0] == pytest.approx(w)
    assert b[1] - b[0] == pytest.approx(-w @ [1.5, 2.0])


@pytest.mark.parametrize("recipe", [iris, penguins.with_(scale=True), wine.with_(scale=True)], ids=lambda r: r.name)
@pytest.mark.parametrize("every", ["row", "class"])
def test_scikit_learn_has_the_same_linear_discriminant(recipe, every):
    data = recipe.load()
    problem, states = run_of(data, every=every)
    theirs = LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True).fit(data.X, data.y)
    of = file.gaussians(problem, states[-1])
    assert np.allclose(of.covariances[0], theirs.covariance_, rtol=1e-10, atol=1e-12)
    W, b = of.linear()
    assert np.allclose(W, theirs.coef_, rtol=1e-8, atol=1e-9)
    assert np.allclose(b, theirs.intercept_, rtol=1e-8, atol=1e-8)
    assert np.allclose(shares(problem, states[-1], data.X), theirs.predict_proba(data.X), atol=1e-9)


@pytest.mark.parametrize("recipe", [iris, penguins.with_(scale=True)], ids=lambda r: r.name)
def test_scikit_learn_has_the_same_quadratic_discriminant(recipe):
    data = recipe.load()
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(data.X, data.y)
    likeliest = np.allclose(theirs.covariance_[0], np.cov(data.X[data.y == 0].T, bias=True))  # as newer ones have it
    problem, states = run_of(data, covariance="own", divide="n" if likeliest else "n - 1", every="class")
    assert np.allclose(file.gaussians(problem, states[-1]).covariances, theirs.covariance_, rtol=1e-10)
    assert np.allclose(shares(problem, states[-1], data.X), theirs.predict_proba(data.X), atol=1e-9)


def test_divided_by_one_less_covariances_are_the_unbiased_ones():
    data = iris.load()
    problem, states = run_of(data, covariance="own", divide="n - 1")
    own = file.gaussians(problem, states[-1]).covariances
    for c in range(3):
        assert np.allclose(own[c], np.cov(data.X[data.y == c].T))
    problem, states = run_of(data, divide="n - 1")
    assert np.allclose(file.gaussians(problem, states[-1]).covariances[0], own.mean(axis=0))


@pytest.mark.parametrize(("every", "rows"), [("row", (40, 70)), ("class", (50, 100))])
def test_of_the_classes_met_so_far_the_shared_covariance_is_the_unbiased_one(every, rows):
    """Of one class NumPy's; of two the mean of both, weighed by n_c - 1: a class still to come takes nothing off m."""
    problem, states = run_of(iris.load(), divide="n - 1", order="cyclic", every=every)
    one, two = (next(s for s in states if s.used == used) for used in rows)
    X, y = problem.data.X, problem.data.y
    assert one.counts.tolist() == [rows[0], 0, 0]
    for state, of in ((one, X[: rows[0]]), (two, X[: rows[1]])):
        n = state.counts[state.counts > 0]
        parts = [np.cov(of[y[: len(of)] == c].T) * (n[c] - 1) for c in range(len(n))]
        now, again = file.gaussians(problem, state), file.refitted(problem, state)
        assert np.allclose(now.covariances[0], sum(parts) / sum(n - 1))
        assert np.allclose(again.covariances[0], now.covariances[0])


def test_a_diagonal_is_gaussian_naive_bayes():
    data = iris.load()
    problem, states = run_of(data, covariance="diagonal")
    theirs = GaussianNB(var_smoothing=1e-15).fit(data.X, data.y)
    assert np.allclose(shares(problem, states[-1], data.X), theirs.predict_proba(data.X), atol=1e-9)
    naive = find("naive_bayes").problem(data, None, {"model": "gaussian"})
    last = list(find("naive_bayes").start(naive))[-1]
    from algorithms.families.bayes import naive_bayes

    assert np.allclose(posterior(naive_bayes.scores(naive, last)).T, theirs.predict_proba(data.X), atol=1e-7)


def test_many_rows_at_once_come_to_the_same_moments_far_from_the_origin_too():
    rng = np.random.default_rng(0)
    X, y = 1e6 + rng.standard_normal((90, 3)), rng.integers(0, 3, 90)
    one = two = Moments.of_none(3, 3)
    for i in range(90):
        one = one.with_rows(X[i : i + 1], y[i : i + 1])
    for i in range(0, 90, 7):
        two = two.with_rows(X[i : i + 7], y[i : i + 7])
    for of in (one, two):
        whole = moments_of(X, y, 3)
        assert of.counts.tolist() == whole.counts.tolist()
        assert np.allclose(of.means, whole.means, rtol=1e-14)
        assert np.allclose(of.scatter, whole.scatter, atol=1e-7)


# The lecture's points


def test_a_shared_ellipse_is_torn_into_two_by_a_fork():
    run = Timeline(GDA, iris.with_(columns=file.PETALS)).run()
    fork = run.fork(run.last, covariance="own").run()
    ellipses = []
    for branch in (run, fork):
        frame = branch.at(branch.last)
        panel = GDA.scene(branch.problem, frame.before, frame.state).panels[0]
        ellipses.append([m.covariance for m in panel.marks if isinstance(m, Ellipse)])
    shared, own = ellipses
    assert all(np.array_equal(each, shared[0]) for each in shared)
    assert not np.allclose(own[0], own[1])
    assert LINEAR.verdict(run.problem, None, run.at(run.last).state).status == "holds"
    assert QUADRATIC.verdict(fork.problem, None, fork.at(fork.last).state).status == "holds"
    assert fork.curve("training error")[1][-1] < run.curve("training error")[1][-1]


def test_it_does_not_mask_the_middle_class_where_one_hot_regression_does():
    data = collinear.with_(n=60).load()
    problem, states = run_of(data)
    assert file.error(problem, states[-1]) == 0
    W = list(find("least_squares_classifier")(data))[-1].W
    assert ((np.column_stack([data.X, np.ones(data.n)]) @ W.T).argmax(axis=1) != 1).all()
    assert NO_MASKING.verdict(problem, None, states[-1]).status == "holds"


def test_it_does_not_tilt_the_way_least_squares_does_but_is_not_robust_either():
    """A far cluster widens the shared Σ; the boundary is still one line, with other numbers than the logistic one."""
    data = tilt.load()
    problem, states = run_of(data)
    W, _ = file.gaussians(problem, states[-1]).linear()
    logistic = list(find("logistic_newton")(data, penalty=1.0))[-1].w[:-1]
    w = W[1] - W[0]
    assert abs(w @ logistic) / np.linalg.norm(w) / np.linalg.norm(logistic) < 0.99


def test_of_rows_from_its_own_model_the_truth_comes_out():
    data = blobs.with_(n=20_000, k=3).load()
    problem, states = run_of(data, every="class")
    of = file.gaussians(problem, states[-1])
    assert np.allclose(of.means, data.truth["means"], atol=0.05)
    assert np.allclose(of.covariances[0], np.eye(2), atol=0.05)


# Its states


@pytest.mark.parametrize("every", ["row", "class"])
def test_it_goes_on_from_any_state_bit_for_bit(every):
    data = iris.with_(sample=60).load()
    states = list(GDA(data, every=every))
    for k in range(0, len(states), 7):
        rest = list(GDA(data, state=pickle.loads(pickle.dumps(states[k])), every=every))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


@pytest.mark.parametrize(("every", "t"), [("row", 20), ("class", 1), ("class", 3)])
def test_rows_changed_half_way_are_taken_in_as_they_are(every, t):
    run = Timeline(GDA, iris.with_(sample=40), {"every": every}).run()
    place = tuple(run.data.X[3] + 1.0)
    for edits in ([Move(3, place)], [Label(5, 0)], [Add(place, 1)], [Remove(1), Remove(7)]):
        data = edited(run.data, edits)
        fork = run.fork(t, data=data).run()
        assert fork.failures == []
        last = moments_of(data.X, data.y, 3)
        assert np.allclose(fork.at(fork.last).state.scatter, last.scatter, atol=1e-10)


def test_a_mean_can_be_dragged_and_what_speaks_of_the_rows_falls_silent():
    run = Timeline(GDA, iris.with_(columns=file.PETALS))
    run.advance(101)
    frame = run.at(100)
    panel = GDA.scene(run.problem, frame.before, frame.state).panels[0]
    grips = next(mark for mark in panel.marks if isinstance(mark, DragHandles))
    assert grips.names[1] == "the mean of versicolor"
    moved = grips.moved(frame.state, 1, grips.at[1] + 1.0)
    fork = run.fork(100, state=moved).run()
    assert fork.failures == []
    assert {v.why for v in fork.verdicts(fork.at(fork.last)) if "hand" in v.why} == {"a mean was moved by hand"}
    assert "A mean was moved by hand." in GDA.explain(fork.problem, None, fork.at(100).state)


# Its theorems


@pytest.mark.parametrize("covariance", ["shared", "own", "diagonal"])
@pytest.mark.parametrize("divide", ["n", "n - 1"])
def test_they_hold_at_every_step(covariance, divide):
    for recipe in (iris.with_(sample=20), davis.with_(sample=20)):
        problem, states = run_of(recipe.load(), covariance=covariance, divide=divide)
        for theorem in GDA.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_which_of_them_apply_is_said():
    problem, states = run_of(iris.load(), covariance="own", divide="n - 1")
    assert "of their own" in LINEAR.verdict(problem, None, states[-1]).why
    assert "unbiased" in LIKELIEST.verdict(problem, None, states[-1]).why
    problem, states = run_of(iris.load(), covariance="own")
    assert "raised to the floor" in LIKELIEST.verdict(problem, None, states[4]).why
    assert LIKELIEST.verdict(problem, None, states[-1]).status == "holds"


def test_a_mean_that_goes_half_way_or_a_scatter_about_the_old_mean_is_noticed():
    for covariance, theorems in (("shared", (LINEAR, LIKELIEST, NO_MASKING, MOMENTS)), ("own", (QUADRATIC, LIKELIEST))):
        problem, states = run_of(iris.load(), covariance=covariance)
        before, after = states[90:92]
        half = replace(after, means=(before.means + after.means) / 2)
        old = replace(after, scatter=after.scatter + 0.1 * (after.scatter - before.scatter))
        for planted in (half, old):
            for theorem in theorems:
                assert theorem.verdict(problem, before, after).status == "holds"
                assert theorem.verdict(problem, before, planted).status == "fails", theorem.statement


@pytest.mark.parametrize(
    ("field", "place", "name"),
    [
        ("counts", (0,), "class setosa, n"),
        ("means", (2, 3), "class virginica, μ of petal_width_cm"),
        ("scatter", (1, 0, 2), "class versicolor, S of sepal_length_cm and petal_length_cm"),
        ("scatter", (1, 3, 3), "class versicolor, S of petal_width_cm and petal_width_cm"),
    ],
)
def test_the_number_that_is_off_is_called_by_its_class_and_features(field, place, name):
    problem, states = run_of(iris.load())
    off = getattr(states[-1], field).copy()
    off[place] += 1.0
    sides = MOMENTS.verdict(problem, states[-2], states[-1].replaced(**{field: off})).sides
    assert sides.entry == name


@pytest.mark.parametrize("divide", ["n", "n - 1"])
@pytest.mark.parametrize("covariance", ["shared", "own", "diagonal"])
def test_gaussians_that_are_not_those_of_the_rows_are_noticed(covariance, divide, monkeypatch):
    """Too wide, with means that are drawn to 0, or with equal shares whatever the counts."""
    problem, states = run_of(davis.with_(sample=60).load(), covariance=covariance, divide=divide)
    of, narrow = file.estimates(problem, states[-1])
    theorem = LINEAR if covariance == "shared" else QUADRATIC
    assert theorem.verdict(problem, states[-2], states[-1]).status == "holds"
    for planted in ({"covariances": 1.3 * of.covariances}, {"means": 0.9 * of.means}, {"share": np.full(2, 0.5)}):
        with monkeypatch.context() as there:
            there.setattr(file, "estimates", lambda *_, planted=planted: (replace(of, **planted), narrow))
            assert theorem.verdict(problem, states[-2], replace(states[-1])).status == "fails", planted


def test_a_row_of_another_class_or_taken_twice_is_noticed():
    problem, states = run_of(iris.load())
    before, row = states[90], file.next_rows_of(problem, states[90])
    X, y = problem.data.X, problem.data.y
    for moments in (
        before.moments.with_rows(X[row], (y[row] + 1) % 3),
        before.moments.with_rows(X[row], y[row]).with_rows(X[row], y[row]),
        before.moments.with_rows(X[row + 1], y[row + 1]),
    ):
        parts = {"counts": moments.counts, "means": moments.means, "scatter": moments.scatter}
        for theorem in (LINEAR, LIKELIEST, NO_MASKING, MOMENTS):
            assert theorem.verdict(problem, before, replace(states[91], **parts)).status == "fails"


# What a person reads


def test_words_name_the_row_and_how_far_the_mean_moves():
    run = Timeline(GDA, iris)
    run.advance(41)
    frame = run.at(40)
    words = GDA.explain(run.problem, frame.before, frame.state)
    assert "The mean moves by 1/" in words
    run = Timeline(GDA, iris, {"every": "class"})
    run.advance(2)
    frame = run.at(1)
    assert GDA.explain(run.problem, frame.before, frame.state).startswith("All 50 rows of setosa are taken in")


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_that_have_no_variance_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale"):
        GDA(Dataset([[size], [-size]], [0, 1], classes=("a", "b")))


@pytest.mark.parametrize("floor", [1e-6, 1.0])
@pytest.mark.parametrize("covariance", ["shared", "own"])
def test_features_of_very_different_sizes_lose_no_digits_to_each_other(covariance, floor):
    """The log odds and w·x + b agree, whatever the units of the features."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 4)) * [1e-25, 1e-9, 1e9, 1e25]
    run = Timeline(GDA, Dataset(X, np.arange(12) % 2), {"covariance": covariance, "floor": floor}).run()
    assert not run.failures
    far = run.fork(4, data=edited(run.data, [Move(0, (1e12,) * 4)])).run()
    assert not far.failures


def test_equal_rows_and_constant_features_have_a_floor():
    data = Dataset([[1.0, 5.0]] * 4 + [[2.0, 5.0]] * 4, [0] * 4 + [1] * 4, classes=("a", "b"))
    run = Timeline(GDA, data).run()
    assert run.failures == []
    assert run.curve("training error")[1][-1] == 0
