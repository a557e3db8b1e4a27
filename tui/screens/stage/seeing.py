"""What the eye can see: the next step that changes it, and what the algorithm is compared with."""

from contextlib import suppress
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
        viewer = self.viewer
        if self.loaded.algorithm.compared is None:
            self.refuse("nothing is known here that this one could be compared with on the stage")
        elif viewer.compares:
            viewer.compares = False
            self.redraw()
            self.tell("what it is compared with is off the stage")
        elif names := self._names_of_compared():
            viewer.compares = True
            self.redraw()
            self.tell(f"on the stage, too: {names}; O takes it away")
        else:
            self.refuse("these rows have nothing that it could be compared with on the stage")

    def _names_of_compared(self) -> str:
        """Name what it is compared with, "" where these rows have no such thing, or it cannot be worked out."""
        compared, run = self.loaded.algorithm.compared, self.player.timeline
        assert compared is not None
        with suppress(Exception):  # a hook must not take the screen down
            marks = compared(run.problem_at(self.player.t), self.player.frame.state)
            return ", ".join(name for mark in marks if (name := getattr(mark, "name", "")))
        return ""

    def action_seen_step(self) -> None:
        self.pause()
        self.session.when_free(self._begin_search)

    def _begin_search(self) -> None:
        t = self.player.t
        if self.loaded.algorithm.apart:
            self.tell("looking for a step at which the stage is another")
        self._go_on_with(_Search(t, t, b"", perf_counter() + _LONGEST))

    def _look_of(self, t: int) -> bytes:
        """Give how the stage looks at a step, as far as it is drawn; a step that is not kept looks like nothing."""
        stage, frame = self.query_one(Stage), self.player.timeline.at(t)
        return b"" if frame.t != t else stage.looks_of(self.viewer.picture(frame, *stage.room, stage_only=True))

    def _go_on_with(self, search: _Search) -> None:
        """Look at the steps that come, for a moment; then the keys have theirs. Aside, where looking may take long."""
        if not self.is_live or self.player.t != search.begun:  # somebody went elsewhere
            return
        access = self.session.access

        def go_on(found: tuple[int, str] | None) -> None:
            if self.loaded.algorithm.apart:
                access.busy = False
                access.free()
            if not self.is_live or self.player.t != search.begun:
                return
            if found is None:
                self.set_timer(_PAUSE, lambda: self.session.when_free(lambda: self._go_on_with(search)))
                return
            self.player.seek(found[0])
            self.act()
            if found[1]:
                self.tell(found[1])

        if self.loaded.algorithm.apart:
            access.take()
            self.session.audience.aside(lambda: self._looked(search), go_on)
        else:
            go_on(self._looked(search))

    def _looked(self, search: _Search) -> tuple[int, str] | None:
        """Look for a moment: the step to go to, with what is to be told; None where it is not found yet."""
        run, moment = self.player.timeline, perf_counter() + _SLICE
        search.cells = search.cells or self._look_of(search.at)
        while perf_counter() < moment:
            if search.at >= run.last and not run.advance(1, _SLICE):
                if run.stopped is None and perf_counter() < search.until:  # it is made elsewhere, and slower than asked
                    return None
                return search.at, "to the end nothing looks different" if run.stopped else "nothing more is made yet"
            search.at += 1
            looks = self._look_of(search.at)
            if looks and looks != search.cells:
                return search.at, ""
        if perf_counter() > search.until:
            return search.at, f"nothing has looked different since step {search.begun:,}; S looks on"
        return None
