"""Bagging: a tree on each of many bags of rows, drawn with replacement, and the vote of the trees.

    draw   bag b: n rows drawn from the n rows, each draw any of them with chance 1/n
    grow   a tree on the bag, until no leaf can be split;    p <- shares of the trees' votes,   vote: the greatest

One row is in a bag with chance 1 - (1 - 1/n)^n, which goes to 1 - 1/e = 63.2% as n grows: that is the share of
different rows in a bag, on average over bags. The others are outside it, and the trees without a row can be asked for
its class: the out-of-bag error, an estimate of the error on new rows that costs none.

Without bags a rule that does the same on the same rows gives T equal trees, whose vote is the one tree's. With bags
they differ, and at every row, with the votes h and the class y as unit vectors,

    ‖p - y‖²  =  mean ‖h - y‖² - mean ‖h - p‖²:

the mean is never worse than its members are on average, and the better the more they differ. So bagging helps what
changes much with the rows, as a tree that is grown out does.

A row that is added is outside every bag drawn before; trees that were grown stay as they are.

References: Breiman (1996), Bagging predictors, Machine Learning 24(2); Efron (1979), Bootstrap methods: another look at
the jackknife, Annals of Statistics 7(1); Breiman (1996), Out-of-bag estimation, University of California, Berkeley;
Krogh and Vedelsby (1995), Neural network ensembles, cross validation, and active learning, NIPS 7; Breiman (2001),
Random forests, Machine Learning 45(1), section 2; Langford and Shawe-Taylor (2003), PAC-Bayes and margins, section 2.
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Curve,
    Dataset,
    Expectation,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    Theorem,
    numbers,
    once,
)
from algorithms.data import breast_cancer, iris, moons, penguins, rings, wine
from algorithms.toolbox.bags import Bagged, Plan, bag, followed, heard, says_of_rows, tally, tree_on_bag, with_votes
from algorithms.toolbox.impurity import Criterion, total_impurity
from algorithms.toolbox.panels.margins import margin_bars
from algorithms.toolbox.panels.trees import outline, telling_features
from algorithms.toolbox.panels.votes import trees_table, vote_stage
from algorithms.toolbox.questions import columns_of
from algorithms.toolbox.trees import LEAF
from algorithms.toolbox.vote_statements import (
    DECOMPOSED,
    DRAWS,
    OUT_OF_BAG,
    TWICE,
    best_at_the_root,
    correlation,
    margins,
    out_of_bag_error,
    parts,
    right_in_the_bag,
    spread,
    squared_error,
    squared_error_of_a_tree,
    strength,
    told_apart,
    tree_error,
    unseen,
    vote_error,
)


def bagging(
    data: Dataset,
    state: Bagged | None = None,
    *,
    trees: Annotated[int, Meta(ge=1, le=1000, description="trees in the vote")] = 40,
    bags: Annotated[bool, Meta(description="each tree on a bag of its own; else all on the rows as they are")] = True,
    criterion: Annotated[Criterion, Meta(description="the impurity of a leaf")] = "gini",
    max_depth: Annotated[int, Meta(ge=1, le=100, description="questions on the way to a leaf at most")] = 100,
    min_leaf: Annotated[int, Meta(ge=1, le=10_000, description="rows in a leaf at least")] = 1,
    seed: Annotated[Seed, Meta(description="of the bags")] = 0,
) -> Run[Bagged]:
    plan = Plan(criterion, data.d, max_depth, min_leaf, bags, seed)
    if state is None:
        state = Bagged.begun(data)
        yield state
    while (b := len(state.trees)) < trees or state.phase == "draw":
        if state.phase != "draw":
            drawn = bag(data.n, b, plan)
            state = state.after("draw", iteration=b + 1, bags=(*state.bags, drawn))
            yield state
        tree = tree_on_bag(data, b, plan)
        state = state.after("grow", **with_votes(state, tree, says_of_rows(data, tree)))
        yield state
    return f"{b:,} tree{'s' * (b > 1)}"


def plan_of(problem: Problem) -> Plan:
    p = problem.parameters
    return Plan(p.criterion, problem.data.d, p.max_depth, p.min_leaf, p.bags, p.seed)


def adapt(before: Problem, after: Problem, state: Bagged, rows: Array) -> Bagged:
    """The trees vote on the rows there are now, as they were grown."""
    return state if after.data is before.data else followed(state, after.data, rows)


def different(problem: Problem, state: Bagged) -> float:
    """The share of the rows that are in the newest bag."""
    return float((state.bags[-1] > 0).mean()) if state.bags else np.nan


def different_expected(problem: Problem, values: Mapping[str, Array]) -> float:
    """1 - (1 - 1/n)^n."""
    return in_a_bag(problem.data.n)


def in_a_bag(n: int) -> float:
    """1 - (1 - 1/n)^n, the chance that a row is in a bag of n draws."""
    return float(-np.expm1(n * np.log1p(-1.0 / n))) if n > 1 else 1.0


def no_bags(problem: Problem, state: Bagged) -> bool | str:
    return not problem.parameters.bags or "each tree has a bag of its own"


def root(problem: Problem, before: Bagged, after: Bagged) -> Answer:
    return best_at_the_root(problem, plan_of(problem), after)


def grown_out(problem: Problem, before: Bagged, after: Bagged) -> Answer:
    return right_in_the_bag(problem, plan_of(problem), after)


def all_the_same(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    said, vote = heard(problem, after), after.votes.argmax(axis=1)
    return Sides(
        ("largest spread", float(parts(problem, after).spread.max())),
        ("rows where the vote is not the first tree's", float((vote != said[0]).sum())),
        ("0", 0.0),
        relation="==",
        size=1.0,  # of a spread
    )


@once
def features_shown(problem: Problem) -> tuple[int, int] | None:
    p, data = problem.parameters, problem.data
    return telling_features(data.once(columns_of), total_impurity(p.criterion, data.n), p.max_depth, p.min_leaf)


def scene(problem: Problem, before: Bagged | None, after: Bagged) -> Scene:
    data, said = problem.data, heard(problem, after)
    newest = after.bags[-1] if after.bags else None
    wrong = (tally(problem, after).argmax(axis=1) != data.y) & bool(after.trees)
    panels = [vote_stage(data, after.trees, newest, wrong, features_shown(problem))]
    if after.trees:
        panels += [
            margin_bars(margins(unseen(problem), after).margins, "margin, held out" if data.held_out else "margin"),
            outline(data, after.trees[-1], 0),
            trees_table(after.trees, after.bags, said, np.asarray(data.y)),
        ]
    return Scene((*panels, numbers(so_far(problem, after))))


def so_far(problem: Problem, state: Bagged) -> dict[str, float | None]:
    """The errors, and what the squared error of the vote is made of."""
    return {
        "rows in a bag, expected": in_a_bag(problem.data.n) if problem.parameters.bags else 1.0,
        "rows in the newest": different(problem, state),
        "out-of-bag error": out_of_bag_error(problem, state),
        "mean ‖h - y‖²": squared_error_of_a_tree(problem, state),
        "less the spread": spread(problem, state),
        "is ‖p - y‖²": squared_error(problem, state),
        "strength s": strength(problem, state) if state.trees else None,
        "correlation ρ": correlation(problem, state) if state.trees else None,
    }


def explain_start(problem: Problem, before: Bagged | None, after: Bagged) -> str:
    n = problem.data.n
    if not problem.parameters.bags:
        return f"Every tree will be grown on the same {n} rows."
    return f"Each tree will have a bag of its own: {n} draws from {n} rows, {in_a_bag(n):.1%} of them on average."


def explain_draw(problem: Problem, before: Bagged | None, after: Bagged) -> str:
    n, newest, b = problem.data.n, after.bags[-1], len(after.bags)
    if not problem.parameters.bags:
        return f"Tree {b} gets the {n} rows as they are, like the others."
    most, there = int(newest.max()), int((newest > 0).sum())
    hit = f"Bag {b}: {n} draws hit {there} different rows, {there / n:.1%}; {in_a_bag(n):.1%} are expected."
    return f"{hit} Row {int(newest.argmax())} is in it {most} time{'s' * (most > 1)}, {n - there} rows are outside."


def explain_grow(problem: Problem, before: Bagged | None, after: Bagged) -> str:
    tree, b = after.trees[-1], len(after.trees)
    leaves, outside = int((tree.left == LEAF).sum()), after.bags[-1] == 0
    lost = int((says_of_rows(problem.data, tree) != problem.data.y)[outside].sum())
    grown = f"Tree {b} has {leaves} lea{'ves' if leaves > 1 else 'f'}"
    if outside.any():
        grown += f" and is wrong on {lost} of the {int(outside.sum())} rows outside its bag"
    name = "the training error" if problem.held_out is None else "the error on rows held out"
    vote, one = vote_error(unseen(problem), after), tree_error(unseen(problem), after)
    return f"{grown}. Of the vote of {b} {name} is {vote:.1%}; a tree has {one:.1%} on average."


def mean_tree_error(problem: Problem, values: Mapping[str, Array]) -> float:
    """The mean over the runs of a tree's error on rows held out."""
    return float(values["held-out error of a tree"].mean())


def held_out_vote_error(problem: Problem, state: Bagged) -> float:
    return np.nan if problem.held_out is None else vote_error(problem.held_out, state)


SYMBOLS = {
    "n": ("rows", lambda problem, state: problem.data.n),
    "b": ("number of a bag and of the tree on it", lambda problem, state: len(state.bags) or None),
    "h": ("a tree's vote on a row: 1 for its class, 0 for the others", None),
    "p": ("mean of the h: the shares of the votes", None),
    "y": ("a row's class, written like a vote", None),
    "‖p - y‖²": (
        "squared error of the vote, on rows held out where there are any",
        lambda problem, state: squared_error(problem, state) if state.trees else None,
    ),
}
THEOREMS = (
    DECOMPOSED,
    TWICE,
    OUT_OF_BAG,
    DRAWS,
    Theorem(
        "no question at a tree's root parts its bag better",
        root,
        source="Breiman et al. (1984)",
        about="step",
        phases=("grow",),
        proof=("every feature, and every place between two neighbouring values of it, is tried",),
    ),
    Theorem(
        "a tree that is grown out is right on its bag",
        grown_out,
        source="Breiman (1996)",
        about="step",
        phases=("grow",),
        hypotheses={"no two rows of different classes are equal": told_apart},
        proof=("a leaf of two classes holds two rows that differ in a feature, and can be split there",),
    ),
    Theorem(
        "without bags all trees are one, and so is their vote",
        all_the_same,
        source="Breiman (1996)",
        about="run",
        phases=("grow",),
        hypotheses={"the trees have no bags": no_bags},
        proof=("a tree is a function of its rows, and these are the same: no h differs from p",),
    ),
)

ALGORITHM = Algorithm(
    bagging,
    title="Bagging",
    summary="Grows a tree on each of many bags of rows, drawn with replacement, and lets the trees vote.",
    rule="bag b: n draws of the n rows, with replacement\np <- mean of the trees' votes h;   vote: the greatest",
    needs=Needs(target="class"),
    phases={
        "start": "no bag, no tree",
        "draw": "a bag: n draws from the rows, with replacement",
        "grow": "a tree on it, which joins the vote",
    },
    events=("grow",),
    fork_after=("start", "grow"),
    curves=(
        Curve("error", vote_error, "of the vote", phases=("grow",), held_out=True),
        Curve("out-of-bag error", out_of_bag_error, "by trees without the row", "error", phases=("grow",)),
        Curve("error of a tree", tree_error, "mean over the trees", "error", phases=("grow",), held_out=True),
        Curve("squared error", squared_error, "‖p - y‖²", "squared error", phases=("grow",)),
        Curve("of a tree", squared_error_of_a_tree, "mean ‖h - y‖²", "squared error", phases=("grow",)),
        Curve("spread", spread, "mean ‖h - p‖²", "squared error", phases=("grow",)),
        Curve("rows in the bag", different, "different ones, their share", phases=("draw",)),
        Curve("correlation", correlation, "ρ between the trees' margins", "trees", phases=("grow",)),
        Curve("strength", strength, "s, the mean margin", "trees", phases=("grow",)),
    ),
    theorems=THEOREMS,
    expectations=(
        Expectation(
            "E[share of the rows in a bag] = 1 - (1 - 1/n)^n",
            different,
            different_expected,
            names=("mean share", "1 - (1 - 1/n)^n"),
            source="Efron (1979)",
            fixed={"trees": 1, "bags": True},
            until=1,
            proof=("a row is missed by all n draws with chance (1 - 1/n)^n", "the share is a mean over the rows"),
        ),
        Expectation(
            "E[error of the vote on rows held out], beside E[error of a tree]",
            held_out_vote_error,
            mean_tree_error,
            names=("mean error of the vote", "mean error of a tree"),
            source="Breiman (1996)",
            over="data.hold_out_seed",
            data={"hold_out": 0.25},
            runs=100,
            proof=("no theorem says that the vote errs less often: its squared error is less, and that is measured",),
        ),
    ),
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "draw": explain_draw, "grow": explain_grow},
    adapt=adapt,
    datasets=(
        moons.with_(n=300, noise=0.3, hold_out=0.3, seed=1),
        iris.with_(hold_out=0.3),
        penguins.with_(scale=True, hold_out=0.3),
        wine.with_(scale=True, hold_out=0.3),
        rings.with_(n=200),
        breast_cancer.with_(scale=True, hold_out=0.3),
    ),
)
