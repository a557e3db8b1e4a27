"""Means of features φ(x) that are never written down, as weighted sums of the rows' features.

    m_j = Σ_i A_ji φ(x_i),  Σ_i A_ji = 1
    ‖φ(x_i) - m_j‖² = K_ii - 2 (AK)_ji + (AKA')_jj

K may be centred, for the weights sum to one; then its trace is Σ‖φ(x) - φ̄‖². J of any k clusters is at least that
less the k - 1 greatest eigenvalues of the centred K.

References: Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem, Neural
Computation 10, appendix (k-means); Zha, He, Ding, Simon and Gu (2001), Spectral relaxation for k-means clustering,
NIPS.
"""

from functools import cached_property

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.families.clustering.shared.assignments import reassigned
from algorithms.toolbox import clusters
from algorithms.toolbox.gram_iteration import Spectrum
from algorithms.toolbox.kernels import Kernel, centred

_ROUNDING = 1e-12  # of the largest number on the way to a k(x, z): what a squared distance may be off by


class FeatureRows:
    """Rows as a kernel sees them.

    Attributes:
        kernel: k.
        origin: (d,) where rows are measured from: their mean for x·z, of which distances are the same, or 0.
        rows: (n, d) measured from there.
        K: (n, n) k of the rows with each other, centred.
        size: the largest number that is added on the way to an entry of it.
        tie: the difference of two squared distances that rounding can make.
    """

    def __init__(self, data: Dataset, kernel: Kernel):
        self.kernel = kernel
        self.origin = data.X.mean(axis=0) if kernel.name == "linear" else np.zeros(data.d)
        self.rows = data.X - self.origin
        self.size = kernel.size(self.rows)
        self.spectrum = Spectrum(centred(kernel(self.rows, self.rows)), self.size)
        self.K = self.spectrum.A * data.n
        self.tie = _ROUNDING * self.size

    @property
    def total(self) -> float:
        """Σ‖φ(x) - φ̄‖²."""
        return float(np.trace(self.K))

    def squared_distances(self, weights: Array) -> Array:
        """(k, n) weights -> (k, n) ‖φ(x) - m‖² of each row to each mean."""
        images = weights @ self.K
        distances = np.diagonal(self.K) - 2.0 * images + np.vecdot(images, weights)[:, None]
        return np.asarray(np.maximum(distances, 0.0))

    def nearer(self, weights: Array, labels: Array) -> Array:
        """(n,) labels: each row in the cluster of the nearest mean; on a tie it stays, or joins the first of them."""
        return reassigned(self.squared_distances(weights), labels, self.tie)

    def closeness(self, places: Array, weights: Array) -> Array:
        """(m, d) places -> (m, k) 2 φ(x)·m - ‖m‖², the greater the nearer φ(x) is to the mean m."""
        cross = self.kernel(places - self.origin, self.rows) @ weights.T
        return np.asarray(2.0 * cross - self._squared_lengths(weights))

    def _squared_lengths(self, weights: Array) -> Array:
        return np.asarray(np.vecdot(weights @ self._gram, weights))

    @cached_property
    def _gram(self) -> Array:
        return self.kernel(self.rows, self.rows)

    def least_possible(self, k: int) -> float:
        """What J of k clusters cannot be below: the trace of K less its k - 1 greatest eigenvalues."""
        values = np.maximum(self.spectrum.values[: k - 1], 0.0)
        return max(self.total - len(self.K) * float(values.sum()), 0.0)

    @cached_property
    def plane(self) -> Array:
        """(n, 2) coordinates of the rows along the two directions in which the φ(x) vary most."""
        values, vectors = self.spectrum.pairs
        lengths = np.sqrt(np.maximum(values[:2], 0.0) * len(self.K))
        z = np.zeros((len(self.K), 2))
        z[:, : len(lengths)] = (lengths[:, None] * vectors[:2]).T
        return z


def feature_rows(data: Dataset, kernel: Kernel) -> FeatureRows:
    """The rows as a kernel sees them; for `data.once`."""
    return FeatureRows(data, kernel)


def equal_weights(labels: Array, k: int, before: Array) -> Array:
    """(k, n) the weights with which each mean is that of its rows; those it had `before` where it has none."""
    members = clusters.membership(labels, k)
    counts = members.sum(axis=1, keepdims=True)
    return np.where(counts > 0, members / np.maximum(counts, 1.0), before)


def means_of_rows(features: Array, labels: Array, weights: Array) -> Array:
    """(k, D) means of (n, D) features over each cluster's rows; where it has none, what its (k, n) weights make."""
    members = [features[labels == j] for j in range(len(weights))]
    return np.array([rows.mean(axis=0) if len(rows) else w @ features for rows, w in zip(members, weights)])


def plus_plus(rows: FeatureRows, k: int, rng: np.random.Generator) -> Array:
    """(k,) rows drawn by k-means++ among the φ(x): each in proportion to the squared distance from those before it."""
    K, n = rows.K, len(rows.K)
    chosen = [min(int(n * rng.random()), n - 1)]
    nearest = np.full(n, np.inf)
    for _ in range(1, k):
        last = chosen[-1]
        nearest = np.minimum(nearest, np.maximum(np.diagonal(K) - 2.0 * K[last] + K[last, last], 0.0))
        nearest[chosen] = 0.0
        sums = nearest.cumsum()
        chosen.append(min(int(sums.searchsorted(rng.random() * sums[-1])), n - 1))
    return np.array(chosen)
