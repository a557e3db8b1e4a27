"""ComparePlayer: several runs watched at once, with one cursor for all. It knows no screen.

The cursor is a place on what the runs are aligned by (step, iteration, time spent). Every run goes to its own
position there; one that has ended holds its last state. A run whose steps take long is worked on apart
(`work_on`, in a thread), and the others do not wait for it.
"""

import math
from collections.abc import Callable, Sequence
from threading import Lock

from algorithms.playback.comparison.alignment import Alignment, BySteps, Place, beyond
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.first_difference import FirstDifference
from algorithms.playback.comparison.follower import Follower
from algorithms.playback.comparison.places import Places
from algorithms.playback.comparison.sources import FirstField
from algorithms.playback.comparison.stops import END, StopsAhead, StopsBefore
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.cursor.player import SPEEDS, Goal, Player, position
from algorithms.timeline import Timeline

_STEP = "the next step"
_SHORT = 60  # steps or iterations up to which the axis shows all there is
_SLICE = 0.008  # seconds that states are held against each other at a go


class ComparePlayer(Places):
    """Players moved by one cursor.

    Attributes:
        playing: whether the clock moves the cursor.
        pace: which of SPEEDS.
        first_differences: the step at which each run was found to differ first from the others, None where it does not;
            by the runs for which that was asked.
        first_fields: what differs there, likewise.
    """

    def __init__(self, players: Sequence[Player], alignment: Alignment | None = None, pace: int = 2):
        super().__init__([Follower(player) for player in players], alignment or BySteps())
        self.playing, self.pace = False, pace
        self._due, self._furthest = 0.0, 0.0
        self._lock = Lock()  # for where runs are to go, which a thread may be taking one to
        self._search: Callable[[], Place | None] | None = None
        self._steps = 0  # on, or back when negative, that are looked for
        self._stops = StopsAhead((), ())
        self.first_differences: dict[int, int | None] = {}
        self.first_fields: dict[int, FirstField] = {}

    # Where they are

    @property
    def speed(self) -> float:
        return SPEEDS[self.pace]

    @property
    def seeks(self) -> str:
        """Say what is being looked for before anything can move: "the next event", or ""."""
        return self._sought if self._search else ""

    @property
    def range(self) -> float:
        """Get the coordinate at the axis's right end: all of it when every run is short and has ended, else a round
        number beyond the furthest place that was watched."""
        end, grain = self.end, self.alignment.grain
        if end is not None and end[0] <= max(_SHORT * grain, 2 * self._furthest):
            return max(end[0], grain)
        return beyond(max(self._furthest * 1.05, 10 * grain))

    # What a person can ask for

    def align(self, alignment: Alignment, hand: int = 0) -> None:
        """Align by something else; the current run stays where it is."""
        self.playing, self.alignment, self._furthest = False, alignment, 0.0
        run, t = self.followers[hand].run, self.followers[hand].player.t
        self._find(f"this step by {alignment.name}", lambda: alignment.key(run, t))

    def play(self, on: bool | None = None, breakpoints: Sequence[Breakpoint] = ()) -> None:
        """Play up to the first breakpoint that holds in a run, or pause; playing at the end starts over."""
        self.playing = not self.playing if on is None else on
        self._due = 0.0
        if not self.playing:
            self._search = None
            return
        self._watch(breakpoints)
        if self.at_end:
            self._go((0.0, 0.0))

    def faster(self, by: int) -> None:
        self.pace = min(max(self.pace + by, 0), len(SPEEDS) - 1)

    def step(self, by: int) -> None:
        """Go to the next place at which a run moves, or the one before when negative; pauses."""
        self.playing = False
        place = self._beside(by) if self.alignment.plain else None
        if place is not None:  # though a thread may be at work
            self._search = None
            self._go(place)
        else:
            before = self._steps if self.seeks == _STEP else 0  # keys pressed faster than places are found add up
            self._steps = before + (1 if by > 0 else -1)
            self._find(_STEP, self._stepped)

    def _beside(self, by: int) -> Place | None:
        return self._after() if by > 0 else self._before()

    def _stepped(self) -> Place | None:
        """Find the place that the steps which were asked for lead to, one by one."""
        while self._steps:
            place = self._beside(self._steps)
            if place is None:
                return None
            self._steps -= 1 if self._steps > 0 else -1
            self._go(place)
        return self.place

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
            self._find("the next event", lambda: self._first(Timeline.next_event, stays=True))
        else:
            self._find("the event before", self._event_before)

    def difference(self, current: int) -> None:
        """Go to the first place at which the current run differs from one of the others, and tell where; pauses."""
        self.playing = False
        runs = [follower.run for follower in self.followers]
        search = FirstDifference(runs, LETTERS[: len(runs)], current)
        self._find("the first difference", lambda: self._differ(search, current))

    def stop(self, breakpoints: Sequence[Breakpoint], forward: bool) -> None:
        """Go to the next place at which a breakpoint holds in a run, or the last one before, and tell which; pauses."""
        self.playing = False
        if forward:
            self._watch(breakpoints)
            self._find("a breakpoint", self._stop_ahead)
            return
        runs = [follower.run for follower in self.followers]
        positions = [follower.player.t for follower in self.followers]
        stops = StopsBefore(runs, breakpoints, positions, self.alignment, self.place)

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
        run = self.followers[i].run
        self._find(f"step {t:,}", lambda: self.alignment.key(run, min(t, run.last) if run.stopped else t))

    def pursue(self, i: int, goal: Goal) -> None:
        """Take all of them to where the i-th run comes to a goal, and tell what there is to tell of it; pauses."""
        self.playing = False
        run, search = self.followers[i].run, goal.search

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

    def to_end(self, breakpoints: Sequence[Breakpoint] = ()) -> None:
        """Run all of them on to their ends, or to the first breakpoint that holds in one, and tell which."""
        self.playing = False
        self._watch(breakpoints)
        self._find("the end of all", lambda: self._clear(END))

    def cancel(self) -> bool:
        """Give up what is being pursued and stay where the runs are; whether there was anything."""
        pursued = self.playing or self._search is not None or any(follower.aim for follower in self.followers)
        self.playing, self._search = False, None
        for follower in self.followers:
            follower.aim, follower.player.goal = None, None
        if pursued:
            self.place = max(filter(None, (self._key(follower) for follower in self.followers)), default=self.place)
        return pursued

    # Looking for a place; None while it is not known

    def _find(self, name: str, search: Callable[[], Place | None]) -> None:
        self._search, self._sought = search, name

    def _differ(self, search: FirstDifference, current: int) -> Place | None:
        search.work(_SLICE)
        if not search.done:
            return None
        self.notice = search.words
        self.first_differences[current] = search.step
        if search.field is not None:
            self.first_fields[current] = search.field
        if search.step is None:
            return self.place
        return self.alignment.key(self.followers[current].run, search.step)

    def _watch(self, breakpoints: Sequence[Breakpoint]) -> None:
        self._stops = StopsAhead([follower.run for follower in self.followers], breakpoints)

    def _clear(self, to: Place) -> Place | None:
        """Find how far towards a place the cursor may go; a breakpoint that stops it is told, and ends the playing."""
        place = self._stops.place(self.alignment, self.place, to)
        if place is not None and self._stops.words:
            self.playing, self.notice = False, self._stops.words
        return self.end if place == END else place

    def _stop_ahead(self) -> Place | None:
        """Find where a breakpoint holds next, and tell which; here where none does."""
        place = self._stops.place(self.alignment, self.place, END)
        if place is not None:
            self.notice = self._stops.words or "no breakpoint holds after this in any run"
        return self.place if place == END else place

    def _go(self, place: Place) -> None:
        end = self.end
        with self._lock:
            self.place = min(place, end) if end is not None else place
            self._furthest = max(self._furthest, self.place[0])
            for follower in self.followers:
                if follower.aim is None or not self.playing:  # one that lags shows the steps it was sent to
                    follower.aim = self.place

    # The clock

    def wants_work(self, follower: Follower) -> bool:
        """Tell whether there is something to do for a run that nobody is doing."""
        if self.busy(follower):
            return False
        if follower.aim is not None or self._search is not None or self.alignment.lags(follower.run):
            return True
        return not follower.player.slow and follower.player.wants_work

    def tick(self, elapsed: float, seconds: float = 0.012) -> list[int]:
        """Let `elapsed` seconds pass and work for `seconds`; which runs show another step."""
        if self.playing and self._search is None:
            self._play_on(elapsed, seconds)
        return self.work(seconds)

    def _play_on(self, elapsed: float, seconds: float) -> None:
        if self.at_end:
            self.playing = False
            return
        quick = [follower for follower in self.followers if not self.busy(follower) and not follower.player.slow]
        if any(follower.aim is not None for follower in quick):
            return
        if math.isinf(self.speed):
            for follower in quick:
                self.alignment.learn(follower.run, seconds / len(quick))
            keys = [self.alignment.key(follower.run, follower.run.last) for follower in quick]
            self._play_to(max((key for key in keys if key is not None), default=self.place))
            return
        self._due += min(elapsed, 0.25) * self.speed
        units = float(int(self._due)) if self.alignment.whole else self._due
        if units:
            self._due -= units
            self._play_to(self.alignment.moved(self.place, units))

    def _play_to(self, place: Place) -> None:
        """Go to a place; where breakpoints are on, as soon as it is known that none holds on the way."""
        if self._stops:
            self._find("breakpoints on the way", lambda: self._clear(place))
        else:
            self._go(place)

    def work(self, seconds: float) -> list[int]:
        """Take every run that is quick nearer to the place, for so long in all; which ones show another step."""
        if self._search is not None and not any(follower.busy for follower in self.followers):
            self._look()
        quick = [i for i, follower in enumerate(self.followers) if not self.busy(follower) and not follower.player.slow]
        shown = [i for i in quick if self.work_on(i, seconds / len(quick))]
        if self.playing and self.at_end and not any(follower.aim for follower in self.followers):
            self.playing = False
        return shown

    def work_all(self, seconds: float) -> None:
        """Work for so long on every run, also on those whose steps take long; no thread may be at work."""
        if self._search is not None:
            self._look()
        for i in range(len(self.followers)):
            self.work_on(i, seconds / len(self.followers))

    def _look(self) -> None:
        assert self._search is not None
        place = self._search()
        if place is not None:
            self._search = None
            self._go(place)

    def work_on(self, i: int, seconds: float) -> bool:
        """Take one run nearer to its aim, touching no other; whether another step of it is shown."""
        follower = self.followers[i]
        aim, player = follower.aim, follower.player
        if self._search is not None:
            self.alignment.learn(follower.run, seconds)
            return False
        if aim is None:
            if not self.alignment.lags(follower.run):
                return player.work(seconds)
            self.alignment.learn(follower.run, seconds)
            return False
        t = self.alignment.position(follower.run, aim)
        if t is None:
            self.alignment.learn(follower.run, seconds)
            t = self.alignment.position(follower.run, aim)
            if t is None:
                return False
        player.goal = position(t)
        shown = player.work(seconds)
        with self._lock:
            if player.goal is None and follower.aim == aim:
                follower.aim = None if aim == self.place else self.place
        return shown
