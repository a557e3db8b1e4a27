"""How the column beside the stage is shared out: curves, theorems and the scene's other panels.

All sections stand in one frame. A slot's first row holds its title, and its last is the line under it, which is the
first of the next one or the frame's own.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Bars, Path, Paths, Points, Table
from algorithms.core.resolve import ResolvedPanel
from algorithms.core.scene import Mark
from tui.sections.panels.tables import table_height

STACKED = 27  # rows from which on sections stand one above the other; below, one at a time
_FEWEST = 7  # rows of a chart with its title, at least
_THIRTEEN = 16  # the same where the column is tall: thirteen of its plot
_TALL = 32  # rows of the column from which on it has more at least
_PLOT = 12
_LEAST = (5, 9)  # rows that are kept for the panel in hand, be it a table or a plot

Beside = tuple[tuple[str, ResolvedPanel | Table], ...]


class Slot(Struct, frozen=True):
    """A section's place.

    Attributes:
        kind: "curves", "theorems" or "panel".
        index: which chart or panel.
        top, rows: where, with its title's row and the line under it.
    """

    kind: str
    index: int
    top: int
    rows: int

    @property
    def section(self) -> int:
        """Get the number of its tab."""
        return {"curves": 1, "theorems": 2}.get(self.kind, 3 + self.index)


def is_empty(shown: ResolvedPanel | Table) -> bool:
    """Tell whether there is nothing to see in a panel at this step."""
    return not shown.rows if isinstance(shown, Table) else all(map(_is_blank, shown.marks))


def _is_blank(mark: Mark) -> bool:
    """Tell whether nothing of a mark would be seen: bars of no height, lines and points nowhere."""
    if isinstance(mark, Bars):
        return not np.any(mark.heights)
    return isinstance(mark, Points | Path | Paths) and not np.isfinite(mark.at).any()


def slots(
    rows: int,
    only: int,
    chart: int,
    charts: int,
    panel: int,
    beside: Beside,
    theorem_rows: tuple[int, int, int],
    chart_rows: tuple[int, int] = (9, 17),
    untitled: bool = False,
    tables: Mapping[str, int] = {},
) -> list[Slot]:
    """Choose the sections to show.

    Args:
        rows: how many there are, with the frame's lines.
        only: 0 for all that fit, else the number of the one section asked for: 1 curves, 2 theorems,
            3 and on the panels.
        chart, charts: the chart in hand and how many there are.
        panel, beside: the panel in hand, and the panels.
        theorem_rows: how many rows the theorems take, one whole and the others in a row each; with all statements;
            and all of them whole.
        chart_rows: how many rows the chart in hand wants, at least where it is not alone, and at most.
        untitled: whether the one section asked for needs no title, since its tab has it.
        tables: the rows that tables are to have, by title, where that is more than they have now.
    """
    if only:
        if only == 1 and charts:
            return _charts(rows, chart, charts, chart_rows[0])
        if only >= 3 and beside:
            top = 0 if untitled else 1
            return [Slot("panel", (only - 3) % len(beside), top, rows - top)]
        return [Slot("theorems", 0, 1, rows - 1)]
    heights = [_height(shown, tables.get(title, 0)) for title, shown in beside]
    return _stacked(rows - 2, chart, charts, panel, beside, heights, theorem_rows, chart_rows[1] - 1)


def _charts(rows: int, chart: int, charts: int, least: int) -> list[Slot]:
    fit = max(1, min(charts, (rows - 2) // max(least - 1, 1)))
    tops = [1 + i * ((rows - 2) // fit) for i in range(fit)] + [rows - 1]
    return [Slot("curves", (chart + i) % charts, tops[i], tops[i + 1] - tops[i] + 1) for i in range(fit)]


def _height(shown: ResolvedPanel | Table, rows: int) -> int:
    """Count the rows that a panel takes with its title."""
    return max(table_height(shown), rows) + 1 if isinstance(shown, Table) else _PLOT


def _stacked(
    rows: int,
    chart: int,
    charts: int,
    panel: int,
    beside: Beside,
    heights: Sequence[int],
    theorem_rows: tuple[int, int, int],
    most: int,
) -> list[Slot]:
    """Stack curves above, theorems with the rows they take, and below them as many panels as there is room for.

    The chart has its rows first, once the theorem in hand and the panel in hand have those that they cannot do
    without; then the statements, the panel in hand, the names of the theorems' sides and further panels. The rows that
    nothing else has a use for are the chart's too.
    """
    first = panel % max(len(beside), 1)
    order = [*range(first, len(beside)), *range(first)]
    some = [(i, beside[i][1], heights[i]) for i in order if not is_empty(beside[i][1])]
    bare = not any(theorem_rows) and bool(charts or some)  # a frame with nothing in it would say so at every step
    few, stated, whole = (0, 0, 0) if bare else (count + 1 for count in theorem_rows)
    least = _least(some[0][1], some[0][2]) if some else 0
    fewest = _THIRTEEN if rows + 2 >= _TALL else _FEWEST
    curves = min(max(rows - few - least, fewest), most) if charts else 0
    theorems = max(min(stated, rows - curves - least), 0)
    in_hand = min(some[0][2], rows - curves - theorems) if some else 0
    theorems = max(min(whole, rows - curves - in_hand), 0)
    picked = _panels(rows - curves - theorems, some)
    if not picked:
        theorems = 0 if bare else min(whole, rows - curves) if charts else rows
    spare = rows - curves - theorems - sum(height for _, height in picked)
    if charts:
        curves += spare
    elif picked:
        picked[-1] = picked[-1][0], picked[-1][1] + spare
    stack: list[Slot] = []
    top = 1
    sections = [("curves", chart % max(charts, 1), curves), ("theorems", 0, theorems)]
    for kind, index, height in [*sections, *(("panel", index, height) for index, height in picked)]:
        if height:
            stack.append(Slot(kind, index, top, height + 1))
            top += height
    return stack


def _least(shown: ResolvedPanel | Table, height: int) -> int:
    """Count the rows that a panel cannot do without."""
    return min(height, _LEAST[0]) if isinstance(shown, Table) else _LEAST[1]


def _panels(room: int, some: Sequence[tuple[int, ResolvedPanel | Table, int]]) -> list[tuple[int, int]]:
    """Choose the panels that fit, from the first one on: (index, rows) of each; a plot has what is left."""
    picked: list[tuple[int, int]] = []
    plots: list[int] = []
    for index, shown, height in some:
        least = min(height, 5) if isinstance(shown, Table) else 8
        if least > room:
            if not picked and room >= 3:
                picked.append((index, room))
                room = 0
            break
        height = min(height, room)
        plots += [] if isinstance(shown, Table) else [len(picked)]
        picked.append((index, height))
        room -= height
    if plots:
        index, height = picked[plots[0]]
        picked[plots[0]] = index, height + room
    return picked
