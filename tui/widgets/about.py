"""What the catalogue says of its current entry: an algorithm, a family, or that nothing matches."""

from collections.abc import Iterable, Sequence

from algorithms.core import Algorithm, Theorem
from algorithms.core.catalogue import about_family, find, in_course
from algorithms.core.glossary import words_in
from algorithms.core.search import theorems_with
from algorithms.core.text import clean, counted
from algorithms.lectures.lessons import Lesson
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.text import typeset, wrapped
from tui.widgets.raster import RasterView

_ROOMY = 16  # rows from which on there is one for the summary, and for a blank between what belongs together
_HEAD = 8  # columns of "before", "after" and "words"


class About(RasterView):
    """Describes the current algorithm: what one will see, its rule, its theorems, what is met before and after it."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._algorithm: Algorithm | None = None
        self._family = ""
        self._query, self._title, self._sentence = "", "", ""
        self._after: tuple[str, ...] = ()
        self._met, self._last = "", ""

    def show(
        self, algorithm: Algorithm, query: str = "", after: Sequence[str] = (), met: str = "", last: str = ""
    ) -> None:
        """Show an algorithm, those of its theorems first that the query is about, and what may come after it.

        Args:
            met: how its questions were answered so far, "" where none was.
            last: that it begins as it was run last, "" where it begins as it comes.
        """
        self._algorithm, self._family, self._query, self._after = algorithm, "", query, tuple(after)
        self._met, self._last = met, last
        self.redraw()

    def show_family(self, family: str) -> None:
        """Show what a family is about, and what one will see in each of its algorithms."""
        self._algorithm, self._family = None, family
        self.redraw()

    def show_lesson(self, lesson: Lesson, met: str = "") -> None:
        """Show what a lesson takes and needs, and how it was answered; not its moments, whose titles tell what is
        asked."""
        asked = sum(moment.ask is not None for moment in lesson.moments)
        parts = [f"{lesson.minutes} minutes" * bool(lesson.minutes), f"{len(lesson.moments)} moments"]
        told = ", ".join(filter(None, [*parts, counted(asked, "question"), met]))
        needs = f" Needs: {lesson.needs}." if lesson.needs else ""
        self._algorithm, self._family = None, ""
        self._title, self._sentence = clean(lesson.title), clean(f"{told}.{needs} enter begins it, pgdn goes on.")
        self.redraw()

    def tell(self, sentence: str, title: str = "no match") -> None:
        """Say a sentence in place of an algorithm."""
        self._algorithm, self._family, self._title, self._sentence = None, "", clean(title), clean(sentence)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        if self._algorithm is not None:
            self._paint_algorithm(canvas, self._algorithm)
        elif self._family:
            self._paint_family(canvas, self._family)
        else:
            inside = framed(canvas, self._title, "", self.palette)
            self._paint_words(inside, self._sentence, 0, self.palette.ink)

    def _paint_family(self, canvas: Canvas, family: str) -> None:
        title, sentence = about_family(family)
        members = in_course(family)
        inside = framed(canvas, title, f"{len(members)} in the order of a course", self.palette)
        row = self._paint_words(inside, sentence[:1].upper() + sentence[1:], 0, self.palette.ink) + 1
        for name in members:
            algorithm = find(name)
            lines = wrapped(algorithm.point, inside.columns - 4)
            if row + 1 + len(lines) > inside.rows:
                break
            inside.text(1, row, fitted(algorithm.title, inside.columns - 2), self.palette.accent)
            row = self._paint_words(inside, algorithm.point, row + 1, self.palette.dim, first=3)

    def _paint_algorithm(self, canvas: Canvas, algorithm: Algorithm) -> None:
        palette = self.palette
        note = f"questions: {self._met}" if self._met else about_family(algorithm.family)[0]
        inside = framed(canvas, algorithm.title, note, palette)
        roomy = inside.rows >= _ROOMY
        sought = theorems_with(algorithm, self._query)
        inside.text(1, 0, fitted(self._last, inside.columns - 2), palette.accent)
        row = int(bool(self._last))
        row = self._paint_theorems(inside, sought, row, palette.ink)  # why it is listed comes first: room may be short
        row += bool(sought)
        row = self._paint_words(inside, algorithm.point, row, palette.ink)
        if roomy:
            row = self._paint_words(inside, algorithm.summary, row, palette.dim) + 1
        for line in algorithm.rule.splitlines():
            inside.text(3, row, fitted(line, inside.columns - 3), palette.accent)
            row += 1
        row += roomy
        others = [theorem for theorem in algorithm.theorems if theorem not in sought]
        row = self._paint_theorems(inside, others[:1], row, palette.dim) + roomy
        row = self._paint_course(inside, algorithm, row) + roomy
        row = self._paint_theorems(inside, others[1:], row, palette.dim)
        self._paint_phases(inside, algorithm, row + 1)

    def _paint_course(self, inside: Canvas, algorithm: Algorithm, row: int) -> int:
        """Paint what is met before and after an algorithm, and the words of the field that it uses."""
        said = "\n".join(
            (algorithm.point, algorithm.summary, *(t.statement for t in algorithm.theorems), algorithm.about)
        )
        words = (word.word for word in words_in(said))
        before = [find(name).title for name in algorithm.after] or ["nothing: a course can begin here"]
        after = [find(name).title for name in self._after]
        for head, listed in (("before", before), ("after", after), ("words", words)):
            line = _as_many_as_fit(listed, inside.columns - _HEAD - 2)
            if line and row < inside.rows:
                inside.text(1, row, head, self.palette.dim)
                inside.text(1 + _HEAD, row, line, self.palette.ink)
                row += 1
        return row

    def _paint_words(self, inside: Canvas, words: str, row: int, color: int, first: int = 1) -> int:
        """Paint a sentence; returns the row below it."""
        for line in wrapped(words, inside.columns - first - 1):
            inside.text(first, row, line, color)
            row += 1
        return row

    def _paint_theorems(self, inside: Canvas, theorems: Sequence[Theorem], row: int, color: int) -> int:
        """Paint as many theorems as there is room for; returns the row below them."""
        for theorem in theorems:
            lines = wrapped(f"{typeset(theorem.statement)}  ({theorem.source})", inside.columns - 4)
            if row + len(lines) > inside.rows:
                break
            inside.text(1, row, "∴", self.palette.good)
            for line in lines:
                inside.text(3, row, line, color)
                row += 1
        return row

    def _paint_phases(self, inside: Canvas, algorithm: Algorithm, row: int) -> None:
        """Paint what a step can be, where there is room for it."""
        width = max((width_of(phase) for phase in algorithm.phases), default=0) + 2
        if row + len(algorithm.phases) > inside.rows:
            return
        for phase, meaning in algorithm.phases.items():
            inside.text(3, row, phase, self.palette.accent)
            inside.text(3 + width, row, fitted(meaning, inside.columns - width - 4), self.palette.dim)
            row += 1


def _as_many_as_fit(names: Iterable[str], columns: int) -> str:
    """Join names by commas, whole ones only."""
    line = ""
    for name in names:
        longer = f"{line}, {name}" if line else name
        if width_of(longer) > columns:
            break
        line = longer
    return line
