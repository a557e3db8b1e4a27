"""The timeline: where the cursor is in the run, with a mark where each iteration begins; of several runs the tree."""

import numpy as np
from textual import events
from textual.message import Message

from algorithms.playback.cursor.player import Player
from algorithms.timeline.branches import Branch
from tui.paint.canvas import Canvas, width_of
from tui.paint.palette import Palette
from tui.paint.ticks import roundest, spaced
from tui.sections.panels.forks import Forks, Rows, paint_forks, placed, to_come
from tui.widgets.dragging import Dragged
from tui.widgets.seeking import StepSought

_ITERATIONS = "iteration →"  # what the numbers under the timeline count
_NAMED = 60  # columns of the timeline from which on that is written


class Track(Dragged):
    """Click to go to a step, drag to move along the run; click the row of another run to go to it."""

    DEFAULT_CSS = "Track { height: 2; }"

    class Chosen(Message):
        """Another run was asked for with the mouse, at a step, or at the same one when it is None."""

        def __init__(self, branch: Branch, t: int | None):
            super().__init__()
            self.branch, self.t = branch, t

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._player: Player | None = None
        self._forks: Forks | None = None

    def show(self, player: Player, forks: Forks | None = None) -> None:
        """Show a run; with those it was forked from, or that were forked from it, when there are any."""
        self._player, self._forks = player, forks
        self.redraw()

    @property
    def _rows(self) -> Rows:
        assert self._player is not None
        if self._forks is None:
            return Rows((0,), 2, max(self.size.width - 4, 1), self._player.range)
        return placed(self._forks, self.size.width, self.size.height)

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        if self._player is None or canvas.columns < 8 or canvas.rows < 2:
            return
        run, t, rows = self._player.timeline, self._player.t, self._rows
        left, columns = rows.left, rows.columns
        here = left + rows.column(t)
        if self._forks is not None:
            paint_forks(canvas, self._forks, rows, t, palette)
            self._paint_iterations(canvas, rows)
            return
        canvas = canvas.part(0, canvas.rows - 2, canvas.columns, 2)
        known = left + rows.column(run.last)
        canvas.text(left, 0, to_come(columns, self._player.seen is not None), palette.faint)
        canvas.text(left, 0, "─" * (known - left + 1), palette.dim)
        canvas.text(left, 0, "━" * (here - left + 1), palette.accent)
        self._paint_iterations(canvas, rows)
        for hit in self._player.watch.hits if self._player.watch else ():
            if hit <= rows.end:
                canvas.text(left + rows.column(hit), 0, "▾", palette.wrong)
        for wrong in run.gone_wrong():
            if wrong <= rows.end:
                canvas.text(left + rows.column(wrong), 0, "!", palette.wrong, bold=True)
        if run.first_nan is not None and run.first_nan <= rows.end:
            canvas.text(left + rows.column(run.first_nan), 0, "✗", palette.wrong, bold=True)
        if run.last > rows.end:
            canvas.text(left + columns - 1, 0, "▸", palette.dim)
        canvas.text(here, 0, "●", palette.accent, bold=True)

    def _paint_iterations(self, canvas: Canvas, rows: Rows) -> None:
        """Paint a mark in every column in which an iteration begins, and their numbers as far as they have room."""
        assert self._player is not None
        run = self._player.timeline
        starts, palette = run.iteration_starts(), self.palette
        begun: list[tuple[int, int]] = []
        middles = np.arange(rows.columns)
        firsts = np.searchsorted(starts, (middles - 0.5) * rows.end / max(rows.columns - 1, 1))
        afters = np.searchsorted(starts, (middles + 0.5) * rows.end / max(rows.columns - 1, 1))
        for column in np.flatnonzero(firsts < afters).tolist():
            i, after = int(firsts[column]), int(afters[column])
            self._mark(canvas, rows, column, int(starts[i]), palette)
            begun.append((rows.left + column, roundest(run.iteration_number(i), run.iteration_number(after - 1) + 1)))
        first, end = 0 if self._forks is None else rows.left, canvas.columns
        if begun and rows.columns >= _NAMED:
            end -= width_of(_ITERATIONS) + 1
            canvas.text(end, canvas.rows - 1, _ITERATIONS, palette.dim)
            begun = [(column, number) for column, number in begun if column + width_of(f"{number:,}") < end]
        for start, text in spaced(begun, first, end):
            canvas.text(start, canvas.rows - 1, text, palette.dim)

    def _mark(self, canvas: Canvas, rows: Rows, column: int, t: int, palette: Palette) -> None:
        """Mark where an iteration begins: downwards to its number, or upwards where forks go downwards."""
        assert self._player is not None
        past = column <= rows.column(self._player.t)
        row, glyphs = 0, "┳┬"
        if self._forks is not None:
            owner = rows.row(self._forks.runs.index(self._forks.hand.owner(t)))
            if owner is None or chr(canvas.glyphs[owner, rows.left + column]) not in "━─╾╼":
                return
            row, glyphs = owner, "┻┴"
        canvas.text(rows.left + column, row, glyphs[not past], palette.accent if past else palette.dim)

    # The mouse

    def seek(self, x: int) -> None:
        if self._player is not None:
            self.post_message(StepSought(min(self._t_at(x), self._player.timeline.last)))

    def _t_at(self, x: int) -> int:
        rows = self._rows
        share = min(max((x - rows.left) / max(rows.columns - 1, 1), 0.0), 1.0)
        return round(share * rows.end)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if self._player is None:  # nothing has been shown yet
            return
        rows, forks = self._rows, self._forks
        named = forks is not None and event.x < rows.left - 1
        if forks is not None and 0 <= event.y < len(rows.shown):
            run = forks.runs[rows.shown[event.y]]
            if run is not forks.hand:
                self.post_message(self.Chosen(run, None if named else min(self._t_at(event.x), run.timeline.last)))
                return
        if not named:
            self.grab(event.x)
