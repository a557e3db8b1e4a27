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

from typing import Annotated, get_args

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Curve,
    Dataset,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    kept,
    once,
)
from algorithms.data import badges, breast_cancer, iris, moons, penguins, rings, wine
from algorithms.families.trees.decision_tree import pictures, words
from algorithms.families.trees.decision_tree.pruning import (
    MEASURING,
    Pruning,
    costs,
    kept_nodes,
    links,
    measuring_rows,
    next_node,
    renumbered,
)
from algorithms.families.trees.decision_tree.pruning_theorems import theorems as pruning_theorems
from algorithms.toolbox.impurity import Criterion, Total, impurity, total_impurity
from algorithms.toolbox.panels.trees import asks, outline, part, spelt, telling_features
from algorithms.toolbox.questions import Question, Survey, best_question, columns_of, counts_of, survey
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
    rows_at,
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


@kept
def rows_of(problem: Problem, state: DecisionTreeState) -> Array:
    """The rows of the leaf looked at, or of the node just split."""
    return rows_at(tree_of(state), problem.data.X, state.node)


@kept
def surveyed(problem: Problem, state: DecisionTreeState) -> Survey | None:
    """What can be asked of them; None if they are too few."""
    rows, columns, least = rows_of(problem, state), problem.data.once(columns_of), problem.parameters.min_leaf
    if len(rows) < 2 * least:
        return None
    return survey(columns, rows, counts_of(columns, rows), total_of(problem), least)


@kept
def places(problem: Problem, state: DecisionTreeState) -> Array:
    """(n,) the leaf that each row comes to."""
    return leaf_of(tree_of(state), problem.data.X)


def weighted_impurity(problem: Problem, state: DecisionTreeState) -> float:
    """Σ n_l/n I(l) over the leaves."""
    return over_leaves(total_of(problem), state.counts[state.left == LEAF])


def over_leaves(total: Total, counts: Array) -> float:
    """Σ n_l/n I(l) for leaves with (leaves, k) counts."""
    return float(total(counts.T, counts.sum(axis=1)).sum() / counts.sum())


def wrong(problem: Problem, state: DecisionTreeState) -> Array:
    """(n,) bool: the rows that are not of their leaf's majority."""
    return np.asarray(state.counts.argmax(axis=1)[places(problem, state)] != problem.data.y)


def error(problem: Problem, state: DecisionTreeState) -> float:
    """The share of rows that are wrong; of those held out the ones that prune do not measure."""
    prunes = problem.training is not problem and problem.parameters.pruning == "reduced error"
    rows = MEASURING if prunes else slice(None)
    return float(wrong(problem, state)[rows].mean())


def weakest_link(problem: Problem, state: DecisionTreeState) -> float:
    """The least g of a node: how much each leaf below it lowers Σ n_l/n I(l)."""
    link = float(links(state.left, costs(tree_of(state), total_of(problem))).min())
    return link if link < np.inf else np.nan


def validate(problem: Problem) -> str | None:
    aside = problem.data.held_out
    if problem.parameters.pruning == "reduced error" and (aside is None or aside.n < 2):
        return f"reduced error pruning asks rows held out, and {problem.data.name} has none to spare: hold some out."
    return None


def earlier_leaves(state: DecisionTreeState) -> Array:
    """The leaves of the tree before its last split."""
    earlier = len(state.left) - 2
    return np.flatnonzero((state.left[:earlier] == LEAF) | (state.left[:earlier] == earlier))


def size_of_sums(problem: Problem) -> float:
    """The largest number that is added on the way to a mean impurity: log2 n, of (1/n) Σ n_l log2 n_l."""
    return 1.0 + float(np.log2(problem.data.n))


def fall_by_parting(problem: Problem, state: DecisionTreeState) -> float:
    """How far Σ n_l/n I(l) falls by the current question, from the rows that go either way."""
    data, total, rows = problem.data, total_of(problem), rows_of(problem, state)
    goes_left = data.X[rows, state.feature[state.node]] <= state.threshold[state.node]
    parts = [counts_of(data.once(columns_of), part) for part in (rows, rows[goes_left], rows[~goes_left])]
    whole, left, right = (float(total(counts, counts.sum())) for counts in parts)
    return (whole - left - right) / data.n


def something_to_ask(problem: Problem, state: DecisionTreeState) -> bool:
    return bool(state.feature[state.node] >= 0)


def no_gain_is_negative(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    asked, m = surveyed(problem, after), len(rows_of(problem, after))
    assert asked is not None
    kept = after.gain[after.node] * problem.data.n / m
    return Sides(("0", 0.0), ("least of all", asked.least / m), ("the one kept", kept), size=size_of_sums(problem))


def gains_most(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    asked = surveyed(problem, after)
    assert asked is not None
    return Sides(
        ("greatest of all", asked.greatest / problem.data.n),
        ("gain of the one kept", after.gain[after.node]),
        ("fall as it parts the rows", fall_by_parting(problem, after)),
        relation="==",
        size=size_of_sums(problem),
    )


def best_leaf_first(problem: Problem, before: DecisionTreeState, after: DecisionTreeState) -> Answer:
    leaves = earlier_leaves(after)
    return Sides(
        ("greatest of the leaves", after.gain[leaves].max()), ("that of the one split", after.gain[after.node])
    )


def never_rises(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    was = over_leaves(total_of(problem), after.counts[earlier_leaves(after)])
    return Sides(("Σ n_l/n I(l)", weighted_impurity(problem, after)), ("before", was), size=size_of_sums(problem))


def falls_by_the_gain(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    """From the rows as they come to the node and its children, not as they were counted."""
    fall, gain = fall_by_parting(problem, after), after.gain[after.node]
    return Sides(("fall", fall), ("gain", gain), relation="==", size=size_of_sums(problem))


def partition(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    data, leaves = problem.data, after.left == LEAF
    counts = np.minimum(after.counts, counts_at_nodes(tree_of(after), data.X, np.asarray(data.y)))[leaves]
    counted = int(after.counts[leaves].sum())
    return Sides(("n", data.n), ("Σ n_l", counted), ("found where counted", int(counts.sum())), relation="==")


def between_gini_and_entropy(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Answer:
    counts = after.counts[after.left == LEAF]
    measured = {name: over_leaves(total_impurity(name, problem.data.n), counts) for name in get_args(Criterion)}
    return Sides(
        ("½ Gini", measured["gini"] / 2),
        ("error", measured["error"]),
        ("½ entropy", measured["entropy"] / 2),
        size=size_of_sums(problem),
    )


@once
def features_shown(problem: Problem) -> tuple[int, int] | None:
    p = problem.parameters
    return telling_features(problem.data.once(columns_of), total_of(problem), p.max_depth, p.min_leaf)


def measured(problem: Problem, aside: Dataset) -> tuple[Array, Array]:
    """The rows held out that measure."""
    return measuring_rows(aside) if problem.parameters.pruning == "reduced error" else (aside.X, np.asarray(aside.y))


def scene(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> Scene:
    data, tree, node, rows = problem.data, tree_of(after), after.node, rows_of(problem, after)
    criterion, asked = problem.parameters.criterion, surveyed(problem, after)
    held_out = None if data.held_out is None else errors_by_leaves(tree, *measured(problem, data.held_out))
    panels = [
        pictures.stage(data, tree, node, rows, wrong(problem, after), features_shown(problem)),
        outline(data, tree, node),
        pictures.error_panel(errors_by_leaves(tree, data.X, np.asarray(data.y)), held_out),
        pictures.leaves_table(data, tree, after.gain, node, criterion),
    ]
    if something_to_ask(problem, after) and asked is not None:
        total, least = total_of(problem), problem.parameters.min_leaf
        panels.insert(2, pictures.gain_panel(data, tree, node, rows, criterion, total, least))
        panels.insert(4, pictures.features_table(data, node, len(rows), asked))
    if problem.parameters.pruning != "none" and after.phase == "prune":
        panels.insert(2, pictures.links_table(data, tree, node, total_of(problem), problem.parameters.pruning))
    return Scene(tuple(panels))


def explain(problem: Problem, before: DecisionTreeState | None, after: DecisionTreeState) -> str:
    data, node, rows = problem.data, after.node, rows_of(problem, after)
    m, counts = len(rows), counts_of(data.once(columns_of), rows)
    classes = spelt(data, counts)
    mixed = pictures.amount(problem.parameters.criterion, impurity(problem.parameters.criterion, counts))
    if after.phase == "start":
        return f"All {m} rows are in one leaf: {classes}, {mixed}."
    if after.phase == "prune":
        was = None if before is None else tree_of(before)
        return words.pruned(data, was, tree_of(after), node, total_of(problem), problem.parameters.pruning)
    holds = f"Leaf {node} holds {m} row{'s' * (m != 1)}, {classes}"
    if not something_to_ask(problem, after):
        return f"{holds}: no question parts them as it should, so it stays a leaf."
    question = asks(data, tree_of(after), node)
    if after.phase == "look":
        asked = surveyed(problem, after)
        gain, rivals = after.gain[node] * data.n / m, asked.asked if asked else 1
        first = (
            f"Of {rivals} questions {question} gains most," if rivals > 1 else f"The only question, {question}, gains"
        )
        return f"{holds}, {mixed}. {first} {gain:.3g}; by the leaf's share, {after.gain[node]:.3g}."
    left = int(after.left[node])
    parts = " and ".join(part(data, counts) for counts in after.counts[left : left + 2])
    errors = f"The training error is {error(problem, after):.1%}"
    if problem.held_out is not None:
        n = problem.held_out.data.n
        errors += f", that on {n} row{'s' * (n > 1)} held out {error(problem.held_out, after):.1%}"
    return f"Leaf {node} gains most: {question} parts its {m} rows into {parts}. {errors}."


SYMBOLS = {
    "l": ("a leaf; L and R are the two that a question would make of it", None),
    "n, n_l": ("rows, and those in leaf l", None),
    "x_j, θ": ("a feature, and the number it is compared with", None),
    "I(l)": ("impurity of leaf l: entropy in bits, Gini index, or error of its majority", None),
    "Σ n_l/n I(l)": ("impurity of the leaves, weighted by their rows", weighted_impurity),
    "g(t)": ("how much each leaf below node t lowers Σ n_l/n I(l)", None),
    "α": ("the least g(t) of the tree that was pruned", None),
    "R": ("Σ n_l/n I(l)", None),
    "Gini": ("1 - Σ p_c², p_c the share of class c", None),
    "error": ("share of the rows that are not of their leaf's majority", error),
}
DEFINED = "gain = I(l) - n_L/n_l I(L) - n_R/n_l I(R)"
THEOREMS = (
    Theorem(
        "no question has a negative gain",
        no_gain_is_negative,
        source="Quinlan (1986) for the entropy; Breiman et al. (1984)",
        phases=("look",),
        hypotheses={"there is something to ask": something_to_ask},
        proof=(
            DEFINED,
            "shares of the classes: p(l) = n_L/n_l p(L) + n_R/n_l p(R), a mean of those in the parts",
            "I is concave in them: I(l) >= n_L/n_l I(L) + n_R/n_l I(R) (Jensen)",
        ),
    ),
    Theorem(
        "the question kept gains most of all",
        gains_most,
        source="Breiman et al. (1984)",
        phases=("look",),
        hypotheses={"there is something to ask": something_to_ask},
        proof=(
            "I changes only where the parting does: between two neighbouring values of a feature",
            "so every feature and every place between neighbours is all that can be asked",
        ),
    ),
    Theorem(
        "the leaf that is split gains most of the leaves",
        best_leaf_first,
        source="Shi (2007)",
        about="step",
        phases=("split",),
        proof=("that is the rule: n_l/n times the gain is what Σ n_l/n I(l) falls by",),
    ),
    Theorem(
        "the weighted impurity never rises",
        never_rises,
        source="Breiman et al. (1984)",
        phases=("split",),
        proof=("a split changes one term of Σ n_l/n I(l), by n_l/n times a gain", "no gain is negative"),
    ),
    Theorem(
        "it falls by n_l/n times the gain",
        falls_by_the_gain,
        source="Breiman et al. (1984)",
        phases=("split",),
        proof=(DEFINED, "n_l/n I(l) - n_L/n I(L) - n_R/n I(R) = n_l/n gain, and no other leaf changes"),
    ),
    Theorem(
        "the leaves partition the rows",
        partition,
        source="Breiman et al. (1984)",
        phases=("start", "split", "prune"),
        proof=("x_j <= θ or x_j > θ: each row of a node goes to one child, and to one only",),
    ),
    Theorem(
        "½ Gini <= error <= ½ entropy",
        between_gini_and_entropy,
        source="Cover and Hart (1967); Hellman and Raviv (1970)",
        phases=("start", "split", "prune"),
        proof=(
            "in a leaf whose greatest share is m, e = 1 - m is the error, and Σ p_c² >= m²",
            "so ½ (1 - Σ p_c²) <= ½ (1 - m²) = ½ e (1 + m) <= e",
            "of all shares p_c <= m the concave entropy H is least at a corner, (m, ..., m, rest)",
            "from k equal shares to k + 1 these corners are a line; on it H is concave and e linear",
            "with k equal shares ½ H = ½ log2 k >= 1 - 1/k = e, so ½ H >= e in between too",
            "the mean over the leaves keeps both",
        ),
    ),
    *pruning_theorems(tree_of, total_of),
)

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
        "prune": "a node with all below it becomes a leaf",
    },
    events=("split", "prune"),
    # Between them a leaf has been looked at and its sibling has not.
    fork_after=("start", "split"),
    curves=(
        Curve("error", error, "rows not of their leaf's majority", phases=("start", "split", "prune"), held_out=True),
        Curve("weighted impurity", weighted_impurity, "Σ n_l/n I(l)", phases=("start", "split", "prune")),
        Curve("weakest link", weakest_link, "least g(t)", phases=("split", "prune"), chart="gain"),
        Curve("gain", lambda problem, state: float(state.gain[state.node]), "n_l/n gain of a split", phases=("split",)),
    ),
    theorems=THEOREMS,
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
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
    ),
)
