"""The end: what it leaves open, and what to try next."""

import shlex
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.first_screen import ask_for
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import parsed, requested
from tui.screens.stage.base import StageBase

_KEYS = ("T", "U")
_PHASE = 16  # columns of the phase that stands before it


class Ending(StageBase):
    """The end: what it leaves open, and what to try next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("T", "try_next(0)", "at the end: try what is named there"),
        Binding("U", "try_next(1)", "at the end: try the other"),
    ]

    _compared: tuple[LoadedRun, tuple[bool, ...]] | None = None  # of which run, what is in hand

    def notice_for(self, picture: Picture) -> str:
        """Choose the notice, or else at a true end what it leaves open and what to try next."""
        notice, one = super().notice_for(picture), self.loaded.algorithm
        if notice or not self._is_end(picture):
            return notice
        if self.on_page:  # where nothing can be tried
            return one.leaves_open
        tried = zip(_KEYS, one.tries, self._in_hand)
        named = ", ".join(f"{key} {words}" for key, (words, _), in_hand in tried if not in_hand)
        tries = f"Try next: {named}." if named else ""
        whole = f"{one.leaves_open} {tries}".strip()
        fits = len(whole) <= self.size.width - _PHASE  # in one row: what came out comes first
        return whole if fits else tries

    @property
    def _in_hand(self) -> tuple[bool, ...]:
        """Tell of each thing to try whether it is the run that is shown; a fork is none of them."""
        run = self.loaded
        if self.shown.branch.parent is not None:
            return (False,) * len(run.algorithm.tries)
        if self._compared is None or self._compared[0] is not run:
            self._compared = run, tuple(_asks_for(words, run) for _, words in run.algorithm.tries)
        return self._compared[1]

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
        if self._in_hand[which]:
            self.refuse(f"{tries[which][0]}: this is the run in hand already")
            return
        opened = requested([self.loaded.algorithm.name, *shlex.split(tries[which][1])]).opened
        assert opened is not None
        self.host.watch_run(opened)


def _asks_for(words: str, run: LoadedRun) -> bool:
    """Tell whether what follows an algorithm's name on a command line makes this run of it."""
    try:
        return not run.own and ask_for(parsed([run.algorithm.name, *shlex.split(words)]), run)
    except Refused:
        return False
