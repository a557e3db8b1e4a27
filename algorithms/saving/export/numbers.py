"""The numbers of every step, in a file: CSV, JSON lines or NPZ."""

import math
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Refused
from algorithms.data.progress import Watch, unwatched
from algorithms.saving.export.arrays import write_archive
from algorithms.saving.export.rows import lines
from algorithms.saving.export.steps import Measured, Step
from algorithms.saving.files import write_in_parts
from algorithms.timeline import Timeline
from algorithms.timeline.table import StepRows

_MOST = 1 << 30  # bytes of arrays that are held to be written
SUFFIXES = (".csv", ".jsonl", ".npz")


class StepsSoFar:
    """The steps of a Timeline that have been run so far, measured one by one; those that are gone are left out."""

    def __init__(self, run: Timeline):
        self._run, self._steps = run, len(run)

    @property
    def algorithm(self) -> Algorithm:
        return self._run.algorithm

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[Step]:
        run = self._run
        for t in range(self._steps):
            frame = run.at(t)
            if frame.t == t:
                yield Step.of(run.algorithm, frame.state, run.values(frame), run.verdicts(frame))


def export_numbers(
    path: str | Path, run: Timeline | Measured, *, overwrite: bool = False, progress: Watch = unwatched
) -> Path:
    """Write the curves and the theorems' sides of every step so far, in the form that the file's name ends in.

    CSV has a row a step, JSON lines an object, NPZ an array (n,) a column: t, iteration and phase; each curve, NaN
    where it has no value; each theorem's verdict "T1" and each of its sides "T1 name". What else a reader's generator
    yields, arrays and texts, is in JSON lines (as "fields") and NPZ ("w", stacked, with its steps "w t"; or "w at 3"
    where shapes differ).

    Args:
        progress: called after every step with the share that is done, from 0 to 1 (0 where it is not known how many
            there will be); what it raises ends the writing, comes out of here and leaves no file.

    Returns:
        The path of the file, which is there and whole.

    Raises:
        Refused: for another ending, a file that is there, or one that cannot be written.

    >>> import os, tempfile
    >>> from algorithms import Timeline, datasets, export_numbers
    >>> run = Timeline("lloyd", datasets.faithful, {"k": 3}).run()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(export_numbers(os.path.join(folder, "run.csv"), run)) as file:
    ...         file.readline().split(",")[:4]
    ['t', 'iteration', 'phase', 'objective']
    """
    with closing(numbers_in_parts(path, run, overwrite=overwrite)) as shares:
        for share in shares:
            progress(share)
    return Path(path)


def numbers_in_parts(
    path: str | Path, run: Timeline | Measured, *, overwrite: bool = False
) -> Generator[float, None, None]:
    """Write what `export_numbers` writes, a step whenever it is asked, for who has other things to do meanwhile.

    Yields:
        How much is done, from 0 to 1, where that is known; closing it gives the file up.

    Raises:
        Refused: as `export_numbers` does, for another ending at once and for the others when it is first asked.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise Refused(f"{path} does not end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}.")
    steps = StepsSoFar(run) if isinstance(run, Timeline) else run
    write = _archive if suffix == ".npz" else _lines
    return write_in_parts(path, lambda file: write(file, steps, suffix), overwrite=overwrite)


def _lines(file: BinaryIO, steps: Measured, suffix: str) -> Iterator[float]:
    end = b"\r\n" if suffix == ".csv" else b"\n"  # as RFC 4180 has it
    total = _total(steps)
    for i, line in enumerate(lines(steps, "csv" if suffix == ".csv" else "jsonl")):
        file.write(line.encode("utf-8", "replace") + end)
        yield min(i / total, 1.0)


def _archive(file: BinaryIO, steps: Measured, suffix: str) -> Iterator[float]:
    rows = StepRows()
    fields: dict[str, list[tuple[int, Any]]] = {}
    room, total = _MOST, _total(steps)
    for row, step in enumerate(steps):
        rows.add((step.t, step.iteration, step.phase), zip(steps.algorithm.curves, step.values), step.verdicts)
        for name, value in step.fields:
            room -= value.nbytes if isinstance(value, np.ndarray) else 0
            if room < 0:
                raise Refused(f"{file.name} would hold more than {_MOST >> 20} MiB of arrays: stop at an earlier step.")
            fields.setdefault(name, []).append((step.t, value))
        yield min(row / total, 1.0)
    arrays = (part for name, values in fields.items() for part in _stacked(name, values))
    write_archive(file, [*rows.table().items(), *arrays])
    yield 1.0


def _stacked(name: str, values: list[tuple[int, Any]]) -> Iterator[tuple[str, Any]]:
    """Stack what was yielded under a name, with the steps at which it was; what differs in shape stands by itself."""
    texts = all(isinstance(value, str) for _, value in values)
    shapes = {np.shape(value) for _, value in values if isinstance(value, np.ndarray)}
    if texts or (len(shapes) == 1 and all(isinstance(value, np.ndarray) for _, value in values)):
        yield name, np.array([value for _, value in values])
        yield f"{name} t", np.array([t for t, _ in values], np.int64)
        return
    for t, value in values:
        yield f"{name} at {t}", np.asarray(value)


def _total(steps: Measured) -> float:
    size: Callable[[], int] | None = getattr(steps, "__len__", None)
    return max(size(), 1) if size else math.inf
