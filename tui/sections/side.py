"""How the column beside the stage is shared out: curves, theorems and the scene's other panels."""

from msgspec import Struct

from algorithms.core import Table
from algorithms.core.resolve import ResolvedPanel
from tui.sections.tables import table_height

STACKED = 27  # rows from which on sections stand one above the other; below, one at a time
_FEWEST = 8  # rows of a chart, at least
_THIRTEEN = 17  # the same where the column is tall: thirteen of its plot
_TALL = 32  # rows of the column from which on it has more at least
_PLOT = 13
_LEAST = (6, 10)  # rows that are kept for the panel in hand, be it a table or a plot


class Slot(Struct, frozen=True):
    """A section's place.

    Attributes:
        kind: "curves", "theorems" or "panel".
        index: which chart or panel.
        top, rows: where.
    """

    kind: str
    index: int
    top: int
    rows: int


def slots(
    rows: int,
    only: int,
    chart: int,
    charts: int,
    panel: int,
    beside: tuple[tuple[str, ResolvedPanel | Table], ...],
    theorem_rows: tuple[int, int],
    chart_rows: tuple[int, int] = (9, 17),
) -> list[Slot]:
    """Choose the sections to show.

    Args:
        rows: how many there are.
        only: 0 for all that fit, else the number of the one section asked for: 1 curves, 2 theorems,
            3 and on the panels.
        chart, charts: the chart in hand and how many there are.
        panel, beside: the panel in hand, and the panels.
        theorem_rows: how many rows the theorems take, one whole and the others in a row each, and all of them whole.
        chart_rows: how many rows the chart in hand wants, at least where it is not alone, and at most.
    """
    if only or rows < STACKED:
        which = only or 1
        if which == 1 and charts:
            fit = max(1, min(charts, rows // chart_rows[0]))
            each = rows // fit
            return [
                Slot("curves", (chart + i) % charts, i * each, each if i < fit - 1 else rows - i * each)
                for i in range(fit)
            ]
        if which >= 3 and beside:
            return [Slot("panel", (which - 3) % len(beside), 0, rows)]
        return [Slot("theorems", 0, 0, rows)]
    return _stacked(rows, chart, charts, panel, beside, theorem_rows, chart_rows[1])


def _stacked(
    rows: int,
    chart: int,
    charts: int,
    panel: int,
    beside: tuple[tuple[str, ResolvedPanel | Table], ...],
    theorem_rows: tuple[int, int],
    most: int,
) -> list[Slot]:
    """Stack curves above, theorems with the rows they take, and below them as many panels as there is room for.

    The chart has its rows first, once the theorem in hand and the panel in hand have those that they cannot do without.
    """
    bare = not any(theorem_rows) and bool(charts or beside)  # a frame with nothing in it would say so at every step
    few, all_whole = (0, 0) if bare else (count + 2 for count in theorem_rows)
    least = _least(beside[panel % len(beside)][1]) if beside else 0
    fewest = _THIRTEEN if rows >= _TALL else _FEWEST
    curves = min(max(rows - few - least, fewest), most) if charts else 0
    theorems = min(all_whole, rows - curves - least)
    room = rows - curves - theorems
    picked = _panels(room, panel, beside)
    stack: list[Slot] = []
    if not picked and not bare:
        theorems = rows - curves
    elif not picked and charts:
        curves = rows
    top = 0
    if curves:
        stack.append(Slot("curves", chart % charts, 0, curves))
        top = curves
    if not bare:
        stack.append(Slot("theorems", 0, top, theorems))
        top += theorems
    for i, (index, height) in enumerate(picked):
        height = rows - top if i == len(picked) - 1 else height
        stack.append(Slot("panel", index, top, height))
        top += height
    return stack


def _least(shown: ResolvedPanel | Table) -> int:
    """Count the rows that a panel cannot do without."""
    return min(table_height(shown) + 2, _LEAST[0]) if isinstance(shown, Table) else _LEAST[1]


def _panels(room: int, panel: int, beside: tuple[tuple[str, ResolvedPanel | Table], ...]) -> list[tuple[int, int]]:
    """Choose the panels that fit, from the current one on: (index, rows) of each."""
    picked: list[tuple[int, int]] = []
    for i in range(len(beside)):
        index = (panel + i) % len(beside)
        shown = beside[index][1]
        if isinstance(shown, Table):
            height, least = table_height(shown) + 2, min(table_height(shown) + 2, 6)
        else:
            height, least = _PLOT, 9
        if least > room:
            if not picked and room >= 4:
                picked.append((index, room))
            break
        height = min(height, room)
        picked.append((index, height))
        room -= height
    return picked
