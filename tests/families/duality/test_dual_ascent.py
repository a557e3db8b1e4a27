"""Dual ascent: the lectures' numbers, against SciPy, and its theorems broken on purpose."""

import pickle

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.optimize import minimize

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core import Arrow, Contours, DragHandles
from algorithms.core.state import same
from algorithms.families.duality.dual_ascent import constrained as tasks
from algorithms.families.duality.dual_ascent.constrained import CONSTRAINED, Constraint
from algorithms.families.duality.dual_ascent.multipliers import ascent, risen

WRONG = {
    "choice": "test_a_local_minimum_of_the_lagrangian_is_noticed",
    "update": "test_multipliers_that_go_half_as_far_or_the_wrong_way_are_noticed",
}

DUAL = find("dual_ascent")
BOUND, GLOBAL, RULE, RISES, CONCAVE, FORCES, NEAR, RATE, NO_GAP, SLACK = DUAL.theorems
PLANTED = {
    NO_GAP.statement: "test_multipliers_that_are_not_the_best_leave_a_gap",
    SLACK.statement: "test_a_weight_on_a_wall_that_is_not_touched_is_noticed",
    RATE.statement: "test_steps_that_are_too_short_break_the_rate",
}
EVERY = pytest.mark.parametrize("name", CONSTRAINED)
CONVEX = [name for name, of in CONSTRAINED.items() if of.convex]


def run_of(states=60, **parameters):
    problem = DUAL.problem(parameters=parameters)
    return problem, [state for state, _ in zip(DUAL.start(problem), range(states + 1))]


def ended(**parameters):
    run = Timeline(DUAL, Dataset.none, parameters).run()
    return run, run.at(run.last).state


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# By hand


def test_two_steps_by_hand():
    """½‖w‖² with w₁ >= 1 and 2w₁ >= 1: w = (α₁ + 2α₂, 0), and g = (1 - w₁, 1 - 2w₁)."""
    _, states = run_of(4, problem="two rows", eta=0.1)
    assert [s.phase for s in states] == ["start", "multipliers", "point", "multipliers", "point"]
    assert states[1].alpha.tolist() == [0.1, 0.1]
    assert states[2].x == pytest.approx([0.3, 0])
    assert states[3].alpha == pytest.approx([0.17, 0.14])
    assert states[4].x == pytest.approx([0.45, 0])


def test_the_lagrangian_of_a_point_that_breaks_its_constraint():
    """f = -100, g = 5: L = -95, -50, 400 at α = 1, 10, 100, so that no α makes it the least."""
    of = replace(
        CONSTRAINED["kink"],
        value=lambda at: np.full(at.shape[:-1], -100.0),
        constraints=(Constraint("", lambda at: np.full(at.shape[:-1], 5.0), np.zeros_like),),
    )
    values = [float(of.lagrangian(np.zeros(2), np.array([a]))) for a in (1.0, 10.0, 100.0)]
    assert values == [-95, -50, 400]


def test_below_zero_the_dual_of_two_rows_is_no_bound():
    """D(3, -1) = 1.5 and D(11, -5) = 5.5, above p* = ½."""
    of = CONSTRAINED["two rows"]
    assert of.optimum == 0.5
    assert [of.theta(np.array(alpha)) for alpha in ((3.0, -1.0), (11.0, -5.0))] == [1.5, 5.5]
    problem, (start, *_) = run_of(1, problem="two rows", start=(3.0, -1.0))
    verdict = BOUND.verdict(problem, None, start)
    assert verdict.status == "does not apply"
    assert verdict.why == "α₂ = -1 < 0 and θ is no bound: θ = 1.5, p* = 0.5"


def test_theta_of_one_row_with_slack_breaks_off_at_the_price():
    of = CONSTRAINED["slack"]
    for alpha in (0.0, 0.1, 0.25):
        assert of.theta(np.array([alpha])) == pytest.approx(alpha - alpha**2 / 2)
    assert of.theta(np.array([0.26])) == -np.inf
    assert of.optimum == 0.21875
    assert of.solution.tolist() == [0.25, 0.75]
    run, end = ended(problem="slack", eta=0.5, backtracking=True)
    assert end.alpha[0] == pytest.approx(0.25)
    assert "at α = 0.271 L falls without end" in ended(problem="slack", eta=0.1)[0].stopped.reason


def test_the_multiplier_of_an_equality_is_below_zero():
    _, end = ended(problem="line", eta=0.1)
    assert end.alpha[0] == pytest.approx(-0.4, abs=1e-5)
    assert end.x == pytest.approx([0.4, 0.8], abs=1e-5)


def test_a_fixed_step_lowers_theta_at_a_kink_and_halved_steps_do_not():
    run, _ = ended(problem="kink", eta=0.3, steps=40)
    theta = DUAL.curves[0].measure
    values = [theta(run.problem, run.at(t).state) for t in range(0, run.last, 2)]
    assert min(np.diff(values)) < -0.05
    assert not run.failures
    halved, end = ended(problem="kink", eta=0.3, backtracking=True)
    values = [theta(halved.problem, halved.at(t).state) for t in range(halved.last + 1)]
    assert min(np.diff(values)) >= 0
    assert end.alpha[0] == pytest.approx(1, abs=1e-6)


# Against SciPy


@EVERY
def test_the_solution_is_scipys(name):
    of = CONSTRAINED[name]
    sides = [(None if a == -np.inf else a, None if b == np.inf else b) for a, b in of.box.tolist()]
    rules = [{"type": "eq" if g.equality else "ineq", "fun": lambda x, g=g: -float(g.value(x))} for g in of.constraints]
    starts = np.random.default_rng(0).uniform(-1, 1, (8, 2))
    ends = [
        minimize(lambda x: float(of.value(x)), s, bounds=sides, constraints=rules, tol=1e-12, method="SLSQP")
        for s in starts
    ]
    assert min(end.fun for end in ends if end.success) == pytest.approx(of.optimum, abs=1e-7)


@EVERY
def test_theta_is_the_least_lagrangian_and_is_greatest_at_the_best_multipliers(name):
    of, rng = CONSTRAINED[name], np.random.default_rng(1)
    low, high = np.maximum(of.box[:, 0], -4), np.minimum(of.box[:, 1], 4)
    places = rng.uniform(low, high, (4000, 2))
    for _ in range(40):
        alpha = rng.uniform(0, 2.5, of.m) * of.multipliers.max() if of.m == 1 else rng.uniform(0, 1.5, of.m)
        theta = of.theta(np.where(of.signed, -alpha, alpha))
        assert theta <= of.greatest + 1e-12
        if np.isfinite(theta):
            assert theta <= of.lagrangian(places, np.where(of.signed, -alpha, alpha)).min() + 1e-12


@pytest.mark.parametrize("settings", DUAL.settings, ids=lambda s: s["problem"])
def test_every_run_comes_to_the_greatest_theta(settings):
    run, end = ended(**settings)
    of = CONSTRAINED[settings["problem"]]
    assert not run.failures
    wanted = 0.3 if settings["problem"] == "kink" else 1e-6
    assert of.theta(end.alpha) == pytest.approx(of.greatest, abs=wanted)
    if settings["problem"] == "wells":
        assert "a gap of 0.3894 stays" in run.stopped.reason


def test_the_svm_is_that_of_coordinate_descent():
    of, svm = CONSTRAINED["svm"], find("dual_coordinate_descent")
    rows = Dataset([[1.0, 0.5], [-0.2, -1.0], [2.0, 1.5]], [1, 0, 1], classes=("-", "+"))
    *_, end = svm(rows, loss="hard margin", constant=0, tolerance=1e-9)
    assert of.multipliers == pytest.approx(end.alpha, abs=1e-7)
    assert of.solution == pytest.approx(end.w, abs=1e-7)


# Its states


@pytest.mark.parametrize("settings", DUAL.settings, ids=lambda s: s["problem"])
def test_it_goes_on_from_any_state_bit_for_bit(settings):
    problem, states = run_of(**settings | {"steps": 24})
    for i, state in list(enumerate(states))[::5]:
        rest = list(zip(DUAL.start(problem, pickle.loads(pickle.dumps(state))), range(len(states) - i - 1)))
        assert all(same(a, b) for (a, _), b in zip(rest, states[i + 1 :]))


def test_every_alpha_g_lies_under_the_wall():
    """For α >= 0 the line α g is not above 0 where g <= 0: L is not above f on what is allowed."""
    problem, states = run_of(4, problem="half-planes")
    (panel,) = [p for p in DUAL.scene(problem, None, states[4]).panels if p.title == "α g under the wall"]
    for line, alpha in zip(panel.marks, states[4].alpha):
        assert line.at[0, 1] == pytest.approx(alpha * line.at[0, 0])
        assert line.at[0, 1] <= 0
    of = CONSTRAINED["half-planes"]
    assert panel.marks[-1].at[:, 1] == pytest.approx(states[4].alpha * of.g(states[4].x))


def test_a_fork_that_lets_multipliers_below_zero_passes_the_optimum():
    run = Timeline(DUAL, Dataset.none, {"problem": "two rows", "eta": 0.1})
    run.advance(60)
    fork = run.fork(40, below_zero=True)
    fork.advance(200)
    last = fork.at(fork.last)
    assert CONSTRAINED["two rows"].theta(last.state.alpha) > 0.6
    assert not fork.failures
    assert fork.verdicts(last)[0].status == "does not apply"


def test_a_multiplier_that_is_dragged_takes_its_point_along():
    run = Timeline(DUAL, Dataset.none, {"problem": "two rows", "eta": 0.1})
    run.advance(10)
    state = run.at(4).state
    (handle,) = [m for m in DUAL.scene(run.problem, None, state).panels[1].marks if isinstance(m, DragHandles)]
    moved = handle.moved(state, 1, np.array([-1.0, 0.0]))
    assert moved.alpha[1] == -1
    assert moved.x == pytest.approx([moved.alpha[0] - 2, 0])
    fork = run.fork(4, state=moved)
    fork.advance(20)
    assert fork.at(5).state.alpha[1] == 0
    assert not fork.failures
    slack = Timeline(DUAL, Dataset.none, {"problem": "slack", "eta": 0.1})
    slack.advance(2)
    (handle,) = [m for m in DUAL.scene(slack.problem, None, slack.at(0).state).panels[1].marks if hasattr(m, "moved")]
    assert same(handle.moved(slack.at(0).state, 0, np.array([0.9, 0.0])), slack.at(0).state)


# Its theorems


@EVERY
@pytest.mark.parametrize("backtracking", [False, True])
@pytest.mark.parametrize("eta", [0.05, 3.0])
def test_they_hold_with_any_step(name, backtracking, eta):
    problem, states = run_of(30, problem=name, eta=eta, backtracking=backtracking)
    for before, after in zip([None, *states], states):
        for theorem in DUAL.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def test_a_local_minimum_of_the_lagrangian_is_noticed():
    problem, (start, *_) = run_of(1, problem="wells")
    assert {status(t, problem, None, start) for t in (GLOBAL, BOUND, FORCES)} == {"holds"}
    other = replace(start, x=CONSTRAINED["wells"].solution)  # the well that is not so deep: its slope is 0 too
    assert status(FORCES, problem, None, other) == "holds"
    assert status(GLOBAL, problem, None, other) == "fails"


def test_a_point_that_was_not_chosen_is_noticed():
    problem, states = run_of(6, problem="half-planes")
    late = replace(states[4], x=states[2].x)
    for theorem in (GLOBAL, FORCES):
        assert status(theorem, problem, None, states[4]) == "holds"
        assert status(theorem, problem, None, late) == "fails"


def test_a_slope_that_points_down_where_theta_rises_is_noticed():
    problem, states = run_of(6, problem="half-planes")
    assert status(CONCAVE, problem, None, states[4]) == "holds"
    assert status(CONCAVE, problem, None, replace(states[4], x=np.array([-1.0, 0.0]))) == "fails"


@pytest.mark.parametrize("share", [0.5, -1.0, 2.0])
def test_multipliers_that_go_half_as_far_or_the_wrong_way_are_noticed(share):
    problem, states = run_of(6, problem="half-planes")
    before, after = states[4:6]
    wrong = replace(after, alpha=before.alpha + share * (after.alpha - before.alpha))
    assert status(RULE, problem, before, after) == "holds"
    assert status(RULE, problem, before, wrong) == "fails"
    if share < 0:
        assert status(RISES, problem, before, wrong) == "fails"


def test_the_rule_is_worked_out_by_the_theorem_itself(monkeypatch):
    for wrong in (
        lambda of, alpha, g, step, below_zero: risen(of, alpha, g, step / 2, below_zero),
        lambda of, alpha, g, step, below_zero: alpha + step * g,
    ):
        for name in ("multipliers", "theorems"):
            monkeypatch.setattr(f"algorithms.families.duality.dual_ascent.{name}.risen", wrong, raising=False)
        run = Timeline(DUAL, Dataset.none, {"problem": "half-planes", "steps": 3}).run()
        assert RULE.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_a_step_of_another_length_than_was_asked_for_is_noticed():
    problem, states = run_of(6, problem="half-planes")
    assert status(RULE, problem, states[4], replace(states[5], eta=0.1)) == "fails"


def test_a_bound_above_the_optimum_is_noticed():
    problem, states = run_of(6, problem="two rows")
    wrong = replace(states[4], x=np.array([3.0, 0.0]), alpha=np.array([0.1, 0.0]))
    assert status(BOUND, problem, None, wrong) == "fails"
    assert status(NEAR, problem, None, wrong) == "fails"


def test_multipliers_that_are_not_the_best_leave_a_gap(monkeypatch):
    problem, (start, *_) = run_of(1, problem="half-planes")
    assert status(NO_GAP, problem, None, start) == "holds"
    wrong = replace(CONSTRAINED["half-planes"], multipliers=np.array([0.5, 0.4, 0.0]))
    monkeypatch.setitem(tasks.CONSTRAINED, "half-planes", wrong)
    assert status(NO_GAP, problem, None, start) == "fails"


def test_a_weight_on_a_wall_that_is_not_touched_is_noticed(monkeypatch):
    problem, (start, *_) = run_of(1, problem="half-planes")
    assert status(SLACK, problem, None, start) == "holds"
    wrong = replace(CONSTRAINED["half-planes"], multipliers=np.array([0.5, 0.5, 0.1]))
    monkeypatch.setitem(tasks.CONSTRAINED, "half-planes", wrong)
    assert status(SLACK, problem, None, start) == "fails"


def test_steps_that_are_too_short_break_the_rate():
    problem, states = run_of(120, problem="svm", eta=0.12)
    assert {status(RATE, problem, a, b) for a, b in zip(states, states[1:])} <= {"holds", "does not apply"}
    assert status(RATE, problem, states[1], replace(states[2], iteration=900)) == "fails"


def test_each_says_why_it_does_not_apply():
    problem, states = run_of(2, problem="wells", eta=0.5)
    why = {t.statement: t.verdict(problem, states[0], states[1]).why for t in (RISES, NO_GAP, RATE)}
    assert why[RISES.statement].startswith("θ has a kink")
    assert why[NO_GAP.statement] == "f is not convex: a gap of 0.3894 stays"
    problem, states = run_of(2, problem="trust region", eta=0.5)
    assert NO_GAP.verdict(problem, None, states[0]).why == "f is not convex; no gap stays"
    assert RISES.verdict(problem, states[0], states[1]).why == "η = 0.5 is above 1/M = 0.006944"


# What is refused, and words


def test_what_it_cannot_do_is_refused_in_words():
    with pytest.raises(Refused, match="start holds 2 multipliers; half-planes has 3"):
        DUAL.problem(parameters={"start": (1.0, 1.0)})
    with pytest.raises(Refused, match="L falls without end at such a start, and no point is chosen"):
        DUAL.problem(parameters={"problem": "slack", "start": (0.5,)})
    with pytest.raises(Refused, match="works on no data"):
        DUAL(Dataset([[1.0], [2.0]]))


def test_multipliers_that_grow_without_end_are_said_to():
    run, end = ended(problem="line", eta=1.0)
    assert run.stopped.reason == "the multipliers grow without end: η is above 2/M = 0.4"
    assert np.isfinite(end.alpha).all()
    run, end = ended(problem="two rows", eta=100.0, backtracking=True, below_zero=True, steps=20)
    assert not run.failures
    assert np.isfinite(end.alpha).all()


def test_halved_steps_raise_theta_by_what_is_asked():
    of = CONSTRAINED["circle"]
    alpha = np.array([0.2])
    g = of.g(of.least(alpha))
    following, step = ascent(of, alpha, g, 10.0, True, False)
    assert 0 < step < 10
    assert of.theta(following) >= of.theta(alpha) + 0.25 * float(g @ (following - alpha))


def test_it_explains_its_steps():
    problem, states = run_of(2, problem="two rows", eta=0.1)
    words = [DUAL.explain(problem, b, s) for b, s in zip([None, *states], states)]
    assert words == [
        "f = ½‖w‖² is to be least where w₁ >= 1 and 2w₁ >= 1. "
        "With α = (0, 0) L is least at x = (0, 0): θ = 0, so p* cannot be lower. p* = 0.5; x breaks w₁ >= 1 by 1.",
        "w₁ >= 1 is broken, g = 1: α₁ goes from 0 to 0.1, by η g with η = 0.1. θ rises by 0.155.",
        "With α = (0.1, 0.1) L is least at x = (0.3, 0): θ = 0.155, so p* cannot be lower. p* = 0.5; "
        "x breaks w₁ >= 1 by 0.7.",
    ]
    problem, (start, *_) = run_of(1, problem="two rows", start=(3.0, -1.0))
    assert DUAL.explain(problem, None, start).endswith("With a multiplier below 0 that is no bound: p* = 0.5.")


def test_a_multiplier_that_stops_at_0_is_not_said_to_have_gone_all_the_way():
    problem, states = run_of(1, problem="circle", start=(1.5,), eta=10.0)
    assert DUAL.explain(problem, states[0], states[1]).startswith(
        "‖x‖ <= 1 has room, g = -0.222: α goes from 1.5 to 0, by less than η g with η = 10, for it stops at 0."
    )


def test_the_edge_of_each_constraint_has_its_name_and_the_tone_of_its_force():
    problem, states = run_of(problem="half-planes")
    stage = DUAL.scene(problem, states[-2], states[-1]).panels[0]
    edges = {mark.name: mark.tone for mark in stage.marks if isinstance(mark, Contours) and mark.levels == (0.0,)}
    assert list(edges) == ["x₁ ≤ 1", "x₁ + 2x₂ ≤ 2", "x₂ ≥ -0.5"]
    forces = {mark.name: mark.tone for mark in stage.marks if isinstance(mark, Arrow)}
    assert forces["-α₁∇g₁"] == edges["x₁ ≤ 1"]
