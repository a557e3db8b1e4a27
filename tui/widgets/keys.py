"""The bottom line: the keys that matter here; each can be clicked."""

from textual import events

from tui.look import printed
from tui.paint.canvas import Canvas, width_of
from tui.widgets.raster import RasterView


class Keys(RasterView):
    """(key as shown, what it does, action) triples, the most wanted first; those without room are left out."""

    DEFAULT_CSS = "Keys { height: 1; }"

    def __init__(self, keys: tuple[tuple[str, str, str], ...], *, id: str | None = None):
        super().__init__(id=id)
        self._keys = keys
        self._places: list[tuple[int, int, str]] = []

    def show(self, keys: tuple[tuple[str, str, str], ...]) -> None:
        if keys != self._keys:
            self._keys = keys
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        own = getattr(self.screen, "own_keys", {})
        canvas.fill(palette.background)
        self._places = []
        gap = 2 if canvas.columns < 100 else 3
        last = self._keys[-1]
        reserved = width_of(last[0]) + width_of(last[1]) + 1 + gap  # the last one, help, is always there
        column = 1
        for usual, does, action in self._keys:
            is_last = (usual, does, action) == last
            key = printed(own[action].split(",")[0]) if action in own else usual
            width = width_of(key) + width_of(does) + 1
            if column + width + (0 if is_last else reserved) > canvas.columns:
                continue
            end = canvas.text(column, 0, key, palette.accent)
            end = canvas.text(end + 1, 0, does, palette.dim)
            self._places.append((column, end, action))
            column = end + gap

    async def on_click(self, event: events.Click) -> None:
        for first, end, action in self._places:
            if first <= event.x < end:
                await self.screen.run_action(action)
