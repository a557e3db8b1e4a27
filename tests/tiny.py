"""A tiny algorithm for tests: gradient descent on x², a state a step, with everything an algorithm can declare."""

from typing import Annotated, Any

import numpy as np

from algorithms import Algorithm, Dataset
from algorithms.core import (
    Array,
    Curve,
    Event,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Table,
    Theorem,
    Trail,
)


class TinyState(State, frozen=True, kw_only=True):
    x: Array  # (1,)


def tiny(
    data: Dataset,
    state: TinyState | None = None,
    *,
    eta: Annotated[float, Meta(gt=0, le=2, description="step size")] = 0.1,
    steps: Annotated[int, Meta(ge=1, le=100_000, description="steps before it ends")] = 30,
) -> Run[TinyState]:
    if state is None:
        state = TinyState(x=np.array([4.0]))
        yield state
    while state.t < steps:
        if state.t % 5 == 4:
            state = state.after("kick", x=state.x * (1 - 2 * eta), iteration=state.iteration + 1)
            yield state
        else:
            state = state.after("step", x=state.x * (1 - 2 * eta))
            yield state
    return f"{steps} steps"


def loss(problem: Problem, state: TinyState) -> float:
    return float(state.x[0] ** 2)


def falls(problem: Problem, before: TinyState, after: TinyState) -> Sides:
    return Sides(("f", loss(problem, after)), ("before", loss(problem, before)))


def scene(problem: Problem, before: TinyState | None, after: TinyState) -> Scene:
    def place(state: TinyState) -> Array:
        return np.array([[state.x[0], state.x[0] ** 2]])

    table = Table(columns=("name", "value"), rows=(("x", float(after.x[0])), ("f", loss(problem, after))))
    return Scene(
        (
            Panel(
                title="f(x) = x²",
                marks=(
                    Points(at=problem.data.X, rows=True),
                    Trail(where=place, name="path"),
                    Points(at=place(after), rows=False),
                ),
                axes=("x", "f"),
                limits=((-5.0, 5.0), (-1.0, 17.0)),
            ),
            Panel(title="numbers", marks=(table,)),
        )
    )


def explain(problem: Problem, before: Any, after: TinyState) -> str:
    return f"x is {after.x[0]:.3f} now."


class Rows:
    """Two rows, as a recipe gives them."""

    name = "two rows"

    def load(self) -> Dataset:
        return Dataset(np.array([[0.0, 1.0], [1.0, 2.0]]), name="two rows")


def kicked(before: TinyState | None, after: TinyState) -> bool:
    return after.phase == "kick"


TINY = Algorithm(
    tiny,
    title="Tiny descent",
    summary="Walks down a parabola.",
    rule="x ← x - η 2x",
    needs=Needs(),
    phases={"start": "x = 4", "step": "a step down", "kick": "every fifth step"},
    events=(Event("a kick", kicked),),
    curves=(Curve("f", loss, "x²"), Curve("log f", loss, "x²", log=True)),
    theorems=(Theorem("f never rises for η <= 1", falls, "Cauchy (1847)", "step"),),
    scene=scene,
    explain=explain,
    datasets=(Rows(),),
    references=("Cauchy (1847)",),
)
