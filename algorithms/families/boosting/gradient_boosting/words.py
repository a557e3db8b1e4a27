"""What is said of the steps of gradient boosting, with this step's numbers."""

import numpy as np

from algorithms.core import Words
from algorithms.families.boosting.gradient_boosting.pictures import in_words
from algorithms.families.boosting.gradient_boosting.regression_trees import falls_at_nodes
from algorithms.families.boosting.gradient_boosting.stages import Stages, shares, with_curvature

_BEGINS = {
    "squared": "the mean of the targets",
    "logistic": "the log odds of the classes",
    "exponential": "where AdaBoost starts",
}


def in_error(now: Stages, aside: Stages | None) -> str:
    """What f is off by, and on rows held out."""
    if now.data.kind == "class":
        held_out = "" if aside is None else f", and of {round(aside.error * aside.data.n)} of {aside.data.n} held out"
        return f"f is on the wrong side of {round(now.error * now.data.n)} of {now.data.n} rows{held_out}."
    held_out = "" if aside is None else f"; of the {aside.data.n} rows held out it is {aside.error:.3g}"
    return f"The residuals' root mean square is {now.error:.3g}{held_out}."


def start(now: Stages, aside: Stages | None) -> str:
    if now.trees:
        return Words.of(f"The sum of {len(now.trees)} trees.", in_error(now, aside))
    none = f"There is no tree yet: f is {now.constant:.3g} everywhere, {_BEGINS[now.loss.name]}."
    return Words.of(none, in_error(now, aside))


def residual(now: Stages) -> str:
    row = int(np.abs(now.residual).argmax())
    target, f, r = float(now.y[row]), float(now.f[row]), float(now.residual[row])
    made = f"y - f = {r:.3g}" if now.loss.name == "squared" else f"-∂loss/∂f = {r:.3g}"
    return (
        f"What f leaves is fitted next. The most is left at row {row} ({now.data.row(row)}): "
        f"y = {target:.4g} and f = {f:.4g}, so r = {made}."
    )


def fit(now: Stages) -> str:
    tree, number, asked = now.trees[-1], len(now.trees), in_words(now.data, now.trees[-1])
    if now.loss.name == "exponential":
        share = float(shares(now.residual)[now.h != now.y].sum())
        return f"Stump {number} says {asked}. It is wrong on {share:.3g} of Σ |r|, the least of all stumps."
    fall = float(falls_at_nodes(tree, now.data.X, now.residual).sum())
    explained = f"{fall / float(((now.residual - now.residual.mean()) ** 2).sum()):.1%} of Σ (r - mean)²"
    if len(tree.value) == 2:
        low, high = tree.value.tolist()
        return (
            f"{asked}? Of all questions it explains most, {explained}: h is {low:.3g} there and {high:.3g} elsewhere."
        )
    leaves = f"its {len(tree.value)} leaves, each at the mean of its r, explain {explained}"
    return f"Tree {number} asks {asked}: {leaves}."


def weigh(before: Stages | None, now: Stages, aside: Stages | None) -> str:
    taken, nu = float(now.weights[-1]), now.step
    if before is None:  # across a fork: it may have been another loss, share or way to weigh
        weighs = f"The last of {len(now.weights)} trees has the weight {taken:.3g}."
    elif now.weight == "newton":
        weighs = "Each leaf takes its Newton step" + (f", and {nu:g} of it is added." if nu != 1 else ".")
        held = np.bincount(now.trees[-1].leaves(now.data.X), minlength=len(now.trees[-1].value)) > 0
        if straight := int((held & ~with_curvature(before, now)).sum()):
            leaves = "leaf has" if straight == 1 else "leaves have"
            weighs += f" {straight} {leaves} no curvature left, and so no step."
    elif not now.wrong_somewhere:
        weighs = "The tree is on the wrong side of no row, so no weight is the best; it gets 1."
    else:
        share = f", and ν = {nu:g} takes {taken:.3g}" if nu != 1 else ""
        weighs = f"Along the tree the mean loss is least at α = {now.alpha:.3g}{share}."
    fell = (
        f"goes from {before.mean_loss:.4g} to {now.mean_loss:.4g}" if before is not None else f"is {now.mean_loss:.4g}"
    )
    return Words.of(f"{weighs} The mean loss {fell}.", in_error(now, aside))
