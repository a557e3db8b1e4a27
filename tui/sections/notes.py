"""The notes of a moment in lines: what the author tells the teacher, what the hall is told, and what is right."""

from collections.abc import Iterator

from algorithms.core import Refused
from algorithms.lectures.lessons import Ask, Lesson
from algorithms.playback.lessons.played import played
from algorithms.playback.lessons.saying import Right, right, said
from tui.paint.palette import Palette
from tui.paint.text import typeset, wrapped
from tui.sections.lesson import Line

_INDENT = 4  # columns of an answer
_NONE = "No notes at this moment."


class Spoken:
    """What is to be said at a moment, with the numbers of its run, which is run once.

    Attributes:
        index: the moment, from 0.
    """

    def __init__(self, lesson: Lesson, index: int):
        self.lesson, self.index = lesson, index
        self._moment = lesson.moments[index]
        self._paragraphs: list[str] = []
        self._right: Right | None = None
        self._besides: list[str] = []
        self._refused = ""
        try:
            shown = played(lesson, index)
            filled = (said(lesson, paragraph, shown) for paragraph in self._moment.paragraphs)
            self._paragraphs = ["".join(piece.text for piece in pieces) for pieces in filled]
            self._besides = shown.besides()
            if self._moment.ask is not None:
                self._right = right(lesson, self._moment.ask, played(lesson, index, answered=True, on=shown))
        except Refused as refusal:
            self._refused = str(refusal)

    def lines(self, width: int, palette: Palette) -> list[Line]:
        """Lay it out: the notes, the text, the question with what is right, the title of the next moment."""
        moment = self._moment
        groups = [_written(moment.title, width, palette.accent, bold=True)]
        groups.append(_written(moment.notes or _NONE, width, palette.ink if moment.notes else palette.dim, bold=True))
        groups += [_written(paragraph, width, palette.dim) for paragraph in self._paragraphs]
        groups.append([line for words in self._besides for line in _written(words, width, palette.dim)])
        if moment.ask is not None:
            groups.append([*self._asked(moment.ask, width, palette)])
        if self._refused:
            groups.append(_written(self._refused, width, palette.wrong))
        after = self.lesson.moments[self.index + 1 : self.index + 2]
        groups.append(_written(f"Next: {after[0].title}" if after else "This is the last moment.", width, palette.dim))
        return [line for i, group in enumerate(filter(None, groups)) for line in ([Line()] if i else []) + group]

    def _asked(self, ask: Ask, width: int, palette: Palette) -> Iterator[Line]:
        yield from _written(ask.question, width, palette.ink)
        known = self._right or Right()
        for i, choice in enumerate(ask.choices):
            words = f"{i + 1} {choice.words}: {choice.reply}"
            if i == known.choice:
                yield from _written(f"✓ {words}", width, palette.good, _INDENT)
            else:
                yield from _written(words, width, palette.dim, _INDENT + 2)
        if known.number is not None:
            yield from _written(f"✓ {known.number:.6g}", width, palette.good, _INDENT)
        if ask.why:
            yield from _written(ask.why.replace("**", ""), width, palette.dim)


def _written(text: str, width: int, ink: int, column: int = 0, *, bold: bool = False) -> list[Line]:
    return [Line(((line, ink, bold),), column) for line in wrapped(typeset(text), width - column)]
