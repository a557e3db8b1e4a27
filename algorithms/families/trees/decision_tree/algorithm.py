"""Decision tree: ask the question about one feature that makes the classes purest, and ask again on either side.

    I(l) = impurity of the n_l rows in leaf l;     the gain of  x_j <= θ  is   I(l) - n_L/n_l I(L) - n_R/n_l I(R)

    look    at a new leaf: every feature j, and every θ half-way between two neighbouring values
    split   the leaf whose best question makes  Σ n_l/n I(l)  fall most: by n_l/n times its gain

I is the entropy, the Gini index or the error of the majority. So the tree grows best leaf first, and the tree of s
splits is the larger one without its last. A leaf of one class is not looked at, nor one too deep or too small to
be split.

No question has a negative gain: the shares of the classes in a leaf are the mean of those in L and in R, weighted by
n_L/n_l and n_R/n_l, and I is concave. So the weighted impurity never rises. A gain of 0 is taken too, unless a
least gain is asked for: on an exclusive or no single question gains anything, yet two together solve it. Averaged
over the leaves, ½ Gini <= error <= ½ entropy in bits, whichever the tree grew by.

References: Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees; Quinlan (1986), Machine
Learning 1 (information gain); Hellman and Raviv (1970), IEEE Transactions on Information Theory 16(4) (error and
entropy); Shi (2007), Best-first decision tree learning, University of Waikato.
"""

from typing import Annotated, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Algorithm, Array, Curve, Dataset, Meta, Needs, Problem, Run, Scene, Sides, State, Theorem
from algorithms.core.theorem import Answer, DoesNotApply
from algorithms.data import badges, breast_cancer, iris, moons, penguins, rings, wine
from algorithms.families.trees.decision_tree import pictures
from algorithms.families.trees.decision_tree.nodes import LEAF, counts_at_nodes, leaf_of, rows_at
from algorithms.families.trees.decision_tree.questions import (
    Columns,
    Question,
    best_question,
    classes_of,
    in_hand,
    sorted_columns,
    total_of,
)
from algorithms.toolbox.impurity import Criterion, Total, impurity, total_impurity

UNSEEN, CLOSED, NOTHING = -3, -2, -1  # leaves: not looked at yet; not to be split; looked at, and nothing to ask
_ROUNDING = 1e-12  # of a gain, which is a difference of sums over the rows


class DecisionTreeState(State, frozen=True, kw_only=True):
    feature: Array  # (m,) what a node asks about, and a leaf would; or UNSEEN, CLOSED, NOTHING
    threshold: Array  # (m,) rows with x[feature] <= threshold go left; NaN without a question
    gain: Array  # (m,) n_l/n times the gain of that question; -inf without one
    left: Array  # (m,) the left child, and the right one is the next; LEAF for a leaf
    counts: Array  # (m, k) training rows of each class
    node: int = 0  # the leaf looked at, or the node just split


class Leaf(Struct, frozen=True, eq=False):
    """What the data say of a leaf: which rows are in it, in their order."""

    rows: Array
    depth: int


def decision_tree(
    data: Dataset,
    state: DecisionTreeState | None = None,
    *,
    criterion: Annotated[Criterion, Meta(description="the impurity of a leaf")] = "entropy",
    max_leaves: Annotated[int, Meta(ge=2, le=10_000, description="leaves at most")] = 20,
    max_depth: Annotated[int, Meta(ge=1, le=100, description="questions on the way to a leaf at most")] = 30,
    min_leaf: Annotated[int, Meta(ge=1, le=10_000, description="rows in a leaf at least")] = 1,
    min_gain: Annotated[
        float, Meta(ge=0, le=10, description="fall of the weighted impurity by a split at least")
    ] = 0.0,
) -> Run[DecisionTreeState]:
    columns, total = sorted_columns(data), total_impurity(criterion, data.n)
    if state is None:
        state = root(data)
        yield state
    state, leaves = taken_up(data, columns, state, total, max_depth, min_leaf)
    while len(leaves) < max_leaves:
        splits = len(leaves)  # with the one to come
        for node in np.flatnonzero(state.feature == UNSEEN).tolist():
            question = best_question(columns, leaves[node].rows, state.counts[node], total, min_leaf)
            state = state.after("look", node=node, iteration=splits, **answered(state, node, question, data.n))
            yield state
        node = most_gainful(state)
        if node == NOTHING:
            return why_none(state)
        if state.gain[node] < min_gain - _ROUNDING:
            return f"no split gains {min_gain:g}; the best gains {state.gain[node]:.3g}"
        pair = parted(data, state, node, leaves.pop(node))
        leaves |= enumerate(pair, len(state.left))
        state = state.after("split", node=node, iteration=splits, **grown(data, state, node, pair, max_depth, min_leaf))
        yield state
    return f"{max_leaves:,} leaves"


def root(data: Dataset) -> DecisionTreeState:
    """A tree of one leaf."""
    return DecisionTreeState(
        feature=np.array([UNSEEN]),
        threshold=np.array([np.nan]),
        gain=np.array([-np.inf]),
        left=np.array([LEAF]),
        counts=classes_of(data, np.arange(data.n))[None],
    )


def answered(state: DecisionTreeState, node: int, question: Question, n: int) -> dict[str, Array]:
    """The tree with what was found of a leaf."""
    return {
        "feature": with_value(state.feature, node, question.feature),
        "threshold": with_value(state.threshold, node, question.threshold),
        "gain": with_value(state.gain, node, question.fall / n),
    }


def most_gainful(state: DecisionTreeState) -> int:
    """The leaf that gains most, the oldest of equal ones; NOTHING if there is none with a question."""
    gains = np.where(state.left == LEAF, state.gain, -np.inf)
    node = int(gains.argmax())
    return node if gains[node] > -np.inf else NOTHING


def parted(data: Dataset, state: DecisionTreeState, node: int, leaf: Leaf) -> tuple[Leaf, Leaf]:
    """The two parts of a node's rows by its question."""
    goes_left = data.X[leaf.rows, state.feature[node]] <= state.threshold[node]
    return Leaf(leaf.rows[goes_left], leaf.depth + 1), Leaf(leaf.rows[~goes_left], leaf.depth + 1)


def grown(
    data: Dataset, state: DecisionTreeState, node: int, pair: tuple[Leaf, Leaf], max_depth: int, min_leaf: int
) -> dict[str, Array]:
    """The tree with two leaves more, the children of a node."""
    left = classes_of(data, pair[0].rows)
    counts = np.array((left, state.counts[node] - left))
    feature = [
        UNSEEN if may_be_split(c, leaf, max_depth, min_leaf) else CLOSED for c, leaf in zip(counts.tolist(), pair)
    ]
    return {
        "feature": np.concatenate((state.feature, feature)),
        "threshold": np.concatenate((state.threshold, _NO_THRESHOLDS)),
        "gain": np.concatenate((state.gain, _NO_GAINS)),
        "left": np.concatenate((with_value(state.left, node, len(state.left)), _NO_CHILDREN)),
        "counts": np.concatenate((state.counts, counts)),
    }


_NO_THRESHOLDS, _NO_GAINS, _NO_CHILDREN = np.full(2, np.nan), np.full(2, -np.inf), np.full(2, LEAF)


def may_be_split(counts: list[int], leaf: Leaf, max_depth: int, min_leaf: int) -> bool:
    """Whether there is anything to ask: of two classes or more, not too deep, not too small."""
    n = len(leaf.rows)
    return leaf.depth < max_depth and n >= 2 * min_leaf and max(counts) < n


def with_value(array: Array, place: int, value: float) -> Array:
    changed = array.copy()
    changed[place] = value
    return changed


def taken_up(
    data: Dataset, columns: Columns, state: DecisionTreeState, total: Total, max_depth: int, min_leaf: int
) -> tuple[DecisionTreeState, dict[int, Leaf]]:
    """The tree as data and parameters now have it, and its leaves: a fork may have changed both.

    The questions that part the nodes stay; the counts, and what was found of the leaves, are taken anew.
    """
    nodes = {0: Leaf(np.arange(data.n), 0)}
    leaves: dict[int, Leaf] = {}
    feature, threshold, gain, counts = (a.copy() for a in (state.feature, state.threshold, state.gain, state.counts))
    for node, left in enumerate(state.left.tolist()):
        leaf = nodes.pop(node)
        counts[node] = classes_of(data, leaf.rows)
        if left != LEAF:
            nodes |= enumerate(parted(data, state, node, leaf), left)
            continue
        leaves[node] = leaf
        if not may_be_split(counts[node].tolist(), leaf, max_depth, min_leaf):
            feature[node], threshold[node], gain[node] = CLOSED, np.nan, -np.inf
        elif feature[node] == CLOSED:
            feature[node] = UNSEEN
        elif feature[node] != UNSEEN:
            found = best_question(columns, leaf.rows, counts[node], total, min_leaf)
            feature[node], threshold[node], gain[node] = found.feature, found.threshold, found.fall / data.n
    return replace(state, feature=feature, threshold=threshold, gain=gain, counts=counts), leaves


def adapt(before: Problem, after: Problem, state: DecisionTreeState, rows: Array) -> DecisionTreeState:
    """The questions that were asked stay, and the rows there are now are counted where they come to."""
    p, data = after.parameters, after.data
    total = total_impurity(p.criterion, data.n)
    return taken_up(data, sorted_columns(data), state, total, p.max_depth, p.min_leaf)[0]


def why_none(state: DecisionTreeState) -> str:
    """Why no leaf can be split any more."""
    counts = state.counts[state.left == LEAF]
    mixed = int((counts.max(axis=1) < counts.sum(axis=1)).sum())
    if not mixed:
        return "every leaf is pure"
    return f"{mixed} of {len(counts)} leaves are mixed, and cannot be split: too deep, too small, or of rows alike"


def weighted_impurity(problem: Problem, state: DecisionTreeState) -> float:
    """Σ n_l/n I(l) over the leaves."""
    return over_leaves(problem.once(total_of), state.counts[state.left == LEAF])


def over_leaves(total: Total, counts: Array) -> float:
    """Σ n_l/n I(l) for leaves with (leaves, k) counts."""
    return float(total(counts.T, counts.sum(axis=1)).sum() / counts.sum())


def training_error(problem: Problem, state: DecisionTreeState) -> float:
    """The share of training rows that are not of their leaf's majority."""
    counts = state.counts[state.left == LEAF]
    return float(1 - counts.max(axis=1).sum() / counts.sum())


def held_out_error(problem: Problem, state: DecisionTreeState) -> float:
    aside = problem.data.held_out
    if aside is None:
        return np.nan
    return float((state.counts.argmax(axis=1)[leaf_of(state, aside.X)] != aside.y).mean())


def no_gain_is_negative(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    if after.phase != "look" or after.feature[after.node] < 0:
        return None
    held = problem.of(in_hand, after)
    if held.survey is None or not held.survey.asked:
        return DoesNotApply("nothing can be asked of these rows")
    m = len(held.rows)
    best = after.gain[after.node] * problem.data.n / m
    slack = _ROUNDING * np.log2(m)  # of m log m, from which a gain is what is left
    return Sides(("0", 0.0), ("least of all", held.survey.least / m), ("best", best), slack=slack)


def never_rises(problem: Problem, before: DecisionTreeState, after: DecisionTreeState) -> Answer:
    if after.phase != "split":
        return None
    now = weighted_impurity(problem, after)
    was = over_leaves(problem.once(total_of), after.counts[:-2][without_last_split(after)])
    return Sides(("Σ n_l/n I(l)", now), ("before", was), slack=_ROUNDING)


def without_last_split(state: DecisionTreeState) -> Array:
    """(m - 2,) bool: the leaves of the tree before its last split."""
    earlier = len(state.left) - 2
    return np.asarray((state.left[:earlier] == LEAF) | (state.left[:earlier] == earlier))


def falls_by_the_gain(problem: Problem, before: DecisionTreeState, after: DecisionTreeState) -> Answer:
    """From the rows as they come to the node and its children, not as they were counted."""
    if after.phase != "split":
        return None
    data, total, left = problem.data, problem.once(total_of), after.left[after.node]
    whole, *parts = (classes_of(data, rows_at(after, data.X, node)) for node in (after.node, left, left + 1))
    falls = over_leaves(total, whole[None]) * whole.sum() - sum(total(c, c.sum()) for c in parts)
    return Sides(("fall", falls / data.n), ("gain", after.gain[after.node]), relation="==", slack=_ROUNDING)


def partition(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    if after.phase == "look":
        return None
    data, leaves = problem.data, after.left == LEAF
    found = np.minimum(after.counts, counts_at_nodes(after, data.X, np.asarray(data.y)))[leaves]
    counted = int(after.counts[leaves].sum())
    return Sides(("n", data.n), ("Σ n_l", counted), ("found where counted", int(found.sum())), relation="==")


def between_gini_and_entropy(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    if after.phase == "look":
        return None
    counts = after.counts[after.left == LEAF]
    measured = {name: over_leaves(total_impurity(name, problem.data.n), counts) for name in get_args(Criterion)}
    return Sides(
        ("½ Gini", measured["gini"] / 2),
        ("error", measured["error"]),
        ("½ entropy", measured["entropy"] / 2),
        slack=_ROUNDING,
    )


def scene(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Scene:
    return pictures.scene(problem, after)


def explain(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> str:
    data, node, held = problem.data, after.node, problem.of(in_hand, after)
    m, classes = len(held.rows), pictures.spelt(data, held.counts)
    mixed = pictures.amount(problem.parameters.criterion, impurity(problem.parameters.criterion, held.counts))
    if after.phase == "start":
        return f"All {m} rows are in one leaf: {classes}, {mixed}."
    if after.feature[node] < 0:
        return f"Leaf {node} holds {m} rows, {classes}: no question parts them as it should, so it stays a leaf."
    asks = pictures.asks(data, after, node)
    if after.phase == "look":
        gain, rivals = after.gain[node] * data.n / m, held.survey.asked if held.survey else 1
        best = f"Of {rivals} questions {asks} gains most, {gain:.3g}; by the leaf's share, {after.gain[node]:.3g}"
        return f"Leaf {node} holds {m} rows, {classes}, {mixed}. {best}."
    left = int(after.left[node])
    parts = " and ".join(pictures.part(data, counts) for counts in after.counts[left : left + 2])
    errors = f"The training error is {training_error(problem, after):.1%}"
    if data.held_out is not None:
        errors += f", that on {data.held_out.n} rows held out {held_out_error(problem, after):.1%}"
    return f"Leaf {node} gains most: {asks} parts its {m} rows into {parts}. {errors}."


ALGORITHM = Algorithm(
    decision_tree,
    title="Decision tree",
    summary="Asks the question about one feature that makes the classes purest, and again in the leaf that gains most.",
    rule="gain = I(l) - n_L/n_l I(L) - n_R/n_l I(R)   for x_j <= θ\nsplit the leaf with the greatest n_l/n gain",
    needs=Needs(target="class"),
    phases={
        "start": "all rows in one leaf",
        "look": "every question that a new leaf can be asked",
        "split": "the leaf whose best question gains most",
    },
    events=("split",),
    # Between them a leaf has been looked at and its sibling has not.
    fork_after=("start", "split"),
    curves=(
        Curve("training error", training_error, "rows not of their leaf's majority", "error", ("start", "split")),
        Curve("held-out error", held_out_error, "the same on rows held out", "error", ("start", "split")),
        Curve("weighted impurity", weighted_impurity, "Σ n_l/n I(l)", phases=("start", "split")),
        Curve("gain", lambda problem, state: float(state.gain[state.node]), "n_l/n gain of a split", phases=("split",)),
    ),
    theorems=(
        Theorem("information gain >= 0, whatever is asked", no_gain_is_negative, source="Quinlan (1986)"),
        Theorem("the weighted impurity never rises", never_rises, source="Breiman et al. (1984)", about="step"),
        Theorem("it falls by n_l/n times the gain", falls_by_the_gain, source="Breiman et al. (1984)", about="step"),
        Theorem("the leaves partition the rows", partition, source="Breiman et al. (1984)"),
        Theorem("½ Gini <= error <= ½ entropy", between_gini_and_entropy, source="Hellman and Raviv (1970)"),
    ),
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        iris.with_(hold_out=0.3),
        penguins.with_(scale=True, hold_out=0.3),
        breast_cancer.with_(scale=True, hold_out=0.3),
        moons.with_(n=300, noise=0.25, hold_out=0.3),
        rings.with_(n=300),
        wine.with_(scale=True, hold_out=0.3),
        badges,
    ),
    references=(
        "Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees",
        "Quinlan (1986), Induction of decision trees, Machine Learning 1",
        "Hellman and Raviv (1970), Probability of error, equivocation and the Chernoff bound, IEEE Trans. IT 16(4)",
        "Shi (2007), Best-first decision tree learning, University of Waikato",
    ),
)
