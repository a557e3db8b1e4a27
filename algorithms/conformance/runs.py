"""Runs that are checked: recorded once, with what their states held when they were yielded."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import cache, wraps
from typing import Any, NoReturn, TypeVar

import numpy as np
from msgspec import Struct

from algorithms import Algorithm, Dataset, Timeline
from algorithms.core import Problem, State
from algorithms.core.state import same

STATES = 160  # of a run, from its start
_KEPT = 12  # values of the last pairs of an algorithm and data; the tests take one algorithm after another

T = TypeVar("T")


def shared(measure: Callable[[Algorithm, Dataset], T]) -> Callable[[Algorithm, Dataset], T]:
    """Make what several checks ask of an algorithm on some data worked out once, and kept for the last few."""
    held: OrderedDict[tuple[int, int], tuple[Algorithm, Dataset, T]] = OrderedDict()

    @wraps(measure)
    def measured(algorithm: Algorithm, data: Dataset) -> T:
        key = (id(algorithm), id(data))
        if key not in held:
            held[key] = (algorithm, data, measure(algorithm, data))
            if len(held) > _KEPT:
                held.popitem(last=False)
        held.move_to_end(key)
        return held[key][2]

    return measured


class FirstStates(Struct, frozen=True):
    """The first states of a run.

    Attributes:
        states: as yielded, some thousand steps at most.
        digests: of each, when it was yielded.
        lines: of the generator's file, of the yields.
        reason: what the generator returned, None when it would have gone on.
    """

    problem: Problem
    states: list[State]
    digests: list[int]
    lines: list[int]
    reason: str | None


@shared
def recorded(algorithm: Algorithm, data: Dataset) -> FirstStates:
    """The run with default parameters; the same for all checks."""
    return record(algorithm, algorithm.problem(data))


@shared
def advanced(algorithm: Algorithm, data: Dataset) -> Timeline:
    """The timeline of that run, from which all checks fork."""
    run = Timeline(algorithm, data)
    run.advance(STATES)
    return run


@cache
def without_measures(algorithm: Algorithm) -> Algorithm:
    """The algorithm without curves and theorems: only its run."""
    bare = copy(algorithm)
    bare.curves = bare.theorems = ()
    return bare


def record(algorithm: Algorithm, problem: Problem, start: State | None = None, most: int = STATES) -> FirstStates:
    """A run from its start, or from what comes after a state."""
    run = algorithm.start(problem, start)
    states: list[State] = []
    digests: list[int] = []
    lines: list[int] = []
    reason = None
    while len(states) < most:
        try:
            state = next(run)
        except StopIteration as end:
            reason = end.value
            ensure(
                isinstance(reason, str) and reason.strip() != "",
                f"the generator returned {reason!r}; it must return in words why it stopped",
            )
            break
        ensure(isinstance(state, State), f"it yielded a {type(state).__name__}; it must yield states")
        states.append(state)
        digests.append(digest(state))
        frame = getattr(run, "gi_frame", None)
        lines.append(frame.f_lineno if frame else 0)
    return FirstStates(problem, states, digests, lines, reason)


def steps(algorithm: Algorithm, problem: Problem, most: int = STATES) -> Iterator[tuple[State | None, State]]:
    """The first steps of a run, one by one: the state before and the state."""
    before: State | None = None
    for _, state in zip(range(most), algorithm.start(problem)):
        yield before, state
        before = state


def ensure(holds: object, complaint: str) -> None:
    """Fail with the complaint unless it holds."""
    if not holds:
        fail(complaint)


def ensure_fits(what: str, lines: Iterable[str], most: int) -> None:
    """Fail if lines are wider than so many columns; all are named at once, as a run of the check finds them."""
    wide = [f"{what} is {len(line)} columns wide; {most} fit: {line!r}" for line in lines if len(line) > most]
    ensure(not wide, "; ".join(wide))


def fail(complaint: str) -> NoReturn:
    raise AssertionError(complaint)


def ensure_same(expected: State, found: State, where: str) -> None:
    """Fail unless two states are the same bit for bit, and say in which field they differ first."""
    if not same(expected, found):
        fail(f"{where}{described(expected)}: {difference(expected, found)}")


def described(state: State) -> str:
    return f"state {state.t} ({state.phase})"


def parts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything that a value holds, with where it stands: "means", "parts[2].weights"."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from parts(getattr(value, name), f"{path}.{name}" if path else name)
    elif isinstance(value, (tuple, list)):
        yield path, value
        for i, part in enumerate(value):
            yield from parts(part, f"{path}[{i}]")
    elif isinstance(value, dict):
        yield path, value
        for key, part in value.items():
            yield from parts(part, f"{path}[{key!r}]")
    else:
        yield path, value


def digest(value: Any) -> int:
    """A number for all that a state holds."""
    if isinstance(value, np.ndarray):
        return hash((value.shape, value.dtype.str, value.tobytes()))
    if isinstance(value, Struct):
        return hash(tuple(digest(getattr(value, name)) for name in value.__struct_fields__))
    if isinstance(value, (tuple, list)):
        return hash(tuple(map(digest, value)))
    if isinstance(value, dict):
        return hash(tuple((key, digest(part)) for key, part in value.items()))
    return hash(repr(value))


def difference(a: State, b: State) -> str:
    """The first field in which two states differ, in words."""
    if type(a) is not type(b):
        return f"a {type(b).__name__} instead of a {type(a).__name__}"
    mine, other = dict(parts(a)), dict(parts(b))
    for path, value in mine.items():
        if path not in other:
            return f"{path} is missing"
        theirs = other[path]
        if isinstance(value, np.ndarray) and isinstance(theirs, np.ndarray):
            if (value.shape, value.dtype) != (theirs.shape, theirs.dtype):
                return f"{path} is {theirs.dtype} {theirs.shape} instead of {value.dtype} {value.shape}"
            if value.tobytes() != theirs.tobytes():
                off = (
                    np.abs(np.subtract(value, theirs, dtype=float)).max() if value.dtype.kind in "fiu" else "something"
                )
                return f"{path} differs by {off}"
        elif not isinstance(value, (tuple, list, dict)) and repr(value) != repr(theirs):
            return f"{path} is {theirs!r} instead of {value!r}"
    return "nothing"


def spread(n: int, most: int) -> list[int]:
    """At most so many of 0..n-1, at even distances, the first and the last among them."""
    return sorted({round(i) for i in np.linspace(0, n - 1, min(n, most))})


def some(states: Sequence[State]) -> list[int]:
    """Positions worth a look: the first, middle and last, and the first and last of each phase."""
    phases: dict[str, list[int]] = {}
    for i, state in enumerate(states):
        phases.setdefault(state.phase, []).append(i)
    ends = {i for places in phases.values() for i in (places[0], places[-1])}
    return sorted(ends | {0, len(states) // 2, len(states) - 1})
