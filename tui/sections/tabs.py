"""Tabs in the upper line of a frame, and in its lower one where that has no room: all named, the chosen one whole."""

from collections.abc import Sequence
from functools import lru_cache
from os.path import commonprefix

from msgspec import Struct

from tui.paint.canvas import Canvas, width_of
from tui.paint.palette import Palette

_ENOUGH = 8  # cells of a name that is cut, from which on one line is enough for all
_SMALL = frozenset(["a", "an", "and", "at", "by", "in", "of", "on", "the", "to", "with"])  # with which no name ends
_MORE = 4  # cells that a cut name may have more, so that it is like no other


class Tab(Struct, frozen=True):
    """A tab's place.

    Attributes:
        number: its key.
        name: as much of its name as is shown.
        lower: whether it stands in the lower line.
        left, end: its first cell, and the cell after its last.
    """

    number: int
    name: str
    lower: bool
    left: int
    end: int


@lru_cache(64)
def placed_tabs(names: tuple[tuple[int, str], ...], chosen: int, columns: int, kept: int = 0) -> tuple[Tab, ...]:
    """Place tabs, given as (number, name), in a frame so wide: in one line if that cuts little, else in two.

    Args:
        chosen: the number of the one that is whole unless the others would lose their names; 0 for none.
        kept: cells at the right of the lower line that are not for tabs.
    """
    longest = max((width_of(name) for _, name in names), default=0)
    upper, both = [columns - 2], [columns - 2, columns - 2 - kept]
    for lines, gap, least in ((upper, 2, _ENOUGH), (both, 2, _ENOUGH), (both, 1, 2)):
        for most in range(longest, least - 1, -1):
            short = _cut(names, chosen, most)
            if _filled(short, lines, gap) is not None:
                return tuple(_filled(_grown(short, names, lines, gap), lines, gap) or ())
    for most in range(longest, -1, -1):  # there is no room for the chosen one as a whole
        short = _cut(names, 0, most)
        if _filled(short, both, 1) is not None:
            return tuple(_filled(_grown(short, names, both, 1), both, 1) or ())
    return ()


def least_letters(tabs: Sequence[Tab], names: Sequence[tuple[int, str]]) -> int:
    """Count the letters of the name that is cut most; 99 if none is."""
    whole = dict(names)
    return min((width_of(tab.name) for tab in tabs if tab.name != whole[tab.number]), default=99 if tabs else 0)


def _grown(
    short: list[tuple[int, str]], names: Sequence[tuple[int, str]], lines: list[int], gap: int
) -> list[tuple[int, str]]:
    """Give the room that is left to the names that were cut, the first ones first."""
    for i, (number, name) in enumerate(names):
        for most in range(width_of(name), width_of(short[i][1]), -1):
            longer = [*short[:i], (number, shortened(name, most)), *short[i + 1 :]]
            if width_of(longer[i][1]) > width_of(short[i][1]) and _filled(longer, lines, gap) is not None:
                short = longer
                break
    return short


def _filled(names: list[tuple[int, str]], rooms: list[int], gap: int) -> list[Tab] | None:
    """Fill the lines one after the other, each up to the cell of its end; None where that is too little."""
    tabs: list[Tab] = []
    line, left = 0, 2
    for number, name in names:
        width = width_of(str(number)) + bool(name) + width_of(name) + 1
        if left + width + 1 > rooms[line]:
            line, left = line + 1, 2
            if line == len(rooms) or left + width + 1 > rooms[line]:
                return None
        tabs.append(Tab(number, name, line > 0, left, left + width + 1))
        left += width + gap - 1
    return tabs


def _cut(names: Sequence[tuple[int, str]], chosen: int, most: int) -> list[tuple[int, str]]:
    """Cut the names to so many cells, but for the chosen one's; those that would be alike a little further on, or to
    their ends."""
    short = {number: name if number == chosen else shortened(name, most) for number, name in names}
    for number, name in names:
        alike = [other for i, other in names if i != number and short[i] == short[number]]
        if alike and number != chosen and most:
            told_apart = max(len(commonprefix([name, other])) for other in alike) + 1
            short[number] = (
                name[:told_apart].rstrip() if told_apart <= most + _MORE else "…" + name[1 - most :].lstrip()
            )
    return list(short.items())


def shortened(name: str, most: int) -> str:
    """Cut a name to its first words that fit, or within a word where those are few; its article goes first."""
    if width_of(name) <= most or not most:
        return name if most else ""
    name = name.removeprefix("the ")
    if width_of(name) <= most:
        return name
    words = name.split()
    while words and (width_of(" ".join(words)) > most or words[-1].strip(",:;") in _SMALL):
        words.pop()
    whole = " ".join(words).rstrip(",:;")
    if whole and width_of(whole) * 2 >= most:
        return whole
    while width_of(name) > most:
        name = name[:-1]
    return name.rstrip(" ,:;")


def paint_tabs(canvas: Canvas, tabs: Sequence[Tab], shown: frozenset[int], chosen: int, palette: Palette) -> None:
    """Write the tabs into the frame's lines: bright those that are shown, and yellow the one that is shown alone."""
    for tab in tabs:
        ink = palette.accent if tab.number == chosen else palette.ink if tab.number in shown else palette.dim
        text = f" {tab.number} {tab.name} " if tab.name else f" {tab.number} "
        canvas.text(tab.left, canvas.rows - 1 if tab.lower else 0, text, ink, bold=tab.number == chosen)
