"""What came out, in words."""

from collections.abc import Iterable

from algorithms.core import Array


def beside_logistic(own: int, other: int, z: Array) -> str:
    """What came out for two classes, and what it shows beside a loss that asks nothing for being right.

    Args:
        own, other: rows that least squares and logistic regression get wrong.
        z: (n,) margins of the rows.
    """
    squares = (1 - z) ** 2
    paid = float(squares[z > 1].sum() / squares.sum())
    return (
        f"Least squares gets {own} of {len(z)} rows wrong, logistic regression {other}: "
        f"{paid:.0%} of what least squares pays is for rows right by more than 1."
    )


def winners(classes: Iterable[str], rows: Array) -> str:
    """Name the classes that win no row."""
    masked = [name for name, won in zip(classes, rows) if not won]
    return f"Of {', '.join(masked)} no row is found: masking." if masked else "Every class wins some."
