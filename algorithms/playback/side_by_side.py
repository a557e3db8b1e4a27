"""SideBySide: the runs that a session compares, or compared last."""

from collections.abc import Iterator, Sequence

from algorithms.core import Algorithm
from algorithms.data.text import clean
from algorithms.playback.alignment import BySteps
from algorithms.playback.compare_player import ComparePlayer
from algorithms.playback.compared_run import LETTERS, MOST, ComparedRun
from algorithms.playback.player import Player
from algorithms.timeline.branches import Branch


class SideBySide:
    """Runs beside each other.

    Attributes:
        runs: those that were compared last, () before the first time.
        together: their common clock and cursor, None while they are not shown.
    """

    def __init__(self) -> None:
        self.runs: tuple[ComparedRun, ...] = ()
        self.together: ComparePlayer | None = None
        self._brought: list[ComparedRun] = []  # those that are no branches

    def begin(self, runs: Sequence[ComparedRun], branches: Sequence[Branch], player: Player) -> ComparePlayer:
        """Show runs beside each other, from the step where a player is or is going, and at its speed."""
        own = {id(branch.timeline) for branch in branches}
        self.runs, self._brought = tuple(runs), [run for run in runs if id(run.timeline) not in own]
        self.together = ComparePlayer([Player(run.timeline) for run in runs], BySteps(), player.pace)
        goal = player.goal
        t = player.t if goal is None or goal.position is None else goal.position
        if t:
            self.together.seek(t)
            self.together.work(0.5)
        return self.together

    def end(self, branch: Branch) -> int | None:
        """Show one run again; at which step it stood beside the others, None where it was not among them."""
        together, self.together = self.together, None
        lanes = together.lanes if together is not None else []
        return next((lane.player.t for lane in lanes if lane.run is branch.timeline), None)

    def candidates(self, branches: Sequence[Branch]) -> list[ComparedRun]:
        """List the runs that can be compared: the branches, and those that the last comparison brought in."""
        several = len(branches) > 1
        return [
            *(ComparedRun(clean(branch.name) if several else "", branch.timeline) for branch in branches),
            *self._brought,
        ]

    def again(self, branches: Sequence[Branch]) -> list[ComparedRun]:
        """List the runs of the last comparison, the first branch before all, where it brought some in."""
        if not self._brought:
            return []
        known = {id(run.timeline) for run in self.runs}
        first, *others = self.candidates(branches)
        return [first, *(run for run in others if id(run.timeline) in known)][:MOST]

    def watched(self) -> Iterator[tuple[str, Algorithm]]:
        """List the algorithms, each with the letter that its notices begin with."""
        for letter, run in zip(LETTERS, self.runs):
            yield f"{letter}: ", run.timeline.algorithm
