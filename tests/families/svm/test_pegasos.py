"""Pegasos: by hand, against scikit-learn's LinearSVC and SMO, and its theorems broken on purpose."""

import pickle
from collections import Counter

import numpy as np
import pytest
from sklearn.svm import LinearSVC

import algorithms.families.svm.pegasos.algorithm as module
from algorithms import Add, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.core.state import same
from algorithms.data import blobs, iris, moons
from algorithms.families.svm.pegasos.regularised_hinge import Best, HingeObjective, across, best_weights
from algorithms.families.svm.smo.algorithm import solution_at
from algorithms.toolbox.boxed_dual import solve_boxed
from algorithms.toolbox.signed_rows import signed_rows
from tests.families.ends import end_of

PEGASOS = find("pegasos")
REGRET, ORDER, RULE, TURNED, NEARER, BALL, GROWN, ACROSS = PEGASOS.theorems

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_out_of_its_turn_is_seen",
    "update": "test_a_step_of_another_length_or_up_the_slope_is_seen",
}
PLANTED = {GROWN.statement: "test_weights_that_are_not_the_best_are_seen_where_f_is_lower"}
SILENT = {  # in the run that opens, and why
    "across the rows v' = (1 - ηλ)v: the best w is made of rows": "the rows span all directions",
}

SIGNS = ("-", "+")
BLOBS = blobs.with_(n=40, spread=1.5).load()
FLAT = Dataset(
    np.column_stack([BLOBS.X, BLOBS.X @ [1.0, -2.0]]), BLOBS.y, classes=SIGNS, name="a column made of the others"
)


def run_of(data, **parameters):
    return Timeline(PEGASOS, data, {"epochs": 4, **parameters}).run()


def steps_of(data, **parameters):
    problem = PEGASOS.problem(data, None, {"epochs": 2, **parameters})
    states = list(PEGASOS.start(problem))
    return problem, list(zip([None, *states], states))


def fails(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status == "fails"


# The algorithm


def test_two_steps_by_hand():
    """λ = 1: from w = 0, η = 1 and w = y x = 2; then z = 2 >= 1 and w halves to 1."""
    data = Dataset([[2.0], [-1.0]], [1, 0], classes=SIGNS)
    parameters = {"lam": 1.0, "order": "cyclic", "bias": 0.0, "epochs": 1, "project": False}
    start, first, second = PEGASOS(data, **parameters)
    assert (start.w.tolist(), first.w.tolist(), second.w.tolist()) == ([0], [2], [1])
    assert (first.phase, second.phase) == ("inside", "outside")
    assert second.average.tolist() == [1.0]  # of w_1 = 0 and w_2 = 2
    assert second.suffered == 1.0 + 2.0  # the hinge at 0, then ½ 2²
    assert second.slopes == pytest.approx(4 / 2 + 4 / 4)  # g = -2, then g = λw = 2


def test_a_step_of_the_squared_hinge_by_hand():
    """λ = 1, z = 0: g = -2 y x, so w = 4; the ball draws it back to 1."""
    data = Dataset([[2.0], [-1.0]], [1, 0], classes=SIGNS)
    parameters = {"lam": 1.0, "order": "cyclic", "bias": 0.0, "epochs": 1, "loss": "squared hinge"}
    assert list(PEGASOS(data, **parameters, project=False))[1].w.tolist() == [4.0]
    assert list(PEGASOS(data, **parameters))[1].w.tolist() == [1.0]


@pytest.mark.parametrize("loss", ["hinge", "squared hinge"])
@pytest.mark.parametrize("bias", [0.0, 1.0, 10.0])
def test_what_it_is_held_against_is_the_best_of_scikit_learn(loss, bias):
    lam, data = 0.1, BLOBS
    best = best_weights(data, bias, lam, loss)
    theirs = LinearSVC(
        C=1 / (data.n * lam),
        loss=loss.replace(" ", "_"),
        fit_intercept=bias > 0,
        intercept_scaling=bias or 1.0,
        tol=1e-10,
        max_iter=1_000_000,
        dual=True,
    ).fit(data.X, data.y)
    w = np.append(theirs.coef_[0], theirs.intercept_ / bias) if bias else theirs.coef_[0]
    assert best.u == pytest.approx(w, abs=1e-4)
    assert best.value == pytest.approx(HingeObjective(signed_rows(data, bias), lam, loss).value(w), rel=1e-6)
    assert -1e-14 * best.value <= best.value - best.bound <= 1e-8  # the two meet, but for rounding


def test_it_comes_near_to_the_best_and_the_average_too():
    for loss in ("hinge", "squared hinge"):
        problem = PEGASOS.problem(BLOBS, None, {"loss": loss, "epochs": 50})
        (state, _), f = end_of(PEGASOS.start(problem)), module.objective(problem)
        least = module.best_of(problem).value
        assert least <= f.value(state.w) <= 1.1 * least
        assert least <= f.value(state.average) <= 1.3 * least


def test_where_smo_has_no_use_for_its_bias_its_optimum_is_the_same_over_lam():
    """Rows and their mirror images: b = 0 is best, and P = f/λ at C = 1/(nλ)."""
    X = np.concatenate([BLOBS.X, -BLOBS.X])
    data = Dataset(X, np.concatenate([BLOBS.y, 1 - BLOBS.y]), classes=SIGNS)
    lam = 0.05
    smo = Timeline(find("smo"), data, {"kernel": "linear", "C": 1 / (data.n * lam), "tol": 1e-8, "prune": False}).run()
    theirs = solution_at(smo.problem, smo.at(smo.last).state)
    assert theirs.bias == pytest.approx(0.0, abs=1e-6)
    assert best_weights(data, 0.0, lam, "hinge").value == pytest.approx(lam * theirs.primal, rel=1e-6)


def test_the_constant_that_is_appended_makes_the_bias_dear():
    data = iris.with_(positive="virginica").load()
    lengths = [float(np.linalg.norm(best_weights(data, c, 0.01, "hinge").u[:-1])) for c in (1.0, 3.0, 10.0)]
    biases = [c * float(best_weights(data, c, 0.01, "hinge").u[-1]) for c in (1.0, 3.0, 10.0)]
    assert abs(biases[0]) < abs(biases[1]) < abs(biases[2])
    assert lengths[0] != pytest.approx(lengths[2], rel=1e-2)


def test_the_squared_hinge_without_the_ball_may_diverge_and_says_so():
    data = iris.with_(positive="versicolor", scale=True).load()
    run = run_of(data, loss="squared hinge", lam=0.01, project=False)
    assert run.stopped.reason.startswith("it diverges: ‖w‖ would be ")
    assert not run.failures


def test_rows_of_one_class_are_refused():
    with pytest.raises(Refused, match="no row of data is -: a margin lies between two"):
        PEGASOS.problem(Dataset([[1.0], [2.0]], [1, 1], classes=SIGNS))


@pytest.mark.parametrize("scale", [1e-40, 1e40])
def test_the_size_of_numbers_breaks_nothing(scale):
    data = Dataset(scale * BLOBS.X, BLOBS.y, classes=SIGNS)
    for loss in ("hinge", "squared hinge"):
        run = run_of(data, loss=loss, epochs=1)
        assert not run.failures
        assert np.isfinite(run.at(run.last).state.w).all()


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "replacement"])
def test_it_goes_on_from_any_state_bit_for_bit(order):
    states = list(PEGASOS(BLOBS, order=order, epochs=2))
    for k in (0, 1, 39, 40, 41, 77):
        rest = list(PEGASOS(BLOBS, state=pickle.loads(pickle.dumps(states[k])), order=order, epochs=2))
        assert len(rest) == len(states) - k - 1
        assert all(same(a, b) for a, b in zip(rest, states[k + 1 :]))


def test_boxed_coordinates_come_to_the_hard_margin_too():
    data = blobs.with_(n=40, margin=0.5).load()
    solution = solve_boxed(signed_rows(data, 0.0), np.inf)
    assert 1 / np.linalg.norm(solution.w) == pytest.approx(0.5, rel=1e-6)
    assert solution.gap <= 1e-6 * solution.primal


# Its theorems


@pytest.mark.parametrize(
    "parameters",
    [{}, {"loss": "squared hinge"}, {"project": False, "lam": 0.01, "bias": 3.0}, {"bias": 0.0, "order": "cyclic"}],
)
@pytest.mark.parametrize("data", [BLOBS, FLAT, moons.with_(n=30).load()], ids=["blobs", "flat", "moons"])
def test_no_theorem_fails_at_any_step(data, parameters):
    problem, steps = steps_of(data, **parameters)
    count = Counter(t.verdict(problem, b, a).status for b, a in steps for t in PEGASOS.theorems)
    assert count["fails"] == 0
    assert count["holds"] > 4 * len(steps)


def test_a_row_out_of_its_turn_is_seen():
    problem, steps = steps_of(BLOBS)
    for before, after in steps[1:20]:
        assert not fails(ORDER, problem, before, after)
        assert fails(ORDER, problem, before, after.replaced(row=(after.row + 1) % BLOBS.n))


@pytest.mark.parametrize("loss", ["hinge", "squared hinge"])
@pytest.mark.parametrize("times", [0.5, -1.0, 1.1])
def test_a_step_of_another_length_or_up_the_slope_is_seen(loss, times):
    problem, steps = steps_of(BLOBS, loss=loss, project=False)
    for before, after in steps[2:20]:
        other = after.replaced(w=before.w + times * (after.w - before.w))
        assert not fails(RULE, problem, before, after)
        assert fails(RULE, problem, before, other)
        assert fails(TURNED, problem, before, other)


def test_a_step_that_leaves_out_the_shrinking_is_seen():
    """What the lecture's own line forgets: λ is multiplied by the step as well."""
    problem, steps = steps_of(BLOBS, project=False)
    yx = signed_rows(BLOBS, 1.0)
    for before, after in steps[2:20]:
        other = before.w + (after.phase == "inside") * yx[after.row] / (0.1 * after.t)
        assert fails(RULE, problem, before, after.replaced(w=other))


def test_a_step_away_from_u_breaks_the_link():
    problem, steps = steps_of(BLOBS, project=False)
    broken = [fails(NEARER, problem, b, a.replaced(w=2 * b.w - a.w)) for b, a in steps[2:]]
    assert any(broken)


def test_accounts_that_are_not_kept_break_the_regret():
    problem, steps = steps_of(BLOBS)
    last = steps[-1][1]
    assert not fails(REGRET, problem, None, last)
    for changed in ({"slopes": 0.0}, {"suffered": 3 * last.suffered + last.slopes}):
        assert fails(REGRET, problem, None, last.replaced(**changed)), changed


def test_w_out_of_the_ball_is_seen():
    problem, steps = steps_of(BLOBS)
    last = steps[-1][1]
    assert fails(BALL, problem, None, last.replaced(w=last.w * 10))


def test_weights_that_are_not_the_best_are_seen_where_f_is_lower(monkeypatch):
    problem, steps = steps_of(BLOBS)
    last = steps[-1][1]
    assert not fails(GROWN, problem, None, last)
    best = module.best_of(problem)
    wrong = Best(u=-best.u, value=best.value, bound=best.bound)
    monkeypatch.setattr("algorithms.families.svm.pegasos.theorems.best_of", lambda problem: wrong)
    assert fails(GROWN, problem, None, last)


def test_a_part_across_the_rows_shrinks_and_no_margin_sees_it():
    assert len(across(FLAT, 1.0)) == 1
    assert len(across(BLOBS, 1.0)) == 0
    run = run_of(FLAT, project=False)
    state = run.at(20).state
    aside = across(FLAT, 1.0)[0]
    drawn = module.begun(state, state.w + 3 * aside)
    assert signed_rows(FLAT, 1.0) @ drawn.w == pytest.approx(signed_rows(FLAT, 1.0) @ state.w)
    rest = list(PEGASOS.replay(run.problem, drawn))
    assert aside @ rest[0].w == pytest.approx((aside @ drawn.w) * 20 / 21)
    assert not fails(ACROSS, run.problem, drawn, rest[0])
    assert fails(ACROSS, run.problem, drawn, rest[0].replaced(w=rest[0].w + aside))
    f = module.objective(run.problem)
    assert f.value(drawn.w) > f.value(state.w)


# Forks and what is seen


@pytest.mark.parametrize(
    "changes", [{"lam": 0.01}, {"loss": "squared hinge"}, {"project": False}, {"order": "cyclic"}, {"seed": 3}]
)
def test_after_a_fork_the_accounts_are_true(changes):
    run = Timeline(PEGASOS, BLOBS, {"epochs": 4})
    run.advance(51)
    fork = run.fork(50, **changes)
    fork.advance(40)
    assert not fork.failures
    begins = fork.at(50).state.since
    assert begins == (0 if changes.keys() <= {"order", "seed"} else 50)


def test_after_rows_came_and_went_the_accounts_are_true():
    run = run_of(BLOBS)
    fork = run.fork(30, data=edited(BLOBS, [Remove(3), Add((1.0, 1.0), 1), Add((-1.0, 2.0), 0)])).run()
    assert not fork.failures
    assert len(fork.at(fork.last).state.visits) == BLOBS.n + 1


def test_w_is_dragged_and_the_bound_speaks_of_it():
    run = run_of(BLOBS, bias=3.0)
    frame = run.at(30)
    panels = PEGASOS.scene(run.problem, frame.before, frame.state).panels
    handles = next(m for m in panels[0].marks if isinstance(m, DragHandles))
    moved = handles.moved(frame.state, 0, handles.at[0] + 0.3)
    assert moved.since == 30
    for after in list(PEGASOS.replay(run.problem, moved))[:40]:
        assert not fails(REGRET, run.problem, None, after)


def test_it_explains_its_steps():
    run = run_of(BLOBS)
    said = {run.kind(t).phase: PEGASOS.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(90)}
    assert said["start"].startswith("‖w‖ = 0. The objective f is 1, at the average of all w 1; the least is ")
    assert "inside the margin: w shrinks by " in said["inside"]
    assert "outside the margin: w shrinks by " in said["outside"]
    assert all("at C = 1/(nλ) = 0.25." in words for words in said.values())
