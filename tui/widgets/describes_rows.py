"""What there is to say of the rows under the mouse: what they are, and what the algorithm says of each."""

from collections.abc import Callable

from algorithms.core import Dataset, Points
from algorithms.core.resolve import ResolvedPanel
from algorithms.core.text import clean
from algorithms.playback.pictures.viewer import Picture
from tui.sections.panels.row_tooltip import listed
from tui.widgets.raster import RasterView

_MOST_ROWS = 6  # of one cell, of which something is said


class DescribesRows(RasterView):
    """Describes rows of a picture's data; where the algorithm answers from elsewhere it is asked in a thread."""

    def __init__(self, data: Dataset, *, id: str | None = None):
        super().__init__(id=id)
        self._data = data
        self._picture: Picture | None = None
        self._heard: tuple[Picture | None, dict[int, str]] = (None, {})  # what was said of rows of a picture

    def lines_of(self, rows: list[int], room: int) -> list[str]:
        """Describe one row, or several that share a cell, in so many lines of the screen at most, or a few more."""
        if len(rows) == 1:
            return [self.words_of(rows[0]), *filter(None, [self._said_of(rows[0])])]
        most = max(min(_MOST_ROWS, room // 2 - 2), 1)
        clauses = [[text for text in (self._kind_of(row), self._said_of(row)) if text] for row in rows[:most]]
        each = [f"{row}: {'; '.join(said) or self._data.row(row, most=4)}" for row, said in zip(rows, clauses)]
        more = [f"and {len(rows) - most} more"] if len(rows) > most else []
        return [listed(rows), *each, *more]

    def words_of(self, row: int) -> str:
        """Describe a row for a person: "row 17: eruptions 1.97, waiting 56"."""
        data = self._data
        words = f"row {row}: {data.row(row, most=4)}"
        if data.y is not None:
            words += f", {data.target} {self._kind_of(row)}" if data.kind == "class" else f", {self._kind_of(row)}"
        return words

    def _kind_of(self, row: int) -> str:
        """Name a row's class, or its target."""
        data = self._data
        if data.y is None:
            return ""
        return data.classes[int(data.y[row])] if data.kind == "class" else f"{data.target} {data.y[row]:.4g}"

    def _said_of(self, row: int) -> str:
        """Ask the algorithm what it says of a row, on the stage or else in another panel; "" while it is asked."""
        picture = self._picture
        says = _asked(picture, row) if picture is not None else None
        if picture is None or says is None:
            return ""
        if self._heard[0] is not picture:
            self._heard = picture, {}
        heard = self._heard[1]
        if row not in heard:
            heard[row] = ""
            if picture.apart:
                self.run_worker(lambda: self._hear(picture, says, row), thread=True, group="words of rows")
            else:
                heard[row] = _answer(says, row)
        return heard[row]

    def _hear(self, picture: Picture, says: Callable[[int], str], row: int) -> None:
        """Hear what is said of a row, in a thread, and show it if it is still asked for."""
        words = _answer(says, row)
        self.app.call_later(self._show_words_of, picture, row, words)

    def _show_words_of(self, picture: Picture, row: int, words: str) -> None:
        if self._heard[0] is picture and self.is_attached:
            self._heard[1][row] = words
            self.redraw()


def _asked(picture: Picture, row: int) -> Callable[[int], str] | None:
    """Find what says something of a row."""
    panels = [picture.stage, *(panel for _, panel in picture.beside if isinstance(panel, ResolvedPanel))]
    marks = (mark for panel in panels for mark in panel.marks if isinstance(mark, Points) and row < len(mark.at))
    return next((mark.says for mark in marks if mark.says is not None), None)


def _answer(says: Callable[[int], str], row: int) -> str:
    try:
        return clean(says(row))
    except Exception:  # what cannot be said of a row is no reason not to show it
        return ""
