"""The text of a lesson beside the stage: what is said at a moment, its question, and the list of moments."""

from collections.abc import Sequence

from algorithms.core import Verdict
from algorithms.playback.lessons.reader import Reader
from algorithms.playback.lessons.saying import Piece
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted
from tui.sections.lesson import contents_of, lines_of, paint_line, signs_of
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
        close = columns >= CLOSE
        palette = self.palette
        lines = lines_of(self._reader, self._said, self._sentence, self._verdict, columns - 4, palette, close=close)
        return len(lines) + 2

    def paint(self, canvas: Canvas) -> None:
        palette, reader = self.palette, self._reader
        if reader is None:
            canvas.fill(palette.background)
            return
        close = canvas.columns >= CLOSE
        where = f"{reader.index + 1} of {len(reader.lesson.moments)}"
        note = f"{signs_of(reader)}  {where}" if close else where
        title = fitted(f"{reader.index + 1}  {reader.moment.title}", canvas.columns - len(note) - 10)
        inside = framed(canvas, title, note, palette)
        lines = lines_of(reader, self._said, self._sentence, self._verdict, inside.columns - 2, palette, close=close)
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
