"""The pair of multipliers that SMO moves: how it is chosen, how far it goes, and how F follows."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.duals import may_fall, may_rise, rooms
from algorithms.toolbox.kernels import Kernel

_CACHED = 25_000_000  # distances kept while it runs: 200 MB
_NEVER = float("inf")  # before a row that may not rise, or fall
ENDLESS = 1e60  # of m - M: far beyond, products of it and α overflow
_FLAT = 2.0**-52  # of the squared spread of φ: the least η, for rows that k cannot tell apart; lost in rounding else


def squared_distances(data: Dataset, kernel: Kernel) -> tuple[Callable[[int], Array], float]:
    """i -> (n,) ‖φ(x_i) - φ(x)‖² for all rows, none below the least η, which comes with it; for `data.once`."""
    flat = _FLAT * kernel.squared_spread(data.X)
    return kernel.squared_distances_of(data.X, flat), flat


class PairSearch:
    """The best pair of each step, among the rows that are kept.

    Distances stay once they are worked out, and so does which rows may rise or fall but for the last pair: the work of
    a step is some sums over the rows.
    """

    def __init__(self, data: Dataset, kernel: Kernel, box: float):
        measured, self._flat = data.once(squared_distances, kernel)
        self._distances = lru_cache(max(_CACHED // data.n, 2))(measured)
        self._squares, self._signs, self._box = kernel.squares(data.X), data.signs, box
        self._ahead = self._rise = self._fall = np.empty(data.n)
        self._kept: Array | None = None
        self._last, self._from_i = (-1, -1), self._ahead
        self.eta = 0.0  # ‖φ(x_i) - φ(x_j)‖² of the last pair

    def best(self, alpha: Array, F: Array, kept: Array) -> tuple[int, int, float]:
        """The rows to move, and m - M: i of the greatest F, and the j with which W would rise most.

        By (F_i - F_j)²/(2η), if nothing held α back (Fan, Chen and Lin).
        """
        self._follow(alpha, kept)
        ahead = self._ahead
        i = int(np.add(F, self._rise, out=ahead).argmax())
        np.subtract(F.item(i), F, out=ahead)
        ahead -= self._fall  # -∞ for those that may not fall
        gap = ahead.item(ahead.argmax())
        np.maximum(ahead, 0.0, out=ahead)
        if gap > ENDLESS:
            np.minimum(ahead, ENDLESS, out=ahead)
        ahead *= ahead
        from_i = self._from_i = self._distances(i)
        ahead /= from_i
        j = int(ahead.argmax())
        self._last, self.eta = (i, j), from_i.item(j)
        return i, j, gap

    def _follow(self, alpha: Array, kept: Array) -> None:
        """Which rows may rise and fall: on the same rows, it can have changed for the last pair only."""
        if kept is not self._kept:
            self._kept = kept
            self._rise = np.where(kept & may_rise(alpha, self._signs, self._box), 0.0, -np.inf)
            self._fall = np.where(kept & may_fall(alpha, self._signs, self._box), 0.0, np.inf)
            return
        for r in self._last:
            now = alpha.item(r)
            if self._signs.item(r) > 0:
                self._rise[r], self._fall[r] = 0.0 if now < self._box else -_NEVER, 0.0 if now > 0 else _NEVER
            else:
                self._rise[r], self._fall[r] = 0.0 if now > 0 else -_NEVER, 0.0 if now < self._box else _NEVER

    def followed(self, F: Array, step: float) -> Array:
        """F - s (k_i - k_j) after a step s of the last pair, k_i = k(x_i, x) for all x.

        All that matters of k are distances: k_i - k_j = ½ (‖φ(x_j) - φ‖² - ‖φ(x_i) - φ‖² + ‖φ(x_i)‖² - ‖φ(x_j)‖²).
        """
        i, j = self._last
        moved = self._from_i - self._distances(j)
        moved *= step / 2
        moved += F
        longer = self._squares.item(i) - self._squares.item(j)
        if longer:
            moved -= step / 2 * longer
        return np.asarray(moved)

    def stuck(self, before: Array, after: Array) -> bool:
        """Whether a free step did not bring F_i and F_j nearer: what is left to gain is lost in rounding."""
        i, j = self._last
        return self.eta > self._flat and after.item(i) - after.item(j) >= before.item(i) - before.item(j)


def moved(alpha: Array, y: Array, i: int, j: int, free: float, box: float) -> tuple[Array, float]:
    """α with α_i y_i raised and α_j y_j lowered by `free`, or until one of them is at 0 or C; and by how much."""
    room_i, room_j = rooms(alpha, y, i, j, box)
    step = min(free, room_i, room_j)
    alpha = alpha.copy()
    alpha[i] = changed(alpha.item(i), y.item(i) * step, step == room_i, box)
    alpha[j] = changed(alpha.item(j), -y.item(j) * step, step == room_j, box)
    return alpha, step


def changed(alpha: float, by: float, to_the_end: bool, box: float) -> float:
    """α + by; where that is all the room there is, 0 or C itself and not what rounding makes of it."""
    if to_the_end:
        return box if by > 0 else 0.0
    return min(alpha + by, box)
