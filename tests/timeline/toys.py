"""Small algorithms for tests of the timeline: one that keeps its word, and ways of not doing so."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import numpy as np

from algorithms import Algorithm, Dataset
from algorithms.core import Array, Curve, Event, Meta, Needs, Panel, Points, Problem, Run, Scene, Sides, State, Theorem

DATA = Dataset(np.array([[1.0, 0.25], [-0.5, 2.0], [0.125, -1.0]]), name="three rows")
MOVED = Dataset(DATA.X + 0.5, name="three rows, moved")


class OrbitState(State, frozen=True, kw_only=True):
    x: Array  # (2,) where it is
    seen: tuple[Array, ...] = ()  # the places at which laps ended
    row: int = -1  # the row last added
    jumps: int = 0


def orbit(
    data: Dataset,
    state: OrbitState | None = None,
    *,
    pull: Annotated[float, Meta(gt=0, lt=1, description="how much of x stays at a row")] = 0.9,
    limit: Annotated[float, Meta(ge=0.5, le=100, description="the length at which it jumps back")] = 3.0,
    laps: Annotated[int, Meta(ge=1, le=1_000_000, description="laps before it ends")] = 1_000_000,
    size: Annotated[int, Meta(ge=2, le=50_000, description="length of x")] = 2,
) -> Run[OrbitState]:
    """x wanders from row to row; every lap ends with a place noted, and what is too long jumps."""
    n = data.n
    if state is None:
        state = OrbitState(x=np.zeros(size))
        yield state
    while state.iteration < laps:
        while state.row < n - 1:
            x = pull * state.x
            x[:2] += data.X[state.row + 1]
            if np.abs(x).sum() > limit:
                state = state.after("jump", x=-0.5 * x, row=state.row + 1, jumps=state.jumps + 1)
                yield state
            else:
                state = state.after("drift", x=x, row=state.row + 1)
                yield state
        state = state.after("lap", row=-1, iteration=state.iteration + 1, seen=(*state.seen, state.x)[-3:])
        yield state
    return f"{laps} laps"


def length(problem: Problem, state: OrbitState) -> float:
    return float(np.abs(state.x).sum())


def bounded(problem: Problem, before: OrbitState | None, after: OrbitState) -> Sides:
    return Sides(("‖x‖", length(problem, after)), ("limit", problem.parameters.limit))


def counted(problem: Problem, before: OrbitState, after: OrbitState) -> Sides:
    return Sides(("t", before.t + 1), ("t", after.t), relation="==")


def whole(problem: Problem, before: OrbitState | None, after: OrbitState) -> Sides:
    return Sides(("jumps", after.jumps), ("t", after.t))


def turned(before: OrbitState | None, after: OrbitState) -> bool:
    return before is not None and bool(before.x[0] * after.x[0] < 0)


def scene(problem: Problem, before: OrbitState | None, after: OrbitState) -> Scene:
    return Scene((Panel(title="rows", space="data", marks=(Points(at=problem.data.X),)),))


def explain(problem: Problem, before: OrbitState | None, after: OrbitState) -> str:
    return f"x has the length {length(problem, after):.2f}."


def declared(run: Callable[..., Any], **changes: Any) -> Algorithm:
    """The declaration of a variant of `orbit`."""
    given: dict[str, Any] = {
        "title": "Orbit",
        "summary": "Wanders.",
        "rule": "x <- pull x + row",
        "needs": Needs(),
        "phases": {"start": "x = 0", "drift": "a row added", "jump": "too long", "lap": "a place noted"},
        "fork_after": ("start", "lap"),
        "events": ("jump", Event("x turned", turned)),
        "start_only": ("size",),
        "curves": (Curve("length", length), Curve("laps", lambda p, s: s.iteration, phases=("lap",))),
        "theorems": (
            Theorem("x stays within the limit", bounded, "made up"),
            Theorem("t counts", counted, "made up", "step"),
            Theorem("jumps are steps", whole, "made up", "run"),
        ),
        "scene": scene,
        "explain": explain,
        "datasets": (),
    }
    return Algorithm(run, **given | changes)


ORBIT = declared(orbit)
PHASED = declared(orbit, events=("jump",))


def forgetful(data: Dataset, state: OrbitState | None = None, *, laps: int = 50) -> Run[OrbitState]:
    """Keeps its step size to itself."""
    step = 1.0
    if state is None:
        state = OrbitState(x=np.zeros(2))
        yield state
    while state.iteration < laps:
        step *= 0.9
        state = state.after("drift", x=state.x + step, iteration=state.iteration + 1)
        yield state
    return "done"


def unresumable(data: Dataset, *, laps: int = 50) -> Iterator[OrbitState]:
    """Takes no state."""
    return forgetful(data, None, laps=laps)


def brittle(data: Dataset, state: OrbitState | None = None, *, laps: int = 7) -> Run[OrbitState]:
    """Raises at step `laps`."""
    if state is None:
        state = OrbitState(x=np.ones(2))
        yield state
    while True:
        if state.t == laps - 1:
            raise ZeroDivisionError("the seventh step")
        state = state.after("drift", x=state.x / 2)
        yield state
