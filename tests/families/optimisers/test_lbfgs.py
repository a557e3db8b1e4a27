"""L-BFGS: by hand, against SciPy, and its theorems broken on purpose."""

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from msgspec.structs import replace
from scipy.optimize import minimize

from algorithms import Dataset, Refused, Timeline, find
from algorithms.core import DragHandles, Labels, Points
from algorithms.core.state import same
from algorithms.data import iris
from algorithms.families.optimisers.lbfgs.wolfe import fault
from algorithms.toolbox.functions import FUNCTIONS
from tests.examples import examples
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_step_given_up_though_it_does_or_taken_though_it_does_not_is_noticed",
    "update": "test_a_pair_of_another_move_or_with_the_gradient_of_before_breaks_the_secant_equation",
}
SILENT = {  # in the run that opens, and why
    "exact: no slope is left along d, g'·d = 0": "α is not exact: Wolfe's conditions leave some slope along d",
    "quadratic, exact: two steps end it": "f is no quadratic with a minimum",
    "quadratic, exact, m >= 2: then B = H": "f is no quadratic with a minimum",
}

LBFGS = find("lbfgs")
FALLS, SECANT, SOLVED, DOWN, GIVEN_UP, STEPPED, FLATTENS, FLAT, NEVER, BENDS, TWO, ALL = LBFGS.theorems
EVERY = pytest.mark.parametrize("function", FUNCTIONS)
EXACT = {"function": "valley", "search": "exact", "start": (-2.0, 1.0)}


def run_of(**parameters):
    problem = LBFGS.problem(parameters=parameters)
    return problem, list(LBFGS.start(problem))


def ended(**parameters):
    return end_of(LBFGS.start(LBFGS.problem(parameters=parameters)))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def places(states):
    return np.array([s.x for s in states if s.phase in ("start", "step")])


# By hand


def test_the_first_steps_in_the_bowl_by_hand():
    """½(x² + 2y²) from (3, 0): a move of length 1 to (2, 0); y = s there, so B = I, and the whole step ends at 0."""
    _, states = run_of(function="bowl", start=(3.0, 0.0))
    assert [s.phase for s in states] == ["start", "direction", "step", "direction", "step"]
    assert states[1].alpha == pytest.approx(1 / 3)
    assert [s.x.tolist() for s in states[2::2]] == [pytest.approx([2, 0]), pytest.approx([0, 0])]
    assert states[2].S.tolist() == [[-1, 0]]
    assert states[2].Y.tolist() == [[-1, 0]]


def test_a_step_that_is_too_far_is_halved_and_one_that_is_too_near_doubled():
    """Outside of huber's bowl the slope is 1 all the way: moves of 1, 2 and 4 are too near, 8 crosses the middle."""
    _, states = run_of(function="huber", start=(7.5, 0.0), steps=1)
    assert [s.alpha for s in states if s.phase == "search"] == [2, 4, 8]
    assert states[-1].x == pytest.approx([-0.5, 0])
    _, states = run_of(function="valley", start=(0.06, -0.08), steps=1)  # along the steepest, λ = 20
    searched = [(s.alpha, s.low, s.high) for s in states if s.phase == "search"]
    assert searched[0] == (pytest.approx(0.25), 0, pytest.approx(0.5))
    assert len(searched) >= 2


# Against SciPy


def scipys(function, start, memory):
    """Where SciPy's L-BFGS stands after each step."""
    f, theirs = FUNCTIONS[function], [np.array(start)]
    options = {"maxcor": memory, "gtol": 1e-9, "ftol": 0}
    minimize(
        f.value, start, jac=f.gradient, method="L-BFGS-B", options=options, callback=lambda x: theirs.append(x.copy())
    )
    return np.array(theirs)


@pytest.mark.parametrize("memory", [1, 3, 10])
@pytest.mark.parametrize(("function", "start"), [("bowl", (2.0, 1.5)), ("two wells", (-1.8, 1.0))])
def test_its_moves_are_scipys_to_rounding_where_the_first_try_will_do(function, start, memory):
    _, states = run_of(function=function, start=start, memory=memory)
    assert not any(s.phase == "search" for s in states)
    ours, theirs = places(states), scipys(function, start, memory)
    assert len(ours) > 6
    assert ours[:11] == pytest.approx(theirs[: len(ours)][:11], abs=1e-14)


def test_its_moves_are_scipys_until_a_step_is_searched_for():
    _, states = run_of(function="valley", start=(-2.0, 1.0))
    assert next(s.iteration for s in states if s.phase == "search") == 3
    assert places(states)[:3] == pytest.approx(scipys("valley", (-2.0, 1.0), 5)[:3], abs=1e-14)


@pytest.mark.parametrize("search", ["wolfe", "exact"])
@pytest.mark.parametrize("function", ["bowl", "valley", "two wells", "huber", "rosenbrock", "himmelblau"])
def test_it_ends_where_scipy_ends(function, search):
    f, start = FUNCTIONS[function], (1.8, 1.0)
    theirs = minimize(f.value, start, jac=f.gradient, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 0}).x
    state, reason = ended(function=function, start=start, search=search)
    assert state.x == pytest.approx(theirs, abs=1e-6)
    assert reason.endswith("the minimum")


# How it ends


def test_exact_on_a_quadratic_two_steps_end_it_whatever_is_remembered_and_by_wolfe_they_do_not():
    for memory in (1, 2, 5):
        state, reason = ended(**EXACT, memory=memory)
        assert state.iteration == 2
        assert reason.endswith("(0, 0), the minimum")
    state, _ = ended(**EXACT | {"search": "wolfe"})
    assert state.iteration > 4


def test_where_f_falls_without_end_that_is_said():
    for search in ("wolfe", "exact"):
        assert ended(function="saddle", start=(-2.0, 0.5), search=search)[1].startswith("f falls without end along (")
    assert "a saddle" in ended(function="saddle", start=(-2.0, 0.0))[1]
    assert ended(steps=2)[1] == "iteration 2 was the last"


def test_a_longer_memory_takes_fewer_steps_down_rosenbrocks_valley():
    steps = [ended(memory=memory)[0].iteration for memory in (1, 5)]
    assert steps[1] < steps[0]


# Its states


def test_a_fork_with_a_shorter_memory_keeps_the_latest_and_one_of_another_function_none():
    run = Timeline(LBFGS, Dataset.none)
    run.advance(30)
    t = next(i for i in range(20, run.last) if run.at(i).state.phase == "step")
    fork = run.fork(t, memory=1).run()
    assert fork.at(t).state.S.tolist() == run.at(t).state.S[-1:].tolist()
    assert not fork.failures
    assert same(fork.at(t).state.x, run.at(t).state.x)
    other = run.fork(t, function="two wells").run()
    assert len(other.at(t).state.S) == 0
    assert not other.failures
    assert not other.troubles
    exact = run.fork(t, search="exact", function="valley").run()
    assert exact.verdicts(exact.at(exact.last))[10].why == "it speaks of a run that was not changed half-way"


def test_dragged_elsewhere_it_goes_on_from_there_and_at_step_0_begins_there():
    run = Timeline(LBFGS, Dataset.none).run()
    t = next(i for i in range(9, run.last) if run.at(i).state.phase == "step")
    marks = LBFGS.scene(run.problem, None, run.at(t).state).panels[0].marks
    (handle,) = [mark for mark in marks if isinstance(mark, DragHandles)]
    fork = run.fork(t, state=handle.moved(run.at(t).state, 0, np.array([0.4, 0.9]))).run()
    assert fork.at(fork.last).state.x == pytest.approx([1, 1])
    assert not fork.failures
    assert handle.sets(np.array([0.5, -0.25])) == {"start": (0.5, -0.25)}


def test_data_are_refused_in_a_sentence():
    with pytest.raises(Refused, match=r"L-BFGS works on no data: iris would change nothing in it\."):
        LBFGS(iris.load())


# Its theorems


@settings(deadline=None, max_examples=examples(40))
@given(
    st.sampled_from([*FUNCTIONS]),
    st.sampled_from(["wolfe", "exact"]),
    st.integers(1, 5),
    st.tuples(st.floats(-10, 10), st.floats(-10, 10)),
)
@example("two wells", "exact", 3, (1.192092896e-07, 1.192092896e-07))
@example("two wells", "exact", 2, (1.192092896e-07, 1.192092896e-07))  # along its first move s·y is 2e-7 of ‖s‖‖y‖
def test_they_hold_from_any_start(function, search, memory, start):
    problem, states = run_of(function=function, search=search, memory=memory, start=start, steps=25)
    for before, after in zip([None, *states], states):
        for theorem in LBFGS.theorems:
            verdict = theorem.verdict(problem, before, after)
            assert verdict.status != "fails", verdict.sides


def test_a_step_given_up_though_it_does_or_taken_though_it_does_not_is_noticed():
    problem, states = run_of()
    t = next(i for i, s in enumerate(states) if s.phase == "search")
    before, after = states[t - 1], states[t]
    assert after.high == before.alpha
    assert status(GIVEN_UP, problem, before, after) == "holds"
    assert status(GIVEN_UP, problem, before, replace(after, high=0.0, low=before.alpha)) == "fails"
    far = before.after("step", x=before.x + before.alpha * before.d)
    assert status(STEPPED, problem, before, far) == "holds"
    assert status(FALLS, problem, before, far) == "fails"
    step = next(i for i in range(t, len(states)) if states[i].phase == "step")
    good = replace(states[step - 1], phase=before.phase)
    assert status(GIVEN_UP, problem, good, after.after("search", low=good.alpha, high=0.0)) == "fails"
    problem, states = run_of(function="huber", start=(7.5, 0.0))
    near = states[1].after("step", x=states[1].x + states[1].alpha * states[1].d)
    assert status(FALLS, problem, states[1], near) == "holds"
    assert status(FLATTENS, problem, states[1], near) == "fails"


@pytest.mark.parametrize("search", ["wolfe", "exact"])
@EVERY
def test_a_direction_that_is_turned_round_or_of_another_curvature_is_noticed(function, search):
    problem, states = run_of(function=function, search=search, start=(1.3, 0.6), steps=3)
    t = max(i for i, s in enumerate(states) if s.phase == "direction")
    before, after = states[t - 1], states[t]
    assert status(SOLVED, problem, before, after) == status(DOWN, problem, before, after) == "holds"
    assert status(SOLVED, problem, before, replace(after, d=after.d / 2)) == "fails"
    assert status(SOLVED, problem, before, replace(after, d=after.d[::-1] * [1, -1])) == "fails"
    assert status(DOWN, problem, before, replace(after, d=-after.d)) == "fails"


def test_a_pair_of_another_move_or_with_the_gradient_of_before_breaks_the_secant_equation():
    problem, states = run_of()
    steps = [i for i, s in enumerate(states) if s.phase == "step"][3:]
    before, after = states[steps[0] - 1], states[steps[0]]
    assert status(SECANT, problem, before, after) == status(BENDS, problem, before, after) == "holds"
    stale = replace(after, S=before.S, Y=before.Y)
    doubled = replace(after, Y=np.vstack([after.Y[:-1], 2 * after.Y[-1]]))
    swapped = replace(after, S=after.S[::-1], Y=after.Y[::-1])
    assert {status(SECANT, problem, before, wrong) for wrong in (stale, doubled, swapped)} == {"fails"}


def test_a_step_of_another_length_or_against_d_is_noticed():
    problem, states = run_of(**EXACT)
    t = max(i for i, s in enumerate(states) if s.phase == "step")
    before, after = states[t - 1], states[t]
    assert {status(each, problem, before, after) for each in (STEPPED, FLAT, NEVER, BENDS, TWO, ALL)} == {"holds"}
    half = replace(after, x=before.x + before.alpha / 2 * before.d)
    assert {status(each, problem, before, half) for each in (STEPPED, FLAT, TWO)} == {"fails"}
    against = replace(after, x=before.x - before.alpha * before.d)
    assert status(NEVER, problem, before, against) == "fails"
    saddle, saddles = run_of(function="saddle", start=(-2.0, 0.5))
    down = saddles[1].after("step", x=saddles[1].x + [0.0, 1.0])
    assert status(BENDS, saddle, saddles[1], down) == "fails"
    assert status(SECANT, saddle, saddles[1], down) == "does not apply"  # where f bends down there is no pair to keep
    nowhere = saddles[1].after("step", x=saddles[1].x)
    assert status(BENDS, saddle, saddles[1], nowhere) == "does not apply"


def test_a_pair_left_out_or_bent_leaves_b_other_than_h():
    problem, states = run_of(**EXACT)
    before, after = states[-2], states[-1]
    bent = replace(after, Y=after.Y * 1.01)
    assert status(ALL, problem, before, bent) == "fails"
    assert status(ALL, problem, before, replace(after, S=after.S[1:], Y=after.Y[1:])) == "does not apply"


def test_they_say_why_they_do_not_apply():
    problem, states = run_of(**EXACT | {"search": "wolfe"})
    step = next(i for i, s in enumerate(states) if s.phase == "step")
    why = [theorem.verdict(problem, states[step - 1], states[step]).why for theorem in (FLAT, TWO, ALL)]
    assert why == ["α is not exact: Wolfe's conditions leave some slope along d"] * 3
    problem, states = run_of(search="exact")
    step = next(i for i, s in enumerate(states) if s.phase == "step")
    assert FALLS.verdict(problem, states[step - 1], states[step]).why == "α goes to the minimum along d"
    assert TWO.verdict(problem, states[step - 1], states[step]).why == "f is no quadratic with a minimum"


def test_nan_breaks_what_applies():
    problem, states = run_of(**EXACT | {"search": "wolfe"})
    before, after = states[1], next(s for s in states if s.phase == "step")
    lost = replace(after, x=np.array([np.nan, 0.0]))
    assert {status(each, problem, before, lost) for each in (STEPPED, FALLS, FLATTENS, NEVER)} == {"fails"}


# What a person sees


def test_a_fall_that_is_no_share_of_what_the_slope_promises_is_too_far():
    """½(x² + 2y²) from (2, 0) along (-2, 0), slope -4: f is 2, and a share of c₁ = 0.001 has to be kept."""
    bowl, x, d = FUNCTIONS["bowl"], np.array([2.0, 0.0]), np.array([-2.0, 0.0])
    assert float(bowl.value(x + 1.9995 * d)) < float(bowl.value(x))
    assert fault(bowl, x, d, 1.9995) == "too far"
    assert fault(bowl, x, d, 1.99) == ""
    assert fault(bowl, x, d, 0.04) == "too near"


def test_after_a_fork_to_another_function_no_search_of_the_old_one_is_drawn():
    run = Timeline(LBFGS, Dataset.none)
    run.advance(20)
    t = next(t for t in range(10, 20) if run.at(t).state.phase == "step")
    fork = run.fork(t, function="bowl")
    titles = [panel.title for panel in LBFGS.scene(fork.problem, None, fork.at(t).state).panels]
    assert "f and q along d" not in titles
    assert LBFGS.symbols["d"][1](fork.problem, fork.at(t).state) is None
    fork.advance(1)
    frame = fork.at(t + 1)
    titles = [panel.title for panel in LBFGS.scene(fork.problem, frame.before, frame.state).panels]
    assert "f and q along d" in titles


def test_it_explains_its_steps():
    problem, states = run_of(function="bowl", start=(3.0, 0.0))
    texts = [LBFGS.explain(problem, states[i - 1] if i else None, s) for i, s in enumerate(states)]
    assert texts[0].startswith(
        "f(x) = 4.5 at (3, 0), ‖g‖ = 3. Of the curvature nothing is known yet: B = I, a circle. H, the true one"
    )
    assert texts[1] == "No move is remembered, so d = -g, straight down. A move of length 1 is tried: α = 0.333."
    assert texts[2] == (
        "α = 0.333 of d moves x by 1, and f falls from 4.5 to 2. Along the move f curves by s·y/s·s = 1, and so does B "
        "now (drawn to a new scale)."
    )
    still = replace(states[2], x=states[1].x)
    assert LBFGS.explain(problem, states[1], still).endswith("by rounding only: the move is not remembered.")
    assert texts[3] == (
        "B is from the last move, begun as I/γ with γ = 1. d is 2 long, 0° from straight down, and the slope along it "
        "g·d = -4."
    )
    problem, states = run_of(function="huber", start=(7.5, 0.0))
    assert LBFGS.explain(problem, states[1], states[2]) == (
        "Too near: at α = 1 the slope along d is still 1 of what it was. α = 2 is tried."
    )


def rings(problem, state):
    """The ellipses by name, about x."""
    marks = LBFGS.scene(problem, None, state).panels[0].marks
    return {mark.name: mark.at - state.x for mark in marks if getattr(mark, "name", "") in ("B", "H")}


def test_the_learned_ellipse_becomes_the_true_one():
    problem, states = run_of(**EXACT)
    first, last = rings(problem, states[0]), rings(problem, states[-1])
    assert last["B"] == pytest.approx(last["H"], abs=1e-9)
    assert np.ptp(np.linalg.norm(first["B"], axis=1)) < 1e-9
    assert np.ptp(np.vecdot(first["H"] @ FUNCTIONS["valley"].hessian(states[0].x), first["H"])) < 1e-9
    problem, states = run_of(function="two wells", start=(0.1, 1.5))
    assert {*rings(problem, states[0])} == {"B"}  # H has a negative curvature there


def test_at_the_start_the_valley_is_misjudged_by_19_of_20():
    """B = I where H curves by 20 and 1."""
    problem, states = run_of(**EXACT)
    curves = {curve.name: curve for curve in LBFGS.curves}
    assert curves["misjudged"].value(problem, states[0]) == pytest.approx(19 / 20)


def test_no_label_lies_over_a_small_h():
    problem, states = run_of(function="rosenbrock")
    panel = LBFGS.scene(problem, None, states[0]).panels[0]
    assert {name for mark in panel.marks if isinstance(mark, Labels) for name in mark.texts} == {"x*"}
    assert [mark.names for mark in panel.marks if isinstance(mark, Points)] == [("x",)]


def test_where_h_has_no_ellipse_it_is_said_why():
    problem, states = run_of(function="rosenbrock")
    notes = [LBFGS.scene(problem, None, state).panels[0].note for state in states]
    for state, note in zip(states, notes):
        least = float(np.linalg.eigvalsh(FUNCTIONS[problem.parameters.function].hessian(state.x))[0])
        drawn = "B learned; H true, scaled anew"
        assert note == (drawn if "H" in rings(problem, state) else f"H has no ellipse: λ = {least:.3g}")
    assert drawn in notes
    assert len(set(notes)) > 1


def test_x_has_a_flag_where_that_of_the_minimum_covers_it():
    run = Timeline(find("lbfgs"), None).run()
    for t in (1, run.last):
        marks = run.algorithm.scene(run.problem, run.at(t).before, run.at(t).state).panels[0].marks
        flags = [text for mark in marks if isinstance(mark, Labels) for text in mark.texts]
        assert any(isinstance(mark, Points) for mark in marks) == (t == 1)
        assert ("x" in flags) == (t == run.last)
