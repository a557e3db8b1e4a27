"""Hooks: an algorithm's curves, theorems and events, asked so that one that raises does the run no harm."""

import math
import traceback

from msgspec import Struct

from algorithms.core.algorithm import Algorithm
from algorithms.core.ends import ended
from algorithms.core.errors import in_words
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import Verdict


class HookError(Struct, frozen=True):
    """A curve, theorem or event that raised.

    Attributes:
        what: "the curve objective".
        t: the first step at which it did.
        error: "ZeroDivisionError: division by zero".
        details: the traceback.
    """

    what: str
    t: int
    error: str
    details: str


class Hooks:
    """What an algorithm says of its states on one problem.

    A curve that raises is NaN there, a theorem undecided, an event did not happen; the first error of
    each is in `troubles`.

    Args:
        changed: the run did not come from its start unchanged: a fork with something changed, or a fork of one.
    """

    def __init__(self, algorithm: Algorithm, problem: Problem, changed: bool = False):
        self.algorithm, self.problem, self.changed = algorithm, problem, changed
        self.troubles: dict[str, HookError] = {}

    def values(self, state: State) -> tuple[float, ...]:
        """Measure each curve at a state; NaN in the phases in which it is not measured."""
        measured: list[float] = []
        for curve in self.algorithm.curves:
            try:
                value = curve.value(self.problem, state, self.changed)
            except Exception as error:
                value = math.nan
                self._keep(f"the curve {curve.name}", state, error)
            measured.append(value)
        return tuple(measured)

    def verdicts(self, before: State | None, after: State) -> tuple[Verdict, ...]:
        """Check each theorem at a step."""
        verdicts: list[Verdict] = []
        for theorem in self.algorithm.theorems:
            try:
                verdict = theorem.verdict(self.problem, before, after, self.changed)
            except Exception as error:
                error_text = self._keep(f"the theorem {theorem.statement}", after, error)
                verdict = Verdict(theorem, "undecided", why=f"computing it failed: {error_text}")
            verdicts.append(verdict)
        return tuple(verdicts)

    def events(self, before: State | None, after: State) -> tuple[bool, ...]:
        """Tell which of the algorithm's events happened at a step."""
        happenings: list[bool] = []
        for event in self.algorithm.events:
            happened = False
            try:
                happened = bool(event.happened(before, after))
            except Exception as error:
                self._keep(f"the event {event.name}", after, error)
            happenings.append(happened)
        return tuple(happenings)

    def end(self, reason: str, last: State) -> Verdict | None:
        """Check on the last state why the generator says that it ended; None where that is not declared."""
        try:
            return ended(self.algorithm.ends, reason, self.problem, last)
        except Exception as error:
            self._keep(f"the end {reason}", last, error)
            return None

    def _keep(self, what: str, state: State, error: Exception) -> str:
        """Keep the first error of a hook; returns it in words."""
        error_text = in_words(error)
        if what not in self.troubles:
            details = "".join(traceback.format_exception(error))
            self.troubles[what] = HookError(what, state.t, error_text, details)
        return error_text
