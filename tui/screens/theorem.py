"""An opened theorem: its numbers, its letters, what it rests on and its proof, while the run is stepped through."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from algorithms.core import Bars, Cursor
from algorithms.core.plane import Axis
from algorithms.data.text import clean, counted
from algorithms.playback.limits import Limits
from algorithms.playback.theorem_page import HypothesisNow, TheoremPage
from algorithms.sweeping import Estimate
from tui.paint.axes import framed, plotted
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.marks import paint
from tui.paint.palette import Palette
from tui.paint.text import wrapped
from tui.paint.ticks import number
from tui.widgets.keys import Keys
from tui.widgets.raster import RasterView

_RELATION = {"<=": "≤", "<": "<", "==": "="}
_KEYS = (("esc", "back", "close"), ("↑ ↓", "other theorems", "other(1)"), ("← →", "step", "step(1)"))
_MOST_ROWS = 200  # of a page, scrolled through where it is longer than the screen
_WIDE = 100  # columns from which on letters and hypotheses stand beside each other
_BESIDE = 130  # columns from which on the list of the theorems stands beside the page, and not over it
_NEIGHBOURS = 3  # rows of the list where it stands over the page
_SIGN = {"holds": "✓", "fails": "✗", "undecided": "?", "expected": "E"}
_CHART, _BARS_HIGH, _BARS = 90, 8, 30  # of a histogram: columns and rows at most, and bars
_MET = {True: "✓", False: "–", None: "?"}


class TheoremView(RasterView):
    """Paints a page."""

    def __init__(self, page: TheoremPage, step: str):
        super().__init__(id="theorem")
        self._page, self._step, self._top = page, step, 0
        self._list: tuple[int, int, range] = (0, 0, range(0))  # its first row, its last column, the theorems in it

    class Chosen(Message):
        """Tell that a theorem of the list was clicked."""

        def __init__(self, theorem: int):
            super().__init__()
            self.theorem = theorem

    def show(self, page: TheoremPage, step: str) -> None:
        self._page, self._step = page, step
        self.redraw()

    def scroll_by(self, rows: int) -> None:
        """Show the page from so many rows further down, or up."""
        self._top = max(self._top + rows, 0)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, page = self.palette, self._page
        beside = canvas.columns >= _BESIDE
        width = canvas.columns // 3 if beside else canvas.columns - 4
        shown = _listed(page, canvas.rows - 3 if beside else _NEIGHBOURS)
        left, top = (width + 4, 1) if beside else (2, len(shown) + 2)
        columns, rows = canvas.columns - left - 4, canvas.rows - top - 2
        whole = Canvas(columns, _MOST_ROWS, palette.panel, palette.ink)
        used = _paint_page(whole, page, palette)
        self._top = min(self._top, max(used - rows, 0))
        below = used - rows - self._top
        more = (
            f"pgdn: {counted(below, 'line')} below   " if below > 0 else "pgup: the lines above   " if self._top else ""
        )
        title = f"theorem {page.number} of {page.count}"
        inside = framed(canvas, title, f"{more}{self._step}", palette, marked=True)
        self._list = (2, width + 2, shown)
        _paint_list(inside.part(2, 1, width - 2, len(shown)), page, shown, palette)
        inside.part(left, top, columns, rows).paste(whole.part(0, self._top, columns, rows))

    def on_click(self, event: events.Click) -> None:
        first, end, shown = self._list
        if event.x < end and 0 <= event.y - first < len(shown):
            self.post_message(self.Chosen(shown[event.y - first]))


def _listed(page: TheoremPage, rows: int) -> range:
    """Choose the theorems that are listed where there are so many rows: the opened one in their middle."""
    rows = min(rows, page.count)
    first = min(max(page.number - 1 - rows // 2, 0), page.count - rows)
    return range(first, first + rows)


def _paint_list(canvas: Canvas, page: TheoremPage, shown: range, palette: Palette) -> None:
    """Paint the theorems by number, how each stands at the step, and the opened one marked."""
    for row, i in enumerate(shown):
        verdict, here = page.verdicts[i], i == page.number - 1
        sign = _SIGN.get(verdict.status, "–")
        ink = {"✓": palette.good, "✗": palette.wrong, "E": palette.accent}.get(sign, palette.faint)
        canvas.text(0, row, "▸" if here else " ", palette.accent)
        canvas.text(1, row, f"{i + 1:>2}", palette.accent if here else palette.dim)
        canvas.text(4, row, sign, ink)
        words = fitted(clean(verdict.theorem.statement), canvas.columns - 6)
        canvas.text(6, row, words, palette.ink if here else palette.dim)


def _paint_page(page_canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint the whole page, however long; returns the rows used."""
    row = _statement(page_canvas, page, palette)
    row = _numbers(page_canvas, row + 1, page, palette) + 1
    columns, room = page_canvas.columns, page_canvas.rows
    if columns >= _WIDE:
        half = columns // 2 - 1
        letters = _symbols(page_canvas.part(0, row, half, room), page, palette)
        row += 1 + max(letters, _rests(page_canvas.part(half + 2, row, half, room), page, palette))
    else:
        for section in (_rests, _symbols):
            used = section(page_canvas.part(0, row, columns, room), page, palette)
            row += used + 1 if used else 0
    proof = _proof_rows(page, columns)
    _proof(page_canvas.part(0, row, columns, len(proof)), proof, palette)
    return row + len(proof)


def _statement(body: Canvas, page: TheoremPage, palette: Palette) -> int:
    lines = wrapped(page.theorem.statement, body.columns)
    for i, line in enumerate(lines):
        body.text(0, i, line, palette.accent, bold=True)
    return len(lines)


def _numbers(body: Canvas, row: int, page: TheoremPage, palette: Palette) -> int:
    """Paint the sides by name with their values under them and what is left between; or why there are none."""
    verdict, sides = page.verdict, page.verdict.sides
    if verdict.status == "expected":
        return _expected(body, row, page, palette)
    if sides is None:
        words = "it is not decided here: " if verdict.status == "undecided" else "it says nothing here: "
        lines = wrapped(f"{words}{clean(verdict.why)}", body.columns)
        for i, line in enumerate(lines):
            body.text(0, row + i, line, palette.dim)
        return row + len(lines)
    values = [number(value) for value in sides.values]
    names = [clean(name) for name in sides.names]
    widths = [max(width_of(name), width_of(value)) for name, value in zip(names, values)]
    sign, column = _RELATION[sides.relation], 0
    for i, (name, value, width) in enumerate(zip(names, values, widths)):
        if i:
            body.text(column, row + 1, f" {sign} ", palette.good if verdict.status == "holds" else palette.wrong)
            column += 3
        body.text(column, row, name, palette.dim)
        body.text(column, row + 1, value, palette.ink, bold=True)
        column += width + 1
    holds, ink = ("✓ holds", palette.good) if verdict.status == "holds" else ("✗ FAILS", palette.wrong)
    body.text(0, row + 2, holds, ink, bold=True)
    left = ", ".join(f"{number(gap)} left (within {number(forgiven)})" for gap, forgiven in page.links)
    lines = wrapped(left, body.columns - 9)
    for i, line in enumerate(lines):
        body.text(9, row + 2 + i, line, palette.dim)
    row += len(lines) - 1
    if page.failed is not None:
        body.text(0, row + 3, f"it failed at step {page.failed:,} first", palette.wrong)
        return row + 4
    return row + 3


def _expected(body: Canvas, row: int, page: TheoremPage, palette: Palette) -> int:
    """Paint the mean over the runs so far beside what it is held against, and the runs as a histogram."""
    estimate = page.estimate
    if estimate is None or not len(estimate.values):
        lines = wrapped(clean(page.verdict.why), body.columns)
        for i, line in enumerate(lines):
            body.text(0, row + i, line, palette.dim)
        return row + len(lines)
    mean, bound = (clean(name) for name in estimate.expectation.names)
    value = f"{number(estimate.mean)} ± {estimate.error:.2g}"
    right = max(width_of(mean), width_of(value)) + 3
    body.text(0, row, mean, palette.dim)
    body.text(0, row + 1, value, palette.ink, bold=True)
    body.text(right, row, fitted(bound, body.columns - right), palette.dim)
    body.text(right, row + 1, number(estimate.bound), palette.ink, bold=True)
    failed = f"; {estimate.failed:,} failed" if estimate.failed else ""
    words = f"{estimate.runs:,} of {counted(estimate.of, 'run')}{failed}; a mean has an error, so it is no verdict"
    body.text(0, row + 2, fitted(words, body.columns), palette.dim)
    _histogram(body.part(0, row + 4, min(body.columns, _CHART), _BARS_HIGH + 2), estimate, palette)
    return row + _BARS_HIGH + 6


def _histogram(canvas: Canvas, estimate: Estimate, palette: Palette) -> None:
    """Paint how many runs measured how much; the mean stands as a line."""
    values = estimate.values[np.isfinite(estimate.values)]
    if not len(values):
        return
    heights, edges = np.histogram(values, bins=min(_BARS, len(values)))
    limits = Limits(float(edges[0]), float(edges[-1]), 0.0, float(heights.max()))
    across = Axis(clean(estimate.expectation.names[0].removeprefix("mean ")))
    plot = plotted(canvas, limits, across, Axis("runs"), palette)
    if plot.canvas.columns and plot.canvas.rows:
        paint(Bars(heights=heights.astype(float), edges=edges, tones=(0,)), plot)
        if len(values) > 1:
            paint(Cursor(x=estimate.mean, tone="accent"), plot)


def _heading(canvas: Canvas, row: int, words: str, palette: Palette) -> None:
    canvas.text(0, row, words, palette.dim)
    canvas.text(width_of(words) + 1, row, "─" * max(canvas.columns - width_of(words) - 1, 0), palette.line)


def _symbols(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint what the letters mean, with their values now; returns the rows used."""
    if not page.symbols:
        return 0
    _heading(canvas, 0, "what the letters mean", palette)
    width = max(width_of(symbol.letter) for symbol in page.symbols) + 2
    row = 1
    for symbol in page.symbols:
        value = "" if symbol.value is None else number(symbol.value)
        canvas.text(0, row, clean(symbol.letter), palette.ink)
        canvas.text(canvas.columns - width_of(value), row, value, palette.ink, bold=True)
        for line in wrapped(clean(symbol.meaning), canvas.columns - width - width_of(value) - 1):
            canvas.text(width, row, line, palette.dim)
            row += 1
    return row


def _rests(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint what it rests on, each with its tick; returns the rows used."""
    if not page.hypotheses:
        return 0
    _heading(canvas, 0, "it holds when", palette)
    row = 1
    inks = {True: palette.good, False: palette.faint, None: palette.dim}
    for rest in page.hypotheses:
        canvas.text(0, row, _MET[rest.met], inks[rest.met], bold=True)
        for line in wrapped(_words(rest), canvas.columns - 2):
            canvas.text(2, row, line, palette.ink if rest.met else palette.dim)
            row += 1
    return row


def _words(rest: HypothesisNow) -> str:
    return clean(f"{rest.words}: {rest.why}" if rest.why else rest.words)


def _proof_rows(page: TheoremPage, columns: int) -> list[tuple[str, str]]:
    """Lay out the proof, a numbered link after the other, and the source."""
    rows: list[tuple[str, str]] = []
    for i, link in enumerate(page.theorem.proof, start=1):
        lines = wrapped(clean(link), columns - 3)
        rows += [(str(i) if j == 0 else "", line) for j, line in enumerate(lines)]
    rows += [("", ""), ("", f"source: {clean(page.theorem.source)}")]
    if page.lectures:
        rows += [("", line) for line in wrapped(f"lectures: {', '.join(page.lectures)}", columns - 3)]
    return [("─", "the proof"), *rows]


def _proof(canvas: Canvas, rows: list[tuple[str, str]], palette: Palette) -> None:
    below = next(i for i, (_, line) in enumerate(rows) if line.startswith("source: "))
    for i, (mark, line) in enumerate(rows):
        if mark == "─":
            _heading(canvas, i, line, palette)
            continue
        canvas.text(0, i, mark, palette.accent)
        canvas.text(2, i, line, palette.dim if i >= below else palette.ink)


class TheoremScreen(Screen[None]):
    """Shows one theorem of a run, at the step that is shown; the arrows go on stepping.

    Args:
        page: (index) -> the page at the step that is shown now.
        step: (by) -> goes so many steps on, or back; returns what names the step: "step 48 of 360".
        first: which theorem to show.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "close", "back to the run"),
        Binding("down,j", "other(1)", "the next theorem"),
        Binding("up,k", "other(-1)", "the theorem before"),
        Binding("right,l", "step(1)", "a step on"),
        Binding("left,h", "step(-1)", "a step back"),
        Binding("pagedown", "scroll_page(8)", "further down the page"),
        Binding("pageup", "scroll_page(-8)", "up the page"),
    ]

    def __init__(self, page: Callable[[int], TheoremPage], step: Callable[[int], str], first: int = 0):
        super().__init__()
        self._make, self._go, self._index = page, step, first

    def compose(self) -> ComposeResult:
        yield TheoremView(self._make(self._index), self._go(0))
        yield Keys(_KEYS, id="keys")

    def _show(self, step: str) -> None:
        self.query_one(TheoremView).show(self._make(self._index), step)

    def show_again(self) -> None:
        """Show the page anew: numbers have come meanwhile."""
        self._show(self._go(0))

    def action_close(self) -> None:
        if self.app.screen is self:
            self.dismiss()

    def action_other(self, by: int) -> None:
        self._index = (self._index + by) % self._make(self._index).count
        self._show(self._go(0))

    def on_theorem_view_chosen(self, message: TheoremView.Chosen) -> None:
        self._index = message.theorem
        self._show(self._go(0))

    def action_step(self, by: int) -> None:
        self._show(self._go(by))

    def action_scroll_page(self, rows: int) -> None:
        self.query_one(TheoremView).scroll_by(rows)
