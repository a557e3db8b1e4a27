"""The original of the mutants: it walks to the mean of the rows in two phases.

"look" for the slope and "move" against it, with a little noise that depends on (seed, iteration).
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np

from algorithms import Algorithm, Dataset
from algorithms.core import (
    Along,
    Array,
    Curve,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Sides,
    State,
    Table,
    Theorem,
    Trail,
)
from algorithms.data import faithful

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
