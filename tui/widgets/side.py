"""The column beside the stage: curves, theorems, tables and the scene's other panels."""

from collections.abc import Callable
from typing import Any

from textual import events
from textual.message import Message

from algorithms.core import Dataset, Table
from algorithms.playback.changes import CHANGED
from algorithms.playback.viewer import Picture
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.sections.plots import paint_legend, paint_plot
from tui.sections.side import STACKED, Slot, slots
from tui.sections.tables import paint_table
from tui.sections.theorems import paint_theorems, summary, wanted_rows
from tui.sections.trees import paint_tree, tree_of
from tui.widgets.side_charts import SideCharts

_MOST = 100  # sections, charts and panels that there can be
_CUT = 5  # columns of a tab's name that is cut, at least


class Side(SideCharts):
    """Shows a picture's curves, theorems and panels; as tabs where there is no room for all of them."""

    class Sought(Message):
        """A step was clicked on a chart."""

        def __init__(self, t: int):
            super().__init__()
            self.t = t

    class Asked(Message):
        """A field was clicked in the table of what changed."""

        def __init__(self, field: str):
            super().__init__()
            self.field = field

    class Opened(Message):
        """A theorem was clicked."""

        def __init__(self, theorem: int):
            super().__init__()
            self.theorem = theorem

    def __init__(self, data: Dataset, *, id: str | None = None):
        super().__init__(id=id)
        self._data = data
        self._only, self._panel = 0, 0
        self._theorem, self._below = 0, 0  # the first theorem shown, and how many there are below the last
        self._statements: tuple[int, list[int]] = (0, [])  # first row, and the theorem of each row from there
        self._hidden = False  # whether there are panels besides those shown
        self._tabs: list[tuple[int, int, int]] = []  # (first column, end, section) of the tabs
        self._folded: dict[str, frozenset[int]] = {}  # nodes of trees that were opened or closed by hand
        self._outlines: list[tuple[int, str, list[int | None]]] = []  # first row, title and the node of each row
        self._fields: tuple[int, list[str]] = (0, [])  # first row and the field of each row of what changed

    def show(self, picture: Picture, last: int, data: Dataset, phase: Callable[[int], str] | None = None) -> None:
        self._picture, self._last, self._data, self._phase = picture, last, data, phase
        self.redraw()

    def start_over(self) -> None:
        """Begin anew for another algorithm: all sections from their first."""
        self.charts_start_over()
        self._only, self._panel, self._picture = 0, 0, None

    def kept(self) -> dict[str, Any]:
        """Describe what is chosen, in plain values."""
        folded = {title: sorted(nodes) for title, nodes in self._folded.items() if nodes}
        chosen = {"section": self._only, "chart": self._chart, "panel": self._panel, "theorem": self._theorem}
        return chosen | ({"folded": folded} if folded else {}) | self.kept_charts()

    def restore(self, kept: dict[str, Any]) -> None:
        """Choose what was kept, as far as it can be meant."""
        numbers = [kept.get(name) for name in ("section", "chart", "panel", "theorem")]
        if all(type(number) is int and 0 <= number < _MOST for number in numbers):
            self._only, self._chart, self._panel, self._theorem = numbers  # type: ignore[assignment]
        self.restore_charts(kept)
        folded = kept.get("folded")
        if isinstance(folded, dict):
            self._folded = {
                title: frozenset(node for node in nodes if type(node) is int)
                for title, nodes in folded.items()
                if isinstance(nodes, list)
            }

    # What is chosen

    def choose(self, section: int) -> None:
        """Show one section alone (1 curves, 2 theorems, 3 and on the panels); 0, or the same again, for all."""
        count = 2 + len(self._picture.beside) if self._picture else 2
        if section > count:
            return
        again = section == (self._only or (1 if self._tabbed else 0))
        if section == 2 and again and self._below:
            self._theorem = len(self._picture.verdicts) - self._below if self._picture else 0
            self.redraw()
            return
        self._theorem = 0
        self._only = 0 if again and self.size.height >= STACKED else section
        if section > 2:
            self._panel = section - 3
        self.redraw()

    def next_panel(self) -> None:
        """Show the next table or other panel."""
        count = len(self._picture.beside) if self._picture else 0
        if not count:
            return
        if self._tabbed:
            self._only = 3 if self._only < 3 else 3 + (self._only - 2) % count
            self._panel = self._only - 3
        else:
            self._panel = (self._panel + 1) % count
        self.redraw()

    def next_chart(self) -> None:
        """Show the next chart."""
        count = len(self._picture.charts) if self._picture else 0
        if count:
            if self._tabbed and self._only not in (0, 1):
                self._only = 1
            else:
                self._chart = (self._chart + 1) % count
            self.redraw()

    @property
    def _tabbed(self) -> bool:
        return self.size.height < STACKED or self._only > 0

    def sections_top(self) -> int:
        return 1 if self._tabbed and not self.lecture else 0

    # Painting

    def paint(self, canvas: Canvas) -> None:
        picture = self._picture
        canvas.fill(self.palette.background)
        self._tabs, self._drawn, self._outlines, self._fields = [], [], [], (0, [])
        self._statements = (0, [])
        if picture is None:
            return
        if self.lecture:
            self._paint_for_a_hall(canvas, picture)
            return
        body = canvas
        if self._tabbed:
            self._paint_tabs(canvas, picture)
            body = canvas.part(0, 1, canvas.columns, canvas.rows - 1)
        names = list(picture.charts)
        rows = wanted_rows(picture.verdicts, canvas.columns - 2)
        only = (self._only or 1) if self._tabbed else 0
        wanted = self.rows_wanted()
        shown = slots(body.rows, only, self._chart, len(names), self._panel, picture.beside, rows, wanted)
        self._hidden = sum(s.kind == "panel" for s in shown) < len(picture.beside)
        for slot in shown:
            piece = body.part(0, slot.top, body.columns, slot.rows)
            if slot.kind == "curves":
                self.paint_chart(piece, picture, names[slot.index], slot, len(names))
            elif slot.kind == "theorems":
                inside = framed(piece, "theorems", summary(picture.verdicts), self.palette)
                painted = paint_theorems(inside, picture.verdicts, picture.failed, self.palette, self._theorem)
                self._below, numbers = painted
                self._statements = (slot.top + 1, numbers)
            else:
                self._paint_panel(piece, picture, slot)

    def _paint_for_a_hall(self, canvas: Canvas, picture: Picture) -> None:
        """Paint the chart in hand and nothing else; of a run without curves its table or panel."""
        names = list(picture.charts)
        if names:
            slot = Slot("curves", self._chart % len(names), 0, canvas.rows)
            self.paint_chart(canvas, picture, names[slot.index], slot, 1)
        elif picture.beside:
            self._paint_panel(canvas, picture, Slot("panel", self._panel % len(picture.beside), 0, canvas.rows))

    def _paint_tabs(self, canvas: Canvas, picture: Picture) -> None:
        names = ["curves", "theorems", *(title for title, _ in picture.beside)]
        shown = self._only or 1
        column = 0
        room = canvas.columns - 1 - 2 * len(names) - len(names) // 10  # the last column stays free
        names = named_as_fits(names, shown - 1, room)
        for i, name in enumerate(names, start=1):
            chosen = i == shown
            ground = self.palette.panel if chosen else None
            end = canvas.text(column, 0, f" {i}", self.palette.accent, ground)
            if name:
                ink = self.palette.ink if chosen else self.palette.dim
                end = canvas.text(end, 0, f" {name} ", ink, ground, bold=chosen)
            self._tabs.append((column, end, i))
            column = end
        again = f"{shown}: all "
        if self.size.height >= STACKED and column + len(again) + 2 <= canvas.columns:
            canvas.text(canvas.columns - len(again), 0, again, self.palette.dim)

    def _paint_panel(self, canvas: Canvas, picture: Picture, slot: Slot) -> None:
        title, shown = picture.beside[slot.index]
        note = f"t: {slot.index + 1} of {len(picture.beside)}" if self._hidden else ""
        if isinstance(shown, Table):
            paint_table(framed(canvas, title, note, self.palette), shown, self.palette)
            if title == CHANGED and len(shown.columns) > 1:
                self._fields = (slot.top + 2, [str(row[0]) for row in shown.rows[: slot.rows - 3]])
            return
        inside = framed(canvas, title, note or shown.note, self.palette)
        tree = tree_of(shown)
        if tree is not None:
            rows = paint_tree(inside, tree, self._folded.get(title, frozenset()), self.palette)
            self._outlines.append((slot.top + 1, title, rows))
            return
        paint_plot(inside, shown, picture.limits[title], self.palette)
        paint_legend(canvas, shown, self.palette, self._data)

    def on_click(self, event: events.Click) -> None:
        if self._dragged:
            return
        if self._tabbed and event.y == 0:
            for first, end, section in self._tabs:
                if first <= event.x < end:
                    self.choose(section)
            return
        row = event.y - (1 if self._tabbed else 0)
        first, fields = self._fields
        if 0 <= row - first < len(fields):
            self.post_message(self.Asked(fields[row - first]))
            return
        first, numbers = self._statements
        if 0 <= row - first < len(numbers):
            self.post_message(self.Opened(numbers[row - first]))
            return
        for first_row, title, nodes in self._outlines:
            if 0 <= row - first_row < len(nodes):
                node = nodes[row - first_row]
                if node is not None:
                    self._folded[title] = self._folded.get(title, frozenset()) ^ {node}
                    self.redraw()
                return
        for drawn in self._drawn:
            if drawn.slot.top <= row < drawn.slot.top + drawn.slot.rows:
                self.post_message(self.Sought(drawn.step(event.x)))


def named_as_fits(names: list[str], chosen: int, room: int) -> list[str]:
    """Fit the names of tabs into the room, with a space at either side: the chosen one's first of all, cut if it must
    be; "" for those of the others that do not fit whole."""
    titles = [""] * len(names)
    for i in (chosen, *(i for i in range(len(names)) if i != chosen)):
        if i < len(names) and (width_of(names[i]) + 2 <= room or (i == chosen and room >= _CUT + 2)):
            titles[i] = fitted(names[i], room - 2)
            room -= width_of(titles[i]) + 2
    return titles
