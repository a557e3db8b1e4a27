"""What is seen of several runs, alone or step by step, and the numbers of all of them, to files."""

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core.text import clean
from algorithms.playback.comparison.alignment import Alignment
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.saving.export.side_by_side import export_together
from tui.export.animation import Frames
from tui.export.page import Runs, Step, Steps, Words
from tui.screens.compare.returning import Returning
from tui.screens.export import ExportAsked, ExportDialog, Kind
from tui.screens.writing import WritesFiles, events_of, sentence_of, standings

_KINDS = (
    Kind("the numbers of every step so far of all runs, as a table (CSV)", "numbers", ".csv"),
    Kind("this screen, as a picture (SVG)", "screen", ".svg"),
    Kind("this screen, as text", "screen", ".txt"),
    Kind("all runs, step by step, as a page for browsers (HTML)", "page", ".html"),
    Kind("all runs, step by step, for asciinema (.cast)", "animation", ".cast"),
    Kind("all runs, step by step, as a GIF", "animation", ".gif"),
)
_PART = 0.02  # seconds of replaying at a time
_SLOWEST, _FASTEST = 0.05, 20.0  # steps a second of an animation, to begin with


class Exporting(WritesFiles, Returning):
    """What is seen of several runs, alone or step by step, and the numbers of all of them, to files."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "export", "export the numbers of all, this screen, an animation")
    ]

    async def action_export(self) -> None:
        """Ask what to export, when no thread works on a run any more."""
        await self.rest()
        names = dict.fromkeys(run.timeline.algorithm.name for run in self.compared)
        data = dict.fromkeys(run.timeline.data.name for run in self.compared if run.timeline.data)
        here, last, unit = self.extent
        speed = min(max(self.together.speed, _SLOWEST), _FASTEST)
        asking = ExportDialog("-".join([*names, *data]), here, last, speed, _KINDS, unit)
        self.app.push_screen(asking, lambda asked: self.export_with(self._write, asked))

    @property
    def extent(self) -> tuple[int, int, str]:
        """Say where they are and how far they have come, and in what that is counted.

        That is the alignment's step or iteration; time is gone along by the steps of the run in hand.
        """
        alignment, runs = self.together.alignment, [run.timeline for run in self.compared]
        if not alignment.whole:
            player = self.player_in_hand
            return player.t, player.timeline.last, f"step of {LETTERS[self.current]}"
        ends = [alignment.key(run, run.last) or (0.0, 0.0) for run in runs]
        return int(self.together.place[0]), int(max(ends)[0]), alignment.name

    def _write(self, asked: ExportAsked) -> bool:
        match asked.kind.of:
            case "numbers":
                runs = [(letter, run.timeline) for letter, run in zip(LETTERS, self.compared)]
                self.work_at(asked, export_together(asked.path, runs, overwrite=asked.overwrite))
            case "screen":
                self.write_screen(asked, self.export_title)
            case "page":
                self.write_page(asked, self.runs_of_page(asked.first, asked.last), self.export_title, self.extent[2])
            case "animation":
                self.write_frames(asked, lambda: self._frames_of(asked.first, asked.last), self.export_title)
        return asked.kind.of == "screen"

    @property
    def export_title(self) -> str:
        """Name what is exported: the algorithms and their data."""
        title, data, _ = self._common
        return clean(", ".join(filter(None, (title, data, *self._names.whole))))

    def _frames_of(self, first: int, last: int) -> Frames:
        """Paint the screen at each place as if it were shown."""
        for share, number in self._places(first, last):
            if number is not None:
                self._paint_now()
            yield share, None if number is None else self.cells_now()

    def runs_of_page(self, first: int, last: int) -> Runs:
        """Give what paints all runs, place by place, as a page takes it."""
        return [("", partial(self._in_both_looks, first, last))]

    def _in_both_looks(self, first: int, last: int) -> Steps:
        """Paint each place in both looks, after all have been painted once: so axes do not move as one steps."""
        for share, number in self._places(first, last):
            if number is not None:
                self._paint_now()
            yield share / 3, None
        for share, number in self._places(first, last):
            step = None
            if number is not None:
                step = Step(*self.in_both_looks(self._paint_now), self._words_of(number))
            yield (1 + 2 * share) / 3, step

    def _places(self, first: int, last: int) -> Iterator[tuple[float, int | None]]:
        """Go to each place, a part of the way at a time; afterwards the runs are where they were."""
        together, here = self.together, self.together.place
        self.session.forget_notice()
        try:
            for number in range(first, last + 1):
                self._go_to_number(number, together.alignment)
                while together.seeks or any(follower.aim is not None for follower in together.followers):
                    together.work_all(_PART)
                    yield (number - first) / (last - first + 1), None
                yield (number - first + 1) / (last - first + 1), number
        finally:
            together.resume(here)
            self.act()

    def _words_of(self, number: int) -> Words:
        """Say of every run what the screen says of it."""
        shown = [(letter, run.timeline, p) for letter, run, p in zip(LETTERS, self.compared, self.pictures) if p]
        stand = [letter for letter, run in zip(LETTERS, self.together.followers) if self.together.holds(run)]
        steps = [(letter, picture, sentence_of(picture, run.last)) for letter, run, picture in shown]
        return Words(
            t=number,
            iteration=None,
            phase="",
            events=tuple(
                f"{letter}: {name}"
                for letter, run, picture in shown
                if letter not in stand
                for name in events_of(run, picture.frame.t)
            ),
            sentence=" ".join(f"{letter}, step {picture.frame.t:,}: {said}" for letter, picture, said in steps),
            theorems=tuple((f"{letter}, {theorem}", how) for letter, _, p in shown for theorem, how in standings(p)),
        )

    def _go_to_number(self, number: int, alignment: Alignment) -> None:
        if alignment.whole:
            self.together.seek(number)
        else:
            self.together.meet(self.current, number)

    def _paint_now(self) -> None:
        """Show the step of every run at once, where its algorithm answers from elsewhere too."""
        seen = bool(self.query_one("#stages").display)
        for _ in range(2):  # the limits that panels share are those of all pictures
            self._put([self._made(i, self._room(i), False) for i in range(len(self.compared))], seen)
        self.show_where()
