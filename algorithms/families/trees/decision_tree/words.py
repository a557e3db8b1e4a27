"""What is said of a pruned tree, with this step's numbers."""

import numpy as np

from algorithms.core import Dataset
from algorithms.families.trees.decision_tree.pruning import (
    Pruning,
    below,
    costs,
    links,
    measuring_rows,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.panels.trees import asks
from algorithms.toolbox.trees import LEAF, Nodes, errors_by_leaves


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
