"""What stands along the charts, and whether their values are logarithmic."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.playback.cursor.coordinates import Coordinate, Iterations, Spent
from algorithms.playback.cursor.player import SLOW
from algorithms.playback.pictures.viewer import Picture
from algorithms.timeline import Timeline
from tui.screens.stage.base import StageBase
from tui.widgets.column import Column

_AT_ONCE = 0.02  # seconds for which steps are timed before they are first shown along their time
_A_TICK, _ASIDE = 0.005, 0.1  # seconds of a tick, or of a thread where steps take long


class Charting(StageBase):
    """What stands along the charts, and whether their values are logarithmic."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "along", "along the chart: its own variable, steps, iterations, time"),
        Binding("k", "log", "the chart's values logarithmic, or not"),
    ]

    _spent: tuple[Timeline, Spent] | None = None  # of the run that was shown along its time last

    def lay_along(self, picture: Picture) -> Picture:
        """Put along the charts what was chosen."""
        column = self.query_one(Column)
        try:
            column.coordinate = self._coordinate(column)
        except Refused as refusal:
            column.along, column.coordinate = "own", None
            self.tell(str(refusal))
        return picture

    def _coordinate(self, column: Column) -> Coordinate | None:
        """Choose what stands along charts in place of the steps.

        Raises:
            Refused: when the steps are to be timed and cannot be.
        """
        run = self.player.timeline
        if column.along == "iteration":
            return Iterations(run)
        if column.along != "time":
            return None
        if self._spent is None or self._spent[0] is not run:
            self._spent = run, Spent(run)
            if not self._is_dear(run):
                self._spent[1].learn(_AT_ONCE)
        return self._spent[1]

    @staticmethod
    def _is_dear(run: Timeline) -> bool:
        """Tell whether a step of the run takes so long that it is made in a thread."""
        return run.seconds_a_step > SLOW

    def go_on(self, elapsed: float) -> None:
        """Let the run go on, and time its steps where they are shown along their time."""
        super().go_on(elapsed)
        run, held = self.player.timeline, self._spent
        if held is None or held[0] is not run or not held[1].lags or self.query_one(Column).along != "time":
            return
        if not self.session.access.busy:
            self._time_steps(held[1], self._is_dear(run))

    def _time_steps(self, spent: Spent, aside: bool) -> None:
        def timed(_: None = None) -> None:
            if aside:
                self.session.access.free()
            if spent.lags:
                self._grew()
            else:
                self.redraw()

        if aside:
            self.session.access.take()
            self.aside(lambda: spent.learn(_ASIDE), timed)
        else:
            spent.learn(_A_TICK)
            timed()
