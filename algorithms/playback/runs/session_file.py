"""SessionFile: where the runs of a session are kept, and what of them is not saved yet."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from algorithms.core import Refused
from algorithms.playback.comparison.side_by_side import SideBySide
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.cursor.player import SPEEDS, Player
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline.branches import Branch, Branches

if TYPE_CHECKING:
    from algorithms.saving.session import Opening, ReplayedRuns, Session


class Runs(Protocol):
    """What a file keeps of a session: its runs, where each is shown, and how they are looked at."""

    loaded: LoadedRun
    branches: Branches
    branch: Branch
    players: dict[Branch, Player]
    breakpoints: list[Breakpoint]
    viewer: Viewer
    whole: bool

    @property
    def side_by_side(self) -> SideBySide[Any]:
        """Get what it is compared with."""

    @property
    def player(self) -> Player:
        """Get the clock and cursor of the current run."""

    def shown_so(self, player: Player) -> Player:
        """Have a run shown as the others are."""


class SessionFile:
    """The file of a session.

    Attributes:
        path: where its runs were saved, None if they were not.
        origin: the file they were opened from, None if there was none.
        left_out: why runs that are compared are not in what was written last, a sentence a run.
    """

    def __init__(self) -> None:
        self.path: Path | None = None
        self.origin: Path | None = None
        self.left_out: list[str] = []
        self._saved: Any = ()  # what the file holds of what a person made

    def unsaved(self, session: Runs) -> str:
        """Name what would be lost: "2 forks and 1 breakpoint are not saved."; "" when nothing would."""
        forks = sum(len(each.branches.all) - 1 for each in session.side_by_side.sessions)
        breakpoints = len(session.breakpoints)
        if not (forks or breakpoints) or made_by_hand(session) == self._saved:
            return ""
        parts = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((forks, "fork"), (breakpoints, "breakpoint")) if n]
        return f"{' and '.join(parts)} {'is' if forks + breakpoints == 1 else 'are'} not saved."

    def proposed(self, session: Runs) -> Path:
        """Propose a file to save to: the one that the runs came from, or one named after them."""
        from algorithms.saving.session import default_name

        loaded = session.loaded
        return self.origin or Path(default_name(loaded.algorithm.name, loaded.recipe.name))

    def save(self, session: Runs, path: Path, screen: dict[str, Any]) -> None:
        """Write the runs, their cursors, the breakpoints and the view, also over a file that is there.

        Args:
            screen: what a screen adds to the view, in plain values.

        Raises:
            Refused: where they cannot be written, with the reason.
        """
        from algorithms.saving.session import write_session

        written = self.written(session, path, screen)
        write_session(written, path, overwrite=True)
        self.path, self._saved = path, made_by_hand(session)

    def written(self, session: Runs, path: Path, screen: dict[str, Any], *, digests: bool = True) -> "Session":
        """Describe the runs as a session that can be written to `path`; without digests of states it takes no time.

        Those of other sessions that are compared with them come along, as far as a file can hold them.
        """
        from algorithms.saving.session import together

        sessions = session.side_by_side.sessions
        session = session if session in sessions else sessions[0]  # the run that it had may have given its place
        own = _written(session, path, screen, digests)
        kept, beside = [session], []
        self.left_out = []
        for other in sessions:
            if other is not session:
                try:
                    beside.append(_beside(other, session, path, digests))
                    kept.append(other)
                except Refused as refusal:
                    self.left_out.append(f"{other.loaded.algorithm.title} is not in it: {refusal}".rstrip("."))
        from algorithms.playback.comparison.saved_comparison import saved_comparison

        compared = saved_comparison(session.side_by_side, kept)
        return own if compared is None else together(own, beside, compared)

    def forget(self) -> None:
        """Count what there is as unsaved, with no file of its own."""
        self.path, self.origin, self._saved = None, None, ()

    def keep(self, session: Runs) -> None:
        """Count what there is as kept, as by a lesson that makes it again."""
        self._saved = made_by_hand(session)

    def opened(self, session: Runs, opening: "Opening") -> None:
        """Count what there is as what a file holds."""
        self.path, self.origin, self._saved = None, opening.path, made_by_hand(session)


def take_over(session: Runs, opening: "ReplayedRuns") -> None:
    """Give a session the runs, cursors, breakpoints and view that were saved."""
    saved_session, view = opening.session, opening.session.view
    furthest = view.get("shown")
    session.whole = view.get("hidden") is not True
    session.branches, session.players = opening.branches, {}
    session.branch = opening.branch(saved_session.cursor.branch)
    for one in saved_session.branches:
        branch = opening.branch(one.name)
        known = furthest.get(one.name) if isinstance(furthest, dict) else None
        if known is not None or branch is session.branch:
            at = saved_session.cursor.t if branch is session.branch else one.cursor
            last = branch.timeline.last
            session.players[branch] = session.shown_so(_player_at(branch, min(at, last), whole_number(known, 0, last)))
    session.player.pace = whole_number(view.get("speed"), 0, len(SPEEDS) - 1, session.player.pace)
    off = view.get("breakpoints off")
    off = off if isinstance(off, list) else []
    session.breakpoints[:] = [Breakpoint(text, text not in off) for text in saved_session.breakpoints]
    session.viewer.watch(session.branch.timeline, (branch.timeline for branch in session.branches.all))
    session.viewer.restore(view)


def opened_of(opening: "ReplayedRuns") -> LoadedRun:
    """Give what a session opened as a command line would have."""
    timeline = opening.branches.root.timeline
    given = opening.session.view.get("given")
    known = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
    names = [name for name in known if name in timeline.parameters]
    parameters = {name: timeline.parameters[name] for name in names}
    changed = {p.name: timeline.parameters[p.name] for p in opening.algorithm.parameters}
    parameters |= {p.name: changed[p.name] for p in opening.algorithm.parameters if changed[p.name] != p.default}
    return LoadedRun(opening.algorithm, opening.source, timeline.data, parameters, opening.session.spec)


def whole_number(value: Any, least: int, most: int, otherwise: int = 0) -> int:
    """Read a whole number from a file, within its bounds."""
    return min(max(value, least), most) if type(value) is int else otherwise


def made_by_hand(session: Runs) -> Any:
    """Collect what a person made: the branches with their names, and the breakpoints."""
    trees = [each.branches.all for each in session.side_by_side.sessions]
    branches = [(branch, branch.name) for tree in trees if len(tree) > 1 for branch in tree]
    return branches, [(each.text, each.on) for each in session.breakpoints]


def _written(session: Runs, path: Path, screen: dict[str, Any], digests: bool) -> "Session":
    """Describe one session by itself."""
    from algorithms.saving.session import session_of

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


def _beside(other: Runs, session: Runs, path: Path, digests: bool) -> "Session":
    """Describe a session that is compared with another; `Refused` where opening the file would not have it again."""
    if other.loaded.algorithm.recorded:
        raise Refused("it is a recording, which is in a file already.")
    if other.loaded.spec not in ("", session.loaded.spec):
        raise Refused("it is of another file of your own, and a session runs one.")
    return replace(_written(other, path, {}, digests), breakpoints=())


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
    if not session.whole:
        view["hidden"] = True
    off = [each.text for each in session.breakpoints if not each.on]
    if off:
        view["breakpoints off"] = off
    return view | session.viewer.kept()
