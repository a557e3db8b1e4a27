"""Fits with k clusters, each the best of several starts: by Lloyd's algorithm, or mixtures of Gaussians by EM.

A fit by Lloyd's algorithm is read as a model too: cluster j has chance π_j, and a row of it is drawn from N(μ_j, σ² I).
With the clusters given, its greatest likelihood is at π_j = n_j/n, the means, and σ² = F/(nd).

References: Pelleg and Moore (2000), X-means, ICML (that model of the clusters); Dempster, Laird and Rubin (1977) (EM).
"""

from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.clusters import lloyd_from, membership, plus_plus, sizes
from algorithms.toolbox.covariances import Kind, least_variances
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.gaussian import log_densities
from algorithms.toolbox.mixtures import expect, log_joint, m_step
from algorithms.toolbox.nearer import measured

Model = Literal["k-means", "full", "tied", "diagonal", "spherical"]

EM_STEPS = 100
EM_GAIN = 1e-6  # in mean log-likelihood, that ends it


class Fit(Struct, frozen=True, eq=False):
    """The best of several fits with one k.

    Attributes:
        weights: (k,) π.
        means: (k, d) μ.
        covariances: those of a mixture in the shape of its kind; (k,) σ² for k-means.
        labels: (n,) int8 the cluster of each row, or the likeliest component.
        tries: (starts,) what each start came to: F, or -2 ln L of a mixture.
        deviance: -2 ln L of the model; NaN where σ is 0.
    """

    weights: Array
    means: Array
    covariances: Array
    labels: Array
    tries: Array
    deviance: float

    @property
    def least(self) -> float:
        return float(self.tries.min())


def free_parameters(model: Model | Kind, k: int, d: int) -> int:
    """How many numbers a fit has: k - 1 weights, kd of the means, and those of the covariances."""
    matrix = d * (d + 1) // 2
    widths = {"k-means": 1, "full": k * matrix, "tied": matrix, "diagonal": k * d, "spherical": k, "fixed": 0}
    return k - 1 + k * d + widths[model]


def fit(data: Dataset, model: Model, k: int, before: Fit | None, starts: int, seed: int, floor: float) -> Fit:
    """Fit k clusters from so many starts, the first of which has one more than the fit before it."""
    if model == "k-means":
        return _clustered(data, [_first_means(data, k, before, s, seed) for s in range(starts)])
    return _mixed(data, model, [_first_shares(data, model, k, before, s, seed, floor) for s in range(starts)], floor)


def squared_from_own(data: Dataset, means: Array, labels: Array) -> Array:
    """(n,) ‖x - μ‖² for the mean of its cluster."""
    away = data.X - means[labels]
    return np.asarray(np.einsum("ij,ij->i", away, away))


def _first_means(data: Dataset, k: int, before: Fit | None, start: int, seed: int) -> Array:
    """The means in hand and the row farthest from its own; of the other starts, by k-means++."""
    if start == 0 and before is not None:
        far = squared_from_own(data, before.means, before.labels).argmax()
        return np.vstack([before.means, data.X[[far]]])
    return data.X[plus_plus(data.X, k, np.random.default_rng((seed, k, start)))]


def _clustered(data: Dataset, starts: list[Array]) -> Fit:
    ends = [lloyd_from(data.X, means) for means in starts]
    tries = np.array([squared_from_own(data, means, labels).sum() for labels, means in ends])
    labels, means = ends[int(tries.argmin())]
    n, d, F = data.n, data.d, float(tries.min())
    weights = sizes(labels, len(means)) / n
    variance = F / (n * d) if vanishing(data) < F else 0.0
    deviance = _clusters_deviance(n, d, variance, weights) if variance > 0 else np.nan
    return Fit(weights, means, np.full(len(means), variance), labels, tries, deviance)


def vanishing(data: Dataset) -> float:
    """What rounding can make of an F that is 0."""
    return float(data.n * data.once(measured).lost ** 2)


def _clusters_deviance(n: int, d: int, variance: float, weights: Array) -> float:
    """-2 ln L = nd (ln 2πσ² + 1) - 2 Σ n_j ln(n_j/n)."""
    held = weights[weights > 0]
    return float(n * d * (np.log(2 * np.pi * variance) + 1) - 2 * n * (held @ np.log(held)))


def deviance_of_rows(data: Dataset, model: Model, fit: Fit) -> float:
    """-2 ln L summed row by row: of its own cluster's density for k-means, of all for a mixture."""
    if model != "k-means":
        return -2 * data.n * expect(data.X, fit.weights, fit.means, fit.covariances)[1]
    joint = log_joint(data.X, fit.weights, fit.means, fit.covariances)
    return float(-2 * joint[fit.labels, np.arange(data.n)].sum())


Parameters = tuple[Array, Array, Array]


def _first_shares(
    data: Dataset, kind: Kind, k: int, before: Fit | None, start: int, seed: int, floor: float
) -> Parameters:
    """The mixture in hand with a component of weight 0 on its least likely row; else from clusters of k-means++."""
    if start == 0 and before is not None:
        joint = log_densities(data.X, before.means, before.covariances)
        row = int(joint.max(axis=0).argmin())
        weights = np.append(before.weights, 0.0)
        means, widths = np.vstack([before.means, data.X[[row]]]), before.covariances
        return weights, means, np.concatenate([widths, widths[:1]])
    labels, means = lloyd_from(data.X, data.X[plus_plus(data.X, k, np.random.default_rng((seed, k, start)))])
    widths = np.zeros((k, *(data.d,) * {"spherical": 0, "diagonal": 1}.get(kind, 2)))
    return m_step(data.X, membership(labels, k).T, means, widths, kind, least_variances(data.X, floor))[:3]


def _mixed(data: Dataset, kind: Kind, starts: list[Parameters], floor: float) -> Fit:
    least = least_variances(data.X, floor)
    ends = [expectation_maximisation(data.X, *start, kind, least) for start in starts]
    tries = np.array([-2 * data.n * level for *_, level in ends])
    weights, means, covariances, _ = ends[int(tries.argmin())]
    labels = log_joint(data.X, weights, means, covariances).argmax(axis=0).astype(np.int8)
    return Fit(weights, means, covariances, labels, tries, float(tries.min()))


def expectation_maximisation(
    X: Array, weights: Array, means: Array, covariances: Array, kind: Kind, least: Array
) -> tuple[Array, Array, Array, float]:
    """Run EM from parameters until the mean log-likelihood rises by no more than EM_GAIN: parameters and that level."""
    shares, level = expect(X, weights, means, covariances)
    for _ in range(EM_STEPS):
        weights, means, covariances, _ = m_step(X, shares, means, covariances, kind, least)
        was = level
        shares, level = expect(X, weights, means, covariances)
        if level - was <= EM_GAIN:
            break
    return weights, means, covariances, level


def between(data: Dataset, fit: Fit) -> float:
    """Σ n_j ‖μ_j - c‖², with c the mean of all rows."""
    away = squared_distances(fit.means, data.once(measured).centre[None])[:, 0]
    return float(data.n * (fit.weights @ away))
