"""Columns made of arrays: of an archive, of a script's own, or of another library's table."""

from collections.abc import Iterable, Sequence

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.frames import as_numbers, is_missing
from algorithms.data.cells import BETWEEN, Cells, Column
from algorithms.data.table import Table, names_of

_CELLS = 1 << 17  # of text that are taken apart at a time
_NUMBERS = "biuf"  # kinds of dtype that are read as they are
_KINDS = _NUMBERS + "SUMmO"


def columns_of_array(heads: Iterable[str], items: Array) -> list[Column]:
    """Make a column of each of the d columns of an array (n, d); texts are numbers where they spell numbers."""
    if items.dtype.kind not in _NUMBERS:
        return [_column(head, items[:, j]) for j, head in enumerate(heads)]
    with np.errstate(all="ignore"):  # what is too large for eight bytes is infinite, which is told
        values = np.array(items, np.float64)
    infinite = {int(j): np.flatnonzero(np.isinf(values[:, j])) for j in np.flatnonzero(np.isinf(values).any(axis=0))}
    columns = []
    for j, head in enumerate(heads):
        odd = infinite.get(j, np.empty(0, np.int64))
        packed = (BETWEEN.join(map(str, values[odd, j])),) if len(odd) else ()
        values[odd, j] = np.nan
        columns.append(Column(head, values[:, j], odd, packed))
    return columns


def table_of_arrays(
    arrays: Sequence[tuple[str, Array]], name: str, *, notices: Iterable[str] = (), target: str | None = None
) -> Table:
    """Make a table of named columns, (n,) each.

    Args:
        name: what the table is called in a sentence.
        target: the name of the one that is the target, "" for none, None when nothing says; where it is another's
            too, it is that of the last.

    Raises:
        Refused: for a table without a cell, columns of unequal length, and cells of a kind that is no table's.
    """
    told = list(notices)
    lengths = {len(values) for _, values in arrays}
    if not lengths or lengths == {0}:
        raise Refused(f"{name} holds no cell: there is nothing in it.")
    if len(lengths) > 1:
        raise Refused(
            f"the columns of {name} hold {min(lengths):,} to {max(lengths):,} cells; they must be equally long."
        )
    names, nameless = names_of([head for head, _ in arrays], told)
    columns: list[Column] = []
    for head, (_, values) in zip(names, arrays):
        if values.ndim != 1 or values.dtype.kind not in _KINDS:
            raise Refused(f"column {head} of {name} holds {values.dtype.name}, which is neither a number nor a text.")
        columns += columns_of_array([head], values[:, None])
    return Table(tuple(columns), nameless, notices=tuple(told), target=names[-1] if target else target)


def texts_of(items: Array) -> list[str]:
    """Spell texts, dates and objects as they would stand in a text file, "" where there is none."""
    if items.dtype.kind == "M":
        return ["" if text == "NaT" else text for text in np.datetime_as_string(items).tolist()]
    if items.dtype.kind in "mO":
        return ["" if is_missing(item) else str(item) for item in items]
    return [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in items.tolist()]


def _column(head: str, items: Array) -> Column:
    """Make a column of objects or texts, by what they are."""
    numbers = as_numbers(items)
    return _text_column(head, items) if numbers is None else columns_of_array([head], numbers[:, None])[0]


def _text_column(head: str, items: Array) -> Column:
    """Make a column of texts, numbers where they spell numbers."""
    cells = Cells(1, ".")
    for start in range(0, len(items), _CELLS):
        texts = texts_of(items[start : start + _CELLS])
        cells.add([[text.replace(BETWEEN, "\N{REPLACEMENT CHARACTER}")] for text in texts])
    return cells.columns([head])[0]
