"""Together: several runs watched at once, with one cursor for all. It knows no screen.

The cursor is a place on what the runs are aligned by (step, iteration, time spent). Every run goes to its own
position there; one that has ended holds its last state. A run whose steps take long is worked on apart
(`work_on`, in a thread), and the others do not wait for it.
"""

import math
from collections.abc import Callable, Sequence

from algorithms.playback.alignment import Alignment, BySteps, Place
from algorithms.playback.breakpoints import Breakpoint
from algorithms.playback.compared_run import LETTERS
from algorithms.playback.first_difference import FirstDifference
from algorithms.playback.player import SPEEDS, Goal, Player, position
from algorithms.playback.stops import Stops
from algorithms.timeline import Timeline

_SHORT = 60  # steps or iterations up to which the axis shows all there is
_SLICE = 0.008  # seconds that states are held against each other at a go


class Lane:
    """One of the runs.

    Attributes:
        player: its cursor.
        aim: the place it is on its way to, None when it is where it should be.
        busy: whether a thread works on it.
        root: the run that it was forked from in the end, or itself.
    """

    def __init__(self, player: Player):
        self.player = player
        self.aim: Place | None = None
        self.busy = False
        self.root = player.timeline
        while self.root.parent is not None:
            self.root = self.root.parent

    @property
    def run(self) -> Timeline:
        return self.player.timeline


class ComparePlayer:
    """Players moved by one cursor.

    Attributes:
        lanes: the runs, in order.
        alignment: what they have in common.
        place: where the cursor is to be; a run on its way there has an aim.
        playing: whether the clock moves the cursor.
        pace: which of SPEEDS.
        notice: something to tell, once, or "".
    """

    def __init__(self, players: Sequence[Player], alignment: Alignment | None = None, pace: int = 2):
        self.lanes = [Lane(player) for player in players]
        self.alignment: Alignment = alignment or BySteps()
        self.place: Place = (0.0, 0.0)
        self.playing, self.pace, self.notice = False, pace, ""
        self._due, self._furthest = 0.0, 0.0
        self._search: Callable[[], Place | None] | None = None
        self._sought = ""

    # Where they are

    def busy(self, lane: Lane) -> bool:
        """Tell whether a thread works on a run or on one of its kin, which share their past; then nobody else may."""
        return any(other.busy and other.root is lane.root for other in self.lanes)

    @property
    def speed(self) -> float:
        return SPEEDS[self.pace]

    @property
    def seeks(self) -> str:
        """Say what is being looked for before anything can move: "the next event", or ""."""
        return self._sought if self._search else ""

    @property
    def end(self) -> Place | None:
        """Get the last place at which a run moves; None while it is not known."""
        if any(self.busy(lane) or not lane.run.stopped for lane in self.lanes):
            return None
        keys = [self.alignment.key(lane.run, lane.run.last) for lane in self.lanes]
        return None if None in keys else max(key for key in keys if key is not None)

    @property
    def at_end(self) -> bool:
        end = self.end
        return end is not None and self.place >= end

    @property
    def range(self) -> float:
        """Get the coordinate at the axis's right end: all of it when every run is short and has ended, else a round
        number beyond the furthest place that was watched."""
        end, grain = self.end, self.alignment.grain
        if end is not None and end[0] <= max(_SHORT * grain, 2 * self._furthest):
            return max(end[0], grain)
        return _beyond(max(self._furthest * 1.05, 10 * grain))

    def holds(self, lane: Lane) -> bool:
        """Tell whether a run has ended before the place and holds its last state."""
        if self.busy(lane) or not lane.run.stopped or lane.player.t < lane.run.last:
            return False
        key = self.alignment.key(lane.run, lane.run.last)
        return key is not None and key[0] < self.place[0]

    # What a person can ask for

    def align(self, alignment: Alignment, hand: int = 0) -> None:
        """Align by something else; the current run stays where it is."""
        self.playing, self.alignment, self._furthest = False, alignment, 0.0
        run, t = self.lanes[hand].run, self.lanes[hand].player.t
        self._find(f"this step by {alignment.name}", lambda: alignment.key(run, t))

    def play(self, on: bool | None = None) -> None:
        """Play or pause; playing at the end starts over."""
        self.playing = not self.playing if on is None else on
        self._due = 0.0
        if self.playing and self.at_end:
            self._go((0.0, 0.0))

    def faster(self, by: int) -> None:
        self.pace = min(max(self.pace + by, 0), len(SPEEDS) - 1)

    def step(self, by: int) -> None:
        """Go to the next place at which a run moves, or the one before when negative; pauses."""
        self.playing = False
        find = self._after if by > 0 else self._before
        place = find() if self.alignment.plain else None
        if place is not None:  # though a thread may be at work
            self._search = None
            self._go(place)
        else:
            self._find("the next step", find)

    def iteration(self, forward: bool) -> None:
        """Go to the next place at which an iteration begins in one of them, or the one before; aligned by iteration,
        to the end of it."""
        self.playing = False
        if self.alignment.name == "iteration":
            self._find("the next iteration", self._iteration_end if forward else self._iteration_end_before)
        elif forward:
            self._find("the next iteration", lambda: self._first(Timeline.next_iteration))
        else:
            self._find("the iteration before", lambda: self._last(Timeline.previous_iteration) or (0.0, 0.0))

    def event(self, forward: bool) -> None:
        """Go to the next place at which something that matters happens in one of them, or the last one before."""
        self.playing = False
        if forward:
            self._find("the next event", lambda: self._first(Timeline.next_event))
        else:
            self._find("the event before", self._event_before)

    def difference(self, current: int) -> None:
        """Go to the first place at which the current run differs from one of the others, and tell where; pauses."""
        self.playing = False
        runs = [lane.run for lane in self.lanes]
        search = FirstDifference(runs, LETTERS[: len(runs)], current)
        self._find("the first difference", lambda: self._differ(search, runs[current]))

    def stop(self, breakpoints: Sequence[Breakpoint], forward: bool) -> None:
        """Go to the next place at which a breakpoint holds in a run, or the last one before, and tell which; pauses."""
        self.playing = False
        runs, positions = [lane.run for lane in self.lanes], [lane.player.t for lane in self.lanes]
        stops = Stops(runs, breakpoints, positions, self.alignment, self.place, forward)

        def place() -> Place | None:
            at = stops.place()
            self.notice = stops.words
            return at

        self._find("a breakpoint", place)

    def seek(self, along: float) -> None:
        """Go to a coordinate of the axis; pauses."""
        self.playing = False
        self._go(self.alignment.at(along) if along > 0 else (0.0, 0.0))

    def resume(self, place: Place) -> None:
        """Go to a place where runs stood before; pauses."""
        self.playing = False
        self._go(place)

    def meet(self, i: int, t: int) -> None:
        """Go to where the i-th run comes to step t, or to its end before that; pauses."""
        self.playing = False
        run = self.lanes[i].run
        self._find(f"step {t:,}", lambda: self.alignment.key(run, min(t, run.last) if run.stopped else t))

    def pursue(self, i: int, goal: Goal) -> None:
        """Take all of them to where the i-th run comes to a goal, and tell what there is to tell of it; pauses."""
        self.playing = False
        run, search = self.lanes[i].run, goal.search

        def place() -> Place | None:
            if search is not None and not search.done:
                search.work(_SLICE)
                return None
            t = goal.find(run)
            self.notice = "" if goal.words is None else f"{LETTERS[i]}: {goal.words(t)}"
            return self.place if t is None else self.alignment.key(run, t)

        self._find(goal.name, place)

    def newest(self) -> None:
        """Go to the newest step of the run that has come furthest."""
        self.playing = False
        self._find("the newest step", self._newest)

    def to_end(self) -> None:
        """Run all of them on to their ends."""
        self.playing = False
        self._find("the end of all", lambda: self.end)

    def cancel(self) -> bool:
        """Give up what is being pursued and stay where the runs are; whether there was anything."""
        pursued = self.playing or self._search is not None or any(lane.aim for lane in self.lanes)
        self.playing, self._search = False, None
        for lane in self.lanes:
            lane.aim, lane.player.goal = None, None
        if pursued:
            self.place = max(filter(None, (self._key(lane) for lane in self.lanes)), default=self.place)
        return pursued

    # Looking for a place; None while it is not known

    def _find(self, name: str, search: Callable[[], Place | None]) -> None:
        self._search, self._sought = search, name

    def _key(self, lane: Lane) -> Place | None:
        return None if self.busy(lane) else self.alignment.key(lane.run, lane.player.t)

    def _positions(self) -> list[tuple[Timeline, int]] | None:
        """Find where every run stands at the place."""
        positions = [(lane.run, self.alignment.position(lane.run, self.place)) for lane in self.lanes]
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

    def _first(self, find: Callable[[Timeline, int], int | None]) -> Place | None:
        """Find the first place after this one at which a run comes to what `find` finds; the end where none does."""
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
            return self.end
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
            self.notice = "nothing that matters happened before this"
        return place or self.place

    def _differ(self, search: FirstDifference, run: Timeline) -> Place | None:
        search.work(_SLICE)
        if not search.done:
            return None
        self.notice = search.words
        return self.place if search.step is None else self.alignment.key(run, search.step)

    def _newest(self) -> Place | None:
        keys = [self.alignment.key(lane.run, lane.run.last) for lane in self.lanes]
        return max((key for key in keys if key is not None), default=None)

    def _go(self, place: Place) -> None:
        end = self.end
        self.place = min(place, end) if end is not None else place
        self._furthest = max(self._furthest, self.place[0])
        for lane in self.lanes:
            if lane.aim is None or not self.playing:  # one that lags shows the steps it was sent to
                lane.aim = self.place

    # The clock

    def wants_work(self, lane: Lane) -> bool:
        """Tell whether there is something to do for a run that nobody is doing."""
        if self.busy(lane):
            return False
        if lane.aim is not None or self._search is not None or self.alignment.lags(lane.run):
            return True
        return not lane.player.slow and lane.player.wants_work

    def tick(self, elapsed: float, seconds: float = 0.012) -> list[int]:
        """Let `elapsed` seconds pass and work for `seconds`; which runs show another step."""
        if self.playing and self._search is None:
            self._play_on(elapsed, seconds)
        return self.work(seconds)

    def _play_on(self, elapsed: float, seconds: float) -> None:
        if self.at_end:
            self.playing = False
            return
        quick = [lane for lane in self.lanes if not self.busy(lane) and not lane.player.slow]
        if any(lane.aim is not None for lane in quick):
            return
        if math.isinf(self.speed):
            for lane in quick:
                self.alignment.learn(lane.run, seconds / len(quick))
            keys = [self.alignment.key(lane.run, lane.run.last) for lane in quick]
            self._go(max((key for key in keys if key is not None), default=self.place))
            return
        self._due += min(elapsed, 0.25) * self.speed
        units = float(int(self._due)) if self.alignment.whole else self._due
        if units:
            self._due -= units
            self._go(self.alignment.moved(self.place, units))

    def work(self, seconds: float) -> list[int]:
        """Take every run that is quick nearer to the place, for so long in all; which ones show another step."""
        if self._search is not None and not any(lane.busy for lane in self.lanes):
            self._look()
        quick = [i for i, lane in enumerate(self.lanes) if not self.busy(lane) and not lane.player.slow]
        shown = [i for i in quick if self.work_on(i, seconds / len(quick))]
        if self.playing and self.at_end and not any(lane.aim for lane in self.lanes):
            self.playing = False
        return shown

    def work_all(self, seconds: float) -> None:
        """Work for so long on every run, also on those whose steps take long; no thread may be at work."""
        if self._search is not None:
            self._look()
        for i in range(len(self.lanes)):
            self.work_on(i, seconds / len(self.lanes))

    def _look(self) -> None:
        assert self._search is not None
        place = self._search()
        if place is not None:
            self._search = None
            self._go(place)

    def work_on(self, i: int, seconds: float) -> bool:
        """Take one run nearer to its aim, touching no other; whether another step of it is shown."""
        lane = self.lanes[i]
        aim, player = lane.aim, lane.player
        if self._search is not None:
            self.alignment.learn(lane.run, seconds)
            return False
        if aim is None:
            if not self.alignment.lags(lane.run):
                return player.work(seconds)
            self.alignment.learn(lane.run, seconds)
            return False
        t = self.alignment.position(lane.run, aim)
        if t is None:
            self.alignment.learn(lane.run, seconds)
            t = self.alignment.position(lane.run, aim)
            if t is None:
                return False
        player.goal = position(t)
        shown = player.work(seconds)
        if player.goal is None and lane.aim == aim:
            lane.aim = None if aim == self.place else self.place
        return shown


def _beyond(least: float) -> float:
    """Choose the next of 1, 2, 5, 10, 20 ... that is greater, at any power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power > least)
