"""Gradient descent: by hand, against SciPy, and its theorems broken on purpose."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from scipy.optimize import minimize

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core.state import same
from algorithms.data import iris
from algorithms.families.optimisers.gradient_descent.momentum import long_run, longest_step, recursion
from algorithms.toolbox.functions import FUNCTIONS
from tests.examples import examples
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_gradient_that_forgets_the_other_coordinate_or_is_one_of_another_place_breaks_the_directions",
    "update": "test_a_step_of_another_length_or_direction_breaks_the_rule",
}

DESCENT = find("gradient_descent")
RATE, RULE, REMEMBERS, FALLS, CHORD, DIRECTIONS, SWINGS, DIVERGES = DESCENT.theorems
PLANTED = {  # a state nearby is never as high as the bound, and convex functions are below all of their chords
    RATE.statement: "test_steps_up_the_slope_break_the_rate",
    CHORD.statement: "test_a_saddle_that_is_taken_for_convex_is_above_a_chord",
}
SILENT = {  # in the run that opens, and why
    "quadratic, momentum: along each v, e' = b e": "there is no momentum: e is 0 after a step",
    "quadratic, η > 2/L: |v·x_T| = (ηL - 1)^T |v·x₀|": "η is below 1/L, where nothing diverges",
}
EVERY = pytest.mark.parametrize("function", FUNCTIONS)
MEASURE = {curve.name: curve.measure for curve in DESCENT.curves}


def run_of(**parameters):
    """The problem and its states."""
    problem = DESCENT.problem(parameters=parameters)
    return problem, list(DESCENT.start(problem))


def ended(**parameters):
    last, reason = end_of(DESCENT.start(DESCENT.problem(parameters=parameters)))
    return last.x, reason


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


# By hand


def test_two_steps_in_the_bowl_by_hand():
    """½(x² + 2y²) from (4, 3) with η = 1/4: x is multiplied by 3/4, y by 1/2."""
    _, states = run_of(function="bowl", eta=0.25, start=(4.0, 3.0), steps=2)
    assert [s.x.tolist() for s in states] == [[4, 3], [3, 1.5], [2.25, 0.75]]
    assert [(s.t, s.iteration, s.phase) for s in states] == [(0, 0, "start"), (1, 1, "step"), (2, 2, "step")]


def test_a_step_of_one_over_the_curvature_arrives_at_once_along_its_direction():
    """In the valley with η = 1/20: nothing is left along (-3, 4)/5 after a step."""
    _, states = run_of(function="valley", eta=0.05, start=(-2.0, 1.0), steps=1)
    assert states[1].x @ [-3, 4] == pytest.approx(0, abs=1e-13)
    assert states[1].x @ [4, 3] / 5 == pytest.approx(0.95 * -1)


def test_the_ravine_is_crossed_at_every_step():
    _, states = run_of(function="valley", eta=0.08)
    across = np.array([s.x @ [-3, 4] for s in states[:20]])
    assert (across[1:] * across[:-1] < 0).all()
    along = np.array([s.x @ [4, 3] for s in states[:20]])
    assert (along[1:] * along[:-1] > 0).all()


# How it ends


_SLOW = pytest.param("rosenbrock", marks=pytest.mark.soak)


@pytest.mark.parametrize("function", ["bowl", "valley", "two wells", "huber", _SLOW])
def test_it_ends_where_scipy_ends(function):
    f = FUNCTIONS[function]
    start, eta = ((-1.2, 1.0), 0.001) if function == "rosenbrock" else ((-1.5, 0.7), 0.05)
    x, reason = ended(function=function, start=start, eta=eta, steps=100_000)
    theirs = minimize(f.value, start, jac=f.gradient, method="BFGS", tol=1e-12).x
    assert x == pytest.approx(theirs, abs=1e-6)
    assert reason.startswith("the slope is 0 to nine digits at (")


def test_at_a_saddle_it_stays_unless_it_starts_beside_its_way_in():
    x, reason = ended(function="saddle", eta=0.2, start=(-2.0, 0.0))
    assert x == pytest.approx([0, 0], abs=1e-8)
    assert reason.endswith("at (0, 0), a saddle: f falls along (0, 1), but no gradient points there")
    x, reason = ended(function="saddle", eta=0.2, start=(-2.0, 1e-9))
    assert abs(x[1]) > 1e6
    assert reason == "f falls without end: it has no minimum"


def test_on_the_ridge_between_two_wells_it_ends_at_the_saddle_and_beside_it_in_the_well_of_that_side():
    assert "a saddle" in ended(function="two wells", eta=0.3, start=(0.0, 1.5))[1]
    x, reason = ended(function="two wells", eta=0.3, start=(-0.1, 1.5))
    assert x == pytest.approx([-1, 0], abs=1e-7)
    assert reason.endswith("at (-1, 0), a local minimum; the lowest is at (1.5, 0)")
    assert ended(function="two wells", eta=0.3, start=(0.1, 1.5))[1].endswith("at (1.5, 0), the minimum")


def test_past_two_over_the_curvature_it_diverges_and_says_so():
    assert ended(function="valley", eta=0.102)[1] == "it diverges: η is too large"
    assert "the minimum" in ended(function="valley", eta=0.098)[1]
    assert ended(function="bowl", eta=0.4, steps=3)[1] == "step 3 was the last"


# Its states


def test_a_fork_with_another_step_size_goes_on_from_where_it_stands():
    run = Timeline(DESCENT, Dataset.none)
    run.advance(9)
    fork = run.fork(7, eta=0.05)
    fork.advance(40)
    assert same(fork.at(7).state.x, run.at(7).state.x)
    f = FUNCTIONS["valley"]
    assert np.array_equal(fork.at(8).state.x, run.at(7).state.x - 0.05 * f.gradient(run.at(7).state.x))
    rate, *_, diverges = fork.verdicts(fork.at(20))
    assert rate.why == diverges.why == "it speaks of a run that was not changed half-way"
    assert np.isnan(dict(zip(MEASURE, fork.values(fork.at(20))))["bound"])
    assert not fork.failures


def test_dragged_elsewhere_it_goes_on_from_there():
    run = Timeline(DESCENT, Dataset.none, {"function": "two wells", "eta": 0.3, "start": (-0.1, 1.5)}).run()
    scene = DESCENT.scene(run.problem, None, run.at(3).state)
    (handle,) = [mark for mark in scene.panels[0].marks if type(mark).__name__ == "DragHandles"]
    fork = run.fork(3, state=handle.moved(run.at(3).state, 0, np.array([0.4, 1.0]))).run()
    assert fork.at(fork.last).state.x == pytest.approx([1.5, 0], abs=1e-7)
    assert not fork.failures


def test_the_start_moves_at_step_0_only_and_then_gives_a_run_from_there():
    run = Timeline(DESCENT, Dataset.none, {"eta": 0.05})
    run.advance(2)
    (handle,) = [m for m in DESCENT.scene(run.problem, None, run.at(0).state).panels[0].marks if hasattr(m, "sets")]
    fork = run.fork(0, **handle.sets(np.array([0.5, -0.25])))
    fresh = Timeline(DESCENT, Dataset.none, {"eta": 0.05, "start": (0.5, -0.25)})
    assert fork.parameters == fresh.parameters
    fork.advance(30)
    fresh.advance(31)
    assert same(fork.at(30).state, fresh.at(30).state)
    assert fork.verdicts(fork.at(9))[3].status == "holds"
    with pytest.raises(Refused, match="start cannot be changed half-way"):
        run.fork(1, start=(0.5, -0.25))


def test_data_are_refused_in_a_sentence():
    with pytest.raises(Refused, match="Gradient descent works on no data: iris would change nothing in it."):
        DESCENT(iris.load())


@pytest.mark.parametrize("start", [(1.0,), (1.0, 2.0, 3.0), (11.0, 0.0), (float("nan"), 0.0), "1", "1,x"])
def test_a_start_that_is_no_place_is_refused_in_words(start):
    with pytest.raises(Refused, match="start = .* will not do: it must be numbers with commas between, 2 of them"):
        DESCENT.problem(parameters={"start": start})


def test_a_start_may_be_typed():
    assert DESCENT.problem(parameters={"start": "-1.5, 2"}).parameters.start == (-1.5, 2.0)


# Its theorems


@settings(deadline=None, max_examples=examples(60))
@given(
    st.sampled_from([*FUNCTIONS]),
    st.floats(1e-6, 100),
    st.tuples(st.floats(-10, 10), st.floats(-10, 10)),
    st.sampled_from([0.0, 0.5, 0.9, 0.999]),
    st.booleans(),
)
def test_they_hold_for_any_step_size_and_start(function, eta, start, momentum, nesterov):
    kind = {"momentum": momentum, "nesterov": nesterov}
    problem, states = run_of(function=function, eta=eta, start=start, steps=60, **kind)
    for before, after in zip([None, *states], states):
        for theorem in DESCENT.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def test_each_says_why_it_does_not_apply():
    problem, states = run_of(function="rosenbrock", eta=0.001, steps=2)
    why = [theorem.verdict(problem, states[0], states[1]).why for theorem in DESCENT.theorems]
    no_bound = "the curvature of f grows without end far out: there is no L"
    no_quadratic = "f is not quadratic: its curvature is another at every place"
    none = "there is no momentum: e is 0 after a step"
    assert why == [no_bound, "", "", no_bound, "f is not convex", no_quadratic, none, no_quadratic]
    problem, states = run_of(function="valley", eta=0.06, steps=2)
    assert RATE.verdict(problem, states[0], states[1]).why == "η = 0.06 is above 1/L = 0.05"
    assert DIVERGES.verdict(problem, states[0], states[1]).why == "η = 0.06 is not above 2/L = 0.1"
    problem, states = run_of(function="bowl", eta=1.5, start=(1.0, 0.0), steps=2)
    assert DIVERGES.verdict(problem, states[0], states[1]).why.startswith("x₀ has no part along v")


@pytest.mark.parametrize("wrong", [0.5, 1.3, -1.0], ids=["half as far", "too far", "up the slope"])
@EVERY
def test_a_step_of_another_length_or_direction_breaks_the_rule(function, wrong):
    problem, (start, step) = run_of(function=function, eta=0.01, steps=1)
    elsewhere = replace(step, x=start.x + wrong * (step.x - start.x))
    assert status(RULE, problem, start, step) == "holds"
    assert status(RULE, problem, start, elsewhere) == "fails"


@pytest.mark.parametrize("function", ["bowl", "valley", "saddle", "huber"])
def test_a_step_across_the_gradient_does_not_fall_as_far_as_it_must(function):
    problem, (start, step) = run_of(function=function, eta=0.04, steps=1)
    turned = replace(step, x=start.x + (step.x - start.x)[::-1] * [1, -1])
    assert status(FALLS, problem, start, step) == "holds"
    assert status(FALLS, problem, start, turned) == "fails"


@pytest.mark.parametrize("function", ["bowl", "valley", "saddle"])
def test_a_gradient_that_forgets_the_other_coordinate_or_is_one_of_another_place_breaks_the_directions(function):
    problem, (start, step) = run_of(function=function, eta=0.04, start=(-2.0, 1.3), steps=1)
    assert status(DIRECTIONS, problem, start, step) == "holds"
    alone = replace(step, x=np.array([step.x[0], start.x[1]]))
    assert status(DIRECTIONS, problem, start, alone) == "fails"
    again = replace(step, x=step.x + 0.04 * (start.x - step.x))
    assert status(DIRECTIONS, problem, start, again) == "fails"


def test_steps_up_the_slope_break_the_rate(monkeypatch):
    problem, states = run_of(function="bowl", eta=0.4, steps=10)
    assert {status(RATE, problem, a, b) for a, b in zip(states, states[1:])} == {"holds"}
    bowl = FUNCTIONS["bowl"]
    true = bowl.gradient
    monkeypatch.setattr(bowl, "gradient", lambda at: -true(at))
    states = list(DESCENT.start(problem))
    assert status(RATE, problem, states[2], states[3]) == "fails"


def test_a_saddle_that_is_taken_for_convex_is_above_a_chord(monkeypatch):
    """½(x² - y²) from (-2, 1): the chord is above at first, and below on the way down."""
    problem, states = run_of(function="saddle", eta=0.2, start=(-2.0, 1.0), steps=8)
    pairs = list(zip(states, states[1:]))
    assert {status(CHORD, problem, a, b) for a, b in pairs} == {"does not apply"}
    monkeypatch.setattr(FUNCTIONS["saddle"], "convex", True)
    seen = [status(CHORD, problem, a, b) for a, b in pairs]
    assert (seen[0], seen[-1]) == ("holds", "fails")
    gaps = [chord_gap(problem, a, b) for a, b in pairs]
    assert [gap >= 0 for gap in gaps] == [verdict == "holds" for verdict in seen]


def chord_gap(problem, before, after):
    """The row of the table: how far the chord is above f, half-way."""
    *_, table = DESCENT.scene(problem, before, after).panels
    return dict(table.marks[0].rows)["chord less f, half-way"]


@EVERY
def test_convex_functions_are_below_the_chord_of_every_step(function):
    problem, states = run_of(function=function, eta=0.005, steps=40)
    seen = {status(CHORD, problem, a, b) for a, b in zip(states, states[1:])}
    assert seen == ({"holds"} if FUNCTIONS[function].convex else {"does not apply"})


def test_the_chord_of_a_step_in_the_bowl_by_hand():
    """½(x² + 2y²) from (4, 3) to (3, 3/2): f is 17 and 6.75, half of both 11.875, and half-way 11.1875."""
    problem, states = run_of(function="bowl", eta=0.25, start=(4.0, 3.0), steps=2)
    panel = DESCENT.scene(problem, states[0], states[1]).panels[2]
    assert panel.note == "half-way f is 11.19, the chord 11.88"
    assert chord_gap(problem, states[0], states[1]) == pytest.approx(11.875 - 11.1875)
    assert chord_gap(problem, None, states[0]) == pytest.approx(11.875 - 11.1875)  # of the step to come


def test_a_step_size_that_shrinks_secretly_breaks_the_divergence():
    problem, states = run_of(function="valley", eta=0.102, steps=20)
    assert {status(DIVERGES, problem, a, b) for a, b in zip(states, states[1:])} == {"holds"}
    x, f = states[0].x, FUNCTIONS["valley"]
    for t in range(20):
        x = x - 0.102 / (t + 1) * f.gradient(x)
    assert status(DIVERGES, problem, states[19], replace(states[20], x=x)) == "fails"


def test_nan_breaks_what_applies():
    problem, (start, step) = run_of(function="bowl", eta=0.4, steps=1)
    lost = replace(step, x=np.array([np.nan, 0.0]))
    assert [status(theorem, problem, start, lost) for theorem in DESCENT.theorems[:5]] == ["fails"] * 5


# Momentum


def test_two_steps_with_momentum_by_hand():
    """½(x² + 2y²) from (4, 4) with η = ¼ and β = ½: first as without; then u is half as long and the step joins it."""
    _, states = run_of(function="bowl", eta=0.25, start=(4.0, 4.0), momentum=0.5, steps=2)
    assert [s.x.tolist() for s in states] == [[4, 4], [3, 2], [3 - 0.5 - 0.75, 2 - 1 - 1]]
    assert states[2].u.tolist() == [-1.25, -2]
    _, states = run_of(function="bowl", eta=0.25, start=(4.0, 4.0), momentum=0.5, nesterov=True, steps=2)
    assert states[1].x.tolist() == [3, 2]
    assert states[2].x.tolist() == [2.5 * 0.75, 1 * 0.5]  # the plain step from (2.5, 1)


@pytest.mark.parametrize("nesterov", [False, True])
def test_with_momentum_its_moves_are_those_of_pytorchs_rule(nesterov):
    """torch.optim.SGD: buf <- β buf + g, and the step is -η buf, or -η(g + β buf), at the place it looks ahead to."""
    f, eta, beta = FUNCTIONS["rosenbrock"], 0.0005, 0.9
    _, states = run_of(function="rosenbrock", eta=eta, start=(-1.2, 1.0), momentum=beta, nesterov=nesterov, steps=50)
    w, buf = np.array([-1.2, 1.0]), np.zeros(2)
    for state in states[1:]:
        g = f.gradient(w)
        buf = beta * buf + g
        w = w - eta * (g + beta * buf if nesterov else buf)
        x = w + eta * beta * buf if nesterov else w  # w is Nesterov's z
        assert state.x == pytest.approx(x, abs=1e-12)


@pytest.mark.parametrize("nesterov", [False, True])
def test_in_the_long_run_each_direction_shrinks_by_the_larger_root_of_its_recursion(nesterov):
    eta, beta = (0.04, 0.65) if nesterov else (0.1, 0.5)
    curvatures = np.array([20.0, 1.0])
    shrinks = long_run(*recursion(curvatures, eta, beta, nesterov))
    _, states = run_of(function="valley", eta=eta, momentum=beta, nesterov=nesterov, start=(-2.0, 1.0), steps=60)
    for v, shrink in zip([[-0.6, 0.8], [0.8, 0.6]], shrinks):
        along = np.array([s.x @ v for s in states[:12]])
        c, b = np.linalg.lstsq(np.column_stack([along[1:-1], -along[:-2]])[1:], along[3:])[0]
        assert abs(np.roots([1, -c, b])).max() == pytest.approx(shrink, abs=1e-6)
    assert shrinks.max() < (1 - eta)


def test_up_to_the_longest_step_it_comes_closer_and_past_it_it_diverges():
    for nesterov in (False, True):
        most = longest_step(20.0, 0.5, nesterov)
        kind = {"function": "valley", "momentum": 0.5, "nesterov": nesterov}
        assert "the minimum" in ended(eta=0.98 * most, **kind)[1]
        assert ended(eta=1.02 * most, **kind)[1] == "it diverges: η is too large"


def test_it_does_not_end_where_it_only_passes_a_flat_place():
    """With η = 1/λ and momentum the minimum of the bowl is reached with a move left, which carries x on."""
    _, states = run_of(function="bowl", eta=0.5, momentum=0.5, start=(0.0, 2.0))
    assert states[1].x.tolist() == [0, 0]
    assert states[2].x.tolist() == [0, -1]
    assert ended(function="bowl", eta=0.5, momentum=0.5, start=(0.0, 2.0))[1].endswith("the minimum")


def test_with_momentum_f_may_rise_and_it_passes_the_shallow_well():
    problem, states = run_of(function="two wells", eta=0.1, momentum=0.95, start=(-1.9, 0.5))
    values = [MEASURE["objective"](problem, s) for s in states]
    assert max(np.diff(values)) > 0.01
    assert ended(function="two wells", eta=0.1, start=(-1.9, 0.5))[0] == pytest.approx([-1, 0], abs=1e-7)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("function", ["bowl", "valley", "saddle"])
def test_a_move_that_is_forgotten_or_a_gradient_of_another_place_breaks_the_swing(function, nesterov):
    kind = {"function": function, "eta": 0.03, "momentum": 0.5, "start": (-2.0, 1.3), "steps": 5}
    problem, states = run_of(**kind, nesterov=nesterov)
    before, after = states[4], states[5]
    every = (RULE, REMEMBERS, SWINGS)
    assert {status(each, problem, before, after) for each in every} == {"holds"}
    plain = -0.03 * FUNCTIONS[function].gradient(before.x)
    forgets = replace(after, x=before.x + plain, u=plain)
    other = next(s for s in DESCENT.start(DESCENT.problem(parameters=kind | {"nesterov": not nesterov}), before))
    for wrong in (forgets, other):
        assert status(RULE, problem, before, wrong) == status(SWINGS, problem, before, wrong) == "fails"
    assert status(REMEMBERS, problem, before, replace(after, u=before.u)) == "fails"


def test_a_fork_to_momentum_takes_the_last_move_along():
    run = Timeline(DESCENT, Dataset.none)
    run.advance(9)
    fork = run.fork(7, momentum=0.5)
    fork.advance(40)
    x, f = run.at(7).state.x, FUNCTIONS["valley"]
    assert fork.at(8).state.x == pytest.approx(x + 0.5 * (x - run.at(6).state.x) - 0.045 * f.gradient(x))
    assert not fork.failures
    assert FALLS.verdict(fork.problem, fork.at(7).state, fork.at(8).state).why.startswith("with momentum x may climb")


# What a person sees


def test_it_explains_its_steps():
    problem, states = run_of(function="bowl", eta=0.75, start=(0.0, 2.0), steps=1)
    assert DESCENT.explain(problem, None, states[0]) == (
        "f(x) = 4, and the gradient is 4 long. The next step goes against it, η times as far."
    )
    assert DESCENT.explain(problem, states[0], states[1]) == (
        "A gradient 4 long moves x by 3, and f falls from 4 to 1. "
        "Along (0, 1), where most of the slope is, f curves by λ = 2, and ηλ = 1.5 > 1: "
        "the step crosses to the other side."
    )
    flat = states[1].replaced(x=np.zeros(2))
    assert DESCENT.explain(problem, states[1], flat) == "f(x) = 0 with a gradient 0 long: there is no step to make."


def test_it_explains_what_momentum_does():
    problem, states = run_of(function="bowl", eta=0.25, start=(4.0, 4.0), momentum=0.5, steps=2)
    assert DESCENT.explain(problem, states[0], states[1]) == (
        "There is no last move yet to keep a share of. x moves by 2.24, and f falls from 24 to 8.5."
    )
    assert DESCENT.explain(problem, states[1], states[2]) == (
        "β = 0.5 of the last move is 1.12 long, -η times the gradient 1.25: they go the same way. x moves by 2.36, and "
        "f falls from 8.5 to 1.531."
    )


def test_the_picture_shows_the_minima_and_says_when_x_lies_outside():
    problem, states = run_of(function="two wells", eta=0.3)
    panel = DESCENT.scene(problem, states[0], states[1]).panels[0]
    known = next(mark for mark in panel.marks if type(mark).__name__ == "Labels")
    assert known.texts == ("x*", "x*", "saddle")
    assert not panel.note
    away = DESCENT.scene(problem, None, replace(states[1], x=np.array([9.0, 0.0]))).panels[0]
    assert away.note == "x lies outside of what is shown"


def test_along_the_steepest_direction_of_a_bowl_the_bound_on_the_fall_is_reached():
    """½(x² + 2y²) along y, L = 2: f(x') = f(x) - η(1 - ηL/2)‖∇f(x)‖², to the last digit."""
    problem, states = run_of(function="bowl", eta=0.3, start=(0.0, 1.0))
    reached, bound = FALLS.verdict(problem, *states[:2]).sides.values
    assert reached == pytest.approx(0.16)  # 1 - 0.3 · 0.7 · 4
    assert bound == pytest.approx(reached)


def test_the_first_chart_is_that_of_the_first_theorem():
    """A hall shows it: along f itself nothing is seen after a few steps."""
    assert [curve.name for curve in DESCENT.curves[:2]] == ["excess", "bound"]
