"""What hands have made of runs, to be compared with what is offered again after an end that was not in order."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from algorithms import Opening, Refused
from algorithms.core.state import same
from algorithms.playback.runs.run_session import RunSession
from algorithms.saving.runlog import LoggedRun
from algorithms.timeline.branches import Branch, Branches


class Fork(Struct, frozen=True):
    """A run of a tree: where it was forked, and what was changed."""

    name: str
    parent: str
    at: int
    begin: int
    differs: str

    @classmethod
    def of(cls, branch: Branch) -> "Fork":
        return cls(branch.name, branch.parent.name if branch.parent else "", branch.at, branch.begin, branch.differs)


class Made(Struct, frozen=True):
    """The forks and breakpoints of all runs that a file can hold.

    Attributes:
        trees: of each algorithm that was forked, its runs.
        breakpoints: each with whether it is on.
        unsaved: what the app said would be lost.
        refusal: why no file can hold it; "" where one can.
    """

    trees: list[tuple[str, list[Fork]]] = []
    breakpoints: list[tuple[str, bool]] = []
    unsaved: str = ""
    refusal: str = ""

    @classmethod
    def of(cls, session: RunSession) -> "Made":
        """Collect what was made in the runs in hand and those beside them."""
        refusal = ""
        try:
            session.file.written(session, Path.cwd() / "any.json", {}, digests=False)
        except Refused as refused:
            refusal = str(refused)
        trees = [(each.loaded.algorithm.name, each.branches) for each in held(session)]
        return cls(_forked(trees), [(each.text, each.on) for each in session.breakpoints], session.unsaved, refusal)

    @classmethod
    def opened(cls, opening: Opening) -> "Made":
        """Collect what a session has that was replayed."""
        trees = [(each.algorithm.name, each.branches) for each in (opening, *opening.beside)]
        off = opening.session.view.get("breakpoints off", ())
        return cls(_forked(trees), [(text, text not in off) for text in opening.session.breakpoints])

    def lost(self, other: "Made") -> str:
        """Say what of this is not in the other, which was opened; "" when all is."""
        said = [f"{what} was {mine}, is {theirs}" for what, mine, theirs in (
            ("trees", self.trees, other.trees), ("breakpoints", self.breakpoints, other.breakpoints)
        ) if mine != theirs]  # fmt: skip
        return "; ".join(said)

    def encoded(self) -> bytes:
        return msgspec.json.encode(self)


def held(session: RunSession) -> list[RunSession]:
    """List the sessions that a file of this one can hold: no recordings, and none of another file of a reader's own."""
    own = session.loaded.spec
    return [
        each
        for each in session.side_by_side.sessions
        if not isinstance(each.loaded.algorithm, LoggedRun) and each.loaded.spec in ("", own)
    ]


def _forked(trees: list[tuple[str, Branches]]) -> list[tuple[str, list[Fork]]]:
    forked = [(name, [Fork.of(branch) for branch in tree.all]) for name, tree in trees if len(tree.all) > 1]
    return sorted(forked, key=repr)  # two trees of one algorithm too


def replayed(path: Path, algorithm: Any = None) -> Opening:
    """Open what was rescued and run it again, as the next start would.

    Args:
        algorithm: the one it is of, for a reader's own file, which is loaded here if it is not given.
    """
    opening = Opening(path, algorithm)
    opening.work()
    return opening


def states_apart(session: RunSession, opening: Opening) -> list[str]:
    """Compare the state at the last step that was replayed of each run with what was there; of two runs of one name,
    as of one algorithm opened twice, with both."""
    there: dict[tuple[str, str], list[Branch]] = {}
    for each in held(session):
        for branch in each.branches.all:
            there.setdefault((each.loaded.algorithm.name, branch.name), []).append(branch)
    apart = []
    for one in (opening, *opening.beside):
        for branch in one.branches.all:
            mine = there.get((one.algorithm.name, branch.name), [])
            if mine and not any(_alike(each, branch) for each in mine):
                apart.append(f"{one.algorithm.name}, {branch.name}: another state at step {branch.timeline.last}")
    return apart


def _alike(mine: Branch, theirs: Branch) -> bool:
    t = min(theirs.timeline.last, mine.timeline.last)
    return same(mine.timeline.at(t).state, theirs.timeline.at(t).state)
