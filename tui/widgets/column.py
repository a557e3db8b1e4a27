"""The column beside the stage: curves, theorems, tables and the scene's other panels."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace
from textual import events
from textual.message import Message

from algorithms.core import Dataset, Table
from algorithms.core.resolve import ResolvedPanel
from algorithms.playback.pictures.changed_table import CHANGED
from algorithms.playback.pictures.viewer import Picture
from tui.paint.canvas import Canvas
from tui.sections.column.frame import headed, inside, outlined, paint_hint, room_for_note, width_of_hint
from tui.sections.column.layout import STACKED, Slot, is_empty, slots
from tui.sections.column.order import PanelOrder
from tui.sections.column.tabs import Tab, paint_tabs, placed_tabs
from tui.sections.panels.plots import entries_of, paint_legend, paint_plot, words_of
from tui.sections.panels.tables import table_height
from tui.sections.panels.trees import paint_tree, tree_of
from tui.sections.theorems.rows import paint_theorems, summary, wanted_rows
from tui.widgets.column_charts import ColumnCharts
from tui.widgets.column_tables import ColumnTables, ScrolledTables
from tui.widgets.seeking import StepSought

_NONE = {1: "no curve is drawn for this one", 2: "no theorem is stated for this one"}
_MOST = 100  # sections, charts and panels that there can be


class Column(ColumnTables, ColumnCharts):
    """Shows a picture's curves, theorems and panels; as tabs where there is no room for all of them."""

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

    class Chosen(Message):
        """Another section was put in front, or all of them."""

    def __init__(self, data: Dataset, *, id: str | None = None):
        super().__init__(id=id)
        self._data = data
        self._only, self._panel = 0, 0
        self._theorem, self._below = 0, 0  # the first theorem shown, and how many there are below the last
        self._statements: tuple[int, list[int]] = (0, [])  # first row, and the theorem of each row from there
        self._with_legend: set[str] = set()  # titles of panels that have one, which has a row as long as they are seen
        self._hidden = False  # whether there are panels besides those shown
        self._tabs: tuple[Tab, ...] = ()
        self._about = 0  # the number of a tab that is to be in sight, where not all are; 0 for the chosen one
        self.one_chart = False  # whether of the charts that there is room for one has it all
        self._order = PanelOrder()
        self._most_rows: dict[tuple[str, int], int] = {}  # that a section had, by its name and the columns there were
        self._folded: dict[str, frozenset[int]] = {}  # nodes of trees that were opened or closed by hand
        self._outlines: list[tuple[int, str, list[int | None]]] = []  # first row, title and the node of each row
        self._fields: tuple[int, list[str]] = (0, [])  # first row and the field of each row of what changed

    def show(
        self,
        picture: Picture,
        last: int,
        data: Dataset,
        phase: Callable[[int], str] | None = None,
        seen: int | None = None,
    ) -> None:
        beside = self._order.filled(picture.stage.title, picture.beside)
        self._picture = picture if beside is picture.beside else replace(picture, beside=beside)
        self._last, self._data, self._phase, self._seen = last, data, phase, seen
        self.redraw()

    def start_over(self) -> None:
        """Begin anew for another algorithm: all sections from their first."""
        self.charts_start_over()
        self.tables = ScrolledTables()
        self._with_legend = set()
        self._only, self._panel, self._about, self._picture = 0, 0, 0, None
        self._order, self._most_rows = PanelOrder(), {}

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

    def choose(self, section: int) -> str:
        """Show one section alone (1 curves, 2 theorems, 3 and on the panels); 0, or the same again, for all.

        Says why not if there is no such section.
        """
        names = dict(self._named(self._picture)) if self._picture else {}
        if section not in names:
            return _NONE.get(section, f"there {_are(len(names))} here: {', '.join(names.values())}")
        again = section == (self._alone if self._tabbed else 0)
        if section == 2 and again and self._below:
            self._theorem = len(self._picture.verdicts) - self._below if self._picture else 0
            self.redraw()
            return ""
        self._theorem = self._about = 0
        self._only = 0 if again and self.size.height >= STACKED else section
        if section > 2:
            self._panel = section - 3
        self.tables.follow()
        self.redraw()
        self.post_message(self.Chosen())
        return ""

    def begin_with(self, section: int) -> None:
        """Have a section in front from the start, 0 for the usual."""
        self._only = section

    @property
    def section(self) -> int:
        """Tell which section was put in front, 0 for none."""
        return self._only

    def bring_forward(self, theorems: Sequence[str], curves: Sequence[str], parts: Sequence[str]) -> None:
        """Put what is named in front: the first theorem, chart and panel in which one of these parts of names is; where
        there is room for one thing, the first of them."""
        picture = self._picture
        if picture is None:
            return
        stated = [verdict.theorem.statement for verdict in picture.verdicts]
        charts = [[curve.curve.name for curve in curves] for curves in picture.charts.values()]
        panels = [[title, *_texts_of(shown)] for title, shown in picture.beside]
        theorem = next((i for part in theorems for i, text in enumerate(stated) if part in text), None)
        chart = next((i for name in curves for i, names in enumerate(charts) if name in names), None)
        panel = next((i for part in parts for i, texts in enumerate(panels) if any(part in t for t in texts)), None)
        self._theorem = self._theorem if theorem is None else theorem
        self._chart = self._chart if chart is None else chart
        self._panel = self._panel if panel is None else panel
        sections = [2 if theorem is not None else 0, 1 if chart is not None else 0, 0 if panel is None else 3 + panel]
        if self._tabbed:
            self._only = next(filter(None, sections), self._only)
        self.tables.follow()
        self.redraw()

    @property
    def curve_in_front(self) -> str:
        """Name a curve of the chart that is chosen, "" where there is no chart."""
        charts = list(self._picture.charts.values()) if self._picture else []
        return charts[self._chart % len(charts)][0].curve.name if charts else ""

    def next_panel(self) -> str:
        """Show the next table or other panel; says why not if there is no other."""
        count = len(self._picture.beside) if self._picture else 0
        if not count:
            return "there is no table or panel beside the stage"
        if count == 1 and (not self._tabbed or self._alone == 3):
            return "there is one table or panel" + ("; 3 shows it alone" if self._hidden else "")
        following = 0 if self._tabbed and self._only < 3 else (self._panel + 1) % count
        panels = [(following + i) % count for i in range(count)]
        full = (i for i in panels if self._picture and not is_empty(self._picture.beside[i][1]))
        self._panel, self._about = next(full, following), 0
        if self._tabbed:
            self._only = 3 + self._panel
        self.tables.follow()
        self.redraw()
        return ""

    def next_chart(self) -> str:
        """Show the next chart; says why not if there is no other."""
        count = len(self._picture.charts) if self._picture else 0
        seen = self.lecture or not self._tabbed or self._alone == 1
        if count < 2 and (seen or not count):
            return "there is one chart" if count else "there is no chart"
        if seen:
            self._chart = (self._chart + 1) % count
        else:
            self._only = 1
        self.redraw()
        return ""

    @property
    def tabs(self) -> tuple[Tab, ...]:
        return self._tabs

    @property
    def _tabbed(self) -> bool:
        return self.size.height < STACKED or self._only > 0

    @property
    def _alone(self) -> int:
        """Get the section that is shown where there is room for one: that chosen, or the first that there is."""
        names = [number for number, _ in self._named(self._picture)] if self._picture else []
        return self._only if self._only in names else next(iter(names), 0)

    @staticmethod
    def _named(picture: Picture) -> list[tuple[int, str]]:
        """List the sections that there are, by number."""
        names = [(1, "curves")] * bool(picture.charts) + [(2, "theorems")] * bool(picture.verdicts)
        return names + [(i, title) for i, (title, _) in enumerate(picture.beside, start=3)]

    # Painting

    def paint(self, canvas: Canvas) -> None:
        picture = self._picture
        self._tabs, self._drawn, self._outlines, self._fields = (), [], [], (0, [])
        self._statements = (0, [])
        self._in_sight = set()
        self.tables.begin()
        if picture is None:
            canvas.fill(self.palette.background)
            return
        if self.lecture:
            outlined(canvas, [], self.palette)
            self._paint_for_a_hall(canvas, picture)
            return
        names, alone = self._named(picture), self._alone if self._tabbed else 0
        shown = self._slots(canvas, picture, alone, tuple(names))
        self._hidden = sum(s.kind == "panel" for s in shown) < len(picture.beside)
        outlined(canvas, [slot.top for slot in shown if slot.top > 1], self.palette)
        paint_tabs(canvas, self._tabs, frozenset(slot.section for slot in shown), alone, self.palette)
        for slot in shown:
            self._paint_section(canvas.part(0, slot.top, canvas.columns, slot.rows), picture, slot)

    def _slots(self, canvas: Canvas, picture: Picture, alone: int, names: tuple[tuple[int, str], ...]) -> list[Slot]:
        """Share the rows out. A table whose name is whole in its tab needs no title."""
        about = self._about or alone or (3 + self._panel % len(picture.beside) if picture.beside else 0)
        self._tabs = placed_tabs(names, alone, canvas.columns, about=about)
        panel = picture.beside[alone - 3][1] if alone >= 3 else None
        whole = any(tab.number == alone and (alone, tab.name) in names for tab in self._tabs)
        few, stated, whole_rows = (0, 0, 0) if alone else wanted_rows(picture.verdicts, canvas.columns - 2)
        tables = [(title, table_height(shown)) for title, shown in picture.beside if isinstance(shown, Table)]
        return slots(
            canvas.rows,
            alone,
            self._chart,
            len(picture.charts),
            self._panel,
            picture.beside,
            (
                self._most("fewest", canvas.columns, few),
                self._most("statements", canvas.columns, stated),
                self._most("theorems", canvas.columns, whole_rows),
            ),
            (canvas.rows, canvas.rows) if self.one_chart else self.rows_wanted(),
            untitled=whole and isinstance(panel, Table),
            tables={title: self._most(f"table {title}", 0, rows) for title, rows in tables},
        )

    def _most(self, section: str, columns: int, rows: int) -> int:
        """Remember the most rows that a section wanted so far: it keeps them, so that what is below does not jump."""
        most = self._most_rows[section, columns] = max(rows, self._most_rows.get((section, columns), 0))
        return most

    def _paint_section(self, canvas: Canvas, picture: Picture, slot: Slot) -> None:
        if slot.kind == "curves":
            names = list(picture.charts)
            self.paint_chart(canvas, picture, names[slot.index], slot, len(names))
        elif slot.kind == "theorems":
            part = headed(
                canvas, "theorems", summary(picture.verdicts, room_for_note(canvas, "theorems")), self.palette
            )
            painted = paint_theorems(part, picture.verdicts, picture.failed, self.palette, self._theorem)
            self._below, numbers = painted
            self._statements = (slot.top + 1, numbers)
        else:
            self._paint_panel(canvas, picture, slot)

    def _paint_for_a_hall(self, canvas: Canvas, picture: Picture) -> None:
        """Paint the chart in hand and nothing else; of a run without curves its table or panel."""
        names = list(picture.charts)
        if names:
            slot = Slot("curves", self._chart % len(names), 0, canvas.rows)
            self.paint_chart(canvas, picture, names[slot.index], slot, 1)
        elif picture.beside:
            self._paint_panel(canvas, picture, Slot("panel", self._panel % len(picture.beside), 0, canvas.rows))

    def _paint_panel(self, canvas: Canvas, picture: Picture, slot: Slot) -> None:
        title, shown = picture.beside[slot.index]
        note = f"t: {slot.index + 1} of {len(picture.beside)}" if self._hidden else ""
        if isinstance(shown, Table):
            self._paint_table(canvas, picture, slot, note)
            return
        heading, said = words_of(shown, self.palette)
        part = headed(canvas, heading, note or said, self.palette)
        if is_empty(shown):
            part.text(1, 0, "nothing to see at this step", self.palette.dim)
            return
        tree = tree_of(shown)
        if tree is not None:
            rows = paint_tree(part, tree, self._folded.get(title, frozenset()), self.palette)
            self._outlines.append((slot.top + 1, title, rows))
            return
        self._paint_drawing(canvas, part, picture, title, shown)

    def _paint_drawing(self, canvas: Canvas, part: Canvas, picture: Picture, title: str, shown: ResolvedPanel) -> None:
        """Paint a panel under its heading, with its legend; a second time where names have no room without one."""
        tabs_below = any(tab.lower for tab in self._tabs)  # then the frame's lower line is theirs
        if entries_of(shown, self._data, still=True):
            self._with_legend.add(title)
        above = int(tabs_below and title in self._with_legend)
        plot = paint_plot(
            part.part(0, 0, part.columns, part.rows - above), shown, picture.limits[title], self.palette, widened=True
        )
        if tabs_below and plot.unnamed and not above:  # names had no room: from now on there is a legend
            self._with_legend.add(title)
            part.fill(self.palette.panel)
            self._paint_drawing(canvas, part, picture, title, shown)
            return
        lower = canvas.part(0, 0, canvas.columns, canvas.rows - above)
        paint_legend(lower, shown, self.palette, self._data, plot, signs=bool(above) or not tabs_below)

    def _paint_table(self, canvas: Canvas, picture: Picture, slot: Slot, note: str) -> None:
        """Paint a table; what of it is out of sight is said beside its title, or in the frame's lower line."""
        title, table = picture.beside[slot.index]
        assert isinstance(table, Table)
        titled = slot.top > 0 or self.lecture
        lower = max((tab.end for tab in self._tabs if tab.lower), default=2)
        room = room_for_note(canvas, title) if titled else canvas.columns - lower - 4
        before = picture.tables_before.get(title)
        words = self.tables.paint(inside(canvas), title, table, before, slot.top + 1, self.palette, room)
        if titled:
            headed(canvas, title, words or note, self.palette)
        elif words:
            column = canvas.columns - width_of_hint(words, self.palette) - 4
            paint_hint(canvas, column, canvas.rows - 1, f" {words} ", self.palette)
        if not table.rows:
            inside(canvas).text(1, 1, "no row at this step", self.palette.dim)
        if title == CHANGED and len(table.columns) > 1:
            self._fields = (slot.top + 2, self.tables.names(title))

    def on_click(self, event: events.Click) -> None:
        if self._dragged:
            return
        row = event.y
        for tab in self._tabs:
            if tab.left <= event.x < tab.end and row == (self.size.height - 1 if tab.lower else 0):
                self._take_tab(tab)
                return
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
                self.post_message(StepSought(drawn.step(event.x)))

    def _take_tab(self, tab: Tab) -> None:
        """Show the section of a tab, or the tabs that are further on, or back."""
        if not tab.further:
            self.choose(tab.number)
            return
        self._about = tab.number
        self.redraw()


def _are(sections: int) -> str:
    return "is 1 section" if sections == 1 else f"are {sections} sections"


def _texts_of(shown: object) -> list[str]:
    """List the heads and the first cells of a table, by which it may be named."""
    if not isinstance(shown, Table):
        return []
    return [*shown.columns, *(str(row[0]) for row in shown.rows if row)]
