"""Gradient boosting: add small trees one at a time, each fitted to what the sum of the others leaves.

    residual   r_i <- -∂loss(y_i, f)/∂f at f(x_i)
    fit        h <- the greedy tree for r: each question lowers Σ (r_i - h(x_i))² most
    weigh      α <- argmin Σ loss(y_i, f(x_i) + α h(x_i)),   f <- f + ν α h

Earlier terms stay as they are: that is stagewise fitting. All three losses are convex: along h the mean loss is least
at one α, where Σ r h = 0 with the r of there, and between f and f + α h it is never above what it was: a step shrunk by
ν <= 1 never raises it either. With the squared loss r = y - f, the exact α is 1 for leaves that say the mean of
their r, and Σ r² falls by ν (2 - ν) (Σ r h)²/Σ h².

With the exponential loss h is a stump that says +1 or -1 and f starts at 0. Then r = y e^(-y f), and the stump with the
greatest Σ r h is that of least weighted error ε under D = e^(-y f)/Σ e^(-y f); the loss along it is least at
α = ½ ln((1 - ε)/ε), and it is multiplied by Z = 2 √(ε (1 - ε)): this is AdaBoost, stump by stump and weight by weight.

A Newton step in each leaf, Σ r/Σ ∂²loss/∂f² of its rows, can take the place of one α for all leaves; it may go too far.
f starts at the best constant. So the squared loss makes scikit-learn's GradientBoostingRegressor, and the logistic one
with Newton's steps its GradientBoostingClassifier, which draw one of equally good questions; here it is the first.
Greedy trees need not be the best of their depth beyond 1, as no question looks to those below it. Where none lowers
anything one is asked all the same, so that an exclusive or is found; a run ends where none of a tree does.

References: Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals of Statistics 29(5);
Friedman, Hastie and Tibshirani (2000), Additive logistic regression: a statistical view of boosting, Annals of
Statistics 28(2); Freund and Schapire (1997), A decision-theoretic generalization of on-line learning and an application
to boosting, Journal of Computer and System Sciences 55(1).
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Array,
    Ask,
    Contrast,
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
from algorithms.core.ranges import targets_out_of_range
from algorithms.data import breast_cancer, diabetes, faithful, iris, moons, sine
from algorithms.families.boosting.gradient_boosting import pictures, words
from algorithms.families.boosting.gradient_boosting.regression_trees import Regressor, weighted_sum
from algorithms.families.boosting.gradient_boosting.stages import (
    Stages,
    Weight,
    best_tree,
    nothing_left,
    shares,
    tells_nothing,
    unbounded,
    weighed,
)
from algorithms.families.boosting.gradient_boosting.stagewise import LOSSES, StageLoss, StageLossName, targets
from algorithms.families.boosting.gradient_boosting.theorems import THEOREMS
from algorithms.families.boosting.shared.flipped import weight_on_flipped
from algorithms.families.boosting.shared.stumps import sorted_features

_FIRST = 8  # trees by whose questions the two features are chosen that f is seen on
_LARGEST = 1e140  # a target, whose square is multiplied by the rows' number


class GradientBoostingState(State, frozen=True, kw_only=True):
    constant: float  # f before the first tree
    f: Annotated[Array, Along("n")]  # of the rows
    residual: Annotated[Array, Along("n")]  # r that the newest tree is fitted to, or the first is to be
    trees: tuple[Regressor, ...] = ()  # h, the newest last
    weights: Array  # (t,) να; one fewer than trees while the newest is not weighed


def gradient_boosting(
    data: Dataset,
    state: GradientBoostingState | None = None,
    *,
    loss: Annotated[
        StageLossName, Meta(description="of the sum; all but the squared one are for two classes")
    ] = "squared",
    depth: Annotated[int, Meta(ge=1, le=4, description="questions on the way to a leaf of a tree")] = 1,
    weight: Annotated[
        Weight, Meta(description="one for the tree by a line search, or a Newton step in each leaf")
    ] = "line search",
    step: Annotated[float, Meta(ge=0.001, le=2, description="ν, the share of the exact weight that is taken")] = 1.0,
    rounds: Annotated[int, Meta(ge=1, le=1000, description="trees in the sum, at most")] = 40,
) -> Run[GradientBoostingState]:
    losses, y = LOSSES[loss], targets(data)
    if state is None:
        state = begun(losses, y)
        yield state
    while state.iteration < rounds or state.phase != "weigh":
        if state.phase in ("start", "weigh"):
            if state.trees and unbounded(losses, weight, y, state.trees[-1](data.X)):
                return "the last tree is on the wrong side of no row: no weight of it is the best"
            residual = losses.pull(y, state.f)
            state = state.after("residual", iteration=state.iteration + 1, residual=residual)
            yield state
        if state.phase == "residual":
            if nothing_left(losses, y, state.residual):
                return "f is y on every row: no residual is left"
            tree = best_tree(data, losses, state.residual, depth)
            if tells_nothing(tree, data.X, state.residual):
                return "no question of the greedy tree tells the residuals apart"
            state = state.after("fit", trees=(*state.trees, tree))
            yield state
        tree, alpha = weighed(data, losses, state.trees[-1], state.f, state.residual, weight)
        state = state.after(
            "weigh",
            trees=(*state.trees[:-1], tree),
            weights=np.append(state.weights, step * alpha),
            f=state.f + step * alpha * tree(data.X),
        )
        yield state
    return f"{rounds:,} round{'s' * (rounds > 1)}"


def begun(losses: StageLoss, y: Array) -> GradientBoostingState:
    """No tree yet, and f the constant of least loss; 0 with the exponential one."""
    constant = losses.constant(y)
    f = np.full(len(y), constant)
    return GradientBoostingState(constant=constant, f=f, residual=losses.pull(y, f), weights=np.zeros(0))


def adapt(before: Problem, after: Problem, state: GradientBoostingState, rows: Array) -> GradientBoostingState:
    """The trees and their weights stay; f is their sum on the rows there are now, or the best constant of these."""
    losses, y = LOSSES[after.parameters.loss], targets(after.data)
    if after.data is before.data and (state.trees or after.parameters.loss == before.parameters.loss):
        return state
    constant = state.constant if state.trees else losses.constant(y)
    f = constant + weighted_sum(state.trees, state.weights, after.data.X)
    return state.replaced(constant=constant, f=f, residual=losses.pull(y, f))


@kept
def stages(problem: Problem, state: GradientBoostingState) -> Stages:
    """The sum on the rows it is fitted to, or on those held out."""
    p, f = problem.parameters, state.f if problem.training is problem else None
    fitted = state.constant, state.trees, state.weights, f, state.residual
    return Stages(problem.data, LOSSES[p.loss], p.weight, p.step, p.depth, *fitted)


def mean_loss(problem: Problem, state: GradientBoostingState) -> float:
    return stages(problem, state).mean_loss


def error(problem: Problem, state: GradientBoostingState) -> float:
    """The share of rows that f is on the wrong side of; NaN of numbers."""
    return stages(problem, state).error if problem.data.kind == "class" else np.nan


def rms_error(problem: Problem, state: GradientBoostingState) -> float:
    """The root mean square of y - f; NaN of classes."""
    return stages(problem, state).error if problem.data.kind == "number" else np.nan


def heaviest(problem: Problem, state: GradientBoostingState) -> float:
    """The share of the pulls |r| that the row with the greatest has."""
    return float(shares(state.residual).max()) if state.residual.any() else np.nan


def on_flipped(problem: Problem, state: GradientBoostingState) -> float:
    """The share of the pulls that the rows have whose label was turned on purpose."""
    return weight_on_flipped(problem.data, shares(state.residual)) if state.residual.any() else np.nan


def rounds_made(problem: Problem, state: GradientBoostingState) -> bool | Sides:
    """As many trees are weighed as may be."""
    return state.phase == "weigh" and Sides(("rounds", problem.parameters.rounds), ("trees", len(state.weights)))


def never_wrong(problem: Problem, state: GradientBoostingState) -> bool | Sides:
    """The tree that was weighed last says the sign of its class, or nothing, of every row."""
    if state.phase != "weigh" or problem.parameters.loss == "squared":
        return False
    return Sides(("0", 0.0), ("least y h", float((problem.data.signs * state.trees[-1](problem.data.X)).min())))


def nothing_is_left(problem: Problem, state: GradientBoostingState) -> bool | Sides:
    """f, added up from the trees, is y but for rounding."""
    y = targets(problem.data)
    if state.phase != "residual" or problem.parameters.loss != "squared":
        return False
    return Sides(("most |y - f|", float(np.abs(y - state.f).max())), ("rounding", 1e-12 * float(np.abs(y).max())))


def none_tells(problem: Problem, state: GradientBoostingState) -> bool:
    """The greedy tree has no question, or what it says has nothing to do with the residuals."""
    if state.phase != "residual":
        return False
    data, p = problem.data, problem.parameters
    return tells_nothing(best_tree(data, LOSSES[p.loss], state.residual, p.depth), data.X, state.residual)


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    if data.kind == "number":
        if p.loss != "squared":
            return f"the {p.loss} loss is for two classes, and {data.target} is a number: take the squared loss."
        return targets_out_of_range(data, _LARGEST, 1 / _LARGEST)
    if len(np.unique(data.signs)) < 2:
        return f"{data.name} has rows of one class only: there is nothing to tell apart."
    if p.loss == "exponential" and p.depth > 1:
        return "with the exponential loss the trees are stumps that say +1 or -1, as AdaBoost's: take depth 1."
    if p.loss == "exponential" and p.weight == "newton":
        return "with the exponential loss a stump says +1 or -1 and has one weight: take the line search."
    if p.loss == "exponential" and all(len(feature.cuts) == 0 for feature in data.once(sorted_features)):
        return f"every feature of {data.name} is constant, so no stump can tell the rows apart."
    return None


@once
def telling_features(problem: Problem) -> tuple[int, int] | None:
    """The two features that the first trees ask about first, the more the farther apart their leaves are."""
    data, p = problem.data, problem.parameters
    if data.d < 2:
        return None
    *_, last = gradient_boosting(data, loss=p.loss, depth=p.depth, rounds=_FIRST)
    trees = last.trees[: len(last.weights)]
    asked = np.array([tree.feature[0] for tree in trees], np.int64)
    apart = np.array([np.ptp(tree.value) for tree in trees]) * last.weights
    first, second = np.argsort(-np.bincount(asked, apart, data.d), kind="stable")[:2].tolist()
    return first, second


def scene(problem: Problem, before: GradientBoostingState | None, after: GradientBoostingState) -> Scene:
    return Scene(pictures.panels(stages(problem, after), after.phase, telling_features(problem)))


def explain(problem: Problem, before: GradientBoostingState | None, after: GradientBoostingState) -> str:
    now, held_out = stages(problem, after), problem.held_out
    aside = None if held_out is None else stages(held_out, after)
    match after.phase:
        case "residual":
            return words.residual(now)
        case "fit":
            return words.fit(now)
        case "weigh":
            return words.weigh(None if before is None else stages(problem, before), now, aside)
    return words.start(now, aside)


def searched(problem: Problem, state: GradientBoostingState) -> bool:
    """Whether there is a tree, and one weight for the whole of it is looked for."""
    return bool(state.trees) and problem.parameters.weight == "line search"


SYMBOLS = {
    "x, y": ("a row, and its target: a number, or its class as +1 or -1", None),
    "n": ("rows", lambda problem, state: problem.data.n),
    "f": ("the sum so far, c + Σ να h", None),
    "c": ("f before the first tree", lambda problem, state: state.constant),
    "r": ("residual -∂loss/∂f, which the next tree is fitted to", None),
    "h": ("a tree: a number for each of its leaves; n_l rows come to leaf l", None),
    "α": (
        "the weight where the loss along the last tree is least",
        lambda problem, state: stages(problem, state).best_weight if searched(problem, state) else None,
    ),
    "ν": ("the share of it that is taken", lambda problem, state: problem.parameters.step),
    "loss": ("½(y - f)² if squared, ln(1 + e^(-y f)) logistic, e^(-y f) exponential", None),
    "D": ("|r|/Σ |r|: of the exponential loss AdaBoost's weights", None),
    "ε": ("weight under D of the rows that a stump gets wrong", None),
    "Z": ("2 √(ε (1 - ε)), which the mean of e^(-y f) is multiplied by", None),
}


ALGORITHM = Algorithm(
    gradient_boosting,
    title="Gradient boosting",
    point="Each small tree is fitted to what the others left; the sum closes in on the rows.",
    after=("decision_tree", "adaboost"),
    also=("gbm", "gbdt"),
    leaves_open="A small loss on these rows is not yet small on others: see those held out.",
    tries=(("a tenth of each tree", "-p step=0.1"), ("deeper trees", "-p depth=4")),
    asks=(
        Ask.way("A tree more joins: what does the loss on rows held out do?", '"held-out loss"', "fit"),
        Ask.row("At which row is most left to be fitted?", "abs(residual)", "start or weigh"),
    ),
    summary="Adds small trees one at a time, each fitted to what the sum of the others leaves.",
    rule="r_i <- -∂loss(y_i, f)/∂f at f(x_i)\nh <- the greedy tree for least Σ (r - h)²\n"
    "α <- argmin Σ loss(y, f + α h),   f <- f + ν α h",
    needs=Needs(target="either", classes=2),
    phases={
        "start": "f is a constant",
        "residual": "what the sum leaves: the slope of the loss",
        "fit": "a tree that is fitted to it",
        "weigh": "its weight, and it joins the sum",
    },
    events=("weigh",),
    fork_after=("start", "weigh"),
    start_only=("depth",),
    curves=(
        Curve("loss", mean_loss, "mean loss(y, f)", phases=("start", "weigh"), held_out=True, tone="ink"),
        Curve("error", error, "share of rows with y f <= 0", phases=("start", "weigh"), held_out=True),
        Curve("RMS error", rms_error, "√ mean (y - f)²", "error", ("start", "weigh"), held_out=True),
        Curve("weight", lambda problem, state: float(state.weights[-1]), "ν α", phases=("weigh",)),
        Curve("heaviest row", heaviest, "greatest |r|/Σ |r|", chart="pull", phases=("residual",)),
        Curve("weight on flipped rows", on_flipped, "|r|/Σ |r| of those turned on purpose", "pull", ("residual",)),
    ),
    objective={("loss",): ("loss",)},
    theorems=through(stages, *THEOREMS),
    contrast=Contrast(
        "the mean loss on the rows that the trees are fitted to, and on rows held out",
        curves=("training loss", "held-out loss"),
        names=("training loss", "held-out loss"),
    ),
    ends={
        "… round…": rounds_made,
        "the last tree is on the wrong side of no row: …": never_wrong,
        "f is y on every row: no residual is left": nothing_is_left,
        "no question of the greedy tree tells the residuals apart": none_tells,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        sine.with_(n=80, noise=0.4, hold_out=0.33),
        diabetes.with_(scale=True, hold_out=0.25),
        moons.with_(n=200, noise=0.25, hold_out=0.33),
        moons.with_(n=60, noise=0.2, flip=0.1, hold_out=0.25),
        breast_cancer.with_(scale=True, hold_out=0.25),
        iris.with_(positive="versicolor"),
        faithful.with_(target="waiting"),
    ),
)
