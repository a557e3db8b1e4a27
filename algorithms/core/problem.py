"""Problem: the data and the parameters of one run, with what is dear to compute kept."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from algorithms.core.dataset import Dataset
from algorithms.core.state import State

T = TypeVar("T")
S = TypeVar("S", bound=State)

_KEPT_OF_STATES = 24


class Problem:
    """What every hook of an algorithm is given.

    Attributes:
        data: the training rows (held-out ones, if any, are `data.held_out`).
        parameters: the checked parameters, as attributes: `problem.parameters.eta`.
    """

    def __init__(self, data: Dataset, parameters: Any):
        self.data = data
        self.parameters = parameters
        self._once: dict[Callable[..., Any], Any] = {}
        self._of: OrderedDict[tuple[Callable[..., Any], int], tuple[State, Any]] = OrderedDict()

    def once(self, compute: Callable[["Problem"], T]) -> T:
        """`compute(problem)`, worked out the first time it is asked for (R and gamma, a Gram matrix)."""
        if compute not in self._once:
            self._once[compute] = compute(self)
        return self._once[compute]  # type: ignore[no-any-return]

    def of(self, measure: Callable[["Problem", S], T], state: S) -> T:
        """`measure(problem, state)`, kept for the last few states: curves, theorems and scenes share it."""
        key = (measure, id(state))
        held = self._of.get(key)
        if held is not None and held[0] is state:  # the id of a state that is gone may come again
            return held[1]  # type: ignore[no-any-return]
        value = measure(self, state)
        self._of[key] = (state, value)
        if len(self._of) > _KEPT_OF_STATES:
            self._of.popitem(last=False)
        return value
