"""Live run: one run as it goes on, from its start or from where it was forked, and any of its own steps again."""

import math
import traceback
from collections.abc import Iterator
from time import perf_counter, thread_time
from types import SimpleNamespace
from typing import Any, Generic

from msgspec import Struct

from algorithms.core.algorithm import Algorithm, Run, S
from algorithms.core.arrays import Array
from algorithms.core.errors import NotYet, Raised
from algorithms.core.painter import draughtsman, painter
from algorithms.core.problem import Problem
from algorithms.core.state import State, same
from algorithms.timeline.checkpoints import CheckpointStore
from algorithms.timeline.hooks import Hooks
from algorithms.timeline.replay_segments import NotComplete, ReplaySegments, following
from algorithms.timeline.series import KINDS, Series
from algorithms.timeline.step_log import Kind, StepLog


class Frame(Struct, Generic[S], frozen=True):
    """One step of a run, as it is shown.

    Attributes:
        t: its position, from 0.
        state: what was yielded there, of the algorithm's own type.
        before: the state before; None at the start of a run, and of a fork that changed something.
        line: the line of the file that yielded it.
        run: the run that was asked for it; None for one that was pickled.

    >>> from algorithms import Timeline
    >>> run = Timeline("lloyd", "faithful", {"k": 3}).run()
    >>> run[3].state.phase, run[3].before.phase
    ('assign', 'update')
    """

    t: int
    state: S
    before: S | None
    line: int
    run: Any = None

    def __repr__(self) -> str:
        named = self.run.title_words if self.run is not None else type(self.state).__name__
        return f"<Frame {self.t:,} of {named}: {self.state.phase}, iteration {self.state.iteration:,}>"

    def __reduce__(self) -> Any:
        return Frame, (self.t, self.state, self.before, self.line)

    def _repr_svg_(self) -> str | None:
        """Draw the screen at this step, for a notebook."""
        return painter().svg_of(self)  # type: ignore[no-any-return]

    def figure(self) -> Any:
        """Draw what there is to see of this step for a paper: a Figure of matplotlib, a panel each.

        Raises:
            Refused: where matplotlib is not installed; for a frame that was pickled.
        """
        return draughtsman().panels_of(self)


class Stopped(Struct, frozen=True):
    """Why there is no next step: what the generator returned, or the error that it raised.

    Attributes:
        reason: for a person.
        line: where in the algorithm's file it was raised, 0 if it was not.
        details: the traceback, "" if there is none.
        untrue: why what it returned is not so of the last state, "" where it is or where nothing tests it.
    """

    reason: str
    line: int = 0
    details: str = ""
    untrue: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.details)

    @property
    def wrong(self) -> bool:
        """Tell whether it ended as no run should: a step raised, or its reason is not so."""
        return self.failed or bool(self.untrue)


_SHORT = 0.05  # seconds, as between two pictures
_NOT_PICKLED = ("problem", "hooks", "_segments", "_run", "_place", "_shown")


class LiveRun:
    """The steps of a run from position `begin` on.

    Args:
        first: the frame it begins with, None for the start of the run.
        changed: whether theorems that speak of a whole run are to be silent.
        past: what it was forked from: its log and series go on from there.

    Attributes:
        log: the kind of every step, those before `begin` included.
        series: what was measured, likewise.
        stopped: why there is no next step, or None while there may be one.
        resumes: whether a step that is not kept can be replayed.
        seconds_a_step: how long a step took of late.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        problem: Problem,
        budget: int,
        *,
        first: Frame | None = None,
        changed: bool = False,
        past: "LiveRun | None" = None,
    ):
        self.algorithm, self.changed = algorithm, changed
        self.problem = problem.as_forked() if changed else problem
        self.begin = first.t if first else 0
        self.hooks = Hooks(algorithm, self.problem, changed)
        self.log: StepLog = StepLog(past.log if past else None, self.begin)
        self.series: Series = Series(self.hooks, past.series if past else None, self.begin)
        self.checkpoints = CheckpointStore(self.begin, budget // 2)
        self.stopped: Stopped | None = None
        self.resumes = algorithm.resumes
        self.seconds_a_step: float = past.seconds_a_step if past else 1.0
        self._later = False
        self._budget = budget
        self._segments = self._segments_of(problem)
        self._before_first = first.before if first else None
        self._head: State | None = None
        self._before_head: State | None = None
        self._shown: Frame | None = None
        self._run: Run[Any] = algorithm.start(problem, first.state if first else None)
        self._place: Any = _place_of(self._run)
        self._codes: dict[tuple[str, int, tuple[bool, ...] | None], int] = {}
        if first and past:
            self._begin_with(first, past)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was recorded and measured, but for what runs: the generator, and all that is asked for hooks."""
        own = {name: value for name, value in vars(self).items() if name not in _NOT_PICKLED}
        parameters = {p.name: getattr(self.problem.parameters, p.name) for p in self.algorithm.parameters}
        return own | {"past": (self.problem.data, parameters, self.hooks.troubles, self.first_nan)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take a pickled run up: where it has not ended, it goes on from its newest state."""
        data, parameters, troubles, first_nan = state.pop("past")
        vars(self).update(state)
        problem = self.algorithm.problem(data, None, parameters)
        self.problem = problem.as_forked() if self.changed else problem
        self.hooks = Hooks(self.algorithm, self.problem, self.changed)
        self.hooks.troubles.update(troubles)
        self.series.ask(self.hooks)
        self._shown = None
        self._segments = self._segments_of(problem)
        self._run = _Over(first_nan)  # type: ignore[assignment]
        if self.stopped is None and (self._head is None or self.algorithm.resumes):
            self._run = self.algorithm.start(problem, self._head)
        elif self.stopped is None:
            self.stopped = Stopped("it came out of a pickle, and its generator cannot be taken up again from a state")
        self._place = _place_of(self._run)

    def _segments_of(self, problem: Problem) -> ReplaySegments:
        algorithm = self.algorithm  # and not this run: in a circle it would outlive its last user, its process too
        return ReplaySegments(lambda state: algorithm.replay(problem, state), self.checkpoints, self._budget // 3)

    @property
    def last(self) -> int:
        """Get the position of the newest step, -1 when there is none."""
        return len(self.log) - 1

    @property
    def whole(self) -> bool:
        """Tell whether the last step is known: it has ended, or is read from a file that has."""
        return self.stopped is not None

    @property
    def looked(self) -> int:
        """Count the steps that were measured as the run went on; fewer than there are where it was read ahead."""
        return len(self.log)

    @property
    def known(self) -> int:
        """Count the steps of which it is known whether an event happened in them."""
        return len(self.log)

    @property
    def first_nan(self) -> int | None:
        """Get the first step whose state holds a nan, where the run looks for it, as that of a reader's file does."""
        return getattr(self._run, "first_nan", None)

    # Going on

    def advance(self, steps: float, seconds: float, later: bool = False) -> int:
        """Record so many steps at most, or for so long; returns how many there were.

        Args:
            later: whether their theorems wait until `settle`, where they take long.
        """
        if self.stopped:
            return 0
        self._later = later
        began, first = perf_counter(), len(self.log)
        try:
            self._go_on_for(first + steps, seconds)
        except StopIteration as end:
            self._stop(self._ended(str(end.value or "the run has ended")))
        except NotYet:
            pass
        except (Exception, SystemExit) as error:
            self._stop(_failure(error, self.algorithm))
        done = len(self.log) - first
        if done:
            self.seconds_a_step = (perf_counter() - began) / done
        return done

    def _go_on_for(self, end: float, seconds: float) -> None:
        """Record steps up to position `end`, or for so long.

        Where a busy machine gave less than half of a short time, and not to wait for another process, it is up to
        four times as long: milliseconds that others had the processor for would leave a step at each look.
        """
        began, own = perf_counter(), thread_time()
        until = latest = began + seconds
        if seconds < _SHORT and not self.algorithm.apart:
            latest = began + 4 * seconds
        self._go_on(end, until)
        while len(self.log) < end and (now := perf_counter()) < latest and thread_time() - own < seconds / 2:
            self._go_on(end, min(now + seconds, latest))

    def _go_on(self, end: float, until: float) -> None:
        """Record steps up to position `end` or the moment `until`.

        This is the loop that a long run lives in: what does not change is looked up before it, and what
        seldom happens is done in functions after it.
        """
        later = self._later
        run, place, codes, log, checkpoints = self._run, self._place, self._codes, self.log, self.checkpoints
        add_code, waits = log.codes.append, self.series.waits
        events_of = None if all(event.phase for event in self.algorithm.events) else self.hooks.events
        glance = 0 if self.seconds_a_step > 1e-4 else 15  # which steps look at the clock, as a mask
        t, head, before = len(log), self._head, self._before_head
        iteration = head.iteration if head else None
        try:
            while t < end:
                state = next(run)
                events = events_of(head, state) if events_of else None
                code = codes.get((state.phase, place.f_lasti, events))
                if code is None:
                    code = self._new_code(state, events)
                add_code(code)
                before, head = head, state
                if state.iteration != iteration:
                    iteration = state.iteration
                    log.begin_iteration(t, iteration)
                if t == checkpoints.next and checkpoints.keep(state):
                    self._thin()
                kind = code if code < KINDS else KINDS - 1
                if waits[kind]:
                    waits[kind] -= 1
                else:
                    self.series.measure(t, kind, before, state, later)
                t += 1
                if not t & glance and perf_counter() > until:
                    break
        finally:
            self._head, self._before_head = head, before

    def _new_code(self, state: State, events: tuple[bool, ...] | None) -> int:
        """Make the code of a kind of step not seen before; its phase tells its events where they are None."""
        happened = self.hooks.events(None, state) if events is None else events
        code = self.log.code(Kind(state.phase, self._place.f_lineno, happened))
        self._codes[state.phase, self._place.f_lasti, events] = code
        return code

    def _begin_with(self, first: Frame, past: "LiveRun") -> None:
        """Record the state that a fork begins with as what it was in the past."""
        code = self.log.code(past.log.kind(first.t))
        self.log.codes.append(code)
        if past.log.iteration_before(first.t + 1) == first.t:
            self.log.begin_iteration(first.t, first.state.iteration)
        self._head, self._before_head = first.state, first.before
        self.checkpoints.keep(first.state)
        self.series.measure(first.t, min(code, KINDS - 1), first.before, first.state)

    def _thin(self) -> None:
        """Drop checkpoints; beforehand, the first time, see whether their states can be replayed."""
        if self.resumes and self.checkpoints.stride == 1:
            states = self.checkpoints.states
            middle = len(states) // 2
            try:
                replay = self.algorithm.replay(self.problem, states[middle])
                self.resumes = all(same(state, next(replay)) for state in states[middle + 1 : middle + 3])
            except Exception:
                self.resumes = False
        self.checkpoints.thin()

    def _ended(self, reason: str) -> Stopped:
        """Hold the reason against the last state; one that is not so is a failure, as of a theorem."""
        verdict = None if self._head is None else self.hooks.end(reason, self._head)
        if verdict is None or verdict.status != "fails":
            return Stopped(reason)
        self.series.keep_failures(self.last, (verdict,))
        return Stopped(reason, untrue=verdict.against)

    def _stop(self, stopped: Stopped) -> None:
        self.stopped = stopped
        self.measure_newest()

    def measure_newest(self) -> None:
        """Put the newest step at the end of the series."""
        if self._head is not None:
            self.series.newest(self.last, self._before_head, self._head)

    def curve(self, i: int) -> tuple[Array, Array]:
        """Get (t, value) of a curve where it was measured."""
        return self.series.curve(i)

    # Going back

    def frame(self, t: int, until: float = math.inf) -> Frame | None:
        """Get the frame at t, or None when the moment `until` came first; the next call goes on from there.

        When steps cannot be replayed it is the nearest kept one at or before t.
        """
        if t == self.last and self._head is not None:
            return Frame(t, self._head, self._before_head, self.log.kind(t).line)
        if self._shown is None or self._shown.t != t:
            frame = self._replayed(t, until)
            if frame is None:
                return None
            self._shown = frame
        return self._shown

    def fill(self, t: int, until: float) -> bool:
        """Replay the segments around t and before it; False when `until` came first."""
        if not self.resumes:
            return True
        try:
            earlier = max(t - self.checkpoints.stride, self.begin)
            return all(self._segments.fill(at, len(self.log), until) for at in (t, earlier))
        except NotComplete:
            self.resumes = False
            return True

    def trail(self, positions: list[int]) -> list[State]:
        """Collect the states at these positions, or those kept nearest before them."""
        if self.checkpoints.stride == 1:
            return [self.checkpoints.states[at] for at in positions]
        held = dict(map(self.checkpoints.near, positions))
        return [held[at] for at in sorted(held)]

    def steps_to(self, t: int) -> int:
        """Count the steps to be replayed for the state at t."""
        return 0 if t == self.last or not self.resumes else self._segments.steps_to(t)

    def sweep(self, first: int, stop: int) -> Iterator[tuple[int, Any, Any]]:
        """Yield (t, the state before, the state) of its own steps from first to before stop, replayed in one go.

        Nothing of it is held afterwards. When steps cannot be replayed, those that are not kept are left out.
        """
        if self.checkpoints.stride > 1 and self.resumes:
            at, state = self.checkpoints.nearest(max(first - 1, self.begin))
            before = self._before_first if at == self.begin else None
            replay = self.algorithm.start(self.problem, state)
            try:
                while True:
                    if at >= first:
                        yield at, before, state
                    if at + 1 >= stop:
                        return
                    at, before, state = at + 1, state, following(replay)
            except NotComplete:
                self.resumes, first = False, max(at + 1, first)
        yield from self._kept_ones(first, stop)

    def _kept_ones(self, first: int, stop: int) -> Iterator[tuple[int, State | None, State]]:
        checkpoints, begin = self.checkpoints, self.begin
        stride, head = checkpoints.stride, (self.last, self._before_head, self._head)
        start = max(-(-(first - begin) // stride), 0)
        states = checkpoints.states[max(start - 1, 0) : -(-(stop - begin) // stride)]  # they may be thinned meanwhile
        before: State | None = self._before_first
        if start > 0:
            before, states = states[0], states[1:]
        for i, state in enumerate(states, start=start):
            yield begin + i * stride, before if stride == 1 or i == 0 else None, state
            before = state
        if stride > 1 and first <= head[0] < stop and (head[0] - begin) % stride and head[2] is not None:
            yield head[0], head[1], head[2]

    def sweep_before(self, stop: int, least: int) -> int:
        """Find the step after a checkpoint that is so far from `stop`, or somewhat farther; or where it begins."""
        stride = self.checkpoints.stride
        kept = (stop - 1 - least - self.begin) // stride
        return self.begin + kept * stride + 1 if kept >= 0 else self.begin

    def _replayed(self, t: int, until: float) -> Frame | None:
        if self.resumes:
            try:
                before = self._segments.find(t - 1, until) if t > self.begin else self._before_first
                state = self._segments.find(t, until) if t == self.begin or before else None
                return Frame(t, state, before, self.log.kind(t).line) if state else None
            except NotComplete:
                self.resumes = False
        near, state = self.checkpoints.nearest(t)
        before = self._before_first
        if near > self.begin:
            before = self.checkpoints.nearest(near - 1)[1] if self.checkpoints.stride == 1 else None
        return Frame(near, state, before, self.log.kind(near).line)


class _Over:
    """In place of the generator of a run that came out of a pickle and makes no further step."""

    def __init__(self, first_nan: int | None):
        self.first_nan = first_nan

    def __next__(self) -> State:
        raise StopIteration


def _place_of(run: Any) -> Any:
    """Get where a generator stands; an iterator that is no generator has no lines to show."""
    return getattr(run, "gi_frame", None) or SimpleNamespace(f_lasti=0, f_lineno=0)


def _failure(error: BaseException, algorithm: Algorithm) -> Stopped:
    """Describe the error for a person, with the innermost line of the algorithm's own file."""
    if isinstance(error, Raised):
        return Stopped(error.reason, error.line, error.details)
    file = algorithm.run.__code__.co_filename
    lines = [entry.lineno or 0 for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    details = "".join(traceback.format_exception(error))
    return Stopped(f"{type(error).__name__}: {error}", lines[-1] if lines else 0, details)
