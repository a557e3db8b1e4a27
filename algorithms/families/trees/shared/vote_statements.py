"""What is measured and stated of votes of trees on bags: mean and spread, rows out of bag, strength and correlation.

With p the shares of the votes, h a tree's vote as a unit vector and y the class as one, at every row

    ‖p - y‖²  =  mean ‖h - y‖² - mean ‖h - p‖²,

the squared error of the mean is that of a tree, on average, less the spread between them. A row's margin is the share
of its own class less the greatest of another; s, the strength, is its mean over the rows. A tree's raw margin is +1
where it is right, -1 where it says that other class, and ρ is the variance of the margin over the square of the mean
deviation of the raw ones, their mean correlation. By Chebyshev, where s > 0 and some raw margin varies,

    share of margins <= 0   <=   var(margin)/s²   <=   ρ (1 - s²)/s².

References: Krogh and Vedelsby (1995), Neural network ensembles, cross validation, and active learning, NIPS 7;
Breiman (2001), Random forests, Machine Learning 45(1), section 2.
"""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from algorithms.core import (
    Answer,
    Array,
    Contrast,
    Curve,
    Dataset,
    DoesNotApply,
    Expectation,
    Problem,
    Sides,
    kept,
    once,
    theorem,
)
from algorithms.families.trees.shared.bags import Bagged, Plan, depth_of, first_drawn, heard, says_of_rows, tally
from algorithms.toolbox.impurity import total_impurity
from algorithms.toolbox.questions import columns_of, counts_of, survey
from algorithms.toolbox.trees import falls_at_nodes


def unseen(problem: Problem) -> Problem:
    """The problem of the rows held out; where there are none, of those learnt from."""
    return problem.held_out or problem


def shares(problem: Problem, state: Bagged) -> Array:
    """(n, K) the shares of the votes."""
    return np.asarray(tally(problem, state) / max(len(state.trees), 1))


def vote_error(problem: Problem, state: Bagged) -> float:
    """The share of rows that the vote, of equal ones the first class, gets wrong; NaN without a tree."""
    if not state.trees:
        return np.nan
    return float((tally(problem, state).argmax(axis=1) != problem.data.y).mean())


def tree_error(problem: Problem, state: Bagged) -> float:
    """The mean over the trees of the share of rows that they get wrong."""
    return float((heard(problem, state) != problem.data.y).mean()) if state.trees else np.nan


def unseen_tree_error(problem: Problem, state: Bagged) -> float:
    """The same of the rows held out; NaN where there are none."""
    return np.nan if problem.held_out is None else tree_error(problem.held_out, state)


def out_of_bag_error(problem: Problem, state: Bagged) -> float:
    """The share, of the rows outside some bag, that the trees of those bags together get wrong."""
    voted = state.out.any(axis=1)
    if not voted.any():
        return np.nan
    return float((state.out[voted].argmax(axis=1) != np.asarray(problem.data.y)[voted]).mean())


def different(problem: Problem, state: Bagged) -> float:
    """The share of the rows that are in the newest bag."""
    return float((state.bags[-1] > 0).mean()) if state.bags else np.nan


def own_share(data: Dataset, of_classes: Array) -> Array:
    """(n,) the share of each row's own class."""
    return np.asarray(of_classes[np.arange(data.n), data.y])


class Parts(Struct, frozen=True, eq=False):
    """(n,) each: squared error of the mean, mean squared error of a tree, spread between them."""

    mean: Array
    tree: Array
    spread: Array


@kept
def parts(problem: Problem, state: Bagged) -> Parts:
    """What the squared error of the vote is made of, from what the trees say now."""
    p = shares(problem, state)
    own, squares = own_share(problem.data, p), np.square(p).sum(axis=1)
    return Parts(1 - 2 * own + squares, 2 * (1 - own), 1 - squares)


def squared_error(problem: Problem, state: Bagged) -> float:
    """Mean over the rows of that of the vote; NaN without a tree."""
    return float(parts(unseen(problem), state).mean.mean()) if state.trees else np.nan


def squared_error_of_a_tree(problem: Problem, state: Bagged) -> float:
    return float(parts(unseen(problem), state).tree.mean()) if state.trees else np.nan


def spread(problem: Problem, state: Bagged) -> float:
    """Mean over the rows of that between the trees."""
    return float(parts(unseen(problem), state).spread.mean()) if state.trees else np.nan


class Margins(Struct, frozen=True, eq=False):
    """What is known of the margins of m rows.

    Attributes:
        margins: (m,) share of the own class less the greatest of another.
        raw: (T,) deviation over the rows of each tree's raw margin.
    """

    margins: Array
    deviations: Array

    @property
    def strength(self) -> float:
        return float(self.margins.mean())

    @property
    def correlation(self) -> float:
        """ρ; NaN where no raw margin varies."""
        mean = float(self.deviations.mean()) if len(self.deviations) else 0.0
        return float(self.margins.var()) / mean**2 if mean > 0 else np.nan


@kept
def margins(problem: Problem, state: Bagged) -> Margins:
    return margins_of(heard(problem, state), np.asarray(problem.data.y), len(problem.data.classes))


def margins_of(said: Array, y: Array, k: int) -> Margins:
    """Those of m rows of classes y, of which (T, m) trees say so."""
    T, m = said.shape
    if not T:
        return Margins(np.full(m, np.nan), np.zeros(0))
    votes = np.bincount((said + k * np.arange(m)).ravel(), minlength=m * k).reshape(m, k) / T
    others = votes.copy()
    others[np.arange(m), y] = -1.0
    other = others.argmax(axis=1)
    raw = (said == y).astype(float) - (said == other)
    return Margins(raw.mean(axis=0), raw.std(axis=1))


def strength(problem: Problem, state: Bagged) -> float:
    return margins(unseen(problem), state).strength


def correlation(problem: Problem, state: Bagged) -> float:
    return margins(unseen(problem), state).correlation


# Hypotheses


def some_tree(problem: Problem, state: Bagged) -> bool | str:
    return bool(state.trees) or "there is no tree yet"


def strong(problem: Problem, state: Bagged) -> bool | str:
    s = strength(problem, state)
    return s > 0 or f"the strength s = {s:.3g} is not above 0"


@once
def _told_apart(problem: Problem) -> bool:
    columns, y = problem.data.once(columns_of), np.asarray(problem.data.y)
    places = np.unique(columns.keys.T >> columns.bits, axis=0, return_inverse=True)[1].ravel()
    return len(np.unique(places)) == len(np.unique(np.column_stack([places, y]), axis=0))


def told_apart(problem: Problem, state: object) -> bool | str:
    return _told_apart(problem) or "rows of two classes are equal: no question parts them"


def varied(problem: Problem, state: Bagged) -> bool | str:
    return correlation(problem, state) == correlation(problem, state) or "no tree's margin varies: ρ is 0/0"


VOTED = {"there is a tree": some_tree}


@theorem(
    "at every row ‖p - y‖² = mean ‖h - y‖² - mean ‖h - p‖²",
    source="Krogh and Vedelsby (1995)",
    hypotheses=VOTED,
    phases=("grow",),
    proof=(
        "‖h - y‖² = ‖h - p‖² + 2 (h - p)·(p - y) + ‖p - y‖²",
        "p is the mean of the h, so the middle term is 0 on average",
        "no ‖h - p‖² is below 0: so ‖p - y‖² <= mean ‖h - y‖²",
    ),
)
def mean_less_spread(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    p = after.votes / len(after.trees)
    left = 1 - 2 * own_share(problem.data, p) + np.square(p).sum(axis=1)
    known = parts(problem, after)
    sides = ("‖p - y‖²", left), ("mean ‖h - y‖² - mean ‖h - p‖²", known.tree - known.spread)
    return Sides.each(*sides, relation="==", size=2.0, axes=("row",))  # a squared distance of two unit vectors


@theorem(
    "mean ½‖p - y‖² of the vote <= mean error of a tree",
    source="Breiman (1996)",
    hypotheses=VOTED,
    phases=("grow",),
    proof=(
        "p is the mean of the h, and squares are convex: ‖p - y‖² <= mean ‖h - y‖² (Jensen)",
        "½‖h - y‖² is 1 where h is another class than y, and 0 where it is that",
    ),
)
def no_worse_than_a_tree(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    vote, tree = squared_error(problem, after), squared_error_of_a_tree(problem, after)
    return Sides(("½‖p - y‖² of the vote", vote / 2), ("error of a tree", tree / 2), size=1.0)


@theorem(
    "out of bag a row is voted on by trees without it alone",
    source="Breiman (1996)",
    hypotheses=VOTED,
    phases=("grow",),
    proof=("that is the rule: a tree's vote on a row counts there where its bag is without the row",),
)
def out_of_their_bags(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    k, said = len(problem.data.classes), heard(problem, after)
    outside = np.stack(after.bags[: len(said)]) == 0
    codes = np.where(outside, said + k * np.arange(problem.data.n), -1)
    expected = np.bincount(codes[codes >= 0], minlength=after.out.size).reshape(after.out.shape)
    return Sides.each(
        ("votes out of bag", after.out), ("of trees without the row", expected), relation="==", axes=("row", "class")
    )


@theorem(
    "the vote errs at most twice as often as a tree",
    source="Langford and Shawe-Taylor (2003)",
    hypotheses=VOTED,
    phases=("grow",),
    proof=(
        "where another class has as many votes as a row's own, the own one has half of them at most",
        "so half of the trees or more are wrong there: mean error >= ½ error of the vote",
    ),
)
def twice_a_tree(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    wrong = after.votes.argmax(axis=1) != problem.data.y
    return Sides(("error of the vote", float(wrong.mean())), ("2 × a tree's", 2 * tree_error(problem, after)))


@theorem(
    "a bag is n draws",
    source="Efron (1979)",
    phases=("draw",),
    proof=("that is the rule: n rows are drawn with replacement; without bags each row is there once",),
)
def n_draws(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    return Sides(("Σ draws", float(after.bags[-1].sum())), ("n", problem.data.n), relation="==")


@theorem(
    "share of margins <= 0 is at most var/s² <= ρ(1 - s²)/s²",
    source="Breiman (2001)",
    hypotheses=VOTED | {"s > 0": strong, "some margin varies": varied},
    proof=(
        "a margin of 0 or less is s or more below its mean: by Chebyshev a share of var/s² at most",
        "a tree's raw margin is 1 if right, -1 if it says the other class; the margin is their mean",
        "so its variance is the mean of their covariances: ρ (mean deviation)², by what ρ is",
        "a raw margin is at most 1 in size: variance <= 1 - (its mean)²; s is the mean of the means",
        "so (mean deviation)² <= mean variance <= 1 - s² (Jensen, twice)",
    ),
)
def chebyshev(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    known = margins(unseen(problem), after)
    s, rho, variance = known.strength, known.correlation, float(known.margins.var())
    lost = float((known.margins <= 0).mean())
    return Sides(("margins <= 0", lost), ("var/s²", variance / s**2), ("ρ(1 - s²)/s²", rho * (1 - s**2) / s**2))


class Grown(Struct, frozen=True, eq=False):
    """The trees so far, and the plan by which they are grown."""

    plan: Plan
    at: Bagged


@theorem(
    "a tree's root asks the best question about what it draws",
    source="Breiman et al. (1984)",
    about="step",
    phases=("grow",),
    proof=("of the features it draws, every place between two neighbouring values is tried",),
)
def best_at_the_root(problem: Problem, before: Grown, now: Grown) -> Answer:
    """Rows times impurity fall at the root of the newest tree as by the best question on a feature it drew."""
    data, plan, tree, b = problem.data, now.plan, now.at.trees[-1], len(now.at.trees) - 1
    columns, total = data.once(columns_of), total_impurity(plan.criterion, data.n)
    rows = np.repeat(np.arange(data.n), now.at.bags[b])
    falls = falls_at_nodes(tree.left, tree.counts, total)
    if tree.left[0] < 0:
        return None
    best = survey(columns, rows, counts_of(columns, rows), total, plan.min_leaf).best
    drawn = [best[j].fall for j in first_drawn(data.d, b, plan).tolist()]
    asked = drawn[: plan.features]
    for fall in drawn[plan.features :]:
        if max(asked) > -np.inf:
            break
        asked.append(fall)
    sides = ("best of those drawn", max(asked)), ("fall at the root", falls[0])
    return Sides(*sides, relation="==", size=data.n * np.log2(data.n + 1))


@theorem(
    "a tree that is grown out is right on its bag",
    source="Breiman (1996)",
    about="step",
    phases=("grow",),
    hypotheses={"no two rows of different classes are equal": told_apart},
    proof=("a leaf of two classes holds two rows that differ in a feature, and can be split there",),
)
def right_in_the_bag(problem: Problem, before: Grown, now: Grown) -> Answer:
    plan, tree, inside = now.plan, now.at.trees[-1], now.at.bags[-1] > 0
    if plan.base != "tree":
        return DoesNotApply(f"the members are no trees that are grown out; each is a {plan.base} rule")
    if plan.min_leaf > 1 or depth_of(tree) >= plan.max_depth:
        return DoesNotApply("the tree is not grown out: leaves have to hold more rows, or it may not be deeper")
    wrong = (says_of_rows(problem.data, tree) != problem.data.y)[inside]
    return Sides(("rows of the bag it gets wrong", int(wrong.sum())), ("0", 0), relation="==")


TREE_HELD_OUT = "a tree, held out"
CORRELATION_TONE, STRENGTH_TONE = 5, 10  # in every panel and chart
VOTE_CURVES = (
    Curve("error", vote_error, "of the vote", phases=("grow",), held_out=True),
    Curve("out-of-bag error", out_of_bag_error, "by trees without the row", "error", phases=("grow",)),
    # tones that are not like those of the first classes, to which the next free ones would be
    Curve("a tree, training", tree_error, "mean error over the trees", "error", phases=("grow",), tone=7),
    Curve(TREE_HELD_OUT, unseen_tree_error, "the same on rows held out", "error", phases=("grow",), tone=11),
    Curve("squared error", squared_error, "‖p - y‖²", "squared error", phases=("grow",)),
    Curve("of a tree", squared_error_of_a_tree, "mean ‖h - y‖²", "squared error", phases=("grow",)),
    Curve("spread", spread, "mean ‖h - p‖²", "squared error", phases=("grow",)),
    Curve("correlation", correlation, "ρ between the trees' margins", "trees", phases=("grow",), tone=CORRELATION_TONE),
    Curve("strength", strength, "s, the mean margin", "trees", phases=("grow",), tone=STRENGTH_TONE),
)


def mean_tree_error(problem: Problem, values: Mapping[str, Array]) -> float:
    """The mean over the runs of a tree's error on rows held out."""
    return float(values[TREE_HELD_OUT].mean())


def held_out_vote_error(problem: Problem, state: Bagged) -> float:
    return np.nan if problem.held_out is None else vote_error(problem.held_out, state)


def beside_a_tree(source: str) -> Expectation:
    """The error of the vote on rows held out, over splits, beside that of a tree."""
    return Expectation(
        "E[error of the vote on rows held out], beside E[error of a tree]",
        held_out_vote_error,
        mean_tree_error,
        names=("mean error of the vote", "mean error of a tree"),
        source=source,
        over="data.hold_out_seed",
        data={"hold_out": 0.25},
        runs=100,
        proof=("no theorem says that the vote errs less often: its squared error is less, and that is measured",),
    )


VOTE_CONTRAST = Contrast(
    "on rows held out: the errors of the vote, and of a tree",
    curves=("held-out error", TREE_HELD_OUT),
    names=("error of the vote", "error of a tree"),
)
VOTE_THEOREMS = (no_worse_than_a_tree, mean_less_spread, twice_a_tree, out_of_their_bags, n_draws)
GROWN_THEOREMS = (best_at_the_root, right_in_the_bag)
VOTE_SYMBOLS = {
    "n": ("rows", lambda problem, state: problem.data.n),
    "b": ("number of a bag and of the tree on it", lambda problem, state: len(state.bags) or None),
    "h": ("a tree's vote on a row: 1 for its class, 0 for the others", None),
    "p": ("mean of the h: the shares of the votes", None),
    "y": ("a row's class, written like a vote", None),
}
