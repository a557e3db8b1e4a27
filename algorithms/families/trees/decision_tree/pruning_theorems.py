"""What holds of pruning a tree: both sides of every statement, and why it is so."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, Theorem
from algorithms.families.trees.decision_tree.pruning import (
    below,
    costs,
    least_below,
    links,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.trees import Nodes, leaf_of

TreeOf = Callable[[Any], Nodes]
TotalOf = Callable[[Problem], Total]


def by_reduced_error(problem: Problem, state: Any) -> bool | str:
    return problem.parameters.pruning == "reduced error" or "the tree is not pruned by the error on rows held out"


def by_cost(problem: Problem, state: Any) -> bool | str:
    return problem.parameters.pruning == "cost complexity" or "the tree is not pruned by cost complexity"


def wrong_on_pruning_rows(problem: Problem, tree: Nodes) -> Array:
    """(m,) of the rows that prune, how many each node would be wrong on as a leaf."""
    aside = problem.data.held_out
    assert aside is not None
    return wrong_at_nodes(tree, *pruning_rows(aside))


def never_rises(problem: Problem, was: Nodes, now: Nodes) -> Answer:
    """From what the leaves say of the rows, not from what the nodes would be wrong on."""
    aside = problem.data.held_out
    assert aside is not None
    X, y = pruning_rows(aside)
    wrong, before = (int((tree.counts.argmax(axis=1)[leaf_of(tree, X)] != y).sum()) for tree in (now, was))
    return Sides(("wrong of the pruning rows", wrong), ("before", before))


def none_better_is_lost(problem: Problem, was: Nodes, now: Nodes) -> Answer:
    wrong, before = wrong_on_pruning_rows(problem, now), wrong_on_pruning_rows(problem, was)
    least = float(least_below(now.left, wrong)[0])
    return Sides(("least that is left", least), ("least before", least_below(was.left, before)[0]), relation="==")


def nested(problem: Problem, was: Nodes, now: Nodes) -> Answer:
    """From the rows: none of a leaf before may come to two leaves now."""
    X = problem.data.X
    leaves, of_now = leaf_of(was, X), leaf_of(now, X)
    pairs = len(np.unique(leaves * len(was.left) + of_now))
    return Sides(("pairs of leaf before and leaf now", pairs), ("leaves before", len(np.unique(leaves))), relation="==")


def link_of(tree: Nodes, total: Total) -> float:
    return float(links(tree.left, costs(tree, total)).min())


def rising(problem: Problem, was: Nodes, now: Nodes, total: Total) -> Answer:
    if len(now.left) == 1:
        return DoesNotApply("one leaf is left, which has no link")
    return Sides(("α", link_of(was, total)), ("next α", link_of(now, total)), size=1.0 + float(np.log2(problem.data.n)))


def least_cost(problem: Problem, was: Nodes, now: Nodes, total: Total) -> Answer:
    alpha = link_of(was, total)
    of_now, of_was = costs(now, total) + alpha, costs(was, total) + alpha
    return Sides(
        ("impurity + α leaves", below(now.left, of_now)[0]),
        ("before", below(was.left, of_was)[0]),
        ("least of all pruned trees", least_below(was.left, of_was)[0]),
        relation="==",
        size=1.0 + float(np.log2(problem.data.n)),
    )


def theorems(tree_of: TreeOf, total_of: TotalOf) -> tuple[Theorem, ...]:
    """List the theorems.

    Args:
        tree_of: (state) -> its tree.
        total_of: (problem) -> rows times impurity.
    """

    def of_trees(answer: Callable[[Problem, Nodes, Nodes], Answer]) -> Callable[[Problem, Any, Any], Answer]:
        return lambda problem, before, after: answer(problem, tree_of(before), tree_of(after))

    def of_costs(answer: Callable[[Problem, Nodes, Nodes, Total], Answer]) -> Callable[[Problem, Any, Any], Answer]:
        return lambda problem, before, after: answer(problem, tree_of(before), tree_of(after), total_of(problem))

    reduced, by_links = {"it is pruned by reduced error": by_reduced_error}, {"by cost complexity": by_cost}
    return (
        Theorem(
            "pruning: the error on the pruning rows never rises",
            of_trees(never_rises),
            source="Quinlan (1987)",
            about="step",
            phases=("prune",),
            hypotheses=reduced,
            proof=("a node becomes a leaf only where that is wrong on no more of these rows",),
        ),
        Theorem(
            "pruning: no better pruned tree is lost",
            of_trees(none_better_is_lost),
            source="Quinlan (1987)",
            about="step",
            phases=("prune",),
            hypotheses=reduced,
            proof=(
                "bottom up, what is below a node is already the best that it can be pruned to",
                "so a leaf that is wrong on no more is wrong on no more than any of these trees",
            ),
        ),
        Theorem(
            "pruning: the subtrees are nested",
            of_trees(nested),
            source="Breiman et al. (1984), section 3.3",
            about="step",
            phases=("prune",),
            proof=("all leaves below a node become one, and no other leaf changes",),
        ),
        Theorem(
            "pruning: the weakest link α never falls",
            of_costs(rising),
            source="Breiman et al. (1984), theorem 3.10",
            about="step",
            phases=("prune",),
            hypotheses=by_links,
            proof=(
                "write g(t) = a/b with b = leaves below t - 1, and g(s) = A/B of a node s above it",
                "then g(s) becomes (A - a)/(B - b), which is no less than A/B, as a/b <= A/B",
                "of other nodes nothing changes",
            ),
        ),
        Theorem(
            "pruning: impurity + α leaves is the least of all pruned trees",
            of_costs(least_cost),
            source="Breiman et al. (1984), section 3.3",
            about="step",
            phases=("prune",),
            hypotheses=by_links,
            proof=(
                "at α = g(t) the link t costs as much as the leaf that takes its place",
                "any other node costs no less as a leaf, for its g is α or more",
            ),
        ),
    )
