"""FirstDifference: where the current of several runs first differs from one of the others."""

from collections.abc import Sequence

from algorithms.core.errors import Refused
from algorithms.core.text import clean
from algorithms.playback.comparison.sources import FirstField
from algorithms.timeline import Timeline
from algorithms.timeline.divergence import Comparison


class FirstDifference:
    """Search for it among the steps that are known, a slice of time at a go; whoever asks lets the runs go on.

    Args:
        runs: the runs, by the names that a person knows them by.
        current: which of them is compared with each of the others.

    Attributes:
        done: whether there is nothing left to look for.
        step: of the current run, at which it differs; None while that is not known, and where it never does.
        words: what to tell when it is done.
        field: what differs there, and in which of the others; None where it never does.
    """

    def __init__(self, runs: Sequence[Timeline], names: Sequence[str], current: int):
        self._others = [i for i in range(len(runs)) if i != current]
        self._comparisons = [
            Comparison(runs[current], runs[i], names=(names[current], names[i]), advances=False) for i in self._others
        ]
        self._current = current
        others = " or ".join(name for i, name in enumerate(names) if i != current)
        self.words = f"no difference between {names[current]} and {others}"
        self.done = False
        self.step: int | None = None
        self.field: FirstField | None = None

    def work(self, seconds: float) -> None:
        """Compare for so long at most."""
        try:
            for comparison in self._comparisons:
                comparison.work(seconds / len(self._comparisons))
        except Refused as refusal:
            self.done, self.words = True, clean(refusal)
            return
        divergences = {i: c.divergence for i, c in zip(self._others, self._comparisons) if c.divergence is not None}
        other = min(divergences, key=lambda i: divergences[i].steps[0], default=None)
        first = None if other is None else divergences[other]
        least = float("inf") if first is None else first.steps[0]
        self.done = all(c.done or c.reached >= least for c in self._comparisons)
        if self.done and first is not None and other is not None:
            self.step, self.words = first.steps[0], clean(first.sentence)
            self.field = FirstField((self._current, other), first.steps, first.fields)
