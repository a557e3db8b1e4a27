"""Tabs in the upper line of a frame, and in its lower one where that has no room: each with a name that can be read,
the chosen one whole. Where they do not all fit, those about the chosen one, and how many are further either way."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from tui.paint.canvas import Canvas, width_of
from tui.paint.palette import Palette
from tui.paint.text import cut
from tui.sections.column.tab_names import shorter_names, tab_name

_LONG = 14  # cells of a name beside the chosen one that is not cut, at most
_KEYS = 10  # tabs from which on there is no key
_BACK, _ON = "◂", "▸"

Names = tuple[tuple[int, str], ...]


class Tab(Struct, frozen=True):
    """A tab's place.

    Attributes:
        number: its key; of what stands for those that are further on, or back, the number of the nearest of them.
        name: as much of its name as is shown.
        lower: whether it stands in the lower line.
        left, end: its first cell, and the cell after its last.
        further: how many it stands for, 0 for a tab.
    """

    number: int
    name: str
    lower: bool
    left: int
    end: int
    further: int = 0

    @property
    def text(self) -> str:
        """Get what is written: "3 weights", "▸ 4"."""
        return f"{self.name} {self.further}" if self.further else f"{self.number} {self.name}"


@lru_cache(64)
def placed_tabs(names: Names, chosen: int, columns: int, about: int = 0) -> tuple[Tab, ...]:
    """Place tabs, given as (number, title), in a frame so wide: in one line if that cuts nothing but the last one.

    Args:
        chosen: the number of the one that is whole, with those beside it that are not long; 0 for none.
        about: the number of one that is in sight; the chosen one if not given.
    """
    named = [(number, tab_name(title)) for number, title in names]
    choices = [
        shorter_names(name, tuple(other for i, (_, other) in enumerate(named) if i != k))
        for k, (_, name) in enumerate(named)
    ]
    numbers = [number for number, _ in names]
    lines = [columns - 2, columns - 2]
    at = numbers.index(chosen) if chosen in numbers else None
    near = [] if at is None else [i for i in (at - 1, at, at + 1) if 0 <= i < len(numbers)]
    beside = frozenset(i for i in near if i == at or width_of(choices[i][0]) <= _LONG)
    last = frozenset(range(len(numbers) - 1)) | beside
    for rooms, gap, whole, abbreviated in (
        (lines[:1], 2, last, False),
        (lines, 2, beside, False),
        (lines, 1, beside, True),
    ):
        tabs = _shortened(numbers, choices, rooms, gap, whole, abbreviated)
        if tabs is not None:
            return tuple(tabs)
    middle = numbers.index(about) if about in numbers else at or 0
    return tuple(_in_sight(numbers, choices, lines, middle, at))


def _shortened(
    numbers: Sequence[int],
    choices: Sequence[Sequence[str]],
    rooms: Sequence[int],
    gap: int,
    whole: frozenset[int],
    abbreviated: bool,
) -> list[Tab] | None:
    """Shorten names, the longest first and but for some that stay whole, until all fit; None where they do not."""
    allowed = [
        [name for j, name in enumerate(names) if not j or (i not in whole and (abbreviated or name[-1] != "."))]
        for i, names in enumerate(choices)
    ]
    taken = [0] * len(allowed)
    while (tabs := _placed(numbers, allowed, taken, rooms, gap)) is None:
        some = [i for i, names in enumerate(allowed) if taken[i] + 1 < len(names)]
        if not some:
            return None
        taken[max(some, key=lambda i: (width_of(allowed[i][taken[i]]), i))] += 1
    for i in range(len(allowed)):  # where room is left, the first ones have it
        for longer in range(taken[i]):
            more = _placed(numbers, allowed, [*taken[:i], longer, *taken[i + 1 :]], rooms, gap)
            if more is not None:
                tabs, taken[i] = more, longer
                break
    return tabs


def _placed(
    numbers: Sequence[int], choices: Sequence[Sequence[str]], taken: Sequence[int], rooms: Sequence[int], gap: int
) -> list[Tab] | None:
    names = [names[i] for names, i in zip(choices, taken)]
    return _filled([(number, name, 0) for number, name in zip(numbers, names)], rooms, gap)


def _filled(items: Sequence[tuple[int, str, int]], rooms: Sequence[int], gap: int) -> list[Tab] | None:
    """Fill the lines one after the other, each up to the cell of its end; None where that is too little."""
    tabs: list[Tab] = []
    line, left = 0, 2
    for number, name, further in items:
        width = width_of(Tab(number, name, False, 0, 0, further).text) + 1
        if left + width + 1 > rooms[line]:
            line, left = line + 1, 2
            if line == len(rooms) or left + width + 1 > rooms[line]:
                return None
        tabs.append(Tab(number, name, line > 0, left, left + width + 1, further))
        left += width + (gap if not further else 2) - 1  # a count and a key do not read as one
    return tabs


def _in_sight(
    numbers: Sequence[int], choices: Sequence[Sequence[str]], rooms: Sequence[int], middle: int, chosen: int | None
) -> list[Tab]:
    """Place as many tabs as fit, from as near the first as can be with the middle one and the next among them."""
    room = max(min(rooms) - width_of(f"──  {numbers[-1]}   {_ON} {len(numbers)} "), 1)  # of a name before that sign
    most = [room if i == chosen else min(room, _LONG) for i in range(len(choices))]
    fitting = [[name for name in choice if width_of(name) <= width] for choice, width in zip(choices, most)]
    names = [some[0] if some else cut(choice[-1], room) for some, choice in zip(fitting, choices)]
    wanted = min(middle + 1, len(numbers) - 1)
    tabs: list[Tab] = []
    for first in range(middle + 1):
        tabs, end = _from(first, numbers, names, rooms)
        if end > wanted or (first == middle and end > middle):
            break
    return tabs


def _from(first: int, numbers: Sequence[int], names: Sequence[str], rooms: Sequence[int]) -> tuple[list[Tab], int]:
    """Place as many tabs as fit from one on, and what stands for the others; give the place after their last."""
    before = [(numbers[first - 1], _BACK, first)] if first else []
    for end in range(len(names), first, -1):
        after = [(numbers[end], _ON, len(names) - end)] if end < len(names) else []
        items = [(number, name, 0) for number, name in zip(numbers[first:end], names[first:end])]
        tabs = _filled([*before, *items, *after], rooms, 1)
        if tabs is not None:
            return tabs, end
    return [], first


def paint_tabs(canvas: Canvas, tabs: Sequence[Tab], shown: frozenset[int], chosen: int, palette: Palette) -> None:
    """Write the tabs into the frame's lines: bright those that are shown; yellow the keys, and the one shown alone."""
    for tab in tabs:
        alone = tab.number == chosen and not tab.further
        bright = tab.number in shown and not tab.further
        ink = palette.accent if alone else palette.ink if bright else palette.dim
        row = canvas.rows - 1 if tab.lower else 0
        if not palette.keys and not tab.further:  # the number is the key
            canvas.text(tab.left + len(f"{tab.number} "), row, f" {tab.name} ", ink, bold=alone)
            continue
        canvas.text(tab.left, row, f" {tab.text} ", ink, bold=alone)
        if tab.further:
            canvas.text(tab.left + 1, row, tab.name, palette.accent)
        elif tab.number < _KEYS:
            canvas.text(tab.left + 1, row, f"{tab.number}", palette.accent, bold=alone)
