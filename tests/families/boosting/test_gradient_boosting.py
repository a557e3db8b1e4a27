"""Gradient boosting: by hand, against scikit-learn and AdaBoost, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Points
from algorithms.core.state import same
from algorithms.data import breast_cancer, faithful, iris, moons, sine
from algorithms.families.boosting.gradient_boosting import stages as of_stages
from algorithms.families.boosting.gradient_boosting.regression_trees import (
    Regressor,
    falls,
    fitted,
    rows_in_order,
    weighted_sum,
)
from algorithms.families.boosting.gradient_boosting.stagewise import LOSSES, exact_weight

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_the_second_best_question_is_noticed",
    "update": "test_a_step_the_other_way_or_half_as_far_or_of_the_last_residual_is_noticed",
}

BOOSTING, ADABOOST = find("gradient_boosting"), find("adaboost")
RISES, SLOPE, BEST, MEANS, EXACT, NEWTON, FALL, BOUND, ALPHAS, PRODUCT, SUM = BOOSTING.theorems
PLANTED = {  # these rest on another loss or weight than that which is disturbed
    ALPHAS.statement: "test_other_weights_than_adaboost_s_are_noticed",
    PRODUCT.statement: "test_other_weights_than_adaboost_s_are_noticed",
    NEWTON.statement: "test_half_a_newton_step_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "a leaf takes its Newton step": "one weight for the whole tree is searched for",
    "training error <= mean loss / loss(0)": "the targets are numbers",
    "exponential loss: every α is AdaBoost's ½ ln((1 - ε)/ε)": "the loss is not the exponential one",
    "exponential loss: the mean of e^(-y f) is Π Z": "the loss is not the exponential one",
}
WAVE = sine.with_(n=40, noise=0.2).load()
MOONS = moons.with_(n=60, noise=0.3, seed=2, hold_out=0.3).load()
EXPONENTIAL = {"loss": "exponential"}


def run_of(data=WAVE, **parameters):
    """The problem and its states."""
    problem = BOOSTING.problem(data, None, parameters)
    return problem, list(BOOSTING.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def in_single_precision(n, d, seed=0):
    """Rows that scikit-learn's trees, which look at float32, see as they are."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)).astype(np.float32).astype(float), rng


# By hand


def test_two_rounds_by_hand():
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 6.0, 10.0], kind="number")
    _, states = run_of(data, rounds=2)
    assert [s.phase for s in states] == ["start", *["residual", "fit", "weigh"] * 2]
    assert [s.iteration for s in states] == [0, 1, 1, 1, 2, 2, 2]
    assert states[0].constant == 4.0
    assert states[1].residual.tolist() == [-4, -4, 2, 6]
    first = states[2].trees[0]  # Σ (r - mean)² falls by 64, against 48 and 21.3 at the others
    assert (first.threshold.tolist(), first.value.tolist()) == ([1.5], [-4, 4])
    assert states[3].weights.tolist() == [1.0]
    assert states[3].f.tolist() == [0, 0, 8, 8]
    assert states[4].residual.tolist() == [0, 0, -2, 2]
    second = states[5].trees[1]
    assert second.threshold.tolist() == [2.5]
    assert second.value == pytest.approx([-2 / 3, 2])
    assert states[6].f == pytest.approx([-2 / 3, -2 / 3, 8 - 2 / 3, 10])


def test_the_exact_weight_of_a_stump_with_a_wrong_share_of_three_tenths():
    y = np.array([1.0] * 10)
    h = np.where(np.arange(10) < 3, -1.0, 1.0)
    nothing = np.zeros(10)
    assert exact_weight(LOSSES["exponential"], y, nothing, h) == pytest.approx(np.log(7 / 3) / 2, rel=1e-14)
    assert exact_weight(LOSSES["logistic"], y, nothing, h) == pytest.approx(np.log(7 / 3), rel=1e-14)
    assert exact_weight(LOSSES["squared"], y, nothing, h) == pytest.approx(0.4)
    assert exact_weight(LOSSES["exponential"], y, nothing, np.abs(h)) == np.inf


# Against scikit-learn and AdaBoost


@pytest.mark.parametrize(("depth", "step"), [(1, 1.0), (1, 0.1), (3, 0.3)])
def test_with_the_squared_loss_it_is_scikit_learn_s_regressor(depth, step):
    X, rng = in_single_precision(120, 3 if depth == 1 else 1)  # deeper, two features may part a few rows alike
    y = np.sin(2 * X[:, 0]) + X[:, -1] ** 2 + 0.1 * rng.normal(size=120)
    theirs = GradientBoostingRegressor(
        loss="squared_error", learning_rate=step, n_estimators=25, max_depth=depth, random_state=0
    ).fit(X, y)
    problem, states = run_of(Dataset(X, y, kind="number"), depth=depth, step=step, rounds=25)
    ours = [s.f for s in states if s.phase == "weigh"]
    for mine, other in zip(ours, theirs.staged_predict(X), strict=True):
        assert mine == pytest.approx(other, abs=1e-8)
    places, _ = in_single_precision(50, X.shape[1], seed=1)
    last = states[-1]
    assert last.constant + weighted_sum(last.trees, last.weights, places) == pytest.approx(
        theirs.predict(places), abs=1e-8
    )


@pytest.mark.parametrize(("depth", "step"), [(1, 1.0), (2, 0.1)])
def test_with_newton_s_steps_it_is_scikit_learn_s_classifier(depth, step):
    X, rng = in_single_precision(150, 3 if depth == 1 else 1)
    y = (X[:, 0] + X[:, -1] ** 2 + rng.normal(size=150) > 1).astype(int)
    theirs = GradientBoostingClassifier(
        loss="log_loss", learning_rate=step, n_estimators=20, max_depth=depth, random_state=0
    ).fit(X, y)
    data = Dataset(X, y, classes=("no", "yes"))
    _, states = run_of(data, loss="logistic", weight="newton", depth=depth, step=step, rounds=20)
    for mine, other in zip(
        (s.f for s in states if s.phase == "weigh"), theirs.staged_decision_function(X), strict=True
    ):
        assert mine == pytest.approx(other[:, 0], abs=1e-8)


@pytest.mark.parametrize(
    "data",
    [MOONS, breast_cancer.with_(scale=True).load(), iris.with_(positive="versicolor").load()],
    ids=lambda data: data.name,
)
def test_with_the_exponential_loss_it_is_adaboost_round_for_round(data):
    _, states = run_of(data, **EXPONENTIAL, rounds=20)
    theirs = [s for s in ADABOOST(data, rounds=20) if s.phase == "weigh"]
    ours = [s for s in states if s.phase == "weigh"]
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.weights == pytest.approx(other.alphas, rel=1e-9)
        assert mine.f == pytest.approx(other.votes, abs=1e-9)
        newest = mine.trees[-1]
        assert (newest.feature[0], newest.threshold[0]) == (other.features[-1], other.thresholds[-1])
        assert newest.value.tolist() == [other.below[-1], other.above[-1]]


# Its states


@pytest.mark.parametrize("parameters", [{}, {"depth": 2, "step": 0.5}])
def test_it_goes_on_from_any_state_bit_for_bit(parameters):
    problem, states = run_of(rounds=6, **parameters)
    for i in range(len(states)):
        rest = list(BOOSTING.start(problem, pickle.loads(pickle.dumps(states[i]))))
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :], strict=True))


def test_a_fork_to_another_loss_keeps_the_sum_and_follows_the_other_slope():
    run = Timeline(BOOSTING, MOONS, {**EXPONENTIAL, "rounds": 12}).run()
    fork = run.fork(18, loss="logistic").run()
    assert not fork.failures
    assert not fork.troubles
    y, f = MOONS.signs, run.at(18).state.f
    assert fork.at(19).state.residual == pytest.approx(y / (1 + np.exp(y * f)))
    for theorem in (ALPHAS, PRODUCT):
        assert theorem.verdict(fork.problem, None, fork.at(21).state, forked=True).status == "does not apply"


@pytest.mark.parametrize("changed", [{"step": 0.1}, {"weight": "newton"}, {"rounds": 20}])
def test_a_fork_with_another_parameter_is_sound(changed):
    fork = Timeline(BOOSTING, MOONS, {"loss": "logistic", "rounds": 9}).run().fork(12, **changed).run()
    assert not fork.failures
    assert not fork.troubles


@pytest.mark.parametrize("data", [WAVE, MOONS], ids=lambda data: data.name)
def test_rows_that_come_go_move_or_change_their_target_are_summed_anew(data):
    label = 3.0 if data.kind == "number" else 1 - int(data.y[1])
    place = tuple(data.X[0] + 0.5)
    changed = edited(data, [Add(place, label), Remove(3), Move(0, place), Label(1, label)])
    fork = Timeline(BOOSTING, data, {"rounds": 8}).run().fork(12, data=changed)
    state = fork.at(12).state
    assert state.f == pytest.approx(state.constant + sum(w * t(changed.X) for w, t in zip(state.weights, state.trees)))
    fork.run()
    assert not fork.failures
    assert not fork.troubles


@pytest.mark.parametrize("loss", ["squared", "logistic", "exponential"])
def test_a_fork_before_the_first_tree_begins_at_the_best_constant_of_its_own(loss):
    uneven = edited(MOONS, [Label(i, 1) for i in range(8)])
    run = Timeline(BOOSTING, uneven, {"rounds": 2}).run()
    for data in (uneven, edited(uneven, [Remove(0), Remove(1), Label(20, 1)])):
        fork = run.fork(0, loss=loss, data=data)
        assert same(fork.at(0).state, next(BOOSTING(data, loss=loss)))
        said = BOOSTING.explain(fork.problem, None, fork.at(0).state)
        assert f"f is {LOSSES[loss].constant(data.signs):.3g} everywhere, " in said


# Its theorems


@pytest.mark.parametrize("data", [WAVE, MOONS, faithful.with_(target="waiting").load()], ids=lambda data: data.name)
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"depth": 3, "step": 0.4},
        {"step": 2.0},
        {"loss": "logistic"},
        {"loss": "logistic", "weight": "newton", "depth": 2},
        {"loss": "logistic", "step": 2.0},
        EXPONENTIAL,
        {**EXPONENTIAL, "step": 0.5},
        {**EXPONENTIAL, "step": 2.0},
    ],
)
def test_they_hold(data, parameters):
    if data.kind == "number" and "loss" in parameters:
        with pytest.raises(Refused, match="is a number: take the squared loss"):
            run_of(data, **parameters)
        return
    problem, states = run_of(data, rounds=5, **parameters)
    for before, after in zip([None, *states], states):
        for theorem in BOOSTING.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def second_best(X, r):
    """The stump of means whose fall is next to the greatest."""
    order = X.argsort(axis=0).T
    fall = falls(X, order, r)[0]
    place = int(np.argsort(-fall)[1])
    at = float(X[order[0, place : place + 2], 0].mean())
    left = X[:, 0] <= at
    return Regressor(np.array([0]), np.array([at]), np.array([r[left].mean(), r[~left].mean()]))


def test_the_second_best_question_is_noticed():
    problem, states = run_of(rounds=2)
    for before, after in zip(states[1::3], states[2::3]):
        other = second_best(WAVE.X, after.residual)
        assert status(BEST, problem, before, after) == "holds"
        assert status(BEST, problem, before, replace(after, trees=(*after.trees[:-1], other))) == "fails"


def test_a_stump_that_says_the_opposite_is_noticed():
    problem, states = run_of(MOONS, **EXPONENTIAL, rounds=1)
    tree = states[2].trees[0]
    opposite = Regressor(tree.feature, tree.threshold, -tree.value)
    assert status(BEST, problem, states[1], states[2]) == "holds"
    assert status(BEST, problem, states[1], replace(states[2], trees=(opposite,))) == "fails"


def test_a_worse_question_below_the_first_is_noticed():
    problem, states = run_of(rounds=1, depth=2)
    tree = states[2].trees[0]
    threshold = tree.threshold.copy()
    threshold[2] = np.sort(WAVE.X[WAVE.X[:, 0] > threshold[0], 0])[[0, 1]].mean()
    worse = Regressor(tree.feature, threshold, tree.value)
    assert status(BEST, problem, states[1], states[2]) == "holds"
    assert status(BEST, problem, states[1], replace(states[2], trees=(worse,))) == "fails"


def test_leaves_that_say_the_median_are_noticed():
    problem, states = run_of(rounds=1)
    tree, r = states[2].trees[0], states[2].residual
    leaves = tree.leaves(WAVE.X)
    medians = Regressor(tree.feature, tree.threshold, np.array([np.median(r[leaves == i]) for i in range(2)]))
    assert status(MEANS, problem, states[1], states[2]) == "holds"
    assert status(MEANS, problem, states[1], replace(states[2], trees=(medians,))) == "fails"


def planted(state, factor, h):
    """The state after a step `factor` times as far along h."""
    weight = factor * state.weights[-1]
    f = state.f + (factor - 1) * state.weights[-1] * h
    return replace(state, weights=np.append(state.weights[:-1], weight), f=f)


@pytest.mark.parametrize(
    "parameters", [{}, {"loss": "logistic"}, EXPONENTIAL], ids=["squared", "logistic", "exponential"]
)
@pytest.mark.parametrize("factor", [-1.0, 0.5, 3.0])
def test_a_step_the_other_way_or_half_as_far_or_of_the_last_residual_is_noticed(parameters, factor):
    problem, states = run_of(MOONS, rounds=4, **parameters)
    before, after = states[-2:]
    wrong = planted(after, factor, after.trees[-1](MOONS.X))
    assert status(EXACT, problem, before, after) == status(RISES, problem, before, after) == "holds"
    assert status(EXACT, problem, before, wrong) == "fails"
    assert status(RISES, problem, before, wrong) == ("holds" if factor == 0.5 else "fails")
    stale = replace(states[-3], residual=states[-6].residual)
    assert status(SLOPE, problem, states[-4], states[-3]) == "holds"
    assert status(SLOPE, problem, states[-4], stale) == "fails"


@pytest.mark.parametrize("other", [1, 3])
def test_a_tree_of_another_depth_is_noticed(other):
    data = sine.load()
    problem = BOOSTING.problem(data, None, {"depth": 2})
    start, residual, fit = (state for state, _ in zip(BOOSTING.start(problem), range(3)))
    assert BEST.verdict(problem, residual, fit).status == "holds"
    tree = fitted(data.X, rows_in_order(data), residual.residual, other)
    assert BEST.verdict(problem, residual, fit.replaced(trees=(tree,))).status == "fails"


def test_half_a_step_does_not_fall_by_the_gain_of_a_whole_one():
    problem, states = run_of(rounds=2)
    before, after = states[-2:]
    assert status(FALL, problem, before, after) == "holds"
    assert status(FALL, problem, before, planted(after, 0.5, after.trees[-1](WAVE.X))) == "fails"


def test_half_a_newton_step_is_noticed():
    problem, states = run_of(MOONS, loss="logistic", weight="newton", rounds=2)
    before, after = states[-2:]
    tree = after.trees[-1]
    half = Regressor(tree.feature, tree.threshold, tree.value / 2)
    assert status(NEWTON, problem, before, after) == "holds"
    assert status(NEWTON, problem, before, replace(after, trees=(*after.trees[:-1], half))) == "fails"
    assert RISES.verdict(problem, before, after).why == "a Newton step in each leaf may go too far"


def test_other_weights_than_adaboost_s_are_noticed():
    problem, states = run_of(MOONS, **EXPONENTIAL, rounds=3)
    before, after = states[-2:]
    other = planted(after, 1.2, after.trees[-1](MOONS.X))
    for theorem in (ALPHAS, PRODUCT):
        assert status(theorem, problem, before, after) == "holds"
        assert status(theorem, problem, before, other) == "fails"
    assert "ν is 1" in ALPHAS.hypotheses
    shrunk, states = run_of(MOONS, **EXPONENTIAL, step=0.5, rounds=1)
    assert ALPHAS.verdict(shrunk, *states[-2:]).why == "AdaBoost takes whole steps, ν = 1"


# Ends and refusals


def test_it_ends_where_nothing_is_left_and_where_no_question_helps():
    steps = Dataset([[0.0], [1.0], [2.0]], [1.0, 1.0, 5.0], kind="number")
    assert Timeline(BOOSTING, steps).run().stopped.reason == "f is y on every row: no residual is left"
    alike = Dataset([[1.0], [1.0], [1.0]], [1.0, 2.0, 5.0], kind="number")
    assert Timeline(BOOSTING, alike).run().stopped.reason == "no question of the greedy tree tells the residuals apart"
    parted = Dataset([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], classes=("a", "b"))
    for loss in ("logistic", "exponential"):
        run = Timeline(BOOSTING, parted, {"loss": loss}).run()
        assert run.stopped.reason == "the last tree is on the wrong side of no row: no weight of it is the best"
        assert run.at(run.last).state.weights.tolist() == [1.0]
        assert not run.failures


@pytest.mark.parametrize("parameters", [{"depth": 2}, {"weight": "newton"}])
def test_with_the_exponential_loss_trees_are_stumps_with_one_weight(parameters):
    with pytest.raises(Refused, match=r"with the exponential loss .* take"):
        run_of(MOONS, **EXPONENTIAL, **parameters)


@pytest.mark.parametrize("size", [1e-100, 1e100])
def test_targets_of_any_size_take_the_same_course(size):
    _, usual = run_of(rounds=5)
    problem, states = run_of(Dataset(WAVE.X, WAVE.y * size, kind="number"), rounds=5)
    assert states[-1].f / size == pytest.approx(usual[-1].f)
    for before, after in zip([None, *states], states):
        for theorem in BOOSTING.theorems:
            assert status(theorem, problem, before, after) != "fails"


def test_targets_that_cannot_be_squared_and_classes_that_are_one_are_refused():
    with pytest.raises(Refused, match="out of range"):
        run_of(Dataset(WAVE.X, WAVE.y * 1e-160, kind="number"))
    with pytest.raises(Refused, match="one class"):
        run_of(Dataset(np.ones((4, 1)), [1, 1, 1, 1], classes=("a", "b")))


def test_it_takes_numbers_or_two_classes():
    with pytest.raises(Refused, match="learns classes or numbers; data has no target"):
        BOOSTING.problem(Dataset(WAVE.X))
    with pytest.raises(Refused, match="tells 2 classes apart; iris has 3"):
        BOOSTING.problem(iris.load())


# Its parts


def test_a_sum_of_trees_is_the_sum_of_what_they_say():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    data = Dataset(X, rng.normal(size=200), kind="number")
    trees = tuple(fitted(X, rows_in_order(data), rng.normal(size=200), 3) for _ in range(7))
    weights = rng.normal(size=6)  # the newest is not weighed
    assert weighted_sum(trees, weights, X) == pytest.approx(sum(w * t(X) for w, t in zip(weights, trees)))
    assert weighted_sum((), np.zeros(0), X).tolist() == [0.0] * 200


def test_newton_steps_are_zero_where_there_is_no_curvature():
    tree = Regressor(np.array([0]), np.array([0.5]), np.zeros(2))
    steps = of_stages.newton_steps(tree, np.array([[0.0], [1.0]]), np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    assert steps.tolist() == [0.0, 0.5]


def test_where_the_loss_has_no_curvature_left_no_newton_step_is_claimed():
    """Labels turned where f is so large that e^(-|f|) is 0: the leaf's residual is 1 a row, and no step exists."""
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], classes=("a", "b"))
    problem = BOOSTING.problem(data, None, {"loss": "logistic", "weight": "newton", "rounds": 1})
    start, fitted_to, fit, _ = BOOSTING.start(problem)
    f = np.array([-1.0, -1.0, -800.0, -800.0])
    before = replace(fit, f=f, residual=LOSSES["logistic"].pull(data.signs, f))
    after = next(BOOSTING.start(problem, before))
    assert after.trees[-1].value[1] == 0.0
    assert status(NEWTON, problem, before, after) == "holds"
    assert "1 leaf has no curvature left, and so no step." in BOOSTING.explain(problem, before, after)
    nowhere = replace(before, f=np.array([800.0, 800.0, -800.0, -800.0]))
    assert status(NEWTON, problem, nowhere, next(BOOSTING.start(problem, nowhere))) == "does not apply"


# What is seen


def test_across_a_fork_the_weight_is_what_was_taken_and_the_least_that_of_now():
    run = Timeline(BOOSTING, WAVE, {"step": 0.5})
    run.advance(10)
    fork = run.fork(9, step=1.0)
    state = fork.at(9).state
    text = BOOSTING.explain(fork.problem, None, state)
    assert text.startswith("The last of 3 trees has the weight 0.5. The mean loss is ")
    value = BOOSTING.symbols["α"][1]
    assert value(fork.problem, state) == pytest.approx(1.0)
    panels = {panel.title: panel for panel in BOOSTING.scene(fork.problem, None, state).panels}
    assert panels["loss along the tree"].note == "least at 1, taken 0.5"


def test_held_out_the_sine_is_fitted_best_before_the_end():
    run = Timeline(BOOSTING, BOOSTING.datasets[0]).run()
    names = [curve.name for curve in BOOSTING.curves]
    rows = [dict(zip(names, run.values(run.at(t)))) for t in range(len(run)) if run.at(t).state.phase == "weigh"]
    held_out = [row["held-out loss"] for row in rows]
    assert np.diff([row["training loss"] for row in rows]).max() <= 0
    assert min(held_out) < 0.8 * held_out[-1]
    assert len(run) <= 240


def test_the_loss_along_the_tree_is_drawn_with_its_least():
    problem, states = run_of(MOONS, loss="logistic", step=0.5, rounds=1)
    panels = {panel.title: panel for panel in BOOSTING.scene(problem, *states[-2:]).panels}
    path, best, taken = panels["loss along the tree"].marks
    least = path.at[np.nanargmin(path.at[:, 1]), 0]
    assert least == pytest.approx(best.x, rel=0.03)
    assert taken.x == pytest.approx(best.x / 2)
    low, high = panels["loss along the tree"].limits[1]
    begun, fall = path.at[0, 1], path.at[0, 1] - np.nanmin(path.at[:, 1])
    assert (high - begun, begun - low) == pytest.approx((0.5 * fall, 1.2 * fall))  # so that the least is seen


def test_it_says_what_is_left_and_what_is_asked():
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 6.0, 10.0], kind="number", features=("dose",))
    problem, states = run_of(data, rounds=1)
    told = [BOOSTING.explain(problem, before, after) for before, after in zip([None, *states], states)]
    assert told[0].startswith("There is no tree yet: f is 4 everywhere, the mean of the targets.")
    assert "row 3 (dose 3): y = 10 and f = 4, so r = y - f = 6" in told[1]
    assert "dose <= 1.5? Of all questions it explains most, 88.9%" in told[2]
    assert "least at α = 1. The mean loss goes from 9 to 1." in told[3]


def test_a_row_at_which_f_is_0_counts_as_wrong():
    problem, states = run_of(MOONS, **EXPONENTIAL)
    assert {curve.name: curve for curve in BOOSTING.curves}["training error"].value(problem, states[0]) == 1.0


def test_the_row_that_is_spoken_of_is_ringed_and_each_row_says_its_residual():
    problem, states = run_of(rounds=2)
    for before, after in zip(states, states[1:]):
        stage, left, *_ = BOOSTING.scene(problem, before, after).panels
        rows = [next(m for m in panel.marks if isinstance(m, Points) and m.rows) for panel in (stage, left)]
        if after.phase == "residual":
            words = BOOSTING.explain(problem, before, after)
            for mark in rows:
                (row,) = np.flatnonzero(mark.ringed).tolist()
                assert f"The most is left at row {row} (" in words
            assert rows[1].says(3) == f"r {after.residual[3]:.4g}"
        else:
            assert all(mark.ringed is None for mark in rows)
            h = float(after.trees[-1](problem.data.X[[3]])[0])
            assert rows[1].says(3) == f"r {after.residual[3]:.4g}, h {h:.4g}"


def test_the_error_of_numbers_is_a_root_mean_square_and_that_of_classes_a_share():
    curves = {curve.name: curve for curve in BOOSTING.curves}
    for data, own, other in (
        (WAVE, "training RMS error", "training error"),
        (MOONS, "training error", "training RMS error"),
    ):
        problem, states = run_of(data, rounds=3)
        assert curves[own].chart == curves[other].chart == "error"
        assert np.isnan(curves[other].value(problem, states[-1]))
        f = states[-1].f
        wanted = np.sqrt(np.mean((data.y - f) ** 2)) if data is WAVE else np.mean(data.signs * f <= 0)
        assert curves[own].value(problem, states[-1]) == pytest.approx(wanted)
