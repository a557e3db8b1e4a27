"""Problem: the data and the parameters of one run, with what is dear to compute kept."""

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property, wraps
from operator import is_
from typing import Any, TypeAlias, TypeVar
from weakref import ref

from algorithms.core.dataset import Dataset
from algorithms.core.state import State

T = TypeVar("T")
S = TypeVar("S", bound=State)

_Kept: TypeAlias = OrderedDict[tuple[Any, ...], tuple[tuple[Any, ...], Any]]  # what values hung on, and the values

_KEPT_OF_STATES, _KEPT_BY_FIELDS = 24, 4  # the latter may be an array a row and component


class Problem:
    """What every hook of an algorithm is given.

    Attributes:
        data: the training rows (held-out ones, if any, are `data.held_out`).
        parameters: the checked parameters, as attributes: `problem.parameters.eta`.
        forked: whether the run came here by a fork that changed something, so that what speaks of a whole run from its
            start does not speak of this one.
    """

    def __init__(self, data: Dataset, parameters: Any, forked: bool = False, training: "Problem | None" = None):
        self.data = data
        self._training = None if training is None else ref(training)  # whoever asks the one holds the other
        self.parameters = parameters
        self.forked = forked
        self._once: dict[Callable[..., Any], Any] = {}
        self._of: _Kept = OrderedDict()
        self._by: _Kept = OrderedDict()

    @cached_property
    def held_out(self) -> "Problem | None":
        """Get the same problem on the rows held out, None where there are none."""
        aside = self.data.held_out
        return None if aside is None else Problem(aside, self.parameters, self.forked, self)

    @property
    def training(self) -> "Problem":
        """The problem of the rows that states are made on: itself, but for that of the rows held out. What a kernel
        method says of any row hangs on the rows it was trained on."""
        training = None if self._training is None else self._training()
        return self if training is None else training

    def as_forked(self) -> "Problem":
        """Give the same problem of a run that was changed on its way; what is worked out once is shared."""
        if self.forked:
            return self
        problem = Problem(self.data, self.parameters, forked=True)
        problem._once = self._once
        return problem

    def once(self, compute: Callable[["Problem"], T]) -> T:
        """Work out `compute(problem)` the first time it is asked for; what `@once` calls."""
        if compute not in self._once:
            self._once[compute] = compute(self)
        return self._once[compute]  # type: ignore[no-any-return]

    def of(self, measure: Callable[["Problem", S], T], state: S) -> T:
        """Work out `measure(problem, state)`, kept for the last few states; what `@kept` calls."""
        return self._remembered(self._of, measure, state, (state,), _KEPT_OF_STATES)

    def by(self, measure: Callable[["Problem", S], T], state: S, fields: tuple[str, ...]) -> T:
        """Work out `measure(problem, state)`, kept for the last few values of these fields; what `@kept_by` calls."""
        hangs_on = tuple(getattr(state, name) for name in fields)
        return self._remembered(self._by, measure, state, hangs_on, _KEPT_BY_FIELDS)

    def _remembered(
        self, kept: _Kept, measure: Callable[["Problem", S], T], state: S, hangs_on: tuple[Any, ...], most: int
    ) -> T:
        """Give what was measured where it hung on the very same things, else measure it; so many are kept."""
        key = (measure, *map(id, hangs_on))
        held = kept.get(key)
        if held is not None and all(map(is_, held[0], hangs_on)):  # the id of what is gone may come again
            return held[1]  # type: ignore[no-any-return]
        value = measure(self, state)
        kept[key] = hangs_on, value
        if len(kept) > most:
            kept.popitem(last=False)
        return value


def once(compute: Callable[[Problem], T]) -> Callable[[Problem], T]:
    """Make a function of a problem one that is worked out once for each: R and γ, the exact solution."""

    @wraps(compute)
    def computed_once(problem: Problem) -> T:
        return problem.once(compute)

    return computed_once


def kept(measure: Callable[[Problem, S], T]) -> Callable[[Problem, S], T]:
    """Make a function of a problem and a state one whose values are kept for the last few states.

    Curves, theorems and scenes that need the same thing of a state (its margins, its gradient) share it so.
    """

    @wraps(measure)
    def measured_once(problem: Problem, state: S) -> T:
        return problem.of(measure, state)

    return measured_once


def kept_by(*fields: str) -> Callable[[Callable[[Problem, S], T]], Callable[[Problem, S], T]]:
    """Make a function that hangs on some fields of a state alone one whose values are kept for the last few of these.

    The states of a run share what a step does not change, so what was worked out for one holds for the next.
    """

    def kept_so(measure: Callable[[Problem, S], T]) -> Callable[[Problem, S], T]:
        @wraps(measure)
        def measured_once(problem: Problem, state: S) -> T:
            return problem.by(measure, state, fields)

        return measured_once

    return kept_so
