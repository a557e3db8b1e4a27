"""Which leaf a row comes to is the same node by node and level by level."""

import numpy as np
import pytest

from algorithms import Timeline, datasets
from algorithms.toolbox import trees


@pytest.mark.parametrize("leaves", [2, 5, 30])
def test_both_ways_lead_to_the_leaf_at_the_end_of_the_path(leaves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Timeline("decision_tree", datasets.load("moons", n=300), {"max_leaves": leaves}).run()
    tree, X = run[-1].state, np.random.default_rng(0).normal(size=(2000, 2)) * 2
    by_path = [trees.path_of(tree, x)[-1] for x in X]
    for many in (0, 10**9):
        monkeypatch.setattr(trees, "_MANY", many)
        assert trees.leaf_of(tree, X).tolist() == by_path
