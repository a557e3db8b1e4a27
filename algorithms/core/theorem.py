"""Theorem: a statement of the lecture, with this step's numbers on both sides of it."""

import math
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from algorithms.core.problem import Problem

Relation = Literal["<=", "<", "=="]
Status = Literal["holds", "fails", "does not apply", "undecided"]

ROUNDING = 1e-9  # of the largest side: what double precision may lose in a sum over the rows
VANISHING = 1e-300  # below it numbers lose their digits one by one, and products are 0


class Sides:
    """The sides of a statement, left to right, as numbers: Sides(("m gamma", 3.1), ("w·w*", 4.0)).

    Args:
        sides: (name, value) pairs, two or more, each standing in `relation` to the next.
        relation: "<=", "<" or "==".
        slack: what the comparison forgives besides rounding (1e-9 of the largest side, and 1e-300; nothing for "<").
    """

    __slots__ = ("names", "relation", "slack", "values")

    def __init__(self, *sides: tuple[str, float], relation: Relation = "<=", slack: float = 0.0):
        if len(sides) < 2:
            raise ValueError("a statement has two sides or more")
        self.names = tuple(name for name, _ in sides)
        self.values = tuple(float(value) for _, value in sides)
        self.relation: Relation = relation
        self.slack = float(slack)

    @property
    def tolerance(self) -> float:
        """The absolute difference that is forgiven between two neighbouring sides."""
        finite = [abs(v) for v in self.values if math.isfinite(v)]
        rounding = ROUNDING * max(finite, default=0.0) + VANISHING if self.relation != "<" else 0.0
        return self.slack + rounding

    @property
    def hold(self) -> bool:
        slack = self.tolerance
        for a, b in zip(self.values, self.values[1:]):
            if math.isnan(a) or math.isnan(b):
                return False
            if self.relation == "<=" and not a <= b + slack:
                return False
            if self.relation == "<" and not a < b + slack:
                return False
            if self.relation == "==" and not (a == b or abs(a - b) <= slack):
                return False
        return True

    def __repr__(self) -> str:
        return f" {self.relation} ".join(f"{n} = {v:.6g}" for n, v in zip(self.names, self.values))


class DoesNotApply(Struct, frozen=True):
    """The hypotheses are not met, and why: "the rows cannot be separated"."""

    why: str


class Undecided(Struct, frozen=True):
    """Whether the hypotheses are met was not found out, and why."""

    why: str


Answer = Sides | DoesNotApply | Undecided | None


class Theorem(Struct, frozen=True):
    """A statement, where it comes from, and how to compute its sides at a step.

    Attributes:
        statement: one line, as the lecture has it.
        sides: (problem, before, after) -> Sides, or None where it says nothing at this step (another
            phase, or no step before), or DoesNotApply or Undecided with the reason.
        source: author and year.
        about: "state" speaks of one state alone; "step" compares with the state before; "run" speaks of
            the whole run from its start, and falls silent after a fork.
    """

    statement: str
    sides: Callable[[Problem, Any, Any], Answer]
    source: str
    about: Literal["state", "step", "run"] = "state"

    def verdict(self, problem: Problem, before: Any, after: Any, forked: bool = False) -> "Verdict":
        """What the theorem says of this step; `forked`: the run did not start where it stands."""
        if self.about == "step" and before is None:
            return Verdict(self, "does not apply", why="it compares with the step before")
        if self.about == "run" and forked:
            return Verdict(self, "does not apply", why="it speaks of a run that was not changed half-way")
        answer = self.sides(problem, before, after)
        if isinstance(answer, Sides):
            return Verdict(self, "holds" if answer.hold else "fails", sides=answer)
        if isinstance(answer, Undecided):
            return Verdict(self, "undecided", why=answer.why)
        return Verdict(self, "does not apply", why=answer.why if answer else "not at this step")


class Verdict(Struct, frozen=True):
    """A theorem at one step: how it stands, with its sides or the reason why there are none."""

    theorem: Theorem
    status: Status
    sides: Sides | None = None
    why: str = ""
