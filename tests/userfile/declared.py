"""A reader's file with a full ALGORITHM, and ways in which each of its functions can misbehave."""

from pathlib import Path

BODY = """
import os
import sys
import time
from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Struct

from algorithms import Algorithm, Dataset, datasets
from algorithms.core import (
    Array, Curve, Event, Labels, Meta, Needs, Panel, Points, Region, Scene, Sides, State, Theorem, Trail,
)


class Piece(Struct, frozen=True):
    name: str
    at: Array


class DriftState(State, frozen=True, kw_only=True):
    w: Array
    pieces: tuple[Piece, ...] = ()


def drift(
    data: Dataset,
    state: DriftState | None = None,
    *,
    eta: Annotated[float, Meta(gt=0, le=10, description="step size")] = 0.25,
    steps: Annotated[int, Meta(ge=1, le=10_000, description="steps")] = 40,
) -> Iterator[DriftState]:
    if state is None:
        # first
        state = DriftState(w=np.ones(data.d), pieces=(Piece("a", np.ones(2)),))
        yield state
    while state.t < steps:
        # step
        w = state.w + eta * (data.X.mean(axis=0) - state.w)
        state = state.after("step", iteration=state.iteration + 1, w=w)
        yield state
    return "enough steps"


def away(problem, state):
    # curve
    return float(((state.w - problem.data.X.mean(axis=0)) ** 2).sum())


def nearer(problem, before, after):
    # theorem
    return Sides(("after", away(problem, after)), ("before", away(problem, before)))


def tenth(before, after):
    # event
    return after.t % 10 == 0


def scene(problem, before, after):
    # scene
    def score(at):
        # score
        return (at - after.w).sum(axis=1)

    marks = (
        Region(score=score), Points(at=problem.data.X, tone="muted"),
        Trail(where=lambda state: state.w[None]), Labels(at=after.w[None], texts=(after.pieces[0].name,)),
    )
    return Scene((Panel(title="the rows", space="data", marks=marks),))


def explain(problem, before, after):
    # explain
    return f"w is at {after.w.round(3)}, {type(after.pieces[0]).__name__}"


def validate(problem):
    return "eta = 3 is not to be had." if problem.parameters.eta == 3 else None


ALGORITHM = Algorithm(
    drift, title="Drift", summary="w drifts to the mean.", rule="w += eta (mean - w)", needs=Needs(),
    phases={"start": "w = 1", "step": "towards the mean"}, events=(Event("tenth", tenth),),
    curves=(Curve("away", away),), theorems=(Theorem("w comes nearer", nearer, source="by hand", about="step"),),
    scene=scene, explain=explain, validate=validate, datasets=(datasets.recipe("faithful", scale=True),),
)
"""


def written(folder: Path, **put: str) -> str:
    """The path of such a file; put={"scene": "1 / 0"} puts a statement at the start of that function."""
    body = BODY
    for place, statement in put.items():
        mark = f"# {place}\n"
        assert mark in body
        body = body.replace(mark, f"{statement}\n")
    path = folder / "drifting.py"
    path.write_text(body)
    return str(path)


def line_of(path: str, text: str) -> int:
    """The number of the line in which something stands."""
    lines = Path(path).read_text().splitlines()
    return next(i for i, line in enumerate(lines, start=1) if text in line)
