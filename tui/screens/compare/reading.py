"""The source of the run in hand under the stages, and beside it that of another that is not the same."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.playback.comparison.sources import beside, listed
from algorithms.timeline.source_texts import texts_of
from tui.screens.compare.layout import Layout, layout
from tui.screens.compare.returning import Returning
from tui.widgets.source import Source
from tui.widgets.sources_abreast import SourcesAbreast
from tui.widgets.stories import Stories

_ROWS, _HIGH = (5, 8), 36  # rows of the source, and of a screen from which on it has the greater number of them
_ROWS_OF_TWO = (8, 13)  # likewise of two


class Reading(Returning):
    """The source of the run in hand, with the statements of its step marked; of another one the two beside each other.

    Where they first differ, once that was asked for, the line that gives it is marked in both.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "source", "the source of the run in hand, beside it another's, or none")
    ]

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield widget
            if isinstance(widget, Stories):
                yield SourcesAbreast(id="source")

    @property
    def _rows(self) -> int:
        """Count the rows of the source; 0 where it is not shown."""
        if not self.reads:
            return 0
        high, other = self.space[1] >= _HIGH, self._other
        if other is None:
            return _ROWS[high]
        texts = texts_of(self.compared[self.current].timeline, self.compared[other].timeline)
        longest = max(len(text.lines) for text in texts)
        return min(_ROWS_OF_TWO[high], max(longest + 1, _ROWS[high]))

    @property
    def _other(self) -> int | None:
        """Choose the run whose source stands beside that of the run in hand, None where there is no other source."""
        runs = [run.timeline for run in self.compared]
        return beside(self.current, runs, self.together.first_fields.get(self.current))

    @property
    def layout_now(self) -> Layout:
        width, height = self.space
        return layout(width, height - self._rows, len(self.compared), self.view, self.part)

    def action_source(self) -> None:
        self.reads = not self.reads
        self.share_out()

    def share_out(self) -> None:
        for source in self.query(Source):
            source.styles.height = self._rows
            source.display = self._rows > 0 and not self.has_class("small")
        super().share_out()

    def show_where(self) -> None:
        super().show_where()
        if self.reads and self.is_live:
            self._show_source()

    def _show_source(self) -> None:
        """Mark the statements of the step that is shown, or the line that failed."""
        known, other = self.together.first_fields.get(self.current), self._other
        players = [follower.player for follower in self.together.followers]
        runs, frames = [player.timeline for player in players], [player.frame for player in players]
        shown = listed(self.current, other, runs, frames, known)
        if other is None:
            ((_, only),) = shown
            self.query_one(SourcesAbreast).show(only.first, list(only.lines), only.line)
            return
        there = known is not None and known.steps[known.runs.index(self.current)] == self.player_in_hand.t
        self.query_one(SourcesAbreast).show_two(shown, there)
