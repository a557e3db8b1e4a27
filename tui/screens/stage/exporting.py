"""What is seen, and what is behind it, to files."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.data.text import clean
from algorithms.playback.data_words import data_words
from algorithms.saving.export import export_numbers, export_state
from algorithms.saving.files import write_in_parts, write_whole
from algorithms.timeline import Frame
from tui.export.animation import Frames, cast, gif
from tui.export.cells import Cells, shown
from tui.export.svg import svg
from tui.paint.palette import DARK, LIGHT
from tui.screens.export import ExportAsked, ExportDialog, Writing
from tui.screens.stage.base import StageBase
from tui.widgets.stage import Stage

_PART = 0.02  # seconds of replaying at a time
_SLOWEST, _FASTEST = 0.05, 20.0  # steps a second of an animation, to begin with


class Exporting(StageBase):
    """What is seen, and what is behind it, to files."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("e", "export", "export numbers, this screen, an animation")]

    def action_export(self) -> None:
        self.player.cancel()
        self._show_progress()
        self.session.when_free(self._ask_export)

    def _ask_export(self) -> None:
        speed = min(max(self.player.speed, _SLOWEST), _FASTEST)
        name = f"{self.loaded.algorithm.name}-{self.data.name}" if self.data else self.loaded.algorithm.name
        if len(self.session.branches.all) > 1:
            name += f"-{self.session.branch.name}"
        self.app.push_screen(ExportDialog(name, self.player.t, self.player.timeline.last, speed), self._export)

    def _export(self, asked: ExportAsked | None) -> None:
        if asked is not None:
            self.call_after_refresh(
                self._write_export, asked
            )  # when the dialog is gone, since the screen may be what is asked

    def _write_export(self, asked: ExportAsked) -> None:
        try:
            match asked.kind.of:
                case "state":
                    export_state(asked.path, self.player.frame.state, overwrite=asked.overwrite)
                case "screen":
                    made = svg(self.app, self._export_title) if asked.kind.suffix == ".svg" else self._cells().text
                    write_whole(asked.path, made, overwrite=asked.overwrite)
                case "numbers":
                    run = self.player.timeline
                    self._work_at(asked, export_numbers(asked.path, run, overwrite=asked.overwrite))
                    return
                case "animation":
                    self._work_at(asked, self._animation(asked))
                    return
        except Refused as refusal:
            self.tell(clean(refusal))
            return
        self._tell_written(asked.path)

    def _work_at(self, asked: ExportAsked, work: Iterator[float]) -> None:
        def done(reason: str | None) -> None:
            if reason is None:
                self.tell(clean(f"stopped: {asked.path.name} was not written"))
            elif reason:
                self.tell(clean(reason))
            else:
                self._tell_written(asked.path)

        self.app.push_screen(Writing(asked.path.name, work), done)

    def _tell_written(self, path: Path) -> None:
        size = path.stat().st_size
        words = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB" if size >= 1e3 else f"{size} bytes"
        self.tell(clean(f"written: {path} ({words})"))

    # The screen, at this step and at others

    @property
    def _export_title(self) -> str:
        return clean(f"{self.loaded.algorithm.title}, {data_words(self.data, self.loaded.algorithm)}")

    def _cells(self) -> Cells:
        palette = DARK if self.app.current_theme.dark else LIGHT
        return shown(self, palette.ink << 24 | palette.background)

    def _animation(self, asked: ExportAsked) -> Iterator[float]:
        def frames() -> Frames:
            return self._frames_of(asked.first, asked.last)

        seconds = 1 / asked.speed
        write = gif(frames, seconds) if asked.kind.suffix == ".gif" else cast(frames, seconds, self._export_title)
        return write_in_parts(asked.path, write, overwrite=asked.overwrite)

    def _frames_of(self, first: int, last: int) -> Frames:
        """Paint the screen at each step as if it were shown; afterwards it is where it was."""
        run, here = self.player.timeline, self.player.frame
        self.session.forget_notice()
        try:
            for t in range(first, last + 1):
                while (frame := run.fetch(t, _PART)) is None:  # it has to be replayed
                    yield (t - first) / (last - first + 1), None
                if frame.t == t or t == first:  # those that are gone are left out
                    self._paint_step(frame)
                    yield (t - first + 1) / (last - first + 1), self._cells()
        finally:
            self.player.frame = here
            self.redraw()

    def _paint_step(self, frame: Frame) -> None:
        """Show a step at once, where the algorithm answers from elsewhere too."""
        self.player.frame = frame
        self._put(self.viewer.picture(frame, *self.query_one(Stage).room))
