"""Logistic regression by Newton's method: by hand, against scikit-learn, and its theorems broken on purpose."""

import math
import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LogisticRegression

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import breast_cancer, iris, moons, wine
from algorithms.families.linear.logistic_newton import best, f_of, right_digits
from algorithms.toolbox.logistic import gradient_gaps, likelihood, maximum

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_step_that_was_good_enough_and_is_halved_is_noticed",
    "update": "test_a_step_half_as_far_or_backwards_is_noticed",
}

NEWTON = find("logistic_newton")
SQUARED, RISES, EQUATIONS, WEIGHED, DEFINITE, BENDS, STEPPED = NEWTON.theorems
TWO = Dataset([[1.0], [-1.0], [0.5]], [1, 0, 0], classes=("-", "+"))
APART = Dataset([[1.0, 0.0], [2.0, 1.0], [-1.0, 0.5], [-2.0, 0.0]], [1, 1, 0, 0], classes=("-", "+"))


def run_of(data, **parameters):
    problem = NEWTON.problem(data, None, parameters)
    return problem, list(NEWTON.start(problem))


def at(states, phase, nth=0):
    """The nth state of a phase with the one before it."""
    i = [i for i, s in enumerate(states) if s.phase == phase][nth]
    return states[i - 1], states[i]


# The algorithm


def test_the_first_step_by_hand():
    """From w = 0 without a bias or penalty: p = ½, g = ½(1 + 1 - ½) = ¾, H = ¼(1 + 1 + ¼) = 9/16, d = 4/3."""
    _, states = run_of(TWO, bias=False, penalty=0.0)
    start, weigh, solve, step = states[:4]
    assert [s.phase for s in states[:4]] == ["start", "weigh", "solve", "step"]
    assert start.w.tolist() == [0.0]
    assert weigh.r.tolist() == [0.25, 0.25, 0.25]
    assert solve.d == pytest.approx([4 / 3])
    assert solve.promise == pytest.approx(1.0)
    assert step.w == pytest.approx([4 / 3])


@pytest.mark.parametrize(
    "recipe",
    [iris.with_(positive="versicolor"), breast_cancer.with_(scale=True), wine.with_(positive="cultivar_2", scale=True)],
    ids=lambda r: r.name,
)
@pytest.mark.parametrize("penalty", [0.1, 5.0])
def test_scikit_learn_comes_to_the_same_weights(recipe, penalty):
    data = recipe.load()
    last = run_of(data, penalty=penalty)[1][-1]
    theirs = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(data.X, data.y)
    assert last.w == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), rel=1e-6, abs=1e-7)


def test_the_maximum_has_no_slope_and_is_the_greatest_nearby():
    data = moons.load()
    f, top = data.once(likelihood, 0.1, True), data.once(maximum, 0.1, True)
    assert top.exists
    assert np.abs(f.gradient(top.w)).max() < 1e-9
    rng = np.random.default_rng(0)
    assert all(f.value(top.w + 0.1 * v) < top.value for v in rng.normal(size=(20, f.p)))


def test_slope_and_curvature_are_those_of_the_likelihood():
    f = iris.with_(positive="versicolor").load().once(likelihood, 0.5, True)
    w, h = np.random.default_rng(1).normal(size=f.p), 1e-5
    slope = [(f.value(w + h * e) - f.value(w - h * e)) / (2 * h) for e in np.eye(f.p)]
    bend = [(f.gradient(w + h * e) - f.gradient(w - h * e)) / (2 * h) for e in np.eye(f.p)]
    assert f.gradient(w) == pytest.approx(slope, rel=1e-5, abs=1e-5)
    assert -f.hessian(f.weights(w)) == pytest.approx(np.array(bend), rel=1e-5, abs=1e-5)


def test_rows_that_can_be_separated_have_no_maximum_and_w_grows():
    problem, states = run_of(APART, penalty=0.0, steps=12)
    assert not best(problem).exists
    lengths = [float(np.linalg.norm(s.w)) for s in states if s.phase == "step"]
    assert all(b > a for a, b in zip(lengths, lengths[1:]))
    assert {v.status for v in verdicts(SQUARED, problem, states)} == {"does not apply"}


def test_from_the_wrong_side_a_step_is_cut_short():
    """Where p is nearly flat Newton's step is far too long, and s is halved until ln P rises."""
    _, states = run_of(breast_cancer.with_(scale=True).load(), start="wrong way")
    assert any(s.phase == "halve" for s in states)
    assert states[-1].w == pytest.approx(run_of(breast_cancer.with_(scale=True).load())[1][-1].w, rel=1e-5, abs=1e-6)


def test_near_the_maximum_the_digits_that_are_right_double():
    problem, states = run_of(iris.with_(positive="versicolor").load(), tolerance=1e-14)
    digits = [right_digits(problem, s) for s in states if s.phase == "step"]
    near = [d for d in digits if math.isfinite(d) and 0.5 < d < 8]
    assert len(near) >= 2
    assert all(b > 1.6 * a for a, b in zip(near, near[1:]))


def test_the_gradient_beside_it_rises_and_is_slower():
    data = breast_cancer.with_(scale=True).load()
    gaps = data.once(gradient_gaps, 0.1, True, 50)
    assert (np.diff(gaps) < 0).all()
    problem, states = run_of(data)
    sixth = next(s for s in states if s.phase == "step" and s.iteration == 6)
    assert best(problem).value - f_of(problem).value(sixth.w) < gaps[6] / 50


# Its states


@pytest.mark.parametrize("start", ["zero", "wrong way"])
def test_it_goes_on_from_any_state_bit_for_bit(start):
    data = breast_cancer.with_(scale=True).load()
    states = list(NEWTON(data, start=start))
    for k, state in list(enumerate(states))[::4]:
        rest = list(NEWTON(data, state=pickle.loads(pickle.dumps(state)), start=start))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


def test_rows_weigh_what_they_weigh_at_w_when_they_are_edited():
    run = Timeline(NEWTON, iris.with_(positive="versicolor")).run()
    data = edited(run.data, [Move(3, (5.0, 2.0, 3.0, 1.0))])
    fork = run.fork(run.nearest_entry(5), data=data).run()
    assert fork.failures == []
    fresh = list(NEWTON(data))[-1]
    assert fork.at(fork.last).state.w == pytest.approx(fresh.w, rel=1e-5)


# Its theorems


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


@pytest.mark.parametrize("start", ["zero", "wrong way"])
@pytest.mark.parametrize("penalty", [0.0, 0.1, 100.0])
def test_they_hold_at_every_step(start, penalty):
    for recipe in (iris.with_(positive="versicolor"), breast_cancer.with_(scale=True), moons):
        problem, states = run_of(recipe.load(), start=start, penalty=penalty)
        for theorem in NEWTON.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def broken(theorem, phase, nth=0, **change):
    problem, states = run_of(breast_cancer.with_(scale=True).load(), start="wrong way")
    before, after = at(states, phase, nth)
    assert theorem.verdict(problem, before, after).status == "holds"
    changed = {name: value(after) for name, value in change.items()}
    return theorem.verdict(problem, before, replace(after, **changed)).status


def test_rows_weighed_by_p_alone_are_noticed():
    assert broken(WEIGHED, "weigh", r=lambda s: np.sqrt(s.r)) == "fails"


@pytest.mark.parametrize(
    "recipe", [iris.with_(positive="versicolor"), breast_cancer, wine.with_(positive="cultivar_2")]
)
def test_a_curvature_of_other_weights_is_noticed(recipe):
    problem, states = run_of(recipe.load(), penalty=0.5)
    solved = [s for s in states if s.phase == "solve"]
    assert {BENDS.verdict(problem, None, s).status for s in solved} == {"holds"}
    for times in (0.99, 1.01):
        assert BENDS.verdict(problem, None, solved[1].replaced(r=times * solved[1].r)).status == "fails"


def test_weights_below_zero_break_the_curvature():
    assert broken(DEFINITE, "weigh", r=lambda s: -s.r) == "fails"


def test_the_gradient_in_place_of_newtons_direction_is_noticed():
    assert broken(EQUATIONS, "solve", d=lambda s: 0.01 * np.ones_like(s.d)) == "fails"
    assert broken(EQUATIONS, "solve", d=lambda s: -s.d) == "fails"


def test_where_sure_rows_leave_only_the_penalty_the_direction_is_not_asked_for():
    """Of w = 118 the rows at 1e5 weigh nothing: along x H is λ, flat beside what X'RX could be, and left out of d."""
    data = Dataset(
        [[1e5], [1e5], [0.0], [2e5], [1e5], [0.0], [2e5], [0.0]], [0, 1, 0, 1, 0, 0, 1, 0], classes=("a", "b")
    )
    problem = NEWTON.problem(data, None, {"penalty": 3e-5})
    start = next(NEWTON.start(problem))
    far = replace(start, w=np.array([118.0, -0.016]))
    weigh, solve = (state for state, _ in zip(NEWTON.start(problem, far), range(2)))
    assert solve.phase == "solve"
    assert solve.d[0] == 0
    for theorem in NEWTON.theorems:
        assert theorem.verdict(problem, weigh, solve).status != "fails"


def test_a_step_half_as_far_or_backwards_is_noticed():
    problem, states = run_of(iris.with_(positive="versicolor").load())
    before, after = at(states, "step")
    assert STEPPED.verdict(problem, before, after).status == "holds"
    for w in ((before.w + after.w) / 2, before.w - before.d):
        assert STEPPED.verdict(problem, before, replace(after, w=w)).status == "fails"
    assert RISES.verdict(problem, before, replace(after, w=before.w - before.d)).status == "fails"


def test_a_step_that_was_good_enough_and_is_halved_is_noticed():
    problem, states = run_of(iris.with_(positive="versicolor").load())
    before, after = at(states, "step")
    half = replace(after, s=0.5, w=(before.w + after.w) / 2)
    assert RISES.verdict(problem, before, half).status == "fails"


def test_a_whole_step_that_squares_nothing_is_noticed():
    problem, states = run_of(iris.with_(positive="versicolor").load(), tolerance=1e-14)
    steps = [i for i, s in enumerate(states) if s.phase == "step"]
    before, after = states[steps[-1] - 1], states[steps[-1]]
    assert SQUARED.verdict(problem, before, after).status == "holds"
    far = replace(after, w=best(problem).w + 1.0)
    assert SQUARED.verdict(problem, before, far).status == "fails"


# What a person reads


def test_it_explains_its_steps():
    problem, states = run_of(iris.with_(positive="versicolor").load())
    words = [NEWTON.explain(problem, b, s) for b, s in zip([None, *states], states[:4])]
    assert (
        words[0] == "w = 0 gives each of the 150 rows trained on the chance ½: "
        "the log-likelihood ln P = -150 ln 2 = -104, and all weigh ¼ in R."
    )
    assert "weighs most: 0.25" in words[1]
    assert "promises that ln P rises by about" in words[2]
    assert words[3].startswith("The whole step raises ln P by")


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        NEWTON(Dataset([[1e60], [1.0]], [1, 0], classes=("a", "b")))
