"""What comes, shown or hidden: a run is seen as far as one has been, or whole."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.stage.base import StageBase


class Hiding(StageBase):
    """What comes, shown or hidden."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("V", "veil", "show all of the run, or hide what comes")]

    def action_veil(self) -> None:
        """Show the runs whole, or hide what comes after the step in hand where nothing is hidden."""
        if self.loaded.algorithm.recorded:
            self.refuse("a recording is shown whole")
        elif self.player.at_end:
            self.refuse("this is the end of the run: nothing comes after it that V could hide")
        else:
            self.pause()
            self.session.when_free(self._veil)

    def _veil(self) -> None:
        whole = self.player.seen is not None
        self.session.show_whole(whole)
        self.redraw()
        self.tell("all of the run is shown; V hides what comes" if whole else "what comes is hidden; V shows all")

    def key_line(self) -> tuple[tuple[str, str, str], ...]:
        words = "show all" if self.player.seen is not None else "hide what comes"
        return tuple((key, words if action == "veil" else does, action) for key, does, action in super().key_line())
