"""The top line: what runs on what, and how far it has come."""

import math

from algorithms.core.text import ordinal
from algorithms.playback.cursor.player import Player
from algorithms.timeline import Timeline
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import cut
from tui.widgets.raster import RasterView

_HELD_OUT = "rows held out"  # with how many before it, and the seed behind it
_MARKS = ("▶", "■")  # of a run that plays, or stands still


class Header(RasterView):
    """Title, which run of several, data and parameters at the left, cut where they must be; how far the run has
    come at the right."""

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
            state, playing = status(self._player, self.palette.keys), self._player.playing
            if self.brief and self.palette.keys:  # without the speed
                state, playing = state.split("   ", 1)[-1], False
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
    """Paint the mode; title, run and data (empty where they are not to be named), the parameters for which there is
    room, and the state. Where they have no room together the speed goes first, then what the data's name says between
    its first words and the rows held out, then those; then the iteration, and the first parameter."""
    column = 1
    if mode:
        column = canvas.text(column, 0, f" {mode} ", palette.on_held, palette.held, bold=True) + 2
    room = canvas.columns - column - 1
    wanted = sum(width_of(name) + 2 for name in named if name)
    first = width_of(parameters[0]) + 2 if parameters else 0
    states = shorter_states(state, playing)
    ways = [(wanted, each, first) for each in states[:2]]
    ways += [(_least(named, _ends(named[2])), states[0 if playing else 1 % len(states)], first)]
    ways += [(_least(named), each, kept) for kept in (first, 0) for each in (states if playing else states[1:])]
    state, first = next(
        ((each, kept) for names, each, kept in ways if names + kept + width_of(each) <= room), (states[-1], 0)
    )
    left = canvas.columns - width_of(state) - 1
    canvas.text(left, 0, state, palette.ink)
    if playing:
        canvas.text(left, 0, state[:1], palette.accent, bold=True)
    looks = ((palette.ink, True), (palette.ink, False), (palette.accent, False))
    for text, (ink, bold) in zip(names_that_fit(named, left - column - first), looks):
        if text:
            column = canvas.text(column, 0, text, ink, bold=bold) + 2
    for text in parameters:
        if column + width_of(text) + 2 > left:
            break
        column = canvas.text(column, 0, text, palette.dim) + 2


def _least(named: tuple[str, str, str], short_data: str | None = None) -> int:
    """Count the columns of title, run and data when no more is said than there must be, or of the data so much."""
    title, run, data = named
    if short_data is None:
        short_data = first_words(data, 1) if width_of(data) > 1 else data
    short = [_titles(title)[-1], run, short_data]
    return sum(width_of(name) + 2 for name in short if name)


def shorter_states(state: str, playing: bool) -> list[str]:
    """List what may be said of the state, the longest first: of a run that stands still the speed goes first, of one
    that plays how many iterations there were."""
    if state[:1] not in _MARKS:  # what is looked for, or a hall, in which no more is said than the place
        return [state]
    pace, *between, where = state.split("   ")
    if playing:
        return [state, f"{pace}   {where}", f"{pace[:1]}   {where}"]
    return [state, "   ".join([*between, where]), where]


def names_that_fit(named: tuple[str, str, str], room: int) -> tuple[str, str, str]:
    """Cut title and data so that they have room, each with two blanks after it: the data to its first words, then the
    title too; the run in between is as it is."""
    title, run, data = named
    room -= sum(2 for name in named if name) + width_of(run)
    if width_of(title) + width_of(data) <= room:
        return named
    ends = width_of(_ends(data))
    least = ends if width_of(_titles(title)[-1]) + ends <= room else width_of(first_words(data, 1))
    least = min(least, max(room - 1, 0))
    title = next((each for each in _titles(title) if width_of(each) + least <= room), "") or cut(title, room - least)
    return title, fitted(run, max(room + width_of(run) - width_of(title), 0)), first_words(data, room - width_of(title))


def first_words(data: str, room: int) -> str:
    """Cut the words for data after as many as fit, with an ellipsis; the first word is whole. Of the others those on
    rows held out are the last to go, since the held-out error is of these."""
    if width_of(data) <= room:
        return data
    *parts, last = data.split(", ")
    heads = [", ".join(parts[:count]) for count in range(len(parts), 0, -1)]
    held = [f"{head}…, {last}" for head in heads[1:]] + [_ends(data)] if _HELD_OUT in last else []
    ways = [*(way for way in held if width_of(way) <= room), *(f"{head}…" for head in heads if width_of(head) < room)]
    return ways[0] if ways else _first_word(data)


def _first_word(data: str) -> str:
    return f"{data.split()[0].rstrip(',')}…" if data else ""


def _ends(data: str) -> str:
    """Get the first of the words for data, with those on rows held out where they end in these."""
    first, last = _first_word(data), data.rpartition(", ")[2]
    return f"{first}, {last}" if _HELD_OUT in last and " " in data.removesuffix(f", {last}") else first


def _titles(title: str) -> list[str]:
    """List a title and what of it comes before a remark: "Multiclass SVM (Crammer and Singer)"."""
    return [title, *(title.partition(sign)[0] for sign in (" (", ": ") if sign in title)]


def how_far(run: Timeline, t: int) -> str:
    """Say how far a run is known, seen from a step: ", ended" at its end alone, before that it is computed."""
    if run.stopped is None:
        return ", recorded" if run.whole else " so far"
    if t < run.last:
        return f", failed at {run.last:,}" if run.stopped.failed else ", computed"
    return ", failed" if run.stopped.failed else ", ended"


def place_of(player: Player) -> str:
    """ "step 22 of 22, ended"; of a run that is to be seen no further than one has been no more than is seen."""
    run, t, seen = player.timeline, player.t, player.seen
    if seen is None:
        return f"step {t:,} of {run.last:,}{how_far(run, t)}"
    return f"step {t:,}, seen to {seen:,}" if t < seen else f"step {t:,}"


def status(player: Player, keys: bool = True) -> str:
    """ "▶ 10 steps/s   iteration 4   step 22 of 22, ended"; what is being worked at, while something is.

    Without keys no speed, which they set.
    """
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
    kept = "" if run.resumes else ", all kept" if run.stride == 1 else f", every {ordinal(run.stride)} kept"
    where = f"{place_of(player)}{kept}"
    if player.goal is not None and not player.playing:
        share = player.progress
        done = f" {share:.0%}" if share is not None else ""
        stops = ", esc stops" if keys and not player.goal.behind_form else ""
        return f"to {player.goal.name}{done}{stops}   {where}"
    mark = "▶" if player.playing else "■"
    at = f"{mark} {speed}   " if keys else ""
    return f"{at}iteration {frame.state.iteration:,}   {where}"
