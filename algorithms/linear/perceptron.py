"""Perceptron: correct one mistake at a time until a hyperplane separates the classes."""

from typing import Annotated

import numpy as np

from algorithms.core import *


class PerceptronState(State, frozen=True, kw_only=True):
    w: Array
    row: int = -1
    mistakes: int = 0
    clean: int = 0


def perceptron(
    data: Dataset,
    state: PerceptronState | None = None,
    *,
    eta: Annotated[float, Meta(gt=0, le=100, description="step size")] = 1.0,
    margin: Annotated[float, Meta(ge=0, le=100, description="a row this close still counts as a mistake")] = 0.0,
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes before giving up")] = 100,
) -> Run[PerceptronState]:
    X = np.column_stack([data.X, np.ones(data.n)])
    y = data.signs
    n = len(X)
    if state is None:
        state = PerceptronState(w=np.zeros(X.shape[1]))
        yield state
    while state.clean < n:
        row = (state.row + 1) % n
        epoch = state.iteration + (row == 0)
        if epoch > epochs:
            return f"{epochs} passes without a clean one"
        if y[row] * (X[row] @ state.w) <= margin:
            state = state.after(
                "mistake",
                row=row,
                iteration=epoch,
                mistakes=state.mistakes + 1,
                clean=0,
                w=state.w + eta * y[row] * X[row],
            )
            yield state
        else:
            state = state.after("correct", row=row, iteration=epoch, clean=state.clean + 1)
            yield state
    return "a whole pass without a mistake"


def scene(problem, before, after):
    return Scene(
        (
            Panel(
                title="x",
                space="data",
                marks=(
                    Region(score=lambda x: x @ after.w[:-1] + after.w[-1], check=problem.data.X),
                    Points(at=problem.data.X, classes=problem.data.y),
                    Echo(mark=lambda s: Hyperplane(normal=s.w[:-1], offset=s.w[-1])),
                    Trail(where=lambda s: s.w[None, :-1]),
                ),
            ),
        )
    )


ALGORITHM = Algorithm(
    perceptron,
    title="Perceptron",
    summary="",
    rule="",
    needs=Needs(target="class", classes=2),
    phases={"start": "", "mistake": "", "correct": ""},
    events=("mistake",),
    curves=(Curve("mistakes", lambda p, s: s.mistakes),),
    scene=scene,
    explain=lambda p, b, a: "x",
    starts=(),
)
