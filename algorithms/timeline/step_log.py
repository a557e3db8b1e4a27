"""Step log: the kind of every step of a run, without its state, in four bytes a step."""

from array import array
from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array

_BLOCK = 1024  # steps looked at first in a search; twice as many each time


class Kind(Struct, frozen=True):
    """What steps can have in common.

    Attributes:
        phase: what made the state.
        line: the line of the file that yielded it.
        events: for each of the algorithm's events, whether it happened.
    """

    phase: str
    line: int
    events: tuple[bool, ...]


class Scanned(Struct, frozen=True, eq=False):
    """What is known of steps that were not looked at.

    Attributes:
        kinds: what `codes` name.
        codes, iterations: of each step (n,).
    """

    kinds: list[Kind]
    codes: Array
    iterations: Array


class StepLog:
    """The kind of every step and where each iteration began.

    Args:
        past: a log whose first `upto` steps this one begins with.

    Attributes:
        codes: for each step, the index of its kind.
        kinds: the kinds there have been.
    """

    def __init__(self, past: "StepLog | None" = None, upto: int = 0):
        self.codes: array[int] = past.codes[:upto] if past else array("I")
        self.kinds: list[Kind] = list(past.kinds) if past else []
        self._numbers = {kind: i for i, kind in enumerate(self.kinds)}
        self._count = int(np.searchsorted(past.starts, upto)) if past else 0
        room = np.empty(max(64, self._count), np.int64)
        self._starts: Array = np.concatenate([past._starts[: self._count], room]) if past else room
        self._iterations: Array = np.concatenate([past._iterations[: self._count], room]) if past else room.copy()

    def __len__(self) -> int:
        return len(self.codes)

    def code(self, kind: Kind) -> int:
        """Get the index of a kind, a new one if it has not been seen."""
        number = self._numbers.setdefault(kind, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
        return number

    def kind(self, t: int) -> Kind:
        return self.kinds[self.codes[t]]

    # Iterations

    def begin_iteration(self, t: int, iteration: int) -> None:
        """Mark that an iteration, of that number, begins at t."""
        if self._count == len(self._starts):
            self._starts = np.concatenate([self._starts, np.empty_like(self._starts)])
            self._iterations = np.concatenate([self._iterations, np.empty_like(self._iterations)])
        self._starts[self._count], self._iterations[self._count] = t, iteration
        self._count += 1

    def extend(self, scanned: Scanned) -> None:
        """Add many steps at once."""
        first = len(self)
        codes = np.array([self.code(kind) for kind in scanned.kinds], np.uintc)
        self.codes.frombytes(codes[scanned.codes].tobytes())
        iterations = scanned.iterations
        before = self._iterations[self._count - 1] if self._count else iterations[0] - 1
        begins = np.flatnonzero(np.diff(iterations, prepend=before))
        room = np.empty(max(64, len(begins)), np.int64)
        self._starts = np.concatenate([self._starts[: self._count], begins + first, room])
        self._iterations = np.concatenate([self._iterations[: self._count], iterations[begins], room])
        self._count += len(begins)

    def cut(self, t: int) -> None:
        """Forget the steps from t on."""
        del self.codes[t:]
        self._count = int(np.searchsorted(self.starts, t))

    @property
    def starts(self) -> Array:
        """List where iterations begin, in order; a view, read-only, that stays as it is."""
        view = self._starts[: self._count]
        view.flags.writeable = False
        return view

    def iteration(self, i: int) -> int:
        """Get the number of the iteration that begins at `starts[i]`."""
        return int(self._iterations[i])

    def iterations(self, first: int, stop: int) -> Array:
        """Number the iteration of each step from first to before stop."""
        i = np.searchsorted(self.starts, np.arange(first, stop), side="right") - 1
        return np.asarray(self._iterations[i])

    def iteration_after(self, t: int) -> int | None:
        i = int(np.searchsorted(self.starts, t, side="right"))
        return int(self._starts[i]) if i < self._count else None

    def iteration_before(self, t: int) -> int | None:
        i = int(np.searchsorted(self.starts, t))
        return int(self._starts[i - 1]) if i else None

    # Looking for steps of some kind

    def first(self, wanted: Callable[[Kind], bool], start: int, stop: int) -> int | None:
        """Find the first step in [start, stop) whose kind is wanted."""
        is_wanted, size = self._are(wanted), _BLOCK
        while start < stop:
            hits = self._hits(is_wanted, start, min(start + size, stop))
            if len(hits):
                return int(hits[0])
            start, size = start + size, size * 2
        return None

    def last(self, wanted: Callable[[Kind], bool], start: int, stop: int) -> int | None:
        """Find the last step in [start, stop) whose kind is wanted."""
        return next(self.backwards(wanted, start, stop), None)

    def backwards(self, wanted: Callable[[Kind], bool], start: int, stop: int) -> Iterator[int]:
        """Yield the steps in [start, stop) whose kind is wanted, the last first."""
        is_wanted, size = self._are(wanted), _BLOCK
        while start < stop:
            yield from self._hits(is_wanted, max(start, stop - size), stop)[::-1].tolist()
            stop, size = stop - size, size * 2

    def which(self, wanted: Callable[[Kind], bool], first: int, stop: int) -> Array:
        """Mask the steps from first to before stop whose kind is wanted."""
        return np.asarray(self._are(wanted)[self._codes_of(first, stop)])

    def _are(self, wanted: Callable[[Kind], bool]) -> Array:
        return np.fromiter(map(wanted, self.kinds), bool, len(self.kinds))

    def _hits(self, is_wanted: Array, start: int, stop: int) -> Array:
        return np.flatnonzero(is_wanted[self._codes_of(start, stop)]) + start

    def _codes_of(self, first: int, stop: int) -> Array:
        """View the codes of some steps, to be let go at once: they cannot grow while they are looked at."""
        if first >= stop:
            return np.empty(0, np.uintc)
        return np.frombuffer(self.codes, np.uintc, stop - first, first * self.codes.itemsize)
