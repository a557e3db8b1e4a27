"""The tree of runs on the timeline: a row a run, beginning below the step at which it was forked."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.core.text import clean
from algorithms.timeline.branches import Branch
from tui.paint.canvas import SPACE, Canvas, fitted, width_of
from tui.paint.palette import Palette

_MOST, _FEW, _TALL = 4, 3, 29  # rows of runs on a screen of so many rows, and on a lower one
_LABELS = (14, 36)  # columns of names, at least and at most
_LEFT, _RIGHT, _UP, _DOWN = range(4)
# Lines by their weight to the left, right, up and down: 0 none, 1 light, 2 heavy.
_LIGHT = " ╷╵│╶╭╰├╴╮╯┤─┬┴┼"  # by the bits left, right, up, down
_HEAVY = " ╻╹┃╺┏┗┣╸┓┛┫━┳┻╋"
_MIXED = {
    "2100": "╾", "1200": "╼", "0120": "┖", "0201": "┍", "0102": "┎", "2001": "┑", "1002": "┒",
    "2201": "┯", "1102": "┰", "2102": "┱", "2101": "┭", "0122": "┠", "0221": "┡", "0121": "┞",
    "1122": "╂", "2211": "┿", "2111": "┽",
}  # fmt: skip


def _glyphs() -> Array:
    glyphs = np.zeros(81, np.uint32)
    for number in range(81):
        weights = np.base_repr(number, 3).zfill(4)
        uniform = int("".join("01"[w != "0"] for w in weights), 2)
        glyphs[number] = ord(_MIXED.get(weights, (_HEAVY if "2" in weights else _LIGHT)[uniform]))
    return glyphs


_GLYPHS = _glyphs()


class Forks(Struct, frozen=True, eq=False):
    """The runs of a tree as the timeline shows them.

    Attributes:
        runs: a parent before its children.
        hand: the one in hand.
        end: the step at the right end.
    """

    runs: list[Branch]
    hand: Branch
    end: int


class Rows(Struct, frozen=True):
    """Where the runs stand on a canvas.

    Attributes:
        shown: the runs that have a row, by their place in the tree.
        left, columns: of the steps; names stand left of them.
        end: the step in the last column.
    """

    shown: tuple[int, ...]
    left: int
    columns: int
    end: int

    def row(self, run: int) -> int | None:
        """Find the row of a run, None if it has none."""
        return self.shown.index(run) if run in self.shown else None

    def column(self, t: int) -> int:
        """Find the column of a step, from that of step 0; beyond the end, the last."""
        return round(min(t, self.end) / self.end * (self.columns - 1))


def rows_of(runs: int, height: int) -> int:
    """Count the rows that the timeline takes on a screen of `height` rows."""
    return 2 if runs == 1 else min(runs, _MOST if height >= _TALL else _FEW) + 1


def placed(forks: Forks, columns: int, rows: int) -> Rows:
    """Place as many runs as there is room for, above one row of numbers: the one in hand, those it was forked
    from, the nearest first, and what stands next to it."""
    hand = forks.runs.index(forks.hand)
    path = [forks.runs.index(run) for run in reversed(forks.hand.path)]
    others = sorted(set(range(len(forks.runs))).difference(path), key=lambda i: abs(i - hand))
    shown = tuple(sorted([*path, *others][: max(rows - 1, 1)]))
    least, most = _LABELS
    names = max(width_of(clean(run.name)) for run in forks.runs)
    left = min(max(names, least), most, columns // 3) + 4
    return Rows(shown, left, max(columns - left - 2, 1), forks.end)


def paint_forks(canvas: Canvas, forks: Forks, rows: Rows, t: int, palette: Palette) -> None:
    """Paint the names and lines of the runs, heavy where they lead to step t of the current one; where t is on each."""
    weights = _weights(forks, rows, t)
    number = np.tensordot(np.array([27, 9, 3, 1]), weights, 1)
    for i, place in enumerate(rows.shown):
        run = forks.runs[place]
        held = run is forks.hand
        name = fitted(clean(run.name), rows.left - 4)
        canvas.text(1, i, "▸" if held else " ", palette.accent)
        canvas.text(3, i, name, palette.ink if held else palette.dim, bold=held)
        heavy = (weights[:, place] == 2).any(axis=0)
        cut = np.s_[i, rows.left : rows.left + rows.columns]
        canvas.glyphs[cut] = _GLYPHS[number[place]]
        canvas.ink[cut] = np.where(heavy, palette.accent, palette.dim)
        _paint_end(canvas, run, rows, i, palette)
        if run.begin <= t <= run.timeline.last and not held:
            canvas.text(rows.left + rows.column(t), i, "○", palette.ink)
    here = rows.row(forks.runs.index(forks.hand.owner(t)))
    if here is not None:
        canvas.text(rows.left + rows.column(t), here, "●", palette.accent, bold=True)
    hidden = len(forks.runs) - len(rows.shown)
    if hidden:
        canvas.text(3, len(rows.shown), fitted(f"{hidden} more, B: all", rows.left - 4), palette.dim)


def _weights(forks: Forks, rows: Rows, t: int) -> Array:
    """Weigh the line to each side of a cell: (4, runs, columns)."""
    weights = np.zeros((4, len(forks.runs), rows.columns), np.int8)
    index = {run: i for i, run in enumerate(forks.runs)}

    def draw(run: Branch, last: int, weight: int) -> None:
        """Draw a run from the row that it was forked from down to its own, and along it."""
        row, first = index[run], rows.column(run.begin)
        end = rows.column(last)
        along = np.s_[row, first:end]
        weights[(_RIGHT, *along)] = weight
        weights[_LEFT, row, first + 1 : end + 1] = weight
        if run.parent is not None:
            above = index[run.parent]
            weights[_DOWN, above:row, first] = np.maximum(weights[_DOWN, above:row, first], weight)
            weights[_UP, above + 1 : row + 1, first] = np.maximum(weights[_UP, above + 1 : row + 1, first], weight)
            weights[_RIGHT, row, first] = max(weights[_RIGHT, row, first], 1)

    for run in forks.runs:
        draw(run, run.timeline.last, 1)
    path = [run for run in forks.hand.path if run.begin <= t]
    for run, following in zip(path, [*path[1:], None]):
        draw(run, following.begin if following else t, 2)
    return weights


def _paint_end(canvas: Canvas, run: Branch, rows: Rows, row: int, palette: Palette) -> None:
    """Paint how a run goes on: unknown, beyond the right end, ended, or failed."""
    last, stopped = run.timeline.last, run.timeline.stopped
    column = rows.left + rows.column(last)
    if last > rows.end:
        canvas.text(rows.left + rows.columns - 1, row, "▸", palette.dim)
    elif stopped is not None:
        if rows.column(last) > rows.column(run.begin):
            canvas.text(column, row, "✗" if stopped.wrong else "┤", palette.wrong if stopped.wrong else palette.dim)
    else:
        beyond = np.s_[row, column + 1 : rows.left + rows.columns]
        blank = canvas.glyphs[beyond] == SPACE
        canvas.ink[beyond][blank] = palette.faint
        canvas.glyphs[beyond][blank] = ord("┈")
