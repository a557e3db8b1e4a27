"""What holds of pruning a tree: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, theorem
from algorithms.families.trees.decision_tree.looks import Look
from algorithms.families.trees.decision_tree.pruning import (
    below,
    costs,
    least_below,
    links,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.toolbox.trees import Nodes, leaf_of


def by_reduced_error(problem: Problem, now: Look) -> bool | str:
    return problem.parameters.pruning == "reduced error" or "the tree is not pruned by the error on rows held out"


def by_cost(problem: Problem, now: Look) -> bool | str:
    return problem.parameters.pruning == "cost complexity" or "the tree is not pruned by cost complexity"


REDUCED, BY_LINKS = {"it is pruned by reduced error": by_reduced_error}, {"by cost complexity": by_cost}


def wrong_on_pruning_rows(problem: Problem, tree: Nodes) -> Array:
    """(m,) of the rows that prune, how many each node would be wrong on as a leaf."""
    aside = problem.data.held_out
    assert aside is not None
    return wrong_at_nodes(tree, *pruning_rows(aside))


@theorem(
    "pruning: the error on the pruning rows never rises",
    source="Quinlan (1987)",
    about="step",
    phases=("prune",),
    hypotheses=REDUCED,
    proof=("a node becomes a leaf only where that is wrong on no more of these rows",),
)
def never_rises(problem: Problem, before: Look, now: Look) -> Answer:
    """From what the leaves say of the rows, not from what the nodes would be wrong on."""
    aside = problem.data.held_out
    assert aside is not None
    X, y = pruning_rows(aside)
    wrong, was = (int((tree.counts.argmax(axis=1)[leaf_of(tree, X)] != y).sum()) for tree in (now.tree, before.tree))
    return Sides(("wrong of the pruning rows", wrong), ("before", was))


@theorem(
    "pruning: no better pruned tree is lost",
    source="Quinlan (1987)",
    about="step",
    phases=("prune",),
    hypotheses=REDUCED,
    proof=(
        "bottom up, what is below a node is already the best that it can be pruned to",
        "so a leaf that is wrong on no more is wrong on no more than any of these trees",
    ),
)
def none_better_is_lost(problem: Problem, before: Look, now: Look) -> Answer:
    wrong, was = wrong_on_pruning_rows(problem, now.tree), wrong_on_pruning_rows(problem, before.tree)
    least = float(least_below(now.tree.left, wrong)[0])
    return Sides(("least that is left", least), ("least before", least_below(before.tree.left, was)[0]), relation="==")


@theorem(
    "pruning: the subtrees are nested",
    source="Breiman et al. (1984), section 3.3",
    about="step",
    phases=("prune",),
    proof=("all leaves below a node become one, and no other leaf changes",),
)
def nested(problem: Problem, before: Look, now: Look) -> Answer:
    """From the rows: none of a leaf before may come to two leaves now."""
    X = problem.data.X
    leaves, of_now = leaf_of(before.tree, X), leaf_of(now.tree, X)
    pairs = len(np.unique(leaves * len(before.tree.left) + of_now))
    return Sides(("pairs of leaf before and leaf now", pairs), ("leaves before", len(np.unique(leaves))), relation="==")


def link_of(at: Look) -> float:
    return float(links(at.tree.left, costs(at.tree, at.total)).min())


@theorem(
    "pruning: the weakest link α never falls",
    source="Breiman et al. (1984), theorem 3.10",
    about="step",
    phases=("prune",),
    hypotheses=BY_LINKS,
    proof=(
        "let t be the weakest link: for some a and b, as one leaf it costs a more, b leaves fewer",
        "for some A and B a node above has A/B: now (A - a)/(B - b) >= A/B, as α = a/b <= A/B",
        "of other nodes nothing changes",
    ),
)
def rising(problem: Problem, before: Look, now: Look) -> Answer:
    if len(now.tree.left) == 1:
        return DoesNotApply("one leaf is left, which has no link")
    return Sides(("α", link_of(before)), ("next α", link_of(now)), size=1.0 + float(np.log2(problem.data.n)))


@theorem(
    "pruning: impurity + α leaves is the least of all pruned trees",
    source="Breiman et al. (1984), section 3.3",
    about="step",
    phases=("prune",),
    hypotheses=BY_LINKS,
    proof=(
        "at α, the weakest link, what is below that node costs as much as the leaf in its place",
        "any other node costs no less as a leaf, for its link is α or more",
    ),
)
def least_cost(problem: Problem, before: Look, now: Look) -> Answer:
    alpha, tree, was = link_of(before), now.tree, before.tree
    of_now, of_was = costs(tree, now.total) + alpha, costs(was, before.total) + alpha
    return Sides(
        ("impurity + α leaves", below(tree.left, of_now)[0]),
        ("before", below(was.left, of_was)[0]),
        ("least of all pruned trees", least_below(was.left, of_was)[0]),
        relation="==",
        size=1.0 + float(np.log2(problem.data.n)),
    )


OF_PRUNING = (
    never_rises,
    none_better_is_lost,
    nested,
    rising,
    least_cost,
)
