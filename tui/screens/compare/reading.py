"""The source of the run in hand, under the stages."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui.screens.compare.layout import Layout, layout
from tui.screens.compare.returning import Returning
from tui.widgets.source import Source
from tui.widgets.stories import Stories

_ROWS, _HIGH = (5, 8), 36  # rows of the source, and of a screen from which on it has the greater number of them


class Reading(Returning):
    """The source of the run in hand, with the statements of its step marked."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("s", "source", "the source of the run in hand, or none")]

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield widget
            if isinstance(widget, Stories):
                yield Source(id="source")

    @property
    def _rows(self) -> int:
        """Count the rows of the source; 0 where it is not shown."""
        return _ROWS[self.space[1] >= _HIGH] if self.reads else 0

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
        player = self.player_in_hand
        run, frame = player.timeline, player.frame
        _, first, lines = run.algorithm.source
        line, stopped = frame.line, run.stopped
        if stopped is not None and stopped.failed and frame.t == run.last:
            line = stopped.line if first <= stopped.line < first + len(lines) else line
        self.query_one(Source).show(first, lines, line)
