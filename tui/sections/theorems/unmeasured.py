"""The steps around the cursor that a long run did not measure: a theorem is asked of them while they are looked at."""

from time import perf_counter

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array
from algorithms.playback.theorems.page import SidesSoFar, TheoremPage

_MOMENT = 0.02  # seconds for asking, each time the page is painted
_KEPT = 4096  # steps


class Stretch:
    """Keeps what theorems said at steps that were not measured.

    Attributes:
        unfinished: whether there are steps that were not asked in time; the next time goes on with them.
    """

    def __init__(self) -> None:
        self.unfinished = False
        self._sides: dict[tuple[int, int], tuple[float, ...]] = {}

    def filled(self, page: TheoremPage, so_far: SidesSoFar, reach: int) -> SidesSoFar:
        """Add the steps up to so far from the cursor, the nearest first, to those that were measured."""
        measured = set(so_far.t.tolist())
        near = range(max(page.t - reach, 0), min(page.t + reach, page.last) + 1)
        missing = sorted((t for t in near if t not in measured), key=lambda t: abs(t - page.t))
        self._ask(page, missing)
        said = {t: self._sides.get((page.number, t), ()) for t in missing}
        steps = [t for t in missing if said[t]]
        if not steps:
            return so_far
        values = np.full((len(steps), len(so_far.names)), np.nan)
        for row, t in enumerate(steps):
            sides = said[t][: values.shape[1]]
            values[row, : len(sides)] = sides
        return _joined(so_far, np.array(steps), values)

    def _ask(self, page: TheoremPage, steps: list[int]) -> None:
        """Ask the theorem of steps that it was not asked of, for a moment."""
        self.unfinished = False
        if len(self._sides) > _KEPT:
            self._sides.clear()
        until = perf_counter() + _MOMENT
        for t in steps:
            if (page.number, t) in self._sides or page.sides_at is None:
                continue
            sides = page.sides_at(t, until - perf_counter())
            if sides is None:
                self.unfinished = perf_counter() > until  # else it raises, or the step is gone
                if self.unfinished:
                    return
            self._sides[page.number, t] = sides or ()


def _joined(so_far: SidesSoFar, t: Array, values: Array) -> SidesSoFar:
    """Put more steps among those that were measured."""
    steps = np.concatenate([so_far.t, t])
    order = np.argsort(steps, kind="stable")
    return replace(so_far, t=steps[order], values=np.concatenate([so_far.values, values])[order])
