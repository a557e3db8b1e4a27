"""Cells as numbers: what is one, what is missing, and what only looks like one."""

import math
import re

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
SAY_COMMA = 'decimal=",", on the command line --decimal ,'
_MISSING = {"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"}


def number(cell: str, decimal: str = ".") -> float | None:
    """The finite number in a cell, or None. Stricter than float(): no underscores, no words."""
    if decimal == ",":
        if "." in cell:
            return None
        cell = cell.replace(",", ".")
    if not _NUMBER.fullmatch(cell):
        return None
    value = float(cell)
    return value if math.isfinite(value) else None


def is_number(cell: str, decimal: str = ".") -> bool:
    return number(cell, decimal) is not None


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.lower() in _MISSING


def has_decimal_comma(cell: str) -> bool:
    """Whether a cell would be a number if its comma were a decimal point."""
    return _WITH_COMMA.fullmatch(cell) is not None
