"""Divergence: where two runs first differ, by more than a tolerance, worked a slice of time at a go.

States are put side by side in one of three ways: step with step; the last state of each iteration of one with that
of the other; or the states of one phase with those of the same phase, or, in a run that has no such phase, with
every step. The last two leave the start out.
"""

import math
from collections.abc import Generator, Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.errors import Refused
from algorithms.core.painter import painter
from algorithms.core.state import State
from algorithms.timeline.changed_fields import formatted, parts, shape_of
from algorithms.timeline.computing import in_order
from algorithms.timeline.timeline import Timeline

STEP, ITERATION = "step", "iteration"
_START = "start"
_AHEAD = 256  # steps that a run is advanced by at a time

_Place: TypeAlias = tuple[int, State]
_Working: TypeAlias = Generator[None, None, "Divergence | None"]


class Divergence(Struct, frozen=True):
    """The first difference.

    Attributes:
        steps: at which of the one run and of the other.
        fields: what differs there, as each of them calls it; "" when one run ends and the other goes on.
        index: the first entry of it that does, () for what has none.
        values: that entry in the one and in the other.
        sentence: all of it, for a person.
        share: of the field's entries, those that differ; 1 where that cannot be said.
        count, of: how many entries of the field differ there, of how many.
        largest, worst: the greatest difference there, and the entry in which it is.
        shapes: whether it is not of one shape in both.
    """

    steps: tuple[int, int]
    fields: tuple[str, str]
    index: tuple[int, ...]
    values: tuple[Any, Any]
    sentence: str
    share: float = 1.0
    count: int = 1
    of: int = 1
    largest: float = math.nan
    worst: tuple[int, ...] = ()
    shapes: bool = False


class Comparison:
    """Search for the first difference of two runs, which are advanced as far as it takes.

    Args:
        match: the fields or curves to compare, by the name in the first run and in the second; without it all fields
            that both have, by the same name or one that differs in signs alone (`w_` and `self.w`).
        by: how states are put side by side: STEP, ITERATION, or the name of a phase.
        tolerance: what is forgiven between two numbers, times the larger of them where that exceeds 1.
        most: so many pairs of states are compared at most.
        names: what the runs are called in the sentence.
        advances: whether the runs are advanced; else it waits where a step is not known yet.

    Attributes:
        runs: the two.
        compared: how many pairs of states agree, those that the runs have in common not counted.
        reached: the step up to which states were looked at, in the run that has come less far.
        divergence: the first difference, once there is one.
        done: whether there is nothing left to do.
        fields: what is compared, by both names; known from the first pair on.

    Raises:
        Refused: when a name of `match` or `by` is not known; from `work`, when there is nothing to compare.

    >>> from algorithms import Comparison, Timeline
    >>> whole, half = (Timeline("perceptron", "blobs", {"eta": eta}) for eta in (1, 0.5))
    >>> found = Comparison(whole, half).work()
    >>> found.steps, found.fields
    ((1, 1), ('w', 'w'))
    """

    def __init__(
        self,
        first: Timeline,
        second: Timeline,
        *,
        match: Mapping[str, str] | None = None,
        by: str = STEP,
        tolerance: float = 1e-9,
        most: float = math.inf,
        names: tuple[str, str] = ("the first", "the second"),
        advances: bool = True,
    ):
        self.runs, self._match, self.by = (first, second), dict(match or {}), by
        self._tolerance, self._most, self._names, self._advances = tolerance, most, names, advances
        self._shared = first.shared_with(second) if by == STEP else 0
        self._until = 0.0
        self.compared, self.done = 0, False
        self.divergence: Divergence | None = None
        self.fields: dict[str, str] = {}
        self.reached = 0
        if by not in ways_of(first, second):
            raise Refused(f"states are put side by side by {' or '.join(ways_of(first, second))}, not by {by!r}.")
        self._working = self._work()

    def _repr_html_(self) -> str | None:
        """Show both runs side by side, for a notebook."""
        return painter().html_of(self)  # type: ignore[no-any-return]

    @property
    def progress(self) -> float | None:
        """Measure how far it has come, from 0 to 1; None where the end is not known."""
        ends = [run.last for run in self.runs if run.stopped]
        return min(self.reached / max(min(ends), 1), 1.0) if ends else None

    def work(self, seconds: float = math.inf) -> Divergence | None:
        """Compare for so long at most; the first difference, None while there is none."""
        self._until = perf_counter() + seconds
        if not self.done:
            try:
                next(self._working)
            except StopIteration as end:
                self.divergence, self.done = end.value, True
            except BaseException:
                self.done = True
                raise
        return self.divergence

    def alone(self, field: str, counterpart: str, most: float) -> "Comparison":
        """Compare one field in the same way, so many pairs of states at most."""
        return Comparison(
            *self.runs, match={field: counterpart}, by=self.by, tolerance=self._tolerance, most=min(most, self._most),
            names=self._names,
        )  # fmt: skip

    def _work(self) -> _Working:
        first, second = (self._states(run) for run in self.runs)
        last: tuple[int, int] | None = None
        while self.compared < self._most:
            pair: list[_Place | None] = []
            for states in (first, second):
                place = next(states)
                while place == ():
                    yield
                    place = next(states)
                pair.append(place or None)
            one, other = pair
            if one is None or other is None:
                return self._ended(one, other, last)
            last = one[0], other[0]
            self.reached = min(last)
            difference = self._differ(one, other)
            if difference is not None:
                return difference
            self.compared += 1
        return None

    # The states that are put side by side

    def _states(self, run: Timeline) -> "Iterator[_Place | tuple[()] | None]":
        """Yield (t, state) of those that count, () when it is time to pause, None for ever when there are no more."""
        held: _Place | None = None
        for place in self._steps(run):
            if place == ():
                yield ()
            elif self.by == ITERATION:
                if held is not None and held[1].iteration != place[1].iteration and held[1].phase != _START:  # type: ignore[misc]
                    yield held
                held = place  # type: ignore[assignment]
            elif self._counts(run, place[1]):  # type: ignore[misc]
                yield place
        if held is not None:
            yield held
        while True:
            yield None

    def _counts(self, run: Timeline, state: State) -> bool:
        if self.by == STEP:
            return bool(state.parts())  # before a reader's generator has yielded there is nothing to compare
        return state.phase == self.by if self.by in run.algorithm.phases else state.phase != _START

    def _steps(self, run: Timeline) -> "Iterator[_Place | tuple[()]]":
        """Yield every step, from the first that is not shared on."""
        at = self._shared
        while True:
            while at >= len(run):
                if run.stopped:
                    return
                seconds = max(self._until - perf_counter(), 0.001)
                if not (self._advances and run.advance(_AHEAD, seconds)) or perf_counter() > self._until:
                    yield ()
            for t, _, state in run.sweep(at, len(run)):
                if t != at:
                    break
                at = t + 1
                yield t, state
                if perf_counter() > self._until:
                    yield ()
            if at < len(run) and not run.resumes:
                raise Refused(f"step {at:,} of {run.algorithm.title} is gone: the run is too long to be kept whole.")

    # What of them is compared

    def _differ(self, one: _Place, other: _Place) -> Divergence | None:
        places = (one, other)
        self.fields = self.fields or self._compared(one[1], other[1])
        differing: dict[str, EntryDifference] = {}
        for name, counterpart in self.fields.items():
            values = [_value(run, t, s, n) for run, (t, s), n in zip(self.runs, places, (name, counterpart))]
            if any(isinstance(value, _Missing) for value in values):
                continue
            entry = entry_difference(values[0], values[1], self._tolerance)
            if entry is not None:
                differing[name] = entry
        if not differing:
            return None
        name = in_order(self.runs[0], one[0], differing)[0]  # what comes after may differ because of it
        return self._described(places, (name, self.fields[name]), differing[name])

    def _compared(self, one: State, other: State) -> dict[str, str]:
        """Settle which fields are compared, by both names."""
        theirs = [
            (state.parts(), {curve.name for curve in run.algorithm.curves})
            for state, run in zip((one, other), self.runs)
        ]
        for pair in self._match.items():
            for name, (fields, curves), who in zip(pair, theirs, self._names):
                if name not in fields and name not in curves:
                    known = ", ".join([*fields, *sorted(curves - set(fields))])
                    raise Refused(f"{who} has no {name!r}; it has {known}.")
        fields = self._match or alike(theirs[0][0], theirs[1][0])
        if not fields:
            has = [f"{who} has {', '.join(fields) or 'none'}" for who, (fields, _) in zip(self._names, theirs)]
            raise Refused(f"no field has the same name in both: {'; '.join(has)}. Say which go together.")
        return fields

    # In words

    def _described(
        self, places: tuple[_Place, _Place], fields: tuple[str, str], entry: "EntryDifference"
    ) -> Divergence:
        (t, state), (u, other) = places
        at = f"step {t:,}" if t == u else f"step {t:,} of {self._names[0]} and {u:,} of {self._names[1]}"
        phases = state.phase if state.phase == other.phase else f"{state.phase}, {other.phase}"
        index = f"[{','.join(map(str, entry.index))}]" if entry.index else ""
        values = entry.values if entry.shapes else tuple(map(formatted, entry.values))
        a, b = (f"{field}{'' if entry.shapes else index} is {v}" for field, v in zip(fields, values))
        if fields[0] == fields[1]:
            b = str(values[1])
        many = (
            f" ({entry.count:,} of {entry.of:,} entries differ, by {formatted(entry.largest)} at most)" if index else ""
        )
        sentence = f"They differ first at {at} ({phases}): {a} in {self._names[0]}, {b} in {self._names[1]}{many}."
        share = entry.count / entry.of
        return Divergence(
            (t, u), fields, entry.index, entry.values, sentence, share,
            entry.count, entry.of, entry.largest, entry.worst, entry.shapes,
        )  # fmt: skip

    def _ended(self, one: _Place | None, other: _Place | None, last: tuple[int, int] | None) -> Divergence | None:
        if one is None and other is None:
            return None
        ended, goes_on = (0, 1) if one is None else (1, 0)
        run = self.runs[ended]
        assert run.stopped is not None
        sentence = (
            f"They agree as far as both go; then {self._names[ended]} ends at step {run.last:,} "
            f"({run.stopped.reason}), and {self._names[goes_on]} goes on."
        )
        return Divergence(last or (0, 0), ("", ""), (), (None, None), sentence)


def ways_of(first: Timeline, second: Timeline) -> list[str]:
    """List the ways in which the states of two runs can be put side by side."""
    phases = [*first.algorithm.phases, *second.algorithm.phases]
    return [STEP, ITERATION, *dict.fromkeys(phase for phase in phases if phase not in (_START, STEP, ITERATION))]


def closest(
    first: Timeline,
    second: Timeline,
    *,
    match: Mapping[str, str] | None = None,
    by: str = "",
    tolerance: float = 1e-9,
    most: float = math.inf,
    names: tuple[str, str] = ("the first", "the second"),
) -> Comparison:
    """Compare two runs to the end; when `by` is "", in the way in which they agree longest, or nearly.

    Runs of the same phases are compared step with step. Others have a rhythm each, and it is not known which of
    the states of one is meant by a state of the other.

    Raises:
        Refused: as Comparison does.
    """
    same_phases = set(first.algorithm.phases) == set(second.algorithm.phases)
    ways = [by] if by else [STEP] if same_phases else ways_of(first, second)[1:]
    comparisons: list[Comparison] = []
    for way in ways:
        one = Comparison(first, second, match=match, by=way, tolerance=tolerance, most=most, names=names)
        while not one.done:
            one.work(1.0)
        comparisons.append(one)
        if one.divergence is None:
            break
    return max(
        comparisons,
        key=lambda one: (one.divergence is None, one.compared, -one.divergence.share if one.divergence else 0.0),
    )


def started_alike(first: Timeline, second: Timeline, fields: Mapping[str, str]) -> Timeline:
    """Fork the second run at its start, with the values of these fields with which the first begins.

    Args:
        fields: by their name in the first run, their name in the second.

    Raises:
        Refused: when one of them has no such field, or of another shape, or the second cannot be taken up from a state.
    """
    if not second.resumes:
        raise Refused(f"{second.algorithm.title} cannot be taken up from a state: name it first, and the other second.")
    first.advance(2)  # a reader's generator has yielded at its second step
    second.advance(1)
    states = [run.at(min(t, run.last)).state for run, t in ((first, 0), (first, 1), (second, 0))]
    theirs = states[0].parts() or states[1].parts()
    mine = states[2].parts()
    changes: dict[str, Any] = {}
    for name, counterpart in fields.items():
        for fields_of_it, one, run in ((theirs, name, first), (mine, counterpart, second)):
            if one not in fields_of_it:
                raise Refused(
                    f"{run.algorithm.title} begins without a field {one!r}; it has {', '.join(fields_of_it)}."
                )
        value, held = theirs[name], mine[counterpart]
        if np.shape(value) != np.shape(held):
            shapes = f"{shape_of(np.asarray(value))} and {shape_of(np.asarray(held))}"
            raise Refused(f"{second.algorithm.title} cannot begin with {name}: the shapes are {shapes}.")
        changes[counterpart] = value.astype(held.dtype) if isinstance(held, np.ndarray) else type(held)(value)
    return second.fork(0, state=replace(states[2], **changes))


def alike(mine: Iterable[str], theirs: Iterable[str]) -> dict[str, str]:
    """Pair names: the same ones, then those that are the same letters and digits, or end so behind a dot."""
    left = dict.fromkeys(theirs)
    mine = list(mine)
    pairs = {name: name for name in mine if name in left}
    for key in (_letters, lambda name: _letters(name.rpartition(".")[2])):
        others: dict[str, list[str]] = {}
        for name in left:
            if name not in pairs.values():
                others.setdefault(key(name), []).append(name)
        ours = [name for name in mine if name not in pairs]
        keys = [key(name) for name in ours]
        for name, letters in zip(ours, keys):
            if letters and keys.count(letters) == 1 == len(others.get(letters, ())):
                pairs[name] = others[letters][0]
    return {name: pairs[name] for name in mine if name in pairs}


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


class _Missing:
    """There is no such field at a step."""


class EntryDifference(Struct, frozen=True):
    """How two values differ: the first entry that does, both of them there, how many do, by how much and where most."""

    index: tuple[int, ...]
    values: tuple[Any, Any]
    count: int = 1
    of: int = 1
    largest: float = math.nan
    shapes: bool = False
    worst: tuple[int, ...] = ()


def _value(run: Timeline, t: int, state: State, name: str) -> Any:
    parts = state.parts()
    if name in parts:
        return parts[name]
    for curve in run.algorithm.curves:
        if curve.name == name and (not curve.phases or state.phase in curve.phases):
            try:
                return float(curve.measure(run.problem_at(t), state))
            except Exception as error:
                failure = f"the curve {name} could not be measured at step {t:,}"
                raise Refused(f"{failure}: {type(error).__name__}: {error}") from error
    return _Missing()


def entry_difference(a: Any, b: Any, tolerance: float) -> EntryDifference | None:
    """Find the first entry by which two values differ by more than the tolerance; a NaN equals a NaN."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) != len(b):
            return EntryDifference((), (parts(a), parts(b)), shapes=True)
        for i, (mine, theirs) in enumerate(zip(a, b)):
            entry = entry_difference(mine, theirs, tolerance)
            if entry is not None:
                return EntryDifference(
                    (i, *entry.index), entry.values, entry.count, entry.of, entry.largest, entry.shapes,
                    (i, *entry.worst),
                )  # fmt: skip
        return None
    if not _numbers(a) or not _numbers(b):
        return None if type(a) is type(b) and a == b else EntryDifference((), (a, b))
    x, y = np.asarray(a, float), np.asarray(b, float)
    if x.shape != y.shape:
        return EntryDifference((), (shape_of(x), shape_of(y)), shapes=True)
    with np.errstate(all="ignore"):
        room = tolerance * np.maximum(np.maximum(np.abs(x), np.abs(y)), 1.0)
        by = np.where(x == y, 0.0, np.abs(x - y))
        differ = ~((x == y) | (np.isnan(x) & np.isnan(y)) | (np.isfinite(x) & np.isfinite(y) & (by <= room)))
    places = np.argwhere(differ)
    if not len(places):
        return None
    at = tuple(int(i) for i in places[0])
    pair = (np.asarray(a)[at].item(), np.asarray(b)[at].item())
    sizes = np.where(differ, np.where(np.isfinite(by), by, np.inf), -1.0)  # a nan is infinitely far from a number
    worst = tuple(int(i) for i in np.unravel_index(int(sizes.argmax()), sizes.shape))
    finite = by[differ & np.isfinite(by)]
    largest = float(finite.max()) if len(finite) else math.inf
    return EntryDifference(at, pair, len(places), x.size, largest, worst=worst)


def _numbers(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.bool_) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    )
