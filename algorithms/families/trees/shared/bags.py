"""Bags: rows drawn with replacement, a tree on each bag, and the votes of the trees, on all rows and out of bag.

Bag b hangs on (seed, b) and the number of rows alone. A row that comes later is outside every bag drawn before it.
"""

from typing import Annotated, Literal, Self, TypeVar

import numpy as np
from msgspec import Struct

from algorithms.core import Along, Array, Dataset, Problem, State, kept
from algorithms.core.arrays import frozen
from algorithms.families.trees.shared.forests import Growth, grown
from algorithms.families.trees.shared.linear_voters import LinearVoter, linear_voter
from algorithms.toolbox.impurity import Criterion, total_impurity
from algorithms.toolbox.questions import columns_of
from algorithms.toolbox.trees import LEAF, Nodes, leaf_of, leaf_of_each

_AT_ONCE = 50_000  # rows in the bags of trees that are grown together
_MOST_AT_ONCE = 10

Base = Literal["tree", "stump", "least squares"]


class Plan(Struct, frozen=True):
    """How bags are drawn and trees are grown on them.

    Attributes:
        criterion: the impurity of a leaf.
        features: how many a node draws to ask about.
        max_depth, min_leaf: questions on the way to a leaf at most, rows in one at least.
        bootstrap: whether bags are drawn; else each holds every row once.
        base: what is fitted to a bag; a stump is a tree of one question.
    """

    criterion: Criterion
    features: int
    max_depth: int
    min_leaf: int
    bootstrap: bool
    seed: int
    base: Base = "tree"


class Bagged(State, frozen=True, kw_only=True):
    """Trees on bags of the rows.

    Attributes:
        bags: (n,) each, how often a row is in it; the last one has no tree yet when it was just drawn.
        trees: one a bag.
        votes: (n, K) how many trees say that a row is of a class.
        out: (n, K) the same of the trees whose bags are without the row.
    """

    bags: tuple[Array, ...] = ()
    trees: tuple[Nodes, ...] = ()
    votes: Annotated[Array, Along("n", "")]
    out: Annotated[Array, Along("n", "")]

    @classmethod
    def begun(cls, data: Dataset) -> Self:
        """No bag, no tree, no vote."""
        nothing = np.zeros((data.n, len(data.classes)), np.int64)
        return cls(votes=nothing, out=nothing.copy())


Held = TypeVar("Held", bound=Bagged)


def bag(n: int, b: int, plan: Plan) -> Array:
    """(n,) how often each row is in bag b."""
    if not plan.bootstrap:
        return np.ones(n, np.int64)
    return np.bincount(np.random.default_rng((plan.seed, b)).integers(n, size=n), minlength=n)


def bag_of(data: Dataset, b: int, plan: Plan) -> Array:
    """(n,) the same, kept with the data while trees are grown on it and on those next to it."""
    block, place, together = _place(data, b)
    return data.once(_bags, block, together, plan)[place]


def _bags(data: Dataset, block: int, together: int, plan: Plan) -> tuple[Array, ...]:
    return tuple(frozen(bag(data.n, b, plan)) for b in _numbers(block, together))


def _place(data: Dataset, b: int) -> tuple[int, int, int]:
    """The block of bags that bag b is in, its place there, and how many are in one."""
    together = max(1, min(_AT_ONCE // data.n, _MOST_AT_ONCE))
    return *divmod(b, together), together


def _numbers(block: int, together: int) -> range:
    return range(block * together, (block + 1) * together)


def in_a_bag(n: int) -> float:
    """1 - (1 - 1/n)^n, the chance that a row is in a bag of n draws."""
    return float(-np.expm1(n * np.log1p(-1.0 / n))) if n > 1 else 1.0


def tree_on_bag(data: Dataset, b: int, plan: Plan) -> Nodes:
    """The tree on bag b, grown together with those next to it: a level of several takes little more than one's."""
    if plan.base == "least squares":
        return data.once(_linear, b, plan.bootstrap, plan.seed)
    block, place, together = _place(data, b)
    return data.once(_block, block, together, plan)[place]


def _linear(data: Dataset, b: int, bootstrap: bool, seed: int) -> LinearVoter:
    drawn = bag(data.n, b, Plan("gini", 0, 0, 0, bootstrap, seed))
    return linear_voter(data.X, np.asarray(data.y), len(data.classes), drawn)


def _block(data: Dataset, block: int, together: int, plan: Plan) -> tuple[Nodes, ...]:
    bags = np.stack(data.once(_bags, block, together, plan))
    depth = 1 if plan.base == "stump" else plan.max_depth
    growth = Growth(total_impurity(plan.criterion, data.n), plan.features, depth, plan.min_leaf)
    return grown(data.once(columns_of), bags, growth, [(plan.seed, b, 1) for b in _numbers(block, together)])


def first_drawn(d: int, b: int, plan: Plan) -> Array:
    """(d,) the features in the order in which the root of tree b draws them."""
    if plan.features >= d:
        return np.arange(d)
    return np.asarray(np.random.default_rng((plan.seed, b, 1)).random((1, d)).argsort(axis=1)[0])


def with_votes(state: Bagged, tree: Nodes, says: Array) -> dict[str, object]:
    """The trees and another one, and the votes with its (n,) votes."""
    place = np.arange(len(says)) * state.votes.shape[1] + says
    votes, out = state.votes.copy(), state.out.copy()
    votes.reshape(-1)[place] += 1
    out.reshape(-1)[place] += state.bags[-1] == 0
    return {"trees": (*state.trees, tree), "votes": votes, "out": out}


def says(tree: Nodes, X: Array) -> Array:
    """(m,) the class that the leaf of each place votes for, or that has the greatest value there."""
    if isinstance(tree, LinearVoter):
        return np.asarray(tree.scores(X).argmax(axis=1))
    return np.asarray(tree.counts.argmax(axis=1)[leaf_of(tree, X)])


def _heard(data: Dataset) -> dict[Nodes, Array]:
    """What the trees that have been asked say of the rows."""
    return {}


def says_of_rows(data: Dataset, tree: Nodes) -> Array:
    """(n,) what a tree says of the rows of the data, kept with them."""
    heard = data.once(_heard)
    if tree not in heard:
        heard[tree] = says(tree, data.X)
    return heard[tree]


def says_on_bag(data: Dataset, b: int, plan: Plan) -> Array:
    """(n,) the same of the tree on bag b, asked together with those next to it."""
    tree, heard = tree_on_bag(data, b, plan), data.once(_heard)
    if tree not in heard:
        block, _, together = _place(data, b)
        trees = data.once(_block, block, together, plan)
        leaves = leaf_of_each(trees, data.X) if together > 1 else leaf_of(tree, data.X)[None]
        heard.update((tree, tree.counts.argmax(axis=1)[leaf]) for tree, leaf in zip(trees, leaves))
    return heard[tree]


@kept
def heard(problem: Problem, state: Bagged) -> Array:
    """(T, n) what each tree says of each row, asked anew."""
    said = [says_of_rows(problem.data, tree) for tree in state.trees]
    return np.stack(said) if said else np.zeros((0, problem.data.n), np.intp)


@kept
def tally(problem: Problem, state: Bagged) -> Array:
    """(n, K) the votes that this comes to."""
    return counted(heard(problem, state), len(problem.data.classes))


def counted(said: Array, k: int) -> Array:
    """(n, K) votes of (T, n) answers."""
    n = said.shape[1]
    return np.bincount((said + k * np.arange(n)).ravel(), minlength=n * k).reshape(n, k)


def followed(state: Held, data: Dataset, rows: Array) -> Held:
    """The trees as they are on the rows there are now; a new row is outside every bag drawn so far.

    Args:
        rows: (n,) for each row now, which one it was; -1 for a new one.
    """
    bags = tuple(np.where(rows < 0, 0, each[rows]) for each in state.bags)
    k, n = len(data.classes), data.n
    votes, out = np.zeros((n, k), np.int64), np.zeros((n, k), np.int64)
    for each, tree in zip(bags, state.trees):
        ballot = np.eye(k, dtype=np.int64)[says_of_rows(data, tree)]
        votes += ballot
        out += ballot * (each == 0)[:, None]
    return state.replaced(bags=bags, votes=votes, out=out)


def depth_of(tree: Nodes) -> int:
    """The most questions on the way to a leaf."""
    depth = np.zeros(len(tree.left), np.intp)
    for node in np.flatnonzero(tree.left != LEAF).tolist():
        depth[tree.left[node] : tree.left[node] + 2] = depth[node] + 1
    return int(depth.max())
