"""What holds on average: worked out beside the screen, from when it is opened as a theorem."""

from typing import Any

from algorithms.playback.theorems.expecting import Expecting
from algorithms.playback.theorems.page import TheoremPage, theorem_page
from tui.screens.run_screen import RunScreen

_MOMENT = 0.25  # seconds between two looks at the numbers of expectations


class Expectations(RunScreen):
    """Works out the expectations that are opened, and makes the pages of theorems of the run in hand."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._expecting = Expecting()

    def on_mount(self) -> None:
        self.set_interval(_MOMENT, self._take_expectations)

    def on_unmount(self) -> None:
        self._expecting.cancel()

    def _take_expectations(self) -> None:
        """Take the numbers that have come, and show them."""
        if self._expecting.take():
            from tui.screens.theorem import TheoremScreen

            self.show_expectations()
            if isinstance(self.app.screen, TheoremScreen):
                self.app.screen.show_again()

    def show_expectations(self) -> None:
        """Show the numbers on this screen too, if it has them."""

    def theorem_page(self, index: int) -> TheoremPage:
        """Make the page of a theorem at the step that is shown; those after the last one are expectations."""
        player = self.player_in_hand
        run = player.timeline
        if index >= len(run.algorithm.theorems):
            self._expecting.begin(run, index - len(run.algorithm.theorems))
        return theorem_page(run, player.frame, index, self._expecting, upto=player.open_range)
