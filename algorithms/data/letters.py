"""One letter of a column of text as features: for each that occurs, whether it is the one ("letter 2 is a")."""

from collections.abc import Sequence

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.text import listed, printable
from algorithms.data.cells import Column
from algorithms.data.columns import MOST_CLASSES, Rows, no_column
from algorithms.data.numbers import called
from algorithms.data.table import Table


def spelt(table: Table, place: int, columns: Sequence[str], target: str | None, name: str) -> tuple[Table, Column]:
    """Put a column of 0 and 1 for each letter in place of a text column, which is returned too and names the rows.

    Raises:
        Refused: when it is not clear which column of text is meant, or none of its cells is so long.
    """
    text = _column(table, columns, target, name)
    cells = cells_of(text)
    letters = np.array([cell[place - 1 : place].lower() for cell in cells])
    there = sorted(set(letters.tolist()) - {""})
    if not there:
        raise Refused(f"no cell of {text.name} in {name} has a letter {place}.")
    rows = np.arange(0)
    made = [Column(f"letter {place} is {printable(a)}", (letters == a).astype(float), rows) for a in there]
    others = tuple(column for column in table.columns if column.name == target)
    if target is None:
        others = tuple(column for column in table.columns if column is not text and not column.numeric)
    return Table((*made, *others), lines=table.lines, notices=table.notices, target=table.target), text


def cells_of(column: Column) -> list[str]:
    """Spell the cells as text, "" where there is nothing."""
    cells = ["" if np.isnan(value) else called(value) for value in column.values.tolist()]
    for i, cell in zip(column.odd.tolist(), column.texts()):
        cells[i] = cell.strip()
    return cells


def seen(rows: Rows, training: Array) -> Rows:
    """Keep the letters that training rows have; a held-out row with another one is all 0."""
    kept = np.flatnonzero(rows.X[training].any(axis=0))
    return Rows(
        rows.X[:, kept],
        tuple(rows.features[j] for j in kept),
        rows.y,
        rows.kind,
        rows.classes,
        rows.target,
        notices=rows.notices,
        names=rows.names,
    )


def _column(table: Table, columns: Sequence[str], target: str | None, name: str) -> Column:
    by_name = {column.name: column for column in table.columns}
    for wanted in columns:
        if wanted not in by_name:
            raise no_column(name, wanted, table.names)
    chosen = [by_name[wanted] for wanted in columns]
    if not columns:
        chosen = [c for c in table.columns if not c.numeric and not c.empty and c.name != target]
        if target is None:
            chosen = [c for c in chosen if c.different(MOST_CLASSES) > MOST_CLASSES] or chosen
    if len(chosen) != 1 or chosen[0].numeric:
        there = listed([c.name for c in chosen if not c.numeric]) or "none"
        raise Refused(f"a letters map takes one column of text, {name} has {there}: name it as the one feature.")
    return chosen[0]
