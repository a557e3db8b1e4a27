"""What holds of gradient boosting at each step: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, theorem
from algorithms.families.boosting.gradient_boosting.pictures import as_stump
from algorithms.families.boosting.gradient_boosting.regression_trees import best_falls, falls_at_nodes, rows_in_order
from algorithms.families.boosting.gradient_boosting.stages import Stages, shares, with_curvature
from algorithms.families.boosting.shared.stumps import TIE, cost, least_costs, sorted_features

_CUT = 299.0  # beyond it e^(-y f) is cut off
_AWAY = 1e-5  # δ of a difference: where δ² and what rounding does to it are alike


def safe(problem: Problem, now: Stages) -> bool | str:
    if now.weight == "newton" and now.loss.name != "squared":
        return "a Newton step in each leaf may go too far"
    return now.step <= 1 or now.loss.name != "logistic" or f"ν = {now.step:g} goes beyond the least loss along h"


def squared(problem: Problem, now: Stages) -> bool | str:
    return now.loss.name == "squared" or "the loss is not the squared one"


def exponential(problem: Problem, now: Stages) -> bool | str:
    return now.loss.name == "exponential" or "the loss is not the exponential one"


def means(problem: Problem, now: Stages) -> bool | str:
    return now.loss.name != "exponential" or "the stump says +1 or -1"


def classes(problem: Problem, now: Stages) -> bool | str:
    return now.data.kind == "class" or "the targets are numbers"


def searched(problem: Problem, now: Stages) -> bool | str:
    return now.weight == "line search" or "each leaf has a Newton step of its own"


def newton(problem: Problem, now: Stages) -> bool | str:
    return now.weight == "newton" or "one weight for the whole tree is searched for"


def whole_steps(problem: Problem, now: Stages) -> bool | str:
    return now.step == 1 or "AdaBoost takes whole steps, ν = 1"


def has_least(problem: Problem, now: Stages) -> bool | str:
    return now.wrong_somewhere or "h is on the wrong side of no row: no weight is the best, and 1 was taken"


AS_ADABOOST = {"the loss is exponential": exponential, "ν is 1": whole_steps, "h is wrong somewhere": has_least}


@theorem(
    "r is -∂loss/∂f",
    source="Friedman (2001), section 2",
    phases=("residual",),
    proof=("that is how r is made; for a small δ, loss(f - δ) - loss(f + δ) over 2δ stands beside it",),
)
def residual_is_slope(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    y, f, of = now.y, now.f, now.loss.of
    if now.loss.name == "squared":
        size = float(np.abs(y).max() + np.abs(f).max())
        away = float(np.abs(now.residual).max()) or size or 1.0  # of a parabola any will do; a large one rounds least
        slack = 8e-16 * size  # of y - f and of f ± δ
    else:
        if float((-y * f).max()) > _CUT:
            return DoesNotApply("e^(-y f) is cut off where it is no number any more")
        away = _AWAY
        slack = 1e-9 * (1.0 + float(np.abs(f).max())) * max(1.0, float(of(y, f).max()))  # δ², and rounding over δ
    difference = of(y, f - away) / (2 * away) - of(y, f + away) / (2 * away)
    return Sides.each(("r", now.residual), ("difference", difference), relation="==", slack=slack, axes=("row",))


@theorem(
    "no question fits r better",
    source="Friedman (2001), algorithm 1",
    phases=("fit",),
    proof=(
        "every feature, and every place between two neighbouring values of it, was tried",
        "exponential, h = ±1: Σ (r - βh)² is least where |Σ r h| = (1 - 2ε) Σ |r| is greatest",
    ),
)
def fits_best(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    data, tree = now.data, now.trees[-1]
    if now.loss.name == "exponential":
        D, features = shares(now.residual), data.once(sorted_features)
        mine = cost(as_stump(tree), data.X, data.signs, D, "error")
        least = least_costs(features, data.signs, D, "error")
        stumps = ("ε", mine), ("best of feature", least)
        return Sides.each(*stumps, size=1.0, slack=TIE, entries=data.features)  # what differs by less ties
    if len(tree.value) != 2**now.depth:  # a question less deep is one that was not asked
        return Sides(("leaves", len(tree.value)), ("2^depth", 2**now.depth), relation="==")
    best = best_falls(tree, data.X, data.once(rows_in_order), now.residual)
    fall, whole = falls_at_nodes(tree, data.X, now.residual), float(now.residual @ now.residual)
    sides = ("greatest fall of node", best), ("its fall", fall)
    return Sides.each(*sides, size=whole, slack=TIE * whole, axes=("node",))


@theorem(
    "a leaf says the mean of its residuals",
    source="Friedman (2001), section 4.3",
    phases=("fit",),
    hypotheses={"leaves say means": means},
    proof=("let v be what a leaf says: Σ (r - v)² of its rows has the slope -2Σ(r - v), 0 at the mean",),
)
def leaves_are_means(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    tree = now.trees[-1]
    leaves, many = tree.leaves(now.data.X), len(tree.value)
    rows = np.bincount(leaves, minlength=many)
    sums = np.bincount(leaves, now.residual, many)[rows > 0]
    sides, size = (("Σ r of leaf", sums), ("n_l h", (rows * tree.value)[rows > 0])), float(np.abs(now.residual).sum())
    return Sides.each(*sides, relation="==", size=size, entries=names_of_leaves(rows > 0))


def names_of_leaves(some: Array) -> list[str]:
    """Those that a (2^D,) mask has, as they stand side by side."""
    return [f"leaf {leaf}" for leaf in np.flatnonzero(some).tolist()]


@theorem(
    "at α the loss along h is least: Σ r h = 0 there",
    source="Friedman (2001), algorithm 1",
    about="step",
    phases=("weigh",),
    hypotheses={"α is searched for": searched, "h is wrong somewhere": has_least},
    proof=("the slope of Σ loss(y, f + α h) in α is -Σ r h with the r of f + α h",),
)
def exact(problem: Problem, before: Stages, now: Stages) -> Answer:
    there = now.loss.pull(now.y, before.f + now.alpha * now.h)
    size = float(np.abs(now.residual * now.h).sum())
    # f is rounded to within its own size, which counts where r is small beside it
    slack = 1e-15 * float(np.abs(before.f).max() + np.abs(now.y).max()) * float(np.abs(now.h).sum())
    return Sides(("Σ r h at f + α h", float(there @ now.h)), ("0", 0.0), relation="==", size=size, slack=slack)


@theorem(
    "a leaf takes its Newton step",
    source="Friedman (2001), section 4.5",
    about="step",
    phases=("weigh",),
    hypotheses={"each leaf has its own": newton},
    proof=(
        "for v in a leaf, Σ loss(y, f+v) is about Σ loss - vΣr + ½v² Σ loss'': least at Σr/Σ loss''",
        "where e^(-|f|) is 0 in double precision there is no loss'', and no step",
    ),
)
def newton_in_leaves(problem: Problem, before: Stages, now: Stages) -> Answer:
    """With Σ loss'' from differences of the residuals on either side of f."""
    tree, y, f = now.trees[-1], now.y, before.f
    size = float(np.abs(y).max() + np.abs(f).max())
    away = (size or 1.0) if now.loss.name == "squared" else _AWAY
    curvature = (now.loss.pull(y, f - away) - now.loss.pull(y, f + away)) / (2 * away)
    leaves, many = tree.leaves(now.data.X), len(tree.value)
    sums, curved = np.bincount(leaves, now.residual, many), np.bincount(leaves, curvature, many)
    # δ² of the residuals; rounding of each over δ, which v multiplies
    slack = 1e-9 * float(np.abs(now.residual).sum()) + 1e-10 * len(y) * float(np.abs(tree.value).max())
    taken = with_curvature(before, now)
    if not taken.any():
        return DoesNotApply("f is so large that no leaf has curvature left: none takes a step")
    sides = ("Σ r of leaf", sums[taken]), ("v Σ loss''", (tree.value * curved)[taken])
    return Sides.each(*sides, relation="==", slack=slack, entries=names_of_leaves(taken))


@theorem(
    "the mean loss never rises",
    source="Friedman (2001), section 3",
    about="step",
    phases=("weigh",),
    hypotheses={"να goes no further than is safe": safe},
    proof=(
        "along h the mean loss is convex, with its least at α: between 0 and α it only falls",
        "squared and exponential loss are symmetric about α, so up to 2α not above their start",
        "ν <= 1 stays before α, ν <= 2 before 2α",
    ),
)
def never_rises(problem: Problem, before: Stages, now: Stages) -> Answer:
    return Sides(("mean loss", now.mean_loss), ("before", before.mean_loss))


@theorem(
    "squared loss: Σ r² falls by ν (2 - ν) (Σ r h)²/Σ h²",
    source="Friedman (2001), section 4.1",
    about="step",
    phases=("weigh",),
    hypotheses={"the loss is squared": squared},
    proof=(
        "Σ (r - να h)² = Σ r² - 2 να Σ r h + ν² α² Σ h², and α = Σ r h/Σ h²",
        "so it is Σ r² - (2 ν - ν²) (Σ r h)²/Σ h²",
    ),
)
def falls_by_gain(problem: Problem, before: Stages, now: Stages) -> Answer:
    was, left = now.y - before.f, now.y - now.f
    size, share = float(was @ was), now.step * (2 - now.step)
    gain = share * (float(was @ now.h) / float(np.sqrt(now.h @ now.h))) ** 2
    # what rounding does to f is as large as y, also where r is small
    slack = 1e-15 * float(np.abs(now.y).max() + np.abs(now.f).max()) * float(np.abs(was).sum())
    fall = size - float(left @ left)
    named = "ν (2 - ν) (Σ r h)²/Σ h²"
    return Sides(("fall of Σ r²", fall), (named, gain), relation="==", size=size, slack=slack)


@theorem(
    "training error <= mean loss / loss(0)",
    source="Friedman, Hastie and Tibshirani (2000), section 2",
    phases=("start", "weigh"),
    hypotheses={"the targets are classes": classes},
    proof=("none of the losses is negative, and where y f <= 0 each is loss(0) or more",),
)
def bounds_error(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    of_trees = float(now.loss.of(now.y, now.summed(now.data.X)).mean())
    return Sides(("error", now.error), ("mean loss / loss(0)", of_trees / now.loss.at_zero))


@theorem(
    "exponential loss: every α is AdaBoost's ½ ln((1 - ε)/ε)",
    source="Friedman, Hastie and Tibshirani (2000), section 4",
    about="run",
    phases=("weigh",),
    hypotheses=AS_ADABOOST,
    proof=(
        "ε is measured under weights that AdaBoost's own rule makes: D <- D e^(-α y h)/Z from 1/n",
        "unravelled these are e^(-y f)/Σ e^(-y f) = |r|/Σ |r|",
        "Σ e^(-y f - α y h) = Σ e^(-y f) ((1 - ε) e^(-α) + ε e^α), least at ½ ln((1 - ε)/ε)",
    ),
)
def weights_of_adaboost(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    errors, slack = now.adaboost_errors, 1e-12 * float(now.weights.sum())  # D is a product, of which each α rounds one
    alphas = np.log((1 - errors) / errors) / 2
    sides, rounds = (("α", now.weights), ("½ ln((1 - ε)/ε)", alphas)), range(1, len(alphas) + 1)
    return Sides.each(*sides, relation="==", size=1.0, slack=slack, entries=[f"round {t}" for t in rounds])


@theorem(
    "exponential loss: the mean of e^(-y f) is Π Z",
    source="Friedman, Hastie and Tibshirani (2000), section 4",
    about="run",
    phases=("weigh",),
    hypotheses=AS_ADABOOST,
    proof=("at that α the mean is multiplied by (1 - ε) e^(-α) + ε e^α = 2 √(ε (1 - ε)) = Z",),
)
def loss_of_adaboost(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    errors = now.adaboost_errors
    product = float(np.exp(np.log(4 * errors * (1 - errors)).sum() / 2))
    return Sides(("mean e^(-y f)", now.mean_loss), ("Π Z", product), relation="==")


@theorem(
    "f is c + Σ να h over the trees",
    source="Friedman (2001), section 1",
    phases=("weigh",),
    proof=("f starts at c, and each round adds να h; earlier terms stay as they are",),
)
def sum_of_trees(problem: Problem, before: Stages | None, now: Stages) -> Answer:
    size = abs(now.constant) + float(np.abs(now.weights) @ [np.abs(tree.value).max() for tree in now.trees])
    return Sides.each(("f", now.f), ("c + Σ να h", now.summed(now.data.X)), relation="==", size=size, axes=("row",))


THEOREMS = (
    never_rises,
    residual_is_slope,
    fits_best,
    leaves_are_means,
    exact,
    newton_in_leaves,
    falls_by_gain,
    bounds_error,
    weights_of_adaboost,
    loss_of_adaboost,
    sum_of_trees,
)
