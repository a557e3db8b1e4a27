"""The comparison as it was: kept when it is left, had again when it is gone back to, and with other runs in it."""

from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult

from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.timeline.branches import Branch
from tui.screens.compare.base import VIEWS, CompareBase
from tui.screens.run_screen import RunScreen
from tui.widgets.chart_and_numbers import ChartAndNumbers


class Returning(CompareBase):
    """Keeps how runs stand beside each other, and shows them so again."""

    def __init__(self, session: RunSession, compared: Sequence[ComparedRun]):
        super().__init__(session, compared)
        self.current = session.side_by_side.hand
        last_view = session.side_by_side.last_view
        self._seen: dict[str, Any] = {} if last_view is None else last_view.screen
        if self._seen.get("view") in ("all", *VIEWS):
            self.view = self._seen["view"]
        if self._seen.get("part") in ("chart", "numbers"):
            self.part = self._seen["part"]
        self.reads = self._seen.get("source") is True  # whether the source is shown
        self._restore_looks()

    def _restore_looks(self) -> None:
        """Look at each run as before; at a new one as at another that shares its planes."""
        last_view = self.session.side_by_side.last_view
        if last_view is None:
            return
        looks = [last_view.look(run.timeline) for run in self.compared]
        for viewer, own in zip(self.viewers, looks):
            kin = (look for other, look in zip(self.viewers, looks) if look and other.slices is viewer.slices)
            look = own or next(kin, None)
            if look:
                viewer.restore(look if look is own else {"plane": look.get("plane"), "zoomed": look.get("zoomed")})

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, ChartAndNumbers):
                widget.restore(self._seen)
            yield widget

    def on_mount(self) -> None:
        self.session.show_to(self)
        self.call_after_refresh(self.note_look)

    def note_look(self) -> None:
        if self.session.side_by_side.together is self.together and self.is_live:
            looks = [viewer.kept() for viewer in self.viewers]
            self.session.side_by_side.note(self.current, self.kept(), looks)

    def kept(self) -> dict[str, Any]:
        return super().kept() | {"source": self.reads} | self.query_one(ChartAndNumbers).kept()

    # The run in hand

    @property
    def home(self) -> tuple[RunSession, Branch]:
        """Get the session that the run in hand is one of, and its branch."""
        return self.session.home(self.compared[self.current].timeline)

    @property
    def session_in_hand(self) -> RunSession:
        return self.home[0]

    @property
    def further(self) -> list[ComparedRun]:
        """List the runs there are that do not stand here."""
        here = {id(run.timeline) for run in self.compared}
        there = self.session.side_by_side.candidates(self.compared[self.current].timeline)
        return [run for run in there if id(run.timeline) not in here]

    # Waiting, leaving, and other runs

    def go_on(self, elapsed: float) -> None:
        if not self.session.access.busy:  # while a fork is made in a thread
            super().go_on(elapsed)

    def pause(self) -> None:
        self.together.play(False)
        self.show_where()

    async def rest(self) -> None:
        """Stop, and wait until no thread works on a run any more."""
        self.together.cancel()
        await self.wait_for_threads()

    async def leave_for(self, action: str) -> None:
        """Go back to the run in hand, and do there what needs one run alone."""
        below = self.app.screen_stack[-2]
        await self.leave()
        below.call_after_refresh(below.run_action, action)

    async def leave(self) -> None:
        """Go back to the run in hand, at its step, when no thread works on a run any more."""
        self.note_look()
        await self.rest()
        if self.is_live:
            self.dismiss()

    def like_this(self, runs: Sequence[ComparedRun]) -> "Returning":
        """Make a screen of this kind for other runs."""
        return type(self)(self.session, runs)

    def show_runs(self, runs: Sequence[ComparedRun], hand: int, words: str = "") -> None:
        """Show other runs beside each other, seen as these are, with one of them in hand; tell what came of it."""
        if self.app.screen is not self:  # another screen has come meanwhile
            return
        self.note_look()
        side_by_side = self.session.side_by_side
        side_by_side.hand = hand
        screen = self.like_this([side_by_side.named(run) for run in runs])
        self.session.tell(words)
        self.app.switch_screen(screen)


def screen_below(screen: RunScreen) -> RunScreen | None:
    """Find the screen of one run that another stands over."""
    below = (each for each in screen.app.screen_stack if isinstance(each, RunScreen) and each is not screen)
    return next(below, None)
