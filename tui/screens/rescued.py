"""The question what is to become of work that was rescued when the app last ended otherwise than in order."""

from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from algorithms.data.text import clean
from tui.screens.asking import Dialog
from tui.widgets.options import Options

Choice = Literal["open", "drop"]


class OfferRescued(Dialog[Choice]):
    """Offers to open what was rescued, or to delete it; None leaves it for the next start.

    Args:
        words: one sentence: what there is.
        file: the name of its file.
    """

    heading = "Not saved the last time"
    hint = "↑ ↓ enter chooses   o opens   d deletes   esc asks next time"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "choose('open')", "open it"),
        Binding("d", "choose('drop')", "delete it"),
    ]

    def __init__(self, words: str, file: str):
        super().__init__()
        self._words, self._file = words, file

    def body(self) -> list[Widget]:
        options = [
            Option(Content("open it"), id="open"),
            Option(Content(clean(f"delete it: {self._file}")), id="drop"),
            Option(Content("not now"), id="later"),
        ]
        return [Static(Content(clean(self._words)), classes="words"), Options(*options, id="choices")]

    def on_mount(self) -> None:
        choices = self.query_one("#choices", OptionList)
        choices.highlighted = 0
        choices.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option_id)

    def action_choose(self, choice: str | None) -> None:
        self.dismiss("open" if choice == "open" else "drop" if choice == "drop" else None)
