"""What is seen, and what is behind it, to files."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from algorithms.core.text import clean
from algorithms.playback.runs.data_words import data_words
from algorithms.timeline import Frame
from algorithms.timeline.branches import Branch
from tui.screens.stage.base import StageBase
from tui.screens.writing import WritesFiles, events_of, sentence_of, standings
from tui.widgets.stage import Stage

if TYPE_CHECKING:
    from tui.export.animation import Frames
    from tui.export.page import Runs, Steps, Words
    from tui.screens.export import ExportAsked

_PART = 0.02  # seconds of replaying at a time
_SLOWEST, _FASTEST = 0.05, 20.0  # steps a second of an animation, to begin with


class Exporting(WritesFiles, StageBase):
    """What is seen, and what is behind it, to files."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("e", "export", "export numbers, this screen, its steps")]

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
                self.write_screen(asked, self.export_title)
            case "numbers":
                self.work_at(asked, numbers_in_parts(asked.path, self.player.timeline, overwrite=asked.overwrite))
            case "page":
                self.write_page(asked, self.runs_of_page(asked.first, asked.last), self.export_title)
            case "animation":
                self.write_frames(
                    asked,
                    lambda: self._frames_of(asked.first, asked.last),
                    self.export_title,
                    lambda: ", ".join(events_of(self.player.timeline, self.player.t)),
                )
        return asked.kind.of in ("state", "screen")

    # The screen, at this step and at others

    @property
    def export_title(self) -> str:
        """Name what is exported: the algorithm and its data."""
        return clean(f"{self.loaded.algorithm.title}, {data_words(self.data, self.loaded.algorithm)}")

    def _frames_of(self, first: int, last: int) -> "Frames":
        """Paint the screen at each step as if it were shown."""
        for share, frame in self._replayed(first, last):
            if frame is not None:
                self.paint_step(frame)
            yield share, None if frame is None else self.cells_now()

    def runs_of_page(self, first: int, last: int) -> "Runs":
        """List the run and those forked from it, with what paints their steps; `Refused` where they are too many."""
        from tui.export.page import check

        branches = [branch for branch in self.session.branches.all if branch.timeline.last >= first]
        check(sum(min(branch.timeline.last, last) - first + 1 for branch in branches))
        for branch in branches:  # charts and timeline reach as far in all of them
            player = self.session.player_of(branch)
            player.approach(player.t, min(last, branch.timeline.last))
            player.cancel()
        return [(branch.name, partial(self._steps_of, branch, first, last)) for branch in branches]

    def _steps_of(self, branch: Branch, first: int, last: int) -> "Steps":
        """Paint each step of a run in both looks; afterwards the one that was shown is."""
        shown, here = self.session.branch, self.player.t
        self.session.select(branch)
        try:
            yield from self._in_both_looks(first, min(last, branch.timeline.last))
        finally:
            self.session.select(shown, here)

    def _in_both_looks(self, first: int, last: int) -> "Steps":
        """Paint each step in both looks. All are painted once before: axes and tables so have, from the first on, the
        room that they come to take, and do not move as one steps."""
        from tui.export.page import Step

        for share, frame in self._replayed(first, last):
            if frame is not None:
                self.paint_step(frame)
            yield share / 3, None
        for share, frame in self._replayed(first, last):
            step = None
            if frame is not None:
                dark, light = self.in_both_looks(partial(self.paint_step, frame))
                step = Step(dark, light, self.words_of(frame))
            yield (1 + 2 * share) / 3, step

    def _replayed(self, first: int, last: int) -> Iterator[tuple[float, Frame | None]]:
        """Replay each step, a part of it at a time; afterwards the screen is where it was."""
        run, here = self.player.timeline, self.player.frame
        self.session.forget_notice()
        try:
            for t in range(first, last + 1):
                while (frame := run.fetch(t, _PART)) is None:
                    yield (t - first) / (last - first + 1), None
                if frame.t == t or t == first:  # those that are gone are left out
                    yield (t - first + 1) / (last - first + 1), frame
        finally:
            self.player.frame = here
            self.redraw()

    def paint_step(self, frame: Frame) -> None:
        """Show a step at once, where the algorithm answers from elsewhere too; again where it leaves the plot other
        room than the step before."""
        self.player.frame = frame
        stage = self.query_one(Stage)
        for _ in range(2):
            room = stage.room
            self.show_picture(self.viewer.picture(frame, *room))
            if stage.room == room:
                break

    def words_of(self, frame: Frame) -> "Words":
        """Say of the step that is shown what the screen says of it."""
        from tui.export.page import Words

        picture, run = self.picture, self.player.timeline
        assert picture is not None
        return Words(
            t=frame.t,
            iteration=frame.state.iteration,
            phase=frame.state.phase,
            events=events_of(run, frame.t),
            sentence=sentence_of(picture, run.last),
            theorems=standings(picture),
        )
