"""Many runs beside this one."""

from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.timer import Timer

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.sweeps.request import SweepRequest, sweepable
from algorithms.playback.sweeps.swept_runs import SweptRuns
from tui.screens.stage.comparing import Comparing
from tui.screens.stage.opening import Opening

if TYPE_CHECKING:
    from tui.screens.sweep import Chosen, SweepScreen

_LOOK = 0.5  # seconds between two looks at runs that are not on the screen


class Sweeping(Comparing, Opening):
    """Many runs beside this one: asked for, looked at, and opened."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("R", "sweep", "many runs: over seeds, a parameter, the data")]
    _swept: SweptRuns | None = None
    _looks: Timer | None = None

    def action_sweep(self) -> None:
        """Show the many runs there are; else ask for some."""
        if self.is_recording():
            return
        self.pause()
        if self._swept is None:
            self._ask_sweep()
        else:
            self._show_sweep()

    def _ask_sweep(self) -> None:
        from tui.screens.ask_sweep import AskSweep

        like = replace(self.session.current, data=self.player.timeline.data)
        if not sweepable(like) or not like.algorithm.curves:
            self.tell("no runs to be made: nothing in it can be swept over, or measured")
            return
        self.app.push_screen(AskSweep(like), self._begin_sweep)

    def _begin_sweep(self, asked: SweepRequest | None) -> None:
        if asked is None:
            return
        self.show_runs_made(SweptRuns(asked))

    def show_runs_made(self, swept: SweptRuns) -> None:
        """Show many runs in place of those there were."""
        self._end_sweep()
        self._swept = swept
        self._looks = self.set_interval(_LOOK, self._look_at_runs)
        self._show_sweep()

    def _show_sweep(self) -> None:
        if self._swept is not None:
            self.app.push_screen(self.screen_of(self._swept), self._sweep_answered)

    def screen_of(self, swept: SweptRuns) -> "SweepScreen":
        """Make the screen that shows many runs."""
        from tui.screens.sweep import SweepScreen

        return SweepScreen(swept, self.player.timeline)

    def _look_at_runs(self) -> None:
        """Take the numbers that come while something else is on the screen, and tell when there are no more."""
        swept = self._swept
        if swept is None or self._looks is None:
            return
        swept.take()
        if not swept.running:
            self._looks.stop()
            if self.app.screen is self:
                self.tell(f"{swept.progress}: R shows them")

    def _end_sweep(self) -> None:
        """End the runs that are still made."""
        if self._looks is not None:
            self._looks.stop()
        if self._swept is not None and self._swept.running:
            self._swept.cancel()

    def on_unmount(self) -> None:
        self._end_sweep()

    def _sweep_answered(self, chosen: "Chosen | None") -> None:
        swept = self._swept
        if chosen is None or swept is None:
            self.redraw()
            return
        try:
            opened = [swept.asked.opened(place) for place in chosen.places]
            if chosen.what == "compare":
                runs = [Player(loaded.timeline()).timeline for loaded in opened]
                names = (swept.named(place) for place in chosen.places)
                self._compare([ComparedRun(*each) for each in zip(names, runs, opened)])
            elif chosen.what == "open":
                self.start_over(opened[0])
            else:
                self._ask_sweep()
        except Refused as refusal:
            self.tell(clean(refusal))
