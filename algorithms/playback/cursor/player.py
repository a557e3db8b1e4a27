"""Player: the clock and the cursor of a run. It owns the Timeline and knows no screen.

Whatever moves the cursor sets a goal; `work` pursues it for a few milliseconds at a time, running on
or replaying as needed, so that a screen never waits for a run. It may be at work in a thread while a person asks for
something else: a goal and the cursor change together, under a lock that nobody holds for long.
"""

import math
from collections.abc import Callable
from threading import RLock
from time import perf_counter, thread_time
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Refused
from algorithms.playback.cursor.watch import Watch
from algorithms.timeline import Frame, Timeline

SPEEDS = (1, 2, 4, 10, 25, 60, 150, 400, 1_000, 4_000, math.inf)  # steps a second; the last is all it can
SLOW = 0.05  # seconds a step from which on a run is to be advanced in a thread
_SHORT = 60  # steps of a run that is shown whole from its start
_FIRST = 10  # steps that have room at first where no more of a run is to be seen than one has been to
AHEAD_STEPS, AHEAD_SECONDS = 2_000, 2.0  # how far a short run is computed before anyone asks
LOOK_SECONDS = 60.0  # how long a recording is looked through before anyone asks; its length is known from the start
_AT_ONCE = 0.05  # seconds in which note is taken of a recording's steps before it is shown


class StepSearch(Protocol):
    """Searches for a step, a slice of time at a go: for a condition, or where two runs differ."""

    done: bool

    @property
    def progress(self) -> float | None:
        """From 0 to 1; None where the end is not known."""

    def work(self, seconds: float) -> Any:
        """Search for so long at most."""


class Goal(Struct, frozen=True):
    """Where the cursor is to go.

    Attributes:
        name: for the screen, while it takes time: "step 50,000", "the next mistake".
        find: the position, or None while the run has not come so far.
        position: the position when it is known beforehand, for progress.
        missed: whether to tell when the run ends before it; what has no position is always missed.
        search: what finds it, to be worked until it is done; the cursor stays when it finds nothing.
        words: what to tell then, given the step, or None when nothing was found.
        watched: whether the cursor stops at a breakpoint on its way.
        follows: whether the newest step of a slow run, or of a reader's own generator, is shown on the way.
        behind_form: whether it is pursued while a form is in front: then that of any run is.
        stays: whether the cursor stays where it was when the run ends before it; else it goes to the end.
    """

    name: str
    find: Callable[[Timeline], int | None]
    position: int | None = None
    missed: bool = False
    search: StepSearch | None = None
    words: Callable[[int | None], str] | None = None
    watched: bool = False
    follows: bool = False
    behind_form: bool = False
    stays: bool = False


def beyond(t: int) -> int:
    """Choose the next of 20, 50, 100, 150, 200, 250, 300, 400, 500 ... after t, so that little of it is empty."""
    if t < 10 * 10:
        return next(least for least in (20, 50, 100, 150) if least > t * 1.05)
    power = int(10 ** (len(str(t)) - 2))
    return next(factor * power for factor in (10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150) if factor * power > t)


def position(t: int, missed: bool = False, watched: bool = False) -> Goal:
    """Make the step at t the goal."""
    return Goal(f"step {t:,}", lambda run: t if t < len(run) else None, t, missed, watched=watched)


def _why_nothing(run: Timeline) -> str:
    title, stopped = run.algorithm.title, run.stopped
    if stopped is None:
        return f"{title} has not yielded its first state in time."
    where = f" in line {stopped.line}" if stopped.line else ""
    return (
        f"{title} fails{where} before its first state: {stopped.reason}."
        if stopped.failed
        else f"{title} yields nothing: {stopped.reason.rstrip('.')}."
    )


class Player:
    """A run being watched.

    Args:
        at: the step that is shown first, which the run has come to.

    Raises:
        Refused: when there is no first state to show.

    Attributes:
        timeline: the run.
        frame: the step that is shown.
        playing: whether the clock moves the cursor.
        goal: what is being pursued, None when nothing is.
        notice: something to tell, once, or "".
        pace: which of SPEEDS.
        watch: the breakpoints that are on, None when none is.
        looks_ahead: whether a short run is computed before anyone asks; where it is shown only as far as one has
            been, it is not.
    """

    def __init__(self, timeline: Timeline, pace: int = 2, at: int = 0):
        self.timeline = timeline
        self.playing = False
        self.goal: Goal | None = None
        self.notice = ""
        self.watch: Watch | None = None
        self.looks_ahead = True
        self.pace, self._due, self._ahead = pace, 0.0, 0.0
        self._from, self._furthest = 0, at
        self._lock = RLock()
        if not len(timeline):
            timeline.advance(1)
        if not len(timeline):
            raise Refused(_why_nothing(timeline))
        timeline.leap(_AT_ONCE)
        self.frame: Frame = timeline.at(at)

    @property
    def t(self) -> int:
        return self.frame.t

    @property
    def speed(self) -> float:
        """Steps a second, infinite for as fast as it goes."""
        return SPEEDS[self.pace]

    @property
    def slow(self) -> bool:
        """Tell whether single steps take so long, or may, that they belong in a thread."""
        run = self.timeline
        return run.algorithm.apart or (run.seconds_a_step > SLOW and not run.stopped)

    @property
    def _shows_progress(self) -> bool:
        """Tell whether it takes long enough to the end, or may, that the steps on the way are worth being shown."""
        return self.slow or not self.timeline.resumes

    @property
    def furthest(self) -> int:
        """Get the furthest step that was shown."""
        return self._furthest

    @property
    def seen(self) -> int | None:
        """Get the step up to which the run is to be seen; None where all of it is, as when one has been at its end."""
        return None if self.looks_ahead or self.timeline.stopped is not None else self.timeline.last

    @property
    def range(self) -> int:
        """Get the step at the right end of the timeline and the charts: all of a short run that has ended, else a
        round number beyond the furthest step that was watched."""
        last = self.timeline.last
        if self.timeline.whole and last <= max(_SHORT, 2 * self._furthest):
            return max(last, 1)
        return _FIRST if self.seen is not None and self._furthest < _FIRST else beyond(self._furthest)

    @property
    def open_range(self) -> int | None:
        """Get the step at the right end of the charts while the run is not to be seen whole; None else."""
        return None if self.seen is None else self.range

    @property
    def at_end(self) -> bool:
        return self.timeline.whole and self.t == self.timeline.last

    @property
    def progress(self) -> float | None:
        """Measure how far the goal has been pursued, from 0 to 1; None where that is not known."""
        if self.goal is not None and self.goal.search is not None:
            return self.goal.search.progress
        if self.goal is None or self.goal.position is None or self.goal.position <= self._from:
            return None
        done = (self.timeline.last - self._from) / (self.goal.position - self._from)
        return min(max(done, 0.0), 1.0)

    # What a person can ask for

    def play(self, on: bool | None = None) -> None:
        """Play or pause; playing at the end starts over."""
        with self._lock:
            self.playing = not self.playing if on is None else on
            self._due = 0.0
            if self.playing and self.at_end:
                self.seek(0)

    def follow(self) -> None:
        """Stay at the newest step of a run that is made elsewhere, as it comes."""
        self.pace = len(SPEEDS) - 1
        self.play(True)

    @property
    def following(self) -> bool:
        """Tell whether the cursor stays at the newest step of a recording that is not known to have ended."""
        run = self.timeline
        newest = self.playing and math.isinf(self.speed)
        return newest and run.stopped is None and run.algorithm.recorded

    def faster(self, by: int) -> None:
        """Play so many speeds faster, or down when negative."""
        self.pace = min(max(self.pace + by, 0), len(SPEEDS) - 1)

    def seek(self, t: int) -> None:
        """Go to a step; beyond the end of the run, to its end."""
        self._pursue(position(max(t, 0)))

    def meet(self, t: int) -> None:
        """Go to the step that another run is at; tells when this one ends before it."""
        self._pursue(position(t, missed=True))

    @property
    def arrives(self) -> bool:
        """Tell whether it is on its way to one step, and none that is on the way there is meant."""
        goal = self.goal
        return goal is not None and not (goal.follows or goal.watched)

    @property
    def meets_at(self) -> int:
        """Get the step at which the next run is to meet it: that shown, or that it has still to come to itself."""
        goal = self.goal
        return self.t if goal is None or not goal.missed or goal.position is None else goal.position

    def approach(self, t: int, furthest: int = 0) -> None:
        """Go to a step while a form is in front, with the newest one shown on the way.

        Args:
            furthest: the step up to which charts are to go, as if it had been shown.
        """
        self._furthest = max(self._furthest, furthest)
        self._pursue(replace(position(t), behind_form=True))

    def step(self, by: int) -> None:
        """Go so many steps on, or back when negative; pauses."""
        with self._lock:
            self.playing = False
            at = self.t
            if self.goal is not None and self.goal.position is not None and abs(self.goal.position - at) < _SHORT:
                at = self.goal.position  # keys pressed faster than steps come add up
            self.seek(at + by * self._apart)

    @property
    def _apart(self) -> int:
        """Measure how far apart the steps are that can be shown around the cursor: 1, unless those between are gone."""
        run = self.timeline
        return 1 if run.resumes or self.t >= run.last else run.stride

    def iteration(self, forward: bool) -> None:
        """Go to where the next iteration begins, or the one before."""
        self.playing = False
        t = self.t
        if forward:
            self._pursue(Goal("the next iteration", lambda run: run.next_iteration(t)))
        else:
            self.seek(self.timeline.previous_iteration(t) or 0)

    def event(self, forward: bool) -> None:
        """Go to the next step at which something that matters happens, or the last one before."""
        self.playing = False
        t = self.t
        if forward:
            self._pursue(Goal("the next event", lambda run: run.next_event(t), stays=True))
            return
        before = self.timeline.previous_event(t)
        if before is None:
            self.notice = "no marked event comes before this step"
        else:
            self.seek(before)

    def to_newest(self) -> None:
        """Go to the newest step; of a run that may be computed before anyone asks, to where that ends."""
        self.playing = False
        self._pursue(Goal("the newest step", self._newest, follows=True))

    def _newest(self, run: Timeline) -> int | None:
        return run.last if run.whole or not self._is_short_of_ahead else None

    def to_end(self) -> None:
        """Run on to the end."""
        self.playing = False
        end = Goal("the end of the run", lambda run: run.last if run.whole else None, watched=True, follows=True)
        self._pursue(end)

    def pursue(self, goal: Goal) -> None:
        """Go to where a goal of its own leads; pauses."""
        self.playing = False
        self._pursue(goal)

    def cancel(self) -> bool:
        """Give the goal up and stay where the cursor is; whether there was one."""
        with self._lock:
            pursued, self.goal = self.goal is not None or self.playing, None
            self.playing = False
            return pursued

    def _pursue(self, goal: Goal) -> None:
        with self._lock:
            self.goal, self._from = goal, self.timeline.last

    # What is to be seen

    def show_whole(self) -> None:
        """Have all of the run seen, and computed before anyone asks."""
        self.looks_ahead = True
        self.timeline.unveil()

    def hide_what_comes(self, least: int = 0) -> None:
        """Have what comes after the step in hand, or a later one, not be seen until one goes there."""
        self._furthest = max(self.t, least)
        self.show_as_seen()

    def show_as_seen(self) -> bool:
        """Have the run seen as far as one has been, and nothing of it computed before one goes there.

        Returns:
            Whether there was more of it, which may be on the screen.
        """
        self.looks_ahead, was = False, len(self.timeline)
        self.timeline.veil(max(self._furthest, self.t))
        return len(self.timeline) < was

    def stay_behind(self) -> None:
        """Compute nothing ahead of the cursor: the run is as long as it was asked to be."""
        self._ahead = math.inf

    # The clock

    @property
    def wants_work(self) -> bool:
        return self.goal is not None or self.playing or self._may_look_ahead

    @property
    def _may_look_ahead(self) -> bool:
        return self.looks_ahead and self._is_short_of_ahead

    @property
    def _is_short_of_ahead(self) -> bool:
        """Tell whether the run has not come as far as it is computed, or looked through, before anyone asks."""
        run = self.timeline
        if run.algorithm.recorded:
            return not run.stopped and self._ahead < LOOK_SECONDS
        return not run.stopped and len(run) < AHEAD_STEPS and self._ahead < AHEAD_SECONDS

    def tick(self, elapsed: float, seconds: float = 0.012) -> bool:
        """Let `elapsed` seconds pass and work for `seconds` at most; whether another step is shown."""
        with self._lock:
            if self.playing and self.goal is None:
                self._play_on(elapsed)
        return self.work(seconds)

    def _play_on(self, elapsed: float) -> None:
        run = self.timeline
        if self.at_end:
            self.playing = False
            return
        if math.isinf(self.speed):
            behind = run.last > self.t
            self._pursue(position(run.last if behind and run.stopped else run.last + 1_000_000, watched=True))
            return
        self._due += min(elapsed, 0.25) * self.speed
        whole = int(self._due)
        if whole:
            self._due -= whole
            self._pursue(position(self.t + whole * self._apart, watched=True))

    def work(self, seconds: float) -> bool:
        """Pursue the goal for so long at most; whether another step is shown."""
        if self.goal is None:
            if self._may_look_ahead:
                self._advance(max(AHEAD_STEPS - len(self.timeline), 1), seconds)
            elif not self.playing:
                self.timeline.prefetch(self.t - self.timeline.stride, seconds)
            return False
        goal, run = self.goal, self.timeline
        if goal.search is not None:
            return self._search(goal, goal.search, seconds)
        if goal.watched and self.watch is not None:
            return self._go_watched(goal, self.watch, seconds)
        t = goal.find(run)
        if t is None and not self._ends_before(goal):
            steps = math.inf if goal.position is None else goal.position - run.last
            self._advance(max(steps, 1), seconds)
            t = goal.find(run)
        if t is None and self._ends_before(goal):
            if goal.stays:
                self.notice = f"no marked event comes after step {self.t:,}; the run ends at step {run.last:,}"
            elif goal.position is None:
                self.notice = f"the run ends before {goal.name}"
            elif goal.missed:
                self.notice = f"{goal.name} is not there: this run ends at step {run.last:,}"
            t = self.t if goal.stays else run.last
        if t is None:
            follows = self.playing or goal.behind_form or (goal.follows and self._shows_progress)
            return self._follow(run, goal) if follows else False
        frame = run.fetch(min(t, run.last), seconds)
        if frame is None:
            return False
        return self._arrive(goal, frame)

    def _ends_before(self, goal: Goal) -> bool:
        """Tell whether no more steps come on the way to a goal: the run has ended, or is known to before that step."""
        return self.timeline.stopped is not None or (self.timeline.whole and goal.position is not None)

    def _advance(self, steps: float, seconds: float) -> None:
        """Let the run go on; a step may take longer than there is time for."""
        run, clock = self.timeline, perf_counter if self.timeline.algorithm.apart else thread_time
        began = clock()  # of its own: how far it looks ahead is not for what runs beside it to say
        done = len(run)
        if run.leap(seconds):
            done = run.advance(math.inf if run.looked < len(run) else steps, seconds, later=steps <= _SHORT)
        self._ahead += clock() - began if done else seconds

    def _search(self, goal: Goal, search: StepSearch, seconds: float) -> bool:
        """Work at what finds the goal, and go there."""
        try:
            if not search.done:
                search.work(seconds)
        except Refused as refusal:
            self.notice = str(refusal)
            self._end(goal)
            return False
        if not search.done or self.goal is not goal:  # a key was pressed meanwhile
            return False
        t = goal.find(self.timeline)
        frame = self.timeline.fetch(t, seconds) if t is not None else None
        if t is not None and frame is None:
            return False
        self.notice = goal.words(t) if goal.words is not None else ""
        if frame is None:
            self._end(goal)
            return not self.looks_ahead and self.show_as_seen()  # one stays where one was
        return self._arrive(goal, frame)

    def _go_watched(self, goal: Goal, watch: Watch, seconds: float) -> bool:
        """Go on towards the goal, up to the first breakpoint."""
        run, to = self.timeline, math.inf if goal.position is None else goal.position
        t = watch.clear(self.t, to, seconds)
        playing = self.playing and math.isinf(self.speed)
        if t is None and not playing and not (goal.follows and self._shows_progress):
            return False
        frame = run.fetch(watch.frontier if t is None else t, seconds)
        if frame is None or self.goal is not goal:
            return False
        hit = watch.why(frame.t) if t is not None and frame.t > self.t else ""
        if watch.trouble:
            self.notice, self.playing = watch.trouble, False
        elif hit:
            self.notice, self.playing = f"stopped where {hit}", False
            watch.hits.add(frame.t)
        return self._arrive(goal, frame) if t is not None or playing else self._show(frame)

    def _follow(self, run: Timeline, goal: Goal) -> bool:
        """Keep the cursor at the newest step, as fast as it goes."""
        frame = run.fetch(run.last)
        if self.playing and math.isinf(self.speed):
            self._end(goal)
        return frame is not None and self._show(frame)

    def _end(self, goal: Goal) -> None:
        """Pursue it no longer; what a key has asked for meanwhile stays."""
        with self._lock:
            if self.goal is goal:
                self.goal = None

    def _arrive(self, goal: Goal, frame: Frame) -> bool:
        """Show where a goal has led, and end it; whether that is another step."""
        with self._lock:  # the next key counts from this step on, or from the goal
            self._end(goal)
            changed = self._show(frame)
            beyond = not self.looks_ahead and self.show_as_seen()  # computed on the way, and not asked for
            return changed or beyond

    def _show(self, frame: Frame) -> bool:
        changed = frame.t != self.frame.t or frame.state is not self.frame.state
        self.frame = frame
        self._furthest = max(self._furthest, frame.t)
        if self.playing and self.at_end:
            self.playing = False
        return changed
