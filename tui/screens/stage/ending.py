"""The end: what it leaves open, and what to try next."""

import shlex
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.request import requested
from tui.screens.stage.base import StageBase

_KEYS = ("T", "U")
_PHASE = 16  # columns of the phase that stands before it


class Ending(StageBase):
    """The end: what it leaves open, and what to try next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("T", "try_next(0)", "at the end: try what is named there"),
        Binding("U", "try_next(1)", "at the end: try the other"),
    ]

    def notice_for(self, picture: Picture) -> str:
        """Choose the notice, or else at a true end what it leaves open and what to try next."""
        notice, one = super().notice_for(picture), self.loaded.algorithm
        if notice or not self._is_end(picture):
            return notice
        if self.on_page:  # where nothing can be tried
            return one.leaves_open
        named = ", ".join(f"{key} {words}" for key, (words, _) in zip(_KEYS, one.tries))
        tries = f"Try next: {named}." if named else ""
        whole = f"{one.leaves_open} {tries}".strip()
        fits = len(whole) <= self.size.width - _PHASE  # in one row: what came out comes first
        return whole if fits else tries

    def _is_end(self, picture: Picture) -> bool:
        """Tell whether a picture is of the last step of a run that has ended as it says."""
        stopped = picture.stopped
        return stopped is not None and not stopped.wrong and picture.frame.t == self.player.timeline.last

    def action_try_next(self, which: int) -> None:
        """Open what is named at the end, in place of this run."""
        tries = self.loaded.algorithm.tries
        if which >= len(tries) or self.picture is None or not self._is_end(self.picture):
            self.refuse("where a run has ended, T and U try what is named there")
            return
        opened = requested([self.loaded.algorithm.name, *shlex.split(tries[which][1])]).opened
        assert opened is not None
        self.host.watch_run(opened)
