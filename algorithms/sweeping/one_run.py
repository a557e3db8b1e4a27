"""One run of many, made and measured where it is: nothing of it is kept but numbers."""

import math
import traceback
from typing import Any

import numpy as np

from algorithms.core.algorithm import Algorithm
from algorithms.core.arrays import Array
from algorithms.core.errors import Raised, Refused, in_words
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import Verdict
from algorithms.sweeping.outcome import Failed, Measures, Outcome
from algorithms.sweeping.plan import Plan
from algorithms.timeline.hooks import Hooks
from algorithms.userfile.plain import PlainAlgorithm

_ALL = 64  # steps of a phase at which the theorems are checked, each; then as many for every doubling


def outcome_of(plan: Plan, place: int, measures: Measures) -> Outcome:
    """Make one run of a plan; what it raises is its reason.

    Args:
        measures: functions of (problem, last state) that are measured besides the curves.
    """
    algorithm = plan.algorithm.afresh() if isinstance(plan.algorithm, PlainAlgorithm) else plan.algorithm
    try:
        data, parameters = plan.problem_of(place)
        problem = algorithm.problem(data, None, parameters)
    except Refused as refusal:
        return Outcome.without_numbers(place, str(refusal))
    except Exception as error:
        return Outcome.without_numbers(place, in_words(error))
    return _Run(algorithm, problem, plan).followed(place, measures)


class _Run:
    """A run that is followed to its end, with the last state of every phase in hand."""

    def __init__(self, algorithm: Algorithm, problem: Problem, plan: Plan):
        self._algorithm, self._problem, self._most = algorithm, problem, plan.most
        self._asked = plan.curves
        self._curves: dict[str, list[tuple[int, float]]] = {}
        self._hooks = Hooks(algorithm, problem)
        self._last: dict[str, State] = {}  # by phase, the newest last
        self._counts: dict[str, int] = {}
        self._failures: dict[str, Failed] = {}
        self._checked = -1
        self._troubles: list[str] = []

    def followed(self, place: int, measures: Measures) -> Outcome:
        before: State | None = None
        state: State | None = None
        reason, failed = "", False
        try:
            run = self._algorithm.start(self._problem)
            while state is None or state.t < self._most:
                following: State = next(run)
                before, state = state, following
                self._keep(before, state)
            reason = f"stopped at step {state.t}, as asked"
        except StopIteration as end:
            reason = str(end.value or "the run has ended")
            claim = None if state is None else self._hooks.end(reason, state)
            if state is not None and claim is not None:
                self._note(state, claim)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit among them: a file of the reader's may ask for it
            reason, failed = _in_words(error, self._algorithm), True
        if state is not None and self._checked != state.t:
            self._check(before, state)
        values = self._values(measures)
        troubles = (*(f"{hook.what}: {hook.error}" for hook in self._hooks.troubles.values()), *self._troubles)
        steps = 0 if state is None else state.t
        failures = tuple(self._failures.values())
        return Outcome(place, steps, reason, failed, values, failures, troubles, self._kept_curves())

    def _keep(self, before: State | None, state: State) -> None:
        phase = state.phase
        self._last.pop(phase, None)
        self._last[phase] = state
        count = self._counts.get(phase, 0)
        self._counts[phase] = count + 1
        if count < _ALL or count % (1 << (count // _ALL).bit_length()) == 0:
            self._check(before, state)

    def _check(self, before: State | None, state: State) -> None:
        """Check the theorems at a step, and measure the curves that are kept; which steps those are depends on nothing
        but their number."""
        self._checked = state.t
        self._measure(state)
        for verdict in self._hooks.verdicts(before, state):
            self._note(state, verdict)

    def _note(self, state: State, verdict: Verdict) -> None:
        """Count a verdict that fails."""
        if verdict.status == "fails":
            statement = verdict.theorem.statement
            earlier = self._failures.get(statement)
            first = (
                (earlier.t, earlier.sides, earlier.times)
                if earlier
                else (state.t, repr(verdict.sides) if verdict.sides else verdict.why, 0)
            )
            self._failures[statement] = Failed(statement, first[0], first[1], first[2] + 1)

    def _measure(self, state: State) -> None:
        if self._asked is False:
            return
        for curve, value in zip(self._algorithm.curves, self._hooks.values(state)):
            asked = self._asked is True or curve.name in self._asked
            if asked and (not math.isnan(value) or state.is_nan(curve.name)):
                self._curves.setdefault(curve.name, []).append((state.t, value))

    def _kept_curves(self) -> dict[str, tuple[Array, Array]]:
        names = [curve.name for curve in self._algorithm.curves]
        asked = names if self._asked is True else self._asked or ()
        points = {name: self._curves.get(name, []) for name in asked}
        return {
            name: (np.array([t for t, _ in some], np.int64), np.array([value for _, value in some], np.float64))
            for name, some in points.items()
        }

    def _values(self, measures: Measures) -> dict[str, float]:
        """Measure every curve at the newest state at which it has a value; the others are NaN."""
        states = list(reversed(self._last.values()))
        values: dict[str, float] = {}
        for state in states:
            row = zip(self._algorithm.curves, self._hooks.values(state))
            known = {curve.name: v for curve, v in row if not math.isnan(v) or state.is_nan(curve.name)}
            values = known | values
            if len(values) == len(self._algorithm.curves):
                break
        values = {curve.name: values.get(curve.name, math.nan) for curve in self._algorithm.curves}
        return values | {name: self._measured(name, measure, states) for name, measure in measures.items()}

    def _measured(self, name: str, measure: Any, states: list[State]) -> float:
        try:
            return float(measure(self._problem, states[0])) if states else math.nan
        except Exception as error:
            self._troubles.append(f"{name}: {in_words(error)}")
            return math.nan


def _in_words(error: BaseException, algorithm: Algorithm) -> str:
    """Say what a step raised, and in which line of the algorithm's own file."""
    if isinstance(error, Raised):
        return in_words(error)
    file = algorithm.source[0] if isinstance(algorithm, PlainAlgorithm) else algorithm.run.__code__.co_filename
    lines = [entry.lineno for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    return f"{in_words(error)}, in line {lines[-1]}" if lines else in_words(error)
