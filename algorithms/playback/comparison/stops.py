"""Where breakpoints hold in several runs: StopsBefore, the last place before; StopsAhead, how far they may go without
passing one."""

import math
from collections.abc import Sequence

from algorithms.core.text import clean
from algorithms.playback.comparison.alignment import Alignment, Place
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.cursor.breakpoints import Breakpoint, watch_for
from algorithms.playback.cursor.watch import Watch
from algorithms.timeline import Timeline, conditions

_SLICE = 0.008  # seconds that a run is searched at a go
END: Place = (math.inf, math.inf)  # beyond the last step of any run


class StopsBefore:
    """Searches several runs backwards for the breakpoints that are on.

    Args:
        positions: where each run stands.
        here: the place of all of them.

    Attributes:
        words: where it is and why, once that is known; why there is none.
    """

    def __init__(
        self,
        runs: Sequence[Timeline],
        breakpoints: Sequence[Breakpoint],
        positions: Sequence[int],
        alignment: Alignment,
        here: Place,
    ):
        self._alignment, self._here, self.words = alignment, here, ""
        watches = [watch_for(breakpoints, run) for run in runs]
        self._watched: list[tuple[str, Timeline, Watch, conditions.Search]] = [
            (letter, run, watch, conditions.Search(run, watch.any, t, forward=False))
            for letter, run, t, watch in zip(LETTERS, runs, positions, watches)
            if watch is not None
        ]

    def place(self) -> Place | None:
        """Search on for a moment: the place, None while it is not known; where there is none it is here."""
        best = self._best()
        for _, run, _, search in self._watched:
            if not search.done and search.match is None and not self._beyond(run, search, best):
                search.work(_SLICE)
        best = self._best()
        if any(not s.done and s.match is None and not self._beyond(run, s, best) for _, run, _, s in self._watched):
            return None
        self.words = self._words(best)
        return self._here if best is None else best

    def _matches(self) -> list[tuple[Place, str, Watch, int]]:
        """List where runs stop: the place, the letter, what watched for it, and the step."""
        matches = []
        for letter, run, watch, search in self._watched:
            key = None if search.match is None else self._alignment.key(run, search.match)
            if key is not None and search.match is not None:
                matches.append((key, letter, watch, search.match))
        return matches

    def _best(self) -> Place | None:
        places = [place for place, *_ in self._matches()]
        return max(places, default=None)

    def _beyond(self, run: Timeline, search: conditions.Search, best: Place | None) -> bool:
        """Tell whether a run was looked through up to where another stops."""
        if best is None:
            return False
        key = self._alignment.key(run, min(search.position, run.last))
        return key is not None and key < best

    def _words(self, best: Place | None) -> str:
        trouble = next((search.trouble for *_, search in self._watched if search.trouble), "")
        if best is None:
            return clean(trouble) or "no breakpoint holds before this in any run"
        there = [(letter, watch.why(t)) for place, letter, watch, t in self._matches() if place == best]
        return ", ".join(f"{letter} stops where {clean(why)}" for letter, why in there)


class StopsAhead:
    """Watches several runs, as far as they have come, for the breakpoints that are on; false where none is.

    Attributes:
        words: which run stops for which, "" while none does; why they cannot be looked for.
    """

    def __init__(self, runs: Sequence[Timeline], breakpoints: Sequence[Breakpoint]):
        self.words = ""
        watches = [watch_for(breakpoints, run) for run in runs]
        self._watched = [(letter, run, w) for letter, run, w in zip(LETTERS, runs, watches) if w is not None]

    def __bool__(self) -> bool:
        return bool(self._watched)

    def place(self, alignment: Alignment, here: Place, to: Place) -> Place | None:
        """Search on for a moment: where the first run stops after `here`, `to` where none does; None while that is
        not known."""
        self.words, least = "", to
        stops: dict[str, tuple[Place, str]] = {}
        for _ in range(2):  # in the second round no further than where another stops
            known = True
            for letter, run, watch in self._watched:
                stop = self._stop(alignment, run, watch, here, least)
                if stop is None:
                    known = False
                elif stop[1] and stop[0] <= least:
                    stops[letter], least = stop, stop[0]
        if not known:
            return None
        there = [f"{letter} stops where {clean(why)}" for letter, (at, why) in sorted(stops.items()) if at == least]
        self.words = ", ".join(there) or next((clean(w.trouble) for *_, w in self._watched if w.trouble), "")
        return least

    @staticmethod
    def _stop(alignment: Alignment, run: Timeline, watch: Watch, here: Place, to: Place) -> tuple[Place, str] | None:
        """Find where a run stops and why; `to`, for no reason, where it does not; None while that is not known."""
        start, goal = alignment.position(run, here), math.inf if to == END else alignment.position(run, to)
        if start is None or goal is None:
            return None
        reached = goal if run.stopped else min(goal, run.last)  # whoever asks lets the runs go on, slow ones in threads
        t = watch.clear(start, reached, _SLICE) if reached > start else start
        if t is None:
            return None
        why = watch.why(t) if t > start else ""
        if not why:
            return (to, "") if reached >= goal else None
        key = alignment.key(run, t)
        return None if key is None else (key, why)
