"""The keys of one run: in the comparison they do nothing, and tell where they do."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.compare.base import CompareBase

_ALONE = {
    "y": "y finds when a number last changed",
    "f": "f forks",
    "i": "i edits",
    "p": "p changes the parameters",
    "d": "d changes the data",
    "a": "a lists all algorithms",
    "B": "B lists the forks",
    "R": "R makes many runs",
    "C": "C chooses the runs",
    "s": "s shows the source",
    "ctrl+s": "ctrl+s saves",
    "ctrl+o": "ctrl+o opens a session",
    "ctrl+r": "ctrl+r loads your own file again",
}


class Alone(CompareBase):
    """The keys of one run, which have no meaning for several."""

    BINDINGS: ClassVar[list[BindingType]] = [  # without a description, so that the help leaves them out
        Binding(key, f"alone('{key}')") for key in _ALONE
    ]

    def action_alone(self, key: str) -> None:
        """Tell that a key is for one run."""
        self.tell(f"{_ALONE[key]} where one run is on the screen: c goes back to it")
