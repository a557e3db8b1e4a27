"""A moment of a lesson in lines: its sentences, its question, what was answered, and where in the lesson one is."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from algorithms.core import Verdict
from algorithms.core.parameters import as_typed
from algorithms.lectures.lessons import Ask
from algorithms.playback.lessons.knob import Knob
from algorithms.playback.lessons.reader import Answer, Reader
from algorithms.playback.lessons.saying import Piece
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import typeset, wrapped

Span = tuple[str, int, bool]  # text, its colour, whether it is bold
_SIGNS = {"done": "✓", "wrong": "✗", "here": "▸", "question": "?", "to come": "◦"}


class Line(Struct, frozen=True):
    """A line: its spans, the column it begins at, and the colour of its ground, None for that of the frame."""

    spans: tuple[Span, ...] = ()
    column: int = 0
    ground: int | None = None


def paint_line(canvas: Canvas, row: int, line: Line) -> None:
    """Paint a line."""
    if line.ground is not None:
        canvas.text(1, row, " " * (canvas.columns - 2), 0, line.ground)
    column = 1 + line.column
    for text, ink, bold in line.spans:
        column = canvas.text(column, row, text, ink, line.ground, bold)


def lines_of(
    reader: Reader,
    said: Sequence[Sequence[Piece]],
    sentence: str,
    verdict: Verdict | None,
    width: int,
    palette: Palette,
    *,
    close: bool = False,
) -> list[Line]:
    """Lay out what is said at a moment.

    Args:
        said: its paragraphs, filled in.
        sentence: what the algorithm says of the step, told after an answer.
        verdict: the theorem in hand, None where none is.
        close: without blank lines between.
    """
    groups: list[list[Line]] = []
    answer = reader.answers.get(reader.index)
    if answer is None:
        groups += [list(_paragraph(pieces, width, palette)) for pieces in said]
    if reader.asking is not None:
        groups += list(_question(reader.asking, width, palette))
    elif answer is not None and reader.moment.ask is not None:
        groups += list(_answered(reader.moment.ask, answer, sentence, width, palette))
    if reader.knob is not None and reader.asking is None:
        groups.append([_turned(reader.knob, palette)])
    if verdict is not None and reader.asking is None:
        groups.append(list(_stated(verdict, width, palette)))
    blank = [] if close else [Line()]
    lines = [line for group in groups if group for line in (*group, *blank)]
    return lines[: len(lines) - len(blank)]


def _paragraph(pieces: Sequence[Piece], width: int, palette: Palette) -> Iterator[Line]:
    """Wrap a paragraph, each piece in its colour."""
    inks = {"plain": (palette.ink, False), "said": (palette.ink, False), "value": (palette.ink, True)}
    words: list[list[Span]] = [[]]
    for piece in pieces:
        ink, bold = inks.get(piece.kind, (palette.accent, False))
        for i, word in enumerate(typeset(piece.text).split(" ")):
            if i and words[-1]:
                words.append([])
            if word:
                words[-1].append((word, ink, bold))
    words = [word for word in words if word]
    text = " ".join("".join(part for part, _, _ in word) for word in words)
    at = 0
    for line in wrapped(text, width):
        count = len(line.split(" "))
        spans: list[Span] = []
        for spanned in words[at : at + count]:
            spans += [(" ", palette.ink, False), *spanned] if spans else spanned
        at += count
        yield Line(tuple(spans))


def _plain(text: str, width: int, ink: int, column: int = 0, ground: int | None = None) -> Iterator[Line]:
    for line in wrapped(typeset(text), width - column):
        yield Line(((line, ink, False),), column, ground)


def _question(ask: Ask, width: int, palette: Palette) -> Iterator[list[Line]]:
    yield [Line(((line, palette.ink, True),)) for line in wrapped(typeset(ask.question), width)]
    for i, choice in enumerate(ask.choices, start=1):
        first, *rest = wrapped(typeset(choice.words), width - 4)
        ground = palette.line
        head = Line(((f" {i}  ", palette.accent, False), (first, palette.ink, False)), 0, ground)
        yield [head, *(Line(((line, palette.ink, False),), 4, ground) for line in rest)]
    keys = " ".join(str(i + 1) for i in range(len(ask.choices))) or "0-9"
    does = " answer   " if ask.choices else " type a number   "
    tells = " tell me" if ask.choices else " answer, or tell me"
    accent, dim = palette.accent, palette.dim
    yield [Line(((keys, accent, False), (does, dim, False), ("enter", accent, False), (tells, dim, False)))]


def _answered(ask: Ask, answer: Answer, sentence: str, width: int, palette: Palette) -> Iterator[list[Line]]:
    """Tell what was answered with its own reply, what is right and why; the other choices without theirs."""
    yield list(_plain(ask.question, width, palette.dim))
    order = [i for i in (answer.choice, answer.right.choice) if i is not None]
    for i in dict.fromkeys(order):
        right = i == answer.right.choice
        sign, ink = ("✓", palette.good) if right else ("✗", palette.wrong)
        you = "you" if i == answer.choice else ""
        words = fitted(ask.choices[i].words, width - 10)
        gap = " " * (width - width_of(words) - 7 - len(you))
        spans = ((f" {sign} {i + 1}  ", ink, True), (words, palette.ink, True), (f"{gap}{you}", ink, False))
        yield [Line(spans, 0, palette.line), *_plain(ask.choices[i].reply, width, palette.ink, 3)]
    if answer.right.number is not None:
        yield list(_number(answer, answer.right.number, palette))
    others = [f"{i + 1} {choice.words}" for i, choice in enumerate(ask.choices) if i not in order]
    if others:
        yield list(_plain("; ".join(others), width, palette.dim, 3))
    if ask.why:
        strong = [Piece(part, "strong" if i % 2 else "plain") for i, part in enumerate(ask.why.split("**"))]
        yield list(_paragraph(strong, width, palette))
    yield list(_plain(sentence, width, palette.dim))


def _number(answer: Answer, number: float, palette: Palette) -> Iterator[Line]:
    if answer.number is not None:
        sign, ink = ("✓", palette.good) if answer.correct else ("✗", palette.wrong)
        yield Line(((f" {sign} you: ", ink, True), (f"{answer.number:g}", palette.ink, True)))
    yield Line((("   it is ", palette.dim, False), (f"{number:.6g}", palette.ink, True)))


def _turned(knob: Knob, palette: Palette) -> Line:
    """Say what can be turned, to what it is, and between which values."""
    low, high = knob.ends
    span = (f" turns it, {low} to {high}", palette.dim, False)
    return Line(((f"{knob.name} {as_typed(knob.value)}   ", palette.ink, True), ("↑ ↓", palette.accent, False), span))


def _stated(verdict: Verdict, width: int, palette: Palette) -> Iterator[Line]:
    """State a theorem with how it stands; nothing of its numbers, which are in the sentences."""
    sign, ink = ("✗ fails", palette.wrong) if verdict.status == "fails" else ("✓ holds here", palette.good)
    *above, last = wrapped(typeset(verdict.theorem.statement), width)
    for line in above:
        yield Line(((line, palette.dim, False),))
    if verdict.sides is None:
        yield Line(((last, palette.dim, False),))
    elif width_of(last) + width_of(sign) + 2 <= width:
        yield Line(((last, palette.dim, False), (f"  {sign}", ink, False)))
    else:
        yield Line(((last, palette.dim, False),))
        yield Line(((sign, ink, False),))


def marks_of(reader: Reader) -> list[str]:
    """Say of each moment whether one is there, was, or has a question before one; "done", "wrong", "here", ..."""
    marks = []
    for i, moment in enumerate(reader.lesson.moments):
        answer = reader.answers.get(i)
        if i == reader.index:
            marks.append("here")
        elif answer is not None:
            marks.append("done" if answer.correct else "wrong")
        elif moment.ask is not None:
            marks.append("question")
        else:
            marks.append("done" if i < reader.index else "to come")
    return marks


def signs_of(reader: Reader) -> str:
    """Write a sign a moment."""
    return "".join(_SIGNS[mark] for mark in marks_of(reader))


def contents_of(reader: Reader, width: int, rows: int, palette: Palette) -> list[Line]:
    """List the moments, those around the one that one is at where there is no room for all. While a question stands
    the titles after it, which may answer it, are not told."""
    marks, moments = marks_of(reader), reader.lesson.moments
    count = reader.index + 1 if reader.asking is not None else len(moments)
    first = max(0, min(reader.index - rows // 2, count - rows))
    inks = {"done": palette.good, "wrong": palette.wrong, "here": palette.accent}
    lines = []
    for i in range(first, min(first + rows, count)):
        here = i == reader.index
        title = (fitted(moments[i].title, width - 5), palette.accent if here else palette.dim, False)
        sign = (f"{_SIGNS[marks[i]]} {i + 1:2} ", inks.get(marks[i], palette.dim), False)
        lines.append(Line((sign, title), 0, palette.line if here else None))
    return lines
