"""The numbers of several runs in one table: a row a step, after the letter of its run."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from algorithms.saving.export.numbers import StepsSoFar
from algorithms.saving.export.rows import csv_line, lines
from algorithms.saving.files import write_in_parts
from algorithms.timeline import Timeline


def export_together(path: Path, runs: Sequence[tuple[str, Timeline]], *, overwrite: bool = False) -> Iterator[float]:
    """Write the curves and the theorems' sides of every step so far of all runs as CSV, those of the first run first.

    A column that only some runs have is empty for the others; that of a theorem is headed by its number.

    Args:
        runs: what each is called, and the run.

    Yields:
        How much is done, from 0 to 1; closing it gives the file up.

    Raises:
        Refused: for a file that is there, or one that cannot be written.
    """
    return write_in_parts(path, lambda file: _written(file, runs), overwrite=overwrite)


def _written(file: BinaryIO, runs: Sequence[tuple[str, Timeline]]) -> Iterator[float]:
    total, done = max(sum(len(run) for _, run in runs), 1), 0
    heads = ["run", *dict.fromkeys(head for _, run in runs for head in _heads(run))]
    file.write(_line(heads))
    for name, run in runs:
        own = _heads(run)
        for cells in _rows(run):
            known = {"run": name} | dict(zip(own, cells))
            file.write(_line([known.get(head, "") for head in heads]))
            done += 1
            yield min(done / total, 1.0)


def _heads(run: Timeline) -> list[str]:
    return next(csv.reader([next(lines(StepsSoFar(run), "csv"))]))


def _rows(run: Timeline) -> Iterator[list[str]]:
    table = lines(StepsSoFar(run), "csv")
    next(table)
    return csv.reader(table)


def _line(cells: Sequence[str]) -> bytes:
    return csv_line(cells).encode("utf-8", "replace") + b"\r\n"
