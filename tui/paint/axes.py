"""A framed plot with a title, round ticks and named axes; gives back the Plot that marks are painted on."""

from algorithms.core.plane import Axis
from algorithms.playback.limits import Limits
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.plot import Plot
from tui.paint.ticks import power_ticks, round_ticks, tick_labels


def framed(canvas: Canvas, title: str, note: str, palette: Palette, marked: bool = False) -> Canvas:
    """Draw a frame with a title at its left and a note at its right; the canvas inside."""
    canvas.fill(palette.panel)
    canvas.frame(palette.line)
    room = canvas.columns - 6
    if canvas.rows >= 2 and room > 0:
        title = fitted(title, room)
        canvas.text(2, 0, f" {title} ", palette.accent if marked else palette.ink)
        left = room - width_of(title) - 3
        if note and width_of(note) <= left:  # part of a hint would be none
            canvas.text(canvas.columns - 3 - width_of(note) - 1, 0, f" {note} ", palette.dim)
    return canvas.part(1, 1, canvas.columns - 2, canvas.rows - 2)


def plotted(
    canvas: Canvas, limits: Limits, across: Axis, up: Axis, palette: Palette, equal: bool = False, log: str = ""
) -> Plot:
    """Draw axes with ticks in the units the data came in, those in `log` at powers of ten; the Plot inside them.

    There are no axes without names.
    """
    if not across.name and not up.name:  # a drawing, such as a network: its places mean nothing
        inside = canvas.part(1, 0, canvas.columns - 2, canvas.rows)
        return Plot(inside, limits.equal(inside.columns, inside.rows) if equal else limits, palette)
    named = bool(across.name or up.name) and canvas.rows >= 7
    bottom = 2 if named else 1
    vertical = up.name != "" or up.unit != 1.0 or limits.height > 0
    rows = max(canvas.rows - bottom, 1)
    labels = _labels(up, limits.bottom, limits.top, max(rows // 4, 2), "y" in log)
    width = max((width_of(text) for _, text in labels), default=0) + 1 if vertical else 0
    inside = canvas.part(width, 0, canvas.columns - width - 1, rows)
    if equal:
        limits = limits.equal(inside.columns, inside.rows)
        labels = _labels(up, limits.bottom, limits.top, max(rows // 4, 2), "y" in log)
        width = max(width, max((width_of(text) for _, text in labels), default=0) + 1)
        inside = canvas.part(width, 0, canvas.columns - width - 1, rows)
    plot = Plot(inside, limits, palette)
    for at, text in labels:
        row = int((limits.top - at) / limits.height * rows)
        canvas.text(width - 1 - width_of(text), min(max(row, 0), rows - 1), text, palette.dim)
    _ticks_below(canvas, plot, width, rows, across, palette, "x" in log)
    if named:
        _names(canvas, across.name, up.name, rows + 1, palette)
    return plot


def _names(canvas: Canvas, across: str, up: str, row: int, palette: Palette) -> None:
    """Write both axes' names on the lowest line: the vertical one's at the left, the horizontal one's at the right."""
    room, half = canvas.columns - 2, canvas.columns // 2 - 2
    wanted = width_of(up) + 2 if up else 0
    name = fitted(across, max(half, room - wanted - 2) - 2) + " →" if across else ""
    if up:
        canvas.text(0, row, "↑ " + fitted(up, max(half, room - width_of(name) - 2) - 2), palette.dim)
    canvas.text(canvas.columns - 1 - width_of(name), row, name, palette.dim)


def _ticks_below(canvas: Canvas, plot: Plot, left: int, row: int, axis: Axis, palette: Palette, log: bool) -> None:
    limits, columns = plot.limits, plot.canvas.columns
    free = left
    for at, text in _labels(axis, limits.left, limits.right, max(columns // 12, 2), log):
        middle = left + int((at - limits.left) / limits.width * columns)
        start = min(middle - width_of(text) // 2, left + columns + 1 - width_of(text))
        if start >= free and start >= 0:
            canvas.text(start, row, text, palette.dim)
            free = start + width_of(text) + 2


def _labels(axis: Axis, low: float, high: float, most: int, log: bool) -> list[tuple[float, str]]:
    """Choose the ticks, round in the axis' own units: (coordinate, text) of each.

    There are some more than asked for where else there was a single one, which tells no scale.
    """
    if log:
        return list(zip(*power_ticks(low, high, most)))
    a, b = sorted((axis.offset + axis.unit * low, axis.offset + axis.unit * high))
    several = (round_ticks(a, b, most + more) for more in range(3))
    ticks = next((ticks for ticks in several if len(ticks) > 1), [])
    return [((t - axis.offset) / axis.unit, text) for t, text in zip(ticks, tick_labels(ticks))]
