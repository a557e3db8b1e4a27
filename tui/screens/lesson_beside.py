"""What a moment of a lesson shows over its run, with the text beside it: runs side by side, or the ends of many."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen

from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.lessons.reader import Reader
from algorithms.playback.lessons.saying import Piece
from algorithms.playback.runs.in_front import InFront
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.sweeps.swept_runs import SweptRuns
from algorithms.timeline import Timeline
from tui.screens.compare import CompareScreen
from tui.screens.sweep import SweepScreen
from tui.widgets.keys import Keys
from tui.widgets.lesson_text import LessonText

MOMENTS = (("pgdn", "next", "app.moment(1)"), ("pgup", "before", "app.moment(-1)"))
_WIDE, _TEXT = 160, 50  # columns from which on the text stands at the left, and how many it has there
_LEAST = 14  # rows that are kept above the text


class Told(Struct, frozen=True, eq=False):
    """What is said at a moment.

    Attributes:
        reader: who is at it.
        said: its paragraphs, filled in.
        front: what is to be in front.
        ended: whether the run has ended there.
    """

    reader: Reader
    said: list[list[Piece]]
    front: InFront = InFront()
    ended: bool = False


class WithText(Screen[Any]):
    """A screen with the text of a moment at its left, or below it where that would leave too little."""

    told: Told
    taken = (0, 0)  # columns and rows that the text has

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, Keys):
                with Vertical(id="reading"):
                    yield LessonText(id="lesson")
            yield widget

    def share_text(self) -> None:
        """Give the text its columns, or the rows that it wants."""
        width, height = self.size
        reading, text = self.query_one("#reading"), self.query_one(LessonText)
        reading.display = not self.has_class("small") and not self.has_class("lecture")
        text.show(self.told.reader, self.told.said, "", None)
        beside = width >= _WIDE
        rows = 0 if beside else min(text.rows_for(width), height - _LEAST)
        self.taken = ((_TEXT, 0) if beside else (0, rows)) if reading.display else (0, 0)
        reading.styles.dock = "left" if beside else "none"
        reading.styles.width = _TEXT if beside else "100%"
        reading.styles.height = "100%" if beside else rows


class LessonComparison(WithText, CompareScreen):
    """Shows the run of a moment beside others; the keys of a comparison do what they do."""

    def __init__(self, session: RunSession, compared: Sequence[ComparedRun], told: Told):
        anew = session.side_by_side.last_view is None  # else it is as it was left
        super().__init__(session, compared)
        self.told, self._front = told, told.front if anew else InFront()
        if anew and told.ended:
            self.together.seek(max(run.timeline.last for run in compared))

    def like_this(self, runs: Sequence[ComparedRun]) -> "LessonComparison":
        return type(self)(self.session, runs, replace(self.told, front=InFront(), ended=False))

    @property
    def space(self) -> tuple[int, int]:
        width, height = super().space
        return width - self.taken[0], height - self.taken[1]

    def share_out(self) -> None:
        if self.is_live:
            self.share_text()
        super().share_out()

    def show_where(self) -> None:
        if self._front != InFront() and self.is_live and all(self.pictures):
            front, self._front = self._front, InFront()
            self.put_in_front(front)
        super().show_where()

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        return (*MOMENTS, *super().key_line())

    async def action_keep_moment(self) -> None:
        """Keep what is on the screen; in a lesson of one's own after this moment, and be there."""
        await super().action_keep_moment()
        told = self.session.notice
        if self.told.reader.lesson.own:
            self.app.show_moment()  # type: ignore[attr-defined]
        self.app.notify(told, title="a moment", markup=False)


class LessonSweep(WithText, SweepScreen):
    """Shows the runs that a moment is about, while they come in."""

    keys = (*MOMENTS, *SweepScreen.keys)

    def __init__(self, swept: SweptRuns, in_hand: Timeline, told: Told):
        super().__init__(swept, in_hand)
        self.told = told

    def on_mount(self) -> None:
        self.share_text()

    def on_resize(self, event: events.Resize) -> None:
        self.share_text()
