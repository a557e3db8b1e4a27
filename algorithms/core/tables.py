"""Table panels in a line: names with their numbers, or columns under their heads."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from algorithms.core.scene import Panel, Table, Tone


def columns(
    title: str,
    heads: Mapping[str, Any],
    note: str = "",
    tones: tuple[Tone | None, ...] = (),
    marked: tuple[int, ...] = (),
) -> Panel:
    """Make a table panel column by column: {"feature": names, "w": w}, all of one length; NaN and None are nothing.

    Raises:
        ValueError: if the columns differ in length.
    """
    lists = [[_cell(value) for value in values] for values in heads.values()]
    if len({len(values) for values in lists}) > 1:
        lengths = ", ".join(f"{name!r} {len(values)}" for name, values in zip(heads, lists))
        raise ValueError(f"the columns of the table {title!r} differ in length: {lengths}")
    table = Table(columns=tuple(heads), rows=tuple(zip(*lists)), tones=tones, marked=marked)
    return Panel(title=title, note=note, marks=(table,))


def numbers(facts: Mapping[str, Any], title: str = "so far") -> Panel:
    """Make a table panel of names and their values now: {"mistakes": 8, "‖w‖": 2.4}; NaN and None are nothing."""
    return columns(title, {"": tuple(facts), "now": tuple(facts.values())})


def _cell(value: Any) -> str | int | float | None:
    """Convert a table's cell to Python: NumPy's scalars unwrapped, NaN as None, infinity by its sign."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return None if isinstance(value, float) and math.isnan(value) else value
