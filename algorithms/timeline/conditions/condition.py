"""Condition: something that holds at some steps of a run and not at others, from its text."""

from collections.abc import Sequence
from typing import Literal

from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset
from algorithms.core.state import State
from algorithms.timeline.conditions.moment import moment_at
from algorithms.timeline.conditions.parser import Parser
from algorithms.timeline.conditions.statements import Either, Starts, Statement
from algorithms.timeline.conditions.vocabulary import Vocabulary
from algorithms.timeline.timeline import Timeline


class Condition:
    """What to look for.

    Attributes:
        text: as it was typed.
        statement: what it says.
    """

    def __init__(self, text: str, statement: Statement):
        self.text, self.statement = text, statement

    @property
    def needs(self) -> Literal["log", "curve", "states"]:
        """What has to be looked at to find it: the log alone, or states; and whether a curve is measured at them."""
        return "log" if self.statement.by_log else "curve" if self.statement.curves else "states"

    def holds(self, run: Timeline, t: int) -> bool:
        """Whether it holds at a step; not where the step cannot be had any more.

        Raises:
            Unanswerable: when a curve or theorem that it asks for raises.
            IndexError: beyond what has been run.
        """
        if self.statement.by_log:
            return bool(self.statement.possible(run.log, t, t + 1)[0])
        moment = moment_at(run, t)
        return moment is not None and self.statement.holds(moment)

    def __repr__(self) -> str:
        return f"<Condition {self.text!r}>"


def parse(text: str, algorithm: Algorithm, data: Dataset, state: State | None = None) -> Condition:
    """The condition that a text says, for runs of an algorithm on data.

    Args:
        state: one of the run's, by which the fields are known: a plain generator's are not known otherwise.

    Raises:
        Unreadable: a Refused with the place in the text; names that are not known come with those near them.
    """
    return Condition(text.strip(), Parser(text, Vocabulary(algorithm, data, state)).condition())


def any_of(conditions: Sequence[Condition]) -> Condition:
    """Holds where one of them does."""
    if len(conditions) == 1:
        return conditions[0]
    return Condition(" or ".join(c.text for c in conditions), Either(tuple(c.statement for c in conditions)))


def starting(condition: Condition) -> Condition:
    """Holds where comparisons begin to hold, not at every step at which they do; what happens at a step stays."""
    return Condition(condition.text, Starts(condition.statement)) if condition.statement.lasts else condition
