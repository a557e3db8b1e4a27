"""The top line: what runs on what, and how far it has come."""

import math

from tui.paint.canvas import Canvas, fitted, width_of
from tui.player import Player
from tui.widgets.raster import RasterView


class Header(RasterView):
    """Title, which run of several, data and parameters at the left, cut where they must be; how far the run has
    come at the right, never cut."""

    DEFAULT_CSS = "Header { height: 1; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._title, self._run, self._data = "", "", ""
        self._parameters: tuple[str, ...] = ()
        self._player: Player | None = None
        self.mode = ""  # what keys and mouse do now, when not the usual

    def show(self, player: Player, title: str, data: str, parameters: tuple[str, ...], run: str = "") -> None:
        """A player's place; `run` names which it is, where there are several."""
        self._player, self._title, self._data, self._parameters = player, title, data, parameters
        self._run = f"▸ {run}" if run else ""
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        if self._player is None:
            return
        state = status(self._player)
        left = canvas.columns - width_of(state) - 1
        canvas.text(left, 0, state, palette.ink)
        if self._player.playing:
            canvas.text(left, 0, state[:1], palette.accent, bold=True)
        column = 1
        if self.mode:
            column = canvas.text(column, 0, f" {self.mode} ", palette.on_held, palette.held, bold=True) + 2
        parts = ((self._title, palette.ink, True), (self._run, palette.ink, False), (self._data, palette.accent, False))
        for text, ink, bold in (part for part in parts if part[0]):
            room = left - column - 2
            if text is self._title and self._run:
                room = max(room // 3, room - width_of(self._run) - 2)
            if room < 3:
                return
            column = canvas.text(column, 0, fitted(text, room), ink, bold=bold) + 2
        for text in self._parameters:
            if column + width_of(text) + 2 > left:
                break
            column = canvas.text(column, 0, text, palette.dim) + 2


def status(player: Player) -> str:
    """ "▶ 10 steps/s   iteration 4   step 9 of 22, ended"; what is being worked at, while something is."""
    run, frame = player.timeline, player.frame
    speed = (
        "following"
        if player.following
        else "as fast as it goes"
        if math.isinf(player.speed)
        else f"{player.speed:,} steps/s"
    )
    if player.speed == 1:
        speed = "1 step/s"
    ended = "" if run.stopped is None else ", failed" if run.stopped.failed else ", ended"
    so_far = " so far" if run.stopped is None else ""
    kept = "" if run.resumes else ", all kept" if run.stride == 1 else f", every {run.stride}th kept"
    where = f"step {frame.t:,} of {run.last:,}{so_far}{ended}{kept}"
    if player.goal is not None and not player.playing:
        share = player.progress
        done = f" {share:.0%}" if share is not None else ""
        return f"to {player.goal.name}{done}, esc stops   {where}"
    mark = "▶" if player.playing else "■"
    return f"{mark} {speed}   iteration {frame.state.iteration:,}   {where}"
