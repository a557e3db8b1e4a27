"""Tables of text: a CSV file taken apart, with what was assumed about it said in words."""

import csv
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from itertools import islice
from pathlib import Path

from msgspec import Struct

from algorithms.core.errors import Refused
from algorithms.data.numbers import SAY_COMMA, has_decimal_comma, is_number
from algorithms.data.text import printable

MOST_BYTES = 64 << 20
_SEPARATORS = "\t;|,"  # the comma last: it is also found inside numbers and text
_NAMES = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}
_NO_SEPARATOR = "\x1f"  # stands in no file that is text: one column
_SNIFFED_ROWS = 50


class Table(Struct, frozen=True):
    """Cells as they stand in a file.

    Attributes:
        names: one a column.
        nameless: the columns whose heads were empty; often they hold row names.
        rows: the cells of each row, as many as there are names.
        lines: the line of the file on which each row ends, counted from 1.
        notices: what was assumed.
    """

    names: tuple[str, ...]
    nameless: frozenset[str]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    notices: tuple[str, ...]


def read(path: Path, decimal: str = ".") -> Table:
    """The table in a CSV file; `Refused` says in a sentence why there is none."""
    file = printable(path.name)
    text, notices = _decoded(_bytes(path, file), file)
    separator = _separator(text, decimal)
    if separator not in (_NO_SEPARATOR, ","):
        notices.append(f"columns are separated by {_NAMES[separator]}.")
    numbered = list(_rows(text, separator, file))
    if not numbered:
        raise Refused(f"{file} is empty.")
    width = len(numbered[0][1])
    first = numbered[0][1]
    headless = _is_data(first, [cells for _, cells in numbered[1:]], decimal)
    body = numbered if headless else numbered[1:]
    if not body:
        raise Refused(f"{file} holds one line of column names and no rows.")
    for i, (line, cells) in enumerate(body):
        if len(cells) != width:
            raise Refused(
                f"row {i} (line {line}) of {file} has {len(cells)} cells, the first line has {width}; "
                "every line must have as many."
            )
    if width == 1:
        _check_single([cells[0] for _, cells in body], decimal, file)
    if headless:
        names, nameless = tuple(f"x{j + 1}" for j in range(width)), frozenset[str]()
        notices.append("the first line holds values, so the columns are called x1, x2, ...")
    else:
        names, nameless = _named(first, notices)
    return Table(names, nameless, tuple(cells for _, cells in body), tuple(line for line, _ in body), tuple(notices))


def _bytes(path: Path, file: str) -> bytes:
    try:
        if path.is_dir():
            raise Refused(f"{file} is a directory, not a CSV file.")
        if path.exists() and not path.is_file():
            raise Refused(f"{file} is not a plain file.")
        if path.stat().st_size > MOST_BYTES:
            raise Refused(f"{file} has {path.stat().st_size >> 20} MiB; files up to {MOST_BYTES >> 20} MiB are read.")
        return path.read_bytes()
    except FileNotFoundError:
        raise Refused(f"there is no file {printable(str(path))!r}.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from None


def _decoded(raw: bytes, file: str) -> tuple[str, list[str]]:
    """The text of a file: UTF-8, UTF-16 when it is marked so, else Windows-1252 with a notice."""
    notices: list[str] = []
    not_text = Refused(f"{file} is not a text file; save the table as CSV.")
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = raw.decode("cp1252")
        except UnicodeDecodeError:
            raise not_text from None
        if any(c < " " and c not in "\t\r\n" for c in text[:4096]):
            raise not_text from None
        notices.append("it is not UTF-8, so it was read as Windows-1252: look at letters with accents.")
    if "\0" in text:
        raise not_text
    return text, notices


def _rows(text: str, separator: str, file: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(line, cells) of each line that is not blank; cells without the spaces around them."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, tuple(cell.strip() for cell in cells)
    except csv.Error as error:
        why = "a quotation mark is out of place or not closed" if "field" not in str(error) else printable(str(error))
        raise Refused(f"line {reader.line_num} of {file} is not CSV: {why}.") from None


def _separator(text: str, decimal: str) -> str:
    """What separates the columns: the first candidate that gives every line as many cells, two or more.

    When none does, the one that the first line has most of, so that the odd line is named later.
    """
    candidates = _SEPARATORS if decimal == "." or '"' in text else _SEPARATORS.replace(",", "")
    best, most = _NO_SEPARATOR, 1
    for separator in candidates:
        counts: list[int] = []
        with suppress(Refused):  # the reading proper says what is wrong
            counts.extend(len(cells) for _, cells in islice(_rows(text, separator, ""), _SNIFFED_ROWS))
        if counts and counts[0] > 1 and len(set(counts)) == 1:
            return separator
        if counts and counts[0] > most:
            best, most = separator, counts[0]
    return best


def _is_data(first: tuple[str, ...], rest: list[tuple[str, ...]], decimal: str) -> bool:
    """Whether the first line holds values: numbers, and beside them only text that comes again in its column."""
    numbers = [is_number(cell, decimal) for cell in first]
    if not any(numbers):
        return False
    below = [set(column) for column in zip(*rest)]
    return all(number or (j < len(below) and cell in below[j]) for j, (cell, number) in enumerate(zip(first, numbers)))


def _check_single(cells: list[str], decimal: str, file: str) -> None:
    """One column is data when it holds numbers; otherwise the separator was not found."""
    if decimal == "." and any(map(has_decimal_comma, cells)):
        raise Refused(f"{file} has commas inside its numbers; if they are decimal points, say so: {SAY_COMMA}.")
    if not any(is_number(cell, decimal) for cell in cells):
        raise Refused(f"{file} has one column, not of numbers: no comma, semicolon, tab or | separates its lines.")


def _named(heads: tuple[str, ...], notices: list[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Column names, each once and printable, and those that had to be made up."""
    names: list[str] = []
    nameless: set[str] = set()
    for j, head in enumerate(heads):
        name = printable(head) or f"x{j + 1}"
        if name in names:
            twice, number = name, 2
            while f"{twice}_{number}" in (*names, *heads):
                number += 1
            name = f"{twice}_{number}"
            notices.append(f"two columns are called {twice}; the later one is now {name}.")
        if not head:
            nameless.add(name)
        names.append(name)
    return tuple(names), frozenset(nameless)
