"""The conformance suite catches what it is there to catch: each mutant fails the check that is meant for it.

The original walks to the mean of the rows in two phases, "look" for the slope and "move" against it, with a
little noise that depends on (seed, iteration).
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from time import process_time
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from algorithms import Algorithm, Dataset, Refused
from algorithms.core import (
    Along,
    Array,
    Bars,
    Contrast,
    Curve,
    DragHandles,
    Event,
    FromStart,
    Labels,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Segments,
    Sides,
    State,
    Table,
    Theorem,
    Trail,
)
from algorithms.core.scene import Mark
from algorithms.data import faithful
from tests import conformance
from tests.conformance import ON_ALL_DATA, ON_DATA, ON_ITSELF
from tests.conformance.budgets import BUDGET

DATA = faithful.with_(scale=True).load()


class SlideState(State, frozen=True, kw_only=True):
    x: Array  # (d,) where it is
    slope: Array  # (d,) what was found by the last look
    trace: Annotated[Any, Along("n")] = ()
    nearest: Annotated[int, Row] = -1


def slide(
    data: Dataset,
    state: SlideState | None = None,
    *,
    eta: Annotated[float, Meta(gt=0, le=1, description="step size")] = 0.25,
    noise: Annotated[float, Meta(ge=0, le=1, description="how far a look may be off")] = 0.0,
    start: Annotated[Literal["corner", "row"], Meta(description="where it begins")] = "corner",
    laps: Annotated[int, Meta(ge=1, le=1000, description="iterations before it ends")] = 20,
    seed: Annotated[int, Meta(ge=0, le=1000, description="of the noise")] = 0,
) -> Run[SlideState]:
    """Walks to the mean of the rows."""
    mean = data.X.mean(axis=0)
    if state is None:
        x = data.X.max(axis=0) if start == "corner" else data.X[0].copy()
        state = SlideState(x=x, slope=np.zeros(data.d))
        yield state
    while state.iteration < laps or state.phase == "look":
        if state.phase != "look":
            off = noise * np.random.default_rng((seed, state.iteration)).uniform(-0.5, 0.5, data.d)
            state = state.after("look", slope=(state.x - mean) * (1 + off), iteration=state.iteration + 1)
            yield state
        state = state.after("move", x=state.x - eta * state.slope)
        yield state
    return f"{laps} laps"


def height(problem: Problem, state: SlideState) -> float:
    return float(((problem.data.X - state.x) ** 2).sum(axis=1).mean())


def falls(problem: Problem, before: SlideState, after: SlideState) -> Sides:
    return Sides(("f(x')", height(problem, after)), ("f(x)", height(problem, before)))


def against_slope(problem: Problem, before: SlideState, after: SlideState) -> Sides | None:
    if after.phase != "move" or problem.parameters.noise:
        return None
    mean = problem.data.X.mean(axis=0)
    moved = float(np.linalg.norm(after.x - before.x))
    rounding = 1e-12 * float(np.linalg.norm(before.x) + np.linalg.norm(mean))
    slope = problem.parameters.eta * float(np.linalg.norm(before.x - mean))
    return Sides(("‖x' - x‖", moved), ("η‖x - mean‖", slope), relation="==", slack=rounding)


def scene(problem: Problem, before: SlideState | None, after: SlideState) -> Scene:
    rows = Points(at=problem.data.X)
    here = Points(at=after.x[None], rows=False, tone="accent")
    table = Table(columns=("feature", "x"), rows=tuple(zip(problem.data.features, after.x.tolist())))
    return Scene(
        (
            Panel(title="rows", space="data", marks=(rows, Trail(where=lambda s: s.x[None], name="path"), here)),
            Panel(title="numbers", marks=(table,)),
        )
    )


def explain(problem: Problem, before: SlideState | None, after: SlideState) -> str:
    return f"The mean squared distance to the rows is {height(problem, after):.3f}."


def laps_made(problem: Problem, state: SlideState) -> bool | Sides:
    made = Sides(("laps", problem.parameters.laps), ("moves", state.iteration))
    return state.phase == "move" and made


PROOF = ("f(x - η (x - mean)) - f(mean) = (1 - η)² (f(x) - f(mean))",)


def declared(run: Callable[..., Any] = slide, **changes: Any) -> Algorithm:
    given: dict[str, Any] = {
        "title": "Slide",
        "point": "A dot walks to the middle of the rows.",
        "summary": "Walks to the mean of the rows.",
        "rule": "x <- x - η (x - mean)",
        "needs": Needs(),
        "phases": {"start": "a corner of the rows", "look": "which way is down", "move": "a step that way"},
        "fork_after": ("start", "move"),
        "events": ("move",),
        "start_only": ("start",),
        "curves": (Curve("f", height, "1/n Σ ‖x_i - x‖²"),),
        "theorems": (
            Theorem("f never rises", falls, "Cauchy (1847)", "step", proof=PROOF),
            Theorem("a move is η times the way to the mean", against_slope, "Cauchy (1847)", "step", proof=PROOF),
        ),
        "scene": scene,
        "explain": explain,
        "datasets": (faithful,),
        "references": ("Cauchy (1847), Comptes Rendus 25",),
        "objective": {("f",): ()},
        "ends": {"… laps": laps_made},
        "symbols": {
            "η": ("the step size", lambda problem, state: problem.parameters.eta),
            "x, f": ("where it is", None),
        },
    }
    return Algorithm(run, **given | changes)


# Mutants of the generator


def like_slide(mutant: Callable[..., Any]) -> Callable[..., Any]:
    """The mutant with the parameters of the original."""
    name = mutant.__name__
    update_wrapper(mutant, slide)
    mutant.__name__ = name
    return mutant


@like_slide
def hides_a_variable(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """Its velocity lives in the generator."""
    velocity = np.zeros(data.d)
    for later in slide(data, state, **given):
        if later.phase == "move":
            velocity = 0.9 * velocity + 0.1 * later.slope
            yield replace(later, x=later.x - 1e-3 * velocity)
        else:
            yield later
    return "done"


@like_slide
def hides_its_orders(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """Draws from a generator of random numbers that it makes at its start."""
    rng = np.random.default_rng(0)
    for later in slide(data, state, **given):
        yield replace(later, slope=rng.random(data.d)) if later.iteration > 4 else later
    return "done"


@like_slide
def forgets_how_it_ended(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    yield from slide(data, state, **given)
    return "resumed" if state is not None else "from the start"


@like_slide
def skips_a_state_when_resumed(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    run = slide(data, state, **given)
    if state is not None and state.phase == "move":
        next(run, None)
    yield from run
    return "done"


@like_slide
def writes_into_its_array(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield later
        if later.t == 5:
            later.x.setflags(write=True)
            later.x[0] += 1e-9
            later.x.setflags(write=False)
    return "done"


@like_slide
def keeps_a_way_in(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """The array that it yields is its own, but a view made before can still be written to."""
    total = np.zeros(data.d)
    inside = total[:]
    for later in slide(data, state, **given):
        inside += later.x
        yield replace(later, slope=total)
    return "done"


class Box(Struct, frozen=True):
    inside: Array


@like_slide
def unlocks_an_array_in_a_struct(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        changed = replace(later, trace=(Box(np.zeros(2)),))
        changed.trace[0].inside.setflags(write=True)
        yield changed
    return "done"


@dataclass(frozen=True)
class Bag:
    inside: Array


@like_slide
def hides_an_array_in_a_class(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, trace=(Bag(np.zeros(2)),))
    return "done"


@like_slide
def holds_a_list(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, trace=[later.t])
    return "done"


@like_slide
def changes_the_data(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        data.X.setflags(write=True)
        data.X[-1, -1] += 1e-9
        data.X.setflags(write=False)
        yield later
    return "done"


@like_slide
def counts_from_one(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, t=later.t + 1)
    return "done"


@like_slide
def stops_early(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        if later.iteration > 7:
            break
        yield later
    return "20 laps"


@like_slide
def stands_still(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, t=later.t // 2)
    return "done"


@like_slide
def goes_back(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, iteration=-later.iteration)
    return "done"


@like_slide
def names_a_phase_of_its_own(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, phase="rest") if later.t == 7 else later
    return "done"


def says_not_why(data: Dataset, state: SlideState | None = None, *, laps: int = 20) -> Any:
    mean = data.X.mean(axis=0)
    state = state or SlideState(x=mean, slope=mean)
    yield state


def yields_numbers(data: Dataset, state: Any = None, *, laps: int = 20) -> Any:
    yield from range(laps)
    return "done"


@like_slide
def yields_all_at_one_place(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    yield from slide(data, state, **given)
    return "done"


@like_slide
def draws_from_all_the_world(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, slope=np.random.rand(data.d)) if later.t > 9 else later
    return "done"


@like_slide
def draws_unseeded(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, slope=np.random.default_rng().random(data.d)) if later.t > 9 else later
    return "done"


@like_slide
def draws_and_drops(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """Nothing comes of its draw, but whoever else draws gets other numbers."""
    for later in slide(data, state, **given):
        random.random()
        yield later
    return "done"


@like_slide
def climbs(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    yield from slide(data, state, **given | {"eta": -0.25})
    return "done"


@like_slide
def climbs_late(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given | {"laps": 1000}):
        yield replace(later, x=later.x + 1.0) if later.t > 1500 and later.phase == "move" else later
    return "done"


@like_slide
def fails_late(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given | {"laps": 1000}):
        if later.t == 1500:
            raise ZeroDivisionError
        yield later
    return "done"


def overflows(
    data: Dataset,
    state: SlideState | None = None,
    *,
    eta: Annotated[float, Meta(gt=0, le=1e9, description="step size")] = 0.25,
    noise: Annotated[float, Meta(ge=0, le=1, description="none")] = 0.0,
) -> Run[SlideState]:
    yield from slide(data, state, eta=eta, noise=noise, laps=1000)
    return "done"


def lacks_a_bound(
    data: Dataset, state: SlideState | None = None, *, eta: Annotated[float, Meta(gt=0, description="step")] = 0.25
) -> Run[SlideState]:
    yield from slide(data, state, eta=eta)
    return "done"


def lacks_help(
    data: Dataset, state: SlideState | None = None, *, eta: Annotated[float, Meta(gt=0, le=1)] = 0.25
) -> Run[SlideState]:
    yield from slide(data, state, eta=eta)
    return "done"


# Mutants of what is declared


def height_of_nothing(problem: Problem, state: SlideState) -> float:
    return float("inf") if state.t == 5 else 1.0


def height_that_raises(problem: Problem, state: SlideState) -> float:
    return 1 / (state.t - 5)


def event_that_raises(before: SlideState, after: SlideState) -> bool:
    return bool(before.t % 2)  # there is none before the first


def at_mean(problem: Problem, state: SlideState) -> Sides:
    return Sides.each(("x", state.x), ("mean", problem.data.X.mean(axis=0)), relation="==")


def takes_its_time(problem: Problem, before: Any, after: Any) -> None:
    began = process_time()
    while process_time() - began <= BUDGET:
        pass


def no_sides(problem: Problem, before: Any, after: Any) -> None:
    return None


def shown(*marks: Mark, title: str = "rows", **panel: Any) -> Any:
    """A scene of these marks, however it stands with the state."""
    return lambda problem, before, after: Scene((Panel(title=title, marks=marks, **panel),))


class Blob(Mark, frozen=True, kw_only=True):
    """A mark that no one can paint."""


def scene_with_nan_late(problem: Problem, before: Any, after: SlideState) -> Scene:
    x = after.x * (np.nan if after.t == 40 else 1.0)
    return Scene((Panel(title="rows", space="data", marks=(Points(at=x[None]),)),))


def scene_that_needs_a_step_before(problem: Problem, before: SlideState, after: SlideState) -> Scene:
    if after.t == 0:
        return scene(problem, None, after)
    return Scene((Panel(title="rows", space="data", marks=(Points(at=(after.x - before.x)[None]),)),))


def explain_that_raises(problem: Problem, before: SlideState, after: SlideState) -> str:
    return f"It was at {before.x}." if after.t else "It begins."


# Mutants of what follows an edit, and of what can be dragged


@like_slide
def marks_rows(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """Marks the rows to the right of it."""
    for later in slide(data, state, **given):
        yield replace(later, trace=data.X[:, 0] > later.x[0])
    return "done"


def marked(problem: Problem, before: SlideState | None, after: SlideState) -> Sides:
    right = (problem.data.X[:, 0] > after.x[0]).sum()
    return Sides(("marked", after.trace.sum()), ("to the right", right), relation="==")


def marked_anew(before: Problem, after: Problem, state: SlideState, rows: Array) -> SlideState:
    return state.replaced(trace=after.data.X[:, 0] > state.x[0])


def marking(adapt: Callable[..., Any]) -> Algorithm:
    return declared(marks_rows, adapt=adapt, theorems=(Theorem("marked right", marked, "Cauchy (1847)", proof=PROOF),))


def dragging(moved: Callable[..., Any], at: Any = ((0.0, 0.0),)) -> Algorithm:
    return declared(scene=shown(Points(at=TWO), DragHandles(at=np.array(at), moved=moved, names=("x",))))


# Mutants of what a file says of itself, and of what it keeps


_seen: list[Dataset] = []


def height_that_keeps_the_data(problem: Problem, state: SlideState) -> float:
    if problem.data not in _seen:
        _seen.append(problem.data)
    return height(problem, state)


@like_slide
def measures_rows(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """Notes how far the first row is from the origin when it begins."""
    noted = data.X[0] if state is None else state.slope
    for later in slide(data, state, **given):
        yield replace(later, slope=noted)
    return "done"


@like_slide
def has_rows_by_chance(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, trace=np.zeros(272))
    return "done"


@like_slide
def names_a_row_too_many(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    """Counts rows from 1."""
    for later in slide(data, state, **given):
        yield replace(later, nearest=data.n)
    return "done"


@like_slide
def has_a_row_too_many(data: Dataset, state: SlideState | None = None, **given: Any) -> Run[SlideState]:
    for later in slide(data, state, **given):
        yield replace(later, trace=np.zeros(data.n + 1))
    return "done"


def keep(before: Problem, after: Problem, state: SlideState, rows: Array) -> SlideState:
    return state


def give_up(before: Problem, after: Problem, state: SlideState, rows: Array) -> FromStart:
    return FromStart("nothing of it would stay true")


def cannot_fail(problem: Problem, before: SlideState | None, after: SlideState) -> Sides:
    return Sides(("0", 0.0), ("f", height(problem, after)))


def refuse_in_code(problem: Problem) -> str | None:
    return "E42" if problem.parameters.laps == 1000 else None


TWO = np.zeros((2, 2))
NAN = np.full((1, 2), np.nan)

MUTANTS: list[tuple[str, Algorithm, str]] = [
    # the check that catches it, the mutant, words of the complaint
    ("resumes", declared(hides_a_variable), "x differs by"),
    ("resumes", declared(hides_its_orders), "resumed from a copy of state 9 (look), state 10 (move): x differs"),
    ("resumes", declared(forgets_how_it_ended), "ended with 'resumed' instead of 'from the start'"),
    ("resumes", declared(skips_a_state_when_resumed), "resumed from a copy of state 2"),
    ("timeline", declared(hides_a_variable), "given back: state 39 (look): x differs by"),
    ("arrays", declared(writes_into_its_array), "state 4 (move) was changed after it was yielded"),
    ("arrays", declared(keeps_a_way_in), "was changed after it was yielded"),
    ("arrays", declared(unlocks_an_array_in_a_struct), "trace[0].inside can be written to"),
    ("arrays", declared(hides_an_array_in_a_class), "trace[0] is a Bag, which can change"),
    ("arrays", declared(holds_a_list), "trace is a list, which can change"),
    ("arrays", declared(changes_the_data), "the run changed the data"),
    ("counts", declared(counts_from_one), "the state after 0 others has t = 1"),
    ("counts", declared(stands_still), "the state after 1 others has t = 0"),
    ("counts", declared(goes_back), "iteration -1 comes after 0"),
    ("counts", declared(names_a_phase_of_its_own), "the declaration has no such phase"),
    ("counts", declared(says_not_why, start_only=()), "must return in words why it stopped"),
    ("counts", declared(yields_numbers, start_only=()), "it must yield states"),
    ("counts", declared(yields_all_at_one_place), "yields both 'start' and 'look'"),
    ("repeats", declared(draws_from_all_the_world), "in a second run with the same arguments, state 10 (move): slope"),
    ("repeats", declared(draws_unseeded), "in a second run with the same arguments, state 10 (move): slope"),
    ("repeats", declared(draws_and_drops), "draws from the global random numbers"),
    ("theorems", declared(climbs), "'f never rises' fails"),
    ("long_run", declared(climbs_late), "'f never rises' fails"),
    ("long_run", declared(fails_late), "ZeroDivisionError"),
    ("edges", declared(overflows, start_only=()), "eta = 1000000000.0"),
    ("edges", declared(validate=refuse_in_code), "is refused with 'E42', which is no sentence"),
    ("only_for", declared(only_for={"eta": ("start", "corner")}), "eta changes the run with start = row"),
    ("parameters", declared(lacks_a_bound, start_only=()), "eta lacks a bound: 0 < eta"),
    ("parameters", declared(lacks_help, start_only=()), "eta has no description"),
    ("edits", declared(fork_after=("start", "look")), "(look) with a row moved, state 2 (move), 'a move is η times"),
    ("forks", declared(explain=explain_that_raises), "NoneType"),
    ("forks", declared(start_only=()), "start = 'row' makes another run from the start, but changes nothing in a fork"),
    ("edits", marking(lambda before, after, state, rows: state), "trace is (272,) for 273 rows"),
    ("edits", marking(lambda b, a, state, rows: state.replaced(trace=state.trace[rows])), "'marked right' fails"),
    ("edits", marking(lambda b, a, state, rows: state.replaced(trace=state.trace[rows])), "or it is about='run'"),
    ("edits", marking(lambda b, a, state, rows: state.replaced(trace=state.trace[rows + 1])), "raises IndexError"),
    ("edits", marking(lambda before, after, state, rows: state.after("move")), "a state of another moment"),
    ("edits", dragging(lambda state, i, to: state.after("move", x=to)), "x dragged gives a state of another moment"),
    ("edits", dragging(lambda state, i, to: state), "x dragged changes nothing"),
    ("edits", dragging(lambda state, i, to: state.replaced(x=to), NAN), "a grip is not finite"),
    ("edits", dragging(lambda state, i, to: state.replaced(x=to), ((0.0,),)), "the grips are (1, 1) in 2 dimensions"),
    ("edits", dragging(lambda state, i, to: state.replaced(slope=to[:1])), "slope of step 0 has shape (2,)"),
    ("scenes", dragging(lambda state, i, to: state, ((0.0, 0.0), (1.0, 1.0))), "1 names for 2 grips"),
    ("curves", declared(curves=(Curve("f", height_of_nothing),)), "the curve 'f' is inf; it cannot be drawn"),
    ("curves", declared(curves=(Curve("f", height, phases=("moves",)),)), "names the phase 'moves'; there is none"),
    ("timeline", declared(curves=(Curve("f", height_that_raises),)), "the curve f: ZeroDivisionError"),
    ("timeline", declared(events=(Event("odd", event_that_raises),)), "the event odd: AttributeError"),
    ("objective", declared(objective=None), "it does not say which curves measure its objective"),
    ("objective", declared(objective={("f",): ("eta",)}), "measure the same with another eta"),
    ("objective", declared(objective={("g",): ()}), "one of them is no curve"),
    ("theorems_apply", declared(theorems=(Theorem("never", no_sides, "No one (1900)"),)), "never applies: ['never']"),
    ("theorems_speak", declared(theorems=(Theorem("never", no_sides, "No one (1900)"),)), "that opens: ['never']"),
    (
        "first_theorem",
        declared(theorems=(Theorem("x' = x - ηg", falls, "Cauchy (1847)", proof=("that is the rule",)),)),
        "comes first, and is the rule",
    ),
    ("curves_defined", declared(curves=(Curve("f", lambda p, s: np.nan),)), "never a number: ['f']"),
    ("phases_come", declared(events=(Event("never", lambda b, a: False),)), "never comes: ['never']"),
    (
        "scenes",
        declared(scene=scene_with_nan_late),
        "state 40 (move) with no step before it, panel 'rows': Points.at is not finite",
    ),
    ("scenes", declared(scene=scene_that_needs_a_step_before), "NoneType"),
    ("scenes", declared(scene=shown(Blob())), "TypeError: Blob is not a mark that can be shown"),
    ("scenes", declared(scene=shown(Points(at=NAN))), "Points.at is not finite"),
    ("scenes", declared(scene=shown(Points(at=TWO, classes=np.zeros(3, int)))), "Points.classes is (3,) for 2 points"),
    ("scenes", declared(scene=shown(Segments(start=TWO, end=TWO))), "no Segments has a name for the legend"),
    ("scenes", declared(scene=shown(Points(at=TWO, tone="blue"))), "there is no tone 'blue'"),  # type: ignore[arg-type]
    ("scenes", declared(scene=shown(Points(at=TWO), title="a" * 41)), "its title is 41 columns wide"),
    ("scenes", declared(scene=shown(Bars(heights=np.ones(2), edges=np.ones(2)))), "2 bars need 3 edges"),
    ("scenes", declared(scene=shown(Table(columns=("a",), rows=((1, 2),)))), "a row of 2 cells under 1 columns"),
    ("scenes", declared(scene=shown(Table(columns=("a",), rows=((np.nan,),)))), "a cell is nan"),
    ("scenes", declared(scene=shown(Points(at=TWO), Table(columns=("a",), rows=()))), "among other marks"),
    ("scenes", declared(scene=lambda problem, before, after: Scene(())), "the scene has no panel"),
    (
        "scenes",
        declared(scene=shown(Points(at=DATA.X)), explain=lambda problem, before, after: "Row 3 moves."),
        "no mark shows row 3",
    ),
    ("scenes", declared(explain=lambda problem, before, after: "f is nan."), "the explanation says 'f is nan.'"),
    ("scenes", declared(explain=lambda problem, before, after: ""), "the explanation is ''"),
    (
        "scenes",
        declared(explain=lambda problem, before, after: "Toss 0 is heads."),
        "what happens in time is counted from 1",
    ),
    ("scenes", declared(scene=shown(Table(columns=("fold 0",), rows=()))), "what happens in time is counted from 1"),
    ("colours", declared(scene=shown(Labels(at=TWO, texts=("f", "x"), tones=(2,)))), "its curve has the tone None"),
    (
        "colours",
        declared(
            scene=lambda problem, before, after: Scene(
                tuple(
                    Panel(title=f"panel {tone}", marks=(Labels(at=TWO, texts=("x", "y"), tones=(tone,)),))
                    for tone in (2, 3)
                )
            )
        ),
        "'x' is {3} in the panel 'panel 3', and {2} in another",
    ),
    (
        "letters_of_proofs",
        declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("so v·v is 0", "for every v")),)),
        "the proof of 'f' does not say what v is",
    ),
    ("notation", declared(rule="x <- X'x"), "a prime transposes"),
    ("notation", declared(rule="½ d'Hd"), "a prime transposes"),
    ("notation", declared(rule="C = xx'/n"), "a prime transposes"),
    ("notation", declared(rule="(x - m)'Σ⁻¹(x - m)"), "a prime transposes"),
    (
        "notation",
        declared(symbols={"η, x": ("all", None), "x, f": ("where it is", None)}),
        "['x'] are explained twice",
    ),
    ("page", declared(rule="x̄ <- x"), "a combining mark (COMBINING MACRON) has no cell of its own"),
    ("page", declared(symbols={}), "no symbol is explained"),
    ("page", declared(symbols={"x, f": ("where it is", None)}), "η is not explained"),
    ("page", declared(symbols={"η, f": ("the step size", None)}), "x is not explained"),
    ("page", declared(symbols={"f": ("where it is", None)}), "x, η are not explained"),
    ("page", declared(symbols={"η, f, x, ℓ": ("loss", None)}), "ℓ (SCRIPT SMALL L) is in few terminal fonts"),
    (
        "page",
        declared(symbols={"η, x, f": ("all", None), "L(x)": ("a sum", None), "L": ("a bound", None)}),
        "['L'] is a",
    ),
    ("page", declared(theorems=(Theorem("f >= 0", cannot_fail, "Cauchy (1847)"),)), "'f >= 0' has no proof"),
    ("page", declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("x" * 91,)),)), "is 91 columns wide"),
    (
        "page",
        declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("y" * 95, "so f falls", "z" * 93)),)),
        f"95 columns wide; 90 fit: '{'y' * 95}'; a line of a proof is 93",
    ),
    ("page", declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("",)),)), "a line of the proof of 'f' is"),
    (
        "page",
        declared(theorems=(Theorem("f", falls, "No one (1900)", proof=("by the theorem before",)),)),
        "'f' names another by its place",
    ),
    ("declaration", declared(in_hall="g falls"), "what is in the hall, 'g falls', is no theorem"),
    (
        "declaration",
        declared(contrast=Contrast("a, and b", curves=("f", "g"), names=("a", "b"))),
        "its contrast names what is no curve",
    ),
    ("symbols", declared(symbols={"x": ("where it is", lambda p, s: np.nan)}), "x is nan; it must be finite or None"),
    ("can_fail", declared(theorems=(Theorem("f >= 0", cannot_fail, "Cauchy (1847)"),)), "nothing breaks ['f >= 0']"),
    ("measured", declared(measures_rows, measured=("slope",), adapt=keep), "was measured on rows that have changed"),
    ("measured", declared(measured=("slopes",)), "names 'slopes'; there is no field"),
    ("lengths", declared(names_a_row_too_many), "nearest is 272, and there are 272 rows"),
    ("lengths", declared(has_a_row_too_many), "trace is (273,) for 272 rows"),
    ("edits", declared(has_rows_by_chance, adapt=keep), "trace is (272,) for 273 rows"),
    ("edits", declared(adapt=give_up), "an `adapt` and nothing is `measured`"),
    ("lets_go", declared(curves=(Curve("f", height_that_keeps_the_data),)), "the data are kept when the run is gone"),
    ("ends", declared(stops_early), "it ends with '20 laps', which is not so: laps 20 ≤ moves 7"),
    ("ends", declared(yields_all_at_one_place), "it returns 'done', which `ends` does not declare"),
    ("ends", declared(ends={"… laps": lambda problem, state: True}), "'20 laps' would not be noticed"),
    ("ends", declared(ends={"… laps": laps_made, "in the middle": at_mean}), "never ends so: ['in the middle']"),
    ("ends", declared(ends={}), "no end is declared"),
    ("budget", declared(theorems=(Theorem("slow", takes_its_time, "No one (1900)"),)), "'slow' takes 1.0 s of 1"),
    ("declaration", declared(references=()), "there are no references"),
    ("declaration", declared(fork_after=("begin",)), "the entry 'begin' is no phase"),
    ("declaration", declared(rule="x" * 61), "a line of the rule is 61 columns wide"),
    ("declaration", declared(rule="y" * 62 + "\n" + "x" * 61), "a line of the rule is 61 columns wide"),
    ("declaration", declared(start_only=("k",)), "'k' is fixed, and no parameter"),
    ("declaration", declared(summary="walks"), "the summary is not a sentence"),
    ("declaration", declared(point="the rows"), "the point is not a sentence"),
    ("declaration", declared(point="It walks." * 11), "the point has 99 characters, more than 90"),
    ("declaration", declared(point="How far η goes."), "the point names η, which no one has met yet"),
    ("declaration", declared(tries=(("", "-p k=2"),)), "'' has 0 characters"),
    ("declaration", declared(tries=(("two", "-p k=2"),)), "'-p k=2' cannot be tried"),
    ("declaration", declared(after=("slid",)), "there is no algorithm 'slid' to be met before it"),
]


def run_check(name: str, algorithm: Algorithm, data: Dataset) -> None:
    check: Any = getattr(conformance, f"check_{name}")
    if check in ON_ITSELF:
        check(algorithm)
    elif check in ON_ALL_DATA:
        check(algorithm, [data])
    else:
        check(algorithm, data)


@pytest.mark.parametrize("check", [*ON_DATA, *ON_ALL_DATA, *ON_ITSELF], ids=lambda check: check.__name__)
def test_the_original_passes(check: Any) -> None:
    run_check(check.__name__.removeprefix("check_"), declared(), DATA)


@pytest.mark.parametrize(
    ("check", "mutant", "words"),
    [pytest.param(*m, id=f"{m[0]}: {m[1].name if m[1].name != 'slide' else m[2][:40]}") for m in MUTANTS],
)
def test_a_mutant_is_caught(check: str, mutant: Algorithm, words: str) -> None:
    data = Dataset(DATA.X.copy(), name="rows")  # a mutant may damage it
    with pytest.raises(Exception) as caught:  # noqa: PT011
        run_check(check, mutant, data)
    said = f"{type(caught.value).__name__}: {caught.value}"
    assert words in said, said


def test_an_adapt_that_follows_and_a_grip_that_can_be_dragged_pass() -> None:
    conformance.check_edits(marking(marked_anew), DATA)
    conformance.check_edits(dragging(lambda state, i, to: state.replaced(x=to)), DATA)


def test_every_check_has_a_mutant() -> None:
    names = {check.__name__.removeprefix("check_") for check in (*ON_DATA, *ON_ALL_DATA, *ON_ITSELF)}
    assert {name for name, _, _ in MUTANTS} == names


def test_a_refusal_of_a_fork_is_in_words() -> None:
    def validate(problem: Problem) -> str | None:
        return None if problem.parameters.eta == 0.25 else "no."

    conformance.check_forks(declared(validate=validate), DATA)
    with pytest.raises(Refused):
        declared(validate=validate).problem(DATA, None, {"eta": 0.5})
