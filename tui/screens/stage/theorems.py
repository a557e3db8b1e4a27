"""A theorem, opened; among those of the step what holds on average, once it was opened."""

from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from algorithms.playback.pictures.viewer import Picture
from tui.screens.expectations import Expectations
from tui.screens.stage.base import StageBase
from tui.widgets.column import Column
from tui.widgets.header import place_of


class Theorems(Expectations, StageBase):
    """Opening a theorem: its numbers, what its letters mean, what it rests on and its proof."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open_theorem", "open a theorem; where none is stated, follow a number")
    ]

    def with_expectations(self, picture: Picture) -> Picture:
        """Add to the theorems what holds on average, as far as it was worked out."""
        expected = self._expecting.verdicts(self.player.timeline)
        return replace(picture, verdicts=(*picture.verdicts, *expected)) if expected else picture

    def show_expectations(self) -> None:
        self.redraw()

    def action_open_theorem(self, index: int | None = None) -> None:
        """Show a theorem on a screen of its own; the arrows go on stepping there."""
        if not self.loaded.algorithm.theorems:
            self.pause()
            self.session.when_free(self._ask_value)
            return
        from tui.screens.theorem import TheoremScreen

        self.pause()
        offered = self.theorem_in_hand() if index is None else None
        first = offered if offered is not None else index or 0

        def closed(left: int | None) -> None:
            """Keep what the page was left at, unless that is what was offered: then nobody chose it."""
            if left is not None and left != offered and left < len(self.player.timeline.algorithm.theorems):
                self.choose_theorem(left)
            self.redraw()

        self.app.push_screen(TheoremScreen(self.theorem_page, self._step_on, first), closed)

    def _ask_value(self) -> None:
        """Ask which number to follow, of a run of which no theorem is stated."""
        from tui.screens.follow_value import FollowValue

        viewer = self.viewer
        asking = FollowValue(self.player.timeline, self.player.frame, viewer.followed.texts)
        self.app.push_screen(asking, self._follow_value)

    def _follow_value(self, text: str | None) -> None:
        if text is None:
            return
        algorithm, column = self.loaded.algorithm, self.query_one(Column)
        charted = any(curve.name == text.strip("\"'") for curve in algorithm.curves)
        follows = charted or self.viewer.followed.choose(text)
        self.redraw()
        if follows:
            self.call_after_refresh(column.bring_forward, (), (text.strip("\"'") if charted else text,), ())
        else:
            self.tell(f"{text} is not followed any more")

    def _step_on(self, by: int) -> str:
        """Go so many steps on or back, and say which step that is."""
        player = self.player
        if by:
            player.step(by)
            player.work(0.2)
        return place_of(player)

    def on_column_opened(self, message: Column.Opened) -> None:
        """Open the theorem that was clicked."""
        self.action_open_theorem(message.theorem)
