"""Which states of a run are kept: every stride-th, with the stride doubled when memory runs over."""

from collections.abc import Iterator

from algorithms.core.state import State, arrays_of

_OBJECT = 160  # bytes of a state without its arrays, near enough
_HEADER = 112  # bytes of an array without its numbers


class Keeper:
    """States of a run from position `first` on, within `budget` bytes of what they do not share.

    The first is never dropped. With room for everything, the stride stays 1 and nothing is replayed.
    """

    def __init__(self, first: int, budget: int):
        self.first, self.budget = first, budget
        self.stride = 1
        self.states: list[State] = []
        self._bytes = 0
        self._seen: set[int] = set()

    def offer(self, t: int, state: State) -> None:
        """Keep the state at position t if its turn has come; positions come in order."""
        if (t - self.first) % self.stride:
            return
        self.states.append(state)
        self._count(state)
        while self._bytes > self.budget and len(self.states) > 2:
            self._thin()

    def nearest(self, t: int) -> tuple[int, State]:
        """The last kept position at or before t, and its state."""
        i = min((t - self.first) // self.stride, len(self.states) - 1)
        return self.first + i * self.stride, self.states[i]

    def upto(self, t: int) -> Iterator[tuple[int, State]]:
        """Kept positions and states at or before t, the latest first."""
        i = min((t - self.first) // self.stride, len(self.states) - 1)
        for j in range(i, -1, -1):
            yield self.first + j * self.stride, self.states[j]

    def _count(self, state: State) -> None:
        arrays = arrays_of(state)
        self._bytes += _OBJECT + sum(a.nbytes + _HEADER for a in arrays if id(a) not in self._seen)
        self._seen = {id(a) for a in arrays}  # an array is shared with the neighbour or not at all

    def _thin(self) -> None:
        self.states = self.states[::2]
        self.stride *= 2
        self._bytes, self._seen = 0, set()
        for state in self.states:
            self._count(state)
