"""Kernel logistic regression: by hand, against logistic regression on mapped rows, theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LogisticRegression

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import blobs, iris, moons, rings, xor
from algorithms.families.kernels.kernel_logistic import algorithm as module
from algorithms.families.kernels.kernel_logistic.algorithm import best, eta_of, f_of, gram_of, likelihood_of, weights
from algorithms.toolbox.explicit_features import monomials
from algorithms.toolbox.kernels import kernel_in_use
from algorithms.toolbox.logistic import greatest

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_that_is_left_out_is_noticed",
    "update": "test_a_step_half_as_far_or_backwards_is_noticed",
}
PLANTED = {  # what no small change of a state breaks, and the fault that does
    "representer: no bump elsewhere takes f above f*: ln P(f + βk(z, ·)) <= ln P(f*)": (
        "test_the_best_of_fewer_rows_is_beaten_by_a_bump_elsewhere"
    ),
}

LOGISTIC = find("kernel_logistic")
PLAIN = find("logistic_regression")
RATE, CLIMBS, SAME, MOVED, ROWS, LENGTHS, NEAR, REPRESENTER = LOGISTIC.theorems
RINGS = rings.with_(n=40)
# K = [1 0; 0 4] of x·z, y = (1, 0).
TWO = Dataset([[1.0, 0.0], [0.0, 2.0]], [1, 0], classes=("-", "+"))


def run_of(data, **parameters):
    problem = LOGISTIC.problem(data, None, parameters)
    return problem, list(LOGISTIC.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# The algorithm


def test_the_first_two_steps_by_hand():
    """λmax(K) = 4, λ = 1: L = 2, η = ½. α = ½(½, -½); f = (¼, -1), and then α moves by ½(y - p - α)."""
    _, states = run_of(TWO, kernel="linear", penalty=1.0, steps=2)
    assert states[1].alpha == pytest.approx([0.25, -0.25])
    assert states[1].scores == pytest.approx([0.25, -1.0])
    p = 1 / (1 + np.exp(-np.array([0.25, -1.0])))
    assert states[2].alpha == pytest.approx([0.25 + 0.5 * (1 - p[0] - 0.25), -0.25 + 0.5 * (-p[1] + 0.25)])


@pytest.mark.parametrize("penalty", [0.0, 0.5])
def test_with_the_linear_kernel_it_is_logistic_regression_step_for_step(penalty):
    data = blobs.with_(n=40, spread=2.0).load()
    problem, states = run_of(data, kernel="linear", penalty=penalty, steps=30)
    plain = [s for s in PLAIN(data, bias=False, penalty=penalty, steps=30) if s.phase != "gradient"]
    assert len(plain) >= 30
    for mine, theirs in zip(states, plain):
        assert weights(problem, mine) == pytest.approx(theirs.w, abs=1e-10)


@pytest.mark.parametrize("recipe", [RINGS, iris.with_(positive="versicolor", sample=40)], ids=["rings", "iris"])
def test_scikit_learn_on_the_mapped_rows_comes_to_the_same_f(recipe):
    data = recipe.load()
    problem, states = run_of(data, kernel="polynomial", penalty=2.0, tolerance=1e-7, gamma=0.2, steps=20_000)
    phi = monomials(kernel_in_use(problem), data.X)
    theirs = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-12, max_iter=10_000, solver="newton-cg")
    theirs.fit(phi, data.y)
    assert states[-1].scores == pytest.approx(theirs.decision_function(phi), abs=1e-4)
    assert best(problem).w == pytest.approx(theirs.coef_[0], abs=1e-5)


def test_at_the_maximum_each_multiplier_is_its_rows_doubt():
    problem, states = run_of(RINGS.load(), penalty=1.0, tolerance=1e-8)
    y = (problem.data.signs + 1) / 2
    p = 1 / (1 + np.exp(-states[-1].scores))
    assert states[-1].alpha == pytest.approx(y - p, abs=1e-4)


def test_rings_and_xor_are_told_apart_where_no_line_can():
    for data in (RINGS.load(), xor.load()):
        problem, states = run_of(data, steps=150)
        assert (data.signs * f_of(problem, states[-1])(data.X) > 0).mean() > 0.95


def test_held_out_rows_are_measured_by_the_rows_trained_on():
    run = Timeline(LOGISTIC, moons.with_(n=60, hold_out=0.25), {"steps": 80}).run()
    curves = {c.name: c for c in LOGISTIC.curves}
    last = run.at(run.last).state
    held = run.data.held_out
    wrong = (held.signs * f_of(run.problem, last)(held.X) <= 0).mean()
    assert curves["held-out error"].value(run.problem, last) == wrong
    assert curves["held-out loss"].value(run.problem, last) < np.log(2)


# Its states


@pytest.mark.parametrize("changes", [{"kernel": "polynomial"}, {"bias": True}, {"penalty": 2.0}, {"eta_L": 0.3}])
def test_a_fork_keeps_its_multipliers(changes):
    run = Timeline(LOGISTIC, RINGS, {"steps": 60})
    run.advance(21)
    fork = run.fork(20, **changes)
    fork.advance(20)
    assert fork.failures == []
    begin = fork.at(20).state
    assert same(begin.alpha, run.at(20).state.alpha)
    assert begin.scores == pytest.approx(gram_of(fork.problem) @ begin.alpha)


@pytest.mark.parametrize("edit", [Move(3, (0.2, 0.1)), Label(3, 0), Remove(3), Add((0.1, 0.1), 1)])
def test_rows_keep_their_multipliers_when_others_are_edited(edit):
    run = Timeline(LOGISTIC, RINGS, {"steps": 40})
    run.advance(21)
    fork = run.fork(20, data=edited(run.data, [edit]))
    fork.advance(20)
    assert fork.failures == []
    begin = fork.at(20).state
    assert begin.alpha[0] == run.at(20).state.alpha[0]
    assert begin.scores == pytest.approx(gram_of(fork.problem) @ begin.alpha)


# Its theorems


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
@pytest.mark.parametrize("parameters", [{}, {"penalty": 0.0}, {"eta_L": 1.9, "bias": True}, {"eta_L": 30.0}])
def test_every_theorem_holds_at_every_step(kernel, parameters):
    assert Timeline(LOGISTIC, RINGS, {"kernel": kernel, "steps": 12, **parameters}).run().failures == []


def test_a_step_half_as_far_or_backwards_is_noticed():
    problem, states = run_of(RINGS.load(), steps=10)
    before, after = states[3], states[4]
    step = after.alpha - before.alpha
    for wrong in (0.5, -1.0):
        alpha = before.alpha + wrong * step
        planted = replace(after, alpha=alpha, scores=gram_of(problem) @ alpha)
        for theorem in (CLIMBS, SAME, MOVED):
            assert status(theorem, problem, before, after) == "holds"
            assert status(theorem, problem, before, planted) == "fails"


def test_a_row_that_is_left_out_is_noticed():
    problem, states = run_of(RINGS.load(), steps=10)
    before, after = states[0], states[1]
    alpha = after.alpha.copy()
    alpha[7] = before.alpha[7]
    planted = replace(after, alpha=alpha, scores=gram_of(problem) @ alpha)
    for theorem in (SAME, MOVED):
        assert status(theorem, problem, before, planted) == "fails"


def test_the_step_of_other_coordinates_is_another_step():
    """α += η K(y - p - λα), the gradient with α for coordinates."""
    problem, states = run_of(RINGS.load(), steps=10)
    K = gram_of(problem)
    alpha = states[3].alpha + K @ (states[4].alpha - states[3].alpha)
    assert status(SAME, problem, states[3], replace(states[4], alpha=alpha, scores=K @ alpha)) == "fails"


def test_a_run_that_gets_nowhere_is_noticed():
    problem, states = run_of(RINGS.load(), steps=60)
    stuck = replace(states[1], iteration=2_000)
    assert status(RATE, problem, None, states[-1]) == "holds"
    assert status(RATE, problem, None, stuck) == "fails"


def test_scores_of_other_multipliers_are_noticed():
    problem, states = run_of(RINGS.load(), steps=60)
    planted = replace(states[-1], scores=1.2 * states[-1].scores)
    for theorem in (ROWS, LENGTHS):
        assert status(theorem, problem, None, states[-1]) == "holds"
        assert status(theorem, problem, None, planted) == "fails"


def test_a_slope_that_is_too_small_for_the_distance_is_noticed():
    """Half the multipliers of f*, with scores at which their slope would be 0: y - p = λα."""
    problem, states = run_of(RINGS.load(), penalty=1.0, tolerance=1e-8)
    half, y = 0.5 * states[-1].alpha, (problem.data.signs + 1) / 2
    scores = np.log((y - half) / (1 - y + half))
    assert status(NEAR, problem, None, states[-1]) == "holds"
    assert status(NEAR, problem, None, replace(states[-1], alpha=half, scores=scores)) == "fails"


def test_the_best_of_fewer_rows_is_beaten_by_a_bump_elsewhere(monkeypatch):
    problem, states = run_of(RINGS.load(), steps=100)
    f = likelihood_of(problem)
    few = greatest(replace(f, X=f.X * (np.arange(f.p) < 3)))  # the best along three directions of the span alone
    assert status(REPRESENTER, problem, None, states[-1]) == "holds"
    monkeypatch.setattr(module, "best", lambda problem: few)
    assert few.value < LOGISTIC.curves[0].value(problem, states[-1])
    assert status(REPRESENTER, problem, None, states[-1]) == "fails"


def test_without_a_penalty_separated_rows_have_no_maximum():
    problem, states = run_of(RINGS.load(), penalty=0.0, steps=30)
    assert not best(problem).exists
    assert status(RATE, problem, None, states[-1]) == "does not apply"
    norms = [float(s.alpha @ s.scores) for s in states]
    assert all(b > a for a, b in zip(norms, norms[1:]))


# Words and limits


def test_it_explains_its_steps():
    run = Timeline(LOGISTIC, RINGS, {"steps": 3}).run()
    say = [LOGISTIC.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(3)]
    assert say[0].startswith("α = 0 gives every row the chance ½")
    assert f"η/2 = {eta_of(run.problem) / 2:.3g}" in say[0]
    assert "ln P rises by" in say[1]


@pytest.mark.parametrize("size", [1e-160, 1e140])
@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_numbers_that_are_out_of_range_are_refused_in_words(size, kernel):
    with pytest.raises(Refused, match="out of range"):
        LOGISTIC(Dataset([[size], [2 * size]], [0, 1], classes=("a", "b")), kernel=kernel)


def test_too_many_rows_are_refused_in_words():
    many = Dataset(np.arange(700.0)[:, None], np.arange(700) % 2, classes=("a", "b"))
    with pytest.raises(Refused, match="take a sample of 600"):
        LOGISTIC(many)


def test_no_letter_stands_for_two_chances():
    """p is the chance of the second class: a sum of ln p over the rows is not their log-likelihood."""
    assert LOGISTIC.curves[0].formula == "log-likelihood - ½λ‖f‖²"
