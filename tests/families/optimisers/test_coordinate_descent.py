"""Coordinate descent: by hand, against SciPy and linear algebra, and its theorems broken on purpose."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from scipy.optimize import minimize, minimize_scalar

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core import DragHandles
from algorithms.data import iris
from algorithms.families.optimisers.coordinate_descent import algorithm as module
from algorithms.families.optimisers.coordinate_descent.coordinate_functions import COORDINATE_FUNCTIONS
from algorithms.toolbox.functions import FUNCTIONS
from tests.examples import examples

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_coordinate_whose_turn_it_was_not_or_that_lowers_f_less_is_noticed",
    "update": "test_half_a_step_or_one_too_far_or_along_the_gradient_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "greedy: the other coordinate lowers f no further": "the coordinates take turns",
}

DESCENT = find("coordinate_descent")
NEVER_RISES, ALONG, STAYS, SLOPE, FALLS, SHARE, TURNS, GREEDY, AT_REST = DESCENT.theorems
EVERY = pytest.mark.parametrize("function", COORDINATE_FUNCTIONS)
VALLEY = FUNCTIONS["valley"].hessian(np.zeros(2))


def run_of(**parameters):
    problem = DESCENT.problem(parameters=parameters)
    return problem, list(DESCENT.start(problem))


def ended(**parameters):
    run = Timeline(DESCENT, Dataset.none, parameters).run()
    assert not run.failures
    return run.at(run.last).state, run.stopped.reason


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# By hand


def test_a_sweep_in_the_valley_by_hand():
    """7.84 x1 = 9.12 x2, then 13.16 x2 = 9.12 x1, from (-2, 1)."""
    _, states = run_of(function="valley", steps=2)
    first = 9.12 / 7.84
    assert states[1].x == pytest.approx([first, 1.0])
    assert states[2].x == pytest.approx([first, 9.12 / 13.16 * first])
    assert [(s.t, s.iteration, s.j, s.still) for s in states] == [(0, 0, -1, 0), (1, 1, 0, 0), (2, 1, 1, 0)]


def test_its_steps_are_those_of_gauss_and_seidel():
    """x' = -(D + L)⁻¹ U x for H = D + L + U, sweep by sweep."""
    _, states = run_of(function="valley", start=(-2.0, 1.0))
    sweep = -np.linalg.solve(np.tril(VALLEY), np.triu(VALLEY, 1))
    x = states[0].x
    for state in states[2:40:2]:
        x = sweep @ x
        assert state.x == pytest.approx(x, abs=1e-12)


def test_a_valley_across_the_axes_is_a_staircase_and_a_bowl_along_them_two_steps():
    _, states = run_of(function="valley")
    assert 100 < len(states) < 240
    heights = [float(FUNCTIONS["valley"].value(s.x)) for s in states[1:30]]
    share = VALLEY[0, 1] ** 2 / (VALLEY[0, 0] * VALLEY[1, 1])
    assert np.divide(heights[1:], heights[:-1]) == pytest.approx(np.full(28, share))
    state, reason = ended(function="bowl", start=(3.0, -2.0))
    assert state.x.tolist() == [0.0, 0.0]
    assert (state.t, reason) == (4, "no coordinate alone lowers f at (0, 0), the minimum")  # two moves, two that rest


# How it ends


def test_at_a_slanted_kink_it_is_stuck_and_at_the_kinks_of_the_lasso_it_is_not():
    state, reason = ended(function="slanted kink", start=(3.0, -1.0))
    assert state.x.tolist() == [1.0, -1.0]
    assert reason == "no coordinate alone lowers f at (1, -1), stuck at the kink: both together would, down to (0, 0)"
    f = COORDINATE_FUNCTIONS["slanted kink"]
    assert (float(f.value(state.x)), f.lowest) == (2.0, 1.0)
    state, reason = ended(function="lasso", start=(-1.0, 1.4))
    theirs = minimize(COORDINATE_FUNCTIONS["lasso"].value, (0.5, 0.5), method="Nelder-Mead", options={"xatol": 1e-9})
    assert state.x == pytest.approx(theirs.x, abs=1e-6)
    assert state.x[1] == 0.0
    assert reason == "no coordinate alone lowers f at (1.1, 0), the minimum"


def test_other_ends():
    assert ended(function="saddle", start=(-2.0, 0.5))[1] == "f falls without end along x₂: there is no least value"
    assert ended(steps=3)[1] == "step 3 was the last"
    assert ended(function="two wells", start=(-1.4, 1.5))[0].x.tolist() == [1.5, 0.0]  # across the ridge, in one step
    crawls = ended(function="rosenbrock", start=(-1.2, 0.2), steps=300)[0].x
    assert 0.3 < np.linalg.norm(crawls - 1) < 0.6  # after 150 sweeps


# Its functions and states


@EVERY
def test_the_least_along_a_coordinate_is_where_scipy_finds_it(function):
    f = COORDINATE_FUNCTIONS[function]
    rng = np.random.default_rng(0)
    for x in rng.uniform(-3, 3, (12, 2)):
        for j in (0, 1):
            t = f.best(x, j)
            if t is None:
                assert (function, j) == ("saddle", 1)
                continue
            across = [module.replaced(x, j, s) for s in np.linspace(-6, 6, 41)]
            near = min(across, key=lambda z: float(f.value(z)))[j]
            there = minimize_scalar(
                lambda s, x=x, j=j: float(f.value(module.replaced(x, j, s))),
                bracket=(near - 0.3, near + 0.3),
                tol=1e-12,
            )
            assert float(f.value(module.replaced(x, j, t))) <= there.fun + 1e-9 * (1 + abs(there.fun))


def test_a_fork_to_another_function_moves_again_after_the_end():
    run = Timeline(DESCENT, Dataset.none, {"function": "bowl"}).run()
    fork = run.fork(run.last, function="lasso").run()
    assert fork.last > run.last
    assert fork.at(fork.last).state.x == pytest.approx([1.1, 0.0])
    assert not fork.failures
    greedy = Timeline(DESCENT, Dataset.none).run().fork(7, order="greedy").run()
    assert not greedy.failures
    assert not greedy.troubles


def test_dragged_off_the_kink_it_goes_on():
    run = Timeline(DESCENT, Dataset.none, {"function": "slanted kink", "start": (3.0, -1.0)}).run()
    marks = DESCENT.scene(run.problem, None, run.at(run.last).state).panels[0].marks
    (handle,) = [mark for mark in marks if isinstance(mark, DragHandles)]
    fork = run.fork(run.last, state=handle.moved(run.at(run.last).state, 0, np.array([0.5, 0.5]))).run()
    assert fork.last > run.last
    assert float(COORDINATE_FUNCTIONS["slanted kink"].value(fork.at(fork.last).state.x)) < 2.0
    assert not fork.failures


def test_data_are_refused_in_a_sentence():
    with pytest.raises(Refused, match=r"Coordinate descent works on no data: iris would change nothing in it\."):
        DESCENT(iris.load())


# Its theorems


@settings(deadline=None, max_examples=examples(60))
@given(
    st.sampled_from([*COORDINATE_FUNCTIONS]),
    st.sampled_from(["cyclic", "greedy"]),
    st.tuples(st.floats(-10, 10), st.floats(-10, 10)),
)
def test_they_hold_from_any_start(function, order, start):
    problem, states = run_of(function=function, order=order, start=start, steps=25)
    for before, after in zip([None, *states], states):
        for theorem in DESCENT.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", (theorem.statement, verdict.sides)


@pytest.mark.parametrize("function", ["valley", "lasso", "slanted kink", "rosenbrock"])
def test_half_a_step_or_one_too_far_or_along_the_gradient_is_noticed(function):
    problem, (start, step, *_) = run_of(function=function, start=(-1.3, 1.1))
    assert status(ALONG, problem, start, step) == "holds"
    for share in (0.5, 1.3, -1.0):
        wrong = replace(step, x=start.x + share * (step.x - start.x))
        assert status(ALONG, problem, start, wrong) == "fails"
    both = replace(step, x=step.x + [0.0, 0.1])
    assert status(STAYS, problem, start, both) == "fails"
    assert status(NEVER_RISES, problem, start, replace(step, x=start.x - 3 * (step.x - start.x))) == "fails"


def test_on_a_quadratic_every_part_of_a_wrong_step_is_noticed():
    problem, states = run_of(function="valley")
    before, after = states[3], states[4]
    assert {status(t, problem, before, after) for t in (SLOPE, FALLS, SHARE)} == {"holds"}
    half = replace(after, x=before.x + 0.5 * (after.x - before.x))
    assert {status(t, problem, before, half) for t in (SLOPE, FALLS, SHARE)} == {"fails"}


def test_a_coordinate_whose_turn_it_was_not_or_that_lowers_f_less_is_noticed():
    problem, states = run_of(function="valley")
    assert status(TURNS, problem, states[2], states[3]) == "holds"
    again = replace(states[3], j=1, x=states[2].x)
    assert status(TURNS, problem, states[2], again) == "fails"
    problem, (start, step, *_) = run_of(function="bowl", order="greedy", start=(3.0, 0.5))
    assert step.j == 0
    assert status(GREEDY, problem, start, step) == "holds"
    other = replace(step, j=1, x=np.array([3.0, 0.0]))
    assert status(GREEDY, problem, start, other) == "fails"


def test_an_end_that_is_no_minimum_is_noticed():
    problem, states = run_of(function="lasso")
    last = states[-1]
    assert status(AT_REST, problem, states[-2], last) == "holds"
    assert status(AT_REST, problem, states[-2], replace(last, x=last.x + [0.01, 0.0])) == "fails"
    problem, states = run_of(function="slanted kink", start=(3.0, -1.0))
    assert AT_REST.verdict(problem, states[-2], states[-1]).why == (
        "its kink lies across the axes: there it may be stuck"
    )


def test_they_say_why_they_do_not_apply():
    problem, states = run_of(function="lasso")
    why = [t.verdict(problem, states[0], states[1]).why for t in (SLOPE, FALLS, GREEDY, AT_REST)]
    assert why == [
        "f has kinks, and at them no slope",
        "f is no quadratic with a minimum",
        "the coordinates take turns",
        "a coordinate may still lower f",
    ]


def test_nan_breaks_what_applies():
    problem, (start, step, *_) = run_of(function="bowl")
    lost = replace(step, x=np.array([np.nan, np.nan]))
    assert {status(t, problem, start, lost) for t in (STAYS, NEVER_RISES, SLOPE, FALLS)} == {"fails"}


# What a person sees


def test_it_explains_its_steps():
    problem, states = run_of(function="valley", steps=3)
    texts = [DESCENT.explain(problem, states[i - 1] if i else None, s) for i, s in enumerate(states)]
    assert texts[0].startswith(
        "f = 3.92x₁² - 9.12x₁x₂ + 6.58x₂²: it is 40.5 at (-2, 1). The next step goes to the least"
    )
    assert texts[1] == "x₁ goes from -2 to 1.163, where f is least along it; f falls from 40.5 to 1.276."
    assert texts[2].endswith("That leaves ρ = 0.806 of what was above the minimum.")
    problem, states = run_of(function="valley", steps=300)
    assert DESCENT.explain(problem, states[-2], states[-1]) == (
        "Along x₁ f is least where x stands, at (0, 0): so it was along x₂."
    )
    problem, states = run_of(function="slanted kink", start=(3.0, -1.0))
    assert DESCENT.explain(problem, states[-2], states[-1]) == (
        "Along x₁ f is least where x stands, at (1, -1): the kink lies across both axes, and either coordinate alone "
        "climbs, though f* = 1."
    )


def test_f_is_drawn_along_both_coordinates():
    problem, states = run_of(function="lasso", start=(-1.0, 1.4))
    panels = DESCENT.scene(problem, states[0], states[1]).panels
    assert [panel.title for panel in panels[1:3]] == ["f along x₁", "f along x₂"]
    assert [panel.note for panel in panels[1:3]] == ["moved last", ""]
    assert panels[1].marks[0].at[:, 1].min() == pytest.approx(
        float(COORDINATE_FUNCTIONS["lasso"].value(states[1].x)), abs=1e-2
    )


def test_at_the_minimum_nothing_is_left_and_it_is_said_so():
    problem, states = run_of(function="lasso", start=(2.0, 1.5))
    curves = {curve.name: curve for curve in DESCENT.curves}
    assert curves["excess"].value(problem, states[-4]) > 0
    assert curves["excess"].value(problem, states[-1]) == 0.0
    problem, states = run_of(function="rosenbrock", start=(-1.2, 1.1), steps=37)
    assert DESCENT.explain(problem, states[-2], states[-1]).startswith("x₁ goes by -")
