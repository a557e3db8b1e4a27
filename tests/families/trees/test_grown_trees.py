"""Trees against scikit-learn's, against every question asked one by one, and grown at once as in ensembles."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.tree import DecisionTreeClassifier

from algorithms.core import Dataset
from algorithms.core.dataset import LARGEST
from algorithms.data import breast_cancer, digits, iris, moons, penguins, rings, wine
from algorithms.families.trees.decision_tree.algorithm import NOTHING, total_of, tree_of
from algorithms.toolbox.impurity import impurity, total_impurity
from algorithms.toolbox.questions import columns_of, falls_along, sorted_columns, survey
from algorithms.toolbox.trees import (
    LEAF,
    counts_at_nodes,
    grow,
)
from tests.examples import examples
from tests.families.trees.grown import TREE, gains_one_by_one, leaf_of, made, narrow, splits_of, states_of


def theirs(data, criterion="entropy", max_leaves=20, max_depth=30, min_leaf=1, min_gain=0.0):
    return DecisionTreeClassifier(
        criterion=criterion,
        max_leaf_nodes=max_leaves,
        max_depth=max_depth,
        min_samples_leaf=min_leaf,
        min_impurity_decrease=min_gain,
        random_state=0,
    ).fit(data.X, data.y)


def untied_splits(data, states, criterion="entropy", min_leaf=1, **limits):
    """How many splits come before the first that had an equal rival: another leaf, feature or threshold.

    scikit-learn takes one of these at random, and from there on may grow another tree.
    """
    problem = TREE.problem(data, None, {"criterion": criterion, "min_leaf": min_leaf, **limits})
    for s, state in enumerate(splits_of(states)):
        before = states[state.t - 1]
        leaves = np.flatnonzero(before.left == LEAF)
        at = leaf_of(before, data.X)
        best = []
        for node in leaves[before.feature[leaves] >= 0].tolist():
            rows = np.flatnonzero(at == node)
            for j in range(data.d):
                columns, total = data.once(columns_of), total_of(problem)
                _, falls = falls_along(columns, j, rows, before.counts[node], total, min_leaf)
                best += falls[np.isfinite(falls)].tolist()
        top = max(best)
        if sum(fall > top - 1e-9 for fall in best) > 1:
            return s
    return len(splits_of(states))


def same_splits(tree, state):
    """How many splits from the first are scikit-learn's, in the same order."""
    m = min(len(state.left), tree.node_count)
    for s in range((m - 1) // 2):
        ours = np.flatnonzero(state.left == 2 * s + 1)
        parent = np.flatnonzero(tree.children_left == 2 * s + 1)
        if (
            ours != parent
            or tree.feature[parent] != state.feature[ours]
            or tree.threshold[parent] != state.threshold[ours]
        ):
            return s
    return (m - 1) // 2


COMPARED = [
    (iris.with_(columns=("petal_width_cm", "sepal_width_cm")).load(), {"max_leaves": 20, "min_leaf": 4}),
    (wine.load(), {"max_leaves": 4}),
    (penguins.load(), {"max_leaves": 6}),
    (breast_cancer.load(), {"max_leaves": 6}),
    (digits.with_(sample=700).load(), {"max_leaves": 12}),
    (moons.with_(n=300, noise=0.25).load(), {"max_leaves": 8}),
    (rings.load(), {"max_leaves": 4}),
    (made(), {"max_leaves": 12}),
    (made(n=1500, d=8, k=4, seed=1), {"max_leaves": 40, "min_leaf": 10}),
    (made(n=1500, d=8, k=4, seed=2), {"max_leaves": 60, "max_depth": 4, "min_leaf": 5}),
    (made(n=1500, d=3, k=2, seed=3), {"max_leaves": 1000, "min_gain": 0.004}),
]


@cache
def compared(number, criterion):
    """The data, the states of our tree on them, and how many of its splits have no equal rival."""
    data, limits = narrow(COMPARED[number][0]), COMPARED[number][1]
    states = states_of(data, criterion=criterion, **limits)
    return data, states, untied_splits(data, states, criterion, **limits)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("number", range(len(COMPARED)))
def test_scikit_learn_grows_the_same_tree_in_the_same_order(number, criterion):
    data, states, untied = compared(number, criterion)
    found = theirs(data, criterion, **COMPARED[number][1])
    tree, last = found.tree_, states[-1]
    assert untied >= 2
    assert same_splits(tree, last) >= untied
    if untied < len(splits_of(states)):
        return
    inner = last.left != LEAF
    assert tree.children_left.tolist() == last.left.tolist()
    assert tree.feature[inner].tolist() == last.feature[inner].tolist()
    assert tree.threshold[inner].tolist() == last.threshold[inner].tolist()
    assert tree.n_node_samples.tolist() == last.counts.sum(axis=1).tolist()
    assert tree.value[:, 0] == pytest.approx(last.counts / last.counts.sum(axis=1, keepdims=True), abs=1e-12)
    assert tree.impurity == pytest.approx(impurity(criterion, last.counts.T), abs=1e-12)
    X = np.concatenate([data.X, np.random.default_rng(1).permuted(data.X, axis=0)]).astype(np.float32)
    assert found.apply(X).tolist() == leaf_of(last, X.astype(float)).tolist()
    assert found.predict(X).tolist() == last.counts.argmax(axis=1)[leaf_of(last, X.astype(float))].tolist()


def test_most_of_the_compared_trees_have_no_ties_so_that_all_of_them_is_compared():
    whole = 0
    for number in range(len(COMPARED)):
        _, states, untied = compared(number, "entropy")
        whole += untied == len(splits_of(states))
    assert whole >= 8


def test_the_held_out_error_is_scikit_learns():
    data = breast_cancer.with_(hold_out=0.3).load()
    states = states_of(data, max_leaves=6)
    problem = TREE.problem(data, None, {"max_leaves": 6})
    measure = {curve.name: curve.measure for curve in TREE.curves}
    found = theirs(data, max_leaves=6)
    assert measure["held-out error"](problem, states[-1]) == pytest.approx(
        1 - found.score(data.held_out.X, data.held_out.y)
    )
    assert measure["training error"](problem, states[-1]) == pytest.approx(1 - found.score(data.X, data.y))
    assert np.isnan(measure["held-out error"](TREE.problem(iris.load()), states[-1]))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(2, 30),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from(["entropy", "gini", "error"]),
    st.integers(1, 3),
    st.integers(0, 2**32 - 1),
)
def test_each_look_finds_what_asking_every_question_finds_and_each_split_is_the_best(n, d, k, criterion, least, seed):
    rng = np.random.default_rng(seed)
    data = Dataset(rng.integers(0, 6, (n, d)).astype(float), rng.integers(0, k, n), classes=tuple("abcd"[:k]))
    states = states_of(data, criterion=criterion, min_leaf=least)
    for before, after in zip(states, states[1:]):
        if after.phase == "look":
            rows = np.flatnonzero(leaf_of(after, data.X) == after.node)
            gains = gains_one_by_one(data, rows, criterion, least)
            if not gains:
                assert after.feature[after.node] == NOTHING
                continue
            asked = int(after.feature[after.node]), float(after.threshold[after.node])
            assert gains[asked] == pytest.approx(max(gains.values()), abs=1e-9)
            assert after.gain[after.node] * n / len(rows) == pytest.approx(gains[asked], abs=1e-9)
            columns = data.once(columns_of)
            total = total_of(TREE.problem(data, None, {"criterion": criterion, "min_leaf": least}))
            found = survey(columns, rows, after.counts[after.node], total, least)
            assert found.asked == len(gains)
            assert found.least / len(rows) == pytest.approx(min(gains.values()), abs=1e-9)
        else:
            leaves = np.flatnonzero(before.left == LEAF)
            assert after.gain[after.node] == before.gain[leaves].max()
    counts = counts_at_nodes(tree_of(states[-1]), data.X, data.y)
    assert counts.tolist() == states[-1].counts.tolist()


def test_values_that_are_neighbours_in_double_precision_are_parted_rightly():
    low = 1.0
    high = np.nextafter(low, 2)
    data = Dataset([[low], [high], [low], [high]], [0, 1, 0, 1], classes=("a", "b"))
    assert splits_of(states_of(data))[-1].counts.tolist() == [[2, 2], [2, 0], [0, 2]]
    largest = LARGEST
    wide = Dataset([[-largest], [largest], [5e-324], [0.0]], [0, 1, 0, 1], classes=("a", "b"))
    last = states_of(wide)[-1]
    assert last.counts[last.left == LEAF].min(axis=1).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("limits", [{"max_leaves": 9}, {"max_leaves": 40, "max_depth": 4, "min_leaf": 3}])
def test_a_tree_grown_at_once_is_the_one_grown_step_by_step(criterion, limits):
    data = made(n=300)
    last = states_of(data, criterion=criterion, **limits)[-1]
    grown = grow(data.once(columns_of), np.arange(data.n), total_impurity(criterion, data.n), **limits)
    inner = last.left != LEAF
    assert grown.left.tolist() == last.left.tolist()
    assert grown.feature[inner].tolist() == last.feature[inner].tolist()
    assert grown.threshold[inner].tolist() == last.threshold[inner].tolist()
    assert grown.counts.tolist() == last.counts.tolist()


def test_a_row_that_comes_several_times_counts_as_often():
    """A bootstrap sample, against the same rows written out as data of their own."""
    data = made(n=200)
    rows = np.sort(np.random.default_rng(0).integers(data.n, size=data.n))
    total = total_impurity("entropy", data.n)
    drawn = grow(data.once(columns_of), rows, total, max_leaves=15)
    written = grow(sorted_columns(data.X[rows], data.y[rows], 3), np.arange(data.n), total, max_leaves=15)
    assert drawn.left.tolist() == written.left.tolist()
    assert drawn.counts.tolist() == written.counts.tolist()
    inner = drawn.left != LEAF
    assert drawn.feature[inner].tolist() == written.feature[inner].tolist()
    assert drawn.threshold[inner].tolist() == written.threshold[inner].tolist()
