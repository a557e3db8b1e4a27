"""The text of a lesson beside the stage: what is said at a moment, its question, and the list of moments."""

from collections.abc import Sequence

from algorithms.core import Verdict
from algorithms.playback.lessons.reader import Reader
from algorithms.playback.lessons.saying import Piece
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.text import wrapped
from tui.sections.lesson import Line, contents_of, lines_of, paint_line, signs_of
from tui.widgets.raster import RasterView

CLOSE = 70  # columns from which on there are no blank lines: it lies below the stage then
_LIST = 3  # rows from which on a list of the moments is worth its room


class LessonText(RasterView):
    """Shows a moment."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._reader: Reader | None = None
        self._said: list[list[Piece]] = []
        self._sentence = ""
        self._verdict: Verdict | None = None

    def show(self, reader: Reader, said: Sequence[list[Piece]], sentence: str, verdict: Verdict | None) -> None:
        """Show the moment that a reader is at, as `lines_of` takes it."""
        self._reader, self._said, self._sentence, self._verdict = reader, list(said), sentence, verdict
        self.redraw()

    def rows_for(self, columns: int) -> int:
        """Count the rows that it takes with its frame, in so many columns."""
        if self._reader is None:
            return 0
        lines = self._lines(self._reader, columns)
        return len(lines) + 2

    def _heading(self, reader: Reader, columns: int) -> tuple[str, str]:
        """Give what stands in the frame: number and title of the moment, of a title that has no room the number."""
        where = f"{reader.index + 1} of {len(reader.lesson.moments)}"
        note = f"{signs_of(reader)}  {where}" if columns >= CLOSE else where
        title = f"{reader.index + 1}  {reader.moment.title}"
        whole = width_of(title) + width_of(note) <= columns - 10
        return (title if whole or columns >= CLOSE else f"{reader.index + 1}"), note

    def _lines(self, reader: Reader, columns: int) -> list[Line]:
        """Lay out what is said in so many columns, below the title where that has no room in the frame."""
        close, palette = columns >= CLOSE, self.palette
        lines = lines_of(reader, self._said, self._sentence, self._verdict, columns - 4, palette, close=close)
        if self._heading(reader, columns)[0].endswith(reader.moment.title):
            return lines
        return [*(Line(((part, palette.ink, True),)) for part in wrapped(reader.moment.title, columns - 4)), *lines]

    def paint(self, canvas: Canvas) -> None:
        palette, reader = self.palette, self._reader
        if reader is None:
            canvas.fill(palette.background)
            return
        close = canvas.columns >= CLOSE
        title, note = self._heading(reader, canvas.columns)
        inside = framed(canvas, title, note, palette)
        lines = self._lines(reader, canvas.columns)
        top = 0 if close or len(lines) >= inside.rows else 1
        for row, line in enumerate(lines[: inside.rows - top], start=top):
            paint_line(inside, row, line)
        left = inside.rows - len(lines) - top - 2
        if close or left < _LIST:
            return
        contents = contents_of(reader, inside.columns - 2, left, palette)
        top = inside.rows - len(contents)
        title = "the lesson" if reader.asking is not None else reader.lesson.title
        inside.text(0, top - 1, "─" * inside.columns, palette.line)
        inside.text(1, top - 1, f" {fitted(title, inside.columns - 4)} ", palette.dim)
        for row, line in enumerate(contents, start=top):
            paint_line(inside, row, line)
