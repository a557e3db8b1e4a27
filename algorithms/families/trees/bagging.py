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
changes much with the rows, as a tree that is grown out does. It asks nothing of trees: stumps or least squares may
stand in. Least squares hardly moves with the bag; so its spread is small, and that is all that its vote gains.

A row that is added is outside every bag drawn before; trees that were grown stay as they are.

References: Breiman (1996), Bagging predictors, Machine Learning 24(2); Efron (1979), Bootstrap methods: another look at
the jackknife, Annals of Statistics 7(1); Breiman (1996), Out-of-bag estimation, University of California, Berkeley;
Krogh and Vedelsby (1995), Neural network ensembles, cross validation, and active learning, NIPS 7; Breiman (2001),
Random forests, Machine Learning 45(1), section 2; Langford and Shawe-Taylor (2003), PAC-Bayes and margins, section 2;
Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees; Hastie, Tibshirani and Friedman (2009),
The Elements of Statistical Learning, section 4.2.
"""

from collections.abc import Mapping
from typing import Annotated, get_args

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Expectation,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    columns,
    once,
    theorem,
    through,
)
from algorithms.core.text import counted
from algorithms.data import breast_cancer, iris, moons, penguins, wine
from algorithms.families.trees.shared.bags import (
    Bagged,
    Base,
    Plan,
    bag,
    followed,
    heard,
    in_a_bag,
    says,
    says_of_rows,
    tree_on_bag,
    with_votes,
)
from algorithms.families.trees.shared.linear_voters import LinearVoter, slope
from algorithms.families.trees.shared.vote_statements import (
    GROWN_THEOREMS,
    VOTE_CONTRAST,
    VOTE_CURVES,
    VOTE_SYMBOLS,
    VOTE_THEOREMS,
    Grown,
    beside_a_tree,
    different,
    parts,
    squared_error,
)
from algorithms.families.trees.shared.votes_pictures import bag_drawn, tree_grown, vote_panels
from algorithms.toolbox.impurity import Criterion

_MEMBERS = 10  # of the votes that are compared


def bagging(
    data: Dataset,
    state: Bagged | None = None,
    *,
    trees: Annotated[int, Meta(ge=1, le=1000, description="trees in the vote")] = 25,
    bags: Annotated[bool, Meta(description="each tree on a bag of its own; else all on the rows as they are")] = True,
    base: Annotated[Base, Meta(description="what votes: trees, stumps of one question, least squares")] = "tree",
    criterion: Annotated[Criterion, Meta(description="the impurity of a leaf")] = "gini",
    max_depth: Annotated[int, Meta(ge=1, le=100, description="questions on the way to a leaf at most")] = 100,
    min_leaf: Annotated[int, Meta(ge=1, le=10_000, description="rows in a leaf at least")] = 1,
    seed: Annotated[Seed, Meta(description="of the bags")] = 0,
) -> Run[Bagged]:
    plan = Plan(criterion, data.d, max_depth, min_leaf, bags, seed, base)
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
    return counted(b, "tree" if base == "tree" else "stump" if base == "stump" else "linear rule")


def plan_of(problem: Problem) -> Plan:
    p = problem.parameters
    return Plan(p.criterion, problem.data.d, p.max_depth, p.min_leaf, p.bags, p.seed, p.base)


def grown(problem: Problem, state: Bagged) -> Grown:
    return Grown(plan_of(problem), state)


def adapt(before: Problem, after: Problem, state: Bagged, rows: Array) -> Bagged:
    """The trees vote on the rows there are now, as they were grown."""
    return state if after.data is before.data else followed(state, after.data, rows)


def different_expected(problem: Problem, values: Mapping[str, Array]) -> float:
    """1 - (1 - 1/n)^n."""
    return in_a_bag(problem.data.n)


def no_bags(problem: Problem, state: Bagged) -> bool | str:
    return not problem.parameters.bags or "each tree has a bag of its own"


def linear(problem: Problem, state: Bagged) -> bool | str:
    return isinstance(state.trees[-1], LinearVoter) or "the newest member is a tree"


class Measured(Struct, frozen=True):
    """Of a vote of a few: mean ‖h - y‖² of a member, the spread between them, and the shares that both get wrong."""

    one: float
    spread: float
    one_wrong: float
    vote_wrong: float


@once
def by_base(problem: Problem) -> dict[Base, Measured]:
    """What a vote of ten on bags of the same rows comes to with each base learner."""
    data, own = problem.data, plan_of(problem)
    aside = data.held_out or data
    y, k, measured = np.asarray(aside.y), len(data.classes), dict[Base, Measured]()
    for base in get_args(Base):
        plan = replace(own, base=base, bootstrap=True)
        said = np.stack([says(tree_on_bag(data, b, plan), aside.X) for b in range(_MEMBERS)])
        p = np.eye(k)[said].mean(axis=0)
        one, spread = 2 * float((said != y).mean()), 1 - float(np.square(p).sum(axis=1).mean())
        measured[base] = Measured(one, spread, one / 2, float((p.argmax(axis=1) != y).mean()))
    return measured


def bases_table(problem: Problem) -> Panel:
    """List what may vote: the squared error of one, the spread that the vote gains, and the shares wrong."""
    known = by_base(problem)
    heads = {
        "base": list(known),
        "one": [each.one for each in known.values()],
        "spread": [each.spread for each in known.values()],
        "vote": [each.one - each.spread for each in known.values()],
        "one wrong": [each.one_wrong for each in known.values()],
        "vote wrong": [each.vote_wrong for each in known.values()],
    }
    held_out = ", held out" if problem.data.held_out else ""
    marked = (list(known).index(problem.parameters.base),)
    return columns("what votes", heads, note=f"squared error, {_MEMBERS} on bags{held_out}", marked=marked)


def all_grown(problem: Problem, state: Bagged) -> bool | Sides:
    """As many rules vote as were asked for, each with a bag of its own."""
    votes = min(len(state.trees), len(state.bags))
    return state.phase == "grow" and Sides(("trees", problem.parameters.trees), ("rules", votes))


def scene(problem: Problem, before: Bagged | None, after: Bagged) -> Scene:
    panels = vote_panels(problem, after)
    return Scene((*panels, bases_table(problem)) if after.trees else panels)


def explain_start(problem: Problem, before: Bagged | None, after: Bagged) -> str:
    n = problem.data.n
    if not problem.parameters.bags:
        return f"Every tree will be grown on the same {n} rows."
    return f"Each tree will have a bag of its own: {n} draws from {n} rows, {in_a_bag(n):.1%} of them on average."


def explain_draw(problem: Problem, before: Bagged | None, after: Bagged) -> str:
    if not problem.parameters.bags:
        return f"Tree {len(after.bags)} gets the {problem.data.n} rows as they are."
    return bag_drawn(problem, after)


def explain_grow(problem: Problem, before: Bagged | None, after: Bagged) -> str:
    return tree_grown(problem, after)


SYMBOLS = {
    **VOTE_SYMBOLS,
    "c": ("how often a row is in the bag", None),
    "x, W": ("a row with the constant 1, features over their greatest size; weights of least squares", None),
    "‖p - y‖²": (
        "squared error of the vote, on rows held out where there are any",
        lambda problem, state: squared_error(problem, state) if state.trees else None,
    ),
}


@theorem(
    "without bags all trees are one, and so is their vote",
    source="Breiman (1996)",
    about="run",
    phases=("grow",),
    hypotheses={"the trees have no bags": no_bags},
    proof=("a tree is a function of its rows, and these are the same: no h differs from p",),
)
def all_the_same(problem: Problem, before: Bagged | None, after: Bagged) -> Answer:
    said, vote = heard(problem, after), after.votes.argmax(axis=1)
    return Sides(
        ("largest spread", float(parts(problem, after).spread.max())),
        ("rows where the vote is not the first tree's", float((vote != said[0]).sum())),
        ("0", 0.0),
        relation="==",
        size=1.0,  # of a spread
    )


@theorem(
    "least squares on a bag: Σ c x (y - Wx)ᵀ = 0",
    source="Hastie, Tibshirani and Friedman (2009), section 4.2",
    about="step",
    phases=("grow",),
    hypotheses={"the members are linear": linear},
    proof=("half the gradient of Σ c ‖y - Wx‖², a row that is c times in the bag counted c times",),
)
def stands_on_the_columns(problem: Problem, before: Bagged, after: Bagged) -> Answer:
    data, voter = problem.data, after.trees[-1]
    assert isinstance(voter, LinearVoter)
    at_best, added = slope(voter, data.X, np.asarray(data.y), after.bags[-1])
    columns = ("1", *data.features), [f"class {name}" for name in data.classes]
    sides = ("Σ c x (y - Wx)ᵀ", at_best), ("0", 0.0)
    return Sides.each(*sides, relation="==", size=100 * added, axes=columns)  # of a decomposition


THEOREMS = (
    *VOTE_THEOREMS,
    *through(grown, *GROWN_THEOREMS),
    all_the_same,
    stands_on_the_columns,
)

ALGORITHM = Algorithm(
    bagging,
    title="Bagging",
    point="Trees grown on different bags disagree; their vote is steadier than one of them.",
    after=("decision_tree",),
    also=("bootstrap aggregating",),
    leaves_open="A vote evens out what trees err apart, not what they err in common.",
    tries=(("stumps", "-p base=stump"), ("no bags", "-p bags=false")),
    asks=(
        Ask.way("One tree more votes: what does the error on rows held out do?", '"held-out error"', "draw"),
        Ask.way("One tree more votes: what does the out-of-bag error do?", '"out-of-bag error"', "draw"),
    ),
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
        *VOTE_CURVES,
        Curve("rows in the bag", different, "different ones, their share", phases=("draw",)),
    ),
    objective={},
    theorems=THEOREMS,
    contrast=VOTE_CONTRAST,
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
        beside_a_tree("Breiman (1996)"),
    ),
    ends={
        "… tree…": all_grown,
        "… stump…": all_grown,
        "… linear rule…": all_grown,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "draw": explain_draw, "grow": explain_grow},
    adapt=adapt,
    datasets=(
        moons.with_(n=300, noise=0.3, hold_out=0.3, seed=1),
        iris.with_(hold_out=0.3),
        penguins.with_(scale=True, hold_out=0.3),
        wine.with_(scale=True, hold_out=0.3),
        breast_cancer.with_(scale=True, hold_out=0.3),
    ),
)
