"""Table: the columns of a file, with what was assumed about it said in words."""

from collections.abc import Sequence

from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.text import printable
from algorithms.data.cells import Column
from algorithms.data.sampling import Sample, rows_drawn

_NAMED_TWICE = 3  # so many columns with the name of another are named, the rest counted


class Table(Struct, frozen=True, eq=False):
    """Cells as they stand in a file.

    Attributes:
        columns: in the order of the file.
        nameless: the columns whose heads were empty; often they hold row names.
        lines: (n,) the line of the file on which each row ends, counted from 1; None when it has no lines.
        notices: what was assumed.
        target: the column that the file itself says is the target, "" for none; None when it says nothing.
    """

    columns: tuple[Column, ...]
    nameless: frozenset[str] = frozenset()
    lines: Array | None = None
    notices: tuple[str, ...] = ()
    target: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def drawn(self, sample: Sample) -> "Table":
        """Draw the rows that are asked for, of a table in hand."""
        n = len(self.columns[0].values)
        if sample.rows is None or sample.rows >= n:
            return self
        which = rows_drawn(n, sample.rows, sample.seed)
        return Table(
            tuple(column.taken(which) for column in self.columns),
            self.nameless,
            None if self.lines is None else self.lines[which],
            (*self.notices, *sample.notice(len(which), n, 0)),
            self.target,
        )

    def where(self, i: int) -> str:
        """Name a row for a sentence: "row 0 (line 2)"."""
        return f"row {i}" if self.lines is None else f"row {i} (line {self.lines[i]})"


def names_of(heads: Sequence[str], notices: list[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Name the columns, each once and printable; with the names that had to be made up."""
    wanted = [printable(head) or f"x{j + 1}" for j, head in enumerate(heads)]
    given = set(wanted)
    names: list[str] = []
    taken: set[str] = set()
    last: dict[str, int] = {}  # the number given last to a name that comes more than once
    twice: list[tuple[str, str]] = []
    for name in wanted:
        own = name
        if own in taken:
            number = last.get(name, 1) + 1
            while f"{name}_{number}" in given or f"{name}_{number}" in taken:
                number += 1
            last[name], own = number, f"{name}_{number}"
            twice.append((name, own))
        taken.add(own)
        names.append(own)
    for name, own in twice[:_NAMED_TWICE]:
        notices.append(f"two columns are called {name}; the later one is now {own}.")
    if len(twice) > _NAMED_TWICE:
        notices.append(f"so it is with {len(twice) - _NAMED_TWICE:,} more columns.")
    return tuple(names), frozenset(name for name, head in zip(names, heads) if not head)
