"""One of several runs: its stage under a line that says which it is and how far it has come."""

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from algorithms.core import Dataset
from algorithms.playback.compared_run import LETTERS
from algorithms.playback.limits import Limits
from algorithms.playback.viewer import Picture
from tui.paint.canvas import Canvas, fitted, width_of
from tui.widgets.raster import RasterView
from tui.widgets.stage import Stage


class Heading(Struct, frozen=True):
    """What stands over a stage.

    Attributes:
        run: which run.
        name: what tells it from the others.
        state: where it is, the longest words first; the first that fit are shown.
        current: whether keys that are for one run are for this one.
        ended: whether it has ended and holds its last state.
    """

    run: int
    name: str
    state: tuple[str, ...]
    current: bool
    ended: bool


class PaneHeading(RasterView):
    """The line over the stage."""

    DEFAULT_CSS = "PaneHeading { height: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._heading: Heading | None = None

    def show(self, heading: Heading) -> None:
        if heading != self._heading:
            self._heading = heading
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, heading = self.palette, self._heading
        if heading is None:
            canvas.fill(palette.background)
            return
        canvas.fill(palette.selected if heading.current else palette.background)
        column = canvas.text(0, 0, "▸" if heading.current else " ", palette.accent, bold=True)
        letter = f" {LETTERS[heading.run]} "
        column = canvas.text(column, 0, letter, palette.background, palette.run(heading.run), bold=True) + 1
        room = canvas.columns - column - min(width_of(heading.name), 20) - 3
        state = next((words for words in heading.state if width_of(words) <= room), heading.state[-1])
        left = canvas.columns - width_of(state) - 1
        canvas.text(column, 0, fitted(heading.name, left - column - 2), palette.ink, bold=heading.current)
        canvas.text(left, 0, state, palette.accent if heading.ended else palette.dim)


class Pane(Vertical):
    """A run's heading and its stage; says which run the mouse is about."""

    class Zoomed(Message):
        """Another part of a run's panel is wanted."""

        def __init__(self, run: int, limits: Limits):
            super().__init__()
            self.run, self.limits = run, limits

    class Taken(Message):
        """A run was clicked."""

        def __init__(self, run: int):
            super().__init__()
            self.run = run

    def __init__(self, run: int, data: Dataset):
        super().__init__(id=f"pane-{run}")
        self.run = run
        self._heading, self.stage = PaneHeading(), Stage(data)

    def compose(self) -> ComposeResult:
        yield self._heading
        yield self.stage

    def show_heading(self, heading: Heading) -> None:
        self._heading.show(heading)

    def show(self, picture: Picture, notes: tuple[str, ...], data: Dataset) -> None:
        """Show a picture of a step that was made with this data."""
        self.stage.show(picture, notes, data)

    def on_stage_zoomed(self, message: Stage.Zoomed) -> None:
        message.stop()
        self.post_message(self.Zoomed(self.run, message.limits))

    def on_click(self, _event: events.Click) -> None:
        self.post_message(self.Taken(self.run))
