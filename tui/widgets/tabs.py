"""Tabs: one line of things of which one is shown, each with its key."""

from textual import events
from textual.message import Message

from tui.paint.canvas import Canvas
from tui.widgets.raster import RasterView


class Tabs(RasterView):
    """Numbered from 1; click one to have it."""

    DEFAULT_CSS = "Tabs { height: 1; }"

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, tab: int):
            super().__init__()
            self.tab = tab

    def __init__(self, names: tuple[str, ...], *, id: str | None = None):
        super().__init__(id=id)
        self._names, self._chosen = names, 0
        self._ends: list[int] = []

    def choose(self, tab: int) -> None:
        if tab != self._chosen:
            self._chosen = tab
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        self._ends, column = [], 0
        for i, name in enumerate(self._names):
            chosen = i == self._chosen
            ground = palette.selected if chosen else None
            key = f" {i + 1} " if palette.keys else " "
            column = canvas.text(column, 0, key, palette.accent, ground)
            ink = palette.ink if chosen else palette.dim
            column = canvas.text(column, 0, f"{name} ", ink, ground, bold=chosen) + 1
            self._ends.append(column)

    def on_click(self, event: events.Click) -> None:
        tab = next((i for i, end in enumerate(self._ends) if event.x < end), None)
        if tab is not None:
            self.post_message(self.Chosen(tab))
