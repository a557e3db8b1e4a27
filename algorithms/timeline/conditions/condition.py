"""Condition: something that holds at some steps of a run and not at others, from its text."""

from collections.abc import Sequence
from typing import Any, Literal
from weakref import ref

from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset
from algorithms.core.state import State
from algorithms.timeline.conditions.combined import Either, Starts
from algorithms.timeline.conditions.moment import UnknownField, moment_at
from algorithms.timeline.conditions.parser import Parser
from algorithms.timeline.conditions.predicates import Predicate
from algorithms.timeline.conditions.values import Value
from algorithms.timeline.conditions.vocabulary import Vocabulary
from algorithms.timeline.timeline import Timeline


class Condition:
    """What to look for.

    Attributes:
        text: as it was typed.
        predicate: what it says.
    """

    def __init__(self, text: str, predicate: Predicate):
        self.text, self.predicate = text, predicate
        self._agreed: ref[Timeline] | None = None  # the run whose states have the fields that were assumed

    def check_fields(self, run: Timeline) -> bool:
        """Refuse a name that was taken for a field before any state was known, once the run's states show it is none.

        Returns:
            Whether that is settled: not before the run has yielded a state with fields.

        Raises:
            UnknownField: with the names near it.
        """
        assumed = self.predicate.assumed_fields
        if not assumed or (self._agreed is not None and self._agreed() is run):
            return True
        words = Vocabulary(run.algorithm, run.data, fields=_yielded_fields(run))
        if not words.fields:
            return False
        for name in assumed:
            if name not in words.fields:
                raise UnknownField(f"in {self.text!r} {words.unknown(name)}.")
        self._agreed = ref(run)
        return True

    @property
    def needs(self) -> Literal["log", "curve", "states"]:
        """Say what is looked at to find it: the log alone, or states; and whether a curve is measured at them."""
        return "log" if self.predicate.by_log else "curve" if self.predicate.curves else "states"

    def holds(self, run: Timeline, t: int) -> bool:
        """Tell whether it holds at a step; not where the step cannot be had any more.

        Raises:
            Unanswerable: when a curve or theorem that it asks for raises.
            UnknownField: when it names what is no field of the run's states.
            IndexError: beyond what has been run.
        """
        if self.predicate.by_log:
            return bool(self.predicate.possible(run.log, t, t + 1)[0])
        self.check_fields(run)
        moment = moment_at(run, t)
        return moment is not None and self.predicate.holds(moment)

    def __repr__(self) -> str:
        return f"<Condition {self.text!r}>"


def parse(
    text: str, algorithm: Algorithm | Timeline, data: Dataset | None = None, state: State | None = None
) -> Condition:
    """Read a condition from its text, for a run, or for runs of an algorithm on data.

    Args:
        algorithm: what runs; or a run, which has its data with it and makes its first two states where it has none.
        state: one of the run's, by which the fields are known: a plain generator's are not known before it has yielded
            some. Any name may be one then, until the first states of a run decide it: see `Condition.check_fields`.

    Raises:
        Unreadable: a Refused with the place in the text; names that are not known come with those near them.
    """
    if isinstance(algorithm, Timeline):
        run = algorithm
        run.advance(2 - len(run))
        algorithm, data = run.algorithm, run.data
    fields = state.parts() if state is not None else None
    data = Dataset.none if data is None else data
    return Condition(text.strip(), Parser(text, Vocabulary(algorithm, data, fields)).condition())


def parsed_value(text: str, run: Timeline, *, fields: bool = True) -> Value:
    """Read a value from its text, for a run that has a step.

    Args:
        fields: whether it may speak of fields of the state, which some phases leave as they were: a log-likelihood
            that E computed is still there after M. Without, only of curves, sides of theorems and the step.

    Raises:
        Unreadable: as for a condition.
    """
    words = Vocabulary(run.algorithm, run.data, run.at(run.last).state.parts() if fields else {})
    words.any_field = False
    return Parser(text, words).value()


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Join conditions to one that holds where one of them does."""
    if len(conditions) == 1:
        return conditions[0]
    return Condition(" or ".join(c.text for c in conditions), Either(tuple(c.predicate for c in conditions)))


def starting(condition: Condition) -> Condition:
    """Narrow a condition to where comparisons begin to hold; what happens at a step stays as it is."""
    return Condition(condition.text, Starts(condition.predicate)) if condition.predicate.lasts else condition


def _yielded_fields(run: Timeline) -> dict[str, Any]:
    """Collect the fields of the first state that has any, and of the newest; a plain generator has none at step 0."""
    first: dict[str, Any] = next((parts for t in range(min(len(run), 2)) if (parts := run.at(t).state.parts())), {})
    return first | run.at(run.last).state.parts() if len(run) else {}
