"""A session replayed without a screen: a line a branch, with the first step that is not as it was saved."""

import sys
from collections.abc import Iterator

from algorithms.core.algorithm import Algorithm
from algorithms.core.text import counted, printable
from algorithms.saving.session import Opening, ReplayedRuns

_INSTEAD = "python -m algorithms replay {file} {spec}"


class Replay:
    """A session file, replayed to its end.

    Args:
        exact: whether rounding counts as well.

    Attributes:
        differs: whether a state is not as it was saved.
    """

    def __init__(self, path: str, algorithm: Algorithm | None, exact: bool = False):
        self._opening = Opening(path, algorithm, instead=_INSTEAD)
        self._exact = exact
        self.differs = False

    def lines(self) -> Iterator[str]:
        """Replay the session, then describe each branch in a line."""
        opening = self._opening
        opening.work()
        self.differs = bool(opening.differences) if self._exact else opening.differs
        for runs, title in ((opening, ""), *((each, f"{each.algorithm.title}, ") for each in opening.beside)):
            yield from (f"{printable(title)}{line}" for line in _lines_of(runs))
        if opening.differences and opening.moved:
            print(printable(f"It was saved with {opening.moved}."), file=sys.stderr)


def _lines_of(runs: ReplayedRuns) -> Iterator[str]:
    """Describe each branch of a tree in a line."""
    first = {mismatch.branch: mismatch.words for mismatch in runs.differences}  # more than rounding comes last
    for saved in runs.session.branches:
        run = runs.branch(saved.name).timeline
        steps = f"steps {run.begin} to {run.last}"
        words = first.get(saved.name) or f"as it was saved, at {counted(runs.compared[saved.name], 'step')} noted"
        yield printable(f"{saved.name}: {steps}: {words}")
