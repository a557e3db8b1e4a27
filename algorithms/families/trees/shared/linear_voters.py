"""Linear voters: least squares on the classes of a bag of rows, which says the class with the greatest value.

    W = argmin Σ b_i ‖y_i - W (1, x_i)‖²,   b_i how often row i is in the bag, y_i 1 for its class and 0 for the others

It stands among trees as one that asks nothing.

References: Hastie, Tibshirani and Friedman (2009), The elements of statistical learning, section 4.2.
"""

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.trees import LEAF, Nodes


class LinearVoter(Nodes, frozen=True, eq=False):
    """A voter that weighs the features.

    Attributes:
        W: (K, d + 1) weights of the features over their sizes, the constant's first.
        sizes: (d,) the greatest |x_j| of the rows, 1 where all are 0.
    """

    W: Array
    sizes: Array

    def scores(self, X: Array) -> Array:
        """(m, K) the value of each class."""
        return np.asarray(with_one(X, self.sizes) @ self.W.T)


def with_one(X: Array, sizes: Array) -> Array:
    """(m, d + 1) the constant 1, and the features over their sizes."""
    return np.column_stack([np.ones(len(X)), X / sizes])


def sizes_of(X: Array) -> Array:
    """(d,) the greatest |x_j|, 1 where all are 0."""
    greatest = np.abs(X).max(axis=0)
    return np.where(greatest > 0, greatest, 1.0)


def linear_voter(X: Array, y: Array, k: int, bag: Array) -> LinearVoter:
    """Fit one to a bag of n rows of k classes, of many solutions the shortest.

    Args:
        bag: (n,) how often each row is in it.
    """
    sizes, often = sizes_of(X), np.sqrt(bag)[:, None]
    W = np.linalg.lstsq(often * with_one(X, sizes), often * np.eye(k)[y], rcond=None)[0].T
    counts = np.bincount(y, bag, k).astype(np.int64)[None]
    return LinearVoter(np.array([LEAF]), np.array([np.nan]), np.array([LEAF]), counts, W, sizes)


def slope(voter: LinearVoter, X: Array, y: Array, bag: Array) -> tuple[Array, Array]:
    """(d + 1, K) Σ c x (y - Wx)ᵀ and the size of what is added up: 0 at the best."""
    Z = with_one(X, voter.sizes)
    left = np.eye(len(voter.W))[y] - voter.scores(X)
    added = np.abs(Z).T @ (bag[:, None] * (1 + np.abs(Z) @ np.abs(voter.W).T))
    return np.asarray((bag[:, None] * Z).T @ left), np.asarray(added)
