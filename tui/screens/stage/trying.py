"""Another run tried out: seen in place of this one while a form that asks for it is in front."""

from collections.abc import Callable
from time import perf_counter

from textual.geometry import Size

from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.run_session import RunSession
from algorithms.timeline import Stopped
from tui.screens.stage.base import StageBase
from tui.widgets.narration import Narration

AT_ONCE = 0.05  # seconds that a run is worked on between two pictures
_SLICE = 0.012  # the same, once it has come to its step
_SELDOM = 0.25  # seconds between two pictures of a run that grows: under a form each is painted whole
LEAST = 6  # rows that a form needs at the foot of the screen


class Trying(StageBase):
    """Another run tried out, in place of this one, which stays untouched meanwhile."""

    _left: tuple[Picture | None, Size] = (None, Size())  # what was shown before, and how large
    _extent_shown: tuple[int, Stopped | None] = (0, None)

    @property
    def in_hand(self) -> tuple[RunSession, int]:
        """Get the session, and the step that is shown."""
        return self.session, self.session.player.t

    def when_idle(self, act: Callable[[], None]) -> None:
        """Do what needs the runs for itself, when no thread works on them any more."""
        self.session.access.when_free(act)

    def try_out(self, tried: RunSession | None) -> None:
        """Show a run that is tried out in place of this one; None shows this one again."""
        if tried is self._tried:
            return
        if self._tried is None:
            self._left = self.picture, self.size
        self._tried = tried
        if tried is None and self._show_left():
            return
        if tried is not None and not (tried.access.busy or tried.player.slow):
            tried.player.work(AT_ONCE)
        self._moved = perf_counter()
        self.redraw()

    def _show_left(self) -> bool:
        """Show the picture that there was, where it still fits; whether it does."""
        (picture, size), self._left = self._left, (None, self.size)
        fits = picture is not None and size == self.size and picture.frame is self.player.frame
        if fits and picture is not None and self.is_live:
            self.show_picture(picture)
        return fits

    def try_further(self, elapsed: float) -> None:
        """Let the run that is tried out go on, and nothing else: the clock stands while a form is in front."""
        if self._tried is None:
            return
        player = self.player
        if player.slow or self.shown.access.busy:
            self.go_on(elapsed)
            return
        stepped = player.work(_SLICE if player.goal is None else AT_ONCE)
        extent = player.timeline.looked, player.timeline.stopped
        grew = extent != self._extent_shown and perf_counter() - self._moved > _SELDOM
        if stepped or grew:
            self._extent_shown = extent
        self._after_work(stepped, grew)

    @property
    def foot(self) -> int:
        """Count the rows that a form may cover at the foot: those below the narration, or else below the pictures."""
        height, seen = self.size.height, [widget for widget in self.query("#stage, #big") if widget.display]
        below = height - self.query_one(Narration).region.bottom
        return below if below >= LEAST else height - max((widget.region.bottom for widget in seen), default=0)
