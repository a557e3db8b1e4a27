"""Marks of a reader's file in a process of its own: they arrive whole, what they ask is asked there, and once."""

from pathlib import Path

import pytest

from algorithms import Timeline, load
from algorithms.core import Matrix
from algorithms.core.grids import Grids
from algorithms.core.plane import Plane, planes
from algorithms.core.resolve import Faded, History, Levels, ResolvedPanel, Tint, View, resolve

_FILE = '''
"""Walk: w goes on by one a step."""

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Struct

from algorithms import datasets
from algorithms.core import (
    Algorithm, Array, Band, Contours, Cursor, Curve, Dataset, ErrorBars, GhostTrail, Matrix, Meta, Needs, Panel, Paths,
    Points, Region, Scene, Sides, State, Theorem, columns, numbers,
)


class Piece(Struct, frozen=True):
    name: str
    at: Array


class WalkState(State, frozen=True, kw_only=True):
    w: Array
    pieces: tuple[Piece, ...] = ()


def walk(
    data: Dataset,
    state: WalkState | None = None,
    *,
    steps: Annotated[int, Meta(ge=1, le=100, description="steps")] = 8,
) -> Iterator[WalkState]:
    if state is None:
        state = WalkState(w=np.zeros(data.d))
        yield state
    while state.t < steps:
        piece = Piece(f"piece{state.t}", np.full(2, float(state.t)))
        state = state.after("step", iteration=state.iteration + 1, w=state.w + 1, pieces=(*state.pieces, piece))
        yield state
    return "enough steps"


def size(problem, state):
    return float(state.w.sum())


def grows(problem, before, after):
    return Sides(("before", size(problem, before)), ("after", size(problem, after)))


class Asked:
    def __init__(self, part):
        self.part = part

    def __call__(self, at):
        with open("ASKED", "a") as file:
            file.write(self.part.name + " ")
        return at @ self.part.at


def scene(problem, before, after):
    x = np.linspace(0.0, 1.0, 5)
    return Scene((
        Panel(title="stage", space="data", marks=(
            Region(terms=tuple((part, Asked(part)) for part in after.pieces)),
            GhostTrail(mark=lambda s: Points(at=s.w[None]), among=lambda past, now: past.t % 2 == now.t % 2),
            Points(at=problem.data.X, names=("rows",)),
        )),
        Panel(title="soft", space="data", marks=(
            Region(score=lambda at: np.stack([at[:, 0] > 0, at[:, 0] <= 0], axis=1) * 1.0, mixed=True),
        )),
        Panel(title="axis", log="x", axes=("x", "y"), limits=((0.1, 2.0), (-1.0, 2.0)), marks=(
            Paths(at=np.ones((2, 5, 2)), strength=np.ones(2), name="fits"),
            Band(x=x, lower=x, upper=x + 1), ErrorBars(at=np.ones((1, 2)), lower=x[:1], upper=x[4:]), Cursor(x=0.5),
        )),
        Panel(title="heights", marks=(Contours(height=lambda at: at[:, 0]),), limits=((0.0, 1.0), (0.0, 1.0))),
        Panel(title="matrix", marks=(
            Matrix(values=np.eye(2), scale=(0.0, 2.0), shape=(3, 3), marked=((1, 1),)),
        )),
        numbers({"t": after.t, "none": np.nan}),
        columns("w", {"feature": problem.data.features, "w": after.w}),
    ))


def explain(problem, before, after):
    return "It goes on."


ALGORITHM = Algorithm(
    walk, title="Walk", summary="w goes on.", rule="w += 1", needs=Needs(), phases={"start": "w = 0", "step": "one on"},
    events=("step",), curves=(Curve("size", size),),
    theorems=(Theorem("w grows", grows, source="by hand", about="step"),),
    scene=scene, explain=explain, datasets=(datasets.recipe("faithful", scale=True),),
)
'''


def run_of(folder: Path) -> tuple[Timeline, Path]:
    asked = folder / "asked.txt"
    path = folder / "walk.py"
    path.write_text(_FILE.replace("ASKED", str(asked)))
    algorithm = load(str(path), apart=True)
    run = Timeline(algorithm, algorithm.datasets[0])
    while not run.stopped:
        run.advance(1_000_000, 0.05)
    return run, asked


def shown(run: Timeline, t: int, grids: Grids, plane: Plane) -> list[ResolvedPanel]:
    frame = run.at(t)
    scene = run.algorithm.scene(run.problem_at(t), frame.before, frame.state)
    past = History([], [run.at(i).state for i in range(t - 1, max(t - 5, -1), -1)], frame.state)
    return [resolve(panel, plane, View(-1.0, 1.0, -1.0, 1.0, 12, 8), past, grids) for panel in scene.panels]


def test_every_mark_arrives_and_what_it_asks_is_answered(tmp_path: Path) -> None:
    run, _ = run_of(tmp_path)
    stage, soft, axis, heights, matrix, facts, table = shown(run, 5, Grids(), planes(run.data)[0])
    tint, lines, *echoes, rows = stage.marks
    assert isinstance(tint, Tint)
    assert isinstance(lines, Levels)
    assert lines.height[0, -1] == pytest.approx(10 * (11 / 12 + 7 / 8))
    assert len(echoes) == 2  # of t = 3 and t = 1
    assert all(isinstance(echo, Faded) for echo in echoes)
    assert rows.names == ("rows",)  # type: ignore[attr-defined]
    assert soft.marks[0].shares.shape == (8, 12, 2)  # type: ignore[attr-defined]
    assert [type(mark).__name__ for mark in axis.marks] == ["Paths", "Band", "ErrorBars", "Cursor"]
    assert axis.log == "x"
    assert isinstance(heights.marks[0], Levels)
    assert len(heights.marks[0].levels) > 5
    assert isinstance(matrix.marks[0], Matrix)
    assert (matrix.marks[0].scale, matrix.marks[0].shape, matrix.marks[0].marked) == ((0.0, 2.0), (3, 3), ((1, 1),))
    assert facts.marks[0].rows == (("t", 5), ("none", None))  # type: ignore[attr-defined]
    assert table.marks[0].columns == ("feature", "w")  # type: ignore[attr-defined]


def test_of_a_vote_only_the_new_part_is_asked_there_although_it_arrives_anew_each_time(tmp_path: Path) -> None:
    run, asked = run_of(tmp_path)
    grids, plane = Grids(), planes(run.data)[0]
    for t in (4, 5, 6, 5, 6):
        shown(run, t, grids, plane)
    assert asked.read_text().split() == [f"piece{i}" for i in range(6)]
