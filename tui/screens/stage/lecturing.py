"""For a hall: the stage, one chart in thick lines, one theorem in large digits, one sentence."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.playback.theorem_page import theorem_page
from algorithms.playback.viewer import Picture
from tui.screens.stage.base import StageBase
from tui.widgets.big_theorem import BigTheorem
from tui.widgets.header import Header
from tui.widgets.narration import Narration
from tui.widgets.side import Side
from tui.widgets.sides_chart import SidesChart

_KEYS = (("F", "leaves", "lecture"),)


class Lecturing(StageBase):
    """A layout of the same screen, readable from the last row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("F", "lecture", "for a hall: large, little of it; 1 2 x choose what"),
    ]
    _theorem = 0  # which is large
    _drawn = False  # whether its sides are the chart

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, Narration):
                yield BigTheorem(id="big")
            yield widget
            if isinstance(widget, Side):
                yield SidesChart(id="sides")

    @property
    def lecturing(self) -> bool:
        """Tell whether the screen is laid out for a hall."""
        return self.has_class("lecture")

    def action_lecture(self) -> None:
        """Lay the screen out for a hall, or as usual; the theorem that speaks first is the one in hand."""
        if not self.lecturing and self.picture is not None:
            speaking = [i for i, verdict in enumerate(self.picture.verdicts) if verdict.sides is not None]
            self._theorem = speaking[0] if self._theorem not in speaking and speaking else self._theorem
        self.set_class(not self.lecturing, "lecture")
        for part in (self.query_one(Narration), self.query_one(Header)):
            part.brief = self.lecturing
        self.query_one(Side).lecture = self.lecturing
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
                self._drawn = not self._drawn
            else:
                self._theorem = (self._theorem + 1) % self._stated
            self.redraw()
        else:
            self.refuse("in a hall 1 draws the sides of the theorem, 2 shows the next one, x the next chart")

    def theorem_in_hand(self) -> int:
        return self._theorem if self.lecturing else super().theorem_in_hand()

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
    def _stated(self) -> int:
        return len(self.player.timeline.algorithm.theorems)

    def _put(self, picture: Picture) -> None:
        super()._put(picture)
        chart = self.query_one(SidesChart)
        chart.display = self.lecturing and self._drawn and self._stated > 0
        self.query_one(Side).display = not chart.display
        self.query_one(BigTheorem).display = self.lecturing and self._stated > 0
        if self.lecturing and self._stated:
            self._put_theorem(picture, chart)

    def _put_theorem(self, picture: Picture, chart: SidesChart) -> None:
        """Show the theorem in hand in large digits, and as curves where that is wanted."""
        run = self.player.timeline
        index = self._theorem % self._stated
        page = theorem_page(run, picture.frame, index, stated=picture.verdicts[: self._stated])
        self.query_one(BigTheorem).show(page, chart.show(page, picture.worn, run) if chart.display else ())

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        return _KEYS if self.lecturing else super().key_line()

    def on_resize(self) -> None:
        super().on_resize()
        if self.lecturing:
            wide = round(self.size.width * 0.45)
            self.query_one(Side).styles.width = self.query_one(SidesChart).styles.width = wide
            self.query_one(Narration).styles.height = 2
