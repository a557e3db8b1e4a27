"""The rounds of AdaBoost so far on some rows: the vote, its margins, and how far the edges have come."""

from functools import cached_property

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.families.boosting.shared.stumps import Sorted, Stump, Votes
from algorithms.toolbox.questions import between

_ALL = 0.999  # an ε next to 1
TIED = 1e-12  # of Σ|α|: a vote that rounding can make of a tie


def drawn_stump(X: Array, features: tuple[Sorted, ...], seed: int, number: int) -> Stump:
    """Draw a stump: a feature with two values or more, a cut between two of them, and what it says above.

    Args:
        X, features: (n, d) the rows and what `presorted` makes of them.
        number: of the round, so that each has a stump of its own.
    """
    rng = np.random.default_rng((seed, number))
    told = [j for j, feature in enumerate(features) if len(feature.cuts)]
    j = told[int(rng.integers(len(told)))]
    order, cuts = features[j].order, features[j].cuts
    cut = int(cuts[int(rng.integers(len(cuts)))])
    above = 1.0 if rng.random() < 0.5 else -1.0
    return Stump(j, between(*X[order[cut : cut + 2], j].tolist()), -above, above)


def exponential(margins: Array) -> Array:
    """(n,) e^(-y f), normalised, of y f."""
    losses = np.exp(margins.min() - margins)
    return np.asarray(losses / losses.sum())


class Rounds:
    """Stumps on some rows, with what is measured of their vote.

    Args:
        data: the rows, those learnt from or those held out.
        votes: the stumps, the last one the current; those weighed have an α.
        errors: (t,) ε of the stumps; NaN where that was on other rows.
        f: (n,) the vote on the rows, None where it is to be worked out from the stumps.
        weights: (n,) D of the rows learnt from.
        best: whether the stump of each round is the best.
    """

    def __init__(self, data: Dataset, votes: Votes, errors: Array, f: Array | None, weights: Array, best: bool):
        self.data, self.votes, self.errors, self.weights, self.best = data, votes, errors, weights, best
        self.f = self.summed if f is None else f

    @cached_property
    def summed(self) -> Array:
        """(n,) Σ α h(x), from the stumps."""
        return self.votes(self.data.X)

    @property
    def alphas(self) -> Array:
        return self.votes.alphas

    @property
    def error(self) -> float:
        """ε of the current stump."""
        return float(self.errors[-1])

    @property
    def z(self) -> float:
        """Σ D y h of the current stump."""
        return 1.0 - 2.0 * self.error

    @property
    def total(self) -> float:
        """Σ|α|."""
        return float(np.abs(self.alphas).sum())

    @cached_property
    def says(self) -> Array:
        """(n,) +1 or -1, by the current stump."""
        return self.votes.stump(-1)(self.data.X)

    @cached_property
    def right(self) -> Array:
        """(n,) y h: +1 on rows that the current stump gets right, -1 on the others."""
        return np.asarray(self.data.signs * self.says)

    @cached_property
    def margins(self) -> Array:
        """(n,) y f(x) / Σ|α| in [-1, 1], 0 for a vote that is tied but for rounding."""
        return self.normalised(self.data.signs * self.f)

    def normalised(self, votes: Array) -> Array:
        """Votes in units of Σ|α|, with ties at 0."""
        if not self.total:
            return np.zeros(len(votes))
        shares = votes / self.total
        return np.where(np.abs(shares) <= TIED, 0.0, shares)

    @property
    def wrong(self) -> Array:
        """(n,) bool: rows with y f <= 0."""
        return np.asarray(self.margins <= 0)

    @property
    def errors_of_voters(self) -> Array:
        """ε of the stumps that have been weighed."""
        return self.errors[: len(self.alphas)]

    @property
    def one_sided(self) -> bool:
        """Whether some stump was right on all rows or wrong on all, so that its α would be infinite."""
        return bool(np.isin(self.errors_of_voters, (0.0, 1.0)).any())

    @cached_property
    def log_product(self) -> float:
        """ln Π Z_t, Z = √(1 - z²) = 2 √(ε (1 - ε)); minus infinity after a stump of z = ±1."""
        errors = self.errors_of_voters
        if self.one_sided:
            return -np.inf
        return float(np.log(4.0 * errors * (1.0 - errors)).sum() / 2.0)

    @property
    def product(self) -> float:
        """Π Z_t."""
        return float(np.exp(self.log_product))

    @property
    def rounding(self) -> float:
        """How far ΠZ may be off, as a share of it: of an ε next to 1 few digits of 1 - ε are left."""
        errors = self.errors_of_voters
        return 0.0 if self.one_sided else float((4e-16 / (1.0 - errors[errors > _ALL])).sum())

    @property
    def twice_squared_edges(self) -> float:
        """2 Σ γ²; no error can be left when it has come to ln(2n)."""
        return 2.0 * float(np.square(0.5 - self.errors_of_voters).sum())

    @property
    def enough_edges(self) -> float:
        return float(np.log(2 * self.data.n))

    @property
    def edge_bound(self) -> float:
        return float(np.exp(-self.twice_squared_edges))

    def normaliser(self, alpha: Array | float) -> Array:
        """Z(α) = Σ D e^(-α y h), one for each α, summed over the rows under the weights that the stump was given."""
        return np.exp(-np.multiply.outer(alpha, self.right)) @ self.weights
