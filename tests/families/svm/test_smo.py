"""Kernel SVM by SMO: by hand, against known margins and scikit-learn, its forks and what a person is told."""

import numpy as np
import pytest
from sklearn.svm import SVC

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import blobs, breast_cancer, digits, iris, moons, penguins
from algorithms.families.svm.smo.algorithm import box_of, multipliers_of, solution_at
from algorithms.families.svm.smo.pairs import PairSearch, moved
from algorithms.toolbox.duals import may_fall, may_rise
from algorithms.toolbox.kernels import kernel_in_use
from tests.families.ends import end_of
from tests.families.svm.smo_runs import (
    BLOBS,
    MOONS,
    OVERLAPPING,
    SIGNS,
    SMO,
    TWO,
    XOR,
    fresh_of,
    problem_of,
    run_of,
    solved,
    states_of,
)

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_smo_theorems:test_a_pair_that_gains_less_is_seen",
    "update": "test_smo_theorems:test_a_step_of_another_length_is_seen",
}
PLANTED = {
    "no eigenvalue of a Gram matrix is negative": (
        "test_smo_theorems:test_what_is_no_kernel_breaks_the_theorem_on_gram_matrices"
    ),
    "no margin is wider than ‖Σ α y φ‖/Σ α": (
        "test_smo_theorems:test_multipliers_that_do_not_balance_break_the_bound_on_the_margin"
    ),
}


# By hand


def test_two_rows_by_hand():
    """m = 1, M = -1 and η = (1 - -1)² = 4, so s = 2/4; then w = ½ 1 + ½ 1 = 1 and both are on the margin."""
    start, first, last = states_of(TWO, kernel="linear")
    assert (start.alpha.tolist(), start.F.tolist()) == ([0, 0], [1, -1])
    assert (first.phase, first.i, first.j, first.step) == ("free", 0, 1, 0.5)
    assert first.alpha.tolist() == [0.5, 0.5]
    assert np.abs(first.F).max() < 1e-15
    assert (last.phase, last.alpha is first.alpha) == ("optimal", True)
    problem = problem_of(TWO, kernel="linear")
    now = solution_at(problem, first)
    assert (now.dual, now.primal, now.norm) == pytest.approx((0.5, 0.5, 1))
    assert multipliers_of(problem, first).f(np.array([[3.0], [-0.5]])) == pytest.approx([3, -0.5])


def test_two_rows_of_which_neither_may_have_all_it_wants():
    """With C = 0.1: w = 0.2, both fall short by 0.8, W = 0.2 - 0.02 = P = 0.02 + 0.1 · 1.6, and any |b| <= 0.8 does."""
    problem, last, _ = solved(TWO, kernel="linear", C=0.1)
    now = solution_at(problem, last)
    assert [s.phase for s in states_of(TWO, kernel="linear", C=0.1)] == ["start", "clipped", "optimal"]
    assert last.alpha.tolist() == [0.1, 0.1]
    assert (now.dual, now.primal) == (pytest.approx(0.18), pytest.approx(0.18))
    assert (now.up, now.low) == (pytest.approx(-0.8), pytest.approx(0.8))


def test_a_row_behind_the_margin_has_no_share():
    """0 | 2, 5: w = 1, b = -1 with the rows at 0 and 2 only."""
    data = Dataset([[0.0], [2.0], [5.0]], [0, 1, 1], classes=SIGNS)
    problem, last, _ = solved(data, kernel="linear", C=10, tol=1e-9)
    assert last.alpha == pytest.approx([0.5, 0.5, 0], abs=1e-9)
    now = solution_at(problem, last)
    assert (now.norm, now.bias) == (pytest.approx(1), pytest.approx(-1))
    assert now.margins == pytest.approx([1, 1, 4])


def test_exclusive_or_through_a_polynomial():
    """(1 + x·z)² with α = 1/8 each gives f = -x1 x2, ‖w‖² = 1/2."""
    problem, last, _ = solved(
        XOR, kernel="polynomial", degree=2, gamma=1.0, constant=1.0, margin="hard", tol=1e-10, least_margin=1e-9
    )
    assert last.alpha == pytest.approx(np.full(4, 1 / 8), abs=1e-9)
    assert solution_at(problem, last).squared_norm == pytest.approx(0.5)
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert multipliers_of(problem, last).f(X) == pytest.approx(-X[:, 0] * X[:, 1], abs=1e-8)


def test_the_pair_is_the_one_that_gains_most_of_those_with_the_greatest_F():
    problem = problem_of(OVERLAPPING)
    kernel, y, box = kernel_in_use(problem), problem.data.signs, box_of(problem)
    K = kernel(problem.data.X, problem.data.X)
    state = list(SMO.start(problem))[12]
    up = np.flatnonzero(may_rise(state.alpha, y, box))
    low = np.flatnonzero(may_fall(state.alpha, y, box))
    i, j, gap = PairSearch(problem.data, kernel, box).best(state.alpha, state.F, state.kept)
    assert i == up[state.F[up].argmax()]
    assert gap == state.F[i] - state.F[low].min()
    gains = {
        t: (state.F[i] - state.F[t]) ** 2 / (K[i, i] + K[t, t] - 2 * K[i, t]) for t in low if state.F[t] < state.F[i]
    }
    assert j == max(gains, key=gains.get)


def test_a_multiplier_comes_to_its_bound_exactly():
    y, alpha = np.array([1.0, -1.0, -1.0]), np.array([0.1, 0.3, 0.0])
    to_C, step = moved(alpha, y, 0, 2, 5.0, 0.7)
    assert (to_C[0], to_C[2], step) == (0.7, 0.7 - 0.1, 0.7 - 0.1)
    to_zero, step = moved(alpha, y, 1, 2, 5.0, 0.7)
    assert (to_zero[1], to_zero[2], step) == (0.0, 0.3, 0.3)
    alone, step = moved(alpha, y, 0, 2, 0.05, np.inf)
    assert (alone.tolist(), step) == ([0.1 + 0.05, 0.3, 0.05], 0.05)


# Known truth


def test_the_margin_of_made_blobs_is_found_with_its_direction():
    problem, last, reason = solved(BLOBS, kernel="linear", margin="hard", tol=1e-9)
    now, truth = solution_at(problem, last), BLOBS.truth
    w = (last.alpha * BLOBS.signs) @ BLOBS.X
    assert "is at most tol = " in reason
    assert 1 / now.norm == pytest.approx(truth["margin"], rel=1e-8)
    assert now.reach == pytest.approx(truth["margin"], rel=1e-8)
    assert w / now.norm == pytest.approx(truth["direction"], abs=1e-8)
    assert now.bias == pytest.approx(truth["offset"], abs=1e-8)


def test_w_is_unique_and_alpha_is_not():
    """Each row twice: the shares of the twins are anyone's, and their order decides."""
    X, y = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 0.0], [2.0, 0.0], [3.0, 3.0]]), np.array([0, 0, 1, 1, 1])
    forward, backward = Dataset(X, y, classes=SIGNS), Dataset(X[::-1], y[::-1], classes=SIGNS)
    one = solved(forward, kernel="linear", tol=1e-10)[1].alpha
    other = solved(backward, kernel="linear", tol=1e-10)[1].alpha[::-1]
    signs = forward.signs
    assert np.abs(one - other).max() > 0.1
    assert (one * signs) @ X == pytest.approx((other * signs) @ X, abs=1e-8)


def test_without_a_row_between_the_bounds_every_b_of_an_interval_does():
    problem, last, _ = solved(OVERLAPPING, C=1e-3)
    now, signs = solution_at(problem, last), problem.data.signs
    assert set(last.alpha.tolist()) == {1e-3}
    assert now.gap < 0
    outputs = signs - last.F
    prices = [
        np.maximum(1 - signs * (outputs + b), 0).sum() for b in (now.up, now.bias, now.low, now.up - 0.1, now.low + 0.1)
    ]
    assert prices[:3] == pytest.approx([prices[1]] * 3, rel=1e-12)
    assert min(prices[3:]) > prices[1] * (1 + 1e-6)
    assert "any b does from m to M" in {row[0] for row in SMO.scene(problem, None, last).panels[-1].marks[0].rows}


def test_moving_all_rows_changes_b_and_nothing_else():
    moved_rows = Dataset(OVERLAPPING.X + [3.0, -5.0], OVERLAPPING.y, classes=OVERLAPPING.classes)
    problem, one, _ = solved(OVERLAPPING, kernel="linear", tol=1e-10)
    other_problem, other, _ = solved(moved_rows, kernel="linear", tol=1e-10)
    w = (one.alpha * OVERLAPPING.signs) @ OVERLAPPING.X
    assert other.alpha == pytest.approx(one.alpha, abs=1e-7)
    assert solution_at(other_problem, other).bias == pytest.approx(
        solution_at(problem, one).bias - w @ [3.0, -5.0], abs=1e-7
    )


def theirs_of(problem):
    """scikit-learn on the same problem: the machine, and W at its α in our kernel."""
    data, p, kernel = problem.data, problem.parameters, kernel_in_use(problem)
    name = {"linear": "linear", "polynomial": "poly", "rbf": "rbf"}[p.kernel]
    machine = SVC(C=p.C, kernel=name, gamma=kernel.gamma, degree=p.degree, coef0=p.constant, tol=1e-10)
    machine.fit(data.X, data.y)
    shares, rows = machine.dual_coef_[0], data.X[machine.support_]
    return machine, float(np.abs(shares).sum() - shares @ kernel(rows, rows) @ shares / 2)


@pytest.mark.parametrize(
    ("recipe", "parameters"),
    [
        (moons, {}),
        (moons, {"C": 50.0, "gamma": 3.0}),
        (moons, {"kernel": "polynomial", "degree": 4, "gamma": 0.5, "constant": 2.0}),
        (blobs, {"kernel": "linear", "C": 0.1}),
        (iris.with_(positive="versicolor"), {}),
        (iris.with_(positive="versicolor"), {"kernel": "linear"}),
        (penguins.with_(positive="Chinstrap", scale=True), {"kernel": "polynomial", "degree": 2}),
        (breast_cancer.with_(scale=True, hold_out=0.2), {"C": 10.0}),
    ],
    ids=lambda value: value.name if hasattr(value, "name") else "-".join(map(str, value.values())),
)
def test_scikit_learn_finds_the_same(recipe, parameters):
    """W to 1e-8, and ours is not the lesser. f to 1e-4: LIBSVM keeps kernel values in single precision."""
    data = recipe.load()
    problem, last, _ = solved(data, tol=1e-10, **parameters)
    theirs, W = theirs_of(problem)
    f = multipliers_of(problem, last).f
    assert solution_at(problem, last).dual == pytest.approx(W, rel=1e-8)
    assert solution_at(problem, last).dual >= W * (1 - 1e-12)
    assert f(data.X) == pytest.approx(theirs.decision_function(data.X), abs=1e-4)
    if data.held_out is not None:
        assert f(data.held_out.X) == pytest.approx(theirs.decision_function(data.held_out.X), abs=1e-4)
        errors = float((theirs.predict(data.held_out.X) != data.held_out.y).mean())
        curve = next(c for c in SMO.curves if c.name == "held-out error")
        assert curve.measure(problem, last) == errors


@pytest.mark.parametrize(
    "parameters",
    [{"kernel": "linear"}, {"kernel": "polynomial", "degree": 2, "gamma": 1.0, "constant": 1.0, "C": 0.1}],
    ids=["linear", "polynomial"],
)
def test_where_single_precision_is_exact_scikit_learn_finds_the_same_f(parameters):
    """Rows of small whole numbers, whose kernel values are whole numbers below 2^24."""
    rng = np.random.default_rng(0)
    X = rng.integers(-5, 6, (60, 2))
    data = Dataset(X, (X @ [1, 2] + rng.normal(size=60) * 3 > 0).astype(int), classes=SIGNS)
    problem, last, _ = solved(data, tol=1e-10, **parameters)
    theirs, W = theirs_of(problem)
    assert solution_at(problem, last).dual == pytest.approx(W, rel=1e-12)
    assert multipliers_of(problem, last).f(data.X) == pytest.approx(theirs.decision_function(data.X), abs=1e-8)


def test_F_keeps_to_alpha_over_many_steps():
    problem = problem_of(OVERLAPPING, kernel="polynomial", C=100.0, tol=1e-8)
    K, y = kernel_in_use(problem)(OVERLAPPING.X, OVERLAPPING.X), OVERLAPPING.signs
    *_, last = SMO.start(problem)
    assert last.iteration > 300
    assert np.abs(last.F - (y - K @ (last.alpha * y))).max() < 1e-9


# How it ends


def test_a_hard_margin_that_is_not_there_is_said_to_be_so():
    problem, last, reason = solved(OVERLAPPING, kernel="linear", margin="hard")
    assert reason.startswith("the rows cannot be separated by more than ‖Σ α y φ‖/Σ α = 0.000")
    assert np.isinf(solution_at(problem, last).primal)


def test_rows_in_one_place_with_different_signs_end_a_hard_margin_at_once():
    data = Dataset([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]], [0, 0, 1], classes=SIGNS)
    for kernel in ("linear", "rbf", "polynomial"):
        problem, last, reason = solved(data, kernel=kernel, margin="hard")
        assert reason.startswith("the rows cannot be separated")
        assert last.t <= 3
    assert "is at most tol = 0.001" in solved(data, kernel="rbf")[2]


def test_a_margin_that_is_there_is_found_however_narrow():
    data = Dataset([[0.0], [1.0], [1.001], [2.0]], [0, 0, 1, 1], classes=SIGNS)
    problem, last, reason = solved(data, kernel="linear", margin="hard", tol=1e-9)
    assert "is at most tol = " in reason
    assert 1 / solution_at(problem, last).norm == pytest.approx(0.0005, rel=1e-6)


@pytest.mark.parametrize(("most", "said"), [(1, "1 pair, "), (7, "7 pairs, ")])
def test_it_gives_up_after_so_many_pairs(most, said):
    _, last, reason = solved(OVERLAPPING, pairs=most)
    assert last.iteration == most
    assert reason.startswith(said + "and m - M is still ")


def test_the_first_minute_shows_what_pruning_leaves():
    """As it opens, with four steps a second."""
    states = list(SMO(SMO.datasets[0].load()))
    assert len(states) <= 240
    assert [s.phase for s in states if s.phase in ("optimal", "prune")] == ["optimal", "prune", "optimal"]


@pytest.mark.parametrize("gamma", ["automatic", 0, 0.0])
def test_gamma_is_automatic_by_its_name(gamma):
    problem = problem_of(OVERLAPPING, gamma=gamma)
    assert kernel_in_use(problem).gamma == pytest.approx(1 / (2 * OVERLAPPING.X.var()))
    with pytest.raises(Refused, match="it must be a number, 0 <= gamma <= 1e\\+06 or automatic"):
        problem_of(OVERLAPPING, gamma="wide")


def test_it_ends_where_rounding_hides_what_is_left():
    reasons = []
    for seed in range(8):  # which of them do depends on the last bits of a product, and so on the machine
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 30)
        data = Dataset(rng.normal(size=(30, 2)) + 0.5 * y[:, None] + 1e8, y, classes=SIGNS)
        reasons.append(solved(data, kernel="linear", C=0.01, tol=1e-12)[2])
    assert any("lost in rounding" in reason for reason in reasons), reasons


# Pruning


def test_without_the_other_rows_w_is_the_same():
    problem, last, reason = solved(MOONS, prune=True, tol=1e-8)
    (at,) = (s.t for s in states_of(MOONS, prune=True, tol=1e-8) if s.phase == "prune")
    whole = states_of(MOONS, tol=1e-8)[-1]
    assert at == whole.t + 1
    assert np.array_equal(last.kept, whole.alpha > 0)
    assert not last.alpha[~last.kept].any()
    assert same((last.first_alpha, last.first_F), (whole.alpha, whole.F))
    assert np.sqrt(multipliers_of(problem, last).squared_change) < 1e-6
    assert solution_at(problem, last).norm == pytest.approx(multipliers_of(problem, last).first_solution.norm, rel=1e-7)
    places = np.random.default_rng(0).normal(size=(50, 2))
    assert multipliers_of(problem, last).f(places) == pytest.approx(multipliers_of(problem, whole).f(places), abs=1e-6)
    assert "is at most tol = " in reason


def test_what_was_taken_out_is_never_moved_again():
    states = states_of(breast_cancer.with_(scale=True).load(), prune=True)
    begun = next(k for k, s in enumerate(states) if s.phase == "prune")
    kept = states[begun].kept
    assert 0 < kept.sum() < len(kept)
    assert states[-1].phase == "optimal"
    for state in states[begun + 1 : -1]:
        assert kept[state.i]
        assert kept[state.j]


def test_how_far_apart_is_measured_in_the_space_of_phi():
    problem, last, _ = solved(BLOBS, kernel="linear", prune=True, C=0.1)
    y, X = BLOBS.signs, BLOBS.X
    difference = ((last.alpha - last.first_alpha) * y) @ X
    assert np.sqrt(multipliers_of(problem, last).squared_change) == pytest.approx(np.linalg.norm(difference), abs=1e-9)


# Its states


@pytest.mark.parametrize(
    "change",
    [
        {"C": 0.1},
        {"C": 5.0},
        {"kernel": "linear"},
        {"data": edited(MOONS, [Remove(0), Remove(3), Add((0.5, 0.2), 1)])},
        {"data": edited(MOONS, [Label(2, 1.0), Label(7, 0.0), Move(5, (1.0, 1.0))])},
    ],
    ids=("C .1", "C 5", "another kernel", "rows come and go", "labels and a move"),
)
def test_a_fork_goes_on_from_multipliers_that_are_allowed_to_where_a_fresh_run_comes(change):
    run = run_of(MOONS)
    fork = run.fork(run.last, **change)
    first, signs = fork.at(fork.begin).state, fork.data.signs
    assert fork.begin == run.last
    assert first.alpha.any()
    assert abs(float(first.alpha @ signs)) < 1e-12
    assert 0 <= first.alpha.min() <= first.alpha.max() <= fork.parameters["C"]
    mine, fresh = (solution_at(fork.problem, end_of(SMO.start(fork.problem, at))[0]) for at in (first, None))
    assert mine.dual == pytest.approx(fresh.dual, rel=1e-3)


def test_a_fork_that_changes_when_to_stop_keeps_the_state():
    run = run_of(MOONS)
    fork = run.fork(run.last, tol=1e-6)
    assert same(fork.at(fork.begin).state, run.at(run.last).state)


@pytest.mark.parametrize(
    ("data", "parameters", "at", "change"),
    [
        (digits.with_(positive="3").load(), {}, 3, {"kernel": "polynomial", "gamma": 1.0}),
        (
            MOONS,
            {"kernel": "polynomial", "gamma": 0.001, "degree": 5, "margin": "hard"},
            1,
            {"kernel": "rbf", "pairs": 2000},
        ),
    ],
    ids=["digits", "moons, a hard margin"],
)
def test_a_fork_to_another_kernel_keeps_no_rounding_of_the_multipliers_it_comes_from(data, parameters, at, change):
    run = Timeline(SMO, data, {"prune": False, **parameters})
    run.advance(at + 1)
    (fork := run.fork(at, **change)).advance(60)
    assert solution_at(fork.problem, fork.at(at).state).dual >= 0
    assert not fork.failures
    assert not fork.troubles
    last, reason = end_of(SMO.start(fork.problem, fork.at(fork.last).state))
    assert "cannot be separated" not in reason
    size = kernel_in_use(fork.problem).size(data.X) * last.largest
    assert np.abs(last.F - fresh_of(fork.problem, last)).max() <= 1e-12 * (1 + size)


def test_multipliers_that_are_worth_less_than_none_are_not_kept():
    """Labels turned: what was a good w points the wrong way."""
    run = run_of(BLOBS, kernel="linear", margin="hard")
    turned = edited(BLOBS, [Label(r, 1.0 - BLOBS.y[r]) for r in range(0, BLOBS.n, 2)])
    fork = run.fork(run.last, data=turned)
    first = fork.at(run.last)
    assert (first.state.alpha.any(), first.state.largest) == (False, 0.0)
    assert "worth keeping" in SMO.explain(fork.problem, None, first.state)
    moved_on = run.fork(run.last, data=edited(BLOBS, [Move(0, tuple(BLOBS.X[0] + 0.01))]))
    assert moved_on.at(run.last).state.alpha.any()


def test_all_rows_are_in_the_problem_again_when_a_pruned_run_is_edited():
    run = run_of(MOONS, prune=True)
    assert not run.at(run.last).state.kept.all()
    first = run.fork(run.last, data=edited(MOONS, [Remove(0)])).at(run.last).state
    assert first.kept.all()
    assert first.first_alpha is None


# What a person is told


def test_it_explains_its_steps():
    data = Dataset([[1.0, 5.0], [-1.0, 4.0]], [1, 0], classes=("low", "high"), features=("dose", "age"))
    run = run_of(data, kernel="linear")
    said = [SMO.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(len(run))]
    assert said[:2] == [
        "α = 0, so f = b. A row of high would be on its margin with b = 1, a row of low with b = -1.",
        "Row 0 (dose 1, age 5) asks for b >= 1, row 1 (dose -1, age 4) for b <= -1: both cannot be. "
        "α goes 0 → 0.4 and 0 → 0.4; now both ask for the same b. W rises by 0.4.",
    ]
    assert said[2].startswith("Complementary slackness holds to within max(0, (m - M)/2) = ")
    assert "2 of 2 rows have α > 0 and carry w. The margin is 1/‖w‖ = " in said[2]
    assert said[2].endswith(" to each side; wrong rows: 0 of 2.")


@pytest.mark.parametrize(("out", "words"), [(0, "none have"), (1, "1 has α = 0 and is"), (2, "2 have α = 0 and are")])
def test_one_row_that_is_taken_out_is_counted_as_one(out, words):
    problem = problem_of(XOR, prune=True)
    start = next(SMO.start(problem))
    state = start.after("prune", kept=np.arange(4) >= out, first_alpha=start.alpha, first_F=start.F)
    assert words in SMO.explain(problem, start, state)


def test_it_explains_what_stops_a_step_and_what_is_taken_out():
    run = run_of(MOONS, prune=True)
    at = next(t for t in range(len(run)) if run.kind(t).phase == "prune")
    frame, clipped = run.at(at), run.at(1)
    out = int((~frame.state.kept).sum())
    assert SMO.explain(run.problem, frame.before, frame.state) == (
        f"Done with all rows: {out} have α = 0 and are taken out. With the {200 - out} that are left a new run begins, "
        "from α = 0 and W = 0."
    )
    end = run.at(run.last)
    carry, left = int((end.state.alpha > 0).sum()), 200 - out
    said = f"{carry} of the {left} rows left of 200 have α > 0 and carry w, as it was with all rows: "
    assert said in SMO.explain(run.problem, end.before, end.state)
    assert "α goes 0 → 1 and 0 → 1; both stop at C. W rises by " in SMO.explain(
        run.problem, clipped.before, clipped.state
    )
    assert SMO.explain(run.problem, None, clipped.state).startswith(
        f"Rows {clipped.state.i} and {clipped.state.j} were"
    )


def test_the_scene_tells_support_vectors_from_others():
    problem = problem_of(MOONS)
    last = list(SMO.start(problem))[-2]
    scene = SMO.scene(problem, None, last)
    assert [panel.title for panel in scene.panels] == [
        "f = 0, and its margin f = ±1",
        "α y of the support vectors",
        "Gram matrix, class by class",
        "support vectors",
        "so far",
    ]
    tint, pair, rows = scene.panels[0].marks
    assert tint.lines == (-1.0, 0.0, 1.0)
    assert np.array_equal(rows.haloed, (last.alpha > 0) & (last.alpha < 1))
    assert np.array_equal(rows.weights > 0, last.alpha > 0)
    assert set(np.flatnonzero(rows.ringed)) == {last.i, last.j}
    assert np.array_equal(pair.start[0], MOONS.X[last.i])
    assert tint.score(MOONS.X) * MOONS.signs == pytest.approx(solution_at(problem, last).margins)
    (bars,) = scene.panels[1].marks
    assert bars.heights.sum() == pytest.approx(0, abs=1e-9)
    (table,) = scene.panels[3].marks
    assert {row[0] for row in table.rows[:2]} == {last.i, last.j}


def test_w_of_pictures_is_a_picture():
    rng = np.random.default_rng(0)
    data = Dataset(rng.normal(size=(20, 4)), np.arange(20) % 2, classes=SIGNS, image=(2, 2))
    problem, last, _ = solved(data, kernel="linear")
    panel = SMO.scene(problem, None, last).panels[2]
    assert panel.title == "w as an image"
    assert panel.marks[0].values.ravel() == pytest.approx((last.alpha * data.signs) @ data.X)


@pytest.mark.parametrize(
    ("X", "parameters", "said"),
    [
        ([[1e140], [-1e140]], {}, "products of such numbers are out of range: scale it"),
        ([[1e40], [-1e40]], {"kernel": "polynomial", "gamma": 1.0}, "out of range: scale the features"),
        ([[1.0], [1.0]], {}, "all rows of data are in one place"),
        ([[1.0], [2.0]], {"kernel": "rbf", "gamma": 1e-300}, "all rows of data are in one place"),
    ],
)
def test_what_cannot_be_reckoned_with_is_refused_in_words(X, parameters, said):
    with pytest.raises(Refused, match=said):
        SMO(Dataset(X, [0, 1], classes=SIGNS), **parameters)


def test_a_hard_margin_is_the_limit_of_dear_soft_ones():
    problem, hard, _ = solved(BLOBS, margin="hard", tol=1e-9)
    other, soft, _ = solved(BLOBS, C=1e5, tol=1e-9)
    assert solution_at(other, soft).dual == pytest.approx(solution_at(problem, hard).dual, rel=1e-8)
