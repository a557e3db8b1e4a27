"""NotesScreen: the notes of the moment that a lesson is at in another terminal, which it follows."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from algorithms.core import Refused
from algorithms.lectures.lessons import Lesson, lesson_named
from tui.notes import place_of
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted
from tui.paint.text import wrapped
from tui.screens.live import LiveScreen
from tui.sections.lesson import paint_line
from tui.sections.notes import Spoken
from tui.widgets.raster import RasterView

_LOOK = 0.2  # seconds between two looks at where the lesson is
_WAITS = "Waiting: the lesson is not open. In another terminal `python -m tui --lesson {}` opens it."


class NotesScreen(LiveScreen[None]):
    """Shows notes, and ends when the lesson that it followed has ended."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "scroll(1)", "further lines"),
        Binding("up", "scroll(-1)", "earlier lines"),
        Binding("escape,q", "app.quit", "end"),
    ]

    def __init__(self, lesson: Lesson):
        super().__init__()
        self._lesson, self._followed = lesson, False

    def compose(self) -> ComposeResult:
        yield NotesView(_WAITS.format(self._lesson.file if self._lesson.own else self._lesson.name))

    def on_mount(self) -> None:
        self._look()
        self.set_interval(_LOOK, self._look)

    def _look(self) -> None:
        """Show the moment that the lesson is at now."""
        place = place_of(self._lesson)
        if place is None:
            if self._followed:
                self.app.exit(message=f"{self._lesson.title}: the lesson has ended, and its notes with it.")
            return
        self._followed = True
        view = self.query_one(NotesView)
        if view.spoken is None or view.spoken.index != place.index:
            self._read_again()
            view.show(Spoken(self._lesson, min(place.index, len(self._lesson.moments) - 1)))

    def _read_again(self) -> None:
        """Take a lesson of one's own as its file is now; where that cannot be read, as it was."""
        if self._lesson.own:
            try:
                self._lesson = lesson_named(self._lesson.file)
            except Refused as refusal:
                self.app.notify(str(refusal), title="not read again", severity="error", markup=False)

    def action_scroll(self, by: int) -> None:
        """Go on in notes that have more lines than the screen."""
        self.query_one(NotesView).go(by)


class NotesView(RasterView):
    """Paints the notes of a moment.

    Attributes:
        spoken: what there is to be said, None while no lesson is open.
    """

    def __init__(self, waits: str):
        super().__init__(id="notes")
        self.spoken: Spoken | None = None
        self._waits, self._top, self._most = waits, 0, 0

    def show(self, spoken: Spoken) -> None:
        """Show a moment."""
        self.spoken, self._top = spoken, 0
        self.redraw()

    def go(self, by: int) -> None:
        """Show further lines, or earlier ones."""
        self._top = min(max(self._top + by, 0), self._most)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, spoken = self.palette, self.spoken
        if spoken is None:
            inside = framed(canvas, "notes", "", palette)
            for row, words in enumerate(wrapped(self._waits, inside.columns - 2)):
                inside.text(1, row, words, palette.dim)
            return
        where = f"{spoken.index + 1} of {len(spoken.lesson.moments)}"
        inside = framed(canvas, fitted(spoken.lesson.title, canvas.columns - len(where) - 10), where, palette)
        lines = spoken.lines(inside.columns - 2, palette)
        self._most = max(len(lines) - inside.rows, 0)
        for row, line in enumerate(lines[self._top : self._top + inside.rows]):
            paint_line(inside, row, line)
        if self._top < self._most:
            canvas.text(2, canvas.rows - 1, " ↓ more ", palette.dim)
