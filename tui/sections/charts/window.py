"""A part of the run that follows the cursor, a few columns a step, so that what a phase does is seen."""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from tui.paint.canvas import Canvas, width_of
from tui.paint.charts import Chart, Line, drawn_line
from tui.paint.palette import Palette, mix
from tui.paint.x_axis import XAxis

COLUMNS_A_STEP = 4
ROWS = 3  # under the chart: the phases, and the whole run in two
_LEAST_A_STEP = 2  # columns from which on a step has room for its phase
_MOST_LETTERS = 3
_PHASE = "phase"  # at the left of the letters, as "step" of the numbers above
_SHARE = 0.25  # of the steps that two curves must be equal at, and differ at, to be seen from near unasked


class Window(Struct, frozen=True):
    """Steps from `first` to `last`."""

    first: int
    last: int

    @property
    def x_axis(self) -> XAxis:
        return XAxis(float(self.first), float(self.last))


def window(t: int, last: int, columns: int, before: Window | None) -> Window | None:
    """Choose the steps around the cursor that there is room for; None where all have it.

    It stays where it was for as long as the cursor is in its middle half, so that curves stand still.
    """
    room = (columns - 1) // COLUMNS_A_STEP
    if last <= room:
        return None
    first = t - room // 2
    if before is not None and before.last - before.first == room:
        quarter = room // 4
        first = before.first
        first = min(first, t - quarter) if t < first + quarter else max(first, t - room + quarter)
    first = min(max(first, 0), last - room)
    return Window(first, first + room)


def touch(curves: Sequence[tuple[Array, Array]]) -> bool:
    """Tell whether two curves, each (steps, values), meet again and again, and part in between."""
    for i, (t, values) in enumerate(curves):
        for other_t, other in curves[i + 1 :]:
            _, mine, theirs = np.intersect1d(t, other_t, assume_unique=True, return_indices=True)
            if len(mine) < 4:
                continue
            a, b = values[mine], other[theirs]
            with np.errstate(invalid="ignore"):
                equal = np.abs(a - b) <= 1e-9 * np.maximum(np.abs(a), np.abs(b))
            swaps = int((equal[1:] != equal[:-1]).sum())
            if min(equal.mean(), 1 - equal.mean()) >= _SHARE and swaps >= len(equal) // 2:
                return True
    return False


def has_phases(part: XAxis, columns: int) -> bool:
    """Tell whether each of the steps that are seen has room for its phase."""
    return columns_a_step(part, columns) >= _LEAST_A_STEP


def columns_a_step(part: XAxis, columns: int) -> int:
    """Count the columns from one step to the next."""
    return int((columns - 1) / max(part.last - part.first, 1))


def paint_phases(canvas: Canvas, chart: Chart, t: int, phase: Callable[[int], str], p: Palette) -> None:
    """Write under each step what it was, as many letters as tell the phases apart and have room."""
    part = chart.x_axis
    names = {step: phase(step) for step in range(round(part.first), round(part.last) + 1)}
    room = columns_a_step(part, chart.columns) - 1
    short = _shortened(sorted(set(names.values()) - {""}), room)
    if short:
        canvas.text(0, 0, _PHASE, p.dim)
    for step, name in names.items():
        text = short.get(name, "")
        column = chart.column(step) - width_of(text) // 2
        canvas.text(column, 0, text, p.accent if step == t else p.dim, bold=step == t)


def _shortened(names: Sequence[str], room: int) -> dict[str, str]:
    """Shorten names to their first letter, or to as many as tell them apart; none where that is too many."""
    for letters in range(1, min(room, _MOST_LETTERS) + 1):
        short = {name: name[:letters] for name in names}
        if len(set(short.values())) == len(short):
            return {name: text.upper() if letters == 1 else text for name, text in short.items()}
    return {}


def whole_line(columns: int, line: Line, whole: XAxis, log: bool, palette: Palette) -> Canvas:
    """Draw the whole run in two rows."""
    canvas = Canvas(columns, 2, palette.panel, palette.dim)
    drawn_line(canvas, line, whole, log, palette)
    return canvas


def paint_whole(
    canvas: Canvas,
    line: Canvas,
    part: XAxis,
    whole: XAxis,
    palette: Palette,
    left: int,
    begin: str,
    name: str = "all",
) -> None:
    """Paint the whole run, as it was drawn, in the two rows of the canvas, the window lighter."""
    strip = canvas.part(left, 0, canvas.columns - left, 2)
    columns = strip.columns
    if columns < 2:
        return
    strip.paste(line)
    low, high = whole.ends()
    ends = [round((end - low) / max(high - low, 1e-300) * (columns - 1)) for end in part.ends()]
    strip.ground[:, ends[0] : ends[1] + 1] = mix(palette.panel, palette.line, 0.9)
    canvas.text(0, 1, name, palette.dim)
    canvas.text(max(left - 1 - width_of(begin), width_of(name) + 1), 1, begin, palette.dim)
