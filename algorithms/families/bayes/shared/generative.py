"""Generative models: how rows of each class come about, from its share of them and its features' chances or density.

log P(c, x) = ln π_c + Σ_j ln P(x_j | c), with features of 0 and 1 (Bernoulli), or with densities (Gaussian).
"""

from typing import Self

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Problem, Sides
from algorithms.toolbox.gaussian import as_matrices, log_densities
from algorithms.toolbox.logsumexp import shares_and_log_sum

Linear = tuple[Array, Array]  # (K, d) W and (K,) b


class Bernoulli(Struct, frozen=True, eq=False):
    """Features of 0 and 1, independent given the class.

    Attributes:
        share: (K,) π, 0 for a class that was not met.
        p: (K, d) the chance of a 1.
    """

    share: Array
    p: Array

    @classmethod
    def of_rows(cls, X: Array, y: Array, classes: int, smoothing: float) -> Self:
        """Estimate chances from (m, d) rows of 0 and 1, class by class; ½ where there is nothing to go by."""
        p = np.full((classes, X.shape[1]), 0.5)
        for c in range(classes):
            size = np.count_nonzero(y == c) + 2 * smoothing
            if size:
                p[c] = (X[y == c].sum(axis=0) + smoothing) / size
        return cls(np.bincount(y, minlength=classes) / max(len(y), 1), p)

    def scores(self, X: Array) -> Array:
        """(n, d) -> (K, n) log P(c, x), -inf where that is 0."""
        one, zero = logarithms(self.p), logarithms(1 - self.p)
        return np.asarray(one @ X.T + zero @ (1 - X).T + logarithms(self.share)[:, None] + self.ruled_out(X))

    def ruled_out(self, X: Array) -> Array:
        """(K, n) -inf where a row has what has no chance in a class, or the class none; else 0."""
        never = (self.p == 0) @ X.T + (self.p == 1) @ (1 - X).T + (self.share == 0)[:, None]
        return np.where(never > 0, -np.inf, 0.0)

    def parts(self, x: Array) -> Array:
        """(K, d) ln P(x_j | c) of one row, feature by feature; -inf where that is 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.where(x > 0, self.p, 1 - self.p)))

    def log_likelihood(self, ones: Array, zeros: Array) -> float:
        """Σ ones ln p + zeros ln(1 - p) for (K, d) counts, with 0 ln 0 = 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            of_ones, of_zeros = ones * np.log(self.p), zeros * np.log1p(-self.p)
        return float((np.where(ones > 0, of_ones, 0) + np.where(zeros > 0, of_zeros, 0)).sum())

    def linear(self) -> Linear:
        """W, b of log P(c, x) = W_c·x + b_c, where every chance is between 0 and 1."""
        zero = np.log1p(-self.p)
        return np.log(self.p) - zero, zero.sum(axis=1) + np.log(self.share)


class Gaussians(Struct, frozen=True, eq=False):
    """A Gaussian a class.

    Attributes:
        share: (K,) π, 0 for a class that was not met.
        means: (K, d).
        covariances: (K, d, d), or (K, d) variances of features that are independent given the class.
    """

    share: Array
    means: Array
    covariances: Array

    @classmethod
    def of_rows(cls, X: Array, y: Array, classes: int, shared: bool, diagonal: bool, less: int = 0) -> Self:
        """Estimate Gaussians from (m, d) rows, by what each row is off its class's mean.

        Args:
            shared: whether one covariance is that of all classes.
            diagonal: whether features are independent given the class; only variances are estimated then.
            less: what is taken off the rows of each class that has some, which their scatter is divided by.
        """
        counts, d = np.bincount(y, minlength=classes), X.shape[1]
        means, scatter = np.zeros((classes, d)), np.zeros((classes, d) if diagonal else (classes, d, d))
        for c in np.flatnonzero(counts).tolist():
            means[c] = X[y == c].mean(axis=0)
            away = X[y == c] - means[c]
            scatter[c] = (away * away).sum(axis=0) if diagonal else away.T @ away
        divided = np.maximum(counts - less, 1).reshape(-1, *[1] * (scatter.ndim - 1))
        covariances = scatter / divided
        if shared:
            covariances[:] = scatter.sum(axis=0) / max(len(y) - np.count_nonzero(counts) * less, 1)
        return cls(counts / max(len(y), 1), means, covariances)

    def scores(self, X: Array) -> Array:
        """(n, d) -> (K, n) log P(c, x), -inf for a class that was not met."""
        densities = log_densities(X, self.means, self.covariances)
        densities += np.where(self.share > 0, logarithms(self.share), -np.inf)[:, None]
        return densities

    def parts(self, x: Array) -> Array:
        """(K, d) ln of the density of x_j in each class, of features that are independent given the class."""
        away = x - self.means
        return np.asarray(-(away**2 / self.covariances + np.log(2 * np.pi * self.covariances)) / 2)

    def linear(self) -> Linear:
        """W, b of log P(c, x) = W_c·x + b_c + what all classes have, where all covariances are the same one."""
        one = self.covariances[0]
        W = self.means / one if one.ndim == 1 else self.means @ inverses(one)
        return W, np.log(self.share) - np.vecdot(W, self.means) / 2

    def quadratic(self) -> tuple[Array, Array, Array]:
        """(K, d, d) A, (K, d) W and (K,) b of log P(c, x) = xᵀA_c x + W_c·x + b_c + what all classes have."""
        matrices = as_matrices(self.covariances, self.means.shape[1])
        precisions, units = inverses(matrices), unit_lengths(matrices)
        W = (self.means[:, None, :] @ precisions)[:, 0, :]
        rest = np.linalg.slogdet(matrices / products(units))[1] / 2 + np.log(units).sum(axis=1)
        return -precisions / 2, W, np.log(self.share) - np.vecdot(W, self.means) / 2 - rest

    def log_likelihood(self, X: Array, y: Array) -> float:
        """Σ log P(y_i, x_i) over rows with their classes."""
        return float(self.scores(X)[y, np.arange(len(y))].sum())

    def largest(self, X: Array) -> float:
        """How large squared distances are on the way to the log odds of rows, times what narrow covariances lose."""
        matrices = as_matrices(self.covariances, X.shape[1])
        deviations = unit_lengths(matrices)
        widths = np.linalg.eigvalsh(matrices / products(deviations))
        reach = np.abs(X).max(axis=0) + np.abs(self.means).max(axis=0)
        squares = ((reach / deviations) ** 2).sum(axis=1) / widths[:, 0]
        return float((widths[:, -1] / widths[:, 0]).max() * squares.max())


def unit_lengths(matrices: Array) -> Array:
    """(..., d, d) covariances -> (..., d) deviations of the features."""
    return np.asarray(np.sqrt(np.diagonal(matrices, axis1=-2, axis2=-1)))


def products(units: Array) -> Array:
    """(..., d) -> (..., d, d) of any two of them."""
    return np.asarray(units[..., :, None] * units[..., None, :])


def inverses(matrices: Array) -> Array:
    """(..., d, d) of covariances, in units of their deviations: features of any size lose no digits to each other."""
    units = products(unit_lengths(matrices))
    return np.asarray(np.linalg.inv(matrices / units) / units)


def logarithms(chances: Array) -> Array:
    """Their logarithms, 0 where a chance is 0: what that costs is counted by itself."""
    return np.log(np.where(chances > 0, chances, 1.0))


def posterior(scores: Array) -> Array:
    """(K, n) log P(c, x) -> P(c | x), even where no class could have made x."""
    return shares_and_log_sum(np.where(np.isneginf(scores).all(axis=0), 0.0, scores))[0]


def impossible(scores: Array) -> Array:
    """(n,) bool: the rows that no class could have made."""
    return np.asarray(np.isneginf(scores).all(axis=0))


def likeliest_of(now: tuple[str, float], anew: float, moved: tuple[str, float], size: float) -> Sides:
    """Hold ln L of the estimates against that of moved ones; of those worked out anew where these are likelier."""
    again = Sides((f"{now[0]}, worked out anew", anew), now, size=size)
    return Sides(moved, now, size=size) if again.hold else again


def names_of_classes(problem: Problem) -> list[str]:
    """Name the classes as places of a statement: "class ham"."""
    return [f"class {name}" for name in problem.data.classes]
