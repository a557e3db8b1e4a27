"""Numbers that a plain generator yields: each becomes a curve when it comes for the first time."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core.curves import Curve
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.userfile.state import PlainState

_MOST_CURVES = 24


class YieldedNumbers:
    """The curves of the numbers that have been yielded so far.

    Attributes:
        fields: all that has been yielded, by name, each with the first value that it had.
    """

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        self._curves: dict[str, Curve] = {}
        self._all: tuple[Curve, ...] = ()

    def curves_with(self, state: PlainState) -> tuple[Curve, ...]:
        """Give every curve there is, those of a state's new numbers included."""
        for name, value in state.fields:
            self.fields.setdefault(name, value)
            if type(value) in (int, float, bool) and name not in self._curves and len(self._curves) < _MOST_CURVES:
                self._curves[name] = Curve(name, _measure(name))
                self._all = tuple(self._curves.values())
        return self._all


def _measure(name: str) -> Callable[[Problem, PlainState], float]:
    def measure(problem: Problem, state: PlainState) -> float:
        value = state.get(name)
        return float(value) if isinstance(value, int | float) else math.nan

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
