"""Rows that have a nearer mean than that of their cluster: what counts as a tie, and all of them found at once."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.clusters import NO_CLUSTER, closeness, first_greatest, mean_row

ROUNDING = 1e-13  # 450 times that of one number; sums over the rows and products lose some tens
MANY = 1_000_000  # numbers in X, from which on a first look in single precision pays
_BLOCK = 2048


class Measured(Struct, frozen=True, eq=False):
    """Rows with what is known of them once and for all.

    Attributes:
        x: (n, d), column by column when there are not MANY numbers: a feature's side by side in memory, so that
            a product with a few means takes half the time.
        centre: (d,) their mean.
        longest: the largest distance from it.
        lost: what rounding can make of a distance that is 0.
        rough: (n, d) float32 (x - centre) / longest, column by column; None when there are not MANY.
    """

    x: Array
    centre: Array
    longest: float
    lost: float
    rough: Array | None

    @property
    def rounding(self) -> float:
        """What rounding can change in the sum over the rows of their squared distances to means."""
        return len(self.x) * self.lost * (self.longest + self.lost)

    def tie(self, means: Array) -> float:
        """The difference between two squared distances from rows to (k, d) means that rounding can make."""
        away = means - self.centre
        return max(self.lost * (self.longest + self.lost), ROUNDING * float(np.vdot(away, away)))


def measured(data: Dataset) -> Measured:
    """Measure the rows; to be asked for by `data.once(measured)`."""
    centre = mean_row(data.X)
    longest = max(_farthest(data.X[i : i + _BLOCK], centre) for i in range(0, data.n, _BLOCK))
    lost = ROUNDING * (longest + float(np.linalg.norm(centre)))
    rough = _single_precision(data.X, centre, longest) if data.X.size >= MANY and longest > 0 else None
    x = np.asfortranarray(data.X) if rough is None else data.X
    return Measured(x, centre, longest, lost, rough)


def total(data: Dataset) -> float:
    """Σ‖x - c‖², with c the mean of all rows; to be asked for by `data.once(total)`."""
    away = data.X - data.once(measured).centre
    return float(np.vdot(away, away))


def _farthest(x: Array, centre: Array) -> float:
    """The largest distance of a row from the centre, by differences: far from the origin the squares say nothing."""
    away = x - centre
    return float(np.sqrt(np.vecdot(away, away).max()))


def _single_precision(x: Array, centre: Array, longest: float) -> Array:
    """(n, d) float32 (x - centre) / longest, made block by block, so that no other copy of x is."""
    columns = np.empty(x.shape[::-1], np.float32)
    for i in range(0, len(x), _BLOCK):
        columns[:, i : i + _BLOCK] = ((x[i : i + _BLOCK] - centre) / longest).T
    return columns.T


def nearer(data: Dataset, means: Array, labels: Array) -> tuple[Array, Array]:
    """The rows that have a nearer mean than that of their (n,) label, and the nearest there is: (m,) and (m,).

    A row that is not nearer by more than a tie stays. A row that is in no cluster yet goes to the first mean of
    those that tie for the nearest.
    """
    rows = data.once(measured)
    looked_at = doubtful(rows, means, labels)
    x, own = (rows.x, labels) if looked_at is None else (rows.x[looked_at], labels[looked_at])
    scores = closeness(x, means, rows.centre)  # ‖x-μ‖² = ‖x-c‖² - 2 closeness, so half a tie counts here
    tie = rows.tie(means) / 2
    if labels[0] == NO_CLUSTER:
        return np.arange(len(labels)), first_greatest(np.minimum(scores, scores.max(axis=0) - tie))
    nearest = first_greatest(scores)
    moved = (nearest != own).nonzero()[0]
    if len(moved):
        to = nearest[moved]
        moved = moved[scores[to, moved] - scores[own[moved], moved] > tie]
    return (moved if looked_at is None else looked_at[moved]), nearest[moved]


def doubtful(rows: Measured, means: Array, labels: Array) -> Array | None:
    """The rows of which single precision, with its rounding bounded, cannot say that their own mean is nearest.

    None when all have to be looked at: there are few rows, or many doubts, or a mean is far outside the data.
    """
    if rows.rough is None or labels[0] == NO_CLUSTER:
        return None
    n, d = rows.rough.shape
    places = ((means - rows.centre) / rows.longest).astype(np.float32)
    reach = float(np.abs(places).max()) * np.sqrt(d)
    if not reach < 100:
        return None
    scores = closeness(rows.rough, places, np.zeros(d, np.float32))
    # A dot product of d terms errs by d roundings of ‖x‖‖μ‖ at most; the halved ‖μ‖² and the two ends double it.
    rounding = (d + 8) * float(np.finfo(np.float32).eps) * max(reach, 1.0) ** 2
    reached = scores >= scores[labels, np.arange(n)] - np.float32(4 * rounding)
    doubts = (reached.view(np.int8).sum(axis=0, dtype=np.int8) > 1).nonzero()[0]
    return doubts if 4 * len(doubts) < n else None
