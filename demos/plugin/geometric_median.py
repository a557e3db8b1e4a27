"""The geometric median: the point with the least sum of distances to the rows, which one far row hardly moves.

    x ← (Σ xᵢ/‖xᵢ - x‖) / (Σ 1/‖xᵢ - x‖)

References: Weiszfeld (1937), Sur le point pour lequel la somme des distances de n points donnés est minimum, Tohoku 43.
"""

from typing import Annotated

import numpy as np

from algorithms import datasets
from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Labels,
    Meta,
    Needs,
    Panel,
    Points,
    Scene,
    Sides,
    State,
    Trail,
    theorem,
)


class MedianState(State, frozen=True, kw_only=True):
    x: Array  # (d,)


def geometric_median(
    data, state=None, *, tolerance: Annotated[float, Meta(ge=1e-9, le=1, description="least step")] = 1e-4
):
    if state is None:
        state = MedianState(x=data.X.mean(axis=0))
        yield state
    while np.linalg.norm(pulled(data, state.x) - state.x) > tolerance:
        state = state.after("pull", iteration=state.iteration + 1, x=pulled(data, state.x))
        yield state
    return "a step is at most the tolerance"


def distances(data, x):
    return np.maximum(np.linalg.norm(data.X - x, axis=1), 1e-12)  # x on a row: that row holds it


def pulled(data, x):
    weights = 1 / distances(data, x)
    return weights @ data.X / weights.sum()


def total(problem, state):
    return float(distances(problem.data, state.x).sum())


def small(problem, state):
    step = np.linalg.norm(pulled(problem.data, state.x) - state.x)
    return Sides(("step", float(step)), ("tolerance", problem.parameters.tolerance))


@theorem(
    "D never rises",
    source="Weiszfeld (1937)",
    about="step",
    proof=(
        "with dᵢ = ‖xᵢ - x‖, Q(y) = Σ ‖xᵢ - y‖²/2dᵢ + dᵢ/2 lies over D, and touches it at x",
        "the step goes to the y where Q is least",
    ),
)
def never_rises(problem, before, after):
    return Sides(("D", total(problem, after)), ("D before", total(problem, before)))


def scene(problem, before, after):
    trail = Trail(where=lambda state: state.x[None], name="path of x")
    marks = (Points(at=problem.data.X), trail, Labels(at=after.x[None], texts=("x",)))
    return Scene((Panel(title="rows, and the point near to all", space="data", marks=marks),))


def explain(problem, before, after):
    if before is None:
        return f"x begins at the mean, with D = {total(problem, after):.6g}."
    return (
        f"Near rows pull more: x moves by {np.linalg.norm(after.x - before.x):.3g}, to D = {total(problem, after):.6g}."
    )


ALGORITHM = Algorithm(
    geometric_median,
    title="Geometric median",
    point="From the mean the point walks to the middle of the crowd, away from what is far.",
    summary="Finds the point with the least sum of distances by means with weights.",
    rule="x ← (Σ xᵢ/dᵢ) / (Σ 1/dᵢ)",
    needs=Needs(within=(1e-100, 1e100)),
    phases={"start": "x is the mean", "pull": "x is the mean, near rows counting for more"},
    curves=(Curve("distance", total, "D = Σ dᵢ"),),
    objective={("distance",): ()},
    theorems=(never_rises,),
    ends={"a step is at most the tolerance": small},
    symbols={
        "x": ("the point", None),
        "d": ("distance of a row from it", None),
        "D": ("sum of distances", total),
        "i": ("a row", None),
        "y": ("any point", None),
        "Q": ("parabolas above D", None),
    },
    scene=scene,
    explain=explain,
    datasets=(datasets.faithful, datasets.davis, datasets.blobs),
)
