"""Logistic regression in the dual: by hand, against scikit-learn on both sides, and its theorems broken on purpose."""

import pickle
from collections import deque

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.optimize import brentq, minimize
from sklearn.linear_model import LogisticRegression

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import blobs, moons
from algorithms.families.linear.dual_logistic_regression.algorithm import adapt, at
from algorithms.families.linear.dual_logistic_regression.logistic_duals import bare_step, ends, share, share_of, top
from algorithms.toolbox.activations import softplus

WRONG = {
    "choice": "test_a_row_that_is_not_next_is_noticed",
    "update": "test_a_step_half_as_far_or_the_wrong_way_is_noticed",
}

DUAL = find("dual_logistic_regression")
DUALITY, CHANCE, RISES, ENDS, INSIDE, SUM, DIVERGENCE, NEAR = DUAL.theorems
SIGNS = ("-", "+")
BLOBS = blobs.with_(n=30, spread=2.0).load()
MOONS = moons.with_(n=40).load()


def run_of(data, steps=100, **parameters):
    problem = DUAL.problem(data, None, parameters)
    return problem, [state for state, _ in zip(DUAL.start(problem), range(steps + 1))]


def end_of(data, **parameters):
    problem = DUAL.problem(data, None, {"tolerance": 1e-9} | parameters)
    (end,) = deque(DUAL.start(problem), maxlen=1)
    return problem, end


def verdicts(theorem, problem, states):
    return [theorem.verdict(problem, b, s) for b, s in zip([None, *states], states)]


# The algorithm


def test_a_single_row_by_hand():
    """x = 1, C = 1, no bias: α = 1/(1 + e^α) is .401058..., and w = α."""
    problem, states = run_of(Dataset([[1.0], [-1.0]], [1, 0], classes=SIGNS), 2, constant=0, order="cyclic")
    assert states[0].alpha.tolist() == [0.01, 0.01]
    assert states[0].w.tolist() == [0.02]
    first = brentq(lambda a: a - 1 / (1 + np.exp(a + 0.01)), 0, 1, xtol=1e-15)
    assert states[1].alpha[0] == pytest.approx(first, abs=1e-14)
    assert states[1].w[0] == pytest.approx(first + 0.01, abs=1e-14)
    assert states[1].rest[0] == pytest.approx(1 - first, abs=1e-14)


def slope_at(v, z, bend, q0):
    return v + z + bend * (share_of(v) - q0)


def test_newton_along_one_multiplier_finds_the_root_wherever_it_begins():
    rng = np.random.default_rng(0)
    for _ in range(200):
        C, q0 = 10 ** rng.uniform(-3, 3), 1 / (1 + np.exp(rng.normal(0, 8)))
        z, square = rng.normal(0, 10), 10 ** rng.uniform(-3, 3)
        alpha, rest = top(C * q0, C * (1 - q0) or 1e-300, C, z, square)
        low, high = ends(C * q0, C, z, square)
        root = brentq(slope_at, low - 1, high + 1, args=(z, square * C, q0), xtol=1e-13)
        assert alpha == pytest.approx(C * share_of(root), rel=1e-9)
        assert alpha + rest == pytest.approx(C)
        assert 0 < alpha <= C


def test_a_bare_newton_step_can_leave_both_ends():
    assert bare_step(0.5, 0.5, 20.0, 1.0) < 0
    assert bare_step(0.5, 0.5, -20.0, 1.0) > 1
    for z in (20.0, -20.0):
        assert 0 < top(0.5, 0.5, 1.0, z, 1.0)[0] < 1


@pytest.mark.parametrize("constant", [0.0, 1.0, 5.0])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_it_ends_where_scikit_learn_ends(constant, C):
    _, end = end_of(BLOBS, constant=constant, C=C)
    theirs = LogisticRegression(
        solver="liblinear",
        dual=True,
        C=C,
        fit_intercept=constant > 0,
        intercept_scaling=constant or 1,
        tol=1e-10,
        max_iter=100_000,
    ).fit(BLOBS.X, BLOBS.y)
    assert end.w[:2] == pytest.approx(theirs.coef_[0], abs=1e-6)
    if constant:
        assert constant * end.w[2] == pytest.approx(theirs.intercept_[0], abs=1e-6)


def test_the_primal_has_no_lower_place():
    problem, end = end_of(MOONS, C=3.0)
    Z = at(problem, end).rows
    least = minimize(lambda w: w @ w / 2 + 3 * softplus(-Z @ w).sum(), np.zeros(3), method="BFGS", tol=1e-10)
    assert end.w == pytest.approx(least.x, abs=1e-5)
    assert at(problem, end).dual == pytest.approx(least.fun, rel=1e-9)


def test_every_row_carries_w_and_the_doubtful_most():
    problem, end = end_of(MOONS)
    here = at(problem, end)
    assert end.alpha.min() > 1e-6
    assert end.alpha == pytest.approx(here.wrong, abs=1e-8)
    assert (np.argsort(end.alpha) == np.argsort(-here.z)).all()
    hinge = find("dual_coordinate_descent")
    (other,) = deque(hinge.start(hinge.problem(MOONS, None, {"tolerance": 1e-4})), maxlen=1)
    assert (other.alpha == 0).sum() > 10


# Its states


@pytest.mark.parametrize("parameters", [{}, {"order": "cyclic", "constant": 0, "start": 0.9}])
def test_it_goes_on_from_any_state_bit_for_bit(parameters):
    _, states = run_of(BLOBS, 100, **parameters)
    for k in range(0, 100, 9):
        again = DUAL(BLOBS, state=pickle.loads(pickle.dumps(states[k])), **parameters)
        assert all(same(a, b) for a, b in zip(states[k + 1 :], again))


@pytest.mark.parametrize("change", [{"C": 0.05}, {"C": 20.0}, {"seed": 3}, {"tolerance": 1e-6}])
def test_a_fork_half_way_goes_on_to_the_solution_of_its_own(change):
    run = Timeline(DUAL, BLOBS)
    run.advance(100)
    fork = run.fork(70, **{"tolerance": 1e-5} | change)
    fork.advance(60)
    assert fork.failures == []
    _, fresh = end_of(BLOBS, C=change.get("C", 1.0))
    *_, end = DUAL.start(fork.problem, fork.at(fork.last).state)
    assert end.w == pytest.approx(fresh.w, abs=0.02)


def test_a_row_at_its_bound_is_there_after_a_fork_too():
    C, other = 813.2721064978804, 912.7564497219489
    assert C * (other / C) > other  # by a bit
    before, after = Timeline(DUAL, BLOBS, {"C": C}), Timeline(DUAL, BLOBS, {"C": other})
    before.advance(1)
    state = before.at(0).state.replaced(alpha=np.full(BLOBS.n, C))
    adapted = adapt(before.problem, after.problem, state, np.arange(BLOBS.n))
    assert adapted.alpha.max() == other


def test_a_run_that_is_over_goes_on_with_a_finer_tolerance():
    run = Timeline(DUAL, BLOBS).run()
    fork = run.fork(run.last, tolerance=1e-6)
    *_, end = DUAL.start(fork.problem, fork.at(fork.begin).state)
    assert end.t > run.last
    assert at(fork.problem, end).gap < 1e-9


def test_rows_that_go_or_change_sides_take_their_part_of_w_along():
    run = Timeline(DUAL, BLOBS)
    run.advance(51)
    for edit in (Remove(0), Label(0, int(1 - BLOBS.y[0])), Move(3, (5.0, -5.0))):
        fork = run.fork(50, data=edited(BLOBS, [edit]))
        fork.advance(60)
        assert not fork.failures


# Its theorems


@pytest.mark.parametrize("parameters", [{}, {"C": 1e-5}, {"C": 1e5, "start": 0.5}, {"constant": 300}, {"start": 0.999}])
def test_they_hold_at_every_step(parameters):
    for data in (BLOBS, MOONS):
        problem, states = run_of(data, 60, **parameters)
        for theorem in DUAL.theorems:
            assert {v.status for v in verdicts(theorem, problem, states)} <= {"holds", "does not apply"}


def test_a_row_that_is_not_next_is_noticed():
    problem, states = run_of(BLOBS, 40)
    before, after = states[-2:]
    assert CHANCE.verdict(problem, before, after).status == "holds"
    assert CHANCE.verdict(problem, before, replace(after, row=(after.row + 1) % 30)).status == "fails"


@pytest.mark.parametrize("share_made", [0.5, -1.0, 1.5])
def test_a_step_half_as_far_or_the_wrong_way_is_noticed(share_made):
    problem, states = run_of(BLOBS, 40)
    i = next(
        i for i in range(1, 40) if 1e-4 < states[i - 1].alpha[states[i].row] - states[i].alpha[states[i].row] < 0.4
    )
    before, after = states[i - 1], states[i]
    part = {name: getattr(before, name) + share_made * (getattr(after, name) - getattr(before, name)) for name in PARTS}
    wrong = replace(after, **part)
    assert CHANCE.verdict(problem, before, wrong).status == "fails"
    if share_made < 0:
        assert RISES.verdict(problem, before, wrong).status == "fails"


PARTS = ("alpha", "rest", "w")


def test_a_bare_newton_step_beyond_the_ends_is_noticed():
    problem, states = run_of(BLOBS, 40, start=0.5)
    i = next(i for i, s in enumerate(states) if s.phase == "guarded")
    before, after = states[i - 1], states[i]
    row, here = after.row, at(problem, before)
    bare = bare_step(before.alpha[row], before.rest[row], here.z[row], here.rows[row] @ here.rows[row])
    alpha, rest = before.alpha.copy(), before.rest.copy()
    alpha[row], rest[row] = bare, 1 - bare
    wrong = replace(after, alpha=alpha, rest=rest)
    for theorem in (ENDS, INSIDE):
        assert theorem.verdict(problem, before, after).status == "holds"
        assert theorem.verdict(problem, before, wrong).status == "fails"


def test_what_is_kept_of_c_beside_alpha_is_held_against_it():
    problem, states = run_of(BLOBS, 40)
    assert INSIDE.verdict(problem, None, replace(states[-1], rest=states[-1].rest * 1.01)).status == "fails"


def test_a_w_that_does_not_follow_is_noticed():
    problem, states = run_of(BLOBS, 40)
    for theorem in (SUM, DIVERGENCE):
        assert theorem.verdict(problem, None, states[-1]).status == "holds"
        assert theorem.verdict(problem, None, replace(states[-1], w=states[-5].w)).status == "fails"


def test_entropies_that_are_too_large_are_noticed():
    """Shares of C that do not sum to one have more entropy than there is: D comes above P."""
    problem, end = end_of(BLOBS)
    twice = replace(end, rest=end.rest * 0.5)
    assert DUALITY.verdict(problem, None, end).status == "holds"
    assert {t.verdict(problem, None, twice).status for t in (DUALITY, NEAR)} == {"fails"}


# Hard data, and words


def test_sizes_out_of_range_are_refused_in_words():
    for size in (1e-160, 1e140):
        with pytest.raises(Refused, match="scale it"):
            DUAL(Dataset(BLOBS.X * size, BLOBS.y, classes=SIGNS))


def test_rows_far_out_keep_a_share_that_is_above_zero():
    far = Dataset([[1e4], [-1e4], [1.0], [2e4]], [1, 0, 0, 1], classes=SIGNS)
    problem, states = run_of(far, 60, C=1e3)
    assert min(s.alpha.min() for s in states) > 0
    assert min(s.rest.min() for s in states) > 0
    assert np.isfinite([at(problem, s).dual for s in states]).all()


@pytest.mark.parametrize("size", [1e30, 1e45])
def test_the_top_is_found_however_far_apart_the_ends_are(size):
    data = Dataset(BLOBS.X * size, BLOBS.y, classes=SIGNS)
    run = Timeline(DUAL, data, {"passes": 3}).run()
    assert not run.failures


def test_shares_are_exact_next_to_both_ends():
    assert share(np.array([-400.0]))[0] == pytest.approx(np.exp(-400.0))
    assert share_of(-400.0) == pytest.approx(np.exp(-400.0))
    assert share_of(3.0) == pytest.approx(1 / (1 + np.exp(-3.0)))


def test_it_explains_its_steps():
    problem, states = run_of(Dataset([[1.0], [-1.0]], [1, 0], classes=SIGNS), 2, constant=0, order="cyclic")
    assert DUAL.explain(problem, None, states[0]) == (
        "Every row begins with α = 0.01 C = 0.01, and w = Σ α y x: the dual is D = 0.1118, the primal P = 1.367."
    )
    assert DUAL.explain(problem, states[0], states[1]).startswith(
        "Row 0 (x1 1) has p = 0.495 of the wrong class, and α = 0.01. α goes to 0.399, C times its p then: D rises"
    )
    problem, states = run_of(BLOBS, 40, start=0.5)
    i = next(i for i, s in enumerate(states) if s.phase == "guarded")
    assert "A bare Newton step would leave (0, C), to " in DUAL.explain(problem, states[i - 1], states[i])
