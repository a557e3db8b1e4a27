"""Values that a person follows along a run, an entry of an array say: each a chart among the algorithm's own."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Array, Refused
from algorithms.timeline import Frame, Timeline, conditions
from algorithms.timeline.conditions.moment import Moment, Unanswerable
from algorithms.timeline.conditions.values import number_of

_MOST = 8


class FollowedValues:
    """The values that are followed, in the language of conditions: "w[3]", "norm(w)".

    Attributes:
        texts: as they were typed, the newest last.
    """

    def __init__(self) -> None:
        self.texts: tuple[str, ...] = ()
        self._known: dict[str, dict[int, float | None]] = {}
        self._run: Timeline | None = None

    def choose(self, text: str) -> bool:
        """Follow a value, or one that is followed no longer; whether it is from now on. The oldest make room."""
        follows = text not in self.texts
        rest = tuple(other for other in self.texts if other != text)
        self.texts = (*rest, text)[-_MOST:] if follows else rest
        return follows

    def restore(self, kept: Any) -> None:
        """Follow what was kept, as far as it can be meant."""
        if isinstance(kept, list):
            self.texts = tuple(text for text in kept if isinstance(text, str))[-_MOST:]

    def along(self, run: Timeline, frame: Frame) -> list[tuple[str, Array, Array, float]]:
        """List each with the steps at which it is known, its values there, and its value at a frame."""
        if self._run is not run:
            self._run, self._known = run, {}
        if not self.texts:
            return []
        trail = run.trail(run.last)
        lines = []
        for text in self.texts:
            now = self._measure(run, text)(frame.state)
            lines.append((text, *self._line(run, text, trail), math.nan if now is None else now))
        return lines

    def _line(self, run: Timeline, text: str, trail: Any) -> tuple[Array, Array]:
        known, measure = self._known.setdefault(text, {}), self._measure(run, text)
        for state in trail:
            if state.t not in known:
                known[state.t] = measure(state)
        there = sorted((t, value) for t, value in known.items() if value is not None)
        return np.array([t for t, _ in there], np.int64), np.array([value for _, value in there], float)

    @staticmethod
    def _measure(run: Timeline, text: str) -> Callable[[Any], float | None]:
        """Make what measures it at a state: None where it is not there."""
        try:
            value = conditions.parsed_value(text, run)
        except Refused:  # of another run, which has no such field
            return lambda state: None

        def measure(state: Any) -> float | None:
            moment = Moment(run, state.t, state, None, run.problem_at(state.t), run.changed_at(state.t))
            try:
                return number_of(value.of(moment))
            except Unanswerable:
                return None

        return measure
