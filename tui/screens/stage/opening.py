"""Another run in place of this one."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms import Recorded, Refused
from tui.opened import Opened
from tui.screens.asking import Asked
from tui.screens.choose_data import ChooseData
from tui.screens.parameters import EditParameters
from tui.screens.stage.base import StageBase
from tui.terminal.clean import clean
from tui.widgets.side import Side


class Opening(StageBase):
    """Another run in place of this one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "reload", "load your own file again", priority=True),
        Binding("p", "parameters", "change the parameters"),
        Binding("d", "data", "change the data"),
        Binding("a", "algorithms", "all algorithms"),
    ]

    def action_parameters(self) -> None:
        if self._is_recording():
            return
        self.pause()
        self.app.push_screen(EditParameters(self.opened), self.start_over)

    def action_data(self) -> None:
        if self._is_recording():
            return
        self.pause()
        self.app.push_screen(ChooseData(self.opened), self.start_over)

    def _is_recording(self) -> bool:
        """Whether what is shown was recorded; then it is said that nothing in it can be changed."""
        recorded = isinstance(self.opened.algorithm, Recorded)
        if recorded:
            self.tell("a recording is what it is: its data and parameters cannot be changed")
        return recorded

    def pause(self) -> None:
        self.player.play(False)
        self._show_progress()

    def start_over(self, opened: Asked) -> None:
        if opened is None:
            return
        try:
            self.begin(opened, speed=self.player.pace)
        except Refused as refusal:
            self.tell(clean(refusal))
            return
        self.query_one(Side).start_over()
        self.redraw()

    def action_reload(self) -> None:
        """Load a reader's own file again, and go back to the same step of the new run."""
        if not self.opened.spec:
            self.tell("ctrl+r loads a file of your own again; this one is of the catalogue")
            return
        self.player.play(False)
        self.tell("loading it again")
        self.run_worker(self._load_again, thread=True, name="load", exit_on_error=False)

    def _load_again(self) -> None:
        """In a thread: a file can take long to be imported."""
        try:
            opened = self.opened.again()
        except Refused as refusal:
            self.app.call_from_thread(self.tell, clean(f"not loaded, the run stays: {refusal}"))
            return
        self.app.call_from_thread(self._loaded_again, opened)

    def _loaded_again(self, opened: Opened) -> None:
        at, had = self.player.t, self.player.playing
        try:
            self.begin(opened, at, self.player.pace)
        except Refused as refusal:
            self.tell(clean(refusal))
            return
        self.player.play(had)
        self.query_one(Side).start_over()
        self.redraw()
        self.tell("loaded again")

    def action_algorithms(self) -> None:
        self.pause()
        self.app.browse(self.opened.algorithm)  # type: ignore[attr-defined]
