"""Stochastic gradient descent on least squares: by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LinearRegression, SGDRegressor

from algorithms import Refused, Timeline, find
from algorithms.core import Dataset, DragHandles
from algorithms.data import diabetes, line, prostate
from algorithms.families.regression.stochastic_gradient.algorithm import excess_last, objective, step_size
from algorithms.toolbox.least_squares import bowl

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_that_was_not_next_breaks_the_update",
    "update": "test_a_step_up_the_gradient_or_a_tenth_as_far_or_of_another_row_breaks_the_update",
}

PLANTED = {"the mean of the rows' ∇fᵢ is ∇f = H(w - u)": "test_the_mean_of_all_rows_but_one_is_not_the_gradient"}
SILENT = {  # in the run that opens, and why
    "all rows, η < 2/L: the loss never rises": "a step uses 1 of the 100 rows, not all",
    "all rows: along v the error times 1 - ηL": "a step uses 1 of the 100 rows, not all",
}

SGD = find("stochastic_gradient")
REGRET, UPDATE, AVERAGE, MEAN, DESCENT, NEVER_RISES, ALONG_V, SUMMED = SGD.theorems
ALL = 1_000_000  # a batch of all rows


def made(n=80, d=3, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return Dataset(X, X @ np.arange(1.0, d + 1) + 2 + noise * rng.normal(size=n), kind="number")


def run_of(data, **parameters):
    return list(SGD(data, **parameters))


def verdicts(theorem, data, **parameters):
    problem = SGD.problem(data, None, parameters)
    states = list(SGD.start(problem))
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


def test_two_steps_by_hand():
    """Row (1, y = 2), then row (2, y = 3), with a step of 0.1 and no intercept."""
    data = Dataset([[1.0], [2.0]], [2.0, 3.0], kind="number")
    start, first, second = run_of(data, eta=0.1, order="cyclic", intercept=False, epochs=1)
    assert start.w.tolist() == [0.0]
    assert first.w == pytest.approx([0.2])  # residual -2, gradient -2
    assert second.w == pytest.approx([0.72])  # residual 0.4 - 3, gradient -5.2
    assert first.average.tolist() == [0.0]
    assert second.average == pytest.approx([0.1])
    u = 8 / 5  # (1·2 + 2·3) / (1 + 4)
    assert second.regret == pytest.approx(0.1 * ((2**2 - (u - 2) ** 2) + (2.6**2 - (2 * u - 3) ** 2)) / 2)
    assert second.squares == pytest.approx(0.01 * (2**2 + 5.2**2))
    assert second.length == pytest.approx(0.2)


def test_a_step_on_all_rows_follows_the_gradient_of_the_whole_loss():
    data = made()
    first = run_of(data, batch=ALL, eta=0.1, epochs=1)[1]
    X = np.column_stack([data.X, np.ones(data.n)])
    assert first.w == pytest.approx(0.1 * X.T @ data.y / data.n)


@pytest.mark.parametrize("data", [made(), diabetes.with_(scale=True).load()], ids=["made", "diabetes"])
def test_scikit_learn_comes_to_the_same_weights_and_average(data):
    epochs = 3
    machine = {"loss": "squared_error", "penalty": None, "learning_rate": "constant", "eta0": 0.01, "shuffle": False}
    theirs = SGDRegressor(**machine, tol=None, max_iter=epochs).fit(data.X, data.y)
    averaged = SGDRegressor(**machine, tol=None, max_iter=epochs, average=True).fit(data.X, data.y)
    last = run_of(data, eta=0.01, order="cyclic", epochs=epochs)[-1]
    assert last.w == pytest.approx(np.append(theirs.coef_, theirs.intercept_), rel=1e-8, abs=1e-8)
    # Theirs is the mean of w_1 ... w_T; ours, which the guarantee speaks of, that of w_0 ... w_(T-1).
    ours = last.average + (last.w - 0.0) / last.t
    assert ours == pytest.approx(np.append(averaged.coef_, averaged.intercept_), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("data", [made(), prostate.load()], ids=["made", "prostate"])
def test_the_exact_solution_is_that_of_linear_regression(data):
    theirs = LinearRegression().fit(data.X, data.y)
    assert bowl(data, True).exact == pytest.approx(np.append(theirs.coef_, theirs.intercept_), rel=1e-8)
    without = LinearRegression(fit_intercept=False).fit(data.X, data.y)
    assert bowl(data, False).exact == pytest.approx(without.coef_, rel=1e-8)


def test_where_there_are_many_solutions_it_comes_to_the_shortest():
    rng = np.random.default_rng(1)
    column = rng.normal(size=40)
    data = Dataset(np.column_stack([column, column]), 3 * column, kind="number")
    shortest = np.array([1.5, 1.5])
    assert bowl(data, False).exact == pytest.approx(shortest)
    assert run_of(data, batch=ALL, eta=0.3, intercept=False, epochs=300)[-1].w == pytest.approx(shortest)


def test_the_curvature_is_that_of_the_loss_as_normalised():
    data = made()
    f = bowl(data, True)
    X = np.column_stack([data.X, np.ones(data.n)])
    assert pytest.approx(np.linalg.norm(X, 2) ** 2 / data.n) == f.L
    rng = np.random.default_rng(0)
    for w in rng.normal(size=(5, 4)):
        assert f.loss(w) - f.lowest == pytest.approx(f.excess(w))
        nearby = [(f.loss(w + 1e-6 * e) - f.loss(w - 1e-6 * e)) / 2e-6 for e in np.eye(4)]
        assert f.gradient(w) == pytest.approx(nearby, abs=1e-6)


def test_steps_shrink_as_their_names_say():
    assert [step_size(2.0, "constant", t) for t in (1, 4)] == [2.0, 2.0]
    assert [step_size(2.0, "1/sqrt(t)", t) for t in (1, 4)] == [2.0, 1.0]
    assert [step_size(2.0, "1/t", t) for t in (1, 4)] == [2.0, 0.5]


@pytest.mark.parametrize("steps", ["constant", "1/sqrt(t)", "1/t"])
def test_the_average_weighs_each_iterate_by_the_step_made_from_it(steps):
    states = run_of(made(), steps=steps, eta=0.05, epochs=2)
    weights = np.array([step_size(0.05, steps, s.t + 1) for s in states[:-1]])
    mean = weights @ np.array([s.w for s in states[:-1]]) / weights.sum()
    assert states[-1].average == pytest.approx(mean)
    assert states[-1].length == pytest.approx(weights.sum())


def test_an_epoch_uses_every_row_once_and_its_last_batch_what_is_left():
    data = made(n=10)
    states = run_of(data, batch=4, order="shuffled", epochs=2)
    assert [(s.iteration, s.used) for s in states[1:]] == [(1, 4), (1, 8), (1, 10), (2, 4), (2, 8), (2, 10)]


def test_a_truth_without_noise_is_recovered():
    data = made(noise=0.0)
    assert run_of(data, eta=0.1, order="shuffled", epochs=200)[-1].w == pytest.approx([1, 2, 3, 2], abs=1e-9)


@pytest.mark.parametrize("batch", [1, ALL])
def test_a_step_far_too_large_ends_in_words_with_finite_numbers(batch):
    run = Timeline(SGD, diabetes.with_(scale=True), {"eta": 100.0, "batch": batch}).run()
    assert run.stopped.reason.startswith("it diverges")
    assert not run.stopped.failed
    last = run.at(run.last).state
    assert np.isfinite(last.w).all()
    assert all(np.isfinite(value) for value in (last.regret, last.squares))
    assert run.failures == []


# Its states


def test_a_batch_changed_in_mid_epoch_uses_the_rows_that_are_left():
    run = Timeline(SGD, made(n=10), {"batch": 3, "order": "shuffled", "epochs": 3})
    run.advance(2)
    fork = run.fork(1, batch=ALL)
    fork.advance(2)
    assert [fork.at(t).state.used for t in (1, 2, 3)] == [3, 10, 10]


# Its theorems


@pytest.mark.parametrize("steps", ["constant", "1/sqrt(t)", "1/t"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "replacement"])
@pytest.mark.parametrize(("batch", "eta"), [(1, 0.02), (1, 1.0), (9, 0.2), (ALL, 0.1), (ALL, 5.0)])
def test_the_bounds_of_every_path_hold_on_it(steps, order, batch, eta):
    for theorem in (REGRET, DESCENT):
        said = verdicts(theorem, made(), steps=steps, order=order, batch=batch, eta=eta, epochs=3)
        assert {v.status for v in said[1:]} == {"holds"}


@pytest.mark.parametrize("data", [made(), made(noise=0.0), line.load(), diabetes.with_(scale=True).load()])
def test_on_all_rows_below_two_over_l_the_loss_never_rises_to_the_end(data):
    below = 1.99 / bowl(data, True).L
    for eta in (below, below / 10):
        said = verdicts(NEVER_RISES, data, batch=ALL, eta=eta, epochs=400)
        assert {v.status for v in said[1:]} == {"holds"}
        assert {v.status for v in verdicts(ALONG_V, data, batch=ALL, eta=eta, epochs=400)[1:]} == {"holds"}


def test_past_two_over_l_it_does_not_apply_and_the_error_along_v_grows_as_said():
    data = made()
    L = bowl(data, True).L
    said = verdicts(NEVER_RISES, data, batch=ALL, eta=2.2 / L, epochs=50)
    assert {v.status for v in said} == {"does not apply"}
    assert "along v the error is multiplied by -1.2" in said[1].why
    grown = verdicts(ALONG_V, data, batch=ALL, eta=2.2 / L, epochs=50)[1:]
    assert {v.status for v in grown} == {"holds"}
    assert abs(grown[-1].sides.values[0]) > 1e3 * abs(grown[0].sides.values[0])


@pytest.mark.parametrize("theorem", [NEVER_RISES, ALONG_V])
def test_what_is_true_of_all_rows_only_does_not_apply_to_some(theorem):
    (why,) = {v.why for v in verdicts(theorem, made(), batch=5, epochs=1)[1:]}
    assert why == "a step uses 5 of the 80 rows, not all"


def broken(data, change, **parameters):
    """A first step and the same one changed, with the problem they belong to."""
    problem = SGD.problem(data, None, parameters)
    run = SGD.start(problem)
    start, first = next(run), next(run)
    return problem, start, first, first.after("step", t=1, **change(first))


@pytest.mark.parametrize("intercept", [True, False])
def test_a_row_is_right_on_average_and_off_by_the_spread(intercept):
    data = made()
    run = Timeline(SGD, data, {"intercept": intercept, "epochs": 2}).run()
    assert {MEAN.verdict(run.problem, None, run.at(t).state).status for t in range(0, run.last, 7)} == {"holds"}
    start = run.at(0).state
    X = np.column_stack([data.X, np.ones(data.n)]) if intercept else data.X
    rows = -data.y[:, None] * X
    assert run.curve("spread of g")[1][0] == pytest.approx(
        np.sqrt((rows**2).sum(axis=1).mean() - (rows.mean(axis=0) ** 2).sum())
    )
    assert bowl(data, intercept).gradient(start.w) == pytest.approx(rows.mean(axis=0))


@pytest.mark.parametrize("batch", [1, 7])
def test_sums_of_eta_in_place_of_its_square_or_of_the_next_loss_are_noticed(batch):
    problem = SGD.problem(made(), None, {"eta": 0.1, "batch": batch})
    before, after = list(SGD.start(problem))[3:5]
    g = (before.w - after.w) / 0.1
    assert SUMMED.verdict(problem, before, after).status == "holds"
    for wrong in ({"squares": before.squares + 0.1 * float(g @ g)}, {"regret": before.regret}):
        assert SUMMED.verdict(problem, before, after.replaced(**wrong)).status == "fails"


def test_the_mean_of_all_rows_but_one_is_not_the_gradient(monkeypatch):
    problem = SGD.problem(made())
    state = next(SGD.start(problem))
    assert MEAN.verdict(problem, None, state).status == "holds"
    whole = bowl(made(), True)
    for wrong in (replace(whole, X=whole.X[1:], y=whole.y[1:]), replace(whole, exact=1.01 * whole.exact)):
        monkeypatch.setattr(
            "algorithms.families.regression.stochastic_gradient.algorithm.objective", lambda _, wrong=wrong: wrong
        )
        assert MEAN.verdict(problem, None, state).status == "fails"


def test_a_step_up_the_slope_breaks_every_theorem_of_a_step():
    problem, start, first, wrong = broken(made(), lambda s: {"w": -s.w}, batch=ALL, eta=0.1)
    for theorem in (NEVER_RISES, ALONG_V, DESCENT):
        assert theorem.verdict(problem, start, first).status == "holds"
        assert theorem.verdict(problem, start, wrong).status == "fails"


def test_a_step_that_forgets_its_factor_breaks_the_equality_along_v():
    problem, start, _, wrong = broken(made(), lambda s: {"w": 1.01 * s.w}, batch=ALL, eta=0.1)
    assert ALONG_V.verdict(problem, start, wrong).status == "fails"


def test_ascent_breaks_the_bound_of_every_path():
    """With every step reversed, Σ η (f_t(w_t) - f_t(u)) outgrows what the bound allows."""
    data = made()
    problem = SGD.problem(data, None, {"eta": 0.05, "batch": ALL})
    f = bowl(data, True)
    state = next(SGD.start(problem))
    for _ in range(60):
        gradient = f.gradient(state.w)
        state = state.after(
            "step",
            w=state.w + 0.05 * gradient,
            regret=state.regret + 0.05 * (f.loss(state.w) - f.lowest),
            squares=state.squares + 0.05**2 * gradient @ gradient,
        )
    assert REGRET.verdict(problem, None, state).status == "fails"


@pytest.mark.parametrize("batch", [1, 7, ALL])
def test_a_step_up_the_gradient_or_a_tenth_as_far_or_of_another_row_breaks_the_update(batch):
    data = made()
    for change in (lambda s: {"w": -s.w}, lambda s: {"w": 0.1 * s.w}):
        problem, start, first, wrong = broken(data, change, batch=batch, eta=0.1)
        assert UPDATE.verdict(problem, start, first).status == "holds"
        assert UPDATE.verdict(problem, start, wrong).status == "fails"


def test_a_row_that_was_not_next_breaks_the_update():
    data = made()
    problem = SGD.problem(data, None, {"order": "cyclic", "eta": 0.1})
    start = next(SGD.start(problem))
    f = bowl(data, True)
    step = -0.1 * (0 - f.y[5]) * f.X[5]
    assert UPDATE.verdict(problem, start, start.after("step", w=step, used=1, iteration=1)).status == "fails"


def test_an_average_of_other_weights_or_with_other_steps_is_noticed():
    problem = SGD.problem(made(), None, {"steps": "1/t", "eta": 0.5})
    states = [s for s, _ in zip(SGD.start(problem), range(6))]
    before, after = states[4:]
    assert AVERAGE.verdict(problem, before, after).status == "holds"
    of_the_new = after.replaced(weighed=before.weighed + (after.length - before.length) * after.w)
    plain = after.replaced(weighed=before.weighed + before.w)
    for wrong in (of_the_new, plain):
        assert AVERAGE.verdict(problem, before, wrong).status == "fails"


@pytest.mark.parametrize(("batch", "a_step"), [(1, 22), (10, 220), (442, 9_724)])
def test_a_row_costs_two_multiplications_a_weight_and_the_inverse_its_cube(batch, a_step):
    """11 weights with the intercept, 442 rows."""
    run = Timeline(SGD, diabetes.with_(scale=True), {"batch": batch})
    run.advance(6)
    assert [run.at(t).state.multiplications for t in range(6)] == [t * a_step for t in range(6)]
    table = SGD.scene(run.problem, run.at(4).state, run.at(5).state).panels[-1].marks[0]
    row = next(row for row in table.rows if row[0] == "multiplications")
    assert row[1:] == (5 * a_step, None, 442 * 11**2 + 442 * 11 + 11**3)
    assert row[3] == 59_675


def test_by_default_the_average_is_better_than_the_last_before_240_steps():
    run = Timeline(SGD, line)
    run.advance(240)
    measure = {curve.name: curve.measure for curve in SGD.curves}
    better = [measure["excess of the average"](run.problem, run.at(t).state) for t in range(160, 240)]
    last = [measure["excess"](run.problem, run.at(t).state) for t in range(160, 240)]
    assert np.median(better) < np.median(last)


# What a person reads


def test_it_explains_one_row_some_rows_and_all():
    data = Dataset([[1.0], [2.0], [4.0]], [2.0, 3.0, 1.0], kind="number", features=("dose",), target="effect")

    def said(t, **parameters):
        run = Timeline(SGD, data, {"order": "cyclic", "eta": 0.1, "intercept": False} | parameters)
        run.advance(3)
        return SGD.explain(run.problem, run.at(t).before, run.at(t).state)

    assert said(0) == "w = 0: f is 2.333, 1.14 above the least possible."
    assert said(1).startswith(
        "Row 0 (dose 1) has effect 2, predicted 0. η = 0.1 times the gradient moves w by 0.2. Now f is "
    )
    assert said(1, batch=2).startswith("2 rows (0, 1, ...) were off by 2.55 in root mean square.")
    assert said(1, batch=3).startswith("All 3 rows were off by 2.16 in root mean square.")


def test_a_flat_bowl_and_a_target_of_zeros_can_be_shown():
    for data in (
        Dataset([[0.0], [0.0]], [1.0, 2.0], kind="number"),
        Dataset([[1.0], [2.0]], [0.0, 0.0], kind="number"),
    ):
        for intercept in (True, False):
            run = Timeline(SGD, data, {"intercept": intercept, "batch": ALL}).run()
            frame = run.at(run.last)
            SGD.scene(run.problem, frame.before, frame.state)
            assert run.failures == []
            assert excess_last(run.problem, frame.state) >= 0


def test_the_scene_rings_the_rows_of_the_step():
    run = Timeline(SGD, made(), {"batch": 4, "order": "cyclic"})
    run.advance(4)
    frame = run.at(2)
    scene = SGD.scene(run.problem, frame.before, frame.state)
    assert [p.title for p in scene.panels] == [
        "predicted against true",
        "the path of w over the loss",
        "weights",
        "so far",
    ]
    points = next(mark for mark in scene.panels[0].marks if type(mark).__name__ == "Points")
    assert np.flatnonzero(points.ringed).tolist() == [4, 5, 6, 7]


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        SGD(Dataset([[1e40], [1.0]], [1.0, 2.0], kind="number"))


@pytest.mark.parametrize("data", [line, diabetes.with_(scale=True), line.with_(scale=True)], ids=lambda d: d.name)
@pytest.mark.parametrize("intercept", [True, False])
def test_weights_are_dragged_over_the_loss(data, intercept):
    run = Timeline(find("stochastic_gradient"), data, {"intercept": intercept})
    run.advance(30)
    frame = run.at(20)
    panel = run.algorithm.scene(run.problem, frame.before, frame.state).panels[1]
    grips = next(m for m in panel.marks if isinstance(m, DragHandles))
    to = grips.at[0] + np.array([0.3, 0.2])
    moved = grips.moved(frame.state, 0, to)
    after = next(m for m in run.algorithm.scene(run.problem, None, moved).panels[1].marks if isinstance(m, DragHandles))
    assert after.at[0, 0] == pytest.approx(to[0])
    if len(moved.w) > 1:
        assert after.at[0, 1] == pytest.approx(to[1])
    run.fork(20, state=moved).advance(10)


def test_its_point_is_how_far_the_last_w_and_the_average_are_above_the_least():
    problem = SGD.problem(SGD.datasets[0].load())
    *_, before, end = SGD.start(problem)
    f = objective(problem)
    said = SGD.explain(problem, before, end).point
    assert f", {f.excess(end.w):.3g} above the least possible; " in said
    assert said.endswith(f"the average of all w is {f.excess(end.average):.3g} above it.")
