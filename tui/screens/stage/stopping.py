"""Stopping where it matters: breakpoints, the last change of a number, and where two runs first differ."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.data.text import clean, ordinal
from algorithms.playback.player import Goal
from algorithms.playback.watch import Watch
from algorithms.timeline import conditions
from algorithms.timeline.branches import Branch
from algorithms.timeline.differences import differences
from algorithms.timeline.divergence import Comparison
from tui.screens.breakpoints import Breakpoints, Stop
from tui.screens.last_change import LastChange
from tui.screens.other_run import OtherRun
from tui.screens.stage.base import StageBase
from tui.widgets.side import Side

_NAME = 32  # characters of a condition in the header


class Stopping(StageBase):
    """Stopping where it matters: breakpoints, the last change of a number, and where two runs first differ.

    Attributes:
        stops: the breakpoints, those that are off included.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "breakpoints", "breakpoints"),
        Binding("right_square_bracket", "to_stop(True)", "on to a breakpoint"),
        Binding("left_square_bracket", "to_stop(False)", "back to a breakpoint"),
        Binding("y", "last_change", "when it last changed"),
        Binding("D", "first_difference", "where two runs differ"),
    ]

    def __init__(self, *args: Any, **settings: Any):
        self.stops: list[Stop] = []
        super().__init__(*args, **settings)

    def begin(self, *args: Any, **settings: Any) -> None:
        super().begin(*args, **settings)
        self.arm()

    def _select(self, branch: Branch, t: int | None = None) -> None:
        super()._select(branch, t)  # type: ignore[misc]
        self.arm()

    # Breakpoints

    def arm(self) -> None:
        """Have the run in hand stop at the breakpoints that are on and have a meaning in it."""
        run, found = self.player.timeline, []
        state = run.at(run.last).state
        for stop in self.stops:
            if stop.on:
                try:
                    found.append(conditions.starting(conditions.parse(stop.text, run.algorithm, run.data, state)))
                except Refused:  # of another number of rows, or a file that was edited: the list tells
                    continue
        self.player.watch = Watch(run, found) if found else None

    def action_breakpoints(self) -> None:
        self.pause()
        self.when_free(self._ask_breakpoints)

    def _ask_breakpoints(self) -> None:
        self.app.push_screen(Breakpoints(self.stops, self.player.timeline, self.arm), lambda _: self.redraw())

    def action_to_stop(self, forward: bool) -> None:
        watch = self.player.watch
        if watch is None:
            self.tell("no breakpoint is on; b makes one" if self.stops else "there are no breakpoints; b makes one")
            return
        self.look_for(watch.any, forward)

    def look_for(self, condition: conditions.Condition, forward: bool) -> None:
        """Go to the next step at which a condition holds, or the last one before."""
        player, text = self.player, clean(condition.text)
        watch, start = player.watch, player.t
        search = conditions.Search(player.timeline, condition, start, forward)

        def told(t: int | None) -> str:
            if search.trouble:
                return clean(search.trouble)
            if t is None:
                apart = f", as far as steps are kept: every {ordinal(search.gaps)}" if search.gaps > 1 else ""
                return f"{'after' if forward else 'before'} step {start:,} it never comes to {text}{apart}"
            if watch is None or watch.any is not condition:
                return text
            watch.hits.add(t)
            return f"stopped where {clean(watch.why(t))}"

        name = text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"
        player.pursue(Goal(name, lambda run: search.match, looking=search, told=told))
        self.act()

    # The last change of something

    def action_last_change(self) -> None:
        self.pause()
        self.when_free(self._ask_last_change)

    def _ask_last_change(self) -> None:
        self.app.push_screen(LastChange(self.player.timeline, self.player.frame), self._go_to_change)

    def _go_to_change(self, condition: conditions.Condition | None) -> None:
        if condition is None:
            return
        player, start = self.player, self.player.t
        what = clean(condition.text).removesuffix(" changes")
        search = conditions.Search(player.timeline, condition, start, forward=False)

        def told(t: int | None) -> str:
            if search.trouble:
                return clean(search.trouble)
            if t is None:
                return f"{what} has not changed before step {start:,}"
            words = next((d.words for d in differences(*self._around(t)) if d.field == what.strip("\"'")), "")
            return f"{what} last changed here, at step {t:,}" + (f": {clean(words)}" if words else "")

        player.pursue(Goal(f"the last change of {what[:_NAME]}", lambda run: search.match, looking=search, told=told))
        self.act()

    def _around(self, t: int) -> tuple[Any, Any]:
        frame = self.player.timeline.at(t)
        return frame.before, frame.state

    def on_side_asked(self, message: Side.Asked) -> None:
        """A row of what changed was clicked."""
        run = self.player.timeline
        try:
            text = f"{conditions.quoted(message.field)} changes"
            self._go_to_change(conditions.parse(text, run.algorithm, run.data, self.player.frame.state))
        except Refused as refusal:
            self.tell(clean(refusal))

    # Two runs

    def action_first_difference(self) -> None:
        others = [branch for branch in self.branches.all if branch is not self.branch]
        if not others:
            self.tell("there is one run; f makes a second one, and D tells where the two first differ")
        elif len(others) == 1:
            self._go_to_difference(others[0])
        else:
            self.pause()
            self.app.push_screen(OtherRun(others), self._go_to_difference)

    def _go_to_difference(self, other: Branch | None) -> None:
        if other is not None:
            self.when_free(lambda: self._first_difference(other))

    def _first_difference(self, other: Branch) -> None:
        names = (self.branch.name, other.name)
        comparison = Comparison(self.branch.timeline, other.timeline, names=names)

        def told(t: int | None) -> str:
            found = comparison.divergence
            if found is None:
                return f"no difference from {clean(other.name)}"
            return clean(found.sentence)

        def find(_run: object) -> int | None:
            return comparison.divergence.steps[0] if comparison.divergence is not None else None

        self.player.pursue(
            Goal(f"the difference from {clean(other.name)[:_NAME]}", find, looking=comparison, told=told)
        )
        self.act()
