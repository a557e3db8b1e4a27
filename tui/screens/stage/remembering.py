"""What of a run's screen is remembered from one start to the next."""

from tui.screens.stage.lecturing import Lecturing
from tui.screens.stage.moving import Moving
from tui.screens.stage.opening import Opening
from tui.sections.column.layout import STACKED
from tui.settings import Remembered
from tui.widgets.column import Column

_PANELS = 3  # the number of the first panel, which another algorithm has not


class Remembering(Lecturing, Moving, Opening):
    """Begins as it was left: the speed, the rows of the source, the section in front; and notes what is changed."""

    def remember_in(self, remembered: Remembered) -> None:
        """Begin with what is remembered, and note what is changed from now on; before the screen is shown."""
        self.remembered = remembered
        self._source_rows = remembered.settings.source
        if not self.loaded.algorithm.growing:  # which is followed as fast as it comes
            self.player.pace = remembered.pace

    def on_mount(self) -> None:
        settings = self.remembered.settings
        self.query_one(Column).begin_with(settings.alone if self._has_room else settings.tab)

    @property
    def _has_room(self) -> bool:
        """Tell whether there is room for all sections, so that one alone is a choice."""
        return self._rows_beside() >= STACKED

    def action_speed(self, by: int) -> None:
        super().action_speed(by)
        self.remembered.note_pace(self.player.pace)

    def on_column_chosen(self) -> None:
        """Note the section in front; in a hall and among panels each algorithm has its own."""
        section = self.query_one(Column).section
        if section < _PANELS and not self.lecturing:
            self.remembered.note(**{"alone" if self._has_room else "tab": section or None})
