"""Other futures: forks of the run in hand, and going between the runs there are."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.data.text import clean
from algorithms.timeline.branches import Branch, Change
from tui.screens.fork import Fork
from tui.screens.runs import Runs
from tui.screens.stage.base import StageBase
from tui.widgets.track import Track


class Forking(StageBase):
    """Other futures: forks of the run in hand, and going between the runs there are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fork", "fork from this step"),
        Binding("tab", "other_run(1)", "next run, same step"),
        Binding("shift+tab", "other_run(-1)", "run before, same step"),
        Binding("B", "runs", "all runs"),
    ]

    def fork(self, at: int, change: Change, name: str = "") -> None:
        """Make a run that differs from the one in hand from step `at` on, take it in hand and show it.

        What cannot be changed is told; then everything stays as it is.
        """
        branch = self.branch
        self.when_free(lambda: self._fork(branch, at, change, name))

    def _fork(self, branch: Branch, at: int, change: Change, name: str) -> None:
        self.obtain(lambda: self.branches.fork(branch, at, change, name), lambda made: self._forked(made, at))

    def obtain(self, make: Callable[[], Branch], made: Callable[[Branch], None]) -> None:
        """Make a fork, in a thread where that may take long, and go on with it; or tell why there is none."""

        def go_on(found: Branch | Refused) -> None:
            self._busy = False
            if isinstance(found, Refused):
                self.tell(clean(found))
            else:
                made(found)

        if not self.opened.algorithm.apart:
            go_on(self._made(make))
            return
        self.tell("forking it")
        self._busy = True
        self.run_worker(lambda: self.app.call_from_thread(go_on, self._made(make)), thread=True, name="fork")

    def _made(self, make: Callable[[], Branch]) -> Branch | Refused:
        """A fork with its player, or why there is none."""
        try:
            made = make()
        except Refused as refusal:
            return refusal
        try:
            self.player_of(made)
        except Refused as refusal:
            self.branches.delete(made)
            return refusal
        return made

    def _forked(self, made: Branch, at: int) -> None:
        """Take a fork in hand and tell where it begins."""
        self._select(made, made.begin)
        where = f"forked at step {made.begin:,}"
        if made.timeline.from_start:
            where = clean(made.timeline.from_start).rstrip(".")
        elif made.begin != at:
            where += f", the last sound place before step {at:,}"
        self.tell(f"{where}; tab goes to the other run")

    def select(self, branch: Branch, t: int | None = None) -> None:
        """Take a run in hand, at step t, or at the step of the one that was; beyond its end, at its end."""
        self.when_free(lambda: self._select(branch, t))

    def _select(self, branch: Branch, t: int | None = None) -> None:
        if branch not in self.branches.all:  # deleted while it was waited for
            return
        before, playing = self.player, self.player.playing
        before.cancel()
        self.branch = branch
        player = self.player
        player.pace = before.pace
        t = before.t if t is None else t
        if player.t != t:
            player.meet(t)
            if not player.slow:
                player.work(0.03)
        player.playing = playing and not player.at_end
        self.viewer.watch(branch.timeline, (b.timeline for b in self.branches.all))
        self._notice = ""
        self.redraw()

    def action_fork(self) -> None:
        if self.is_recording():
            return
        run = self.branch.timeline
        if not run.resumes:
            self.tell(
                "no fork: this run keeps what it goes on from to itself; a generator that takes a state has forks"
            )
            return
        if not run.algorithm.parameters:
            self.tell("no fork: this algorithm has no parameters that could be changed")
            return
        self.pause()
        at = self.player.t
        form = Fork(self.branches, self.branch, at)
        self.app.push_screen(form, lambda asked: self.fork(at, *asked) if asked else None)

    def action_other_run(self, by: int) -> None:
        runs = self.branches.all
        if len(runs) == 1:
            self.tell("there is one run; f makes a second one from this step")
        else:
            self.select(runs[(runs.index(self.branch) + by) % len(runs)])

    def action_runs(self) -> None:
        self.pause()
        self.app.push_screen(Runs(self.branches, self.branch, lambda: self._go_to_run(None)), self._go_to_run)

    def _go_to_run(self, chosen: Branch | None) -> None:
        """The run that was chosen; without one, that in hand, or what is left of it when it was deleted."""
        runs = self.branches.all
        self.select(chosen or next(b for b in reversed(self.branch.path) if b in runs))
        self.when_free(self._forget_deleted)

    def _forget_deleted(self) -> None:
        runs = self.branches.all
        self._players = {branch: player for branch, player in self._players.items() if branch in runs}

    def on_track_chosen(self, message: Track.Chosen) -> None:
        self.select(message.branch, message.t)
