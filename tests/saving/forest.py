"""A toy for what is written down: a forest that grows by a tree a step, all trees in a tuple of the state."""

from typing import Annotated

import numpy as np
from msgspec import Struct

from algorithms import Algorithm, Dataset
from algorithms.core import Array, Curve, Meta, Needs, Panel, Points, Run, Scene, State


class Tree(Struct, frozen=True):
    """Nodes in order: what each asks, and what it says."""

    feature: Array
    threshold: Array
    value: Array
    depth: int = 3


class ForestState(State, frozen=True, kw_only=True):
    trees: tuple[Tree, ...] = ()
    newest: Tree | None = None
    path: tuple[Array, ...] = ()


def forest(
    data: Dataset,
    state: ForestState | None = None,
    *,
    trees: Annotated[int, Meta(ge=1, le=10_000, description="trees")] = 20,
    nodes: Annotated[int, Meta(ge=1, le=1_000, description="nodes of a tree")] = 30,
) -> Run[ForestState]:
    if state is None:
        state = ForestState()
        yield state
    while len(state.trees) < trees:
        rng = np.random.default_rng(len(state.trees))
        tree = Tree(rng.integers(0, 9, nodes), rng.normal(size=nodes), rng.normal(size=nodes))
        path = (*state.path, tree.value[:2])
        state = state.after("grow", iteration=state.iteration + 1, trees=(*state.trees, tree), newest=tree, path=path)
        yield state
    return f"{trees} trees"


class Rows:
    """Two rows, as a recipe gives them."""

    name = "two rows"

    def load(self) -> Dataset:
        return Dataset(np.array([[0.0, 1.0], [1.0, 2.0]]), name="two rows")


FOREST = Algorithm(
    forest,
    title="Forest",
    summary="Grows.",
    rule="one more tree",
    needs=Needs(),
    phases={"start": "no tree", "grow": "one more"},
    curves=(Curve("trees", lambda problem, state: len(state.trees)),),
    theorems=(),
    scene=lambda problem, before, after: Scene((Panel(title="rows", marks=(Points(at=problem.data.X),)),)),
    explain=lambda problem, before, after: f"{len(after.trees)} trees",
    datasets=(Rows(),),
)
