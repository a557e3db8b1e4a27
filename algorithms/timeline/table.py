"""Table: numbers and words by name, an array a column."""

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.curves import Curve
from algorithms.core.errors import Refused
from algorithms.core.theorems import Sides, Verdict

_SEEN = 12  # rows of a table that a notebook shows, the first half and the last


class Table(dict[str, Array]):
    """Columns by name, (n,) each: `table["objective"]`; `pandas.DataFrame(table)` takes it, too."""

    @property
    def rows(self) -> int:
        """Count the rows."""
        return len(next(iter(self.values()), ()))

    def dataframe(self) -> Any:
        """Make a DataFrame of pandas.

        Raises:
            Refused: where pandas is not installed.
        """
        if find_spec("pandas") is None:
            raise Refused("a DataFrame is of pandas, which is not installed: pip install pandas; the arrays are here.")
        from pandas import DataFrame

        return DataFrame(dict(self))

    def __repr__(self) -> str:
        return f"<Table of {self.rows:,} rows: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        """Show the first and last rows, for a notebook."""
        from html import escape

        rows = self.rows
        half = _SEEN // 2
        places: list[int | None] = list(range(rows))
        if rows > _SEEN:
            places = [*range(half), None, *range(rows - half, rows)]
        head = "".join(f"<th>{escape(name)}</th>" for name in self)
        lines = [
            "".join(f"<td>{'…' if i is None else escape(_cell(c[i]))}</td>" for c in self.values()) for i in places
        ]
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rows:,} rows"


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Column:
    """One number or text a row; `missing` where none was put."""

    def __init__(self, missing: Any):
        self._missing = missing
        self._values: list[Any] = []

    def put(self, row: int, value: Any) -> None:
        """Put a value into a row, which comes after those before."""
        self._values += [self._missing] * (row - len(self._values))
        self._values.append(value)

    def array(self, rows: int) -> Any:
        """Make an array of so many rows."""
        return np.array(self._values + [self._missing] * (rows - len(self._values)))


class StepRows:
    """The numbers of steps, a row each: t, iteration and phase; each curve, NaN where it has no value; the verdict "T1"
    of each theorem and each of its sides, "T1 name"."""

    def __init__(self) -> None:
        self._t: list[int] = []
        self._iterations: list[int] = []
        self._phases: list[str] = []
        self._columns: dict[str, Column] = {}

    def add(
        self,
        step: tuple[int, int, str],
        curves: Iterable[tuple[Curve, float | None]],
        verdicts: Sequence[Verdict],
    ) -> None:
        """Add a step: its number, iteration and phase, and what was measured there."""
        row = len(self._t)
        for kept, value in zip((self._t, self._iterations, self._phases), step):
            kept.append(value)  # type: ignore[attr-defined]
        for curve, value in curves:
            self._column(curve.name, math.nan).put(row, math.nan if value is None else value)
        for i, verdict in enumerate(verdicts, 1):
            self._column(f"T{i}", "").put(row, verdict.status)
            for name, side in named_sides(verdict).items():
                self._column(f"T{i} {name}", math.nan).put(row, side)

    def _column(self, name: str, missing: Any) -> Column:
        if name not in self._columns:
            self._columns[name] = Column(missing)
        return self._columns[name]

    def table(self) -> Table:
        """Put them together."""
        first = {
            "t": np.array(self._t, np.int64),
            "iteration": np.array(self._iterations, np.int64),
            "phase": np.array(self._phases, str),
        }
        return Table(first | {name: column.array(len(self._t)) for name, column in self._columns.items()})


def named_sides(verdict: Verdict) -> Mapping[str, float]:
    """Get the sides of a theorem at a step, by name; none where it says nothing."""
    return dict(zip(side_names(verdict.sides), verdict.sides.values)) if verdict.sides is not None else {}


def side_names(sides: Sides) -> list[str]:
    """List the names of the sides, a second one of the same name numbered."""
    return [f"{n} ({sides.names[: i + 1].count(n)})" if n in sides.names[:i] else n for i, n in enumerate(sides.names)]
