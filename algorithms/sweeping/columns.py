"""Columns: the numbers of many runs, kept in few bytes a run; a million runs are a few arrays."""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.sweeping.outcome import Failed, Outcome


class Columns:
    """What came of runs, by their places.

    Args:
        count: how many runs there are to be.

    Attributes:
        came: (count,) which have come.
        failed: (count,) which of them failed.
        steps: (count,) how many steps they made.
        values: (count,) the last value of each curve, by its name; NaN where there is none.
        done: how many have come.
    """

    def __init__(self, count: int):
        self.came, self.failed = np.zeros(count, bool), np.zeros(count, bool)
        self.steps = np.zeros(count, np.int64)
        self.values: dict[str, Array] = {}
        self.done = 0
        self._reasons: dict[str, int] = {}  # few differ
        self._reason = np.zeros(count, np.int32)
        self._failures: dict[int, tuple[Failed, ...]] = {}  # few have any
        self._troubles: dict[int, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self.came)

    def add(self, outcome: Outcome) -> None:
        """Keep the numbers of a run."""
        place = outcome.place
        self.done += not self.came[place]
        self.came[place], self.failed[place], self.steps[place] = True, outcome.failed, outcome.steps
        self._reason[place] = self._reasons.setdefault(outcome.reason, len(self._reasons))
        for name, value in outcome.values.items():
            if name not in self.values:
                self.values[name] = np.full(len(self), np.nan)
            self.values[name][place] = value
        if outcome.failures:
            self._failures[place] = outcome.failures
        if outcome.troubles:
            self._troubles[place] = outcome.troubles

    def outcome(self, place: int) -> Outcome:
        """Give what came of a run again."""
        reason = list(self._reasons)[self._reason[place]]
        values = {} if self.failed[place] and not self.steps[place] else self.values
        return Outcome(
            place,
            int(self.steps[place]),
            reason,
            bool(self.failed[place]),
            {name: float(column[place]) for name, column in values.items()},
            self._failures.get(place, ()),
            self._troubles.get(place, ()),
        )

    @property
    def with_failures(self) -> int:
        """Count the runs in which a theorem failed."""
        return len(self._failures)

    @property
    def nbytes(self) -> int:
        """Count the bytes of the arrays."""
        return sum(a.nbytes for a in (self.came, self.failed, self.steps, self._reason, *self.values.values()))
