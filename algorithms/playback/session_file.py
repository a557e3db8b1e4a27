"""SessionFile: where the runs of a session are kept, and what of them is not saved yet."""

from pathlib import Path
from typing import Any, Protocol

from algorithms.playback.breakpoints import Breakpoint
from algorithms.playback.loaded_run import LoadedRun
from algorithms.playback.player import SPEEDS, Player
from algorithms.playback.viewer import Viewer
from algorithms.saving.session import Opening, Session, default_name, session_of, write_session
from algorithms.timeline.branches import Branch, Branches


class Runs(Protocol):
    """What a file keeps of a session: its runs, where each is shown, and how they are looked at."""

    loaded: LoadedRun
    branches: Branches
    branch: Branch
    players: dict[Branch, Player]
    breakpoints: list[Breakpoint]
    viewer: Viewer

    @property
    def player(self) -> Player:
        """Get the clock and cursor of the current run."""


class SessionFile:
    """The file of a session.

    Attributes:
        path: where its runs were saved, None if they were not.
        origin: the file they were opened from, None if there was none.
    """

    def __init__(self) -> None:
        self.path: Path | None = None
        self.origin: Path | None = None
        self._saved: Any = ()  # what the file holds of what a person made

    def unsaved(self, session: Runs) -> str:
        """Name what would be lost: "2 forks and 1 breakpoint are not saved."; "" when nothing would."""
        forks, breakpoints = len(session.branches.all) - 1, len(session.breakpoints)
        if not (forks or breakpoints) or made_by_hand(session) == self._saved:
            return ""
        parts = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((forks, "fork"), (breakpoints, "breakpoint")) if n]
        return f"{' and '.join(parts)} {'is' if forks + breakpoints == 1 else 'are'} not saved."

    def proposed(self, session: Runs) -> Path:
        """Propose a file to save to: the one that the runs came from, or one named after them."""
        loaded = session.loaded
        return self.origin or Path(default_name(loaded.algorithm.name, loaded.recipe.name))

    def save(self, session: Runs, path: Path, screen: dict[str, Any]) -> None:
        """Write the runs, their cursors, the breakpoints and the view, also over a file that is there.

        Args:
            screen: what a screen adds to the view, in plain values.

        Raises:
            Refused: where they cannot be written, with the reason.
        """
        written = self.written(session, path, screen)
        write_session(written, path, overwrite=True)
        self.path, self._saved = path, made_by_hand(session)

    def written(self, session: Runs, path: Path, screen: dict[str, Any], *, digests: bool = True) -> Session:
        """Describe the runs as a session that can be written to `path`; without digests of states it takes no time."""
        return session_of(
            session.branches,
            session.loaded.recipe,
            path,
            shown=(session.branch, session.player.t),
            spec=session.loaded.spec,
            cursors={branch.name: at.t for branch, at in session.players.items() if branch is not session.branch},
            breakpoints=[each.text for each in session.breakpoints],
            view=_view(session) | screen,
            digests=digests,
        )

    def forget(self) -> None:
        """Count what there is as unsaved, with no file of its own."""
        self.path, self.origin, self._saved = None, None, ()

    def resume(self, session: Runs, opening: Opening) -> None:
        """Give a session the runs, cursors, breakpoints and view that were saved."""
        saved_session, view = opening.session, opening.session.view
        furthest = view.get("shown")
        session.branches, session.players = opening.branches, {}
        session.branch = opening.branch(saved_session.cursor.branch)
        for one in saved_session.branches:
            branch = opening.branch(one.name)
            known = furthest.get(one.name) if isinstance(furthest, dict) else None
            if known is not None or branch is session.branch:
                at = saved_session.cursor.t if branch is session.branch else one.cursor
                last = branch.timeline.last
                session.players[branch] = _player_at(branch, min(at, last), whole_number(known, 0, last))
        session.player.pace = whole_number(view.get("speed"), 0, len(SPEEDS) - 1, session.player.pace)
        off = view.get("breakpoints off")
        off = off if isinstance(off, list) else []
        session.breakpoints[:] = [Breakpoint(text, text not in off) for text in saved_session.breakpoints]
        session.viewer.watch(session.branch.timeline, (branch.timeline for branch in session.branches.all))
        session.viewer.restore(view)
        self.path, self.origin, self._saved = None, opening.path, made_by_hand(session)


def whole_number(value: Any, least: int, most: int, otherwise: int = 0) -> int:
    """Read a whole number from a file, within its bounds."""
    return min(max(value, least), most) if type(value) is int else otherwise


def made_by_hand(session: Runs) -> Any:
    """Collect what a person made: the branches with their names, and the breakpoints."""
    branches = [(branch, branch.name) for branch in session.branches.all]
    return branches, [(each.text, each.on) for each in session.breakpoints]


def _player_at(branch: Branch, t: int, furthest: int) -> Player:
    """Make the player of a branch that was shown up to `furthest`, on its way to step t."""
    apart = branch.timeline.algorithm.apart  # what has to be asked of another process is waited for in a thread
    player = Player(branch.timeline, at=branch.begin if apart else max(furthest, t))
    player.seek(t)
    if not apart:
        player.work(1.0)
    return player


def _view(session: Runs) -> dict[str, Any]:
    """Describe how the runs are looked at, in plain values."""
    view: dict[str, Any] = {
        "speed": session.player.pace,
        "given": list(session.loaded.parameters),
        "shown": {branch.name: player.furthest for branch, player in session.players.items()},
    }
    off = [each.text for each in session.breakpoints if not each.on]
    if off:
        view["breakpoints off"] = off
    return view | session.viewer.kept()
