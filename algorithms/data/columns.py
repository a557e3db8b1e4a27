"""From a table of text to rows of numbers: which columns are features, what the target is, what is missing."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.data.numbers import SAY_COMMA, has_decimal_comma, is_missing, number
from algorithms.data.table import Table
from algorithms.data.text import listed, printable

TargetKind = Literal["auto", "class", "number"]

MOST_CLASSES = 20  # a column of text with more different values is not taken for classes unasked
MOST_WHOLE_CLASSES = 10  # nor a column of whole numbers
_ROWS_A_CLASS = 5  # nor either with fewer rows a value than this
_NAMED_ROWS = 3  # so many dropped rows are named, the rest counted


class Rows(Struct, frozen=True, eq=False):
    """Features and a target, before they are split and scaled.

    Attributes:
        X: (n, d).
        features: d names.
        y: (n,) class codes or numbers, or None.
        kind: what y is: "class", "number" or "none".
        classes: class names by code.
        target: its name, "" without one.
        truth: what is known of made data.
        notices: what a person should be told.
        image: (height, width) when a row is a picture.
    """

    X: Array
    features: tuple[str, ...]
    y: Array | None = None
    kind: Literal["none", "class", "number"] = "none"
    classes: tuple[str, ...] = ()
    target: str = ""
    truth: dict[str, Any] = {}
    notices: tuple[str, ...] = ()
    image: tuple[int, int] | None = None


class Column(Struct, frozen=True, eq=False):
    """One column, read as numbers as far as it goes.

    Attributes:
        cells: (n,) as they stand in the file.
        values: (n,) float64; NaN where there is no number.
        missing: (n,) bool: cells that say there is no value.
        odd: rows whose cells are neither numbers nor missing.
    """

    name: str
    cells: tuple[str, ...]
    values: Array
    missing: Array
    odd: tuple[int, ...]

    @property
    def empty(self) -> bool:
        return bool(self.missing.all())

    @property
    def numeric(self) -> bool:
        """Whether it is meant as numbers: most of what is there is one, or would be with a decimal comma."""
        commas = sum(has_decimal_comma(self.cells[i]) for i in self.odd)
        known = len(self.cells) - int(self.missing.sum())
        return 2 * (known - len(self.odd) + commas) > known

    def values_seen(self) -> set[str]:
        return {cell for cell, gone in zip(self.cells, self.missing) if not gone}


def column(table: Table, j: int, decimal: str) -> Column:
    cells = tuple(row[j] for row in table.rows)
    numbers = [number(cell, decimal) for cell in cells]
    missing = np.array([value is None and is_missing(cell) for cell, value in zip(cells, numbers)], bool)
    odd = tuple(i for i, value in enumerate(numbers) if value is None and not missing[i])
    values = np.array([np.nan if value is None else value for value in numbers], float)
    return Column(table.names[j], cells, values, missing, odd)


def rows(
    table: Table,
    *,
    name: str,
    columns: Sequence[str] = (),
    target: str | None = None,
    kind: TargetKind = "auto",
    missing: Literal["drop", "refuse"] = "drop",
    decimal: str = ".",
) -> Rows:
    """The features and the target asked for, or those that suggest themselves, with notices of what was decided."""
    by_name = {head: column(table, j, decimal) for j, head in enumerate(table.names)}
    notices = list(table.notices)
    for wanted in (*columns, *([target] if target else [])):
        if wanted not in by_name:
            raise no_column(name, wanted, table.names)
    named = target is not None
    if target is None:
        target = _suggested_target(by_name, table, columns, notices)
    goal = by_name[target] if target else None
    chosen = _features(by_name, columns, goal, table, name, notices)
    for feature in chosen:
        _check_numbers(feature, table, decimal)
    used = [*chosen, goal] if goal is not None else chosen
    kept = _complete(used, table, missing, name, notices)
    X = np.column_stack([feature.values[kept] for feature in chosen])
    features = tuple(feature.name for feature in chosen)
    if goal is None:
        return Rows(X, features, notices=tuple(notices))
    if kind == "number" or (kind == "auto" and goal.numeric and not _few_whole(goal, MOST_WHOLE_CLASSES)):
        _check_numbers(goal, table, decimal)
        return Rows(X, features, goal.values[kept], "number", target=goal.name, notices=tuple(notices))
    if kind == "auto" and goal.numeric and named:
        notices.append(f"{goal.name} holds few different whole numbers and is taken as classes.")
    y, classes = coded([goal.cells[i] for i in kept], goal.values[kept], name, goal.name)
    return Rows(X, features, y, "class", classes, goal.name, notices=tuple(notices))


def no_column(name: str, wanted: str, names: Sequence[str]) -> Refused:
    return Refused(f"{name} has no column {wanted!r}; it has {listed(list(names))}.")


def coded(cells: Sequence[str], values: Array, name: str, target: str) -> tuple[Array, tuple[str, ...]]:
    """Class codes and names: in order of size when they are numbers, else in that of the alphabet."""
    if not np.isnan(values).any():
        sizes, codes = np.unique(values, return_inverse=True)
        names = tuple(f"{size:g}" for size in sizes)
    else:
        words, codes = np.unique(np.array([printable(cell) for cell in cells]), return_inverse=True)
        names = tuple(map(str, words))
    if len(names) < 2:
        raise Refused(f"{target} of {name} has one value only ({names[0]}); classes are two or more.")
    return codes.astype(np.int64), names


def _suggested_target(by_name: dict[str, Column], table: Table, columns: Sequence[str], notices: list[str]) -> str:
    """The target when none was named: a last column of classes, or the only column of text with few values."""
    last = by_name[table.names[-1]]
    texts = [c for c in by_name.values() if not c.numeric and _few(c, MOST_CLASSES)]
    found: Column | None = None
    if last in texts:
        found = last
    elif len(texts) == 1:
        found = texts[0]
    elif not texts and len(by_name) > 1 and _few_whole(last, MOST_WHOLE_CLASSES, _ROWS_A_CLASS):
        found = last
    if found is None or found.name in columns or found.name in table.nameless:
        return ""
    count = len(found.values_seen())
    notices.append(f"{found.name} is taken as the target, with {count} classes; name another as the target, or none.")
    return found.name


def _few(c: Column, most: int, rows_each: int = 1) -> bool:
    """Whether a column has few enough different values to be classes."""
    count = len(c.values_seen())
    return 2 <= count <= most and count * rows_each <= len(c.cells) and count < len(c.cells)


def _few_whole(c: Column, most: int, rows_each: int = 1) -> bool:
    known = c.values[~np.isnan(c.values)]
    return not c.odd and bool((known == np.round(known)).all()) and _few(c, most, rows_each)


def _features(
    by_name: dict[str, Column],
    columns: Sequence[str],
    goal: Column | None,
    table: Table,
    name: str,
    notices: list[str],
) -> list[Column]:
    if columns:
        if goal is not None and goal.name in columns:
            raise Refused(f"{goal.name} is the target of {name}; it cannot be a feature as well.")
        if len(set(columns)) < len(columns):
            raise Refused(f"a column is named twice in {listed(list(columns))}.")
        return [by_name[c] for c in columns]
    rest = [c for c in by_name.values() if c is not goal]
    empty = [c.name for c in rest if c.empty]
    nameless = [c.name for c in rest if c.name in table.nameless and not c.empty]
    texts = [c.name for c in rest if not c.empty and not c.numeric and c.name not in nameless]
    for left_out, why in ((texts, "text"), (empty, "empty"), (nameless, "without a name")):
        if left_out:
            notices.append(f"{listed(left_out)} left out: {why}.")
    found = [c for c in rest if c.name not in {*texts, *empty, *nameless}]
    if not found:
        raise Refused(f"{name} has no column of numbers to learn from; it has {listed(list(by_name))}.")
    return found


def _check_numbers(c: Column, table: Table, decimal: str) -> None:
    """Refuse a column with a cell that is neither a number nor missing, naming the cell."""
    if not c.odd:
        return
    i = c.odd[0]
    where = f"row {i} (line {table.lines[i]}) has {c.cells[i][:40]!r} in column {c.name}"
    if decimal == "." and has_decimal_comma(c.cells[i]):
        raise Refused(f"{where}; if the comma is a decimal point, say so: {SAY_COMMA}.")
    more = f", and so have {len(c.odd) - 1} more rows" if len(c.odd) > 1 else ""
    raise Refused(f"{where}, which is not a number{more}; mend it, or choose the columns.")


def _complete(used: list[Column], table: Table, missing: str, name: str, notices: list[str]) -> Array:
    """The rows in which no used column has a missing cell."""
    gone = np.column_stack([c.missing for c in used])
    dropped = np.flatnonzero(gone.any(axis=1))
    if not len(dropped):
        return np.arange(len(gone))
    said = [f"row {i} has no {used[int(gone[i].argmax())].name}" for i in dropped[:_NAMED_ROWS]]
    if missing == "refuse":
        i = int(dropped[0])
        raise Refused(f"{said[0]} (line {table.lines[i]} of {name}); rows with missing cells can be dropped.")
    if len(dropped) == len(gone):
        raise Refused(f"every row of {name} has a missing cell in {listed([c.name for c in used])}.")
    more = f", and {len(dropped) - len(said)} more" if len(dropped) > len(said) else ""
    count = "1 row" if len(dropped) == 1 else f"{len(dropped)} rows"
    notices.append(f"{count} dropped: {', '.join(said)}{more}; the others are numbered without them.")
    return np.flatnonzero(~gone.any(axis=1))
