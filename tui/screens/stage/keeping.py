"""Keeping how the stage is looked at, with the session that is saved."""

from typing import TYPE_CHECKING, Any

from algorithms.playback.runs.session_file import whole_number
from tui.screens.keeping import KeepsSessions
from tui.screens.stage.base import StageBase
from tui.widgets.column import Column

if TYPE_CHECKING:
    from algorithms.saving.session import Opening


class Keeping(KeepsSessions, StageBase):
    """Saving and opening sessions, with how the stage is looked at."""

    def resume(self, opening: "Opening") -> None:
        """Take over the runs of a session and how they were looked at; before the screen is shown."""
        self.session.resume(opening)
        self._view = opening.session.view

    def on_mount(self) -> None:
        if self._view is not None:
            side, rows = self._view.get("side"), self._view.get("source rows")
            self.query_one(Column).restore(side if isinstance(side, dict) else {})
            if rows is not None:
                self._source_rows = whole_number(rows, 0, 100)
            self._view = None

    def view_now(self) -> dict[str, Any]:
        """Describe how the screen shows it, in plain values."""
        rows = {} if self._source_rows is None else {"source rows": self._source_rows}
        return {"side": self.query_one(Column).kept(), **rows}
