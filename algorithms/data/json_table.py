"""The table in a JSON file: rows as objects or lists, or columns by name; JSON lines too."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.text import printable
from algorithms.data.array_columns import table_of_arrays
from algorithms.data.plain_files import opened_plain
from algorithms.data.progress import Watch
from algorithms.data.sampling import Sample
from algorithms.data.table import Table

ENDINGS = (".json", ".jsonl", ".ndjson")
_MOST = 16 << 20  # bytes; as objects of Python they are ten times that
_FORMS = 'it must be a list of rows, [{"a": 1, "b": 2}, ...], or columns by name, {"a": [1, ...], "b": [2, ...]}'


def read_json(path: Path, file: str, sample: Sample, watch: Watch) -> Table:
    """Read the table in a JSON file, or in JSON lines.

    Raises:
        Refused: for what is no JSON, with line and column; for JSON that is no table; for a file too large.
    """
    handle, status = opened_plain(path, file)
    with handle:
        if status.st_size > _MOST:
            raise Refused(f"{file} has {status.st_size >> 20:,} MiB; of JSON {_MOST >> 20} are read: save it as CSV.")
        content = handle.read(_MOST + 1)
    watch(0.5)
    try:
        plain = _decoded(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Refused(f"{file} is no JSON: it is not in UTF-8.") from None
    except RecursionError:
        raise Refused(f"{file} holds lists in lists without end; {_FORMS}.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Refused(f"{file} is no JSON: {where}: {error.msg[:1].lower()}{error.msg[1:]}.") from None
    columns = {name: list(cells) for name, cells in _columns(plain, file).items()}
    _check_plain(columns, file)
    watch(1.0)
    table = table_of_arrays([(name, _array(cells)) for name, cells in columns.items()], file)
    return table.drawn(sample)


def _decoded(text: str) -> Any:
    """Decode JSON; a text of several lines with an object or a list each is the list of these."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if error.msg != "Extra data" or len(lines) < 2:
            raise
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except json.JSONDecodeError as error:
            error.lineno = number
            raise
    return rows


def _columns(plain: Any, file: str) -> Mapping[str, Iterable[Any]]:
    """Give the columns by name, of any form that a table has in JSON."""
    if isinstance(plain, list) and plain:
        if all(isinstance(row, dict) for row in plain):
            heads = dict.fromkeys(name for row in plain for name in row)
            return {name: [row.get(name) for row in plain] for name in heads}
        if all(isinstance(row, list) for row in plain):
            return _of_rows(plain, None, file)
    if isinstance(plain, dict) and plain:
        names, rows = plain.get("columns"), plain.get("data")
        if isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, list) for row in rows):
            return _of_rows(rows, [str(name) for name in names], file)
        if all(isinstance(cells, list) for cells in plain.values()):
            return plain
        if all(isinstance(cells, dict) for cells in plain.values()):  # as pandas writes them, by the rows' names
            keys = dict.fromkeys(key for cells in plain.values() for key in cells)
            return {name: [cells.get(key) for key in keys] for name, cells in plain.items()}
    raise Refused(f"{file} holds no table; {_FORMS}.")


def _of_rows(rows: list[list[Any]], names: list[str] | None, file: str) -> Mapping[str, Iterable[Any]]:
    """Turn rows into columns; a first row of texts above others names them."""
    if names is None and len(rows) > 1 and rows[0] and _are_texts(rows[0]) and not _are_texts(rows[1]):
        names, rows = rows[0], rows[1:]
    width = len(rows[0]) if names is None and rows else len(names or ())
    for i, row in enumerate(rows):
        if len(row) != width:
            raise Refused(f"row {i} of {file} has {len(row)} cells, and there are {width} columns.")
    heads = names or [f"x{j + 1}" for j in range(width)]
    if len(set(heads)) < width:
        raise Refused(f"{file} has two columns of one name: {', '.join(map(printable, heads))}.")
    return {head: [row[j] for row in rows] for j, head in enumerate(heads)}


def _are_texts(row: list[Any]) -> bool:
    return all(isinstance(cell, str) for cell in row)


def _check_plain(columns: Mapping[str, list[Any]], file: str) -> None:
    for name, cells in columns.items():
        for i, cell in enumerate(cells):
            if isinstance(cell, list | dict):
                kind = "a list" if isinstance(cell, list) else "an object"
                raise Refused(
                    f"row {i} of {file} holds {kind} in column {printable(name)}; a cell is a number or a text."
                )


def _array(cells: list[Any]) -> Array:
    array = np.empty(len(cells), object)
    array[:] = cells
    return array
