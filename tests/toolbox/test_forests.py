"""Trees grown a level at a time, several at once, against trees grown leaf by leaf and against scikit-learn's."""

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.core.state import same
from algorithms.data import iris, moons, wine
from algorithms.families.trees.shared.forests import Growth, grown
from algorithms.toolbox.impurity import total_impurity
from algorithms.toolbox.questions import columns_of, sorted_columns
from algorithms.toolbox.trees import LEAF, grow, leaf_of, leaves_of

DATA = {
    "moons": moons.with_(n=150, noise=0.3).load(),
    "iris": iris.load(),
    "wine": wine.load(),
    "ties": Dataset(
        np.random.default_rng(0).integers(0, 4, (90, 3)).astype(float),
        np.random.default_rng(1).integers(0, 4, 90),
        classes=tuple("abcd"),
    ),
}


def bags(n, trees=3):
    return np.stack([np.bincount(np.random.default_rng(b).integers(n, size=n), minlength=n) for b in range(trees)])


def asked(tree):
    """The questions of a tree, in an order that does not hang on how it grew."""
    inner = tree.left != LEAF
    return sorted(zip(tree.feature[inner].tolist(), tree.threshold[inner].tolist()))


@pytest.mark.parametrize(("max_depth", "min_leaf"), [(100, 1), (3, 1), (100, 5)])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", DATA)
def test_a_tree_is_the_one_that_is_grown_leaf_by_leaf(name, criterion, max_depth, min_leaf):
    data = DATA[name]
    columns, total, weights = columns_of(data), total_impurity(criterion, data.n), bags(data.n)
    growth = Growth(total, data.d, max_depth, min_leaf)
    for tree, weight in zip(grown(columns, weights, growth, [(0, b) for b in range(3)]), weights):
        rows = np.repeat(np.arange(data.n), weight)
        alone = grow(columns, rows, total, max_leaves=10_000, max_depth=max_depth, min_leaf=min_leaf)
        assert asked(tree) == asked(alone)
        assert sorted(tree.counts.tolist()) == sorted(alone.counts.tolist())


@pytest.mark.parametrize("name", DATA)
def test_a_tree_hangs_on_its_own_bag_and_numbers_alone(name):
    data = DATA[name]
    columns, weights = columns_of(data), bags(data.n, 4)
    growth = Growth(total_impurity("gini", data.n), 1)
    together = grown(columns, weights, growth, [(7, b) for b in range(4)])
    for b in range(4):
        (alone,) = grown(columns, weights[b : b + 1], growth, [(7, b)])
        assert same(alone, together[b])


def test_its_nodes_are_in_the_order_in_which_they_were_split_off_and_hold_the_bag():
    data = DATA["wine"]
    weights = bags(data.n, 2)
    for tree, weight in zip(
        grown(columns_of(data), weights, Growth(total_impurity("gini", data.n), 3), [(1, 0), (1, 1)]), weights
    ):
        inner = tree.left != LEAF
        assert tree.left[inner].tolist() == list(range(1, len(tree.left), 2))
        there = np.zeros_like(tree.counts)
        for node, leaf in leaves_of(tree, data.X).items():
            np.add.at(there[node], np.asarray(data.y)[leaf.rows], weight[leaf.rows])
        assert (there == tree.counts)[~inner].all()
        assert (tree.counts[~inner].max(axis=1) == tree.counts[~inner].sum(axis=1)).all()


def test_where_the_drawn_feature_says_nothing_another_is_asked():
    """Of three columns two are constant: whatever is drawn first, the tree parts the rows by the third."""
    X = np.zeros((20, 3))
    X[:, 2] = np.arange(20)
    columns = sorted_columns(X, (np.arange(20) >= 13).astype(int), 2)
    trees = grown(columns, np.ones((6, 20), np.intp), Growth(total_impurity("gini", 20), 1), [(b,) for b in range(6)])
    assert [asked(tree) for tree in trees] == [[(2, 12.5)]] * 6


@pytest.mark.parametrize(
    "columns",
    [sorted_columns(np.ones((5, 2)), np.array([0, 1, 0, 1, 1]), 2), sorted_columns(np.eye(5), np.zeros(5, int), 2)],
    ids=["rows all equal", "one class"],
)
def test_where_nothing_can_be_asked_there_is_one_leaf(columns):
    (tree,) = grown(columns, np.ones((1, 5), np.intp), Growth(total_impurity("entropy", 5), 2), [(0,)])
    assert tree.left.tolist() == [LEAF]
    assert tree.counts.sum() == 5


def test_grown_out_it_says_what_scikit_learn_s_says_of_its_rows():
    from sklearn.tree import DecisionTreeClassifier

    data = DATA["ties"]
    (tree,) = grown(
        columns_of(data), np.ones((1, data.n), np.intp), Growth(total_impurity("gini", data.n), data.d), [(0,)]
    )
    theirs = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    assert shares[leaf_of(tree, data.X)] == pytest.approx(theirs.predict_proba(data.X))
