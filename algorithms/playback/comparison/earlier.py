"""Earlier: when theorems that are silent at a step spoke last, and what they said then."""

import numpy as np
from msgspec import Struct

from algorithms.core import Sides
from algorithms.core.theorems import Verdict
from algorithms.playback.pictures.viewer import Picture
from algorithms.timeline import Timeline

_NEAR = 6  # steps before the one shown that are asked one by one, where not every step was measured
_DENSE = 1000  # steps of a run up to which every one was measured
_KEPT = 256  # steps of which verdicts are kept
_SECONDS = 0.02  # that an earlier step may take to be replayed


class Spoken(Struct, frozen=True):
    """A step at which a theorem spoke, and its sides there."""

    t: int
    sides: Sides


class Earlier:
    """Looks up the earlier verdicts of a run."""

    def __init__(self, run: Timeline):
        self._run = run
        self._verdicts: dict[int, tuple[Verdict, ...]] = {}

    def of(self, picture: Picture) -> tuple[Spoken | None, ...]:
        """Find when each theorem of a picture spoke last; None for those that speak, and that never did."""
        self._keep(picture.frame.t, picture.verdicts)  # the step after it will ask for them
        return tuple(
            self._last(i, picture.frame.t) if v.sides is None else None for i, v in enumerate(picture.verdicts)
        )

    def _last(self, i: int, t: int) -> Spoken | None:
        steps, _ = self._run.theorem_series(i)
        before = int(np.searchsorted(steps, t)) - 1
        measured = int(steps[before]) if before >= 0 else -1
        if len(self._run) > _DENSE:
            for near in range(t - 1, max(t - 1 - _NEAR, measured), -1):
                sides = self._sides(i, near)
                if sides is not None:
                    return Spoken(near, sides)
        sides = self._sides(i, measured) if measured >= 0 else None
        return None if sides is None else Spoken(measured, sides)

    def _sides(self, i: int, t: int) -> Sides | None:
        """Find a theorem's sides at an earlier step; None where there are none, or the step is too far to replay."""
        if t not in self._verdicts:
            frame = self._run.fetch(t, _SECONDS)
            if frame is None or frame.t != t:
                return None
            self._keep(t, self._run.verdicts(frame))
        return self._verdicts[t][i].sides

    def _keep(self, t: int, verdicts: tuple[Verdict, ...]) -> None:
        if len(self._verdicts) >= _KEPT:
            self._verdicts.clear()
        self._verdicts[t] = verdicts
