"""Watch: breakpoints, looked for ahead of the cursor while it moves on. It knows no screen."""

import re
from collections.abc import Sequence

from algorithms.timeline import Timeline, conditions


class Watch:
    """The breakpoints that are on, for one run.

    Args:
        stops: the conditions, one or more.

    Attributes:
        hits: the steps at which it stopped.
        trouble: why they cannot be looked for, "" while they can.
    """

    def __init__(self, run: Timeline, stops: Sequence[conditions.Condition]):
        self.stops = tuple(stops)
        self.any = conditions.any_of(self.stops)
        self.hits: set[int] = set()
        self.trouble = ""
        self._run = run
        self._search = conditions.Search(run, self.any, 0)

    def clear(self, t: int, to: float, seconds: float) -> int | None:
        """Find how far the cursor may go from t towards `to`: the next hit, or the end of the run; None when that is
        not known after so long, and asking again goes on from there."""
        search = self._search
        passed = search.match is not None and search.match <= t
        if passed or not search.start <= t <= search.position:
            search = self._search = conditions.Search(self._run, self.any, t)
        search.work(seconds, to)
        self.trouble = search.trouble
        if search.match is not None and search.match <= to:
            return search.match
        return int(min(to, self._run.last)) if search.done or search.position >= to else None

    @property
    def frontier(self) -> int:
        """Up to which step there is none."""
        return min(self._search.position, self._run.last)

    def why(self, t: int) -> str:
        """Name those that hold at t; "" for none."""
        return " and ".join(stop.text for stop in self.stops if _holds(stop, self._run, t))

    def row(self, t: int) -> int | None:
        """Find the row that a breakpoint which holds at t is about, the first where there are several."""
        named = re.search(r"\brow\s+(\d+)", self.why(t))
        return int(named[1]) if named else None


def _holds(stop: conditions.Condition, run: Timeline, t: int) -> bool:
    try:
        return stop.holds(run, t)
    except conditions.Unanswerable:
        return False
