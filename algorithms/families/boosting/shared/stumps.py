"""Decision stumps: the best of all features and thresholds for weighted rows, and the vote of many.

A stump says `above` (+1 or -1) where its feature exceeds its threshold and `below` elsewhere. Each feature is sorted
once for a data set; then one running sum over the sorted rows tells how every threshold does.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.questions import between

Criterion = Literal["error", "gini"]
TIE = 1e-12  # of the rows' weight, which sums to one: stumps whose z is greater by less are as good


class Stump(Struct, frozen=True):
    feature: int
    threshold: float
    below: float
    above: float

    def __call__(self, x: Array) -> Array:
        """(m, d) -> (m,) what it says: +1 or -1."""
        return np.where(x[:, self.feature] > self.threshold, self.above, self.below)


class Sorted(Struct, frozen=True, eq=False):
    """A feature's rows in ascending order.

    Attributes:
        order: (n,) the rows.
        cuts: (m,) the places after which the value changes, where a threshold can lie.
    """

    order: Array
    cuts: Array


def sorted_features(data: Dataset) -> tuple[Sorted, ...]:
    """The features of data, each sorted; to be asked for by `data.once(sorted_features)`."""
    return presorted(data.X)


def presorted(X: Array) -> tuple[Sorted, ...]:
    """(n, d) -> each feature sorted."""
    features = []
    for values in np.ascontiguousarray(X.T):
        order = values.argsort()
        ascending = values[order]
        features.append(Sorted(order, np.flatnonzero(ascending[1:] > ascending[:-1])))
    return tuple(features)


def best_stump(X: Array, features: tuple[Sorted, ...], signs: Array, weights: Array, criterion: Criterion) -> Stump:
    """The stump of least weighted error, or of the split with the purest sides; of equally good ones, that with
    the first feature, and of those with the lowest threshold.

    Args:
        X, features: (n, d) the rows and what `presorted` makes of them; some feature has two values or more.
        signs: (n,) +1 or -1, what the stump is to say.
        weights: (n,) of the rows, which sum to one.
    """
    signed = weights * signs
    merit, summed = _merit(signed, weights, criterion)
    best = [float(merit(one, summed).max(initial=-1.0)) for one in features]
    enough = _as_good(max(best), criterion)
    feature = next(j for j, merit_of_best in enumerate(best) if merit_of_best >= enough)
    chosen = features[feature]
    first = int((merit(chosen, summed) >= enough).argmax())
    cut = int(chosen.cuts[first])
    left = float(signed[chosen.order[: cut + 1]].sum())
    right = float(signed[chosen.order[cut + 1 :]].sum())
    threshold = between(*X[chosen.order[cut : cut + 2], feature].tolist())
    if criterion == "error":
        above = 1.0 if right >= left else -1.0
        return Stump(feature, threshold, -above, above)
    return Stump(feature, threshold, majority(left), majority(right))


def least_costs(features: tuple[Sorted, ...], signs: Array, weights: Array, criterion: Criterion) -> Array:
    """(d,) the cost of each feature's best stump; infinite where it has one value only."""
    signed = weights * signs
    merit, summed = _merit(signed, weights, criterion)
    best = np.array([merit(one, summed).max(initial=-np.inf) for one in features])
    return np.asarray((1.0 - (best if criterion == "error" else best + signed.sum() ** 2)) / 2.0)


def cost(stump: Stump, X: Array, signs: Array, weights: Array, criterion: Criterion) -> float:
    """What a stump is chosen by, of weights that sum to one: its weighted error, or Gini's impurity of its sides."""
    if criterion == "error":
        return float(weights[stump(X) != signs].sum())
    right = X[:, stump.feature] > stump.threshold
    sides = [(float(weights[side].sum()), float(weights[side] @ signs[side])) for side in (right, ~right)]
    return sum((weight - signed**2 / weight) / 2.0 for weight, signed in sides if weight > 0)


def _merit(signed: Array, weights: Array, criterion: Criterion) -> tuple[Callable[[Sorted, Array], Array], Array]:
    return (edges, signed) if criterion == "error" else (purities, weights + 1j * signed)


def _as_good(best: float, criterion: Criterion) -> float:
    """The least merit that is as good as the best. Gini's goes as z², of which TIE would be a millionth in z."""
    return best - TIE if criterion == "error" else max(float(np.sqrt(best)) - TIE, 0.0) ** 2


def edges(feature: Sorted, signed: Array) -> Array:
    """(m,) |z| = |Σ D y h| of the better stump at each cut, whose ε is (1 - |z|) / 2; `signed` is D y."""
    sums = signed.take(feature.order).cumsum()
    return np.asarray(np.abs(sums[-1] - 2.0 * at(sums, feature.cuts)))


def purities(feature: Sorted, both: Array) -> Array:
    """(m,) how far each cut makes Gini's impurity fall, up to a factor: (S_L - S W_L / W)² / (W_L W_R).

    S and W are the sums of D y and of D on the two sides. `both` is D + i D y: a running sum takes as
    long for complex numbers as for real ones.
    """
    sums = both.take(feature.order).cumsum()
    left, (weight, signed) = at(sums, feature.cuts), (sums[-1].real, sums[-1].imag)
    product = weight - left.real
    product *= left.real
    fall = left.real * (signed / weight)
    fall -= left.imag
    fall *= fall
    fall /= np.maximum(product, TIE, out=product)  # parting rows of less weight has no merit
    return np.asarray(fall)


def at(sums: Array, cuts: Array) -> Array:
    """The sums at the cuts; all but the last, without a copy, when no value comes twice."""
    return sums[:-1] if len(cuts) == len(sums) - 1 else sums.take(cuts)


def majority(signed: float) -> float:
    return 1.0 if signed > 0 else -1.0


class Votes(Struct, frozen=True, eq=False):
    """t stumps, and the weights in the vote f(x) = Σ α h(x) of those that have one.

    Attributes:
        features: (t,) int64.
        thresholds, below, above: (t,).
        alphas: (t,), or fewer.
    """

    features: Array
    thresholds: Array
    below: Array
    above: Array
    alphas: Array

    def stump(self, i: int) -> Stump:
        return Stump(int(self.features[i]), float(self.thresholds[i]), float(self.below[i]), float(self.above[i]))

    def __call__(self, x: Array) -> Array:
        """(m, d) -> (m,) f(x), feature by feature: a sum of staircases, each looked up in its sorted thresholds."""
        t = len(self.alphas)
        order = np.lexsort((self.thresholds[:t], self.features[:t]))
        features, thresholds = self.features[order], self.thresholds[order]
        rises = self.alphas[order] * (self.above[order] - self.below[order])
        votes = np.full(len(x), self.alphas @ self.below[:t])  # up to all thresholds
        ends = np.append(np.flatnonzero(features[1:] != features[:-1]) + 1, t).tolist()
        for first, last in zip([0, *ends], ends if t else []):
            staircase = np.concatenate([[0.0], rises[first:last].cumsum()])
            votes += staircase[thresholds[first:last].searchsorted(x[:, features[first]])]
        return votes
