"""The theorems of SMO: they hold at every step, and are broken on purpose."""

from itertools import pairwise

import numpy as np
import pytest

from algorithms.core import Dataset
from algorithms.families.svm.smo.algorithm import box_of, solution_at
from algorithms.families.svm.smo.pairs import moved
from algorithms.toolbox.duals import may_fall, may_rise
from algorithms.toolbox.kernels import kernel_in_use
from tests.families.svm.smo_runs import BLOBS, MOONS, OVERLAPPING, SIGNS, SMO, XOR, fresh_of, problem_of

THEOREM = {theorem.statement: theorem for theorem in SMO.theorems}
RISES, DUALITY = THEOREM["the dual never falls"], THEOREM["the dual is never above the primal"]
OUTSIDE, ON = THEOREM["α = 0: y f >= 1 - δ, δ = (m - M)/2"], THEOREM["0 < α < C: |y f - 1| <= δ"]
INSIDE, BALANCED = THEOREM["α = C: y f <= 1 + δ"], THEOREM["Σ α y = 0"]
BOX, WIDEST = THEOREM["0 <= α <= C"], THEOREM["no margin is wider than ‖Σ α y φ‖/Σ α"]
GAIN, GRAM = THEOREM["W rises by s(F_i - F_j) - ½ηs²"], THEOREM["no eigenvalue of a Gram matrix is negative"]
SAME = THEOREM["only support vectors matter: w' without the others is w"]
PAIR, STEP = (
    THEOREM["of the pairs with F_i = m, W would rise most by this one"],
    THEOREM["it goes to the top of the pair's line, or to the end of the box"],
)
FOLLOWED, OPTIMAL = THEOREM["F = y - Σ α y k(x, ·)"], THEOREM["complementary slackness at the end: m - M <= tol"]


def verdicts(data, **parameters):
    problem = problem_of(data, **parameters)
    steps = list(pairwise([None, *SMO.start(problem)]))
    some = steps[:60] + steps[60:-20:7] + steps[60:][-20:]  # all of a short run
    return {t.statement: [t.verdict(problem, a, b) for a, b in some] for t in SMO.theorems}


@pytest.mark.parametrize(
    ("data", "parameters"),
    [
        (MOONS, {"prune": True}),
        (MOONS, {"kernel": "polynomial", "C": 100.0}),
        (OVERLAPPING, {"kernel": "linear", "margin": "hard"}),
        (BLOBS, {"kernel": "linear", "margin": "hard", "prune": True}),
        (BLOBS, {"C": 1e-3, "prune": True}),
        (XOR, {"gamma": 1e6}),
    ],
)
def test_they_hold_at_every_step(data, parameters):
    for statement, found_out in verdicts(data, **parameters).items():
        assert {v.status for v in found_out} <= {"holds", "does not apply"}, statement


def test_at_the_end_they_are_tight():
    problem = problem_of(MOONS, tol=1e-9)
    last = list(SMO.start(problem))[-1]
    for theorem in (DUALITY, ON):
        low, high = theorem.verdict(problem, None, last).sides.values
        assert high - low < 1e-6
    hard = problem_of(BLOBS, kernel="linear", margin="hard", tol=1e-9)
    assert WIDEST.verdict(hard, None, list(SMO.start(hard))[-1]).sides.values == pytest.approx([0.5, 0.5], rel=1e-7)


def test_where_they_do_not_apply_they_say_why():
    problem = problem_of(OVERLAPPING, kernel="linear", margin="hard")
    start, first = list(SMO.start(problem))[:2]
    assert WIDEST.verdict(problem, None, start).why == "w = 0"
    assert DUALITY.verdict(problem, None, start).why == "C = ∞, and P is infinite until f separates the rows"
    assert INSIDE.verdict(problem, None, first).why == "no row has α = C"
    assert ON.verdict(problem, None, start).why == "no row has 0 < α < C"
    assert SAME.verdict(problem, start, first).why == "no rows were taken out"
    assert SAME.verdict(problem, start, first, forked=True).status == "does not apply"


def part_way(data=MOONS, at=-5, **parameters):
    problem = problem_of(data, **parameters)
    states = list(SMO.start(problem))
    before, after = states[at - 1], states[at]
    assert {t.verdict(problem, before, after).status for t in SMO.theorems} <= {"holds", "does not apply"}
    return problem, before, after


def changed(state, **changes):
    """The state with other contents, at the same step."""
    return state.after(state.phase, **changes)


def undone(problem, before, after, times):
    """The pair moved by `times` as much as it was, with F that goes with it."""
    alpha = before.alpha + times * (after.alpha - before.alpha)
    return changed(after, alpha=alpha, F=before.F + times * (after.F - before.F))


def test_a_step_the_wrong_way_lets_the_dual_fall():
    problem, before, after = part_way(at=20)
    assert RISES.verdict(problem, before, undone(problem, before, after, -0.2)).status == "fails"


def test_a_step_much_too_long_lets_the_dual_fall():
    problem, before, after = part_way(OVERLAPPING, at=1, C=1e3)
    assert after.phase == "free"
    assert RISES.verdict(problem, before, undone(problem, before, after, 1.9)).status == "holds"
    assert RISES.verdict(problem, before, undone(problem, before, after, 2.1)).status == "fails"


def test_F_that_does_not_follow_breaks_the_gain():
    problem, before, after = part_way(at=20)
    assert GAIN.verdict(problem, before, after).status == "holds"
    assert GAIN.verdict(problem, before, changed(after, F=before.F)).status == "fails"
    other_sign = changed(after, F=before.F - (after.F - before.F))
    assert GAIN.verdict(problem, before, other_sign).status == "fails"


def test_multipliers_above_C_put_the_dual_above_the_primal():
    """The primal pays C for a row that falls short; the dual is paid its α."""
    problem, _, after = part_way(at=-1)
    alpha = np.where(after.alpha == 1, 3.0, after.alpha)
    assert DUALITY.verdict(problem, None, changed(after, alpha=alpha)).status == "fails"


@pytest.mark.parametrize(
    ("which", "at", "to"),
    [(OUTSIDE, 1.0, 0.0), (ON, 1.0, 0.5), (INSIDE, 0.0, 1.0)],
    ids=["α = 0", "0 < α < C", "α = C"],
)
def test_multipliers_that_are_in_the_wrong_case_break_complementary_slackness(which, at, to):
    """α is changed, and F still says that all is well."""
    problem, _, after = part_way(at=-1)
    rows = np.flatnonzero(after.alpha == at)[:3]
    alpha = after.alpha.copy()
    alpha[rows] = to
    F = after.F.copy()
    F[rows] = solution_at(problem, after).bias
    assert which.verdict(problem, None, changed(after, alpha=alpha, F=F)).status == "fails"


def test_one_multiplier_alone_breaks_the_balance():
    problem, before, after = part_way()
    alpha = before.alpha.copy()
    alpha[after.i] = after.alpha[after.i]
    assert BALANCED.verdict(problem, before, changed(after, alpha=alpha)).status == "fails"


@pytest.mark.parametrize("value", [-1e-6, 1 + 1e-6])
def test_a_multiplier_outside_the_box_is_seen(value):
    problem, _, after = part_way()
    alpha = after.alpha.copy()
    alpha[0] = value
    assert BOX.verdict(problem, None, changed(after, alpha=alpha)).status == "fails"
    hard = problem_of(MOONS, margin="hard")
    assert BOX.verdict(hard, None, changed(after, alpha=alpha)).status == ("fails" if value < 0 else "holds")


def test_multipliers_that_do_not_balance_break_the_bound_on_the_margin():
    away = Dataset(BLOBS.X + [3.0, -5.0], BLOBS.y, classes=BLOBS.classes)
    problem = problem_of(away, kernel="linear", margin="hard", tol=1e-9)
    last = list(SMO.start(problem))[-1]
    one_class = away.signs * solution_at(problem, last).bias > 0
    assert WIDEST.verdict(problem, None, last).status == "holds"
    heavier = changed(last, alpha=np.where(one_class, 1.05, 1.0) * last.alpha)
    assert WIDEST.verdict(problem, None, heavier).status == "fails"


def test_a_pair_that_gains_less_is_seen():
    """The first rows that may rise and fall in place of the best ones."""
    problem, before, after = part_way(at=20)
    y, box = problem.data.signs, box_of(problem)
    kernel, rises, falls = kernel_in_use(problem), may_rise(before.alpha, y, box), may_fall(before.alpha, y, box)
    assert PAIR.verdict(problem, before, after).status == "holds"
    other_i = next(int(r) for r in np.flatnonzero(rises) if before.F[after.j] < before.F[r] < before.F[after.i])
    other_j = next(int(r) for r in np.flatnonzero(falls) if before.F[r] < before.F[after.i] and r != after.j)
    for i, j in ((other_i, after.j), (after.i, other_j)):
        eta = float(kernel.squared_distances_of(problem.data.X)(i)[j])
        alpha, step = moved(before.alpha, y, i, j, float(before.F[i] - before.F[j]) / eta, box)
        worse = changed(after, alpha=alpha, i=i, j=j, step=step)
        worse = changed(worse, F=fresh_of(problem, worse))
        assert PAIR.verdict(problem, before, worse).status == "fails"
        others = {t.statement for t in SMO.theorems if t.verdict(problem, before, worse).status == "fails"}
        assert others == {PAIR.statement}


@pytest.mark.parametrize("times", [0.5, 1.5, -1.0])
def test_a_step_of_another_length_is_seen(times):
    """F follows it, so that the gain is right for the step that was made."""
    problem, before, after = part_way(OVERLAPPING, at=1, C=1e3)
    other = undone(problem, before, after, times)
    assert STEP.verdict(problem, before, after).status == "holds"
    assert STEP.verdict(problem, before, other).status == "fails"
    assert GAIN.verdict(problem, before, other).status == ("holds" if times > 0 else "fails")


def test_a_step_that_stops_short_of_the_box_is_seen():
    problem, before, after = part_way(at=1)
    assert after.phase == "clipped"
    assert STEP.verdict(problem, before, undone(problem, before, after, 0.9)).status == "fails"


def test_F_that_drifts_is_seen():
    problem, before, after = part_way(at=20)
    drifted = changed(after, F=after.F + 1e-9)
    assert FOLLOWED.verdict(problem, before, after).status == "holds"
    assert FOLLOWED.verdict(problem, before, drifted).status == "fails"


def test_a_run_that_stops_at_a_violation_of_a_half_is_seen():
    """As one would that took .49 for the end: complementary slackness has a line of its own."""
    problem = problem_of(MOONS)
    early = next(s for s in SMO.start(problem) if solution_at(problem, s).gap < 0.49)
    assert OPTIMAL.verdict(problem, early, early.after("optimal", i=-1, j=-1)).status == "fails"
    *_, before, last = SMO.start(problem)
    assert OPTIMAL.verdict(problem, before, last).status == "holds"
    assert repr(OPTIMAL.verdict(problem, before, last).sides).startswith("m - M = 0.000")


def test_at_the_end_no_more_is_said_than_the_tolerance_shows():
    """Of exclusive or twice, m = -1 and M = 1: δ is -1, and each row is in its case. With tol = 1 W is not the most."""
    data = Dataset(np.tile(XOR.X, (2, 1)), np.tile(XOR.y, 2), classes=SIGNS)
    problem = problem_of(data, kernel="linear")
    *_, before, last = SMO.start(problem)
    assert solution_at(problem, last).delta == pytest.approx(-1)
    assert SMO.explain(problem, before, last).startswith(
        "Complementary slackness holds to within max(0, (m - M)/2) = 0. "
    )
    loose, tight = problem_of(MOONS, tol=1.0), problem_of(MOONS)
    early, best = (solution_at(p, list(SMO.start(p))[-1]).dual for p in (loose, tight))
    assert early < 0.95 * best
    assert SMO.phases["optimal"] == "m - M <= tol: along no pair's line does W rise more steeply"


def test_nothing_against_next_to_nothing_balances():
    """What rounding leaves where α went back to 0 is in proportion to what it was."""
    problem, _, after = part_way(at=-1)
    row = int(np.flatnonzero(problem.data.signs < 0)[0])
    dust = np.zeros(MOONS.n)
    dust[row] = 2.7e-20
    assert BALANCED.verdict(problem, None, changed(after, alpha=dust)).status == "holds"
    assert BALANCED.verdict(problem, None, changed(after, alpha=dust, largest=0.0)).status == "fails"


def test_no_theorem_holds_of_what_is_no_number():
    problem, before, after = part_way(at=20)
    nowhere = changed(after, F=np.full(MOONS.n, np.nan))
    for theorem in (GAIN, RISES, FOLLOWED, DUALITY, WIDEST):
        assert theorem.verdict(problem, before, nowhere).status != "holds", theorem.statement
    alpha = after.alpha.copy()
    alpha[after.i] = np.nan
    for theorem in (GAIN, RISES, STEP, FOLLOWED, BALANCED, BOX, DUALITY):
        assert theorem.verdict(problem, before, changed(after, alpha=alpha)).status != "holds", theorem.statement


def test_pruning_a_support_vector_is_seen():
    """Without the row of the greatest share w comes out otherwise, and the theorem fails."""
    problem = problem_of(MOONS, prune=True, tol=1e-9, C=100.0)
    states = list(SMO.start(problem))
    begun = next(s for s in states if s.phase == "prune")
    kept = begun.kept.copy()
    kept[np.argmax(begun.first_alpha)] = False
    *_, last = SMO(MOONS, state=changed(begun, kept=kept), prune=True, tol=1e-9, C=100.0)
    assert SAME.verdict(problem, None, states[-1]).status == "holds"
    assert SAME.verdict(problem, None, last).status == "fails"


def test_what_is_no_kernel_breaks_the_theorem_on_gram_matrices(monkeypatch):
    problem = problem_of(MOONS)
    start = next(SMO.start(problem))
    assert GRAM.verdict(problem, None, start).status == "holds"
    another = problem_of(MOONS)
    monkeypatch.setattr("algorithms.toolbox.kernels.Kernel._shaped", lambda self, inner: np.tanh(inner - 1))
    assert GRAM.verdict(another, None, start).status == "fails"


@pytest.mark.parametrize("kernel", ["linear", "rbf", "polynomial"])
def test_of_rows_that_k_cannot_tell_apart_no_top_is_told(kernel):
    """With C = ∞ W rises without end along their line; F stays what it was."""
    data = Dataset([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 0.0]], [0, 1, 0, 1], classes=SIGNS)
    problem = problem_of(data, kernel=kernel, margin="hard")
    before, after = list(SMO.start(problem))[:2]
    assert (after.phase, {after.i, after.j}, after.F.tolist()) == ("free", {0, 1}, before.F.tolist())
    assert (
        STEP.verdict(problem, before, after).why == "k cannot tell the two rows apart, and W has no top on their line"
    )
    words = SMO.explain(problem, before, after)
    assert "k cannot tell the two apart, both ask for what they did, and W would rise without end. " in words
    assert "same b" not in words
    assert "or far where W has no top" in SMO.phases["free"]


def test_a_box_that_such_rows_do_not_reach_the_end_of_has_no_top_either():
    """η is 0, and the rule takes 2⁻⁵² 4e16 = 8.9 for it: α goes by 2/8.9, and W would rise up to α = C."""
    data = Dataset([[1e8], [1e8], [-1e8]], [0, 1, 0], classes=SIGNS)
    problem = problem_of(data, kernel="linear", C=10.0)
    before, after = list(SMO.start(problem))[:2]
    assert (after.phase, {after.i, after.j}) == ("free", {0, 1})
    assert STEP.verdict(problem, before, after).status == "does not apply"
    assert "and W would rise to the end of the box. " in SMO.explain(problem, before, after)
    clipped = problem_of(data, kernel="linear", C=0.1)
    before, after = list(SMO.start(clipped))[:2]
    assert after.phase == "clipped"
    assert STEP.verdict(clipped, before, after).status == "holds"
    assert "both stop at C. " in SMO.explain(clipped, before, after)
