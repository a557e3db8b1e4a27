"""ComparisonView: how runs stood beside each other when they were last seen, to have them so again."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from algorithms.playback.comparison.alignment import Alignment, ByTime, Place, alignment_named
from algorithms.timeline import Timeline


class ComparisonView(Struct, frozen=True, eq=False):
    """How runs stood beside each other.

    Attributes:
        runs: the runs, and at which step each was shown.
        hand: which of them keys were for that are for one.
        alignment: what they had in common, and the place on it.
        screen: how a screen showed them, in plain values.
        looks: how each was looked at, as its viewer keeps it.
    """

    runs: tuple[tuple[Timeline, int], ...]
    hand: int
    alignment: Alignment
    place: Place
    screen: dict[str, Any]
    looks: tuple[dict[str, Any], ...]

    @property
    def in_hand(self) -> tuple[Timeline, int]:
        """Get the run in hand and its step."""
        return self.runs[self.hand]

    def index(self, run: Timeline) -> int | None:
        """Find a run among them."""
        return next((i for i, (each, _) in enumerate(self.runs) if each is run), None)

    def look(self, run: Timeline) -> dict[str, Any] | None:
        """Find how a run was looked at, None where it was not."""
        i = self.index(run)
        return self.looks[i] if i is not None and i < len(self.looks) else None

    def aligned(self, runs: Sequence[Timeline]) -> Alignment:
        """Align runs as these were; the same ones by the same clock."""
        same = all(self.index(run) is not None for run in runs)
        return self.alignment if same else alignment_named(self.alignment.name, runs)

    def keeps_place(self, alignment: Alignment) -> bool:
        """Tell whether the place is the same one on another alignment: time is counted anew by another clock."""
        timed = isinstance(alignment, ByTime) and alignment is not self.alignment
        return alignment.name == self.alignment.name and not timed
