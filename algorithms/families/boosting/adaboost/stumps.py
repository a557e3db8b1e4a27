"""Decision stumps: the best of all features and thresholds for weighted rows, and the vote of many.

A stump says `above` (+1 or -1) where its feature exceeds its threshold and `below` elsewhere. Each feature is sorted
once for a data set; then one running sum over the sorted rows tells how every threshold does.
"""

from functools import lru_cache
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset

Criterion = Literal["error", "gini"]
TIE = 1e-12  # of the rows' weight, which sums to one: stumps that are better by less are as good


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


@lru_cache(maxsize=2)
def presorted(data: Dataset) -> tuple[Sorted, ...]:
    """Each feature of the data sorted; made once, so that a run is soon taken up again."""
    found = []
    for values in np.ascontiguousarray(data.X.T):
        order = values.argsort()
        ascending = values[order]
        found.append(Sorted(order, np.flatnonzero(ascending[1:] > ascending[:-1])))
    return tuple(found)


def best_stump(data: Dataset, weights: Array, criterion: Criterion) -> Stump:
    """The stump of least weighted error, or of the split with the purest sides; of equally good ones, that with
    the first feature, and of those with the lowest threshold.

    Some feature has two values or more.
    """
    signed = weights * data.signs
    merits, summed = (edges, signed) if criterion == "error" else (purities, weights + 1j * signed)
    features = presorted(data)
    best = [float(merits(one, summed).max(initial=-1.0)) for one in features]
    enough = max(best) - TIE
    feature = next(j for j, merit in enumerate(best) if merit >= enough)
    found = features[feature]
    first = int((merits(found, summed) >= enough).argmax())
    cut = int(found.cuts[first])
    left = float(signed[found.order[: cut + 1]].sum())
    right = float(signed[found.order[cut + 1 :]].sum())
    threshold = between(*data.X[found.order[cut : cut + 2], feature].tolist())
    if criterion == "error":
        above = 1.0 if right >= left else -1.0
        return Stump(feature, threshold, -above, above)
    return Stump(feature, threshold, majority(left), majority(right))


def edges(found: Sorted, signed: Array) -> Array:
    """(m,) |z| = |Σ D y h| of the better stump at each cut, whose ε is (1 - |z|) / 2; `signed` is D y."""
    sums = signed.take(found.order).cumsum()
    return np.asarray(np.abs(sums[-1] - 2.0 * at(sums, found.cuts)))


def purities(found: Sorted, both: Array) -> Array:
    """(m,) how far each cut makes Gini's impurity fall, up to a factor: (S_L - S W_L / W)² / (W_L W_R).

    S and W are the sums of D y and of D on the two sides. `both` is D + i D y: a running sum takes as
    long for complex numbers as for real ones.
    """
    sums = both.take(found.order).cumsum()
    left, (weight, signed) = at(sums, found.cuts), (sums[-1].real, sums[-1].imag)
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


def between(low: float, high: float) -> float:
    """The middle of two numbers; the lower one when there is none between them."""
    middle = low / 2.0 + high / 2.0
    return middle if low <= middle < high else low


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
        votes = np.zeros(len(x))
        features = self.features[: len(self.alphas)]
        for feature in np.unique(features).tolist():
            mine = np.flatnonzero(features == feature)
            mine = mine[self.thresholds[mine].argsort(kind="stable")]
            alphas, below = self.alphas[mine], self.below[mine]
            steps = np.concatenate([[alphas @ below], alphas * (self.above[mine] - below)]).cumsum()
            votes += steps[self.thresholds[mine].searchsorted(x[:, feature])]
        return votes
