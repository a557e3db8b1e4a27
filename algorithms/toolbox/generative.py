"""Generative models: how rows of each class come about, from its share of them and its features' chances or density.

log P(c, x) = ln π_c + Σ_j ln P(x_j | c), with features of 0 and 1 (Bernoulli), or with densities (Gaussian).
"""

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
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
        W = self.means / one if one.ndim == 1 else np.linalg.solve(one, self.means.T).T
        return W, np.log(self.share) - np.vecdot(W, self.means) / 2

    def quadratic(self) -> tuple[Array, Array, Array]:
        """(K, d, d) A, (K, d) W and (K,) b of log P(c, x) = x'A_c x + W_c·x + b_c + what all classes have."""
        inverses = np.linalg.inv(as_matrices(self.covariances, self.means.shape[1]))
        W = np.vecmat(self.means, inverses)
        half_log_widths = -np.linalg.slogdet(inverses)[1] / 2
        return -inverses / 2, W, np.log(self.share) - np.vecdot(W, self.means) / 2 - half_log_widths

    def log_likelihood(self, X: Array, y: Array) -> float:
        """Σ log P(y_i, x_i) over rows with their classes."""
        return float(self.scores(X)[y, np.arange(len(y))].sum())

    def largest(self, X: Array) -> float:
        """How large squared distances are on the way to the log odds of rows, times what narrow covariances lose."""
        matrices = as_matrices(self.covariances, X.shape[1])
        deviations = np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
        widths = np.linalg.eigvalsh(matrices / (deviations[:, :, None] * deviations[:, None, :]))
        reach = np.abs(X).max(axis=0) + np.abs(self.means).max(axis=0)
        squares = ((reach / deviations) ** 2).sum(axis=1) / widths[:, 0]
        return float((widths[:, -1] / widths[:, 0]).max() * squares.max())


def logarithms(chances: Array) -> Array:
    """Their logarithms, 0 where a chance is 0: what that costs is counted by itself."""
    return np.log(np.where(chances > 0, chances, 1.0))


def posterior(scores: Array) -> Array:
    """(K, n) log P(c, x) -> P(c | x), even where no class could have made x."""
    return shares_and_log_sum(np.where(np.isneginf(scores).all(axis=0), 0.0, scores))[0]


def impossible(scores: Array) -> Array:
    """(n,) bool: the rows that no class could have made."""
    return np.asarray(np.isneginf(scores).all(axis=0))


def bernoulli_log_likelihood(ones: Array, zeros: Array, p: Array) -> float:
    """Σ ones ln p + zeros ln(1 - p), with 0 ln 0 = 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((np.where(ones > 0, ones * np.log(p), 0) + np.where(zeros > 0, zeros * np.log1p(-p), 0)).sum())
