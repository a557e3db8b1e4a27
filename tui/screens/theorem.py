"""An opened theorem: its sides over the run, its letters, what it rests on and its proof, while the run is stepped."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from algorithms.core.text import counted
from algorithms.playback.theorems.page import TheoremPage
from tui.paint.axes import framed
from tui.paint.canvas import Canvas
from tui.paint.palette import Palette
from tui.screens.explaining import Explaining
from tui.sections.signs import Letter
from tui.sections.theorems.charts import BOTH, DrawnChart, TheoremCharts, has_charts
from tui.sections.theorems.head import paint_head
from tui.sections.theorems.notes import (
    letter_words,
    listed,
    paint_hypotheses,
    paint_list,
    paint_other_symbols,
    paint_proof,
    paint_step,
    paint_symbols,
    proof_rows,
    source_line,
)
from tui.widgets.keys import Keys
from tui.widgets.raster import RasterView

_WIDE = 90  # columns of a page from which on there are two beside each other
_MOST_ROWS = 200  # of a page so wide, scrolled through where it is longer than the screen; a narrower one has more
_NOTES = (38, 0.38, 60)  # columns of the right one: at least, the share of all, at most
_STEP = 4  # rows that are kept for what happened in the step
_LIST = 4  # rows from which on the theorems are listed, with the heading
_AGAIN = 0.05  # seconds until more of what is around the cursor is painted
_CHARTS = 22  # rows of the charts where they come after the proof


class TheoremView(RasterView):
    """Paints a page.

    Attributes:
        charts: the charts of the sides, and how they are looked at.
        page: what is painted.
    """

    def __init__(self, page: TheoremPage, step: str):
        super().__init__(id="theorem")
        self.charts = TheoremCharts()
        self.page, self._step, self._top = page, step, 0
        self._listed: tuple[int, int, range] = (0, 0, range(0))  # first row and column of the list, the theorems in it
        self._drawn: list[DrawnChart] = []

    class Chosen(Message):
        """Tell that a theorem of the list was clicked."""

        def __init__(self, theorem: int):
            super().__init__()
            self.theorem = theorem

    class Sought(Message):
        """Tell that a step was clicked on a chart."""

        def __init__(self, by: int):
            super().__init__()
            self.by = by

    def show(self, page: TheoremPage, step: str) -> None:
        self.page, self._step = page, step
        self.redraw()

    def scroll_by(self, rows: int) -> None:
        """Show the page from so many rows further down, or up."""
        self._top = max(self._top + rows, 0)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, page = self.palette, self.page
        columns, rows = canvas.columns - 4, canvas.rows - 2
        longest = _MOST_ROWS * max(_WIDE // max(columns, 1), 1)
        whole = Canvas(columns, max(longest, rows), palette.panel, palette.ink)
        self._drawn, self._listed = [], (0, 0, range(0))
        used = self._paint_page(whole, rows, page, palette)
        self._top = min(self._top, max(used - rows, 0))
        below = used - rows - self._top
        more = (
            f"pgdn: {counted(below, 'line')} below   " if below > 0 else "pgup: the lines above   " if self._top else ""
        )
        framed(canvas, f"theorem {page.number} of {page.count}", f"{more}{self._step}", palette, marked=True)
        canvas.text(2, canvas.rows - 1, f" {source_line(page, columns - 4, canvas.rows)} ", palette.dim)
        canvas.part(2, 1, columns, rows).paste(whole.part(0, self._top, columns, rows))

        if self.charts.unfinished:
            self.set_timer(_AGAIN, self.redraw)

    # Where things are

    def _paint_page(self, whole: Canvas, rows: int, page: TheoremPage, palette: Palette) -> int:
        """Paint the whole page, however long; returns the rows used."""
        row = paint_head(whole, page, palette)
        if whole.columns < _WIDE:
            return self._paint_in_one_column(whole, row + 1, rows, has_charts(page))
        if has_charts(page):
            return self._paint_with_charts(whole, row, rows)
        return self._paint_in_two_columns(whole, row + 1, rows)

    def _paint_with_charts(self, whole: Canvas, row: int, rows: int) -> int:
        """Paint charts at the left and notes at the right; the proof below both, or below the charts where the notes
        need the room."""
        palette = self.palette
        least, share, most = _NOTES
        width = min(max(round(whole.columns * share), least), most)
        left = whole.columns - width - 2
        notes = whole.part(left + 2, row, width, whole.rows - row)
        noted = self._paint_notes(notes)
        proof = self._proof(whole.columns, whole.columns)
        below = len(proof) + 1 if proof else 0
        across = noted + 1 + _STEP <= rows - row - below
        if not across:
            proof = self._proof(left, whole.columns)
            below = len(proof) + 1 if proof else 0
        height = max(rows - row - below, BOTH)
        self._paint_charts(whole.part(0, row, left, height), row)
        paint_proof(whole.part(0, row + height, whole.columns if across else left, below), proof, palette)
        room = height if across else rows - row
        noted += self._paint_rest(whole.part(left + 2, row + noted, width, room - noted), row + noted, left + 2)
        return max(row + height + below, row + noted)

    def _paint_in_two_columns(self, whole: Canvas, row: int, rows: int) -> int:
        """Paint letters at the left and what it rests on at the right, then the proof; of a theorem without a chart."""
        page, palette = self.page, self.palette
        half = whole.columns // 2 - 1
        used = [0, 0]  # rows of either column
        for section, side in ((paint_symbols, 0), (paint_hypotheses, 1), (paint_step, 1), (paint_other_symbols, None)):
            side = used.index(min(used)) if side is None else side
            more = section(whole.part(side * (half + 2), row + used[side], half, whole.rows), page, palette)
            used[side] += more + 1 if more else 0
        row += max(used)
        proof = self._proof(whole.columns, whole.columns)
        row += paint_proof(whole.part(0, row, whole.columns, whole.rows), proof, palette) + 1
        room = max(rows - row, min(page.count + 1, _LIST))
        return row + self._paint_list(whole.part(0, row, whole.columns, room), row, 0)

    def _paint_in_one_column(self, whole: Canvas, row: int, rows: int, charts: bool) -> int:
        """Paint one thing under the other, numbers, letters and proof first."""
        page, palette = self.page, self.palette
        columns = whole.columns
        for section in (paint_hypotheses, paint_symbols):
            used = section(whole.part(0, row, columns, whole.rows), page, palette)
            row += used + 1 if used else 0
        used = paint_proof(whole.part(0, row, columns, whole.rows), self._proof(columns, columns), palette)
        row += used + 1 if used else 0
        if charts:
            height = min(max(rows - row, BOTH), _CHARTS)
            self._paint_charts(whole.part(0, row, columns, height), row)
            row += height
        used = paint_step(whole.part(0, row, columns, whole.rows), page, palette)
        row += used + 1 if used else 0
        used = paint_other_symbols(whole.part(0, row, columns, whole.rows), page, palette)
        row += used + 1 if used else 0
        return row + self._paint_list(whole.part(0, row, columns, page.count + 1), row, 0)

    # What stands there

    def _paint_notes(self, canvas: Canvas) -> int:
        """Paint the letters and what it rests on, from the first row; returns the rows used."""
        used = paint_symbols(canvas, self.page, self.palette)
        used += 1 if used else 0
        below = canvas.part(0, used, canvas.columns, canvas.rows - used)
        more = paint_hypotheses(below, self.page, self.palette)
        return used + (more + 1 if more else 0)

    def _paint_rest(self, canvas: Canvas, row: int, column: int) -> int:
        """Paint what happened in the step, and the theorems where there is room for them; returns the rows used."""
        used = paint_step(canvas, self.page, self.palette)
        room = canvas.rows - used - 1
        if room < min(_LIST, self.page.count + 1):
            return used
        used += 1
        used += self._paint_list(canvas.part(0, used, canvas.columns, room), row + used, column) + 1
        others = Canvas(canvas.columns, _MOST_ROWS, self.palette.panel, self.palette.ink)
        more = paint_other_symbols(others, self.page, self.palette)
        if used + more <= canvas.rows:
            canvas.part(0, used, canvas.columns, more).paste(others)
        return used - 1

    def _paint_list(self, canvas: Canvas, row: int, column: int) -> int:
        """Paint the theorems that there is room for; returns the rows used."""
        shown = listed(self.page, canvas.rows - 1)
        paint_list(canvas, self.page, shown, self.palette)
        self._listed = (row + 1, column, shown)
        return len(shown) + 1

    def _proof(self, columns: int, all_columns: int) -> list[tuple[str, str]]:
        return proof_rows(self.page, columns, source_line(self.page, all_columns - 4, self.size.height))

    def _paint_charts(self, canvas: Canvas, row: int) -> None:
        drawn = self.charts.paint(canvas, self.page, self.palette)
        self._drawn = [replace(chart, top=chart.top + row) for chart in drawn]

    # The mouse

    def on_click(self, event: events.Click) -> None:
        row, column = event.y - 1 + self._top, event.x - 2
        first, left, shown = self._listed
        if column >= left and 0 <= row - first < len(shown):
            self.post_message(self.Chosen(shown[row - first]))
            return
        for chart in self._drawn:
            if chart.top <= row < chart.top + chart.rows and column < chart.left + chart.chart.glyphs.shape[1]:
                self.post_message(self.Sought(chart.step(column) - self.page.t))


class TheoremScreen(Explaining[int]):
    """Shows one theorem of a run, at the step that is shown; the arrows go on stepping; answers which it was left at.

    Args:
        page: (index) -> the page at the step that is shown now.
        step: (by) -> goes so many steps on, or back; returns what names the step: "step 48 of 360".
        first: which theorem to show.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "close", "back to the run"),
        Binding("down", "other(1)", "the next theorem"),
        Binding("up", "other(-1)", "the theorem before"),
        Binding("right", "step(1)", "a step on"),
        Binding("left", "step(-1)", "a step back"),
        Binding("j", "along", "along the theorem's own variable, or the steps"),
        Binding("l,k", "log", "logarithmic, or not"),
        Binding("W", "follow", "the sides from near, following the cursor, or the whole run"),
        Binding("pagedown", "scroll_page(8)", "further down the page"),
        Binding("pageup", "scroll_page(-8)", "up the page"),
    ]

    def __init__(self, page: Callable[[int], TheoremPage], step: Callable[[int], str], first: int = 0):
        super().__init__()
        self._make, self._go, self._index = page, step, first

    def compose(self) -> ComposeResult:
        page = self._make(self._index)
        yield TheoremView(page, self._go(0))
        yield Keys(_keys(page), id="keys")

    def _show(self, step: str) -> None:
        page = self._make(self._index)
        self.query_one(TheoremView).show(page, step)
        self.query_one(Keys).show(_keys(page))

    def show_again(self) -> None:
        """Show the page anew: numbers have come meanwhile."""
        if self.is_live:
            self._show(self._go(0))

    def letters_now(self) -> Iterator[Letter]:
        return ((symbol.letter, partial(letter_words, symbol)) for symbol in self.query_one(TheoremView).page.symbols)

    def action_close(self) -> None:
        if self.app.screen is self:
            self.dismiss(self._index)

    def action_other(self, by: int) -> None:
        self._index = (self._index + by) % self._make(self._index).count
        self.query_one(TheoremView).charts.log = None
        self._show(self._go(0))

    def on_theorem_view_chosen(self, message: TheoremView.Chosen) -> None:
        self.action_other(message.theorem - self._index)

    def on_theorem_view_sought(self, message: TheoremView.Sought) -> None:
        self._show(self._go(message.by))

    def action_step(self, by: int) -> None:
        self._show(self._go(by))

    def action_along(self) -> None:
        charts = self.query_one(TheoremView).charts
        charts.along = not charts.along
        self.show_again()

    def action_log(self) -> None:
        self.query_one(TheoremView).charts.switch_log()
        self.show_again()

    def action_follow(self) -> None:
        self.query_one(TheoremView).charts.follow()
        self.show_again()

    def action_scroll_page(self, rows: int) -> None:
        self.query_one(TheoremView).scroll_by(rows)


def _keys(page: TheoremPage) -> tuple[tuple[str, str, str], ...]:
    """List the keys that do something on a page."""
    keys = [("esc", "back", "close"), ("↑ ↓", "other theorems", "other(1)")]
    so_far = page.so_far
    if so_far is not None and has_charts(page):
        along = [("j", f"along {page.theorem.along} or steps", "along")] if so_far.along else []
        keys += [*along, ("l", "log", "log"), ("W", "near or whole", "follow")]
    return (*keys, ("← →", "step", "step(1)"))
