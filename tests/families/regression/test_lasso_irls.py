"""Lasso by reweighted least squares: by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import Lasso as Theirs, LinearRegression

from algorithms import Label, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.data import diabetes, prostate
from algorithms.families.regression.lasso_irls import (
    best,
    cost_of_rounding,
    excess,
    f_of,
    in_use,
    smooth_value,
    weighted_solution,
    width_of,
)
from algorithms.families.regression.shared.kinks_pictures import parabola_over_size

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_weights_of_the_round_before_or_of_the_squares_are_noticed",
    "update": "test_a_solution_half_way_or_of_a_plain_ridge_is_noticed",
}
PLANTED = {
    "excess: F - F* <= ∇F_ε·(w - w*) + λΣ(√(w*² + ε²) - |w*|)": "test_a_w_star_that_is_not_the_best_is_noticed",
}

IRLS = find("lasso_irls")
NEAR, FALLS, ABOVE, TOUCHES, SOLVES = IRLS.theorems
PROSTATE = prostate.with_(scale=True)
# Without means x is 1, -1 and y is 2, -2: Xᵀy = 4, ‖x‖² = 2, λmax = 4.
ONE = Dataset([[2.0], [0.0]], [5.0, 1.0], kind="number")


def run_of(data, **parameters):
    problem = IRLS.problem(data, None, parameters)
    return problem, list(IRLS.start(problem))


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


def at(states, phase, nth=0):
    """The nth state of a phase with the one before it."""
    i = [i for i, s in enumerate(states) if s.phase == phase][nth]
    return states[i - 1], states[i]


# The algorithm


def test_the_first_rounds_by_hand():
    """Least squares has w = 2. With λ = 2 and v = |w|: w' = 4/(2 + 2/v), so 4/3, then 8/7; the lasso has (4 - 2)/2."""
    problem, states = run_of(ONE, ratio=0.5, epsilon=0.0)
    assert f_of(problem).lam == pytest.approx(2.0)
    assert [s.phase for s in states[:5]] == ["start", "weigh", "solve", "weigh", "solve"]
    assert states[0].w == pytest.approx([2.0])
    assert states[1].v == pytest.approx([2.0])
    assert states[2].w == pytest.approx([4 / 3])
    assert states[4].w == pytest.approx([8 / 7])
    assert states[-1].w == pytest.approx([1.0], abs=1e-5)


def test_epsilon_is_a_share_of_the_largest_coefficient_of_one_feature_alone():
    problem, states = run_of(ONE, epsilon=1.5, start="zero", rounds=1)
    assert width_of(problem) == pytest.approx(3.0)
    assert states[1].v == pytest.approx([3.0])


def test_it_begins_with_least_squares():
    data = PROSTATE.load()
    assert run_of(data, rounds=1)[1][0].w == pytest.approx(LinearRegression().fit(data.X, data.y).coef_)


@pytest.mark.parametrize("recipe", [PROSTATE, diabetes.with_(scale=True)], ids=["prostate", "diabetes"])
@pytest.mark.parametrize("ratio", [0.05, 0.2])
def test_without_rounding_it_comes_to_scikit_learns_lasso(recipe, ratio):
    data = recipe.load()
    problem, states = run_of(data, ratio=ratio, epsilon=0.0, tolerance=1e-13, rounds=3000)
    theirs = Theirs(alpha=f_of(problem).lam / data.n, tol=1e-12, max_iter=100_000).fit(data.X, data.y)
    scale = np.abs(theirs.coef_).max()
    assert states[-1].w == pytest.approx(theirs.coef_, abs=1e-8 * scale)
    assert best(problem).w == pytest.approx(theirs.coef_, abs=1e-8 * scale)


def test_rounding_costs_no_more_than_it_is_said_to():
    for epsilon in (1e-4, 1e-2, 0.5):
        problem, states = run_of(PROSTATE.load(), epsilon=epsilon, tolerance=1e-12, rounds=2000)
        f = f_of(problem)
        assert 0 < excess(problem, states[-1]) <= cost_of_rounding(problem) * (1 + 1e-6)
        assert cost_of_rounding(problem) <= f.lam * f.d * width_of(problem)


def test_no_coefficient_is_ever_0_and_those_of_zeros_shrink_by_what_their_slope_is_of_lambda():
    problem, states = run_of(PROSTATE.load(), epsilon=0.0, rounds=40)
    f, none = f_of(problem), best(problem).w == 0
    assert {in_use(problem, s) for s in states} == {8.0}
    before, after = at(states, "solve", 30)
    shrunk = np.abs(after.w / before.w)[none]
    assert shrunk == pytest.approx(np.abs(f.correlations(after.w) / f.lam)[none], rel=1e-6)
    assert (shrunk < 1).all()


def test_from_0_without_rounding_nothing_ever_moves():
    run = Timeline(IRLS, PROSTATE, {"start": "zero", "epsilon": 0.0}).run()
    assert not run.at(run.last).state.w.any()
    assert run.stopped.reason.startswith("solved anew, no coefficient moves")
    said = [IRLS.explain(run.problem, run.at(t).before, run.at(t).state) for t in (0, 1)]
    assert said[0].endswith("ε = 0: over w = 0 every parabola is infinitely steep.")
    assert said[1].endswith("is 0 and ε is 0: over it the parabola is infinitely steep, and it will stay 0.")
    assert run.failures == []


@pytest.mark.parametrize("y", [[3.0, 3.0, 3.0], [1.0, 2.0, 4.0]])
def test_features_that_have_nothing_to_do_with_the_target_end_at_0(y):
    data = Dataset([[1.0, 5.0]] * 3, y, kind="number")
    run = Timeline(IRLS, data).run()
    assert not run.at(run.last).state.w.any()
    assert run.failures == []


# Its states


def test_forks_with_another_epsilon_lambda_or_target_and_a_drag_go_on_soundly():
    run = Timeline(IRLS, PROSTATE, {"rounds": 30}).run()
    frame = run.at(10)
    assert frame.state.phase == "solve"
    panel = IRLS.scene(run.problem, frame.before, frame.state).panels[2]
    grip = next(mark for mark in panel.marks if isinstance(mark, DragHandles))
    forks = (
        run.fork(10, epsilon=0.1),
        run.fork(10, ratio=0.6),
        run.fork(10, data=edited(run.data, [Label(0, 9.0)])),
        run.fork(10, state=grip.moved(frame.state, 0, grip.at[0] + 0.2)),
    )
    for fork in forks:
        fork.run()
        assert fork.failures == []
        assert fork.at(10).state.v == pytest.approx(np.hypot(fork.at(10).state.w, width_of(fork.problem)))
        for t in range(10, fork.last + 1):
            assert {v.status for v in fork.verdicts(fork.at(t))} <= {"holds", "does not apply"}
    assert np.count_nonzero(forks[3].at(10).state.w != frame.state.w) == 2


# Its theorems


@pytest.mark.parametrize("start", ["least squares", "zero"])
@pytest.mark.parametrize(("ratio", "epsilon"), [(1e-6, 1e-3), (0.2, 0.0), (0.2, 1e-6), (0.7, 0.3), (2.0, 1e-3)])
def test_they_hold_at_every_step(start, ratio, epsilon):
    for data in (PROSTATE.load(), diabetes.with_(scale=True).load(), ONE):
        problem, states = run_of(data, ratio=ratio, epsilon=epsilon, start=start, rounds=12)
        for theorem in IRLS.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_with_columns_that_depend_they_hold_too():
    X = np.random.default_rng(0).normal(size=(20, 2))
    data = Dataset(np.column_stack([X, X.sum(axis=1), X[:, :1]]), X @ [3.0, 4.0], kind="number")
    problem, states = run_of(data, ratio=1e-3, epsilon=1e-6, rounds=60)
    for theorem in IRLS.theorems:
        assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}
    assert excess(problem, states[-1]) <= excess(problem, states[0])


def test_weights_of_the_round_before_or_of_the_squares_are_noticed():
    problem, states = run_of(PROSTATE.load(), rounds=5)
    before, weighed = at(states, "weigh", 2)
    assert TOUCHES.verdict(problem, before, weighed).status == "holds"
    for v in (before.v, weighed.w**2, np.abs(weighed.w) + width_of(problem)):
        assert TOUCHES.verdict(problem, before, replace(weighed, v=v)).status == "fails"


def test_a_solution_half_way_or_of_a_plain_ridge_is_noticed():
    problem, states = run_of(PROSTATE.load(), rounds=5)
    before, after = at(states, "solve", 1)
    f = f_of(problem)
    ridge = weighted_solution(f, np.ones(f.d))
    for theorem in (ABOVE, SOLVES, FALLS):
        assert theorem.verdict(problem, before, after).status == "holds"
    for w in ((before.w + after.w) / 2, 2 * after.w - before.w, ridge):
        assert SOLVES.verdict(problem, before, replace(after, w=w)).status == "fails"
    for w in (before.w - (after.w - before.w), ridge):
        assert FALLS.verdict(problem, before, replace(after, w=w)).status == "fails"


def test_a_parabola_that_is_too_flat_is_noticed():
    problem, states = run_of(PROSTATE.load(), rounds=5)
    before, after = at(states, "solve", 1)
    assert ABOVE.verdict(problem, before, replace(after, v=-after.v)).status == "fails"


def test_a_w_star_that_is_not_the_best_is_noticed(monkeypatch):
    problem, states = run_of(PROSTATE.load(), rounds=200, tolerance=1e-12)
    assert NEAR.verdict(problem, None, at(states, "solve", -1)[1]).status == "holds"
    far = replace(best(problem), value=best(problem).value - 2 * cost_of_rounding(problem))
    monkeypatch.setattr("algorithms.families.regression.lasso_irls.best", lambda problem: far)
    assert NEAR.verdict(problem, None, at(states, "solve", -1)[1]).status == "fails"


# What a person sees and reads


def test_the_parabola_touches_where_it_is_said_to():
    panel = parabola_over_size("x", -0.5, 0.5, 0.0, touches=True, widest=0.5)
    size, parabola, w = panel.marks
    assert (parabola.at[:, 1] >= size.at[:, 1] - 1e-12)[~np.isnan(parabola.at[:, 1])].all()
    assert w.at[0] == pytest.approx([-0.5, 0.5])
    assert parabola_over_size("x", 0.0, 0.0, 0.0, touches=True, widest=1.0).marks[-1].at[0] == pytest.approx([0.0, 0.0])


def test_it_says_what_each_phase_did():
    problem, states = run_of(PROSTATE.load(), rounds=5)
    start, weigh, solve = (IRLS.explain(problem, b, s) for b, s in zip([None, *states], states[:3]))
    assert start.startswith("The run begins at the w of least squares, where F = ")
    assert weigh.startswith("Over each |w| the parabola that touches it at w, rounded by ε = ")
    fell = smooth_value(problem, states[1]) - smooth_value(problem, states[2])
    assert solve.startswith(f"Least squares with these parabolas lowers F_ε by {fell:.3g} to ")


@pytest.mark.parametrize("size", [1e140, 1e-140])
def test_numbers_whose_squares_are_out_of_range_are_refused_in_words(size):
    with pytest.raises(Refused, match="scale it"):
        IRLS(Dataset([[size], [-size]], [0.0, 1.5], kind="number"))
    with pytest.raises(Refused, match="scale it"):
        IRLS(Dataset([[1.0], [-1.0]], [0.0, size], kind="number"))
