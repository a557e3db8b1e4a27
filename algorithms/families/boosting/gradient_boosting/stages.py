"""One stage of boosting: the tree that fits the residual, its weight; and the sum of all of them with what it costs."""

from functools import cached_property
from typing import Literal

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.families.boosting.gradient_boosting.regression_trees import (
    Regressor,
    fitted,
    rows_in_order,
    weighted_sum,
)
from algorithms.families.boosting.gradient_boosting.stagewise import StageLoss, exact_weight, never_wrong, targets
from algorithms.families.boosting.shared.stumps import best_stump, sorted_features

Weight = Literal["line search", "newton"]
_CHANCE = 1e-12  # of Σ |r|: a pull that rounding can make of none
_ENOUGH = 1e-12  # of the largest target: a residual that is rounding
FLAT = 1e-150  # a curvature by which nothing can be divided


def best_tree(data: Dataset, loss: StageLoss, residual: Array, depth: int) -> Regressor:
    """The greedy tree for the residual: of means, or with the exponential loss a stump of +1 and -1."""
    if loss.name != "exponential":
        return fitted(data.X, data.once(rows_in_order), residual, depth)
    stump = best_stump(data.X, data.once(sorted_features), data.signs, shares(residual), "error")
    return Regressor(np.array([stump.feature]), np.array([stump.threshold]), np.array([stump.below, stump.above]))


def shares(residual: Array) -> Array:
    """(n,) |r|/Σ |r|: with the exponential loss AdaBoost's weights D."""
    size = np.abs(residual)
    return np.asarray(size / size.sum())


def weighed(
    data: Dataset, loss: StageLoss, tree: Regressor, f: Array, residual: Array, weight: Weight
) -> tuple[Regressor, float]:
    """The tree as it joins the sum, and its exact weight: Newton's steps are in the leaves, and weigh 1.

    Args:
        f, residual: (n,) before the tree is added.
    """
    y = targets(data)
    if weight == "newton":
        return Regressor(tree.feature, tree.threshold, newton_steps(tree, data.X, residual, loss.curvature(y, f))), 1.0
    alpha = exact_weight(loss, y, f, tree(data.X))
    return tree, alpha if alpha < np.inf else 1.0


def newton_steps(tree: Regressor, X: Array, residual: Array, curvature: Array) -> Array:
    """(2^D,) Σ r / Σ ∂²loss/∂f² over the rows of each leaf; 0 in one without curvature."""
    leaves, many = tree.leaves(X), len(tree.value)
    pulls, curved = np.bincount(leaves, residual, many), np.bincount(leaves, curvature, many)
    return np.where(curved > FLAT, pulls / np.maximum(curved, FLAT), 0.0)


def with_curvature(before: "Stages", now: "Stages") -> Array:
    """(2^D,) bool: the leaves of the newest tree in which the loss is curved enough for a Newton step."""
    curvature = now.loss.curvature(now.y, before.f)
    return np.asarray(np.bincount(now.trees[-1].leaves(now.data.X), curvature, len(now.trees[-1].value)) > FLAT)


def unbounded(loss: StageLoss, weight: Weight, y: Array, h: Array) -> bool:
    """Whether a tree has no best weight: the larger it is, the less the loss."""
    return loss.name != "squared" and weight == "line search" and never_wrong(y, h)


def nothing_left(loss: StageLoss, y: Array, residual: Array) -> bool:
    """Whether the sum is y on every row but for rounding."""
    return loss.name == "squared" and bool(np.abs(residual).max() <= _ENOUGH * np.abs(y).max())


def tells_nothing(tree: Regressor, X: Array, residual: Array) -> bool:
    """Whether the tree has no question, or Σ r h is 0 but for rounding."""
    scaled, h = residual / (float(np.abs(residual).max()) or 1.0), tree(X)
    small = _CHANCE * float(np.abs(scaled).sum()) * float(np.abs(h).max())
    return bool(tree.threshold[0] == np.inf or scaled @ h <= small)


class Stages:
    """A sum of trees on some rows, with what is measured of it.

    Args:
        data: the rows, those it is fitted to or those held out.
        loss, weight, step, depth: as the parameters have them.
        constant, trees, weights: f = constant + Σ weight · tree.
        f, residual: (n,) of the rows it is fitted to; None of others, for which f is worked out from the trees.
    """

    def __init__(
        self,
        data: Dataset,
        loss: StageLoss,
        weight: Weight,
        step: float,
        depth: int,
        constant: float,
        trees: tuple[Regressor, ...],
        weights: Array,
        f: Array | None,
        residual: Array,
    ):
        self.data, self.loss, self.weight, self.step, self.depth = data, loss, weight, step, depth
        self.constant, self.trees, self.weights, self.residual = constant, trees, weights, residual
        self.y = targets(data)
        self.f = self.summed(data.X) if f is None else f

    def summed(self, x: Array) -> Array:
        """(m, d) -> (m,) constant + Σ weight · tree(x)."""
        return self.constant + weighted_sum(self.trees, self.weights, x)

    @cached_property
    def h(self) -> Array:
        """(n,) what the newest tree says."""
        return self.trees[-1](self.data.X)

    @cached_property
    def mean_loss(self) -> float:
        return float(self.loss.of(self.y, self.f).mean())

    @cached_property
    def error(self) -> float:
        """The share of rows with y f <= 0; of numbers √(mean r²)."""
        if self.data.kind == "class":
            return float((self.y * self.f <= 0).mean())
        size = float(np.abs(self.y - self.f).max()) or 1.0
        return size * float(np.sqrt((((self.y - self.f) / size) ** 2).mean()))

    @property
    def alpha(self) -> float:
        """The exact weight of the newest tree in the sum, of which `step` was taken."""
        return float(self.weights[-1]) / self.step

    @cached_property
    def best_weight(self) -> float:
        """The weight of the newest tree at which the loss is least, whatever was taken; 1 where none is the best."""
        if not self.h.any():  # as the rows of a fork may have it
            return 1.0
        taken = float(self.weights[-1]) if len(self.weights) == len(self.trees) else 0.0
        best = exact_weight(self.loss, self.y, self.f - taken * self.h, self.h)
        return best if best < np.inf else 1.0

    @property
    def wrong_somewhere(self) -> bool:
        """Whether the newest tree has a best weight."""
        return self.loss.name == "squared" or not never_wrong(self.y, self.h)

    @cached_property
    def adaboost_errors(self) -> Array:
        """(t,) ε of each stump under the weights that AdaBoost's own rule comes to: D <- D e^(-α y h), normalised."""
        D, errors = np.full(len(self.y), 1.0 / len(self.y)), np.empty(len(self.weights))
        for t in range(len(errors)):
            right = self.y * self.trees[t](self.data.X)
            errors[t] = D[right < 0].sum()
            D = D * np.exp(-self.weights[t] * right)
            D /= D.sum()
        return errors
