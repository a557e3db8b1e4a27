"""A question that is answered with enter or escape."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.screens.asking import Dialog


class Confirm(Dialog[bool]):
    """Asks before something goes; True when it may.

    Args:
        question: one sentence: what would go.
        does: what enter does, in two or three words.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "go_on", "go on")]
    heading = "Sure?"

    def __init__(self, question: str, does: str):
        super().__init__()
        self._question = question
        self.hint = f"enter {does}   esc leaves it as it is"

    def body(self) -> list[Widget]:
        return [Static(Content(self._question))]

    def action_go_on(self) -> None:
        self.dismiss(True)
