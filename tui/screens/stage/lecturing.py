"""For a hall: the stage, one chart in thick lines, one theorem in large digits, one sentence."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.core import Contrast
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.theorems.page import theorem_page
from tui.screens.hall import Hall
from tui.screens.stage.base import StageBase
from tui.sections.theorems.measured import measured
from tui.widgets.big_theorem import BigTheorem
from tui.widgets.column import Column
from tui.widgets.header import Header
from tui.widgets.narration import Narration
from tui.widgets.sides_chart import SidesChart


class Lecturing(Hall, StageBase):
    """A layout of the same screen, readable from the last row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("F", "lecture", "for a hall: large, little of it; 1 2 x choose what"),
    ]
    _theorem = 0  # which is large; before the first one stand the numbers that an algorithm measures as its point
    _chosen = False  # whether by a key: else what is the point goes first
    _entered: int | None = None  # the step at which the hall was entered, as long as it is shown
    _drawn = False  # whether its sides are the chart

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, Narration):
                yield BigTheorem(id="big")
            yield widget
            if isinstance(widget, Column):
                yield SidesChart(id="sides")

    def action_lecture(self) -> None:
        """Lay the screen out for a hall, or as usual."""
        self.lay_out_for_a_hall(not self.lecturing)

    def lay_out_for_a_hall(self, hall: bool) -> None:
        """Lay the screen out for a hall, or as usual."""
        self.set_class(hall, "lecture")
        self._entered = self.player.t if hall else None
        for part in (self.query_one(Narration), self.query_one(Header)):
            part.brief = self.lecturing
        self.query_one(Column).lecture = self.lecturing
        self.on_resize()
        self.redraw()

    def action_section(self, section: int) -> None:
        """In the hall: the sides of the theorem as curves, or the curves; the next theorem; else go to a section."""
        if not self.lecturing:
            super().action_section(section)
        elif not self._stated:
            self.refuse("no theorem is stated for this one")
        elif section <= 2:
            if section == 1:
                self._drawn, self._theorem = not self._drawn, max(self._theorem, 0)
            else:
                self._theorem = self._following()
            self._chosen = True
            self.redraw()
        else:
            self.refuse("in a hall 1 draws the sides of the theorem, 2 shows the next one, x the next chart")

    def choose_theorem(self, index: int) -> None:
        """Make it the large one too."""
        super().choose_theorem(index)
        self._theorem, self._chosen = index, True

    def theorem_in_hand(self) -> int:
        return max(self._theorem, 0) if self.lecturing else super().theorem_in_hand()

    def _following(self) -> int:
        """Find what comes after what is large: the next theorem, and after the last one the first thing again."""
        known = self.picture is not None and measured(self.picture, self._contrast) is not None and not self._drawn
        return self._theorem + 1 if self._theorem + 1 < self._stated else -1 if known else 0

    def action_chart(self) -> None:
        """Go to the next chart; in the hall back to it from the sides of a theorem."""
        if self.lecturing and self._drawn:
            self._drawn = False
            self.redraw()
        else:
            super().action_chart()

    def action_follow(self) -> None:
        if self.lecturing and self._drawn:
            self.query_one(SidesChart).follow()
        else:
            super().action_follow()

    def action_along(self) -> None:
        """Draw the sides along the theorem's own variable, or the steps."""
        if self.lecturing and self._drawn:
            self.query_one(SidesChart).turn()
        else:
            super().action_along()

    def action_log(self) -> None:
        if self.lecturing and self._drawn:
            self.query_one(SidesChart).switch_log()
        else:
            super().action_log()

    @property
    def _contrast(self) -> Contrast | None:
        return self.player.timeline.algorithm.contrast

    @property
    def _stated(self) -> int:
        return len(self.player.timeline.algorithm.theorems)

    def show_hall(self, picture: Picture, before: Picture | None) -> None:
        """Show the theorem in hand large, for a hall."""
        chart, big = self.query_one(SidesChart), self.query_one(BigTheorem)
        chart.display = self.lecturing and self._drawn and self._stated > 0 and self.asked is None
        self.query_one(Column).display = not chart.display
        big.display = self.states_large and self._stated > 0
        if self.lecturing and self._stated:
            self._put_theorem(picture, chart)

    @property
    def states_large(self) -> bool:
        """Tell whether there is room for a theorem in large digits, and it may be told."""
        return self.lecturing and self.asked is None

    def _put_theorem(self, picture: Picture, chart: SidesChart) -> None:
        """Show what is in hand in large digits, and a theorem as curves where that is wanted."""
        run = self.player.timeline
        if not self._chosen:
            self._theorem = self._large(picture)
        numbers = measured(picture, self._contrast) if self._theorem < 0 else None
        if numbers is not None and self._contrast is not None:
            self.query_one(BigTheorem).show_measured(self._contrast, numbers)
            return
        index = max(self._theorem, 0) % self._stated
        stated, upto = picture.verdicts[: self._stated], self.player.open_range
        page = theorem_page(run, picture.frame, index, stated=stated, upto=upto)
        self.query_one(BigTheorem).show(page, chart.show(page, picture.tones_in_use, run) if chart.display else ())

    def _large(self, picture: Picture) -> int:
        """Choose what is large where nobody has: what is measured as the point; else the theorem that is it, the first
        or the one in hand, if it speaks, or the first that does. On the way from step to step one that falls silent
        stays, that the large one may not change with each phase; not at the end, nor where the hall is entered."""
        if measured(picture, self._contrast) is not None:
            return -1
        run, hand = self.player.timeline, max(self._theorem, 0) % self._stated
        if self._entered != picture.frame.t:
            self._entered = None
        speaking = [i for i, verdict in enumerate(picture.verdicts[: self._stated]) if verdict.sides is not None]
        stated = [theorem.statement for theorem in run.algorithm.theorems]
        named = [stated.index(run.algorithm.in_hall)] if run.algorithm.in_hall else []
        at_end = run.stopped is not None and picture.frame.t == run.last
        passing = self._entered is None and not at_end
        for index in (*named, 0, hand):
            spoken, _ = run.theorem_series(index)
            if index in speaking or passing and len(spoken) and spoken[0] < picture.frame.t:
                return index
        return speaking[0] if speaking else hand

    def on_resize(self) -> None:
        super().on_resize()
        if self.lecturing:
            wide = round(self.size.width * 0.45)
            self.query_one(Column).styles.width = self.query_one(SidesChart).styles.width = wide
            self.query_one(Narration).styles.height = 2
