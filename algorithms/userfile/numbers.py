"""Numbers that a plain generator yields: each becomes a curve when it comes for the first time."""

import math
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core.curves import Curve
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.userfile.meaning import is_counter, plain_stem, stem_of
from algorithms.userfile.state import PlainState
from algorithms.userfile.values import named_vectors
from algorithms.userfile.view import NO_VIEW, View

_MOST_CURVES = 24
_ABREAST = 8  # entries of a dict of numbers that have curves, in one chart; more are bars alone
_POWERS = 1e4  # times its least: what spans four decades is seen by its logarithms


class YieldedNumbers:
    """The curves of the numbers that have been yielded so far.

    Those of like meaning share a chart: on the training rows and on others, or the entries of one dict. Counters come
    behind what is yielded with them.

    Attributes:
        fields: all that has been yielded, by name, each with the first value that it had.
    """

    def __init__(self, view: View = NO_VIEW) -> None:
        self.fields: dict[str, Any] = {}
        self._view = view
        self._curves: dict[str, Curve] = {}
        self._vectors: dict[str, str] = {}  # the dict that each of its entries is in
        self._ranges: dict[str, tuple[float, float]] = {}  # least above 0 and largest, (nan, nan) where one is below 0
        self._all: tuple[Curve, ...] = ()

    def curves_with(self, state: PlainState) -> tuple[Curve, ...]:
        """Give every curve there is, those of a state's new numbers included."""
        changed = False
        numbers = [(name, value) for name, value in state.fields if type(value) in (int, float, bool)]
        if any(name not in self.fields for name, _ in numbers):
            self._vectors |= {n: prefix for prefix, names in named_vectors(state.fields).items() for n in names}
            many = {p for p in self._vectors.values() if list(self._vectors.values()).count(p) > _ABREAST}
            for name, _ in sorted(numbers, key=lambda field: is_counter(*field)):
                hidden = self._view.asks(name, "hide") or self._vectors.get(name) in many
                if name not in self._curves and len(self._curves) < _MOST_CURVES and not hidden:
                    self._curves[name] = Curve(name, _measure(name))
                    changed = True
        for name, value in state.fields:
            if name not in self.fields and isinstance(value, np.ndarray) and self._view.asks(name, "curves"):
                changed |= self._follow(name, value)
            self.fields.setdefault(name, value)
        for name, value in numbers:
            changed |= type(value) is float and self._widened(name, value)
        if changed:
            self._share_out()
        return self._all

    def _follow(self, name: str, value: Any) -> bool:
        """Make curves of the first entries of an array; whether there are any."""
        for index in islice(np.ndindex(value.shape), _ABREAST):
            entry = f"{name}[{','.join(map(str, index))}]"
            self._curves[entry] = Curve(entry, _measure_entry(name, index))
            self._vectors[entry] = name
        return bool(value.size)

    def _widened(self, name: str, value: float) -> bool:
        """Take a value to the range of its field; whether the axis may want another scale now."""
        if not value or not math.isfinite(value):
            return False
        low, high = self._ranges.get(name, (math.inf, 0.0))
        if value < 0 or math.isnan(low):
            self._ranges[name] = (math.nan, math.nan)
            return not math.isnan(low) and high > 0
        self._ranges[name] = new = (min(low, value), max(high, value))
        return _wide(*new) != _wide(low, high)

    def _share_out(self) -> None:
        """Give each curve its chart, and each chart its scale."""
        charts = {name: self._chart(name) for name in self._curves}
        logs: dict[str, bool] = {}
        for chart in set(charts.values()):
            members = [name for name in charts if charts[name] == chart]
            ranges = [self._ranges[name] for name in members if name in self._ranges]
            wide = bool(ranges) and not any(math.isnan(low) for low, _ in ranges) and any(_wide(*r) for r in ranges)
            said = [way for name in members for way in ("log", "linear") if self._view.asks(name, way)]
            logs[chart] = said[0] == "log" if said else wide
        for name, curve in self._curves.items():
            chart = charts[name]
            self._curves[name] = replace(curve, chart=chart if chart != name else "", log=logs[chart])
        self._all = tuple(self._curves.values())

    def _chart(self, name: str) -> str:
        """Name the chart of a number: that of those like it, or its own."""
        said = self._said_of(name)
        if said:
            return said
        like = [other for other in self._curves if _stem(other) == _stem(name) and not self._said_of(other)]
        if len(like) < 2 or all(stem_of(other) is None for other in like):
            return name
        return _stem(name) or " and ".join(like[:3])

    def _said_of(self, name: str) -> str:
        """Name the chart that VIEW says, or that of the dict which it is in; "" where there is none."""
        if self._view.asks(name, "apart"):
            return name
        return self._view.chart(name) or self._vectors.get(name, "")


def _stem(name: str) -> str:
    stem = stem_of(name)
    return plain_stem(name) or name if stem is None else stem


def _wide(low: float, high: float) -> bool:
    return high >= _POWERS * low


def _measure(name: str) -> Callable[[Problem, PlainState], float]:
    def measure(problem: Problem, state: PlainState) -> float:
        value = state.get(name)
        return float(value) if isinstance(value, int | float) else math.nan

    return measure


def _measure_entry(name: str, index: tuple[int, ...]) -> Callable[[Problem, PlainState], float]:
    def measure(problem: Problem, state: PlainState) -> float:
        value = state.get(name)
        there = isinstance(value, np.ndarray) and len(index) == value.ndim
        return float(value[index]) if there and all(i < n for i, n in zip(index, value.shape)) else math.nan

    return measure


def field_with_nan(state: State) -> str:
    """Name the first field of a state that holds a nan, "" when none does."""
    if isinstance(state, PlainState):
        fields = state.fields
    else:
        fields = tuple((name, getattr(state, name)) for name in state.__struct_fields__)
    return next((name for name, value in fields if _has_nan(value)), "")


def _has_nan(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool(np.isnan(value).any())
    return isinstance(value, float) and math.isnan(value)
