"""Search: the next step at which a condition holds, forwards or backwards, worked a slice of time at a go."""

import math
from collections.abc import Generator, Iterator
from time import perf_counter
from typing import TypeAlias

import numpy as np

from algorithms.core.arrays import Array
from algorithms.timeline.conditions.condition import Condition
from algorithms.timeline.conditions.moment import Moment, Unanswerable
from algorithms.timeline.timeline import Timeline

_Looking: TypeAlias = Generator[None, None, int | None]  # pauses when it yields; returns the step
_CHUNK = 1 << 17  # steps of the log looked at in one go
_LEAST, _MOST = 256, 8192  # steps of a sweep backwards: the first, and twice as many each time up to the last


class Search:
    """Look for a step at which a condition holds.

    Backwards, a stretch is replayed from its beginning and its last hit counts, so that no step is replayed
    more than once.

    Args:
        start: the first step looked at is the one after it, or before it.
        forward: on through the run, which is advanced where it has not ended; else back to its start.

    Attributes:
        position: forward, all steps up to it were looked at; backward, all from it on.
        match: the step, once there is one.
        done: whether there is nothing left to do.
        trouble: why it ended early, "" if it did not: a curve, theorem or event that raised, a name that is no field.
    """

    def __init__(self, timeline: Timeline, condition: Condition, start: int, forward: bool = True):
        self.timeline, self.condition, self.forward = timeline, condition, forward
        self.start = self.position = start
        self.match: int | None = None
        self.done, self.trouble = False, ""
        self._until = self._limit = 0.0
        self._swept = 0  # steps of the current sweep, backwards
        self._predicate, self._fields_known = condition.predicate, False
        self._looking = self._forwards() if forward else self._backwards(min(start, len(timeline)))

    @property
    def progress(self) -> float | None:
        """Measure how far it has come, from 0 to 1; None where the end is not known."""
        if self.forward:
            if not self.timeline.stopped:
                return None
            whole, part = self.timeline.last - self.start, self.position - self.start
        else:
            whole, part = self.start, self.start - self.position + self._swept
        return min(part / whole, 1.0) if whole > 0 else 1.0

    @property
    def gaps(self) -> int:
        """Measure how far apart the steps are that can be looked at: 1, unless those between are gone."""
        return 1 if self.timeline.resumes or self.condition.needs == "log" else self.timeline.stride

    def work(self, seconds: float = math.inf, limit: float = math.inf) -> int | None:
        """Search for so long at most, forward not beyond `limit`; the match, None while there is none."""
        if self.done:
            return self.match
        self._until, self._limit = perf_counter() + seconds, limit
        try:
            self._check_fields()
            next(self._looking)
        except StopIteration as end:
            self.match, self.done = end.value, True
            if self.match is None:
                self._check_events()
        except Unanswerable as trouble:
            self.done, self.trouble = True, str(trouble)
        return self.match

    def _check_fields(self) -> None:
        """Refuse names that are no fields, as soon as a state with fields is known."""
        if not self._fields_known:
            self._fields_known = self.condition.check_fields(self.timeline)

    def _check_events(self) -> None:
        """Report an event that raised: as far as the log tells it did not happen."""
        for trouble in self.timeline.troubles:
            if trouble.what.removeprefix("the event ") in self._predicate.events:
                self.trouble = f"{trouble.what} could not be told at step {trouble.t:,}: {trouble.error}"

    # Forwards

    def _forwards(self) -> _Looking:
        run = self.timeline
        while True:
            stop = run.known if self._predicate.events else len(run)
            if self.position >= self._limit:
                yield
            elif self.position + 1 < stop:
                first = self.position + 1
                hit = yield from self._ahead(first, min(stop, first + _CHUNK))
                if hit is not None:
                    return hit
            elif run.stopped:
                return None
            elif self._predicate.by_log or run.looked < len(run):
                if not run.advance(seconds=self._until - perf_counter()) or perf_counter() > self._until:
                    yield
            else:
                hit = yield from self._along()
                if hit is not None:
                    return hit

    def _ahead(self, first: int, stop: int) -> _Looking:
        """Find the first hit among steps that were recorded."""
        possible = self._predicate.possible(self.timeline.log, first, stop)
        places = np.flatnonzero(possible)
        hit: int | None = None
        if self._predicate.by_log:
            hit = first + int(places[0]) if len(places) else None
        elif len(places):
            for t in self._hits(first, possible, first, first + int(places[-1]) + 1):
                if t is None:
                    yield
                else:
                    hit = t
                    break
        self.position = stop - 1 if hit is None else hit
        return hit

    def _along(self) -> _Looking:
        """Find the first hit among steps as the run makes them, until there is one or it ends."""
        run, passed = self.timeline, dict[str, Moment]()
        while self.position >= run.last and not run.stopped:
            if self.position >= self._limit or not run.advance(1):
                yield
                continue
            frame = run.at(run.last)
            t = frame.t
            if t <= self.position:  # it begins beyond what has been run
                continue
            self.position = t
            self._check_fields()
            moment = Moment(run, t, frame.state, frame.before, run.problem, run.changed_at(t), passed)
            if self._predicate.holds(moment):
                return t
            passed[frame.state.phase] = moment
            if perf_counter() > self._until:
                yield
        return None

    # Backwards

    def _backwards(self, stop: int) -> _Looking:
        run, size = self.timeline, _LEAST
        self.position = stop
        while self._predicate.events and run.known < stop and not run.stopped:
            if not run.advance(seconds=self._until - perf_counter()) or perf_counter() > self._until:
                yield
        while stop > 0:
            if self._predicate.by_log:
                first = max(stop - _CHUNK, 0)
            else:
                first, size = run.sweep_before(stop, size), min(size * 2, _MOST)
            possible = self._predicate.possible(run.log, first, stop)
            places = np.flatnonzero(possible)
            hit: int | None = None
            if self._predicate.by_log:
                hit = first + int(places[-1]) if len(places) else None
            elif len(places):
                for t in self._hits(first, possible, first + int(places[0]), first + int(places[-1]) + 1):
                    if t is None:
                        yield
                    else:
                        hit = t
            self._swept, stop = 0, first if hit is None else hit
            self.position = stop
            if hit is not None:
                return hit
            if perf_counter() > self._until:
                yield
        return None

    # Both

    def _hits(self, origin: int, possible: Array, first: int, stop: int) -> Iterator[int | None]:
        """Yield every hit from first to before stop, and None whenever it is time to pause.

        Args:
            possible: from `origin` on, where a hit is possible as far as the log tells.
        """
        run, predicate = self.timeline, self._predicate
        looks_back = predicate.looks_back
        passed: dict[str, Moment] = {}
        same_until = -1
        for t, before, state in run.sweep(first, stop):
            if self.forward:
                self.position = t - 1
                while t > self._limit:
                    yield None
            self._swept = t - first
            if t >= same_until:
                problem, changed, same_until = run.problem_at(t), run.changed_at(t), run.same_until(t)
            if looks_back or possible[t - origin]:
                moment = Moment(run, t, state, before, problem, changed, passed)
                if possible[t - origin] and predicate.holds(moment):
                    yield t
                if looks_back:
                    passed[state.phase] = moment
            if perf_counter() > self._until:
                yield None
