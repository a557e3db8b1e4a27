"""Which of the other runs is meant."""

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from algorithms.core.text import clean
from algorithms.timeline.branches import Branch
from tui.screens.asking import Dialog
from tui.widgets.options import Options


class OtherRun(Dialog[Branch]):
    """Offers runs, and gives the one that was taken."""

    heading = "Where does this run first differ from"
    hint = "↑ ↓ choose   enter goes there   esc leaves it"

    def __init__(self, runs: Sequence[Branch]):
        super().__init__()
        self._runs = tuple(runs)

    def body(self) -> list[Widget]:
        return [Options(*(Option(Content(clean(run.name))) for run in self._runs), id="others")]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._runs[event.option_index])
