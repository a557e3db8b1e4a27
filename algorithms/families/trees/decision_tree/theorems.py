"""What holds of growing a tree: both sides of every statement, and why it is so."""

from typing import get_args

import numpy as np

from algorithms.core import Answer, Problem, Sides, theorem
from algorithms.families.trees.decision_tree.looks import Look, over_leaves
from algorithms.toolbox.impurity import Criterion, total_impurity
from algorithms.toolbox.trees import counts_at_nodes

DEFINED = "gain = I(l) - n_L/n_l I(L) - n_R/n_l I(R)"


def asks(problem: Problem, now: Look) -> bool:
    return now.asks


@theorem(
    "no question has a negative gain",
    source="Quinlan (1986) for the entropy; Breiman et al. (1984)",
    phases=("look",),
    hypotheses={"there is something to ask": asks},
    proof=(
        DEFINED,
        "shares of the classes: p(l) = n_L/n_l p(L) + n_R/n_l p(R), a mean of those in the parts",
        "I is concave in them: I(l) >= n_L/n_l I(L) + n_R/n_l I(R) (Jensen)",
    ),
)
def no_gain_is_negative(problem: Problem, before: Look | None, now: Look) -> Answer:
    asked, m = now.survey, len(now.rows)
    assert asked is not None
    kept = now.gain[now.node] * now.data.n / m
    return Sides(("0", 0.0), ("least of all", asked.least / m), ("the one kept", kept), size=now.size_of_sums)


@theorem(
    "the question kept gains most of all",
    source="Breiman et al. (1984)",
    phases=("look",),
    hypotheses={"there is something to ask": asks},
    proof=(
        "I changes only where the parting does: between two neighbouring values of a feature",
        "so every feature and every place between neighbours is all that can be asked",
    ),
)
def gains_most(problem: Problem, before: Look | None, now: Look) -> Answer:
    asked = now.survey
    assert asked is not None
    return Sides(
        ("greatest of all", asked.greatest / now.data.n),
        ("gain of the one kept", now.gain[now.node]),
        ("fall as it parts the rows", now.fall_by_parting),
        relation="==",
        size=now.size_of_sums,
    )


@theorem(
    "the leaf that is split gains most of the leaves",
    source="Shi (2007)",
    about="step",
    phases=("split",),
    proof=("that is the rule: n_l/n times the gain is what Σ n_l/n I(l) falls by",),
)
def best_leaf_first(problem: Problem, before: Look | None, now: Look) -> Answer:
    return Sides(
        ("greatest of the leaves", now.gain[now.earlier_leaves].max()), ("that of the one split", now.gain[now.node])
    )


@theorem(
    "the weighted impurity never rises",
    source="Breiman et al. (1984)",
    phases=("split",),
    proof=("a split changes one term of Σ n_l/n I(l), by n_l/n times a gain", "no gain is negative"),
)
def never_rises(problem: Problem, before: Look | None, now: Look) -> Answer:
    was = now.over(now.earlier_leaves)
    return Sides(("Σ n_l/n I(l)", now.over(now.leaves)), ("before", was), size=now.size_of_sums)


@theorem(
    "a split lowers the impurity by n_l/n times the gain",
    source="Breiman et al. (1984)",
    phases=("split",),
    proof=(DEFINED, "n_l/n I(l) - n_L/n I(L) - n_R/n I(R) = n_l/n gain, and no other leaf changes"),
)
def falls_by_the_gain(problem: Problem, before: Look | None, now: Look) -> Answer:
    """From the rows as they come to the node and its children, not as they were counted."""
    fall, gain = now.fall_by_parting, now.gain[now.node]
    return Sides(("fall", fall), ("gain", gain), relation="==", size=now.size_of_sums)


@theorem(
    "the leaves partition the rows",
    source="Breiman et al. (1984)",
    phases=("start", "split", "prune"),
    proof=("x_j <= θ or x_j > θ: each row of a node goes to one child, and to one only",),
)
def partition(problem: Problem, before: Look | None, now: Look) -> Answer:
    data, tree, leaves = now.data, now.tree, now.leaves
    counts = np.minimum(tree.counts, counts_at_nodes(tree, data.X, np.asarray(data.y)))[leaves]
    counted = int(tree.counts[leaves].sum())
    return Sides(("n", data.n), ("Σ n_l", counted), ("found in their leaf", int(counts.sum())), relation="==")


@theorem(
    "½ Gini <= error <= ½ entropy",
    source="Cover and Hart (1967); Hellman and Raviv (1970)",
    phases=("start", "split", "prune"),
    proof=(
        "let m be the greatest of all p_c, a leaf's shares; its error is e = 1 - m; Σ p_c² >= m²",
        "so ½ (1 - Σ p_c²) <= ½ (1 - m²) = ½ e (1 + m) <= e",
        "let H be the entropy: concave, so with no p_c above m least at a corner, (m, ..., m, rest)",
        "for every k, from k equal shares to k + 1 corners are a line: there H is concave, e linear",
        "with k equal shares ½ H = ½ log2 k >= 1 - 1/k = e, so ½ H >= e in between too",
        "the mean over the leaves keeps both",
    ),
)
def between_gini_and_entropy(problem: Problem, before: Look | None, now: Look) -> Answer:
    counts = now.tree.counts[now.leaves]
    measured = {name: over_leaves(total_impurity(name, now.data.n), counts) for name in get_args(Criterion)}
    return Sides(
        ("½ Gini", measured["gini"] / 2),
        ("error", measured["error"]),
        ("½ entropy", measured["entropy"] / 2),
        size=now.size_of_sums,
    )


THEOREMS = (
    never_rises,
    no_gain_is_negative,
    gains_most,
    best_leaf_first,
    falls_by_the_gain,
    partition,
    between_gini_and_entropy,
)
