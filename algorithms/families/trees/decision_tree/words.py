"""What is said of a tree that grows, and that is pruned, with this step's numbers."""

import numpy as np

from algorithms.core import Dataset, Words
from algorithms.families.trees.decision_tree.looks import Look
from algorithms.families.trees.decision_tree.pictures import amount
from algorithms.families.trees.decision_tree.pruning import (
    Pruning,
    below,
    costs,
    links,
    measuring_rows,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.families.trees.shared.trees_pictures import asks, part, spelt
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.trees import LEAF, Nodes, errors_by_leaves


def start(now: Look) -> str:
    return f"All {len(now.rows)} rows trained on are in one leaf: {spelt(now.data, now.counts)}, {mixed(now)}."


def mixed(now: Look) -> str:
    """How mixed the node is: "entropy 0.445 bits"."""
    return amount(now.criterion, now.impurity)


def looked(now: Look) -> str:
    m, node = len(now.rows), now.node
    holds = f"Leaf {node} holds {m} row{'s' * (m != 1)}, {spelt(now.data, now.counts)}"
    if not now.asks:
        return f"{holds}: no question parts them as it should, so it stays a leaf."
    question, rivals = asks(now.data, now.tree, node), now.survey.asked if now.survey else 1
    gain = now.gain[node] * now.data.n / m
    first = f"Of {rivals} questions {question} gains most," if rivals > 1 else f"The only question, {question}, gains"
    return f"{holds}, {mixed(now)}. {first} {gain:.3g}; times the leaf's share of all rows, {now.gain[node]:.3g}."


def split(now: Look, training: float, held_out: tuple[int, float] | None, forked: bool) -> str:
    """A leaf was split.

    Args:
        held_out: how many rows held out measure, and the share of them that is wrong.
        forked: the step before is not known; the leaf may have gained most by another criterion.
    """
    node, m = now.node, len(now.rows)
    left = int(now.tree.left[node])
    parts = " and ".join(part(now.data, counts) for counts in now.tree.counts[left : left + 2])
    errors = f"The training error is {training:.1%}"
    if held_out is not None:
        n, error = held_out
        errors += f", that on {n} row{'s' * (n > 1)} held out {error:.1%}"
    gains, question = "was split" if forked else "gains most", asks(now.data, now.tree, node)
    return Words.of(f"Leaf {node} {gains}: {question} parts its {m} rows into {parts}.", f"{errors}.")


def pruned(data: Dataset, was: Nodes | None, now: Nodes, node: int, total: Total, pruning: Pruning) -> str:
    """Node `node` has become a leaf.

    Args:
        was: the tree before; None where it is not known.
    """
    left = int((now.left == LEAF).sum())
    now_has = f"{left} leaves are left" if left > 1 else "One leaf is left"
    vote = data.classes[int(now.counts[node].argmax())]
    if was is None:
        return f"Node {node} has become a leaf and says {vote}. {now_has}."
    gone = int(below(was.left, np.ones(len(was.left), int))[node])
    becomes = f"Node {node} ({asks(data, was, node)}) with its {gone} leaves becomes one leaf and says {vote}"
    if pruning == "cost complexity":
        alpha = float(links(was.left, costs(was, total))[node])
        return (
            f"{becomes}: they lower Σ n_l/n I(l) by α = {alpha:.3g} for each leaf more, no other node less. {now_has}."
        )
    assert data.held_out is not None
    X, y = pruning_rows(data.held_out)
    wrong, (there, classes) = wrong_at_nodes(was, X, y), measuring_rows(data.held_out)
    counted = (
        f"of {len(y)} pruning rows its leaves were wrong on {below(was.left, wrong)[node]}, it is on {wrong[node]}"
    )
    error = float(errors_by_leaves(now, there, classes)[-1])
    return f"{becomes}: {counted}. {now_has}; the error on {len(classes)} other rows held out is {error:.1%}."
