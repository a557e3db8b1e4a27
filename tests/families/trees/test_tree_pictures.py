"""What the decision tree shows: its nodes, the tint of its leaves, and its questions where they are asked."""

import numpy as np
import pytest

from algorithms import Timeline
from algorithms.core import Paths, Table, Tree
from algorithms.core.plane import features_plane
from algorithms.core.resolve import View, resolve
from algorithms.data import breast_cancer, digits, iris, wine
from algorithms.families.trees.decision_tree.algorithm import tree_of
from algorithms.playback.pictures.limits import limits_around
from algorithms.toolbox import trees
from algorithms.toolbox.trees import LEAF
from tests.families.trees.grown import TREE


def test_the_tree_panel_draws_every_node_below_its_parent():
    data = digits.load()
    run = Timeline(TREE, data, {"max_leaves": 30}).run()
    frame = run.at(run.last)
    panels = {panel.title: panel for panel in TREE.scene(run.problem, frame.before, frame.state).panels}
    (tree,) = panels["the tree"].marks
    assert isinstance(tree, Tree)
    assert len(tree.texts) == len(tree.parents) == 59
    assert all(parent < node for node, parent in enumerate(tree.parents.tolist()))
    assert sum(tone is not None for tone in tree.tones) == 30
    assert tree.marked == (frame.state.node,)
    (table,) = panels["leaves"].marks
    assert isinstance(table, Table)
    assert len(table.rows) == 30
    (features,) = panels["best of each feature"].marks
    assert features.rows[0][2] == max(row[2] for row in features.rows)


def test_the_tint_is_the_vote_of_the_leaf_and_says_how_far_the_slice_can_be_trusted():
    data = iris.load()
    run = Timeline(TREE, data).run()
    state = run.at(run.last).state
    region = TREE.scene(run.problem, None, state).panels[0].marks[0]
    assert region.score(data.X).argmax(axis=1).tolist() == data.y.tolist()
    assert region.check is data.X


def test_of_more_features_than_two_a_question_is_drawn_through_the_leaf_that_it_asks_alone():
    run = Timeline(TREE, iris).run()
    seen = 0
    for state in (run.at(t).state for t in range(1, run.last + 1)):
        panel = TREE.scene(run.problem, None, state).panels[0]
        plane = features_plane(run.data, *panel.features)
        view = limits_around(plane.project(run.data.X))
        shown = resolve(panel, plane, View(view.left, view.right, view.bottom, view.top)).marks
        for line in (mark for mark in shown if isinstance(mark, Paths)):
            assert line.name == "newest question"
            along = line.at[0, 0] + np.linspace(0.01, 0.99, 50)[:, None] * (line.at[0, 1] - line.at[0, 0])
            beside = [along + side * np.array([0.02, 0.02]) for side in (-1, 1)]
            before = tree_of(state.replaced(left=np.where(np.arange(len(state.left)) == state.node, LEAF, state.left)))
            assert {state.node} == set(trees.leaf_of(before, plane.lift(np.concatenate(beside))).tolist())
            seen += 1
    assert seen >= 8


@pytest.mark.parametrize("recipe", [wine.with_(scale=True), breast_cancer, digits], ids=lambda r: r.name)
def test_of_many_features_the_two_that_its_questions_are_about_are_shown(recipe):
    run = Timeline(TREE, recipe).run()
    last = run.at(run.last).state
    shown = TREE.scene(run.problem, None, last).panels[0].features
    inner = last.left != LEAF
    assert set(shown) <= set(last.feature[inner].tolist())
    assert last.feature[0] in shown
    gains = np.bincount(last.feature[inner], last.gain[inner], run.data.d)
    assert gains[list(shown)].sum() >= 0.3 * gains.sum()
