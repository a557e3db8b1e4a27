"""Grids: what was asked of a model over a view, kept while the view stays.

A vote of 200 trees is the sum of 200 terms; the next step adds one of them, so only that one is asked for.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.plane import Plane
from algorithms.core.scene import Part

_PLACES = 12  # views (of each panel, coarse and fine) whose grids are kept
_SUMS = 16  # of a view, so that a few steps back cost nothing
_BYTES = 128 << 20
_SHARES = (0.02, 0.06, 0.13, 0.22, 0.34, 0.47, 0.61, 0.76, 0.9)  # of the view, below each level line


class Grids:
    """Keeps the grids of the terms of regions by part and place, and the levels chosen for a view.

    A place is whatever the grid depends on besides the part: the plane and the view.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Terms] = OrderedDict()
        self._height: tuple[Any, Hashable, Array] | None = None
        self._levels: OrderedDict[Hashable, tuple[float, ...]] = OrderedDict()
        self._projected: OrderedDict[Hashable, tuple[Plane, Array, Array]] = OrderedDict()

    def projected(self, plane: Plane, at: Array) -> Array:
        """Project places; the same array for those that cannot change, such as the rows, so that it is known again."""
        if at.flags.writeable:
            return np.asarray(plane.project(at))
        key = id(plane), id(at)
        if key not in self._projected:
            places = plane.project(at)
            places.flags.writeable = False
            self._projected[key] = plane, at, places  # held, so that their ids stay their own
            if len(self._projected) > _PLACES:
                self._projected.popitem(last=False)
        return self._projected[key][2]

    def summed(self, place: Hashable, terms: Sequence[Part], ask: Callable[[Callable[[Array], Array]], Array]) -> Array:
        """Sum `ask(score)` over the terms, asking only parts that are new at this place."""
        kept = self._kept.setdefault(place, _Terms())
        self._kept.move_to_end(place)
        total = kept.summed(terms, ask)
        while len(self._kept) > 1 and (len(self._kept) > _PLACES or self._bytes() > _BYTES):
            self._kept.popitem(last=False)
        kept.shrink(_BYTES)
        return total

    def height(self, of: Callable[[Array], Array], place: Hashable, ask: Callable[[], Array]) -> Array:
        """Ask for a height at a place, once for several lines of one height."""
        if self._height is None or self._height[0] is not of or self._height[1] != place:
            self._height = of, place, ask()
        return self._height[2]

    def levels(self, place: Hashable, height: Array) -> tuple[float, ...]:
        """Choose levels that spread the lines over the view, when the place is first seen."""
        if place not in self._levels:
            self._levels[place] = spread_levels(height)
            if len(self._levels) > _PLACES:
                self._levels.popitem(last=False)
        return self._levels[place]

    def _bytes(self) -> int:
        return sum(kept.bytes for kept in self._kept.values())


class _Sum(Struct, frozen=True, eq=False):
    """The sum of the first few terms; it holds their parts, so that their ids stay their own."""

    keys: tuple[Hashable, ...]
    parts: tuple[Any, ...]
    total: Array


class _Terms:
    """The grids at one place: of each part, and the sums of the first few."""

    def __init__(self) -> None:
        self._grids: dict[Hashable, tuple[Any, Array]] = {}  # with the part, for the same reason
        self._sums: list[_Sum] = []

    @property
    def bytes(self) -> int:
        return sum(grid.nbytes for _, grid in self._grids.values())

    def summed(self, terms: Sequence[Part], ask: Callable[[Callable[[Array], Array]], Array]) -> Array:
        keys = tuple(_key(part) for part, _ in terms)
        begun = [held for held in self._sums if keys[: len(held.keys)] == held.keys]
        longest = max(begun, key=lambda held: len(held.keys), default=_Sum((), (), np.zeros(())))
        done, total = len(longest.keys), longest.total
        for key, (part, score) in zip(keys[done:], terms[done:]):
            if key not in self._grids:
                self._grids[key] = part, ask(score)
            total = total + self._grids[key][1]
        if done < len(keys):
            self._sums = [*self._sums[1 - _SUMS :], _Sum(keys, tuple(part for part, _ in terms), total)]
        return total

    def shrink(self, most: int) -> None:
        """Drop the oldest grids over so many bytes; the sums that they are in remain."""
        while len(self._grids) > 1 and self.bytes > most:
            del self._grids[next(iter(self._grids))]


def _key(part: Any) -> Hashable:
    """Name a part by its identity; texts and numbers by their value, since parts from another process are named so."""
    return part if isinstance(part, str | int) else id(part)


def spread_levels(height: Array) -> tuple[float, ...]:
    """Choose rising levels with the same shares of a grid below them whatever the height is; () where it is flat."""
    finite = height[np.isfinite(height)]
    if not finite.size or finite.min() == finite.max():
        return ()
    return tuple(np.unique(np.quantile(finite, _SHARES)).tolist())
