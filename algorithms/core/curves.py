"""Curves and events: what is measured along a run, and what in it is worth jumping to."""

import math
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.problem import Problem
from algorithms.core.state import State


class Curve(Struct, frozen=True):
    """A number to follow over the run.

    Attributes:
        name: the field's name for it; unique in its algorithm.
        measure: (problem, state) -> float; NaN where it is not defined.
        formula: what it is in mathematics, for the chart's corner.
        chart: curves that name the same chart are drawn together; its own name by default.
        phases: measured in these phases only; in all when empty.
        log: drawn on a logarithmic axis.
        held_out: measured on the rows held out too, where there are any: "error" is then two curves, "training error"
            and "held-out error", in one chart.
        about: "state" speaks of one state; "run" of the whole run from its start, and is silent after a fork.
        along: what it is drawn along where that is not the step, a name and (problem, state) -> float: ("λ", strength).
            That is a curve too, so that it stands in exports.
    """

    name: str
    measure: Callable[[Problem, Any], float]
    formula: str = ""
    chart: str = ""
    phases: tuple[str, ...] = ()
    log: bool = False
    held_out: bool = False
    about: Literal["state", "run"] = "state"
    along: tuple[str, Callable[[Problem, Any], float]] | None = None

    @property
    def group(self) -> str:
        return self.chart or self.name

    def value(self, problem: Problem, state: State, forked: bool = False) -> float:
        """Measure it at a state; NaN where it says nothing."""
        silent = self.about == "run" and forked or self.phases and state.phase not in self.phases
        return math.nan if silent else float(self.measure(problem, state))

    def twins(self) -> "tuple[Curve, ...]":
        """Itself; or that of the training rows and that of the rows held out."""
        if not self.held_out:
            return (self,)

        def aside(problem: Problem, state: State) -> float:
            return math.nan if problem.held_out is None else self.measure(problem.held_out, state)

        training = replace(self, name=f"training {self.name}", chart=self.group, held_out=False)
        held_out = replace(training, name=f"held-out {self.name}", measure=aside, formula="the same on rows held out")
        return training, held_out


class Event(Struct, frozen=True):
    """Something that matters when it happens ("a row moved"), to be jumped to.

    Attributes:
        name: what is shown.
        happened: (before, after) -> bool; `before` is None at the start.
        phase: the phase which it is, "" if it is more than that.
    """

    name: str
    happened: Callable[[Any, Any], bool]
    phase: str = ""


def expanded(curves: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """List the curves with their twins on rows held out, and what they are drawn along as curves of their own."""
    twins = [twin for curve in curves for twin in curve.twins()]
    names = {curve.name for curve in twins}
    along = {c.along[0]: Curve(c.along[0], c.along[1], phases=c.phases) for c in twins if c.along is not None}
    return (*twins, *(curve for name, curve in along.items() if name not in names))


def phase_event(phase: str) -> Event:
    def happened(before: State | None, after: State) -> bool:
        return after.phase == phase

    return Event(phase, happened, phase)
