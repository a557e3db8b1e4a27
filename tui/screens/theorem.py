"""An opened theorem: its numbers, its letters, what it rests on and its proof, while the run is stepped through."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from algorithms.data.text import clean, counted
from algorithms.playback.theorem_page import HypothesisNow, TheoremPage
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, width_of
from tui.paint.palette import Palette
from tui.paint.text import wrapped
from tui.paint.ticks import number
from tui.widgets.keys import Keys
from tui.widgets.raster import RasterView

_RELATION = {"<=": "≤", "<": "<", "==": "="}
_KEYS = (("esc", "back", "close"), ("↑ ↓", "other theorems", "other(1)"), ("← →", "step", "step(1)"))
_MOST_ROWS = 200  # of a page, scrolled through where it is longer than the screen
_WIDE = 100  # columns from which on letters and hypotheses stand beside each other
_MET = {True: "✓", False: "–", None: "?"}


class TheoremView(RasterView):
    """Paints a page."""

    def __init__(self, page: TheoremPage, step: str):
        super().__init__(id="theorem")
        self._page, self._step, self._top = page, step, 0

    def show(self, page: TheoremPage, step: str) -> None:
        self._page, self._step = page, step
        self.redraw()

    def scroll_by(self, rows: int) -> None:
        """Show the page from so many rows further down, or up."""
        self._top = max(self._top + rows, 0)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        columns, rows = canvas.columns - 6, canvas.rows - 3
        whole = Canvas(columns, _MOST_ROWS, palette.panel, palette.ink)
        used = _paint_page(whole, self._page, palette)
        self._top = min(self._top, max(used - rows, 0))
        below = used - rows - self._top
        more = (
            f"pgdn: {counted(below, 'line')} below   " if below > 0 else "pgup: the lines above   " if self._top else ""
        )
        title = f"theorem {self._page.number} of {self._page.count}"
        inside = framed(canvas, title, f"{more}{self._step}", palette, marked=True)
        inside.part(2, 1, columns, rows).paste(whole.part(0, self._top, columns, rows))


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
    """The sides by name with their values under them and what is left between; or why there are none."""
    verdict, sides = page.verdict, page.verdict.sides
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


def _heading(canvas: Canvas, row: int, words: str, palette: Palette) -> None:
    canvas.text(0, row, words, palette.dim)
    canvas.text(width_of(words) + 1, row, "─" * max(canvas.columns - width_of(words) - 1, 0), palette.line)


def _symbols(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """What the letters mean, with their values now; returns the rows used."""
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
    """What it rests on, each with its tick; returns the rows used."""
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
    """The proof, a numbered link after the other, and the source."""
    rows: list[tuple[str, str]] = []
    for i, link in enumerate(page.theorem.proof, start=1):
        lines = wrapped(clean(link), columns - 3)
        rows += [(str(i) if j == 0 else "", line) for j, line in enumerate(lines)]
    return [("─", "the proof"), *rows, ("", ""), ("", f"source: {clean(page.theorem.source)}")]


def _proof(canvas: Canvas, rows: list[tuple[str, str]], palette: Palette) -> None:
    for i, (mark, line) in enumerate(rows):
        if mark == "─":
            _heading(canvas, i, line, palette)
            continue
        canvas.text(0, i, mark, palette.accent)
        canvas.text(2, i, line, palette.dim if line.startswith("source: ") else palette.ink)


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

    def action_close(self) -> None:
        if self.app.screen is self:
            self.dismiss()

    def action_other(self, by: int) -> None:
        self._index = (self._index + by) % self._make(self._index).count
        self._show(self._go(0))

    def action_step(self, by: int) -> None:
        self._show(self._go(by))

    def action_scroll_page(self, rows: int) -> None:
        self.query_one(TheoremView).scroll_by(rows)
