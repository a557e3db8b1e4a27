"""A question with a few answers, in a list."""

from collections.abc import Mapping
from typing import Generic, TypeVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from algorithms.core.text import clean
from tui.screens.asking import Dialog
from tui.widgets.options import Options

T = TypeVar("T", bound=str)


class Choosing(Dialog[T], Generic[T]):
    """Asks which of a few things to do; subclasses give them keys.

    Args:
        words: one sentence: what there is.
        choices: what each answer does, in a few words.
        nothing: what is said of doing nothing, as escape does.
    """

    def __init__(self, words: str, choices: Mapping[T, str], nothing: str):
        super().__init__()
        self._words, self._choices, self._nothing = words, choices, nothing

    def body(self) -> list[Widget]:
        options = [Option(Content(clean(does)), id=answer) for answer, does in self._choices.items()]
        options.append(Option(Content(self._nothing)))
        return [Static(Content(clean(self._words)), classes="words"), Options(*options, id="choices")]

    def on_mount(self) -> None:
        choices = self.query_one("#choices", OptionList)
        choices.highlighted = 0
        choices.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option_id or "")

    def action_choose(self, choice: str) -> None:
        self.dismiss(next((answer for answer in self._choices if answer == choice), None))
