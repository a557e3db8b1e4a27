"""Pruning of the decision tree: by hand, against scikit-learn, against every pruned tree, and broken on purpose."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.tree import DecisionTreeClassifier

from algorithms import Refused, Timeline, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import breast_cancer, iris, moons, penguins
from algorithms.families.trees.decision_tree.algorithm import pruned, tree_of, weakest_link
from algorithms.families.trees.decision_tree.pruning import (
    below,
    costs,
    least_below,
    links,
    measuring_rows,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.toolbox.impurity import total_impurity
from algorithms.toolbox.trees import LEAF, Nodes, errors_by_leaves, leaf_of, parents

TREE = find("decision_tree")
NO_MORE_WRONG, NONE_LOST, NESTED, RISING_LINKS, LEAST_COST = TREE.theorems[-5:]
REDUCED, BY_COST = {"pruning": "reduced error"}, {"pruning": "cost complexity"}
MOONS = moons.with_(n=200, noise=0.3, hold_out=0.4, seed=3).load()


def run_of(data=MOONS, **parameters):
    problem = TREE.problem(data, None, parameters)
    return problem, list(TREE.start(problem))


def status(theorem, problem, before, after):
    return theorem.verdict(problem, before, after).status


def steps(states):
    return [(before, after) for before, after in pairwise(states) if after.phase == "prune"]


def in_single_precision(n, seed):
    """One feature, of which no two questions part the rows alike."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 1)).astype(np.float32).astype(float)
    return Dataset(X, (np.sin(3 * X[:, 0]) + rng.normal(size=n) > 0).astype(int), classes=("a", "b"))


# Against scikit-learn


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(3))
def test_the_weakest_links_are_those_of_scikit_learn_s_path(criterion, seed):
    data = in_single_precision(150, seed)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).cost_complexity_pruning_path(data.X, data.y)
    problem, states = run_of(data, **BY_COST, criterion=criterion, max_leaves=1000, max_depth=100)
    pairs = steps(states)
    alphas = [weakest_link(problem, before) for before, _ in pairs]
    last = len(pairs[0][0].left) // 2 + 1  # leaves of the grown tree
    assert last == DecisionTreeClassifier(criterion=criterion, random_state=0).fit(data.X, data.y).get_n_leaves()
    ours = dict(zip(np.round(alphas, 9), (impurity_of(after, criterion) for _, after in pairs)))  # the last of ties
    their_own = dict(zip(np.round(theirs.ccp_alphas[1:], 9), theirs.impurities[1:]))
    assert list(ours) == pytest.approx(list(their_own), abs=1e-8)
    assert list(ours.values()) == pytest.approx(list(their_own.values()), abs=1e-8)


def impurity_of(state, criterion):
    tree = tree_of(state)
    return below(tree.left, costs(tree, total_impurity(criterion, 10_000)))[0]


def test_a_tree_pruned_at_alpha_predicts_as_scikit_learn_s():
    data = in_single_precision(150, 1)
    _, states = run_of(data, **BY_COST, criterion="gini", max_leaves=1000, max_depth=100)
    problem = TREE.problem(data, None, {**BY_COST, "criterion": "gini"})
    pairs = steps(states)
    alphas = np.array([weakest_link(problem, before) for before, _ in pairs])
    for i in (3, len(pairs) // 2, len(pairs) - 2):
        if np.isclose(alphas[i], alphas[i + 1]):
            continue
        ccp = (alphas[i] + alphas[i + 1]) / 2
        theirs = DecisionTreeClassifier(criterion="gini", ccp_alpha=ccp, random_state=0).fit(data.X, data.y)
        now = pairs[i][1]
        votes = now.counts.argmax(axis=1)[leaf_of(tree_of(now), data.X)]
        assert (votes == theirs.predict(data.X)).all()


# Against every pruned tree


def every_pruned(tree, node=0):
    """Yield the sets of nodes that are leaves in each tree that what is below a node can be pruned to."""
    yield (node,)
    if tree.left[node] != LEAF:
        left = int(tree.left[node])
        rights = list(every_pruned(tree, left + 1))
        for one in every_pruned(tree, left):
            yield from ((*one, *other) for other in rights)


@pytest.mark.parametrize("seed", range(4))
def test_reduced_error_comes_to_the_smallest_of_the_best_trees(seed):
    data = moons.with_(n=100, noise=0.35, hold_out=0.4, seed=seed).load()
    _, states = run_of(data, **REDUCED, max_leaves=9)
    grown, last = next(s for s in reversed(states) if s.phase != "prune"), states[-1]
    tree = tree_of(grown)
    wrong = wrong_at_nodes(tree, *pruning_rows(data.held_out))
    all_trees = [(int(wrong[list(leaves)].sum()), len(leaves)) for leaves in every_pruned(tree)]
    now = tree_of(last)
    mine = int(below(now.left, wrong_at_nodes(now, *pruning_rows(data.held_out)))[0]), len(now.left) // 2 + 1
    assert mine == min(all_trees)
    assert least_below(tree.left, wrong)[0] == min(all_trees)[0]


def test_a_link_by_hand():
    """4 + 4 rows: the root parts (4, 1) from (0, 3), the left one (4, 0) from (0, 1); the error is R."""
    counts = np.array([[4, 4], [4, 1], [0, 3], [4, 0], [0, 1]])
    tree = Nodes(
        np.array([0, 0, -1, -1, -1]), np.array([4.0, 3.0, np.nan, np.nan, np.nan]), np.array([1, 3, -1, -1, -1]), counts
    )
    cost = costs(tree, total_impurity("error", 8))
    assert cost.tolist() == [0.5, 0.125, 0, 0, 0]
    assert links(tree.left, cost).tolist() == [0.25, 0.125, np.inf, np.inf, np.inf]


# Its states


@pytest.mark.parametrize("parameters", [REDUCED, BY_COST], ids=["reduced error", "cost complexity"])
def test_it_goes_on_from_any_state_bit_for_bit(parameters):
    problem, states = run_of(**parameters)
    assert states[-1].phase == "prune"
    for i in range(0, len(states), 4):
        rest = list(TREE.start(problem, pickle.loads(pickle.dumps(states[i]))))
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :], strict=True))


@pytest.mark.parametrize(
    "data", [MOONS, iris.with_(hold_out=0.4).load(), penguins.with_(hold_out=0.4).load()], ids=lambda data: data.name
)
@pytest.mark.parametrize(
    "parameters", [REDUCED, BY_COST, {**BY_COST, "criterion": "gini"}, {**BY_COST, "criterion": "error"}]
)
def test_its_theorems_hold_and_trees_stay_trees(data, parameters):
    problem, states = run_of(data, **parameters)
    for before, after in steps(states):
        assert all(status(theorem, problem, before, after) != "fails" for theorem in TREE.theorems)
        assert len(after.left) < len(before.left)
        above = parents(after.left)
        assert (above[1:] < np.arange(1, len(above))).all()
        assert (above[1:] >= 0).all()
        errors_by_leaves(tree_of(after), data.X, np.asarray(data.y))
    assert steps(states)


def test_pruning_is_none_of_growing():
    _, plain = run_of()
    for parameters in (REDUCED, BY_COST):
        _, states = run_of(**parameters)
        assert all(same(a, b) for a, b in zip(plain, states))
    assert len(plain) < len(states)


def test_a_fork_prunes_the_grown_tree_the_other_way():
    run = Timeline(TREE, MOONS, BY_COST).run()
    last_split = max(t for t in range(len(run)) if run.at(t).state.phase == "split")
    fork = run.fork(run.last, pruning="reduced error").run()
    assert fork.begin == last_split
    assert not fork.failures
    assert not fork.troubles
    assert fork.stopped.reason.endswith("would be wrong on more of the pruning rows")


# Broken on purpose


def test_a_node_that_is_not_to_be_pruned_is_noticed():
    problem, states = run_of(**REDUCED)
    before, after = steps(states)[0]
    assert status(NO_MORE_WRONG, problem, before, after) == status(NONE_LOST, problem, before, after) == "holds"
    wrong = before.after("prune", **pruned(before, 0))
    assert status(NO_MORE_WRONG, problem, before, wrong) == "fails"
    assert status(NONE_LOST, problem, before, wrong) == "fails"


def test_a_link_that_is_not_the_weakest_is_noticed():
    problem, states = run_of(**BY_COST)
    before, after = steps(states)[0]
    tree = tree_of(before)
    link = links(tree.left, costs(tree, total_impurity("entropy", MOONS.n)))
    strongest = int(np.where(np.isfinite(link), link, -1.0).argmax())
    wrong = before.after("prune", node=strongest, **pruned(before, strongest))
    assert status(LEAST_COST, problem, before, after) == "holds"
    assert status(LEAST_COST, problem, before, wrong) == "fails"
    assert status(RISING_LINKS, problem, *steps(states)[3]) == "holds"
    assert status(RISING_LINKS, problem, *reversed(steps(states)[3])) == "fails"


def test_a_tree_that_is_grown_in_place_of_pruned_is_noticed():
    problem, states = run_of(**BY_COST)
    before, after = steps(states)[3]
    assert status(NESTED, problem, before, after) == "holds"
    assert status(NESTED, problem, after, replace(before, phase="prune")) == "fails"


# Which rows measure


def test_rows_that_prune_do_not_measure():
    problem, states = run_of(**REDUCED)
    aside, last = MOONS.held_out, states[-1]
    (X, y), (prunes, mine) = measuring_rows(aside), pruning_rows(aside)
    assert len(y) + len(mine) == aside.n
    assert len(np.unique(np.vstack([X, prunes]), axis=0)) == aside.n  # none does both
    votes = last.counts.argmax(axis=1)[leaf_of(tree_of(last), X)]
    measured = {c.name: c for c in TREE.curves}["held-out error"].value(problem, last)
    assert measured == pytest.approx(float((votes != y).mean()))
    before, after = next((a, b) for a, b in pairwise(states) if b.phase == "split")
    assert f"that on {len(y)} rows held out" in TREE.explain(problem, before, after)


def test_across_a_fork_a_leaf_is_not_said_to_gain_most_by_another_criterion():
    run = Timeline(TREE, MOONS)
    run.advance(10)
    t = next(t for t in range(10) if run.at(t).state.phase == "split")
    assert " gains most: " in TREE.explain(run.problem, run.at(t).before, run.at(t).state)
    fork = run.fork(t, criterion="error")
    assert " was split: " in TREE.explain(fork.problem, None, fork.at(t).state)


def test_a_node_votes_as_the_rows_it_was_grown_on():
    """One leaf of 3 rows of a and 1 of b says a, also where the rows that prune are all of b."""
    tree = Nodes(np.array([-1]), np.array([np.nan]), np.array([LEAF]), np.array([[3, 1]]))
    assert wrong_at_nodes(tree, np.zeros((5, 1)), np.ones(5, int)).tolist() == [5]


def test_without_rows_held_out_they_cannot_prune():
    data = Dataset(MOONS.X, MOONS.y, classes=MOONS.classes, name="moons")
    with pytest.raises(Refused, match="asks rows held out, and moons has none to spare"):
        run_of(data, **REDUCED)


def test_it_says_what_a_leaf_is_worth():
    data = breast_cancer.with_(hold_out=0.4).load()
    problem, states = run_of(data, **REDUCED)
    told = TREE.explain(problem, *steps(states)[0])
    assert "becomes one leaf and says" in told
    assert "pruning rows its leaves were wrong on" in told
    assert "other rows held out is" in told
    problem, states = run_of(data, **BY_COST)
    assert TREE.explain(problem, *steps(states)[-1]).endswith("One leaf is left.")
    titles = [panel.title for panel in TREE.scene(problem, *steps(states)[0]).panels]
    assert "links, the weakest first" in titles
