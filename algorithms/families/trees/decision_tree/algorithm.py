"""Decision tree: ask the question about one feature that makes the classes purest, and ask again on either side.

    I(l) = impurity of the n_l rows in leaf l;     the gain of  x_j <= θ  is   I(l) - n_L/n_l I(L) - n_R/n_l I(R)

    look    at a new leaf: every feature j, and every θ half-way between two neighbouring values
    split   the leaf whose best question makes  Σ n_l/n I(l)  fall most: by n_l/n times its gain

I is the entropy, the Gini index or the error of the majority; the gain is called information gain when I is the
entropy, and decrease of impurity otherwise. The tree grows best leaf first, so that of s splits is the larger one
without its last. A leaf of one class is not looked at, nor one too deep or too small to be split.

No question has a negative gain: the shares of the classes in a leaf are the mean of those in L and in R, weighted by
n_L/n_l and n_R/n_l, and I is concave. So the weighted impurity never rises. A gain of 0 is taken too, unless a
least gain is asked for: on an exclusive or no single question gains anything, yet two together solve it. Averaged
over the leaves, ½ Gini <= error <= ½ entropy in bits, whichever the tree grew by.

The error on the training rows never rises with another leaf; that on rows held out is least at some leaves and rises
again: from there on the tree learns its rows by heart. So a grown tree can be pruned:

    prune   a node with all below it becomes a leaf, bottom up where half of the rows held out say that it errs no more
            (the other half measures), or the weakest link first: the one that lowers Σ n_l/n I(l) least a leaf

References: Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees (impurity and its
decrease); Quinlan (1986), Induction of decision trees, Machine Learning 1 (information gain); Cover and Hart (1967),
Nearest neighbor pattern classification, IEEE Transactions on Information Theory 13(1) (Gini and error); Hellman and
Raviv (1970), Probability of error, equivocation and the Chernoff bound, IEEE Transactions on Information Theory 16(4)
(error and entropy); Shi (2007), Best-first decision tree learning, University of Waikato; Quinlan (1987), Simplifying
decision trees, International Journal of Man-Machine Studies 27 (reduced error).
"""

from functools import partial
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    kept,
    once,
    through,
)
from algorithms.data import badges, breast_cancer, decoys, iris, iris_ratios, moons, penguins, rings, wine
from algorithms.families.trees.decision_tree import pictures, words
from algorithms.families.trees.decision_tree.looks import Look
from algorithms.families.trees.decision_tree.pruning import (
    MEASURING,
    Pruning,
    below,
    costs,
    kept_nodes,
    links,
    measuring_rows,
    next_node,
    pruning_rows,
    renumbered,
    wrong_at_nodes,
)
from algorithms.families.trees.decision_tree.pruning_theorems import OF_PRUNING
from algorithms.families.trees.decision_tree.theorems import THEOREMS
from algorithms.families.trees.shared.trees_pictures import telling_features
from algorithms.toolbox.impurity import Criterion, Total, total_impurity
from algorithms.toolbox.questions import Question, best_question, columns_of, counts_of
from algorithms.toolbox.trees import (
    LEAF,
    Leaf,
    Nodes,
    counts_at_nodes,
    errors_by_leaves,
    falls_at_nodes,
    leaf_of,
    leaves_of,
    parted,
    splittable,
)

UNSEEN, CLOSED, NOTHING = -3, -2, -1  # leaves: not looked at yet; not to be split; looked at, and nothing to ask
_ROUNDING = 1e-12  # of a gain, which is a difference of sums over the rows
PRUNED: dict[Pruning, str] = {  # why pruning ends
    "reduced error": "any node more that became a leaf would be wrong on more of the pruning rows",
    "cost complexity": "one leaf is left: the last of the nested trees",
}


class DecisionTreeState(State, frozen=True, kw_only=True):
    feature: Array  # (m,) what a node asks about, and a leaf would; or UNSEEN, CLOSED, NOTHING
    threshold: Array  # (m,) rows with x[feature] <= threshold go left; NaN without a question
    gain: Array  # (m,) n_l/n times the gain of that question; -inf without one
    left: Array  # (m,) the left child, and the right one is the next; LEAF for a leaf
    counts: Array  # (m, k) training rows of each class
    node: int = 0  # the leaf looked at, or the node just split


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
    pruning: Annotated[
        Pruning, Meta(description="once grown: where rows held out say so, or from the weakest link to one leaf")
    ] = "none",
    row: Annotated[int, Meta(ge=0, le=1_000_000, description="whose way down the tree is shown")] = 0,
) -> Run[DecisionTreeState]:
    columns, total = data.once(columns_of), total_impurity(criterion, data.n)
    if state is None:
        state = root(data, max_depth, min_leaf)
        yield state
    leaves, reason = leaves_of(tree_of(state), data.X), f"{max_leaves:,} leaves"
    while len(leaves) < max_leaves and state.phase != "prune":
        splits = len(leaves)  # with the one to come
        for node in np.flatnonzero(state.feature == UNSEEN).tolist():
            question = best_question(columns, leaves[node].rows, state.counts[node], total, min_leaf)
            state = state.after("look", node=node, iteration=splits, **answered(state, node, question, data.n))
            yield state
        node = most_gainful(state)
        if node == NOTHING or state.gain[node] < min_gain - _ROUNDING:
            reason = why_none(state, min_gain)
            break
        pair = parted(data.X, leaves.pop(node), state.feature[node], state.threshold[node])
        leaves |= enumerate(pair, len(state.left))
        state = state.after("split", node=node, iteration=splits, **grown(data, state, node, pair, max_depth, min_leaf))
        yield state
    while (node := next_node(pruning, data, tree_of(state), total)) != NOTHING:
        state = state.after("prune", node=node, iteration=state.iteration + 1, **pruned(state, node))
        yield state
    return reason if pruning == "none" else PRUNED[pruning]


def root(data: Dataset, max_depth: int, min_leaf: int) -> DecisionTreeState:
    """A tree of one leaf."""
    counts = counts_of(data.once(columns_of), np.arange(data.n))
    return DecisionTreeState(
        feature=np.array([UNSEEN if splittable(counts, 0, max_depth, min_leaf) else CLOSED]),
        threshold=np.array([np.nan]),
        gain=np.array([-np.inf]),
        left=np.array([LEAF]),
        counts=counts[None],
    )


def answered(state: DecisionTreeState, node: int, question: Question, n: int) -> dict[str, Array]:
    """The tree with the best question of a leaf, which may be none."""
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


def grown(
    data: Dataset, state: DecisionTreeState, node: int, pair: tuple[Leaf, Leaf], max_depth: int, min_leaf: int
) -> dict[str, Array]:
    """The tree with two leaves more, the children of a node."""
    left = counts_of(data.once(columns_of), pair[0].rows)
    counts = np.array((left, state.counts[node] - left))
    feature = [UNSEEN if splittable(c, leaf.depth, max_depth, min_leaf) else CLOSED for c, leaf in zip(counts, pair)]
    return {
        "feature": np.concatenate((state.feature, feature)),
        "threshold": np.concatenate((state.threshold, _NO_THRESHOLDS)),
        "gain": np.concatenate((state.gain, _NO_GAINS)),
        "left": np.concatenate((with_value(state.left, node, len(state.left)), _NO_CHILDREN)),
        "counts": np.concatenate((state.counts, counts)),
    }


_NO_THRESHOLDS, _NO_GAINS, _NO_CHILDREN = np.full(2, np.nan), np.full(2, -np.inf), np.full(2, LEAF)


def with_value(array: Array, place: int, value: float) -> Array:
    changed = array.copy()
    changed[place] = value
    return changed


def pruned(state: DecisionTreeState, node: int) -> dict[str, Array]:
    """The tree without what is below a node, which keeps its number."""
    kept = kept_nodes(state.left, node)
    return {
        "feature": state.feature[kept],
        "threshold": state.threshold[kept],
        "gain": state.gain[kept],
        "left": renumbered(state.left, node, kept),
        "counts": state.counts[kept],
    }


def why_none(state: DecisionTreeState, min_gain: float) -> str:
    """Why no leaf can be split any more."""
    node = most_gainful(state)
    if node != NOTHING:
        return f"no split gains {min_gain:g}; the best gains {state.gain[node]:.3g}"
    counts = state.counts[state.left == LEAF]
    mixed = int((counts.max(axis=1) < counts.sum(axis=1)).sum())
    if not mixed:
        return "every leaf is pure"
    which = f"{mixed} of {len(counts)} leaves {'are' if mixed > 1 else 'is'}" if len(counts) > 1 else "the one leaf is"
    return f"{which} mixed, and cannot be split: too deep, too small, or of rows alike"


def adapt(before: Problem, after: Problem, state: DecisionTreeState, rows: Array) -> DecisionTreeState:
    """The questions that were asked stay; the rows there are now are counted where they come to.

    What the questions gain is measured anew, and leaves that had been looked at are looked at again.
    """
    p, data, total = after.parameters, after.data, total_of(after)
    counts = counts_at_nodes(tree_of(state), data.X, np.asarray(data.y))
    feature, threshold = state.feature.copy(), state.threshold.copy()
    gain = np.where(state.left == LEAF, state.gain, falls_at_nodes(state.left, counts, total) / data.n)
    for node, leaf in leaves_of(tree_of(state), data.X).items():
        if not splittable(counts[node], leaf.depth, p.max_depth, p.min_leaf):
            feature[node], threshold[node], gain[node] = CLOSED, np.nan, -np.inf
        elif feature[node] == CLOSED:
            feature[node] = UNSEEN
        elif feature[node] != UNSEEN:
            question = best_question(data.once(columns_of), leaf.rows, counts[node], total, p.min_leaf)
            feature[node], threshold[node], gain[node] = question.feature, question.threshold, question.fall / data.n
    return state.replaced(feature=feature, threshold=threshold, gain=gain, counts=counts)


def tree_of(state: DecisionTreeState) -> Nodes:
    return Nodes(state.feature, state.threshold, state.left, state.counts)


@once
def total_of(problem: Problem) -> Total:
    """Rows times impurity, as the tree measures it."""
    return total_impurity(problem.parameters.criterion, problem.data.n)


def leaf_of_rows(problem: Problem, state: DecisionTreeState) -> Array:
    """(n,) the leaf that each row comes to; once for a tree, as a look at one of its leaves moves no row."""
    inner = state.left != LEAF
    asked = state.left, state.feature[inner], state.threshold[inner]
    return problem.data.once(_leaf_of_rows, *(part.tobytes() for part in asked))


def _leaf_of_rows(data: Dataset, left: bytes, feature: bytes, threshold: bytes) -> Array:
    """The same, where a tree asks this."""
    children = np.frombuffer(left, np.intp)
    inner, m = children != LEAF, len(children)
    asked = np.zeros(m, np.intp), np.zeros(m)
    asked[0][inner], asked[1][inner] = np.frombuffer(feature, np.intp), np.frombuffer(threshold)
    return leaf_of(Nodes(*asked, children, np.empty((m, 0))), data.X)


@kept
def look_of(problem: Problem, state: DecisionTreeState) -> Look:
    """What a step is about."""
    p, total, come_to = problem.parameters, total_of(problem), partial(leaf_of_rows, problem, state)
    return Look(problem.data, tree_of(state), come_to, state.gain, state.node, p.criterion, total, p.min_leaf)


def weighted_impurity(problem: Problem, state: DecisionTreeState) -> float:
    """Σ n_l/n I(l) over the leaves."""
    now = look_of(problem, state)
    return now.over(now.leaves)


def error(problem: Problem, state: DecisionTreeState) -> float:
    """The share of rows that are wrong; of those held out the ones that prune do not measure."""
    prunes = problem.training is not problem and problem.parameters.pruning == "reduced error"
    rows = MEASURING if prunes else slice(None)
    return float(look_of(problem, state).wrong[rows].mean())


def weakest_link(problem: Problem, state: DecisionTreeState) -> float:
    """The least g of a node: how much each leaf below it lowers Σ n_l/n I(l)."""
    link = float(links(state.left, costs(tree_of(state), total_of(problem))).min())
    return link if link < np.inf else np.nan


def none_to_look_at(state: DecisionTreeState) -> bool:
    return not (state.feature == UNSEEN).any()


def every_leaf_pure(problem: Problem, state: DecisionTreeState) -> bool | Sides:
    counts = state.counts[state.left == LEAF]
    mixed = int((counts.max(axis=1) < counts.sum(axis=1)).sum())
    return none_to_look_at(state) and Sides(("mixed leaves", mixed), ("0", 0))


def none_gains(problem: Problem, state: DecisionTreeState) -> bool | Sides:
    node, least = most_gainful(state), problem.parameters.min_gain
    return none_to_look_at(state) and node != NOTHING and Sides(("gain", state.gain[node]), ("min_gain", least))


def none_can_be_split(problem: Problem, state: DecisionTreeState) -> bool:
    """Of each leaf that is mixed and not too deep no question parts the rows as asked."""
    p, data = problem.parameters, problem.data
    leaves, columns = leaves_of(tree_of(state), data.X), data.once(columns_of)
    total = total_impurity(p.criterion, data.n)
    questions = (
        best_question(columns, leaf.rows, state.counts[node], total, p.min_leaf).feature
        for node, leaf in leaves.items()
        if splittable(state.counts[node], leaf.depth, p.max_depth, p.min_leaf)
    )
    return none_to_look_at(state) and all(feature < 0 for feature in questions)


def as_many_leaves(problem: Problem, state: DecisionTreeState) -> bool | Sides:
    count = int((state.left == LEAF).sum())
    return state.phase == "split" and Sides(("max_leaves", problem.parameters.max_leaves), ("leaves", count))


def grown_out(problem: Problem, state: DecisionTreeState) -> bool:
    """Whether there was nothing left to split when pruning began."""
    over = as_many_leaves(problem, state)
    gains = most_gainful(state) != NOTHING and bool(state.gain[most_gainful(state)] >= problem.parameters.min_gain)
    return state.phase == "prune" or (isinstance(over, Sides) and over.hold) or (none_to_look_at(state) and not gains)


def none_better_as_leaf(problem: Problem, state: DecisionTreeState) -> bool:
    """Each node with a question would, as a leaf, be wrong on more of the rows that prune."""
    assert problem.data.held_out is not None
    wrong = wrong_at_nodes(tree_of(state), *pruning_rows(problem.data.held_out))
    better = (state.left != LEAF) & (wrong <= below(state.left, wrong))
    return grown_out(problem, state) and not better.any()


def one_leaf_left(problem: Problem, state: DecisionTreeState) -> bool:
    return grown_out(problem, state) and len(state.left) == 1


def validate(problem: Problem) -> str | None:
    aside, row = problem.data.held_out, problem.parameters.row
    if row >= problem.data.n:
        return f"there is no row {row}: {problem.data.name} has {problem.data.n}, from row 0 on."
    if problem.parameters.pruning == "reduced error" and (aside is None or aside.n < 2):
        return f"reduced error pruning asks rows held out, and {problem.data.name} has none to spare: hold some out."
    return None


@once
def features_shown(problem: Problem) -> tuple[int, int] | None:
    p = problem.parameters
    return telling_features(problem.data.once(columns_of), total_of(problem), p.max_depth, p.min_leaf)


def measured(problem: Problem, aside: Dataset) -> tuple[Array, Array]:
    """The rows held out that measure."""
    return measuring_rows(aside) if problem.parameters.pruning == "reduced error" else (aside.X, np.asarray(aside.y))


def scene(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Scene:
    data, p, now = problem.data, problem.parameters, look_of(problem, after)
    held_out = None if data.held_out is None else errors_by_leaves(now.tree, *measured(problem, data.held_out))
    pruning: Pruning = p.pruning if after.phase == "prune" else "none"
    return pictures.scene(now, held_out, features_shown(problem), pruning, p.row)


def of_start(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> str:
    return words.start(look_of(problem, after))


def of_look(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> str:
    return words.looked(look_of(problem, after))


def of_split(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> str:
    aside = problem.held_out
    # of the rows held out those that prune do not measure
    held_out = None if aside is None else (len(measured(problem, aside.data)[1]), error(aside, after))
    return words.split(look_of(problem, after), error(problem, after), held_out, forked=before is None)


def of_pruning(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> str:
    was = None if before is None else tree_of(before)
    return words.pruned(problem.data, was, tree_of(after), after.node, total_of(problem), problem.parameters.pruning)


SYMBOLS = {
    "l": ("a leaf, or the leaf in hand", None),
    "n, n_l": ("rows, and those in leaf l", None),
    "x_j, θ": ("a feature, and the number it is compared with", None),
    "I(l)": ("impurity of leaf l: entropy in bits, Gini index, or error of its majority", None),
    "Σ n_l/n I(l)": ("impurity of the leaves, weighted by their rows", weighted_impurity),
    "α": ("weakest link: the least, over the nodes, that a leaf below one lowers Σ n_l/n I(l) by", None),
    "impurity": ("Σ n_l/n I(l)", weighted_impurity),
    "Gini": ("1 - Σ p_c², p_c the share of class c", None),
    "error": ("share of the rows that are not of their leaf's majority", error),
    "L, R": ("the parts of a leaf left and right of its question", None),
}


ALGORITHM = Algorithm(
    decision_tree,
    title="Decision tree",
    point="Each question cuts a box in two, there where it parts the classes best.",
    also=("cart",),
    leaves_open="Pure leaves are no proof: a tree can learn the noise by heart.",
    tries=(
        ("pruning", "--data moons:n=300,noise=0.25,seed=1 --hold-out 0.3 -p 'pruning=reduced error'"),
        ("decoys", "--data decoys"),
    ),
    asks=(
        Ask("Is the training error lower after the next step?", '"training error" falls', "look"),
        Ask("Is the error on rows held out higher after the next step?", '"held-out error" rises', "look"),
    ),
    summary="Asks the question about one feature that makes the classes purest, and again in the leaf that gains most.",
    rule="gain = I(l) - n_L/n_l I(L) - n_R/n_l I(R)   for x_j <= θ\nsplit the leaf with the greatest n_l/n gain",
    needs=Needs(target="class"),
    phases={
        "start": "all rows in one leaf",
        "look": "every question that a new leaf can be asked",
        "split": "the leaf whose best question gains most",
        "prune": "a node with all below it becomes a leaf",
    },
    events=("split", "prune"),
    # Between them a leaf has been looked at and its sibling has not.
    fork_after=("start", "split"),
    curves=(
        Curve(
            "error",
            error,
            "rows not of their leaf's majority",
            phases=("start", "split", "prune"),
            held_out=True,
            tone=pictures.TRAINING,
        ),
        Curve("weighted impurity", weighted_impurity, "Σ n_l/n I(l)", phases=("start", "split", "prune")),
        Curve("weakest link", weakest_link, "least g(t)", phases=("split", "prune"), chart="gain"),
        Curve(
            "gain",
            lambda problem, state: float(state.gain[state.node]),
            "n_l/n gain of a split",
            phases=("split",),
            tone="accent",
        ),
    ),
    objective={("weighted impurity", "weakest link"): ("criterion",)},
    theorems=through(look_of, *THEOREMS, *OF_PRUNING),
    ends={
        "every leaf is pure": every_leaf_pure,
        "no split gains …; the best gains …": none_gains,
        "… mixed, and cannot be split: …": none_can_be_split,
        "… leaves": as_many_leaves,
        PRUNED["reduced error"]: none_better_as_leaf,
        PRUNED["cost complexity"]: one_leaf_left,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": of_start, "look": of_look, "split": of_split, "prune": of_pruning},
    adapt=adapt,
    validate=validate,
    datasets=(
        moons.with_(n=300, noise=0.25, hold_out=0.3, seed=1),
        iris.with_(hold_out=0.3),
        penguins.with_(scale=True, hold_out=0.3),
        breast_cancer.with_(scale=True, hold_out=0.3),
        rings.with_(n=300),
        wine.with_(scale=True, hold_out=0.3),
        badges,
        iris_ratios,
        decoys,
    ),
)
