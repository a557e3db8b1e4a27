"""Cells kept by column: eight bytes for each, and the text of those alone that are not numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
        """The m cells that are neither numbers nor missing, as they stand in the file."""
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
        """How many cells hold something."""
        return len(self.values) - int(np.isnan(self.values).sum()) + len(self.odd)

    @property
    def empty(self) -> bool:
        return self.known == 0

    @cached_property
    def numeric(self) -> bool:
        """Whether it is meant as numbers: most of what is there is one, or would be in plainer writing."""
        if 2 * (self.known - len(self.odd)) > self.known or not len(self.odd):
            return bool(self.known)
        return 2 * (self.known - len(self.odd) + self._count(_is_meant)) > self.known

    @cached_property
    def dates(self) -> bool:
        """Whether most of what is there is a date or a time."""
        return not self.numeric and 2 * self._count(is_date) > self.known

    @cached_property
    def written_dates(self) -> bool:
        """Whether its numbers are days written as 20240131."""
        if len(self.odd) or 0 <= self.values[0] < 19000101:  # the usual case, which costs nothing
            return False
        return are_written_dates(self.numbers)

    @property
    def numbers(self) -> Array:
        """The numbers that are there, in the order of the rows."""
        return np.asarray(self.values[~np.isnan(self.values)])

    def different(self, most: int) -> int:
        """How many different values there are; most + 1 when there are more than `most`."""
        seen = set(islice(np.unique(self.numbers).tolist(), most + 1)) if self.known > len(self.odd) else set()
        for text in self.texts():
            if len(seen) > most:
                break
            seen.add(text)
        return min(len(seen), most + 1)

    def _count(self, holds: Callable[[str], bool]) -> int:
        """Of how many of the texts something holds."""
        return sum(map(holds, self.texts()))


def _is_meant(cell: str) -> bool:
    return has_decimal_comma(cell) or is_amount(cell)


def texts_column(name: str, cells: Iterable[str]) -> Column:
    """A column of text as it is, missing cells apart, whether or not it could be read as numbers."""
    kept = [(i, cell.replace(BETWEEN, "\N{REPLACEMENT CHARACTER}")) for i, cell in enumerate(cells)]
    odd = [(i, cell) for i, cell in kept if not is_missing(cell)]
    packed = (BETWEEN.join(cell for _, cell in odd),) if odd else ()
    return Column(name, np.full(len(kept), np.nan), np.array([i for i, _ in odd], np.int64), packed)


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
        """More rows, each as wide as the first."""
        if not rows:
            return
        block = self._room(len(rows))
        if len(rows) >= block.shape[1]:
            for j, cells in enumerate(zip(*rows)):
                for i, text in self._read(cells, block[:, j]):
                    self._hold(i, j, text)
        else:
            for i, row in enumerate(rows):
                for j, text in self._read(row, block[i]):
                    self._hold(i, j, text)
        self.n += len(rows)
        if self._loose_count > _MOST_LOOSE:
            self._pack()

    def columns(self, names: Sequence[str], skip_first: bool = False) -> tuple[Column, ...]:
        """The columns, views of one (n, d) array; nothing is added after.

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
        """Where the numbers of so many more rows go."""
        rows, width = self._values.shape
        if self.n + more > rows:
            self._values.resize((max(self.n + more, rows + rows // 2), width), refcheck=False)
        return self._values[self.n : self.n + more]

    def _read(self, cells: Sequence[str], into: Array) -> list[tuple[int, str]]:
        """The numbers in a run of cells, along a row or a column; gives back the cells that are none, with places."""
        stripped = list(map(str.strip, cells))
        values = numbers(stripped, self._decimal)
        if values is not None:
            into[:] = values
            return []
        known = {cell: number(cell, self._decimal) for cell in set(stripped)}
        into[:] = [known[cell] for cell in stripped]  # None becomes NaN
        odd = {cell for cell, value in known.items() if value is None and not is_missing(cell)}
        return [(k, cell) for k, cell in enumerate(stripped) if cell in odd] if odd else []

    def _hold(self, i: int, j: int, text: str) -> None:
        rows, texts = self._loose.setdefault(j, ([], []))
        rows.append(self.n + i)
        texts.append(text)
        self._loose_count += 1

    def _pack(self) -> None:
        for j, (rows, texts) in self._loose.items():
            self._packs.setdefault(j, []).append((np.array(rows, np.int64), BETWEEN.join(texts)))
        self._loose.clear()
        self._loose_count = 0
