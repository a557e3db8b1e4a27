"""The top line: what runs on what, and how far it has come."""

import math

from algorithms.data.text import ordinal
from algorithms.playback.player import Player
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
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
        self.brief = False  # whether title, data and the step are all there is
        self.mode = ""  # what keys and mouse do now, when not the usual

    def show(self, player: Player, title: str, data: str, parameters: tuple[str, ...], run: str = "") -> None:
        """Show a player's place; `run` names which it is, where there are several."""
        self._player, self._title, self._data, self._parameters = player, title, data, parameters
        self._run = f"▸ {run}" if run else ""
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        canvas.fill(self.palette.background)
        if self._player is not None:
            named = (self._title, self._run, self._data)
            state, playing = status(self._player), self._player.playing
            if self.brief:
                state, playing = state.split("   ", 1)[-1], False
            elif not playing and sum(width_of(name) + 2 for name in named if name) + width_of(state) >= canvas.columns:
                state = unhurried(state)
            parameters = () if self.brief else self._parameters
            paint_header(canvas, named, parameters, state, playing, self.palette, self.mode)


def paint_header(
    canvas: Canvas,
    named: tuple[str, str, str],
    parameters: tuple[str, ...],
    state: str,
    playing: bool,
    palette: Palette,
    mode: str = "",
) -> None:
    """Paint the mode; title, run and data (empty where they are not to be named) cut where they must be, the
    parameters for which there is room, and the state whole."""
    left = canvas.columns - width_of(state) - 1
    canvas.text(left, 0, state, palette.ink)
    if playing:
        canvas.text(left, 0, state[:1], palette.accent, bold=True)
    column = 1
    if mode:
        column = canvas.text(column, 0, f" {mode} ", palette.on_held, palette.held, bold=True) + 2
    looks = ((palette.ink, True), (palette.ink, False), (palette.accent, False))
    title, run, _ = named
    for text, (ink, bold) in zip(named, looks):
        room = left - column - 2
        if not text:
            continue
        if text is title and run:
            room = max(room // 3, room - width_of(run) - 2)
        if room < 3:
            return
        column = canvas.text(column, 0, fitted(text, room), ink, bold=bold) + 2
    for text in parameters:
        if column + width_of(text) + 2 > left:
            break
        column = canvas.text(column, 0, text, palette.dim) + 2


def unhurried(state: str) -> str:
    """Leave the speed out of the state of a run that stands still: what it runs on is wanted more."""
    mark, _, where = state.partition("   ")
    return f"{mark[0]}   {where}" if mark.startswith("■") else state


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
    kept = "" if run.resumes else ", all kept" if run.stride == 1 else f", every {ordinal(run.stride)} kept"
    where = f"step {frame.t:,} of {run.last:,}{so_far}{ended}{kept}"
    if player.goal is not None and not player.playing:
        share = player.progress
        done = f" {share:.0%}" if share is not None else ""
        stops = "" if player.goal.behind_form else ", esc stops"
        return f"to {player.goal.name}{done}{stops}   {where}"
    mark = "▶" if player.playing else "■"
    return f"{mark} {speed}   iteration {frame.state.iteration:,}   {where}"
