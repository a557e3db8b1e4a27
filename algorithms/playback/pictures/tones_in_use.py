"""Tones in use on the stage of a run, so that no curve beside it takes the colour or the shape of one."""

from collections.abc import Iterable
from time import perf_counter
from typing import Any

import numpy as np

from algorithms.core import Matrix, Panel, Points
from algorithms.core.resolve import Faded
from algorithms.core.scene import Mark
from algorithms.playback.pictures.tables_before import table_of
from algorithms.timeline import Timeline

_LAST = 3  # steps of a run that are looked at, since phases differ
_PATIENCE = 0.002  # seconds that one of them may take to be had
_ENOUGH = 0.02  # seconds after which no further one is looked at


def mark_tones(marks: Iterable[Mark]) -> frozenset[int]:
    """Find the tones of some marks; points of a role have the first one's shape."""
    return frozenset(tone for mark in marks for tone in _tones(mark))


def _tones(mark: Mark) -> set[int]:
    match mark:
        case Points():
            return _of_points(mark)
        case Matrix():
            return {0, 1} if mark.signed else set()
        case Faded():
            return set()
    given: tuple[Any, ...] = (getattr(mark, "tone", None), *_several(mark))
    return {tone for tone in given if isinstance(tone, int) and tone >= 0}


def _several(mark: Mark) -> tuple[Any, ...]:
    tones = getattr(mark, "tones", ())
    return tones if isinstance(tones, tuple) else ()  # a region that was asked for has an array of them: its rows' ones


def _of_points(mark: Points) -> set[int]:
    if mark.classes is not None:
        classes = np.asarray(mark.classes, np.intp)
        lowest = classes.min(initial=0)  # np.unique would sort them all
        return set((np.flatnonzero(np.bincount(classes - lowest)) + lowest).tolist())
    if mark.shares is not None:
        return set(range(mark.shares.shape[1]))
    return {mark.tone if isinstance(mark.tone, int) else 0}


class TonesInUse:
    """The tones that the panel on the stage had so far in a run, also ahead of the step that is shown.

    The run is looked at as it has come twice as far: so curves have their colours from early on, and keep them.
    """

    def __init__(self) -> None:
        self._tones: frozenset[int] = frozenset()
        self._of: tuple[Timeline, int] | None = None
        self._looked = 0

    def of(self, run: Timeline, on_stage: int) -> frozenset[int]:
        """Find them, for the panel of that number among those that can be on the stage."""
        if self._of is None or self._of[0] is not run or self._of[1] != on_stage:
            self._of, self._looked = (run, on_stage), 0
        if run.last + 1 >= 2 * self._looked and not run.algorithm.apart:
            self._looked = run.last + 1
            until = perf_counter() + _ENOUGH
            for t in range(run.last, max(run.last - _LAST, -1), -1):
                self._tones |= self._at(run, t, on_stage)
                if perf_counter() > until:
                    break
        return self._tones

    def _at(self, run: Timeline, t: int, on_stage: int) -> frozenset[int]:
        frame = run.fetch(t, _PATIENCE)
        if frame is None:
            return frozenset()
        try:
            panels = run.algorithm.scene(run.problem_at(frame.t), frame.before, frame.state).panels
        except Exception:  # it is said of the step itself when that is shown
            return frozenset()
        drawn: list[Panel] = [panel for panel in panels if not table_of(panel)]
        return mark_tones(drawn[on_stage % len(drawn)].marks) if drawn else frozenset()
