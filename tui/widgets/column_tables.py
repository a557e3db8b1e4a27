"""The tables in the column beside the stage: scrolled by wheel and keys, and following the rows of the step."""

from msgspec import Struct
from textual import events

from algorithms.core import Table
from tui.paint.canvas import Canvas
from tui.paint.palette import Palette
from tui.sections.panels.tables import Extract, Offset, extract, paint_table, panned, scrolled
from tui.widgets.raster import RasterView

_WHEEL = 2  # rows that a notch of the wheel moves a table


class _Shown(Struct, frozen=True):
    """A table on the screen: its rows there, and what of it they show."""

    title: str
    table: Table
    rows: range
    seen: Extract


class ScrolledTables:
    """Keeps how far each table is scrolled, by its title, and which are on the screen."""

    def __init__(self) -> None:
        self._offsets: dict[str, Offset] = {}
        self._shown: list[_Shown] = []

    def begin(self) -> None:
        """Forget which tables are on the screen: it is painted anew."""
        self._shown = []

    def follow(self) -> None:
        """Have all tables show the rows of the step again."""
        self._offsets = {title: Offset(o.row, o.column) for title, o in self._offsets.items()}

    def paint(
        self, canvas: Canvas, title: str, table: Table, before: Table | None, top: int, palette: Palette, room: int
    ) -> str:
        """Paint a table at a row of the widget; gives what is out of sight in words that have room elsewhere, or ""
        where there is nothing to say or its own last line says it."""
        offset = self._offsets.get(title, Offset())
        seen = extract(table, canvas.columns, canvas.rows, offset)
        words = seen.words(room)
        if not (words or seen.whole) and canvas.rows > 2:
            canvas, whole = canvas.part(0, 0, canvas.columns, canvas.rows - 1), canvas
            seen = extract(table, canvas.columns, canvas.rows, offset)
            whole.text(1, whole.rows - 1, seen.words(whole.columns - 1, brief=True), palette.dim)
        self._offsets[title] = seen.offset
        self._shown.append(_Shown(title, table, range(top, top + canvas.rows), seen))
        paint_table(canvas, table, palette, seen, before)
        return words

    def names(self, title: str) -> list[str]:
        """List the name of each line of a table that is on the screen."""
        return [str(shown.table.rows[i][0]) for shown in self._shown if shown.title == title for i in shown.seen.lines]

    def scroll(self, by: int, row: int | None = None, pages: bool = False) -> str:
        """Scroll the table at a row of the widget, or the first one; says why if nothing moved."""
        shown = self._at(row)
        if shown is None:
            return "no table is shown; t shows the next one"
        moved = scrolled(shown.table, shown.seen, by * max(shown.seen.rows - 1, 1) if pages else by)
        if moved.row == shown.seen.offset.row:
            below = "the end" if by > 0 else "the beginning"
            return (
                f"that is {below} of the table" if shown.seen.below or moved.row else "all rows of the table are there"
            )
        self._offsets[shown.title] = moved
        return ""

    def pan(self, by: int, row: int | None = None) -> str:
        """Show columns further to the right or left; says why if nothing moved."""
        shown = self._at(row)
        if shown is None:
            return "no table is shown; t shows the next one"
        moved = panned(shown.seen, by)
        if moved.column == shown.seen.offset.column:
            side = "last" if by > 0 else "first"
            some = shown.seen.right or moved.column
            return f"that is the {side} column of the table" if some else "all columns of the table are there"
        self._offsets[shown.title] = moved
        return ""

    def _at(self, row: int | None) -> _Shown | None:
        return next((shown for shown in self._shown if row is None or row in shown.rows), None)


class ColumnTables(RasterView):
    """What the column does with its tables: wheel, and keys of the screen."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.tables = ScrolledTables()

    def scroll_table(self, by: int) -> str:
        """Scroll the first table by a page; says why if nothing moved."""
        return self._moved(self.tables.scroll(by, pages=True))

    def pan_table(self, by: int) -> str:
        """Show columns of the first table further to the right or left; says why if nothing moved."""
        return self._moved(self.tables.pan(by))

    def _moved(self, why: str) -> str:
        if not why:
            self.redraw()
        return why

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def _on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self._moved(self.tables.pan(1, event.y))

    def _on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self._moved(self.tables.pan(-1, event.y))

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        if event.shift:
            self._moved(self.tables.pan(by, event.y))
        else:
            self._moved(self.tables.scroll(by * _WHEEL, event.y))
