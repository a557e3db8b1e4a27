"""Visits to rows in the order of each epoch, up to the next mistake of a perceptron."""

from collections.abc import Iterable

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.orders import Order, epoch_order

_MOST_AHEAD = 32_768  # rows; more would make a mistake found early dear


class Visits:
    """Visit the rows: which epoch it is, the last place in its order, and how many rows were right in turn.

    w stays as it is until a mistake, so the scores z·w of the rows to come are worked out together, of more of them
    the longer there was no mistake.

    Args:
        z: (n, p) y x, so that a row is a mistake when z·w <= margin.
        since: the epoch, the last place in it that was visited, and how many rows were right in turn.
    """

    def __init__(self, z: Array, margin: float, order: Order, seed: int, since: tuple[int, int, int]):
        self.z, self.margin, self.order, self.seed = z, margin, order, seed
        self.epoch, self.place, self.clean = since
        self._begin_epoch()
        self._look = 32

    def until_mistake(self, w: Array) -> tuple[int, float]:
        """Visit the next rows to the first that is a mistake, or for a stretch; the last of them, and its z·w.

        `vecdot` takes one dot product a row, so its bits do not depend on how many rows are looked at together.
        """
        n, first, clean = len(self.z), self.place + 1, self.clean
        if first == n:
            self.epoch, first, clean = self.epoch + 1, 0, clean if self.order == "cyclic" else 0
            self._begin_epoch()
        end = min(first + self._look, n, first + n - clean)
        scores = np.vecdot(self._in_turn[first:end], w)
        right = rows_before_mistake(scores, self.margin)
        self._right = (first, first + right, clean)
        if first + right == end:
            self.place, self.clean, self._look = end - 1, clean + right, min(2 * self._look, _MOST_AHEAD)
        else:
            self.place, self.clean, self._look = first + right, 0, (self._look + 2 * right) // 2 + 5
        return self._visits.item(self.place), scores.item(self.place - first)

    def right(self) -> Iterable[tuple[int, int, int]]:
        """List the rows just visited that are right: place, row, and how many were right in turn with it."""
        first, end, clean = self._right
        return zip(range(first, end), self._visits[first:end].tolist(), range(clean + 1, clean + 1 + end - first))

    def _begin_epoch(self) -> None:
        self._visits = epoch_order(len(self.z), self.order, self.seed, self.epoch)
        self._in_turn = self.z if self.order == "cyclic" else self.z[self._visits]


def rows_before_mistake(scores: Array, margin: float) -> int:
    """How many of the (m,) scores y x·w come before the first that is a mistake; m if there is none."""
    first = (scores <= margin).tobytes().find(1)  # says by itself whether there is one, as argmax does not
    return first if first >= 0 else len(scores)
