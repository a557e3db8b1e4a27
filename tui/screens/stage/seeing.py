"""What the eye can see: the next step that changes it, and what the algorithm is compared with."""

from time import perf_counter
from typing import ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType

from tui.screens.stage.base import StageBase
from tui.widgets.stage import Stage

_SLICE, _PAUSE = 0.025, 0.005  # seconds that are looked at once, and then given to the keys
_LONGEST = 10.0  # seconds that it is looked for


class _Search(Struct):
    """A search for a step that looks different.

    Attributes:
        begun, at: the step it began at, and the one that was looked at last.
        cells: how the stage looked there, first of all.
        until: when it is given up.
    """

    begun: int
    at: int
    cells: bytes
    until: float


class Seeing(StageBase):
    """Going to the next step that looks different, and putting what it is compared with on the stage."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("S", "seen_step", "to the next step at which the stage looks different"),
        Binding("O", "compared", "what it is compared with, on the stage or not"),
    ]

    def action_compared(self) -> None:
        """Put what the algorithm is compared with on the stage, or take it away."""
        compared, viewer = self.loaded.algorithm.compared, self.viewer
        if compared is None:
            self.refuse("nothing is known here that this one could be compared with on the stage")
            return
        viewer.compares = not viewer.compares
        marks = compared(self.player.timeline.problem_at(self.player.t), self.player.frame.state)
        names = ", ".join(name for mark in marks if (name := getattr(mark, "name", "")))
        self.redraw()
        if viewer.compares:
            self.tell(f"on the stage, too: {names}; O takes it away" if names else "these rows have none: see above")

    def action_seen_step(self) -> None:
        self.pause()
        self.session.when_free(self._begin_search)

    def _begin_search(self) -> None:
        t = self.player.t
        self._go_on_with(_Search(t, t, self._look_of(t), perf_counter() + _LONGEST))

    def _look_of(self, t: int) -> bytes:
        """Give how the stage looks at a step, as far as it is drawn; a step that is not kept looks like nothing."""
        stage, frame = self.query_one(Stage), self.player.timeline.at(t)
        return b"" if frame.t != t else stage.looks_of(self.viewer.picture(frame, *stage.room, stage_only=True))

    def _go_on_with(self, search: _Search) -> None:
        """Look at the steps that come, for a moment; then the keys have theirs."""
        if not self.is_live or self.player.t != search.begun:  # somebody went elsewhere
            return
        run, moment = self.player.timeline, perf_counter() + _SLICE
        while perf_counter() < moment:
            if search.at >= run.last and not run.advance(1, _SLICE):
                self._found(
                    search.at, "to the end nothing looks different" if run.stopped else "nothing more is made yet"
                )
                return
            search.at += 1
            looks = self._look_of(search.at)
            if looks and looks != search.cells:
                self._found(search.at)
                return
        if perf_counter() > search.until:
            self._found(search.at, f"nothing has looked different since step {search.begun:,}; S looks on")
        else:
            self.set_timer(_PAUSE, lambda: self._go_on_with(search))

    def _found(self, t: int, words: str = "") -> None:
        self.player.seek(t)
        self.act()
        if words:
            self.tell(words)
