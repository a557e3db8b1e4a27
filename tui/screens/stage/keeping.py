"""Keeping what was made: saving a session, opening one, and asking before it would be lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.data.text import clean
from algorithms.playback.player import SPEEDS, Player
from algorithms.saving.session import Opening, default_name, session_of, write_session
from algorithms.timeline.branches import Branch, Branches
from tui.screens.breakpoints import Stop
from tui.screens.session import Leave, OpenSession, SaveSession
from tui.screens.stage.base import StageBase
from tui.widgets.side import Side


class Keeping(StageBase):
    """Keeping what was made: saving a session, opening one, and asking before it would be lost."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save the session"),
        Binding("ctrl+o", "open", "open a session"),
    ]

    stops: list[Stop]
    _kept_in: tuple[Branches, Path] | None = None  # which runs were saved, and where
    _came_from: tuple[Branches, Path] | None = None  # which were opened, and from where
    _kept: Any = ()  # what the saved file holds of what a person made
    _kept_view: dict[str, Any] | None = None  # how it is to be looked at, until there are widgets to be told

    # What there is to be kept

    @property
    def _kept_file(self) -> Path | None:
        """Where these very runs were saved, None if they were not."""
        return self._kept_in[1] if self._kept_in and self._kept_in[0] is self.branches else None

    @property
    def _keepable(self) -> Any:
        """What a person made: the branches by their names, and the breakpoints."""
        return [(branch, branch.name) for branch in self.branches.all], [(stop.text, stop.on) for stop in self.stops]

    @property
    def unsaved(self) -> str:
        """What would be lost, in words: "2 forks and 1 breakpoint are not saved."; "" when nothing would."""
        forks, stops = len(self.branches.all) - 1, len(self.stops)
        if not (forks or stops) or self._keepable == self._kept:
            return ""
        parts = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((forks, "fork"), (stops, "breakpoint")) if n]
        return f"{' and '.join(parts)} {'is' if forks + stops == 1 else 'are'} not saved."

    # Saving

    def action_save(self) -> None:
        """Save to where it was saved before; the first time, ask where."""
        if self.is_recording():
            return
        self.pause()
        if self._kept_file is not None:
            self._keep(self._kept_file)
        else:
            self._ask_file(lambda: None)

    def _ask_file(self, then: Callable[[], object]) -> None:
        path = Path(default_name(self.opened.algorithm.name, self.opened.recipe.name))
        if self._came_from and self._came_from[0] is self.branches:
            path = self._came_from[1]
        self.app.push_screen(SaveSession(path, self._kept_file), lambda path: self._keep(path, then) if path else None)

    def _keep(self, path: Path, then: Callable[[], object] = lambda: None) -> None:
        self.when_free(lambda: self._keep_now(path, then))

    def _keep_now(self, path: Path, then: Callable[[], object]) -> None:
        """Write it; the dialog has asked before it gives the name of a file that is there."""
        try:
            cursors = {branch.name: player.t for branch, player in self._players.items() if branch is not self.branch}
            session = session_of(
                self.branches,
                self.opened.recipe,
                path,
                shown=(self.branch, self.player.t),
                spec=self.opened.spec,
                cursors=cursors,
                breakpoints=[stop.text for stop in self.stops],
                view=self._view_now(),
            )
            write_session(session, path, overwrite=True)
        except Refused as refusal:
            self.tell(clean(f"not saved: {refusal}"))
            return
        self._kept_in, self._kept = (self.branches, path), self._keepable
        self.tell(clean(f"saved: {path}"))
        then()

    # Opening

    def action_open(self) -> None:
        self.pause()
        asking = OpenSession(self.opened.algorithm, self.opened.spec)
        self.app.push_screen(
            asking, lambda opening: self.unless_unsaved(self._open_session(opening)) if opening else None
        )

    def _open_session(self, opening: Opening) -> Callable[[], object]:
        return lambda: self.app.open_session(opening)  # type: ignore[attr-defined]

    def resume(self, opening: Opening) -> None:
        """Take over the runs of a session and how they were looked at; before the screen is shown."""
        session = opening.session
        view = session.view
        shown = _dict(view.get("shown"))
        self.branches, self._players = opening.branches, {}
        self.branch = opening.branch(session.cursor.branch)
        for one in session.branches:
            branch = opening.branch(one.name)
            if one.name in shown or branch is self.branch:
                at = session.cursor.t if branch is self.branch else one.cursor
                self._resume_branch(branch, at, _whole(shown.get(one.name), 0, branch.timeline.last))
        self.player.pace = _whole(view.get("speed"), 0, len(SPEEDS) - 1, self.player.pace)
        off = view.get("breakpoints off")
        self.stops = [Stop(text, not (isinstance(off, list) and text in off)) for text in session.breakpoints]
        self.arm()  # type: ignore[attr-defined]
        self._kept_view = view
        self._came_from, self._kept = (self.branches, opening.path), self._keepable
        self.viewer.watch(self.branch.timeline, (branch.timeline for branch in self.branches.all))
        self.viewer.restore(view)
        same = "as it was saved" if not opening.differences else "as it runs here"
        self._notice = clean(f"{opening.file}: {same}")

    def _resume_branch(self, branch: Branch, at: int, furthest: int) -> None:
        at = min(at, branch.timeline.last)
        apart = self.opened.algorithm.apart  # what has to be asked of another process is waited for in a thread
        self._players[branch] = player = Player(branch.timeline, at=branch.begin if apart else max(furthest, at))
        player.seek(at)
        if not apart:
            player.work(1.0)

    def on_mount(self) -> None:
        if self._kept_view is not None:
            self.query_one(Side).restore(_dict(self._kept_view.get("side")))
            rows = self._kept_view.get("source rows")
            if rows is not None:
                self._source_rows = _whole(rows, 0, 100)
            self._kept_view = None

    def _view_now(self) -> dict[str, Any]:
        """How it is looked at, in plain values."""
        view: dict[str, Any] = {
            "speed": self.player.pace,
            "given": list(self.opened.parameters),
            "shown": {branch.name: player.furthest for branch, player in self._players.items()},
            "side": self.query_one(Side).kept(),
        }
        off = [stop.text for stop in self.stops if not stop.on]
        if off:
            view["breakpoints off"] = off
        if self._source_rows is not None:
            view["source rows"] = self._source_rows
        return view | self.viewer.kept()

    # Leaving

    def unless_unsaved(self, leave: Callable[[], object]) -> None:
        """Leave this run; when something was made of it that is not saved, ask what to do."""
        unsaved = self.unsaved
        if not unsaved:
            leave()
            return

        def answered(answer: str | None) -> None:
            if answer == "leave":
                leave()
            elif answer == "save":
                self._keep(self._kept_file, leave) if self._kept_file is not None else self._ask_file(leave)

        self.pause()
        self.app.push_screen(Leave(unsaved), answered)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _whole(value: Any, least: int, most: int, otherwise: int = 0) -> int:
    """A whole number from a file, within its bounds."""
    return min(max(value, least), most) if type(value) is int else otherwise
