"""Many runs on the screen: they fill a histogram, or a curve, while they come in; any of them can be opened."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, ClassVar, Literal

import numpy as np
from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.core.text import clean
from algorithms.playback.sweeps.swept_runs import SweptRuns
from algorithms.saving.files import write_in_parts
from algorithms.timeline import Timeline
from tui.screens.export import Writing, free_name
from tui.screens.help import Help
from tui.screens.live import LiveScreen
from tui.widgets.keys import Keys
from tui.widgets.swept import SweptView

_PICTURES = 15  # a second, of the chart while runs come in
_PART = 200  # runs that are written at a time
_KEYS = (
    ("enter", "open it", "open"),
    ("← →", "bars", "move(1)"),
    ("space", "mark", "mark"),
    ("c", "side by side", "compare"),
    ("R", "back", "back"),
    ("esc", "cancel", "cancel"),
    ("↑ ↓", "its runs", "within(1)"),
    ("x", "curve", "curve"),
    ("e", "export", "export"),
    ("n", "other runs", "anew"),
    ("home end", "ends", "ends(True)"),
    ("?", "keys", "help"),
)


class Chosen(Struct, frozen=True):
    """What is to be shown in place of the runs: one or two of them, or the question for others."""

    what: Literal["open", "compare", "anew"]
    places: tuple[int, ...] = ()


class SweepScreen(LiveScreen[Chosen | None]):
    """Shows the runs of a sweep; ends with what was chosen among them, the runs go on.

    Args:
        swept: the runs.
        in_hand: the run in hand.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open the chosen run"),
        Binding("right,l", "move(1)", "the next bar"),
        Binding("left,h", "move(-1)", "the bar before"),
        Binding("down,j", "within(1)", "the next run of the bar"),
        Binding("up,k", "within(-1)", "the run before"),
        Binding("home,0", "ends(False)", "the least"),
        Binding("end,dollar_sign", "ends(True)", "the greatest"),
        Binding("space", "mark", "mark it, two at most"),
        Binding("c", "compare", "side by side: the marked ones, or the least and the greatest"),
        Binding("x", "curve", "another curve of the same runs"),
        Binding("e", "export", "export the numbers so far"),
        Binding("n", "anew", "other runs"),
        Binding("R,q", "back", "back to the run; these go on"),
        Binding("escape", "cancel", "make no more of them; when none are made, back to the run"),
        Binding("question_mark,f1", "help", "all keys"),
    ]

    keys: tuple[tuple[str, str, str], ...] = _KEYS

    def __init__(self, swept: SweptRuns, in_hand: Timeline):
        super().__init__()
        self._swept, self._run = swept, in_hand
        self._seen = (0, True)

    def compose(self) -> ComposeResult:
        yield SweptView(self._swept, self._run)
        yield Keys(self.keys, id="keys")

    def on_mount(self) -> None:
        self._show_keys()
        self.set_interval(1 / _PICTURES, self._look)

    def _look(self) -> None:
        swept = self._swept
        swept.take()
        if self._seen != (swept.columns.done, swept.running):  # the stage below takes numbers, too
            self._seen = swept.columns.done, swept.running
            self._show_keys()
            self._view.redraw()

    @property
    def _view(self) -> SweptView:
        return self.query_one(SweptView)

    def _show_keys(self) -> None:
        escape = ("esc", "cancel" if self._swept.running else "close", "cancel")
        self.query_one(Keys).show(tuple(escape if key[0] == "esc" else key for key in self.keys))

    def _tell(self, notice: str) -> None:
        """Tell a sentence until the next key; "" tells none."""
        self._view.notice = notice
        self._view.redraw()

    def _end(self, chosen: Chosen | None = None) -> None:
        if self.app.screen is self:
            self.dismiss(chosen)

    # Keys

    def action_move(self, by: int) -> None:
        self._swept.move(by)
        self._tell("")

    def action_within(self, by: int) -> None:
        self._swept.move_within(by)
        self._tell("")

    def action_ends(self, last: bool) -> None:
        self._swept.go_to_end(last)
        self._tell("")

    def action_mark(self) -> None:
        self._swept.mark()
        self._tell("")

    def action_curve(self) -> None:
        self._swept.next_curve()
        self._tell("")

    def action_open(self) -> None:
        if self._swept.chosen is not None:
            self._end(Chosen("open", (self._swept.chosen,)))

    def action_compare(self) -> None:
        pair = self._swept.pair
        if pair is None:
            self._tell("two runs are needed: mark one with space and choose another")
        else:
            self._end(Chosen("compare", pair))

    def action_anew(self) -> None:
        self._end(Chosen("anew"))

    def action_back(self) -> None:
        self._end()

    def action_cancel(self) -> None:
        """Make no more runs; when none are made, go back."""
        if self._swept.running:
            self._swept.cancel()
            self._show_keys()
            self._view.redraw()
        else:
            self._end()

    def action_help(self) -> None:
        self.app.push_screen(Help([b for b in self.BINDINGS if isinstance(b, Binding)]))

    def on_swept_view_clicked(self, message: SweptView.Clicked) -> None:
        """Open a run of the bar that was clicked."""
        if self._swept.choose_group(message.group):
            self.action_open()

    # Export

    def action_export(self) -> None:
        """Write the numbers so far to a file of the current folder."""
        loaded = self._swept.asked.loaded
        path = Path(free_name(f"{loaded.algorithm.name}-runs", ".csv"))

        def written(reason: str | None) -> None:
            words = f"{path.name} was not written" if reason is None else reason or f"written: {path}"
            self._tell(clean(words))

        self.app.push_screen(Writing(path.name, write_in_parts(path, self._written)), written)

    def _written(self, file: BinaryIO) -> Iterator[float]:
        swept = self._swept
        places = np.flatnonzero(swept.columns.came).tolist()
        for i, line in enumerate(swept.csv(places)):
            file.write(f"{line}\n".encode())
            if i % _PART == 0:
                yield i / max(len(places), 1)
