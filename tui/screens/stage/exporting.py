"""What is seen, and what is behind it, to files."""

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from algorithms.data.text import clean
from algorithms.playback.runs.data_words import data_words
from algorithms.timeline import Frame
from tui.screens.stage.base import StageBase
from tui.screens.writing import WritesFiles
from tui.widgets.stage import Stage

if TYPE_CHECKING:
    from tui.export.animation import Frames
    from tui.screens.export import ExportAsked

_PART = 0.02  # seconds of replaying at a time
_SLOWEST, _FASTEST = 0.05, 20.0  # steps a second of an animation, to begin with


class Exporting(WritesFiles, StageBase):
    """What is seen, and what is behind it, to files."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("e", "export", "export numbers, this screen, an animation")]

    def action_export(self) -> None:
        self.player.cancel()
        self.show_where()
        self.session.when_free(self._ask_export)

    def _ask_export(self) -> None:
        from tui.screens.export import ExportDialog

        speed = min(max(self.player.speed, _SLOWEST), _FASTEST)
        name = f"{self.loaded.algorithm.name}-{self.data.name}" if self.data else self.loaded.algorithm.name
        if len(self.session.branches.all) > 1:
            name += f"-{self.session.branch.name}"
        self.app.push_screen(ExportDialog(name, self.player.t, self.player.timeline.last, speed), self._export)

    def _export(self, asked: "ExportAsked | None") -> None:
        self.export_with(self._write_export, asked)

    def _write_export(self, asked: "ExportAsked") -> bool:
        from algorithms.saving.export import export_state, numbers_in_parts

        match asked.kind.of:
            case "state":
                export_state(asked.path, self.player.frame.state, overwrite=asked.overwrite)
            case "screen":
                self.write_screen(asked, self._export_title)
            case "numbers":
                self.work_at(asked, numbers_in_parts(asked.path, self.player.timeline, overwrite=asked.overwrite))
            case "animation":
                self.write_frames(asked, lambda: self._frames_of(asked.first, asked.last), self._export_title)
        return asked.kind.of in ("state", "screen")

    # The screen, at this step and at others

    @property
    def _export_title(self) -> str:
        return clean(f"{self.loaded.algorithm.title}, {data_words(self.data, self.loaded.algorithm)}")

    def _frames_of(self, first: int, last: int) -> "Frames":
        """Paint the screen at each step as if it were shown; afterwards it is where it was."""
        run, here = self.player.timeline, self.player.frame
        self.session.forget_notice()
        try:
            for t in range(first, last + 1):
                while (frame := run.fetch(t, _PART)) is None:  # it has to be replayed
                    yield (t - first) / (last - first + 1), None
                if frame.t == t or t == first:  # those that are gone are left out
                    self._paint_step(frame)
                    yield (t - first + 1) / (last - first + 1), self.cells_now()
        finally:
            self.player.frame = here
            self.redraw()

    def _paint_step(self, frame: Frame) -> None:
        """Show a step at once, where the algorithm answers from elsewhere too."""
        self.player.frame = frame
        self.show_picture(self.viewer.picture(frame, *self.query_one(Stage).room))
