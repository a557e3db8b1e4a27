"""Fields that left and right turn: numbers to type in, and choices."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Select
from textual.widgets.input import Selection

from algorithms.core.parameters import as_typed
from tui.widgets.field import Field


class Knob(Field):
    """A field of a number, or of several with commas between, that left and right turn; ctrl moves the text cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right", "turn(1)", show=False),
        Binding("shift+left", "turn(-1, True)", show=False),
        Binding("shift+right", "turn(1, True)", show=False),
        Binding("ctrl+left", "cursor_left", show=False),
        Binding("ctrl+right", "cursor_right", show=False),
    ]

    class Turned(Message):
        """It is to have the next value, or the one before."""

        def __init__(self, knob: "Knob", by: int, fine: bool):
            super().__init__()
            self.knob, self.by, self.fine = knob, by, fine

    @property
    def part(self) -> int:
        """Count the commas before the text cursor: which of several numbers is in hand."""
        return self.value[: self.cursor_position].count(",")

    def set(self, value: str, part: int = 0) -> None:
        """Show another value, with the number in hand selected, so that typing replaces it."""
        self.value = value
        parts = value.split(",")
        begin = sum(len(before) + 1 for before in parts[:part])
        self.selection = Selection(begin, begin + len(parts[part]))

    def action_turn(self, by: int, fine: bool = False) -> None:
        self.post_message(self.Turned(self, by, fine))


class Choice(Select[Any]):
    """A choice that left and right turn through; space and enter open the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,shift+left", "turn(-1)", show=False),
        Binding("right,shift+right", "turn(1)", show=False),
        Binding("up", "screen.move(-1)", show=False),  # Select's own would open the list
        Binding("down", "screen.move(1)", show=False),
    ]

    def __init__(self, values: Sequence[Any], value: Any, *, id: str):
        super().__init__(
            [(as_typed(each), each) for each in values], value=value, allow_blank=False, id=id, compact=True
        )
        self._values = tuple(values)

    def action_turn(self, by: int) -> None:
        self.value = self._values[(self._values.index(self.value) + by) % len(self._values)]
