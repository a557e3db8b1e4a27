"""A framed plot with a title, round ticks and named axes; gives back the Plot that marks are painted on."""

import math
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from algorithms.core.plane import Axis
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.pictures.rulers import Scale, clumsy, on_lines, ruler, scale_of, steps_of
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.plot import Plot
from tui.paint.text import without_keys
from tui.paint.ticks import power_texts, power_ticks, round_ticks, tick_labels

_LABELS = 6  # columns of the labels at the left, about
_A_NUMBER = 12  # columns for each number below, about
_BETWEEN = 2  # columns between two numbers below, at least
_LEGIBLE = 3  # columns of a name that is cut, at least
_ROWS_APART = 2  # from one number at the left to the next, at least
_MOST_FINE = 8  # numbers on a logarithmic axis without two of 1, 2 and 5 times powers of ten
_LEAST_POWER = -300  # of ten: beyond it, and its opposite, a number may have no double
_MISSED = 0.06  # of the columns: as much is one number more or fewer worth


class Look(Struct, frozen=True):
    """How axes are drawn.

    Attributes:
        whole: whether there are whole numbers alone across, and upwards.
        bars: whether there are bars, which grow from 0.
        widened: whether the limits may be widened for the labels to stand on their lines.
        items: what stands at 0, 1, 2, ... across, "" for no name; () where there are numbers.
    """

    whole: tuple[bool, bool] = (False, False)
    bars: bool = False
    widened: bool = False
    items: tuple[str, ...] = ()


def framed(canvas: Canvas, title: str, note: str, palette: Palette, marked: bool = False) -> Canvas:
    """Draw a frame with a title at its left and a note at its right; the canvas inside."""
    canvas.fill(palette.panel)
    canvas.frame(palette.line)
    room = canvas.columns - 6
    note = note if palette.keys else without_keys(note)
    if canvas.rows >= 2 and room > 0:
        title = fitted(title, room)
        canvas.text(2, 0, f" {title} ", palette.accent if marked else palette.ink)
        left = room - width_of(title) - 3
        if note and width_of(note) <= left:  # part of a hint would be none
            canvas.text(canvas.columns - 3 - width_of(note) - 1, 0, f" {note} ", palette.dim)
    return canvas.part(1, 1, canvas.columns - 2, canvas.rows - 2)


def plotted(
    canvas: Canvas,
    limits: Limits,
    x_axis: Axis,
    y_axis: Axis,
    palette: Palette,
    equal: bool = False,
    log: str = "",
    look: Look | None = None,
) -> Plot:
    """Draw axes with ticks in the units the data came in, those in `log` at powers of ten; the Plot inside them.

    There are no axes without names.
    """
    look = look or Look()
    if not x_axis.name and not y_axis.name:  # a drawing, such as a network: its places mean nothing
        inside = canvas.part(1, 0, canvas.columns - 2, canvas.rows)
        return Plot(inside, limits.equal(inside.columns, inside.rows) if equal else limits, palette)
    named = bool(x_axis.name or y_axis.name) and canvas.rows >= 7
    bottom = 2 if named else 1
    vertical = y_axis.name != "" or y_axis.unit != 1.0 or limits.height > 0
    rows = max(canvas.rows - bottom, 1)
    scale = scale_of(y_axis, "y" in log, look.whole[1], look.bars)
    asked = limits
    if look.widened:
        limits = on_lines(asked, max(canvas.columns - _LABELS, 2), rows, scale, equal)
    labels = _y_labels(limits, rows, scale)
    width = max((width_of(text) for _, text in labels), default=0) + 1 if vertical else 0
    inside = canvas.part(width, 0, canvas.columns - width - 1, rows)
    if equal:
        limits = asked.equal(inside.columns, inside.rows)
        if look.widened:
            limits = on_lines(limits, inside.columns, rows, scale, equal)
        labels = _y_labels(limits, rows, scale)
        width = max(width, max((width_of(text) for _, text in labels), default=0) + 1)
        inside = canvas.part(width, 0, canvas.columns - width - 1, rows)
    plot = Plot(inside, limits, palette)
    for cell, text in labels:
        canvas.text(width - 1 - width_of(text), rows - 1 - cell, text, palette.dim)
    items = _x_items(look.items, plot)
    numbers = _x_labels(limits.left, limits.right, inside.columns, scale_of(x_axis, "x" in log, look.whole[0]))
    _ticks_below(canvas, plot, (width, rows), items or numbers, 1 if items else _BETWEEN, palette)
    if named:
        _names(canvas, x_axis.name, y_axis.name, rows + 1, palette)
    return plot


def _y_labels(limits: Limits, rows: int, scale: Scale) -> list[tuple[int, str]]:
    """Choose the labels of the vertical axis: (row from below, text)."""
    chosen = ruler(limits.bottom, limits.top, rows, scale)
    if scale.log and len(chosen.ticks) < 2:
        fine = _at_differences(limits.bottom, limits.top, rows, lambda texts: _ROWS_APART)
        if len(fine) > 1:
            return [(min(int((at - limits.bottom) / limits.height * rows), rows - 1), text) for at, text in fine]
    return list(zip([cell for cell, _ in chosen.ticks], _texts([at for _, at in chosen.ticks], scale)))


def _texts(at: list[float], scale: Scale) -> list[str]:
    """Write the numbers at some coordinates."""
    if scale.log:
        return power_texts(at)
    return tick_labels([scale.offset + scale.unit * place for place in at])


def _names(canvas: Canvas, x_name: str, y_name: str, row: int, palette: Palette) -> None:
    """Write both axes' names on the lowest line: the vertical one's at the left, the horizontal one's at the right."""
    room, half = canvas.columns - 2, canvas.columns // 2 - 2
    wanted = width_of(y_name) + 2 if y_name else 0
    name = fitted(x_name, max(half, room - wanted - 2) - 2) + " →" if x_name else ""
    if y_name:
        canvas.text(0, row, "↑ " + fitted(y_name, max(half, room - width_of(name) - 2) - 2), palette.dim)
    canvas.text(canvas.columns - 1 - width_of(name), row, name, palette.dim)


def _x_items(items: tuple[str, ...], plot: Plot) -> tuple[tuple[float, str], ...]:
    """Name what stands at whole numbers, each name cut to the room up to the next; () where that is too little."""
    named = [(float(i), name) for i, name in enumerate(items) if name]
    apart = min((b - a for (a, _), (b, _) in zip(named, named[1:])), default=1.0)
    room = int(apart * plot.canvas.columns / plot.limits.width) - 1
    if room < min(_LEGIBLE, max((width_of(name) for _, name in named), default=0)):
        return ()
    return tuple((at, fitted(name, room)) for at, name in named)


def _ticks_below(
    canvas: Canvas,
    plot: Plot,
    place: tuple[int, int],
    labels: tuple[tuple[float, str], ...],
    between: int,
    palette: Palette,
) -> None:
    """Write the labels of the horizontal axis in a row, those that have room, blanks between: (first column, row)."""
    (left, row), limits, columns = place, plot.limits, plot.canvas.columns
    free = 0
    for at, text in labels:
        middle = left + int((at - limits.left) / limits.width * columns)
        start = max(min(middle - width_of(text) // 2, left + columns + 1 - width_of(text)), 0)
        if start >= free:
            canvas.text(start, row, text, palette.dim)
            free = start + width_of(text) + between


@lru_cache(512)
def _x_labels(left: float, right: float, columns: int, scale: Scale) -> tuple[tuple[float, str], ...]:
    """Choose the coordinates that are labelled, with their texts: such as reach the ends and have room."""
    span = right - left
    best: tuple[float, list[float]] = (-math.inf, [])
    for step in steps_of(span * abs(scale.unit), scale):
        if span * abs(scale.unit) / step > columns:
            continue
        ticks = scale.multiples(step, left, right)
        room = step / abs(scale.unit) / span * columns
        if len(ticks) > 1 and room < max(map(width_of, _texts(ticks, scale))) + 2:
            continue
        beyond = (ticks[0] - left + right - ticks[-1]) / span if len(ticks) > 1 else 2.0
        worth = -beyond - _MISSED * abs(len(ticks) - max(columns / _A_NUMBER, 2)) - clumsy(step)
        if ticks and worth > best[0] + 1e-9:
            best = worth, ticks
    if scale.log and len(best[1]) < 2:
        fine = _at_differences(left, right, columns, lambda texts: max(map(width_of, texts)) + _BETWEEN)
        if len(fine) > 1:
            return tuple(fine)
    ticks = best[1] or (power_ticks(left, right, 2)[0] if scale.log else [])
    return tuple(zip(ticks, _texts(ticks, scale)))


def _at_differences(
    low: float, high: float, cells: int, apart: Callable[[list[str]], float]
) -> list[tuple[float, str]]:
    """Label a logarithmic axis that is too short for 1, 2 and 5 times powers of ten at round numbers whose differences
    are equal, as many as have room.

    Args:
        low, high: the logarithms at its ends.
        apart: how many cells texts ask for from each to the next.
    """
    if not (_LEAST_POWER < low < high < -_LEAST_POWER):
        return []
    for most in range(_MOST_FINE, 1, -1):
        numbers = round_ticks(10.0**low, 10.0**high, most)
        places, texts = [math.log10(number) for number in numbers if number > 0], tick_labels(numbers)
        nearest = min((b - a for a, b in zip(places, places[1:])), default=math.inf)
        if len(places) == len(texts) and texts and nearest / (high - low) * cells >= apart(texts):
            return list(zip(places, texts))
    return []
