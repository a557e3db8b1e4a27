"""The table in a text file: its column names, which of its rows are taken, what was assumed."""

from collections.abc import Iterable, Sequence
from itertools import chain, islice

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.data.cells import BETWEEN, Cells, Column
from algorithms.data.delimited import NO_SEPARATOR, SEPARATOR_NAMES, Batch, batches, separator_of
from algorithms.data.numbers import SAY_COMMA, has_decimal_comma, is_number
from algorithms.data.sampling import Drawn, Sample
from algorithms.data.table import Table, names_of
from algorithms.data.textfile import NotUtf8, TextFile

_BLOCK_CELLS = 1 << 17


def read_text(file: TextFile, decimal: str, sample: Sample) -> Table:
    """Read the table in a CSV or TSV file, as UTF-8 or UTF-16, else as Windows-1252 with a notice.

    Raises:
        Refused: with a sentence that says why there is none, with line and column.
    """
    try:
        return _read(file, decimal, sample, [])
    except NotUtf8:
        file.read_as_windows_1252()
        notice = "it is not UTF-8, so it was read as Windows-1252: look at letters with accents."
        return _read(file, decimal, sample, [notice])


def _read(file: TextFile, decimal: str, sample: Sample, notices: list[str]) -> Table:
    separator = separator_of(file, decimal)
    if separator not in (NO_SEPARATOR, ",") and not file.is_tsv:
        notices.append(f"columns are separated by {SEPARATOR_NAMES[separator]}.")
    rows = batches(file, separator)
    head = next(rows, None)
    if head is None:
        raise Refused(f"{file.name} is empty.")
    first = _First([cell.strip() for cell in head.rows[0]], decimal)
    width = len(first.cells)
    cells = Cells(width, decimal)
    most = sample.most(file.size, width)
    with_first = chain([head], rows)
    if most is None:
        lines, seen = _all_rows(with_first if first.has_numbers else rows, first, cells)
        skip = first.has_numbers and not first.is_data
    else:  # a first line found to be data only at the end is not among those drawn
        lines, seen = _drawn_rows(with_first if first.is_data else rows, first, cells, Drawn(most, sample.seed))
        skip = False
    seen -= skip
    names: tuple[str, ...]
    nameless: frozenset[str] = frozenset()
    if first.is_data:
        names = tuple(f"x{j + 1}" for j in range(width))
        notices.append("the first line holds values, so the columns are called x1, x2, ...")
    else:
        names, nameless = names_of(first.cells, notices)
    if not seen:
        raise Refused(f"{file.name} holds one line of column names and no rows.")
    columns = cells.columns(names, skip_first=skip)
    if width == 1:
        _check_single(columns[0], decimal, file.name)
    notices.extend(sample.notice(len(columns[0].values), seen, file.size))
    return Table(columns, nameless, lines[int(skip) :], tuple(notices))


class _First:
    """The first line, which holds values when it has numbers, and beside them only text that comes again below.

    Attributes:
        cells: its cells.
        has_numbers: whether some of them are numbers.
        open: the texts beside numbers that have not come again yet, by column.
    """

    def __init__(self, cells: list[str], decimal: str):
        self.cells = cells
        texts = {j: cell for j, cell in enumerate(cells) if not is_number(cell, decimal)}
        self.has_numbers = len(texts) < len(cells)
        self.open = texts if self.has_numbers else {}

    @property
    def is_data(self) -> bool:
        return self.has_numbers and not self.open

    def look(self, rows: Sequence[Sequence[str]]) -> None:
        """Look for its texts among the rows below."""
        repeated = [j for j, cell in self.open.items() if any(row[j].strip() == cell for row in rows)]
        for j in repeated:
            del self.open[j]


def _all_rows(batches: Iterable[Batch], first: _First, cells: Cells) -> tuple[Array, int]:
    """Read every row into the cells; return the lines they end on, and their number."""
    lines: list[Array] = [np.empty(0, np.int64)]
    for batch in batches:
        if cells.n:
            first.look(batch.rows)
        cells.add(batch.rows)
        lines.append(batch.lines)
    return np.concatenate(lines), cells.n


def _drawn_rows(
    batches: Iterable[Batch], first: _First, cells: Cells, drawn: Drawn[tuple[int, str]]
) -> tuple[Array, int]:
    """Draw rows into the cells; return the lines they end on, and the number of rows in the file."""
    for batch in batches:
        if first.open:
            first.look(batch.rows)
        hits, keys = drawn.hits(len(batch.rows))
        drawn.keep(keys, [(int(batch.lines[i]), BETWEEN.join(batch.rows[i])) for i in hits])
    lines = np.array([line for line, _ in drawn], np.int64)
    texts = (text.split(BETWEEN) for _, text in drawn)
    while block := list(islice(texts, max(1, _BLOCK_CELLS // len(first.cells)))):
        cells.add(block)
    return lines, drawn.seen


def _check_single(column: Column, decimal: str, file: str) -> None:
    """Refuse a single column without numbers: then the separator was not found."""
    if decimal == "." and any(map(has_decimal_comma, column.texts())):
        raise Refused(f"{file} has commas inside its numbers; if they are decimal points, say so: {SAY_COMMA}.")
    if column.known == len(column.odd):
        raise Refused(f"{file} has one column, not of numbers: no comma, semicolon, tab or | separates its lines.")
