"""CSV and TSV taken apart into rows of cells; what is wrong is named by line and column."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import StringIO
from itertools import islice
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.text import counted, printable
from algorithms.data.textfile import TextFile

_SEPARATORS = "\t;|,"  # the comma last: it is also found inside numbers and text
SEPARATOR_NAMES = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}
NO_SEPARATOR = "\x1f"  # stands in no file that is text: one column
_SNIFFED_ROWS = 50
_SNIFFED_TEXT = 1 << 18  # characters
_MOST_BATCH = 1 << 17  # cells; so much is text at any moment


class Batch(Struct, frozen=True, eq=False):
    """Some rows of a file.

    Attributes:
        rows: their cells.
        lines: (n,) the line of the file on which each ends, counted from 1.
    """

    rows: list[list[str]]
    lines: Array


def batches(file: TextFile, separator: str) -> Iterator[Batch]:
    """Yield the rows that are not blank, each as wide as the first, which comes alone in the first batch.

    Raises:
        Refused: at the first row that is wider or narrower, or is not CSV.
    """
    lines = file.lines()
    skipped = 0
    if declared_separator(file.head(8)):
        skipped = 1
        next(lines)
    reader = _reader(lines, separator)
    first: list[str] = []
    size = 1
    while True:
        start = reader.line_num
        rows: list[list[str]] = []
        fault = None
        try:
            rows.extend(islice(reader, size))  # what came before a fault stays
        except csv.Error as error:
            fault = error
        whole = fault is None and reader.line_num - start == len(rows)
        ends = np.arange(len(rows)) + 1 if whole else np.cumsum([_lines_of(row) for row in rows], dtype=np.int64)
        ends += start + skipped
        if not all(map(any, rows)):
            ends = ends[[any(row) for row in rows]]
            rows = [row for row in rows if any(row)]
        if rows:
            if not first:
                first = rows[0]
                size = max(1, _MOST_BATCH // len(first))
            if set(map(len, rows)) != {len(first)}:
                rows, ends = _as_wide(rows, ends, first, file.name)
            yield Batch(rows, ends)
        elif fault is None and reader.line_num == start:
            return
        if fault is not None:
            raise _refusal(fault, file, separator, int(ends[-1]) if len(ends) else start + skipped)


def separator_of(file: TextFile, decimal: str) -> str:
    """Find the separator: the first candidate that gives every line as many cells, two or more.

    When none does, the one that the first line has most of, so that the odd line is named later. A line sep=; says it.
    """
    head = file.head(_SNIFFED_TEXT)
    declared = declared_separator(head)
    if declared:
        return declared
    candidates = _SEPARATORS if decimal == "." or '"' in head else _SEPARATORS.replace(",", "")
    if file.is_tsv:
        candidates = "\t"
    best, most = NO_SEPARATOR, 1
    for separator in candidates:
        counts: list[int] = []
        if separator not in head:
            continue
        with suppress(csv.Error):  # the reading proper says what is wrong
            rows = (row for row in _reader(StringIO(head, newline=""), separator) if any(row))
            counts.extend(len(row) for row in islice(rows, _SNIFFED_ROWS))
        if counts and counts[0] > 1 and len(set(counts)) == 1:
            return separator
        if counts and counts[0] > most:
            best, most = separator, counts[0]
    return best


def declared_separator(head: str) -> str:
    """Read the separator from a first line such as sep=; (as spreadsheets write it); "" without one."""
    line = head[:8].splitlines()[:1]
    declared = line[0][4:] if line and line[0].lower().startswith("sep=") else ""
    return declared if len(declared) == 1 and declared in _SEPARATORS else ""


def _reader(lines: Iterable[str], separator: str) -> Any:
    return csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)


def _lines_of(row: list[str]) -> int:
    """Count the lines of the file that a row takes."""
    return 1 + sum(cell.count("\n") + cell.count("\r") - cell.count("\r\n") for cell in row)


def _as_wide(rows: list[list[str]], ends: Array, first: list[str], file: str) -> tuple[list[list[str]], Array]:
    """Drop the rows of nothing but space; `Refused` names the first that is wider or narrower."""
    kept = [i for i, row in enumerate(rows) if any(cell.strip() for cell in row)]
    for i in kept:
        count, width = len(rows[i]), len(first)
        if count == width:
            continue
        where = f"line {ends[i]} of {file} has {counted(count, 'cell')}, the first line has {width:,}"
        if count < width:
            raise Refused(f"{where}: there is none for column {count + 1} ({printable(first[count].strip())[:40]}).")
        raise Refused(f"{where}: there is no column {width + 1} for {printable(rows[i][width].strip())[:40]!r}.")
    return [rows[i] for i in kept], ends[kept]


def _refusal(error: csv.Error, file: TextFile, separator: str, last: int) -> Refused:
    """Say where and why the row after line `last` is not CSV, found by reading that row again."""
    place = _misquoted(islice(file.lines(), last, None), separator)
    if place is None:
        return Refused(f"{file.name} is not CSV after line {last}: {printable(str(error))}.")
    line, column, why = place
    return Refused(f"line {last + line}, column {column:,} of {file.name} is not CSV: {why}.")


def _misquoted(lines: Iterable[str], separator: str) -> tuple[int, int, str] | None:
    """Find the first fault in a row: (line, column, why), both counted from 1."""
    longest = csv.field_size_limit()
    too_long = f"the cell has more than {counted(longest, 'character')}"
    unclosed = "the quotation mark that opens the cell is never closed"
    state, column, length, opened = "start", 1, 0, 1
    number = 0
    for number, line in enumerate(lines, start=1):
        for character in line:
            if state == "quoted":
                length += 1
                if character == '"':
                    state = "closed"
                elif length > longest:
                    return opened, column, f"{unclosed}, or {too_long}"
            elif character == separator:
                state, column, length = "start", column + 1, 0
            elif character in "\r\n":
                state, column, length = "start", 1, 0
            elif state == "closed":
                if character != '"':
                    return number, column, "text follows the quotation mark that closes the cell; inside, double it"
                state = "quoted"
            elif state == "start" and character == '"':
                state, opened = "quoted", number
            elif state == "text" or character != " ":
                state, length = "text", length + 1
                if length > longest:
                    return number, column, too_long
    return (opened, column, unclosed) if state == "quoted" else None
