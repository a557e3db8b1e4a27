"""Curves and events: what is measured along a run, and what in it is worth jumping to."""

import math
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.problem import Problem
from algorithms.core.scene import Tone
from algorithms.core.state import State

HELD_OUT: Tone = 8  # of what is measured on rows held out, in every algorithm: a tone that few stages come to


class Variable(Struct, frozen=True):
    """What a curve is drawn along where that is not the step.

    Attributes:
        name: unique among the curves, of which it is one: its column in exports.
        measure: (problem, state) -> float; NaN where it is not defined.
        letter: (problem) -> what it is called on the axis, where that depends on the parameters; runs are held against
            each other along it only where they call it the same.
        log: (problem) -> whether its axis is logarithmic.
    """

    name: str
    measure: Callable[[Problem, Any], float]
    letter: Callable[[Problem], str] | None = None
    log: Callable[[Problem], bool] | None = None

    def axis(self, problem: Problem) -> tuple[str, bool]:
        """Ask what the axis is called, and whether it is logarithmic; by its name where a reader's hook raises."""
        try:
            letter = problem.once(self.letter) if self.letter is not None else self.name
            return str(letter), self.log is not None and bool(problem.once(self.log))
        except Exception:
            return self.name, False


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
        along: what it is drawn along where that is not the step, a Variable, or its name and measure: ("λ", strength).
            That is a curve too, so that it stands in exports. The last value is the one drawn where it comes again.
        tone: that which the same thing has on the stage; None: one that nothing there has.
    """

    name: str
    measure: Callable[[Problem, Any], float]
    formula: str = ""
    chart: str = ""
    phases: tuple[str, ...] = ()
    log: bool = False
    held_out: bool = False
    about: Literal["state", "run"] = "state"
    along: Variable | tuple[str, Callable[[Problem, Any], float]] | None = None
    tone: Tone | None = None

    @property
    def group(self) -> str:
        return self.chart or self.name

    @property
    def variable(self) -> Variable | None:
        """What it is drawn along, None where that is the step."""
        return Variable(*self.along) if isinstance(self.along, tuple) else self.along

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
        held_out = replace(
            training, name=f"held-out {self.name}", measure=aside, formula="the same on rows held out", tone=HELD_OUT
        )
        return training, held_out


class Event(Struct, frozen=True):
    """Something that matters when it happens ("a row moved"), to be jumped to.

    Attributes:
        name: what is shown.
        happened: (before, after) -> bool; `before` is None at the start.
        phase: the phase which it is, "" if it is more than that.
        anew: where it begins another problem, which one, in a few words: "α = 0 taken out". Curves are broken
            there: what is measured after it is not what was.
        wrong: whether it is a sign that something is, and marked on the timeline.
    """

    name: str
    happened: Callable[[Any, Any], bool]
    phase: str = ""
    anew: str = ""
    wrong: bool = False


def expanded(curves: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """List the curves with their twins on rows held out, and what they are drawn along as curves of their own."""
    twins = [twin for curve in curves for twin in curve.twins()]
    names = {curve.name for curve in twins}
    variables: dict[str, Curve] = {}
    for curve in twins:
        of = curve.variable
        if of is not None and of.name not in names:
            known = variables.get(of.name)
            phases = curve.phases if known is None else _either(known.phases, curve.phases)
            variables[of.name] = Curve(of.name, of.measure, phases=phases)
    return (*twins, *variables.values())


def _either(phases: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """Join phases, of which none means all."""
    return tuple(dict.fromkeys((*phases, *others))) if phases and others else ()


def phase_event(phase: str) -> Event:
    def happened(before: State | None, after: State) -> bool:
        return after.phase == phase

    return Event(phase, happened, phase)
