"""Another run tried out in the pane of the run in hand while a form that asks for it is in front."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from algorithms.playback.comparison.alignment import Alignment, ByTime, Place, alignment_named
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.comparison.earlier import Earlier
from algorithms.playback.comparison.follower import Follower
from algorithms.playback.comparison.sources import FirstField
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.run_session import RunSession
from tui.screens.compare.returning import Returning
from tui.screens.form_preview import FormPreview
from tui.widgets.chart_and_numbers import ChartAndNumbers
from tui.widgets.stories import Stories

AT_ONCE = 0.05  # seconds that a run is worked on before its first picture
LEAST = 6  # rows that a form needs at the foot of the screen


class _Pane(Struct, frozen=True, eq=False):
    """A run in a pane, and all that goes with it."""

    compared: ComparedRun
    follower: Follower
    viewer: Viewer
    earlier: Earlier


class _Before(Struct, frozen=True, eq=False):
    """What stood there before another run was tried out: the pane, where all runs stood, and how they were seen."""

    pane: _Pane
    alignment: Alignment
    place: Place
    first_differences: dict[int, int | None]
    first_fields: dict[int, FirstField]
    look: dict[str, Any]


class Trying(Returning):
    """Another run tried out in place of the one in hand, which stays untouched meanwhile."""

    _before: _Before | None = None
    _waiting: Callable[[], None] | None = None

    @property
    def in_hand(self) -> tuple[RunSession, int]:
        """Get the session of the run in hand, and the step it shows."""
        return self.home[0], self.player_in_hand.t

    def note_look(self) -> None:
        if self._before is None:  # what is tried out is no run that could be gone back to
            super().note_look()

    # The form in front

    def when_idle(self, act: Callable[[], None]) -> None:
        """Do what needs the runs for itself, when no thread works on them any more; none begins before."""
        self._waiting = act
        self._act_when_idle()

    def _act_when_idle(self) -> None:
        if self._waiting is not None and not self.session.access.busy and not self._worked_on:
            act, self._waiting = self._waiting, None
            act()

    @property
    def _worked_on(self) -> bool:
        return any(follower.busy for follower in self.together.followers)

    def try_further(self, elapsed: float) -> None:
        """Let the run that is tried out go on; the clock of all stands while a form is in front."""
        self._act_when_idle()
        if self._before is not None and self._waiting is None:
            self.go_on(elapsed)

    async def leave_tried(self, preview: FormPreview, parameters: dict[str, Any] | None) -> RunSession | None:
        """Show the runs there are again, when no thread works on what was tried out; give it, if it was what was asked
        for."""
        await self.rest()
        return preview.leave(parameters)

    @property
    def foot(self) -> int:
        """Count the rows that a form may cover at the foot: those below the words, or below the chart and the numbers,
        or below the stages; where these are too few, no more than it needs."""
        height = self.size.height
        middle = [widget for widget in self.query("#stages, #abreast, #large") if widget.display]
        stages = self.query_one("#stages")
        ends = [self.query_one(Stories).region.bottom, max((widget.region.bottom for widget in middle), default=0)]
        ends += [stages.region.bottom] if stages.display else []
        return next((height - end for end in ends if height - end >= LEAST), LEAST)

    # What is seen behind it

    def try_out(self, tried: RunSession | None) -> None:
        """Show a run that is tried out in place of the one in hand; None shows that one again."""
        before = self._before
        if tried is None and before is None:
            return
        if tried is not None:
            self._before = before or self._what_stands()
            self._show_tried(tried, self._before.pane)
        elif before is not None:
            self._show_again(before)
        self.name_runs()
        self.query_one(ChartAndNumbers).forget_drawn()
        self.redraw()

    def _what_stands(self) -> _Before:
        i, together = self.current, self.together
        pane = _Pane(self.compared[i], together.followers[i], self.viewers[i], self._earlier[i])
        known = dict(together.first_differences), dict(together.first_fields)
        return _Before(pane, together.alignment, together.place, *known, pane.viewer.kept())

    def _show_tried(self, tried: RunSession, instead: _Pane) -> None:
        """Put the run that is tried out into the pane, on its way to where all runs stand."""
        run, together = tried.player.timeline, self.together
        follower = Follower(tried.player)
        self._fill(_Pane(ComparedRun("", run, tried.loaded), follower, instead.viewer.likewise(run), Earlier(run)))
        if isinstance(together.alignment, ByTime):  # which knows the time of the runs there were
            runs = [compared.timeline for compared in self.compared]
            together.alignment = alignment_named(together.alignment.name, runs)
        together.first_differences.clear()
        together.first_fields.clear()
        follower.aim = together.place
        if not tried.player.slow:
            together.work_on(self.current, AT_ONCE)

    def _show_again(self, before: _Before) -> None:
        """Put the run that there is back into its pane, with all that was known of it."""
        self._before = None
        self._fill(before.pane)
        before.pane.viewer.fit_again(before.look)
        together = self.together
        together.alignment, together.place = before.alignment, before.place
        together.first_differences = dict(before.first_differences)
        together.first_fields = dict(before.first_fields)

    def _fill(self, pane: _Pane) -> None:
        i = self.current
        self.compared = (*self.compared[:i], pane.compared, *self.compared[i + 1 :])
        self.together.followers[i], self.viewers[i], self._earlier[i] = pane.follower, pane.viewer, pane.earlier
