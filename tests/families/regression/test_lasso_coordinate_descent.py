"""The lasso by coordinate descent: by hand, against scikit-learn, and its theorems broken on purpose."""

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import Lasso, lasso_path

from algorithms import Move, Refused, Timeline, edited, find
from algorithms.core import Dataset, DragHandles
from algorithms.core.state import same
from algorithms.data import diabetes, line, prostate, sparse
from algorithms.families.regression import lasso_coordinate_descent as file
from algorithms.families.regression.shared.lasso import excess, lasso, soft, solution

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_coordinate_that_was_not_next_is_noticed",
    "update": "test_half_a_step_or_one_without_the_threshold_or_up_the_slope_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "greedy: along no coordinate does F fall more": "the coordinates are taken in another order",
}

LASSO = find("lasso_coordinate_descent")
DUAL, NEVER_RISES, ALONG, FOLLOWED, GREEDY, ZEROS = LASSO.theorems
REAL = [prostate.with_(scale=True).load(), diabetes.load()]
ORDERS = ["cyclic", "shuffled", "greedy"]


def made(n=30, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    return Dataset(X, X @ np.arange(float(d)) + 3 + 0.5 * rng.normal(size=n), kind="number")


def run_of(data, **parameters):
    problem = LASSO.problem(data, None, parameters)
    return problem, list(LASSO.start(problem))


def verdicts(theorem, data, **parameters):
    problem, states = run_of(data, **parameters)
    return [theorem.verdict(problem, before, after) for before, after in zip([None, *states], states)]


# The algorithm


def test_a_sweep_by_hand():
    """Columns (1, -1, 0) and (1, 1, -2), y = (3, 1, -4): x1·y = 2, x2·y = 12, so λ = 0.25 times 12 = 3."""
    data = Dataset([[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]], [3.5, 1.5, -3.5], kind="number")
    _, (start, first, second) = run_of(data, ratio=0.25)
    assert start.w.tolist() == [0.0, 0.0]
    assert start.correlations == pytest.approx([2.0, 12.0])
    assert first.w.tolist() == [0.0, 0.0]  # |2| <= 3
    assert second.w == pytest.approx([0.0, (12 - 3) / 6])
    assert second.correlations == pytest.approx([2.0, 3.0])  # the columns are orthogonal: x1·r is what it was
    assert (second.iteration, second.place, second.j) == (1, 2, 1)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("data", [*REAL, made()], ids=lambda data: data.name)
def test_scikit_learn_comes_to_the_same_coefficients(data, order):
    for ratio in (0.6, 0.02):
        problem, states = run_of(data, ratio=ratio, order=order, tolerance=1e-12, sweeps=100_000)
        lam = data.once(lasso, ratio).lam
        theirs = Lasso(alpha=lam / data.n, tol=1e-14, max_iter=100_000).fit(data.X, data.y)
        reach = np.abs(theirs.coef_).max()
        assert np.abs(solution(data, ratio).w - theirs.coef_).max() <= 1e-8 * reach
        assert np.abs(states[-1].w - theirs.coef_).max() <= 1e-4 * reach  # the gap allows that much
        assert ((states[-1].w == 0) == (theirs.coef_ == 0)).all()
        assert problem.data.once(lasso, ratio).of.predicted(states[-1].w, data.X) == pytest.approx(
            theirs.predict(data.X), rel=1e-4
        )


@pytest.mark.parametrize("every", ["coordinate", "sweep"])
@pytest.mark.parametrize("data", REAL, ids=lambda data: data.name)
def test_a_sweep_is_that_of_scikit_learn(data, every):
    """The same coordinates from the same start, as many sweeps: the same numbers."""
    lam = data.once(lasso, 0.1).lam
    for sweeps in (1, 2, 5, 20):
        with pytest.warns(match="did not converge"):
            theirs = Lasso(alpha=lam / data.n, tol=0.0, max_iter=sweeps).fit(data.X, data.y)
        _, states = run_of(data, ratio=0.1, sweeps=sweeps, tolerance=1e-12, every=every)
        assert np.abs(states[-1].w - theirs.coef_).max() <= 1e-8 * np.abs(theirs.coef_).max()


def test_the_exact_solutions_are_those_of_the_path_of_scikit_learn():
    data = REAL[0]
    of = lasso(data, 1.0).of
    ratios = np.geomspace(1e-3, 1, 20)[::-1]
    alphas = ratios * lasso(data, 1.0).greatest / data.n
    _, coefficients, _ = lasso_path(of.X, of.y, tol=1e-14, max_iter=100_000, alphas=alphas)
    for ratio, theirs in zip(ratios.tolist(), coefficients.T):
        ours = solution(data, ratio).w
        assert np.abs(ours - theirs).max() <= 1e-8


def test_the_exact_solution_is_optimal_where_columns_depend_and_where_there_are_more_than_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 30))
    X[:, 5] = X[:, 0] + X[:, 1]
    data = Dataset(X, rng.normal(size=12), kind="number")
    for ratio in (1.0, 0.5, 0.1, 1e-3):
        f, best = lasso(data, ratio), solution(data, ratio)
        assert best.gap <= 1e-9 * f.of.total
        assert np.abs(best.correlations).max() <= f.lam * (1 + 1e-9)
        used = best.w != 0
        assert best.correlations[used] == pytest.approx(f.lam * np.sign(best.w[used]), rel=1e-6)


def test_at_the_greatest_lambda_all_is_zero_and_just_below_one_is_not():
    data = made()
    assert not solution(data, 1.0).w.any()
    assert np.count_nonzero(solution(data, 0.99).w) == 1
    _, states = run_of(data, ratio=1.0)
    assert len(states) == 1


def test_a_truth_is_recovered_with_its_zeros():
    data = sparse.with_(n=2000, d=10, relevant=3, noise=0.1).load()
    _, states = run_of(data, ratio=0.02)
    assert ((states[-1].w != 0) == (data.truth["w"] != 0)).all()
    assert states[-1].w == pytest.approx(data.truth["w"], abs=0.1)


def test_twice_the_lambda_is_that_of_the_form_without_the_half():
    """RSS + 2λΣ|w| has its least where ½RSS + λΣ|w| has: no step to either side lowers it."""
    data = made()
    f, w = lasso(data, 0.3), solution(data, 0.3).w
    rng = np.random.default_rng(0)

    def without_half(w):
        r = f.of.y - f.of.X @ w
        return r @ r + 2 * f.lam * np.abs(w).sum()

    assert all(without_half(w + 1e-3 * e) >= without_half(w) for e in rng.normal(size=(50, f.d)))


def test_the_excess_is_the_difference_of_objectives():
    data = made()
    f, best = lasso(data, 0.2), solution(data, 0.2)
    for w in np.random.default_rng(1).normal(size=(5, 5)):
        assert excess(f, best, w) == pytest.approx(f.value(w) - best.value, rel=1e-9)
        assert f.gap(w) >= excess(f, best, w)
        r = f.of.y - f.of.X @ w
        assert f.value(w) == pytest.approx(r @ r / 2 + f.lam * np.abs(w).sum())


def test_falls_are_what_f_falls_by():
    data = made()
    f = lasso(data, 0.2)
    w = np.random.default_rng(1).normal(size=5)
    q = f.correlations(w)
    for j, fall in enumerate(f.falls(w, q)):
        moved = w.copy()
        moved[j] = soft(q[j] + f.of.squares[j] * w[j], f.lam) / f.of.squares[j]
        assert fall == pytest.approx(f.value(w) - f.value(moved))


def test_a_constant_column_stays_at_zero_and_a_constant_target_ends_at_once():
    X = np.column_stack([np.full(20, 7.3), np.arange(20.0)])
    _, states = run_of(Dataset(X, np.arange(20.0) ** 2, kind="number"))
    assert states[-1].w[0] == 0
    assert states[-1].w[1] != 0
    run = Timeline(LASSO, Dataset(X, np.full(20, 2.5), kind="number")).run()
    assert run.last == 0


def test_the_number_of_sweeps_ends_it_in_words():
    run = Timeline(LASSO, REAL[0], {"sweeps": 2, "tolerance": 1e-12}).run()
    assert run.stopped.reason.startswith("sweep 2 was the last: F = ")
    assert run.last == 16
    run = Timeline(LASSO, REAL[0]).run()
    assert run.stopped.reason.startswith("the duality gap is")


# Forks


@pytest.mark.parametrize("change", [{"ratio": 0.02}, {"order": "greedy"}, {"order": "shuffled"}])
def test_a_fork_half_way_comes_to_its_own_solution_and_its_theorems_hold(change):
    run = Timeline(LASSO, REAL[0])
    run.advance(20)
    fork = run.fork(11, **change).run()
    assert fork.failures == []
    last = fork.at(fork.last).state
    assert last.w == pytest.approx(solution(REAL[0], change.get("ratio", 0.2)).w, abs=1e-4)


def test_dragged_coefficients_take_their_correlations_with_them():
    run = Timeline(LASSO, sparse.with_(d=2, relevant=1))
    run.advance(3)
    frame = run.at(2)
    marks = LASSO.scene(run.problem, frame.before, frame.state).panels[0].marks
    handle = next(m for m in marks if isinstance(m, DragHandles))
    moved = handle.moved(frame.state, 0, np.array([-1.0, 3.0]))
    assert moved.w.tolist() == [-1.0, 3.0]
    assert moved.correlations == pytest.approx(lasso(run.problem.data, 0.2).correlations(moved.w))
    fork = run.fork(2, state=moved).run()
    assert fork.failures == []
    assert fork.at(fork.last).state.w == pytest.approx(solution(fork.problem.data, 0.2).w, abs=1e-4)


# Its theorems


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("every", ["coordinate", "sweep"])
@pytest.mark.parametrize("ratio", [0.7, 0.1, 1e-4])
@pytest.mark.parametrize("data", [REAL[0], made(n=8, d=12), line.load()], ids=lambda data: f"{data.n}")
def test_all_hold_at_every_step(data, ratio, every, order):
    run = Timeline(LASSO, data, {"ratio": ratio, "order": order, "every": every, "sweeps": 6}).run()
    assert run.failures == []


def wrong(theorem, problem, before, after, **fields):
    assert theorem.verdict(problem, before, after).status == "holds"
    return theorem.verdict(problem, before, replace(after, **fields)).status


def test_half_a_step_or_one_without_the_threshold_or_up_the_slope_is_noticed():
    problem, states = run_of(REAL[0])
    start, first = states[:2]
    f = lasso(problem.data, 0.2)
    plain = first.w.copy()
    plain[0] = f.of.moments[0] / f.of.squares[0]
    for w in (first.w / 2, plain, -first.w):
        assert wrong(ALONG, problem, start, first, w=w) == "fails"
    for w in (plain, -first.w):
        assert wrong(NEVER_RISES, problem, start, first, w=w) == "fails"


@pytest.mark.parametrize("order", ORDERS)
def test_a_sweep_is_its_coordinates_also_where_one_falls_to_nothing(order):
    """The one coefficient in use goes, so that x·r is worked out anew within the sweep, and is what is gone by."""
    rows = Dataset([[1.0, 0.2, 0.1], [0.0, 1.0, 0.8], [-1.0, 0.7, 1.0], [0.0, 0.4, 0.3]], [0.4, 1.0, 0.4, 0.0])
    given = {"order": order, "ratio": 0.3}
    problems = [LASSO.problem(rows, None, {**given, "every": every}) for every in ("coordinate", "sweep")]
    f = file.f_of(problems[0])
    w = np.array([-3.0, 0.0, 0.0])
    begun = replace(run_of(rows)[1][0], w=w, correlations=f.correlations(w))
    ones = [state for state, _ in zip(LASSO.start(problems[0], begun), range(3))]
    whole = next(LASSO.start(problems[1], begun))
    assert whole.w.any()
    assert same(whole.w, ones[-1].w)


@pytest.mark.parametrize("order", ORDERS)
def test_a_coordinate_that_was_not_next_is_noticed(order):
    problem, states = run_of(REAL[0], order=order)
    start, first = states[:2]
    f = lasso(problem.data, 0.2)
    j = next(k for k in np.argsort(-np.abs(f.of.moments)) if k != first.j and abs(f.of.moments[k]) > f.lam)
    other = np.zeros(f.d)
    other[j] = soft(f.of.moments[j], f.lam) / f.of.squares[j]
    assert wrong(ALONG, problem, start, first, w=other) == "fails"
    if order == "greedy":
        assert wrong(GREEDY, problem, start, first, w=other) == "fails"


def test_a_run_that_stays_at_the_first_coordinate_is_noticed(monkeypatch):
    monkeypatch.setattr(file, "coordinates", lambda *place: iter([0]))
    run = Timeline(LASSO, REAL[0], {"order": "shuffled"})
    run.advance(12)
    assert ALONG.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_after_a_row_moved_far_out_what_is_followed_has_its_digits():
    """The coefficients fall by twelve digits and more, and so do the numbers that x_j·r is a sum of."""
    data = Dataset([[0.3, 1.0], [1.2, -0.5], [0.9, 0.4]], kind="number", y=[1.0, 2.0, 0.5])
    for order in ORDERS:
        run = Timeline(LASSO, data, {"order": order})
        run.advance(7)
        fork = run.fork(run.last // 2, data=edited(data, [Move(0, (1e12, 1e12))]))
        fork.advance(20)
        assert not fork.failures, fork.failures[0].verdict.sides


def test_correlations_that_are_not_those_of_the_residuals_are_noticed():
    problem, states = run_of(REAL[0])
    before, after = states[9:11]
    assert wrong(FOLLOWED, problem, before, after, correlations=before.correlations + 1e-6) == "fails"
    assert wrong(DUAL, problem, before, after, correlations=0.5 * after.correlations) == "fails"
    assert wrong(ZEROS, problem, *states[-2:], correlations=1.1 * states[-1].correlations) == "fails"


@pytest.mark.parametrize("order", ORDERS)
def test_a_state_a_sweep_is_every_dth_of_a_state_a_coordinate(order):
    _, each = run_of(REAL[0], order=order)
    problem, sweeps = run_of(REAL[0], order=order, every="sweep")
    assert len(sweeps) == 1 + (len(each) - 1) // 8
    assert all(same(a.w, b.w) for a, b in zip(sweeps, each[::8]))
    assert wrong(ALONG, problem, *sweeps[:2], w=each[4].w) == "fails"  # some are left out
    assert LASSO.explain(problem, *sweeps[:2]).startswith("Sweep 1 changes ")


def test_the_greedy_statement_is_silent_of_other_orders():
    assert {v.why for v in verdicts(GREEDY, REAL[0])[1:]} == {"the coordinates are taken in another order"}


# What a person sees and reads


def test_the_lectures_point_is_seen_by_default():
    """The irrelevant coefficient is let in first, and goes back to exactly 0."""
    run = Timeline(LASSO, LASSO.datasets[0].load()).run()
    first = [run.at(t).state.w[0] for t in range(run.last + 1)]
    assert max(np.abs(first)) > 0.5
    assert first[-1] == 0
    assert run.last <= 240


def test_it_explains_a_step_that_enters_one_that_stays_and_one_that_leaves():
    run = Timeline(LASSO, LASSO.datasets[0].load()).run()

    def said(t):
        return LASSO.explain(run.problem, run.at(t).before, run.at(t).state)

    assert said(0).startswith("All coefficients are 0, F = ")
    assert "beyond λ" in said(1)
    last = next(t for t in range(1, run.last + 1) if run.at(t).state.w[0] == 0)
    assert "to exactly 0" in said(last)


def test_the_ellipse_and_the_diamond_meet_in_w_star():
    for data in (LASSO.datasets[0].load(), REAL[0]):
        problem, states = run_of(data)
        panel = LASSO.scene(problem, None, states[0]).panels[0]
        levels, touching = (m for m in panel.marks if type(m).__name__ == "Contours")
        diamond = next(m for m in panel.marks if type(m).__name__ == "Path").at
        along = np.concatenate([a + np.linspace(0, 1, 50)[:, None] * (b - a) for a, b in zip(diamond, diamond[1:])])
        assert touching.levels == (0.0,)
        assert levels.height(along).min() == pytest.approx(0.0, abs=1e-9 * lasso(data, 0.2).of.total)


def test_with_one_feature_f_is_drawn_over_its_coefficient():
    problem, states = run_of(line.load())
    assert [p.title for p in LASSO.scene(problem, states[0], states[1]).panels][:2] == ["F over w", "coefficients"]


def test_each_zero_is_marked_among_the_bars():
    problem, states = run_of(REAL[0])
    panel = LASSO.scene(problem, states[-2], states[-1]).panels[1]
    dots = next(m for m in panel.marks if type(m).__name__ == "Points")
    assert (dots.at[:, 0] - 1).tolist() == np.flatnonzero(states[-1].w == 0).tolist()
    assert panel.note == f"{len(dots.at)} of 8 at 0"


def test_numbers_too_large_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        LASSO(Dataset([[1e60], [1.0]], [1.5, 2.0], kind="number"))


def test_the_gap_of_the_curve_is_the_one_that_the_run_ends_by():
    run = Timeline(LASSO, sparse.with_(d=2, relevant=1, correlation=0.9).load()).run()
    _, gaps = run.curve("duality gap")
    assert gaps[-1] == 0.0, "7e-15 is what rounding leaves"
    assert run.stopped.reason.startswith("the duality gap is 0: ")
    assert (gaps[:-1] > 1e-9).all()
