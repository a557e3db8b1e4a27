"""What rows are called where a statement is about some of them only."""

from collections.abc import Iterable


def row_names(rows: Iterable[int]) -> list[str]:
    """Name rows by their numbers in the data: "row 3"."""
    return [f"row {row}" for row in rows]
