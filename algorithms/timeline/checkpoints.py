"""Checkpoints: the states of a run that are kept, every stride-th, with the stride doubled when memory runs over."""

from algorithms.core.state import State, size_of

_EXACT = 1024  # positions from the start that a trail has all of
_APART = 4  # times as far apart as that from there on; twice as far from each doubling on
_MANY = 4096  # with so many kept, those that trails are made of are few beside them
_WEIGHED = 1024  # states that are weighed to know what all of them take


def on_trail(t: int) -> bool:
    """Tell whether a trail has position t; which ones it has does not change as it grows, so it does not wobble."""
    return t % _apart(t) == 0


def trail_positions(t: int) -> list[int]:
    """List the positions before t that a trail is made of: all from the start, fewer and fewer farther on."""
    positions = list(range(min(t, _EXACT)))
    first = _EXACT
    while first < t:
        positions += range(first, min(t, 2 * first), _apart(first))
        first *= 2
    return positions


def _apart(t: int) -> int:
    """Count the steps from one position of a trail to the next about t."""
    return _APART << (t // _EXACT).bit_length() if t >= _EXACT else 1


class CheckpointStore:
    """States of a run from position `first` on, within `budget` bytes of what they do not share.

    With room for everything the stride stays 1. The first state is never dropped, and two are held however
    large they are. Where states are small, those that a trail to any step is made of are not dropped either.

    Attributes:
        states: the kept ones: state i stands at position first + i * stride.
        next: the position of the next one to be kept.
        bytes: what they take.
    """

    def __init__(self, first: int, budget: int):
        self.first, self.budget = first, budget
        self.stride, self.next, self.bytes = 1, first, 0
        self.states: list[State] = []
        self._milestones: dict[int, State] = {}

    @property
    def held_now(self) -> int:
        """Count the states that are held, without milestones."""
        return len(self.states)

    def keep(self, state: State) -> bool:
        """Keep the state at position `next`; True when they have become too many, and `thin` is due."""
        self.bytes += size_of(state, self.states[-1] if self.states else None)
        self.states.append(state)
        self.next += self.stride
        return self.bytes > self.budget and len(self.states) > 2

    def thin(self) -> None:
        """Drop every second state, until the rest fit."""
        while self.bytes > self.budget and len(self.states) > 2:
            if self._milestones or (self.stride == 1 and len(self.states) >= _MANY):
                self._keep_milestones()
            self.states = self.states[::2]
            self.stride *= 2
            self.bytes = _bytes_of(self.states)
        self.next = self.first + len(self.states) * self.stride

    def nearest(self, t: int) -> tuple[int, State]:
        """Find the last checkpoint at or before t: its position and state."""
        i = min((t - self.first) // self.stride, len(self.states) - 1)
        return self.first + i * self.stride, self.states[i]

    def near(self, t: int) -> tuple[int, State]:
        """Find the state at t itself if it is held, else the nearest checkpoint before it."""
        return (t, self._milestones[t]) if t in self._milestones else self.nearest(t)

    def _keep_milestones(self) -> None:
        """Hold on to what trails need of those about to be dropped."""
        for i in range(1, len(self.states), 2):
            t = self.first + i * self.stride
            if on_trail(t):
                self._milestones[t] = self.states[i]


def _bytes_of(states: list[State]) -> int:
    """Weigh states, each beyond what it shares with the one before; many are weighed by some at even distances."""
    apart = max(1, len(states) // _WEIGHED)
    some = range(apart, len(states), apart)
    return size_of(states[0]) + apart * sum(size_of(states[i], states[i - 1]) for i in some)
