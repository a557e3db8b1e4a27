"""Newton's method: by hand, against SciPy, and its theorems broken on purpose."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from scipy.optimize import minimize

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core import DragHandles
from algorithms.core.state import same
from algorithms.data import iris
from algorithms.families.optimisers.newton.algorithm import upward, whole
from algorithms.families.optimisers.shared.local_quadratic_pictures import conic
from algorithms.toolbox.functions import FUNCTIONS
from tests.examples import examples
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_step_halved_though_f_fell_enough_or_taken_though_it_did_not_is_noticed",
    "update": "test_a_direction_of_the_gradient_or_upwards_or_half_as_long_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "quadratic: one step ends where f is flat": "f is not quadratic: q is f at x only",
}

NEWTON = find("newton")
SQUARED, SOLVED, DOWN, HALVED, STEPPED, FALLS, AT_ONCE = NEWTON.theorems
EVERY = pytest.mark.parametrize("function", FUNCTIONS)


def run_of(**parameters):
    problem = NEWTON.problem(parameters=parameters)
    return problem, list(NEWTON.start(problem))


def ended(**parameters):
    return end_of(NEWTON.start(NEWTON.problem(parameters=parameters)))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# By hand


def test_the_first_steps_on_rosenbrock_by_hand():
    """From (-1.2, 1), the standard start: to (-1.1753, 1.3807), and then far up to f = 1411.8."""
    _, states = run_of(damped=False)
    places = [s.x for s in states if s.phase == "step"]
    assert places[0] == pytest.approx([-1.17528090, 1.38067416])
    assert places[1] == pytest.approx([0.76311487, -3.17503385])
    f = FUNCTIONS["rosenbrock"]
    assert f.value(places[1]) == pytest.approx(1411.845, rel=1e-5)
    assert places[0] == pytest.approx(states[0].x - np.linalg.solve(f.hessian(states[0].x), f.gradient(states[0].x)))
    assert [s.phase for s in states[:5]] == ["start", "solve", "step", "solve", "step"]


@pytest.mark.parametrize("damped", [True, False])
@pytest.mark.parametrize("function", ["bowl", "valley"])
def test_one_step_is_enough_on_a_quadratic(function, damped):
    state, reason = ended(function=function, damped=damped, start=(-7.0, 3.0))
    assert (state.iteration, state.s) == (1, 1.0)
    assert state.x == pytest.approx([0, 0], abs=1e-12)
    assert reason == "the slope is 0 to nine digits at (0, 0), the minimum"


# How it ends


@pytest.mark.parametrize("function", ["bowl", "valley", "two wells", "huber", "rosenbrock"])
def test_damped_it_ends_where_scipy_ends(function):
    f = FUNCTIONS[function]
    start = (-1.2, 1.0)
    theirs = minimize(f.value, start, jac=f.gradient, hess=f.hessian, method="trust-exact", tol=1e-12).x
    assert ended(function=function, start=start)[0].x == pytest.approx(theirs, abs=1e-6)


def test_bare_it_goes_to_a_saddle_as_to_a_minimum():
    state, reason = ended(function="two wells", damped=False, start=(0.4, 1.5))
    assert state.x == pytest.approx([0, 0], abs=1e-9)
    assert "a saddle" in reason
    assert ended(function="two wells", damped=True, start=(0.4, 1.5))[0].x == pytest.approx([1.5, 0])
    assert "a saddle" in ended(function="saddle", damped=False, start=(-2.0, 0.5))[1]
    assert ended(function="saddle", start=(-2.0, 0.5))[1] == "f falls without end: it has no minimum"


def test_bare_it_goes_to_a_maximum_and_damped_to_a_minimum_beside_it():
    state, reason = ended(function="himmelblau", damped=False, start=(-0.6, -0.5))
    assert state.x == pytest.approx([-0.2708445906673476, -0.9230385564799816])
    assert reason.endswith("a maximum: f falls on all sides, but no gradient points there")
    state, reason = ended(function="himmelblau", start=(-0.6, -0.5))
    assert FUNCTIONS["himmelblau"].value(state.x) == pytest.approx(0, abs=1e-15)
    assert reason.endswith("the minimum")


def test_bare_it_has_no_step_where_h_is_singular():
    _, reason = ended(function="huber", damped=False, start=(3.0, 4.0))
    assert reason == "H is singular at (3, 4): there q has no place where it is flat"
    assert "the minimum" in ended(function="huber", start=(3.0, 4.0))[1]
    assert ended(steps=2)[1] == "iteration 2 was the last"


def test_the_digits_double_near_the_end():
    _, states = run_of(damped=False)
    away = [np.linalg.norm(s.x - 1) for s in states if s.phase == "step"][2:6]
    assert all(now < 70 * was**2 for was, now in zip(away, away[1:]))


# Its functions and states


@pytest.mark.parametrize("function", ["bowl", "rosenbrock", "two wells", "saddle", "himmelblau"])
def test_the_third_derivative_is_how_the_hessian_changes(function):
    f, at, along, h = FUNCTIONS[function], np.array([0.7, -0.4]), np.array([0.6, 0.8]), 1e-5
    theirs = (f.hessian(at + h * along) - f.hessian(at - h * along)) / (2 * h)
    assert f.third(at, along) == pytest.approx(theirs, abs=1e-4)


def test_a_fork_that_is_no_longer_damped_goes_on_from_where_it_stands():
    run = Timeline(NEWTON, Dataset.none).run()
    t = run.nearest_entry(6)
    fork = run.fork(t, damped=False).run()
    assert same(fork.at(t).state.x, run.at(t).state.x)
    assert {fork.at(i).state.phase for i in range(t + 1, fork.last + 1)} == {"solve", "step"}
    assert not fork.failures
    other = run.fork(t, function="two wells").run()
    assert not other.failures
    assert not other.troubles


def test_dragged_elsewhere_it_goes_on_from_there_and_at_step_0_begins_there():
    run = Timeline(NEWTON, Dataset.none).run()
    t = run.nearest_entry(4)
    marks = NEWTON.scene(run.problem, None, run.at(t).state).panels[0].marks
    (handle,) = [mark for mark in marks if isinstance(mark, DragHandles)]
    fork = run.fork(t, state=handle.moved(run.at(t).state, 0, np.array([0.9, 0.9]))).run()
    assert fork.at(fork.last).state.x == pytest.approx([1, 1])
    assert not fork.failures
    assert handle.sets(np.array([0.5, -0.25])) == {"start": (0.5, -0.25)}


def test_data_are_refused_in_a_sentence():
    with pytest.raises(Refused, match=r"Newton's method works on no data: iris would change nothing in it\."):
        NEWTON(iris.load())


# Its theorems


@settings(deadline=None, max_examples=examples(60))
@given(st.sampled_from([*FUNCTIONS]), st.booleans(), st.tuples(st.floats(-10, 10), st.floats(-10, 10)))
def test_they_hold_from_any_start(function, damped, start):
    problem, states = run_of(function=function, damped=damped, start=start, steps=60)
    for before, after in zip([None, *states], states):
        for theorem in NEWTON.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


@EVERY
def test_a_direction_of_the_gradient_or_upwards_or_half_as_long_is_noticed(function):
    problem, (start, solve, *_) = run_of(function=function, start=(-1.3, 0.9))
    assert status(SOLVED, problem, start, solve) == "holds"
    for wrong in (-2 * FUNCTIONS[function].gradient(start.x), -solve.d, solve.d / 2):
        assert status(SOLVED, problem, start, replace(solve, d=wrong)) == "fails"
    assert status(DOWN, problem, start, replace(solve, d=-solve.d)) == "fails"


def test_a_step_halved_though_f_fell_enough_or_taken_though_it_did_not_is_noticed():
    problem, states = run_of()
    t = next(i for i, s in enumerate(states) if s.phase == "halve")
    assert status(HALVED, problem, states[t - 1], states[t]) == "holds"
    too_far = states[t - 1].after("step", x=states[t - 1].x + states[t - 1].s * states[t - 1].d)
    assert status(FALLS, problem, states[t - 1], too_far) == "fails"
    assert status(STEPPED, problem, states[t - 1], too_far) == "holds"
    _, solve = states[0], states[1]
    assert status(HALVED, problem, solve, solve.after("halve", s=0.5)) == "fails"


def test_a_step_of_another_length_is_noticed():
    for parameters in ({"function": "valley", "start": (-2.0, 1.0)}, {"function": "saddle", "damped": False}):
        problem, (_, solve, step, *_) = run_of(**parameters)
        assert {status(t, problem, solve, step) for t in (STEPPED, AT_ONCE, SQUARED)} == {"holds"}
        half = replace(step, x=solve.x + 0.5 * solve.d)
        assert {status(t, problem, solve, half) for t in (STEPPED, AT_ONCE, SQUARED)} == {"fails"}


def test_steps_with_a_hessian_that_is_not_made_anew_do_not_square_the_error():
    problem, states = run_of(function="two wells", damped=False, start=(1.8, 1.0))
    f, x = FUNCTIONS["two wells"], states[2].x
    solve = replace(states[3], x=x)
    stale = x - np.linalg.solve(f.hessian(states[0].x), f.gradient(x))
    assert status(SQUARED, problem, solve, states[4]) == "holds"
    assert status(SQUARED, problem, solve, replace(states[4], x=stale)) == "fails"


def test_they_say_why_they_do_not_apply():
    problem, states = run_of(function="two wells", damped=False, start=(0.4, 1.5))
    assert FALLS.verdict(problem, states[1], states[2]).why.startswith("the step is not damped")
    assert AT_ONCE.verdict(problem, states[1], states[2]).why == "f is not quadratic: q is f at x only"
    problem, states = run_of(function="huber", start=(2.0, 1.0))
    assert SQUARED.verdict(problem, states[1], states[2]).why.startswith("H is not continuous")
    problem, states = run_of(function="saddle", start=(-2.0, 0.5))
    assert AT_ONCE.verdict(problem, states[1], states[2]).why.startswith("damped, it goes down")
    assert SQUARED.verdict(problem, states[1], states[2]).why.startswith("a curvature is negative")


def test_nan_breaks_what_applies():
    problem, (start, solve, step, *_) = run_of(function="bowl")
    lost = np.array([np.nan, 0.0])
    assert status(SOLVED, problem, start, replace(solve, d=lost)) == "fails"
    assert {status(t, problem, solve, replace(step, x=lost)) for t in (STEPPED, FALLS, AT_ONCE)} == {"fails"}


# What a person sees


def test_it_explains_its_steps():
    problem, states = run_of(function="saddle", damped=False, start=(-2.0, 0.5))
    texts = [NEWTON.explain(problem, states[i - 1] if i else None, s) for i, s in enumerate(states)]
    assert texts[0].startswith("f(x) = 1.875, the gradient is 2.06 long, and f curves by λ = ")
    assert texts[1] == "λ = -1 along (0, 1): q is flat at a saddle, and d goes there, 2.06 away, downhill at first."
    assert texts[2].endswith("f is flat here.")
    problem, states = run_of()
    halve = next(i for i, s in enumerate(states) if s.phase == "halve")
    assert NEWTON.explain(problem, states[halve - 1], states[halve]).startswith("Too far: with s = 1 f would be ")


def test_both_distances_of_a_step_are_to_the_same_place():
    """The step begins next to the minimum (3.58, -1.85) and ends next to another one, (-3.78, -3.28)."""
    problem, (_, solve, step, *_) = run_of(function="himmelblau", damped=False, start=(1.8, -2.6))
    f = FUNCTIONS["himmelblau"]
    aim = f.nearest_critical(step.x)
    assert not np.array_equal(aim, f.nearest_critical(solve.x))
    now, was = (f"{np.linalg.norm(x - aim):.2g}" for x in (step.x, solve.x))
    assert NEWTON.explain(problem, solve, step).endswith(f"To x* it is {now}; it was {was}.")


def test_a_curvature_of_nothing_is_not_divided_by_and_that_is_said():
    problem, (_, solve, *_) = run_of(function="huber", start=(-3.0, 0.0))
    assert "q has no minimum. With the greatest λ in its place" in NEWTON.explain(problem, None, solve)


def test_across_a_fork_no_step_is_drawn_that_began_elsewhere():
    run = Timeline(NEWTON, Dataset.none)
    run.advance(6)
    t = next(t for t in range(1, 6) if run.at(t).state.phase == "step")
    fork = run.fork(t, function="himmelblau")
    panels = NEWTON.scene(fork.problem, None, fork.at(t).state).panels
    assert "f and q along d" not in [panel.title for panel in panels]


def test_the_local_quadratic_is_drawn_where_the_step_began():
    problem, states = run_of(damped=False)
    panels = NEWTON.scene(problem, states[1], states[2]).panels
    (line,) = [m.at for m in panels[0].marks if getattr(m, "name", "").startswith("q = f(x)")]
    assert np.nanmin(np.linalg.norm(line - states[1].x, axis=1)) < 0.05
    assert panels[1].title == "f and q along d"


def test_it_makes_as_many_steps_as_are_asked_for():
    _, states = run_of(steps=3)
    assert sum(state.phase == "step" for state in states) == 3


def test_a_curvature_below_0_that_keeps_its_sign_is_noticed(monkeypatch):
    """By the theorem itself: it asks no function that the step is made by."""
    monkeypatch.setattr(
        "algorithms.families.optimisers.newton.algorithm.divisors", lambda f, x, damped: f.curvatures(x)
    )
    problem, states = run_of(function="two wells", start=(0.4, 1.5))
    assert FUNCTIONS["two wells"].curvatures(states[0].x)[0].min() < 0
    assert status(SOLVED, problem, states[0], states[1]) == "fails"


@pytest.mark.parametrize(
    ("function", "x"), [("rosenbrock", (-1.175, 1.381)), ("saddle", (-0.6, 0.1)), ("bowl", (2, 1))]
)
def test_the_line_of_q_is_where_q_is_f_of_x_and_passes_through_x(function, x):
    f, x = FUNCTIONS[function], np.array(x, float)
    g, H = f.gradient(x), f.hessian(x)
    line = conic(x, g, H, 20.0)
    assert np.linalg.norm(np.diff(line, axis=0), axis=1)[~np.isnan(line[1:] + line[:-1]).any(axis=1)].max() < 10
    off = line[~np.isnan(line).any(axis=1)] - x
    np.testing.assert_allclose(off @ g + np.vecdot(off @ H, off) / 2, 0, atol=1e-9 * np.abs(H).max() * 400)
    assert np.linalg.norm(off, axis=1).min() < 0.05
    assert np.linalg.norm(off, axis=1).max() > 1


def test_after_a_step_the_line_is_said_to_be_of_the_x_before():
    problem, states = run_of()
    named = [{getattr(m, "name", "") for m in NEWTON.scene(problem, a, b).panels[0].marks} for a, b in pairwise(states)]
    for state, names in zip(states[1:], named):
        assert ("q = f(x) of the x before" in names) == (state.phase == "step")


def test_that_the_step_is_newtons_and_whole_are_hypotheses_that_a_damped_step_may_not_meet():
    problem, states = run_of()
    said = [SQUARED.verdict(problem, a, b) for a, b in pairwise(states) if b.phase == "step"]
    cut = [v for v, s in zip(said, [s for s in states if s.phase == "step"]) if s.s < 1]
    assert {v.status for v in cut} == {"does not apply"}
    assert all(v.why.startswith("only s = ") for v in cut)
    assert len(cut) == sum(whole(problem, s) is not True for s in states if s.phase == "step") > 0
    wells, states = run_of(function="two wells", start=(0.4, 1.5))
    step = next(s for s in states if s.phase == "step")
    assert upward(wells, step) == "a curvature is negative: damped, the step is not Newton's"
    assert list(SQUARED.hypotheses)[1:] == ["s = 1: the whole step is taken", "damped: no curvature at x is negative"]
