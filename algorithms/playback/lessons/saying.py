"""What a moment says, with the numbers that the run has for it."""

import re
from collections.abc import Iterator

from msgspec import Struct

from algorithms.core import Refused
from algorithms.lectures.lessons import Ask, Lesson, Misread, Moment, Paragraph, Quoted
from algorithms.playback.asks.answers import number_at
from algorithms.playback.comparison.letters import LETTERS
from algorithms.playback.lessons.played import Played
from algorithms.playback.pictures.viewer import at_the_end
from algorithms.playback.runs.place import place
from algorithms.timeline import Timeline, conditions
from algorithms.timeline.conditions.moment import Unanswerable

SAID = "said"
_OF_RUN = re.compile(rf"(?P<value>.*\S)\s+of\s+(?P<letter>[{''.join(LETTERS)}])")


class Piece(Struct, frozen=True):
    """A piece of a sentence.

    Attributes:
        kind: "plain", "strong" (what is taken home), "value" (a number of the run) or "said" (the algorithm's words).
        differs: what is written in place of it in the file, "" where it is as it is written.
    """

    text: str
    kind: str = "plain"
    differs: str = ""


def said(lesson: Lesson, paragraph: Paragraph, shown: Played) -> list[Piece]:
    """Fill a paragraph with what the run says.

    Raises:
        Misread: when it says nothing, with the line.
    """
    pieces = []
    for piece in paragraph:
        if isinstance(piece, Quoted):
            text = _said(lesson, piece, shown)
            same = not piece.written or text.split() == piece.written.split()
            kind = SAID if _of_run(piece.value)[0] == SAID else "value"
            pieces.append(Piece(text, kind, "" if same else piece.written))
        else:
            pieces.append(Piece(piece.words, "strong" if piece.strong else "plain"))
    return pieces


def _said(lesson: Lesson, quoted: Quoted, shown: Played) -> str:
    value, letter = _of_run(quoted.value) if shown.beside else (quoted.value, LETTERS[0])
    try:
        if shown.ends is not None and (of := re.fullmatch(rf"(.+) of {re.escape(shown.ends.asked.over)} (\S+)", value)):
            return as_written(shown.ends.number(of[1].strip(), of[2]), quoted.written)
        if LETTERS.index(letter) >= len(shown.compared):
            raise Refused(f"there is no run {letter}: the last is {LETTERS[len(shown.beside)]}")
        run = shown.compared[LETTERS.index(letter)].timeline
        t = place(run, quoted.place, shown.at(run)) if quoted.place else shown.at(run)
        if value == SAID:
            return sentence_of(run, t)
        number = number_at(run, value, t)
    except (Refused, Unanswerable) as error:
        raise Misread(lesson.file, quoted.line, str(error)) from None
    if number is None:
        raise Misread(lesson.file, quoted.line, f"{quoted.value} has no value at step {t:,}")
    return as_written(number, quoted.written)


def _of_run(value: str) -> tuple[str, str]:
    """Part what is asked of a run from its letter, that of the first where none is named."""
    of = _OF_RUN.fullmatch(value)
    return (of["value"], of["letter"]) if of else (value, LETTERS[0])


def sentence_at(shown: Played, t: int) -> str:
    """Say what the algorithm says of a step of a moment's run."""
    return sentence_of(shown.run, t)


def sentence_of(run: Timeline, t: int) -> str:
    """Say what the algorithm says of a step, as the narration does."""
    frame = run.at(t)
    words = run.algorithm.explain(run.problem_at(t), frame.before, frame.state)
    return at_the_end(run.stopped, words) if run.stopped is not None and t == run.last else words


def as_written(number: float, written: str) -> str:
    """Write a number with the digits that another was written with: -3.9058, 9.9e-07, +0.30, 1,031."""
    plain = written.replace(",", "").partition("e")[0]
    digits = len(plain.partition(".")[2])
    sign = "+" if written.startswith("+") else ""
    kind = "e" if "e" in written else "f"
    text = f"{number:{sign}{',' if ',' in written else ''}.{digits}{kind}}"
    return text.replace("-", "", 1) if re.fullmatch(r"-0\.?0*", text) else text


class Right(Struct, frozen=True):
    """What is right: the number of the choice, from 0, or the number itself."""

    choice: int | None = None
    number: float | None = None


def right(lesson: Lesson, ask: Ask, after: Played) -> Right:
    """Ask the run, at the step at which a question is answered, what was right.

    Raises:
        Misread: when it has no answer, or more than one.
    """
    try:
        if ask.number is not None:
            try:
                number = number_at(after.run, ask.number.value, after.t, fields=True)
            except Refused as refusal:
                raise Misread(lesson.file, ask.number.line, str(refusal)) from None
            if number is None:
                raise Misread(lesson.file, ask.number.line, f"{ask.number.value} has no value at step {after.t:,}")
            return Right(number=number)
        holding = list(_holding(lesson, ask, after))
    except Unanswerable as error:
        raise Misread(lesson.file, ask.line, str(error)) from None
    if len(holding) != 1:
        which = f"{' and '.join(repr(ask.choices[i].words) for i in holding)} are" if holding else "none is"
        raise Misread(lesson.file, ask.line, f"one choice is to be right, but at step {after.t:,} {which}")
    return Right(choice=holding[0])


def _holding(lesson: Lesson, ask: Ask, after: Played) -> Iterator[int]:
    for i, choice in enumerate(ask.choices):
        try:
            holds = conditions.parse(choice.condition, after.run).holds(after.run, after.t)
        except Refused as refusal:
            raise Misread(lesson.file, choice.line, str(refusal)) from None
        if holds:
            yield i


def command_of(moment: Moment) -> str:
    """Write what one types for the run that a moment begins, "" where it goes on with the one before."""
    return next((f"python -m tui {one.rest}" for one in moment.instructions if one.word == "run"), "")
