"""The perceptron on written-down features, w <- w + y φ(x) where y (w·φ(x)) <= 0: which visits are mistakes."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.orders import Order, epoch_order, next_place

_VISITS = 3_000  # that are made at most
_DOUBTFUL = 1e-9  # of ‖w‖‖φ‖: a score this near to 0 may come out on either side
_ROUNDED = 1e-12  # of all that was added to w: where that cancels, w has no more digits


class MistakesOnFeatures(Struct, frozen=True, eq=False):
    """The mistakes of a run.

    Attributes:
        visits: the visits, counted from 1, that were mistakes.
        rows: the row of each of them.
        sure: for how many visits this is known.
        why: why not for more.
    """

    visits: Array
    rows: Array
    sure: int
    why: str


def mistakes_on_features(phi: Array, signs: Array, order: Order, seed: int) -> MistakesOnFeatures:
    """Run it on (n, D) φ from w = 0, until rounding decides on which side a row is or there were many visits."""
    w, lengths, n, added = np.zeros(phi.shape[1]), np.linalg.norm(phi, axis=1), len(signs), 0.0
    made: list[tuple[int, int]] = []
    sure, why = _VISITS, f"the run on φ(x) beside it was made for {_VISITS:,} visits only"
    epoch, place = 0, -1
    for visit in range(1, _VISITS + 1):
        epoch, place = next_place(epoch, place, n)
        row = int(epoch_order(n, order, seed, epoch)[place])
        score = float(phi[row] @ w)
        if made and abs(score) <= lengths[row] * max(_DOUBTFUL * float(np.linalg.norm(w)), _ROUNDED * added):
            sure, why = visit - 1, f"at visit {visit:,} f came so near to 0 that rounding decides on its side"
            break
        if signs[row] * score <= 0:
            w, added = w + signs[row] * phi[row], added + float(lengths[row])
            made.append((visit, row))
        elif visit - made[-1][0] >= 2 * n:
            break  # it makes no more mistakes
    pairs = np.array(made, int).reshape(-1, 2)
    return MistakesOnFeatures(pairs[:, 0], pairs[:, 1], sure, why)
