"""Which rows of a file are taken: all, or some drawn at random from a stream of which nobody knows the length.

Every row gets a key, default_rng((seed, 1)).random(n); those with the k smallest are kept. So which rows are drawn
depends on the seed and the number of rows alone, and at most 5 k / 4 are held at a time.
"""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.notices import LeftOut
from algorithms.data.progress import Watch, unwatched

MOST_BYTES = 64 << 20  # of what is larger a sample is drawn, asked or not
MOST_ROWS_DRAWN = 100_000  # unasked
MOST_CELLS_DRAWN = 1 << 22  # unasked
_MOST_CELLS = 1 << 26  # when asked for

_KEYS = 1 << 20  # rows that are drawn from at a time

T = TypeVar("T")


class Sample(Struct, frozen=True):
    """How many rows are to be drawn, None for as many as there may be, and the seed that says which."""

    rows: int | None = None
    seed: int = 0

    def most(self, size: int, width: int) -> int | None:
        """Decide how many rows to draw of a table of `size` bytes and so many columns, None for all.

        Raises:
            Refused: when more are asked for than there is room for.
        """
        if size <= MOST_BYTES:
            return self.rows
        if self.rows is not None:
            if self.rows * width > _MOST_CELLS:
                most = _MOST_CELLS // width
                raise Refused(f"{self.rows:,} rows of {width:,} columns are too many to draw; draw {most:,} at most.")
            return self.rows
        return max(2, min(MOST_ROWS_DRAWN, MOST_CELLS_DRAWN // width))

    def notice(self, kept: int, seen: int, size: int) -> list[str]:
        """Say that some rows were left out, if they were."""
        if kept == seen:
            return []
        why = "" if self.rows is not None else f"it has {size >> 20:,} MiB, so "
        how = "" if self.rows is not None else "; --sample takes more or fewer, --sample-seed others"
        kind = LeftOut if self.rows is None else str  # what was asked for is no surprise
        return [kind(f"{why}{kept:,} of its {seen:,} rows were drawn at random (seed {self.seed}){how}.")]


class Drawn(Generic[T]):
    """A sample of `most` things, in the order they came in.

    Attributes:
        seen: how many were offered.
    """

    def __init__(self, most: int, seed: int):
        self.seen = 0
        self._most = most
        self._random = np.random.default_rng((seed, 1))
        self._bound = np.inf
        self._keys: list[float] = []
        self._kept: list[T] = []

    def hits(self, count: int) -> tuple[Array, Array]:
        """Choose which of the next `count` to keep for now, with their keys."""
        keys = self._random.random(count)
        self.seen += count
        hits = np.flatnonzero(keys < self._bound)
        return hits, keys[hits]

    def keep(self, keys: Array, things: Sequence[T]) -> None:
        """Keep these; the largest keys go when there are too many."""
        self._keys.extend(keys.tolist())
        self._kept.extend(things)
        if len(self._keys) > self._most + self._most // 4:
            self._prune()

    def __iter__(self) -> Iterator[T]:
        self._prune()
        return iter(self._kept)

    def _prune(self) -> None:
        if len(self._keys) <= self._most:
            return
        self._bound = float(np.partition(self._keys, self._most)[self._most])
        kept = [i for i, key in enumerate(self._keys) if key < self._bound]
        self._keys = [self._keys[i] for i in kept]
        self._kept = [self._kept[i] for i in kept]


def rows_drawn(n: int, most: int, seed: int, watch: Watch = unwatched) -> Array:
    """Draw from n rows: the numbers of those drawn, ascending."""
    drawn: Drawn[int] = Drawn(most, seed)
    for start in range(0, n, _KEYS):
        hits, keys = drawn.hits(min(_KEYS, n - start))
        drawn.keep(keys, (hits + start).tolist())
        watch(0.0)  # so that it can be cancelled
    return np.array(list(drawn), np.int64)
