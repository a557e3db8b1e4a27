"""What is seen of several runs, and the numbers of all of them, to files."""

from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.data.text import clean
from algorithms.playback.compared_run import LETTERS
from algorithms.saving.export.side_by_side import export_together
from algorithms.saving.files import write_whole
from tui.export.cells import shown
from tui.export.svg import svg
from tui.paint.palette import DARK, LIGHT
from tui.screens.compare.base import CompareBase
from tui.screens.export import ExportAsked, ExportDialog, Kind, Writing

_KINDS = (
    Kind("the numbers of every step so far of all runs, as a table (CSV)", "numbers", ".csv"),
    Kind("this screen, as a picture (SVG)", "screen", ".svg"),
    Kind("this screen, as text", "screen", ".txt"),
)


class Exporting(CompareBase):
    """What is seen of several runs, and the numbers of all of them, to files."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("e", "export", "export the numbers of all, this screen")]

    async def action_export(self) -> None:
        """Ask what to export, when no thread works on a run any more."""
        self.together.cancel()
        await self.workers.wait_for_complete()
        names = dict.fromkeys(run.timeline.algorithm.name for run in self.compared)
        data = dict.fromkeys(run.timeline.data.name for run in self.compared if run.timeline.data)
        here = self.together.lanes[self.current].player.t
        last = max(run.timeline.last for run in self.compared)
        self.app.push_screen(ExportDialog("-".join([*names, *data]), here, last, 1.0, _KINDS), self._export)

    def _export(self, asked: ExportAsked | None) -> None:
        if asked is not None:
            self.call_after_refresh(
                self._write, asked
            )  # when the dialog is gone, since the screen may be what is asked

    def _write(self, asked: ExportAsked) -> None:
        try:
            if asked.kind.of == "numbers":
                runs = [(letter, run.timeline) for letter, run in zip(LETTERS, self.compared)]
                work = export_together(asked.path, runs, overwrite=asked.overwrite)
                self.app.push_screen(Writing(asked.path.name, work), lambda reason: self._written(asked.path, reason))
                return
            made = svg(self.app, self._title) if asked.kind.suffix == ".svg" else self._text()
            write_whole(asked.path, made, overwrite=asked.overwrite)
        except Refused as refusal:
            self.tell(clean(refusal))
            return
        self._written(asked.path, "")

    @property
    def _title(self) -> str:
        title, data, _ = self._common
        return clean(", ".join(filter(None, (title, data, *self._names.whole))))

    def _text(self) -> str:
        palette = DARK if self.app.current_theme.dark else LIGHT
        return shown(self, palette.ink << 24 | palette.background).text

    def _written(self, path: Path, reason: str | None) -> None:
        """Tell what became of a file: None where it was given up, "" where it was written, else why not."""
        if reason is None:
            self.tell(clean(f"stopped: {path.name} was not written"))
        else:
            self.tell(clean(reason or f"written: {path} ({path.stat().st_size / 1e3:.1f} kB)"))
