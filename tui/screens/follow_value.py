"""Which number to see over the run."""

import numpy as np

from algorithms.core.text import clean
from algorithms.timeline import Frame, Timeline, conditions
from algorithms.timeline.conditions.moment import moment_at
from algorithms.timeline.conditions.values import number_of
from tui.screens.value_of_state import ValueOfState
from tui.widgets.field import Field


class FollowValue(ValueOfState[str]):
    """Asks for a number of the state, an entry of an array say; gives it as it is written in conditions.

    Args:
        followed: those that are followed already: such a one is left again.
    """

    heading = "Which number over the run?"
    hint = "↑ ↓ choose   enter draws it, or leaves it   esc leaves all as it is"

    def __init__(self, run: Timeline, frame: Frame, followed: tuple[str, ...]):
        super().__init__(run, frame, followed, "followed")

    def read(self, what: str) -> str | None:
        run, what = self.run_in_hand, what.strip()
        value = conditions.parsed_value(what, run)
        moment = moment_at(run, self.frame.t)
        try:
            now = None if moment is None else value.of(moment)
        except conditions.Unanswerable as error:  # a curve of a reader's own, say
            self.complain(clean(str(error)))
            return None
        if now is None or number_of(now) is not None:
            return what
        if isinstance(now, np.ndarray) and now.size:
            field, first = self.query_one("#what", Field), f"{what}[{','.join('0' * now.ndim)}]"
            self.said_of[first] = f"{what} has {now.size:,} numbers: which one? enter draws the first"
            field.value, field.cursor_position = first, len(first) - 1
            return None
        self.complain(f"{what} is no number at this step")
        return None
