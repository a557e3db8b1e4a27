"""For a hall: the stage, one chart in thick lines, one theorem in large digits, one sentence."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.playback.viewer import Picture
from tui.screens.stage.base import StageBase
from tui.widgets.big_theorem import BigTheorem
from tui.widgets.narration import Narration
from tui.widgets.side import Side

_KEYS = (
    ("F", "leaves the lecture", "lecture"),
    ("space", "play", "play"),
    ("→", "step", "step(1)"),
    ("←", "back", "step(-1)"),
    ("x", "next chart", "chart"),
    ("2", "next theorem", "section(2)"),
    ("?", "keys", "help"),
)


class Lecturing(StageBase):
    """A layout of the same screen, readable from the last row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("F", "lecture", "for a hall: large, and little of it")]
    _theorem = 0  # which is large

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            if isinstance(widget, Narration):
                yield BigTheorem(id="big")
            yield widget

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
        self.query_one(Side).lecture = self.query_one(Narration).brief = self.lecturing
        self.on_resize()
        self.redraw()

    def action_section(self, section: int) -> None:
        """Go to the next theorem in the hall; else to a section."""
        if not self.lecturing:
            super().action_section(section)
        elif section == 2 and self.picture is not None and self.picture.verdicts:
            self._theorem = (self._theorem + 1) % len(self.picture.verdicts)
            self.redraw()

    def _put(self, picture: Picture) -> None:
        super()._put(picture)
        if self.lecturing:
            known = picture.verdicts
            self.query_one(BigTheorem).show(known[self._theorem % len(known)] if known else None)

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        return _KEYS if self.lecturing else super().key_line()

    def on_resize(self) -> None:
        super().on_resize()
        if self.lecturing:
            self.query_one(Side).styles.width = round(self.size.width * 0.45)
            self.query_one(Narration).styles.height = 2
