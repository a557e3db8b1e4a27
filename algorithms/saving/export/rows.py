"""Steps as lines of text: a table, CSV or JSON lines."""

import csv
import math
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain, islice
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm
from algorithms.core.text import plain_json, printable
from algorithms.core.theorems import Verdict
from algorithms.saving.export.steps import Measured, Step
from algorithms.timeline.table import named_sides, side_names

Format = Literal["table", "csv", "jsonl"]

_THEOREM_WIDTH = 28  # of a theorem's column in a table, until it says more
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are wide ones
_HELD_BACK = 32  # lines that wait at most until every theorem has named its sides


def lines(steps: Measured, form: Format) -> Iterator[str]:
    """Write the steps in that form, a line each."""
    match form:
        case "jsonl":
            return (_json(steps.algorithm, step) for step in steps)
        case "csv":
            return _csv(steps)
        case "table":
            return _table(steps)


def _json(algorithm: Algorithm, step: Step) -> str:
    """Write a step as one object: numbers that do not exist are null, others that JSON lacks "nan", "inf" or "-inf"."""
    line: dict[str, Any] = {
        "t": step.t,
        "iteration": step.iteration,
        "phase": step.phase,
        "curves": {curve.name: _number(value) for curve, value in zip(algorithm.curves, step.values)},
        "theorems": {verdict.theorem.statement: _verdict(verdict) for verdict in step.verdicts},
    }
    if step.fields:
        line["fields"] = {name: _nested(value) for name, value in step.fields}
    return plain_json(msgspec.json.encode(line).decode())


def _nested(value: Any) -> Any:
    """Nest the numbers of an array as lists do."""
    if isinstance(value, np.ndarray):
        return _nested(value.tolist())
    if isinstance(value, list):
        return [_nested(part) for part in value]
    if isinstance(value, complex):
        return str(value)
    return _number(value) if isinstance(value, float) else value


def _verdict(verdict: Verdict) -> dict[str, Any]:
    words: dict[str, Any] = {"status": verdict.status}
    if verdict.sides is not None:
        sides = zip(side_names(verdict.sides), verdict.sides.values)
        known = {name: None if math.isnan(value) else _number(value) for name, value in sides}
        words |= {
            "relation": verdict.sides.relation,
            "sides": known,
        }
    elif verdict.why:
        words["why"] = verdict.why
    return words


def _number(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else f"{value}"


class _Columns(Struct, frozen=True):
    """The columns of a table: for each theorem the sides that it has named."""

    curves: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]

    @property
    def heads(self) -> list[str]:
        theorems = [
            head for i, names in enumerate(self.sides, 1) for head in (f"T{i}", *(f"T{i} {name}" for name in names))
        ]
        return ["t", "iteration", "phase", *self.curves, *theorems]

    def cells(self, step: Step) -> list[float | str]:
        """Write the step's cells; "" where there is nothing to say."""
        cells: list[float | str] = [step.t, step.iteration, step.phase]
        cells += ["" if value is None else value for value in step.values[: len(self.curves)]]
        for names, verdict in zip(self.sides, step.verdicts):
            values = named_sides(verdict)
            cells.append("" if verdict.status == "does not apply" else verdict.status)
            cells += [values.get(name, "") for name in names]
        return cells

    def others(self, step: Step) -> str:
        """Get the sides that have no column, since their theorem had not named them when the heads were written."""
        return "; ".join(
            f"T{i} {name} = {value}"
            for i, (names, verdict) in enumerate(zip(self.sides, step.verdicts), 1)
            for name, value in named_sides(verdict).items()
            if name not in names
        )


def _headed(steps: Measured) -> tuple[_Columns, Iterator[Step]]:
    """Find the columns, and all steps. The first few wait until every theorem has spoken, so that it can be headed."""
    coming = iter(steps)
    waiting: list[Step] = []
    names: list[tuple[str, ...]] = [()] * len(steps.algorithm.theorems)
    while not waiting or (not all(names) and len(waiting) < _HELD_BACK):
        step = next(coming, None)
        if step is None:
            break
        waiting.append(step)
        names = [tuple(dict.fromkeys((*known, *named_sides(v)))) for known, v in zip(names, step.verdicts)]
    columns = _Columns(tuple(curve.name for curve in steps.algorithm.curves), tuple(names))
    return columns, chain(waiting, coming)


def _csv(steps: Measured) -> Iterator[str]:
    columns, measured = _headed(steps)
    last = ["other sides"] if steps.algorithm.theorems else []
    yield csv_line([*columns.heads, *last])
    for step in measured:
        yield csv_line([*columns.cells(step), *([columns.others(step)] if last else [])])


def csv_line(cells: Iterable[float | str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="").writerow(_no_formula(c) if isinstance(c, str) else c for c in cells)
    return line.getvalue()


def _no_formula(text: str) -> str:
    """Write a text on one line that no spreadsheet takes for a formula: what begins like one gets an apostrophe."""
    text = printable(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def _table(steps: Measured) -> Iterator[str]:
    """Aligned columns, for reading: a theorem's sides stand in one, with what stands between them."""
    algorithm = steps.algorithm
    yield from (f"T{i}: {theorem.statement}" for i, theorem in enumerate(algorithm.theorems, 1))
    if algorithm.theorems:
        yield ""
    coming = iter(steps)
    first = list(islice(coming, 1))  # a reader's own generator names its numbers when it yields them
    curves = [curve.name for curve in algorithm.curves]
    heads = ["t", "iteration", "phase", *curves, *(f"T{i + 1}" for i in range(len(algorithm.theorems)))]
    widths = [
        7,
        9,
        max(map(len, algorithm.phases)),
        *(11 for _ in curves),
        *(_THEOREM_WIDTH for _ in algorithm.theorems),
    ]
    widths = [max(width, len(head)) for width, head in zip(widths, heads)]
    numbers = {"t", "iteration", *curves}
    yield aligned(heads, widths, heads, numbers)
    for step in chain(first, coming):
        values = ["" if value is None else f"{value:.6g}" for value in step.values[: len(curves)]]
        cells = [str(step.t), str(step.iteration), step.phase, *values, *map(_chained, step.verdicts)]
        widths = [max(width, len(cell)) for width, cell in zip(widths, cells)]
        yield aligned(cells, widths, heads, numbers)


def aligned(cells: list[str], widths: list[int], heads: list[str], numbers: set[str]) -> str:
    """Cells side by side: those of numbers end where their column does, the others begin where it does."""
    sides = (">" if head in numbers else "<" for head in heads)
    return "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(cells, sides, widths)).rstrip()


def _chained(verdict: Verdict) -> str:
    """Write a verdict in few words: "holds 2 <= 142.99"; nothing where the theorem says nothing."""
    if verdict.sides is None:
        return "" if verdict.status == "does not apply" else verdict.status
    return f"{verdict.status} " + f" {verdict.sides.relation} ".join(f"{value:.5g}" for value in verdict.sides.values)
