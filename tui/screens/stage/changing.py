"""Changes of the data or of the state: each is a fork from the step in hand, and can be undone."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from algorithms.data.text import clean
from algorithms.timeline.branches import Branch, Change
from tui.screens.stage.forking import Forking


class Changing(Forking):
    """Changes of the data or of the state. Those made one after another at one step are one fork, until it runs on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "undo the last edit"),
    ]

    _growing: Branch | None = None  # the fork that changes are added to
    _before: tuple[Change, ...] = ()  # what it was before each of them

    def begin(self, *args: Any, **kwargs: Any) -> None:
        self._growing, self._before = None, ()
        super().begin(*args, **kwargs)

    def change(self, change: Change, words: str) -> None:
        """Fork from the step in hand with a change, or add it to the fork that was begun here by others.

        Edits are to the data that are shown. What cannot be done is told; then everything stays as it is.
        """
        branch, t = self.branch, self.player.t
        self.when_free(lambda: self._change(branch, t, change, words))

    def _change(self, branch: Branch, t: int, change: Change, words: str) -> None:
        if branch is not self.branch or t != self.player.t:  # it went on while the step was waited for
            return
        if self._grows():
            was = branch.change
            both = Change(was.parameters, (*was.edits, *change.edits), was.state | change.state)
            self._remake(branch, both, (*self._before, was), words)
        else:
            self.obtain(
                lambda: self.branches.fork(branch, t, change), lambda made: self._show_change(made, t, (), words)
            )

    def _remake(self, branch: Branch, change: Change, before: tuple[Change, ...], words: str) -> None:
        """Put a run with another change in the place of the fork in hand, which never went on."""
        self.obtain(
            lambda: self.branches.remake(branch, change),
            lambda made: self._show_change(made, branch.begin, before, words),
        )

    def _grows(self) -> bool:
        """Whether a change is added to the run in hand: it was begun by changes at this step and never went on."""
        branch, player = self.branch, self.player
        here = player.t == branch.begin >= player.furthest
        return branch is self._growing and here and not branch.children

    def _show_change(self, made: Branch, t: int, before: tuple[Change, ...], words: str) -> None:
        """Take in hand a fork that was begun by a change at step t."""
        self._growing, self._before = made, before
        self._select(made, made.begin)
        self._forget_deleted()
        if made.timeline.from_start:
            words = f"{words}; {clean(made.timeline.from_start).rstrip('.')}"
        elif made.begin != t:
            words = f"{words}, from step {made.begin:,}, the last sound place"
        self.tell(f"{words}; u undoes it, tab is the other run")

    def action_undo(self) -> None:
        self.when_free(self._undo)

    def _undo(self) -> None:
        branch = self.branch
        if self._grows() and self._before:
            *before, last = self._before
            self._remake(branch, last, tuple(before), "the last edit is undone")
        elif branch.parent is None or not (branch.change.edits or branch.change.state):
            self.tell("nothing to undo: this run was not begun by an edit")
        else:
            grows = self._grows()
            if grows:
                self.branches.delete(branch)
            self._select(branch.parent, branch.parent.timeline.nearest_entry(branch.at))
            self._forget_deleted()
            stays = "" if grows else f"; {clean(branch.name)} stays, B has all runs"
            self.tell(f"undone: back in {clean(self.branch.name)}{stays}")
