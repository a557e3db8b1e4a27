"""Running mean, a full citizen in seventy lines: the mean of the rows seen so far moves towards each new one.

python -m tui demos/running_mean.py --data faithful
python demos/running_mean.py

References: Welford (1962), Note on a method for calculating corrected sums of squares and products, Technometrics 4(3).
"""

import sys
from typing import Annotated

import numpy as np

from algorithms import Algorithm, Timeline, datasets
from algorithms.core import Array, Curve, Labels, Meta, Needs, Panel, Points, Scene, Sides, State, Trail, theorem


class RunningMeanState(State, frozen=True, kw_only=True):
    mean: Array  # (d,)


def running_mean(data, state=None, *, rows: Annotated[int, Meta(ge=1, le=100_000, description="stop after")] = 100):
    if state is None:
        state = RunningMeanState(mean=data.X[0])
        yield state
    while state.t + 1 < min(rows, data.n):  # a state holds all that follows depends on: no hidden variables
        n = state.t + 2
        state = state.after("row", mean=state.mean + (data.X[n - 1] - state.mean) / n)
        yield state
    return f"{state.t + 1} rows are seen"


@theorem(
    "m is the mean of the rows seen",
    source="Welford (1962)",
    about="run",  # and so silent where a fork has moved a row that was seen
    proof=("(n - 1) m + x = n (m + (x - m)/n), so n m' is the sum of the rows if (n - 1) m was",),
)
def exact(problem, before, after):
    seen = problem.data.X[: after.t + 1]
    apart, longest = np.linalg.norm(after.mean - seen.mean(axis=0)), np.linalg.norm(seen, axis=1).max()
    return Sides(("‖m − mean‖", apart), ("1e-12 max‖x‖", 1e-12 * longest))


def all_seen(problem, state):
    return Sides(("asked for", min(problem.parameters.rows, problem.data.n)), ("seen", state.t + 1), relation="==")


def scatter(problem, state):
    return float(np.mean((problem.data.X - state.mean) ** 2))


def scene(problem, before, after):
    row = np.arange(problem.data.n) == after.t
    marks = (
        Points(at=problem.data.X, ringed=row),
        Trail(where=lambda s: s.mean[None], name="path of m"),
        Labels(at=after.mean[None], texts=("m",)),
    )
    return Scene((Panel(title="the mean so far", space="data", marks=marks),))


def explain(problem, before, after):
    return f"Row {after.t} ({problem.data.row(after.t)}) moves the mean 1/{after.t + 1} of the way."


ALGORITHM = Algorithm(
    running_mean,
    title="Running mean",
    point="The mean jumps at first, then hardly moves: each row counts for less.",
    summary="Keeps the mean of a stream without keeping the stream.",
    rule="m ← m + (x - m) / n",
    needs=Needs(),
    phases={"start": "m is row 0", "row": "m moves towards the next row"},
    curves=(Curve("scatter", scatter, "(1/nd) Σ (x - m)²"),),
    theorems=(exact,),
    objective={("scatter",): ()},
    ends={"… rows are seen": all_seen},
    symbols={
        "m": ("mean of the rows seen", None),
        "n": ("rows seen", lambda problem, state: state.t + 1),
        "x": ("the row that comes", None),
    },
    scene=scene,
    explain=explain,
    datasets=(datasets.faithful,),
)

if __name__ == "__main__":
    if sys.stdout.isatty():
        from tui.__main__ import main

        sys.exit(main([__file__]))
    run = Timeline(ALGORITHM, datasets.faithful).run()
    print(f"{len(run)} states; {run.verdicts(run.at(run.last))[0].status}: {run.stopped.reason}")
