"""How the screen is shared out between the stages, the chart and the numbers of several runs."""

from typing import Literal

from msgspec import Struct

View = Literal["all", "stages", "chart", "numbers"]
_LEAST = (32, 9)  # columns and rows of a stage that can be read beside others
_NARROW = 24  # columns below which a stage cannot be read at all
_WIDE = 2.2  # columns a row that suit a stage best
_ROOMY = (120, 40)  # columns and rows from which on chart and numbers both stand under the stages
_BESIDE = (140, 40)  # from which on four stages stand two by two, chart and numbers at their right
MANY = 4
_USUAL = (100, 28)  # likewise one of them


class Layout(Struct, frozen=True):
    """What stands where.

    Attributes:
        columns: how many stages stand beside each other.
        lower: rows for chart and numbers; 0 where the stages take all, None where they take all themselves.
        parts: which of "chart" and "numbers" are shown.
        stories: lines of what happened.
        tabs: whether there is no room for stages with anything under them, so that there is one thing at a time.
        beside: columns of chart and numbers at the right of the stages; 0 where they stand under them.
    """

    columns: int
    lower: int | None
    parts: tuple[str, ...]
    stories: int
    tabs: bool
    beside: int = 0


def layout(width: int, height: int, runs: int, view: View, part: str) -> Layout:
    """Lay out a screen of so many cells.

    Args:
        view: what was asked for alone, or "all" that fits.
        part: which of "chart" and "numbers" is wanted where there is room for one.
    """
    around = runs + 3  # the top line, the timeline with its numbers, the keys
    if view == "all" and runs == MANY and width >= _BESIDE[0] and height >= _BESIDE[1]:
        return Layout(2, None, ("chart", "numbers"), 1, False, round(width * 0.4))
    stories = runs if height >= 36 else 1
    room = height - around - stories
    lower, parts = _lower(width, height, runs, room, part)
    tabs = not lower
    if view in ("chart", "numbers"):
        return Layout(1, None, (view,), stories, tabs)
    room -= tabs  # a line for the tabs
    if view == "stages":
        lower, parts = 0, ()
    return Layout(columns(width, room - lower, runs), lower, parts, stories, tabs)


def in_a_hall(width: int, height: int, runs: int, view: View, digits: int = 0) -> Layout:
    """Lay out a lecture: the title, stages, under them one thing, a line of words a run, and the key that leaves.

    Args:
        digits: rows that digits take; 0 for a chart, which takes as many as it can.
    """
    room = hall_rows(height, runs)
    lower = 0 if view == "stages" else digits or max(round(room * 0.46), 11)
    return Layout(columns(width, room - lower, runs), lower, ("chart",), runs, False)


def hall_rows(height: int, runs: int) -> int:
    """Count the rows of a lecture for stages and what is under them."""
    return height - 2 - runs


def _lower(width: int, height: int, runs: int, room: int, part: str) -> tuple[int, tuple[str, ...]]:
    """Share out the rows under the stages, and what is shown there; 0 where the stages would be too small."""
    roomy = width >= _ROOMY[0] and height >= _ROOMY[1]
    if not roomy and (width < _USUAL[0] or height < _USUAL[1]):
        return 0, ()
    lower = min(max(round(room * 0.42), 13), 20) if roomy else min(max(round(room * 0.45), 9), 14)
    each = _size(width, room - lower, runs, columns(width, room - lower, runs))
    if each[0] < _LEAST[0] or each[1] < _LEAST[1]:
        return 0, ()
    return lower, ("chart", "numbers") if roomy else (part,)


def columns(width: int, height: int, runs: int) -> int:
    """Choose how many stages beside each other, in rows that are full, make the largest ones of a good shape."""

    def worth(count: int) -> float:
        across, down = _size(width, height, runs, count)
        return min(across / _WIDE, down) - (100 if across < _NARROW else 0)

    return max((count for count in range(runs, 0, -1) if runs % count == 0), key=worth)


def _size(width: int, height: int, runs: int, count: int) -> tuple[int, int]:
    """Measure columns and rows of a stage, without its heading."""
    return width // count, height // -(-runs // count) - 1
