"""Moment: one step of a run, as a condition is asked about it."""

from collections.abc import Iterator

from algorithms.core.errors import Refused
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import Theorem, Verdict
from algorithms.timeline.timeline import Timeline


class Unanswerable(Exception):
    """A condition cannot be asked of a run, since a hook that it asks raised; the message is a sentence."""


class UnknownField(Unanswerable, Refused):
    """A name that a condition takes for a field is none of the run's states."""


class Moment:
    """One step.

    Attributes:
        run: the run that is searched.
        t: the step.
        state, before: its state, and the one before where there is one.
        problem: the data and parameters it was made with.
        changed: whether theorems that speak of a whole run are silent.
        passed: of each phase, the last step before this one that the search came by on its way here without a gap.
    """

    __slots__ = ("before", "changed", "passed", "problem", "run", "state", "t")

    def __init__(
        self,
        run: Timeline,
        t: int,
        state: State,
        before: State | None,
        problem: Problem,
        changed: bool,
        passed: "dict[str, Moment] | None" = None,
    ):
        self.run, self.t, self.state, self.before = run, t, state, before
        self.problem, self.changed = problem, changed
        self.passed = passed if passed is not None else {}

    def previous(self, phases: tuple[str, ...]) -> "Moment | None":
        """Get the step before; with phases, the last one before that was in one of them."""
        if not phases:
            if self.before is None:
                return None
            return Moment(self.run, self.t - 1, self.before, None, self.problem, self.changed)
        known = [self.passed[phase] for phase in phases if phase in self.passed]
        if known:
            return max(known, key=lambda moment: moment.t)
        t = self.run.log.last(lambda kind: kind.phase in phases, 0, self.t)
        return moment_at(self.run, t) if t is not None else None


def moment_at(run: Timeline, t: int) -> Moment | None:
    """Get the step at t; None when it cannot be had any more."""
    frame = run.at(t)
    if frame.t != t:
        return None
    return Moment(run, t, frame.state, frame.before, run.problem_at(t), run.changed_at(t))


def moments_before(moment: Moment, phases: tuple[str, ...]) -> Iterator[Moment]:
    """Yield the steps before, the last first; with phases, those that were in one of them."""
    previous = moment.previous(phases)
    while previous is not None:
        yield previous
        there = moment_at(previous.run, previous.t)  # which knows nothing of what a search came by after it
        previous = None if there is None else there.previous(phases)


def verdict_of(theorem: Theorem, moment: Moment) -> Verdict:
    """Ask a theorem what it says of a moment.

    Raises:
        Unanswerable: when it raises.
    """
    try:
        return theorem.verdict(moment.problem, moment.before, moment.state, moment.changed)
    except Exception as error:
        failure = f"the theorem {theorem.statement} could not be computed at step {moment.t:,}"
        raise Unanswerable(f"{failure}: {type(error).__name__}: {error}") from error
