"""Stepping, playing and going anywhere, with all runs at once."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.core.text import clean
from algorithms.playback.comparison.alignment import Alignment, ByIterations, BySteps, ByTime
from tui.screens.compare.base import CompareBase
from tui.screens.go_to import GoTo
from tui.screens.stepping import Stepping
from tui.widgets.chart_and_numbers import ChartAndNumbers
from tui.widgets.seeking import PlaceSought


class Moving(Stepping, CompareBase):
    """Stepping, playing and going anywhere, with all runs at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "play", "play or pause"),
        Binding("right,l", "step(1)", "a step on"),
        Binding("left,h", "step(-1)", "a step back"),
        Binding("shift+right,L", "iteration(True)", "to the next iteration of any"),
        Binding("shift+left,H", "iteration(False)", "to the iteration before"),
        Binding("n", "event(True)", "to the next event of any"),
        Binding("N", "event(False)", "to the event before"),
        Binding("home,0,^", "start", "to the start"),
        Binding("end,$", "last", "to the newest step"),
        Binding("r", "to_end", "run all to the end"),
        Binding("g", "go_to", "go to a step, iteration or time"),
        Binding("D", "difference", "where they first differ, and field by field"),
        Binding("u", "align", "align by step, iteration or time"),
        Binding("j", "along", "along the chart: its own variable, or what the runs are aligned by"),
        Binding("plus,equals_sign", "speed(1)", "faster"),
        Binding("minus", "speed(-1)", "slower"),
    ]

    def action_play(self) -> None:
        self.together.play(breakpoints=self.session.breakpoints)
        self.wind()
        self.act()

    def action_event(self, forward: bool) -> None:
        if not any(run.timeline.algorithm.events for run in self.compared):
            self.refuse("these algorithms name no events; ⇧→ goes to the next iteration")
            return
        self.together.event(forward)
        self.act()

    def action_difference(self) -> None:
        """Go to where the run in hand first differs from another, with the fields of the states in the table; where it
        is there already, show the numbers again."""
        shown = self.query_one(ChartAndNumbers)
        known, here = self.together.first_differences, self.player_in_hand.t
        there = self.current in known and known[self.current] in (None, here)
        if shown.table == "fields" and there:
            shown.choose_table("numbers")
        else:
            shown.choose_table("fields")
            self.show_table()
            self.together.difference(self.current)
        self.act()

    def show_table(self) -> None:
        """Bring the table on the screen where it is not."""
        now = self.layout_now
        if now.tabs or self.view in ("stages", "chart"):
            self.view = "numbers" if now.tabs else "all"
        self.part = "numbers"
        self.share_out()

    def action_start(self) -> None:
        self.together.seek(0)
        self.act()

    def action_last(self) -> None:
        self.together.newest()
        self.act()

    def action_to_end(self) -> None:
        self.together.to_end(self.session.breakpoints)
        self.act()

    def action_align(self) -> None:
        """Align by step, by iteration, by time spent, and again."""
        runs = [run.timeline for run in self.compared]
        now = self.together.alignment
        following: Alignment = BySteps()
        refused = ""
        if isinstance(now, BySteps):
            following = ByIterations()
        elif isinstance(now, ByIterations):
            try:
                following = ByTime(runs)
            except Refused as refusal:
                refused = clean(f"by step again: {refusal}")
        self.together.align(following, self.current)
        self.act()
        self.tell(refused)

    def action_along(self) -> None:
        """Draw the chart along what the runs are aligned by, by something else each time; then along its own variable
        again."""
        chart = self.query_one(ChartAndNumbers)
        if chart.along_own:
            chart.own = False
            self.show_where()
            return
        self.action_align()
        chart.own = isinstance(self.together.alignment, BySteps)

    def on_place_sought(self, message: PlaceSought) -> None:
        self.together.seek(message.along)
        self.act()

    def action_go_to(self) -> None:
        """Ask for a number of what the axis is numbered in."""
        unit, name = self.together.alignment.unit(self.together.range)
        last = max((course.known for course in self._courses if course is not None), default=0.0)
        asking = GoTo(round(self.together.place[0] / unit), round(last / unit))
        asking.heading = f"Go to {name}"
        self.app.push_screen(asking, lambda number: self._go(number, unit))

    def _go(self, number: int | None, unit: float) -> None:
        if number is not None:
            self.together.seek(number * unit)
            self.act()
