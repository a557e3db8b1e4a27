"""One of several runs: its stage under a line that says which it is and how far it has come."""

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from algorithms.core import Dataset
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.pictures.viewer import Picture
from tui.paint.canvas import Canvas, fitted, width_of
from tui.sections.comparison.numbers import BEST
from tui.widgets.raster import RasterView
from tui.widgets.stage import Stage

_NAME = 30  # columns of a run's name that come before the words for where it is


class Heading(Struct, frozen=True):
    """What stands over a stage.

    Attributes:
        run: which run.
        name: what tells it from the others.
        number: the name and the value of what is charted, and how far it is from the first run's, or from the best; ""
            for none.
        state: where it is, the longest words first; the first that fit are shown.
        current: whether keys that are for one run are for this one.
        ended: whether it has ended and holds its last state.
    """

    run: int
    name: str
    state: tuple[str, ...]
    current: bool
    ended: bool
    number: tuple[str, str, str] = ("", "", "")


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
        room = canvas.columns - column - 1
        named, state = self._fitting(heading, room)
        curve, value, apart = heading.number
        room -= width_of(state) + 2 if state else 1
        beside = self._beside(curve if named else "", value, apart)
        if width_of(heading.name) + beside > room:  # what a run is comes first
            apart, beside = "", self._beside(curve if named else "", value)
        name = fitted(heading.name, max(room - beside, 0))
        column = canvas.text(column, 0, name, palette.ink, bold=heading.current) + 2
        if named and curve:
            column = canvas.text(column, 0, curve, palette.dim) + 1
        if value:
            column = canvas.text(column, 0, value, palette.ink, bold=True) + 1
        canvas.text(column, 0, apart, palette.good if apart == BEST else palette.accent)
        left = canvas.columns - width_of(state) - 1
        canvas.text(left, 0, state, palette.accent if heading.ended else palette.dim)

    @staticmethod
    def _beside(*texts: str) -> int:
        """Measure the columns of what stands after the name."""
        return sum(width_of(text) + 1 for text in texts if text)

    @staticmethod
    def _fitting(heading: Heading, room: int) -> tuple[bool, str]:
        """Choose whether the number is named, and the words for where the run is, so that its own name has room."""
        curve, value, apart = heading.number
        room -= min(width_of(heading.name), _NAME) + width_of(value) + width_of(apart) + 5
        for named in (True, False):
            for words in heading.state:
                if width_of(words) + named * (width_of(curve) + 1) <= room:
                    return named, words
        return False, ""  # the timeline below tells it


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
