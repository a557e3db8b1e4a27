"""From a table of text to rows of numbers: which columns are features, what the target is, what is missing."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.notices import LeftOut
from algorithms.core.text import counted, listed, printable
from algorithms.data.cells import Column
from algorithms.data.numbers import SAY_COMMA, called, has_decimal_comma, is_amount, is_date
from algorithms.data.table import Table

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
        names: what the rows are called, () where they have numbers only.
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
    names: tuple[str, ...] = ()


def rows(
    table: Table,
    *,
    name: str,
    columns: Sequence[str] = (),
    target: str | None = None,
    kind: TargetKind = "auto",
    missing: Literal["drop", "refuse"] = "drop",
    decimal: str = ".",
    names: Sequence[str] = (),
) -> Rows:
    """Choose the features and the target asked for, or those that suggest themselves, with notices of the choice.

    Args:
        names: what every row of the table is called, () for none.
    """
    by_name = {column.name: column for column in table.columns}
    notices = list(table.notices)
    for wanted in (*columns, *([target] if target else [])):
        if wanted not in by_name:
            raise no_column(name, wanted, table.names)
    named = target is not None
    if target is None:
        target = table.target
    if target is None:
        target = _suggested_target(by_name, table, columns, notices)
    goal = by_name[target] if target else None
    chosen = _features(by_name, columns, goal, table, name, notices)
    for feature in chosen:
        _check_numbers(feature, table, decimal)
    used = [*chosen, goal] if goal is not None else chosen
    kept = _complete(used, table, missing, name, notices)
    X = np.empty((len(kept), len(chosen)))
    for j, feature in enumerate(chosen):
        X[:, j] = feature.values if len(kept) == len(feature.values) else feature.values[kept]
    features = tuple(feature.name for feature in chosen)
    made = partial(Rows, X, features, names=tuple(printable(names[i]) for i in kept.tolist()) if names else ())
    if goal is None:
        return made(notices=tuple(notices))
    if kind == "number" or (kind == "auto" and goal.numeric and not _few_whole(goal, MOST_WHOLE_CLASSES)):
        _check_numbers(goal, table, decimal)
        return made(goal.values[kept], "number", target=goal.name, notices=tuple(notices))
    if kind == "auto" and goal.numeric and named:
        notices.append(f"{goal.name} holds few different whole numbers and is taken as classes.")
    if goal.dates:
        notices.append(f"{goal.name} holds dates; each different one is taken as a class.")
    y, classes = coded(goal, kept, name)
    return made(y, "class", classes, goal.name, notices=tuple(notices))


def no_column(name: str, wanted: str, names: Sequence[str]) -> Refused:
    return Refused(f"{name} has no column {wanted!r}; it has {listed(list(names))}.")


def coded(goal: Column, kept: Array, name: str) -> tuple[Array, tuple[str, ...]]:
    """Code the classes, with their names: by size when they are numbers, else by the alphabet."""
    sizes, codes = np.unique(goal.values[kept], return_inverse=True)  # NaN, of which there is one, comes last
    names = [called(size) for size in sizes if not np.isnan(size)]
    if len(names) < len(sizes):  # some are texts: all are
        words = {word: code for code, word in enumerate(names)}
        every = np.full(len(goal.values), -1)
        every[kept] = codes
        for i, text in zip(goal.odd.tolist(), goal.texts()):
            every[i] = words.setdefault(printable(text), len(words))
        there, codes = np.unique(every[kept], return_inverse=True)
        spelt = list(words)
        names = [spelt[code] for code in there]
        order = sorted(range(len(names)), key=names.__getitem__)
        codes = np.argsort(order)[codes]
        names = [names[i] for i in order]
    if len(names) < 2:
        raise Refused(f"{goal.name} of {name} has one value only ({names[0]}); classes are two or more.")
    return codes.astype(np.int64), tuple(names)


def _suggested_target(by_name: dict[str, Column], table: Table, columns: Sequence[str], notices: list[str]) -> str:
    """Suggest a target when none was named: a last column of classes, or the only text column of few values."""
    last = table.columns[-1]
    target: Column | None = None
    if _are_classes(last):
        target = last
    else:
        texts = list(islice(filter(_are_classes, table.columns), 2))  # whether none, one or more
        if len(texts) == 1:
            target = texts[0]
        elif (
            not texts
            and _few_whole(last, MOST_WHOLE_CLASSES, _ROWS_A_CLASS)
            and any(c.numeric and c.name not in table.nameless for c in table.columns[:-1])
        ):
            target = last
    if target is None or target.name in columns or target.name in table.nameless:
        return ""
    count = target.different(MOST_CLASSES)
    notices.append(f"{target.name} is taken as the target, with {count} classes; name another as the target, or none.")
    return target.name


def _are_classes(c: Column) -> bool:
    """Tell whether a column is text with few different values."""
    return not c.numeric and not c.dates and _few(c, MOST_CLASSES)


def _few(c: Column, most: int, rows_each: int = 1) -> bool:
    """Tell whether a column has few enough different values to be classes."""
    count = c.different(most)
    return 2 <= count <= most and count * rows_each <= len(c.values) and count < len(c.values)


def _few_whole(c: Column, most: int, rows_each: int = 1) -> bool:
    return not len(c.odd) and bool((c.numbers == np.round(c.numbers)).all()) and _few(c, most, rows_each)


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
    left = [c for c in rest if not c.numeric and not c.empty and c.name not in table.nameless]
    dates = [c.name for c in left if c.dates]
    texts = [c.name for c in left if not c.dates]
    for left_out, why in (
        (texts, "text"),
        (dates, "dates; numbers such as days or years can be learned from"),
        (empty, "empty"),
        (nameless, "without a name"),
    ):
        if left_out:
            notices.append(LeftOut(f"{listed(left_out)} left out: {why}."))
    out = {*texts, *dates, *empty, *nameless}
    features = [c for c in rest if c.name not in out]
    written = [c.name for c in features if c.written_dates]
    if written:
        notices.append(f"{listed(written)} looks like dates written as 20240131, and is taken as numbers.")
    if not features:
        raise Refused(f"{name} has no column of numbers to learn from; it has {listed(list(by_name))}.")
    return features


def _check_numbers(c: Column, table: Table, decimal: str) -> None:
    """Refuse a column with a cell that is neither a number nor missing, naming the cell."""
    if not len(c.odd):
        return
    cell = next(c.texts())
    where = f"{table.where(int(c.odd[0]))} has {printable(cell[:40])!r} in column {c.name}"
    if decimal == "." and has_decimal_comma(cell):
        raise Refused(f"{where}; if the comma is a decimal point, say so: {SAY_COMMA}; if not, take it out.")
    if is_date(cell):
        raise Refused(f"{where}, a date; write it as a number, such as days or years, or choose the columns.")
    if is_amount(cell):
        raise Refused(f"{where}, an amount; write it as a plain number, such as 1234.5, or choose the columns.")
    more = f", and so have {counted(len(c.odd) - 1, 'more row')}" if len(c.odd) > 1 else ""
    raise Refused(f"{where}, which is not a number{more}; mend it, or choose the columns.")


def _complete(used: list[Column], table: Table, missing: str, name: str, notices: list[str]) -> Array:
    """Select the rows in which no used column has a missing cell."""
    gone = np.column_stack([c.missing for c in used])
    dropped = np.flatnonzero(gone.any(axis=1))
    if not len(dropped):
        return np.arange(len(gone))
    lacking = [f"row {i} has no {used[int(gone[i].argmax())].name}" for i in dropped[:_NAMED_ROWS]]
    if missing == "refuse":
        i = int(dropped[0])
        lacks = used[int(gone[i].argmax())].name
        raise Refused(f"{table.where(i)} of {name} has no {lacks}; rows with missing cells can be dropped.")
    if len(dropped) == len(gone):
        raise Refused(f"every row of {name} has a missing cell in {listed([c.name for c in used])}.")
    more = f", and {len(dropped) - len(lacking):,} more" if len(dropped) > len(lacking) else ""
    words = f"{counted(len(dropped), 'row')} dropped: {', '.join(lacking)}{more}"
    notices.append(LeftOut(f"{words}; the others are numbered without them."))
    return np.flatnonzero(~gone.any(axis=1))
