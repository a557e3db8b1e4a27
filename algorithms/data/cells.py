"""Cells kept by column: eight bytes for each, and the text of those alone that are not numbers."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.data.numbers import (
    are_written_dates,
    has_decimal_comma,
    is_amount,
    is_date,
    is_missing,
    number,
    numbers,
)

BETWEEN = "\0"  # stands in no text file
_LOOKED_AT = 1_000  # so many texts say what a column of text is
_MOST_LOOSE = 1 << 18  # so many cells of text are held one by one before they are put together


class Column(Struct, frozen=True, eq=False, dict=True):
    """One column, read as numbers as far as it goes.

    Attributes:
        values: (n,) float64; NaN where there is no number.
        odd: (m,) the rows, ascending, whose cells are neither numbers nor missing.
        packed: the texts of those cells.
    """

    name: str
    values: Array
    odd: Array
    packed: tuple[str, ...] = ()

    def texts(self) -> Iterator[str]:
        """List the m cells that are neither numbers nor missing, as they stand in the file."""
        for pack in self.packed:
            yield from pack.split(BETWEEN)

    @cached_property
    def missing(self) -> Array:
        """(n,) bool: cells that say there is no value."""
        gone = np.isnan(self.values)
        gone[self.odd] = False
        return gone

    @cached_property
    def known(self) -> int:
        """Count how many cells hold something."""
        return len(self.values) - int(np.isnan(self.values).sum()) + len(self.odd)

    @property
    def empty(self) -> bool:
        return self.known == 0

    @cached_property
    def numeric(self) -> bool:
        """Tell whether it is meant as numbers: most of what is there is one, or would be in plainer writing."""
        if not len(self.odd):
            return not self.empty
        return 2 * (self.known - len(self.odd) + self._about(_is_meant)) > self.known

    @cached_property
    def dates(self) -> bool:
        """Tell whether most of what is there is a date or a time."""
        return not self.numeric and 2 * self._about(is_date) > self.known

    @cached_property
    def written_dates(self) -> bool:
        """Tell whether its numbers are days written as 20240131."""
        if len(self.odd) or 0 <= self.values[0] < 19000101:  # the usual case, which costs nothing
            return False
        return are_written_dates(self.numbers)

    @property
    def numbers(self) -> Array:
        """Get the numbers that are there, in the order of the rows."""
        return np.asarray(self.values[~np.isnan(self.values)])

    def different(self, most: int) -> int:
        """Count the different values; most + 1 when there are more than `most`."""
        seen = set(islice(np.unique(self.numbers).tolist(), most + 1)) if self.known > len(self.odd) else set()
        for text in self.texts():
            if len(seen) > most:
                break
            seen.add(text)
        return min(len(seen), most + 1)

    def taken(self, which: Array) -> "Column":
        """Take some of its rows, in their order."""
        place = np.full(len(self.values), -1)
        place[which] = np.arange(len(which))
        texts = [text for at, text in zip(place[self.odd].tolist(), self.texts()) if at >= 0]
        odd = place[self.odd][place[self.odd] >= 0]
        return Column(self.name, self.values[which], odd, (BETWEEN.join(texts),) if texts else ())

    def _about(self, holds: Callable[[str], bool]) -> float:
        """Estimate, by the first texts, of how many of them something holds."""
        looked_at = list(islice(self.texts(), _LOOKED_AT))
        held = {text for text in set(looked_at) if holds(text)}
        return sum(text in held for text in looked_at) * len(self.odd) / len(looked_at) if held else 0.0


def _is_meant(cell: str) -> bool:
    return has_decimal_comma(cell) or is_amount(cell)


class Cells:
    """Rows of text that become columns while they come in; their text is let go as soon as it is read as numbers."""

    def __init__(self, width: int, decimal: str):
        self.n = 0
        self._decimal = decimal
        self._values = np.empty((0, width))
        self._loose: dict[int, tuple[list[int], list[str]]] = {}
        self._loose_count = 0
        self._packs: dict[int, list[tuple[Array, str]]] = {}

    def add(self, rows: Sequence[Sequence[str]]) -> None:
        """Add rows, each as wide as the first."""
        if not rows:
            return
        block = self._room(len(rows))
        if len(rows) >= block.shape[1]:
            for j, cells in enumerate(zip(*rows)):
                places, texts = self._read(cells, block[:, j])
                self._hold(j, [self.n + i for i in places], texts)
        else:
            for i, row in enumerate(rows):
                for j, text in zip(*self._read(row, block[i])):
                    self._hold(j, (self.n + i,), (text,))
        self.n += len(rows)
        if self._loose_count > _MOST_LOOSE:
            self._pack()

    def columns(self, names: Sequence[str], skip_first: bool = False) -> tuple[Column, ...]:
        """Give the columns, views of one (n, d) array; nothing is added after.

        Args:
            skip_first: leave out the first row, which turned out to be the column names.
        """
        self._pack()
        self._values.resize((self.n, self._values.shape[1]), refcheck=False)
        values = self._values[int(skip_first) :]
        return tuple(self._column(name, values[:, j], j, skip_first) for j, name in enumerate(names))

    def _column(self, name: str, values: Array, j: int, skip_first: bool) -> Column:
        packs = self._packs.pop(j, [])
        odd = np.concatenate([rows for rows, _ in packs]) if packs else np.empty(0, np.int64)
        packed = [text for _, text in packs]
        if skip_first and len(odd):
            if odd[0] == 0:
                packed[0] = packed[0].partition(BETWEEN)[2]
                odd, packed = odd[1:], packed if packed[0] else packed[1:]
            odd = odd - 1
        return Column(name, values, odd, tuple(packed))

    def _room(self, more: int) -> Array:
        """Make room for the numbers of so many more rows."""
        rows, width = self._values.shape
        if self.n + more > rows:
            self._values.resize((max(self.n + more, rows + rows // 2), width), refcheck=False)
        return self._values[self.n : self.n + more]

    def _read(self, cells: Sequence[str], into: Array) -> tuple[Sequence[int], Sequence[str]]:
        """Read the numbers in a run of cells, along a row or a column; return the cells that are none, with places."""
        stripped = list(map(str.strip, cells))
        values = numbers(stripped, self._decimal)
        if values is not None:
            into[:] = values
            return (), ()
        known = {cell: number(cell, self._decimal) for cell in set(stripped)}
        odd = {cell for cell, value in known.items() if value is None and not is_missing(cell)}
        if len(odd) == len(known):
            into[:] = np.nan
            return range(len(stripped)), stripped
        into[:] = [known[cell] for cell in stripped]  # None becomes NaN
        places = [k for k, cell in enumerate(stripped) if cell in odd]
        return places, [stripped[k] for k in places]

    def _hold(self, j: int, rows: Sequence[int], texts: Sequence[str]) -> None:
        if rows:
            held = self._loose.setdefault(j, ([], []))
            held[0].extend(rows)
            held[1].extend(texts)
            self._loose_count += len(rows)

    def _pack(self) -> None:
        for j, (rows, texts) in self._loose.items():
            self._packs.setdefault(j, []).append((np.array(rows, np.int64), BETWEEN.join(texts)))
        self._loose.clear()
        self._loose_count = 0
