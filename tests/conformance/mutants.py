"""What an algorithm may do wrong: mutants of the one that walks to the mean, each for the check that catches it."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from time import process_time
from typing import Annotated, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms import Algorithm, Dataset
from algorithms.conformance.budgets import BUDGET
from algorithms.core import (
    Array,
    DragHandles,
    FromStart,
    Meta,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Sides,
    Theorem,
)
from algorithms.core.scene import Mark
from tests.conformance.slide import PROOF, SlideState, declared, height, scene, slide

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
