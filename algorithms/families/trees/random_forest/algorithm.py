"""Random forest: bagging of trees that ask, at each node, about a few features drawn at random.

    draw      bag b: n rows drawn from the n rows
    grow      a tree on it: at each node √d of the d features are drawn, and the best question about these is asked;
              p <- shares of the trees' votes,   vote: the greatest
    permute   each feature in turn is shuffled among the rows outside the bag: how many more does the tree get wrong?

Trees on bags are much alike where one feature says most: all ask it first. Of a few features drawn it is often missing,
and so trees come to differ. With fewer features a tree is weaker, yet the correlation between trees falls, and that
pays: with s the strength, the mean margin of the rows, and ρ the mean correlation between the trees' margins, where
s > 0 and some tree's margin varies

    share of rows with margin <= 0   <=   var(margin)/s²   <=   ρ (1 - s²)/s²,

and at every row  ‖p - y‖² = mean ‖h - y‖² - mean ‖h - p‖²  for the votes h and the class y as unit vectors. With all d
features at each node it is bagging, tree for tree. Where none of the features drawn can be asked about, more are drawn.

s, ρ and the squared errors are measured on rows held out where there are any, else on those learnt from.

References: Breiman (2001), Random forests, Machine Learning 45(1), sections 2 and 10; Breiman (1996), Bagging
predictors, Machine Learning 24(2); Amit and Geman (1997), Shape quantization and recognition with randomized trees,
Neural Computation 9(7); Ho (1998), The random subspace method for constructing decision forests, IEEE Transactions on
Pattern Analysis and Machine Intelligence 20(8); Krogh and Vedelsby (1995), Neural network ensembles, cross validation,
and active learning, NIPS 7; Langford and Shawe-Taylor (2003), PAC-Bayes and margins, section 2; Efron (1979), Bootstrap
methods: another look at the jackknife, Annals of Statistics 7(1); Breiman, Friedman, Olshen and Stone (1984),
Classification and Regression Trees.
"""

from math import isqrt
from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Cursor,
    Curve,
    Dataset,
    Matrix,
    Meta,
    Needs,
    Panel,
    Path,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    Words,
    columns,
    once,
    theorem,
    through,
)
from algorithms.core.scene import Tone
from algorithms.core.text import counted
from algorithms.data import breast_cancer, moons, penguins, wine
from algorithms.families.trees.random_forest.importances import rises, shuffled
from algorithms.families.trees.shared.bags import (
    Bagged,
    Plan,
    bag_of,
    followed,
    in_a_bag,
    says,
    says_on_bag,
    tree_on_bag,
    with_votes,
)
from algorithms.families.trees.shared.vote_statements import (
    CORRELATION_TONE,
    GROWN_THEOREMS,
    STRENGTH_TONE,
    VOTE_CONTRAST,
    VOTE_CURVES,
    VOTE_SYMBOLS,
    VOTE_THEOREMS,
    Grown,
    beside_a_tree,
    chebyshev,
    correlation,
    margins,
    margins_of,
    strength,
    unseen,
)
from algorithms.families.trees.shared.votes_pictures import bag_drawn, of_the_vote, tree_grown, vote_panels
from algorithms.toolbox.impurity import Criterion
from algorithms.toolbox.trees import LEAF

_TREES = 20  # of the small forests that show what fewer features do
_FEW, _SMALL = 60, 15_000  # rows at least, and numbers in the data at most, that these are grown on
_NAMED = 3  # features in a sentence


UNMEASURED = np.zeros(0)  # stands for the rises of a tree whose features were not shuffled


class RandomForestState(Bagged, frozen=True, kw_only=True):
    rises: tuple[Array, ...] = ()  # one a tree, (d,): what shuffling a feature costs it, as a share of the rows outside


def random_forest(
    data: Dataset,
    state: RandomForestState | None = None,
    *,
    trees: Annotated[int, Meta(ge=1, le=1000, description="trees in the vote")] = 20,
    features: Annotated[int, Meta(ge=0, le=10_000, description="features drawn at a node; sqrt (or 0): √d of them")]
    | Literal["sqrt"] = "sqrt",
    importances: Annotated[bool, Meta(description="shuffle each feature outside the bag of each tree")] = True,
    criterion: Annotated[Criterion, Meta(description="the impurity of a leaf")] = "gini",
    max_depth: Annotated[int, Meta(ge=1, le=100, description="questions on the way to a leaf at most")] = 100,
    min_leaf: Annotated[int, Meta(ge=1, le=10_000, description="rows in a leaf at least")] = 1,
    seed: Annotated[Seed, Meta(description="of the bags and of the features drawn")] = 0,
) -> Run[RandomForestState]:
    plan = Plan(criterion, number_drawn(features, data.d), max_depth, min_leaf, True, seed)
    if state is None:
        state = RandomForestState.begun(data)
        yield state
    while True:
        if state.phase == "draw":
            tree = tree_on_bag(data, len(state.trees), plan)
            ballots = with_votes(state, tree, says_on_bag(data, len(state.trees), plan))
            state = state.after("grow", **ballots, rises=(*state.rises, UNMEASURED))
            yield state
        if state.phase == "grow" and importances:
            rise = lost_by_shuffling(data, state, len(state.trees) - 1, seed)
            state = state.after("permute", rises=(*state.rises[:-1], rise))
            yield state
        if (b := len(state.trees)) >= trees:
            return f"{b:,} tree{'s' * (b > 1)}"
        state = state.after("draw", iteration=b + 1, bags=(*state.bags, bag_of(data, b, plan)))
        yield state


def lost_by_shuffling(data: Dataset, state: RandomForestState, b: int, seed: int) -> Array:
    """(d,) what shuffling each feature costs tree b outside its bag."""
    return rises(state.trees[b], data.X, np.asarray(data.y), state.bags[b] == 0, (seed, b, 2))


def plan_of(problem: Problem) -> Plan:
    p = problem.parameters
    return Plan(p.criterion, drawn_at_a_node(problem), p.max_depth, p.min_leaf, True, p.seed)


def grown(problem: Problem, state: RandomForestState) -> Grown:
    return Grown(plan_of(problem), state)


def number_drawn(features: int | Literal["sqrt"], d: int) -> int:
    """How many of d features are drawn at a node."""
    return isqrt(d) if features in (0, "sqrt") else int(features)


def drawn_at_a_node(problem: Problem) -> int:
    return number_drawn(problem.parameters.features, problem.data.d)


def adapt(before: Problem, after: Problem, state: RandomForestState, rows: Array) -> RandomForestState:
    """The trees vote on the rows there are now, and are measured on them, as they were grown."""
    if after.data is before.data:
        return state
    now, seed = followed(state, after.data, rows), before.parameters.seed
    measured = (lost_by_shuffling(after.data, now, b, seed) if len(r) else r for b, r in enumerate(state.rises))
    return now.replaced(rises=tuple(measured))


def all_grown(problem: Problem, state: RandomForestState) -> bool | Sides:
    """As many trees vote as were asked for, and what was asked of each is measured."""
    last = state.phase == "permute" or state.phase == "grow" and not problem.parameters.importances
    return last and Sides(("trees asked for", problem.parameters.trees), ("trees", len(state.trees)))


def validate(problem: Problem) -> str | None:
    d, features = problem.data.d, problem.parameters.features
    if number_drawn(features, d) > d:
        return f"{features} features cannot be drawn at a node: {problem.data.name} has {d}."
    return None


def known_rises(state: RandomForestState) -> Array:
    """(T, d) the rises of the trees whose features were shuffled."""
    return np.array([rise for rise in state.rises if len(rise)])


def importance(state: RandomForestState) -> Array:
    """(d,) the mean rise over them."""
    return np.asarray(known_rises(state).mean(axis=0))


@once
def by_features(problem: Problem) -> dict[int, tuple[float, float, float]]:
    """Correlation, strength and share of margins <= 0 of small forests on the same bags, by features drawn at a node.

    With all of them it is bagging. Of few rows there are none, for ρ would be chance; nor of much data, where they
    would be as dear as the forest itself.
    """
    data, plan, aside = problem.data, plan_of(problem), unseen(problem).data
    y, k = np.asarray(aside.y), len(data.classes)
    if data.n < _FEW or data.n * data.d > _SMALL:
        return {}
    tried = sorted({1, drawn_at_a_node(problem), data.d})
    measured = {}
    for features in tried:
        of = Plan(plan.criterion, features, plan.max_depth, plan.min_leaf, True, plan.seed)
        said = np.stack([says(tree_on_bag(data, b, of), aside.X) for b in range(_TREES)])
        known = margins_of(said, y, k)
        measured[features] = known.correlation, known.strength, float((known.margins <= 0).mean())
    return measured


def scene(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> Scene:
    own = (*importance_panels(problem.data, after), *along_features(problem))
    return Scene(vote_panels(problem, after, own))


def along_features(problem: Problem) -> tuple[Panel, ...]:
    """Correlation, strength and error over the features drawn at a node, which is where this forest stands."""
    measured = by_features(problem)
    if not measured:
        return ()
    at, now = np.array([*measured]), drawn_at_a_node(problem)
    names = "correlation ρ", "strength s", "vote wrong"
    tones: tuple[Tone, ...] = (CORRELATION_TONE, STRENGTH_TONE, "wrong")
    lines = (
        Path(at=np.column_stack([at, values]), tone=tone, name=name)
        for values, tone, name in zip(np.array([*measured.values()]).T, tones, names)
    )
    picture = Panel(
        title="fewer features at a node",
        marks=(*lines, Cursor(x=float(now), name=f"{now}")),
        axes=("features drawn at a node", ""),
        limits=((0.5, problem.data.d + 0.5), (-0.02, 1.02)),
        note=f"{_TREES} trees each; {problem.data.d}: bagging",
    )
    return (picture,)


def importance_panels(data: Dataset, state: RandomForestState) -> tuple[Panel, ...]:
    """The mean rise of each feature with its standard error, the greatest first; of pictures as an image."""
    known = known_rises(state)
    if not (T := len(known)):
        return ()
    mean = known.mean(axis=0)
    deviation = known.std(axis=0, ddof=1) / np.sqrt(T) if T > 1 else np.full(len(mean), np.nan)
    order = np.argsort(-mean, kind="stable")
    heads = {
        "feature": [data.features[j] for j in order.tolist()],
        "rise": mean[order],
        "±": deviation[order],
        "newest": known[-1][order],
    }
    table = columns("importance: rise of the error", heads, note=f"{T} tree{'s' * (T > 1)}, outside their bags")
    if data.image is None:
        return (table,)
    picture = Matrix(values=mean.reshape(data.image), signed=True)
    return Panel(title="importance of the pixels", marks=(picture,)), table


def explain_start(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> str:
    n, d, m = problem.data.n, problem.data.d, drawn_at_a_node(problem)
    which = f"{m} of the {d} features, drawn anew" if m < d else f"all {d} features, as in bagging"
    return (
        f"Each tree will have a bag of {n} draws, {in_a_bag(n):.1%} of the rows on average. A node asks about {which}."
    )


def explain_draw(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> str:
    return bag_drawn(problem, after)


def explain_grow(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> str:
    return tree_grown(problem, after)


def explain_permute(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> str:
    names, b = problem.data.features, len(after.rises)
    newest, outside = after.rises[-1], int((after.bags[b - 1] == 0).sum())
    most, among = int(newest.argmax()), f"shuffled among the {counted(outside, 'row')} outside bag {b}"
    if newest[most] <= 0:
        own = f"No feature, {among}, costs tree {b} any."
    else:
        lost = round(float(newest[most]) * outside)
        own = f"S{among[1:]}, {names[most]} costs tree {b} most: {lost} more wrong."
    mean, of = importance(after), counted(len(known_rises(after)), "tree")
    first, *others = np.argsort(-mean, kind="stable")[:_NAMED].tolist()
    listed = "".join(f", {names[j]} {mean[j]:.1%}" for j in others)
    lost_by = f"On average over {of} shuffling {names[first]} makes {mean[first]:.1%} more wrong{listed}."
    last = len(after.trees) >= problem.parameters.trees
    return Words.of(own, of_the_vote(problem, after), lost_by) if last else f"{own} {lost_by}"


def variance_bound(problem: Problem, state: RandomForestState) -> float:
    """var/s²; NaN where s is not above 0."""
    known = margins(unseen(problem), state)
    return float(known.margins.var()) / known.strength**2 if known.strength > 0 else np.nan


def breiman_bound(problem: Problem, state: RandomForestState) -> float:
    """ρ(1 - s²)/s²; NaN where s is not above 0."""
    known = margins(unseen(problem), state)
    s = known.strength
    return known.correlation * (1.0 - s**2) / s**2 if s > 0 else np.nan


def correlation_or_none(problem: Problem, state: RandomForestState) -> float | None:
    rho = correlation(problem, state)
    return rho if np.isfinite(rho) else None


SYMBOLS = {
    **VOTE_SYMBOLS,
    "d": ("features", lambda problem, state: problem.data.d),
    "s": (
        "strength: mean margin, the share of the own class less the greatest of another",
        lambda problem, state: strength(problem, state) if state.trees else None,
    ),
    "ρ": ("mean correlation between the trees' margins", correlation_or_none),
    "var": ("variance of the margin over the rows held out, or all if none are", None),
}


@theorem(
    "a feature's rise is what shuffling it loses outside the bag",
    source="Breiman (2001)",
    about="step",
    phases=("permute",),
    proof=("that is the rule: the tree is asked again with the feature in another order",),
)
def as_much_as_is_lost(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> Answer:
    """For each feature that the tree asks about, as it answers of the rows with that column in the other order."""
    data, b = problem.data, len(after.rises) - 1
    tree, outside, y = after.trees[b], after.bags[b] == 0, np.asarray(problem.data.y)
    at, seed = data.X[outside], (problem.parameters.seed, b, 2)
    if not len(at):
        return None
    wrong = float((says(tree, at) != y[outside]).mean())
    asked = np.unique(tree.feature[tree.left != LEAF]).tolist()
    if not asked:
        return None
    lost = [float((says(tree, shuffled(at, j, seed)) != y[outside]).mean()) - wrong for j in asked]
    sides = ("rise", after.rises[-1][asked]), ("wrong shuffled - wrong", np.array(lost))
    return Sides.each(*sides, relation="==", size=1.0, entries=[data.features[j] for j in asked])


@theorem(
    "of a feature that a tree never asks about nothing is lost",
    source="Breiman (2001)",
    phases=("permute",),
    proof=("its answers do not hang on it",),
)
def nothing_is_lost(problem: Problem, before: RandomForestState | None, after: RandomForestState) -> Answer:
    tree = after.trees[-1]
    others = np.setdiff1d(np.arange(problem.data.d), tree.feature[tree.left != LEAF]).tolist()
    if not others:
        return None
    names = [problem.data.features[j] for j in others]
    return Sides.each(("rise", after.rises[-1][others]), ("0", 0.0), relation="==", size=1.0, entries=names)


THEOREMS = (
    chebyshev,
    *VOTE_THEOREMS,
    *through(grown, *GROWN_THEOREMS),
    as_much_as_is_lost,
    nothing_is_lost,
)

ALGORITHM = Algorithm(
    random_forest,
    title="Random forest",
    point="Trees that may ask about few features each err apart, and the vote evens it out.",
    after=("bagging",),
    leaves_open="Importance is of this forest: a feature that goes with another shares it.",
    tries=(("all 13 features", "-p features=13"), ("one feature a question", "-p features=1")),
    asks=(
        Ask.way("One tree more votes: what does the error on rows held out do?", '"held-out error"', "draw"),
        Ask.way("One tree more votes: what does the out-of-bag error do?", '"out-of-bag error"', "draw"),
    ),
    summary="Lets trees vote that are grown on bags of rows and ask at each node about a few features drawn at random.",
    rule="bag b: n draws of the n rows; at each node √d features\n"
    "p <- mean of the trees' votes h;   vote: the greatest",
    needs=Needs(target="class"),
    phases={
        "start": "no bag, no tree",
        "draw": "a bag: n draws from the rows, with replacement",
        "grow": "a tree on it, of a few features drawn at each node",
        "permute": "each feature is shuffled among the rows outside the bag",
    },
    events=("grow",),
    fork_after=("start", "grow", "permute"),
    curves=(
        *VOTE_CURVES,
        Curve("var/s²", variance_bound, "of the margin", "bound", ("grow",)),
        Curve("ρ(1 - s²)/s²", breiman_bound, "bounds the share of margins <= 0", "bound", ("grow",)),
    ),
    objective={},
    theorems=THEOREMS,
    contrast=VOTE_CONTRAST,
    expectations=(beside_a_tree("Breiman (2001)"),),
    ends={
        "… tree…": all_grown,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "draw": explain_draw, "grow": explain_grow, "permute": explain_permute},
    adapt=adapt,
    validate=validate,
    datasets=(
        wine.with_(scale=True, hold_out=0.3),
        moons.with_(n=200, noise=0.3, hold_out=0.3, seed=1),
        penguins.with_(scale=True, hold_out=0.3),
        breast_cancer.with_(scale=True, hold_out=0.3),
    ),
)
