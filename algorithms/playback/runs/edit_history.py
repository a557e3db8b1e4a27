"""EditHistory: the edits made one after another at one step, which are one fork until it runs on."""

from algorithms.playback.cursor.player import Player
from algorithms.timeline.branches import Branch, Change


class EditHistory:
    """The fork that edits are added to, and what it was before each of them."""

    def __init__(self, branch: Branch | None = None, before: tuple[Change, ...] = ()):
        self._branch, self._before = branch, before

    def grows(self, branch: Branch, player: Player) -> bool:
        """Tell whether an edit is added to a branch: it was begun by edits at this step and never went on."""
        here = player.t == branch.begin >= player.furthest
        return branch is self._branch and here and not branch.children

    def began(self, branch: Branch) -> bool:
        """Tell whether a branch was begun by the edits made last."""
        return branch is self._branch

    def joined(self, branch: Branch, change: Change) -> tuple[Change, tuple[Change, ...]]:
        """Join a change to that of a branch; with it, what the branch was before each edit."""
        was = branch.change
        both = Change(was.parameters | change.parameters, (*was.edits, *change.edits), was.state | change.state)
        return both, (*self._before, was)

    def undone(self) -> tuple[Change, tuple[Change, ...]] | None:
        """Take the last edit off the change, and what was before; None where that was the first."""
        if not self._before:
            return None
        *before, last = self._before
        return last, tuple(before)
