"""The statement of a lecture that the run was opened from: it stays to be read, and what it names is put in front."""

from typing import TYPE_CHECKING

from algorithms.playback.pictures.viewer import Picture
from tui.screens.stage.base import StageBase
from tui.widgets.column import Column

if TYPE_CHECKING:
    from algorithms.lectures import Statement


class Stating(StageBase):
    """Keeps the statement below the stage, and brings what it names to the front once its step is there.

    Attributes:
        statement: that which the run was opened from, None for none.
    """

    statement: "Statement | None" = None
    _brought = False

    def bring_forward(self, picture: Picture, before: Picture | None) -> None:
        """Put in front, once, what the statement names."""
        if self.statement is not None and not self._brought and self.player.goal is None:
            self._brought = True
            one = self.statement
            self.query_one(Column).bring_forward(one.theorem, one.curve, (*one.panel, *one.table))

    def notice_for(self, picture: Picture) -> str:
        """Choose the notice, or else the statement."""
        notice = super().notice_for(picture)
        one = self.statement
        if notice or one is None or self.session.loaded.algorithm.name != one.algorithm:
            return notice
        return f"{one.id}: {one.says}"
