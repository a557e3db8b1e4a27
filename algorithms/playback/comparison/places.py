"""Places: where several runs stand on what they are aligned by, and where one of them moves next."""

import math
from collections.abc import Callable, Sequence

from algorithms.playback.comparison.alignment import Alignment, Place
from algorithms.playback.comparison.follower import Follower
from algorithms.timeline import Timeline


class Places:
    """Where runs stand, and the next places and those before.

    Attributes:
        followers: the runs, in order.
        alignment: what they have in common.
        place: where the cursor is to be; a run on its way there has an aim.
        notice: something to tell, once, or "".
    """

    def __init__(self, followers: Sequence[Follower], alignment: Alignment):
        self.followers, self.alignment = list(followers), alignment
        self.place: Place = (0.0, 0.0)
        self.notice = self._sought = ""

    def busy(self, follower: Follower) -> bool:
        """Tell whether a thread works on a run or on one of its kin, which share their past; then nobody else may."""
        return any(other.busy and other.root is follower.root for other in self.followers)

    @property
    def end(self) -> Place | None:
        """Get the last place at which a run moves; None while it is not known."""
        if any(self.busy(follower) or not follower.run.stopped for follower in self.followers):
            return None
        keys = [self.alignment.key(follower.run, follower.run.last) for follower in self.followers]
        return None if None in keys else max(key for key in keys if key is not None)

    @property
    def at_end(self) -> bool:
        end = self.end
        return end is not None and self.place >= end

    def holds(self, follower: Follower) -> bool:
        """Tell whether a run has ended before the place and holds its last state."""
        if self.busy(follower) or not follower.run.stopped or follower.player.t < follower.run.last:
            return False
        key = self.alignment.key(follower.run, follower.run.last)
        return key is not None and key[0] < self.place[0]

    # Looking for a place; None while it is not known

    def _key(self, follower: Follower) -> Place | None:
        return None if self.busy(follower) else self.alignment.key(follower.run, follower.player.t)

    def _positions(self) -> list[tuple[Timeline, int]] | None:
        """Find where every run stands at the place."""
        positions = [(follower.run, self.alignment.position(follower.run, self.place)) for follower in self.followers]
        known = [(run, t) for run, t in positions if t is not None]
        return known if len(known) == len(positions) else None

    def _after(self) -> Place | None:
        """Find the next place at which a run moves; the same one at the end of all."""
        places = []
        for run, t in self._positions() or ():
            if run.stopped and t >= run.last:
                continue
            key = self.alignment.key(run, t + 1)
            if key is None:
                return None
            places.append(key)
        if places:
            return min(places)
        return self.place if self._positions() else None

    def _before(self) -> Place | None:
        """Find the last place before at which a run moved; what is beyond the last move counts as that."""
        positions = self._positions()
        if positions is None:
            return None
        keys = [[self.alignment.key(run, t) for t in (at, at - 1) if t >= 0] for run, at in positions]
        known = sorted({key for pair in keys for key in pair if key is not None})
        here = max(key for pair in keys if (key := pair[0]) is not None)
        earlier = [key for key in known if key < min(here, self.place)]
        return max(earlier, default=(0.0, 0.0))

    def _iteration_end(self) -> Place | None:
        """Find the end of this iteration; that of the next where this one is at its end."""
        after = self._after()
        if after is None:
            return None
        return max(after[0], self.place[0]), math.inf

    def _iteration_end_before(self) -> Place:
        return (self.place[0] - 1, math.inf) if self.place[0] >= 1 else (0.0, 0.0)

    def _first(self, find: Callable[[Timeline, int], int | None], stays: bool = False) -> Place | None:
        """Find the first place after this one at which a run comes to what `find` finds; where none does the end, or
        this one if it `stays`."""
        positions = self._positions()
        if positions is None:
            return None
        places: list[Place] = []
        waiting: list[Timeline] = []
        for run, t in positions:
            if t > run.last:
                waiting.append(run)
                continue
            at = find(run, t)
            key = None if at is None else self.alignment.key(run, at)
            if key is not None:
                places.append(key)
            elif at is not None or not run.stopped:
                waiting.append(run)
        if not places and not waiting:
            self.notice = f"all runs end before {self._sought}"
            return self.place if stays else self.end
        best = min(places, default=(math.inf, 0.0))
        for run in waiting:
            newest = self.alignment.key(run, run.last)
            if newest is None or newest < best:
                return None
        return best

    def _last(self, find: Callable[[Timeline, int], int | None]) -> Place | None:
        """Find the last place before this one at which a run came to what `find` finds."""
        places: list[Place] = []
        for run, t in self._positions() or ():
            t = min(t, run.last)
            key = self.alignment.key(run, t)
            at = find(run, t if key is None or key >= self.place else t + 1)
            place = None if at is None else self.alignment.key(run, at)
            if place is not None:
                places.append(place)
        return max(places, default=None)

    def _event_before(self) -> Place:
        place = self._last(Timeline.previous_event)
        if place is None:
            self.notice = "no marked event comes before this"
        return place or self.place

    def _newest(self) -> Place | None:
        keys = [self.alignment.key(follower.run, follower.run.last) for follower in self.followers]
        return max((key for key in keys if key is not None), default=None)
