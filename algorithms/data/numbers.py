"""Cells as numbers: what is one, what is missing, and what only looks like one."""

import math
import re
from collections.abc import Sequence

import numpy as np

from algorithms.core.arrays import Array

_NUMBER_TEXT = r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?+"
_NUMBER = re.compile(_NUMBER_TEXT, re.ASCII)
_NUMBERS = re.compile(rf"{_NUMBER_TEXT}(?:\n{_NUMBER_TEXT})*+", re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
SAY_COMMA = 'decimal=",", on the command line --decimal ,'
_MISSING = {"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"}

_SIGN = r"(?:[$¢£¤¥฿\u20a0-\u20cf%‰]|(?:USD|EUR|GBP|JPY|CHF|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|BRL|MXN|ZAR))"
_DIGITS = r"(?:\d{1,3}(?:[ ,.'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)"
_SPACE = "[ \u00a0\u202f]?"
# compiled when they are asked for: they are long, and most files hold neither
_AMOUNT = rf"\(?[+-]?{_SIGN}?{_SPACE}[+-]?{_DIGITS}{_SPACE}{_SIGN}?\)?"

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?(?: ?(?:z|utc|[+-]\d{2}:?\d{2}))?"
_DAY = "|".join(
    (
        r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?",
        r"\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})",
        rf"\d{{1,2}}[-. ]+{_MONTH}(?:[-., ]+\d{{2,4}})?",
        rf"{_MONTH}[-. ]+\d{{1,4}}(?:,? +\d{{4}})?",
    )
)
_DATE = rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}},? +)?(?:{_DAY})(?:[t ]+{_CLOCK})?|{_CLOCK}"


def number(cell: str, decimal: str = ".") -> float | None:
    """Read the finite number in a cell, or None. Stricter than float(): no underscores, no words."""
    if decimal == ",":
        if "." in cell:
            return None
        cell = cell.replace(",", ".")
    if not _NUMBER.fullmatch(cell):
        return None
    value = float(cell)
    return value if math.isfinite(value) else None


def numbers(cells: Sequence[str], decimal: str = ".") -> Array | None:
    """Read the numbers in cells that are all finite numbers, else None; much faster than one at a time."""
    text = "\n".join(cells)
    if decimal == ",":
        if "." in text:
            return None
        text = text.replace(",", ".")
        cells = text.split("\n")
    if not _NUMBERS.fullmatch(text):
        return None
    try:
        values = np.array(list(map(float, cells)))
    except ValueError:  # two numbers in one cell, on two lines
        return None
    return values if np.isfinite(values).all() else None


def is_number(cell: str, decimal: str = ".") -> bool:
    return number(cell, decimal) is not None


def is_missing(cell: str) -> bool:
    """Tell whether a cell says that there is no value."""
    return len(cell) < 5 and cell.lower() in _MISSING


def has_decimal_comma(cell: str) -> bool:
    """Tell whether a cell would be a number if its comma were a decimal point."""
    return _WITH_COMMA.fullmatch(cell) is not None


def is_amount(cell: str) -> bool:
    """Tell whether a cell that is no number is meant as one: $3, 12 %, 1,234.50, €1.234,50, 1,5, (1 000)."""
    return len(cell) < 50 and re.fullmatch(_AMOUNT, cell, re.A) is not None


def is_date(cell: str) -> bool:
    """Tell whether a cell is a date, a time or both, in one of the ways commonly written."""
    return len(cell) < 50 and re.fullmatch(_DATE, cell, re.I | re.A) is not None


def are_written_dates(values: Array) -> bool:
    """Tell whether numbers are all days written as 20240131."""
    month, day = values // 100 % 100, values % 100
    century = (values >= 19000101) & (values <= 21001231) & (values == np.round(values))
    return bool(len(values) and (century & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def called(value: float) -> str:
    """Spell a number as the name of a class: no two different ones are called the same."""
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(float(value))
