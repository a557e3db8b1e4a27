"""The question what is to become of work that was rescued when the app last ended otherwise than in order."""

from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from tui.screens.choosing import Choosing

Choice = Literal["open", "drop"]


class OfferRescued(Choosing[Choice]):
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
        super().__init__(words, {"open": "open it", "drop": f"delete it: {file}"}, "not now")
