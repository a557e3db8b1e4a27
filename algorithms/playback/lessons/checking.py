"""Checking a lesson: what of it is not so."""

from collections.abc import Iterator

from algorithms.core import Refused
from algorithms.lectures.lessons import Lesson, Misread, Moment, Quoted
from algorithms.playback.lessons.played import Played, played
from algorithms.playback.lessons.saying import right, said


def faults(lesson: Lesson) -> Iterator[str]:
    """List what of a lesson does not fit its runs, a sentence each with its line: a run or a step that cannot be had, a
    value that differs from what is written, a theorem that does not speak, a question without one right answer."""
    after: Played | None = None
    for index, moment in enumerate(lesson.moments):
        try:
            shown = played(lesson, index, on=after)
            yield from _of_values(lesson, moment, shown)
            after = shown
            if moment.ask is not None:
                after = played(lesson, index, answered=True, on=shown)
                right(lesson, moment.ask, after)
            yield from _of_theorem(lesson, moment, (shown, after))
            yield from _of_besides(lesson, index, shown)
        except Misread as misread:
            yield str(misread)
        except Refused as refusal:
            yield str(Misread(lesson.file, moment.line, str(refusal)))


def _of_values(lesson: Lesson, moment: Moment, shown: Played) -> Iterator[str]:
    for paragraph in moment.paragraphs:
        quoted = [piece for piece in paragraph if isinstance(piece, Quoted)]
        values = [piece for piece in said(lesson, paragraph, shown) if piece.kind in ("value", "said")]
        for piece, value in zip(quoted, values):
            if value.differs:
                yield str(Misread(lesson.file, piece.line, f"{piece.value} is {value.text}, not {value.differs}"))


def _of_besides(lesson: Lesson, index: int, shown: Played) -> Iterator[str]:
    """Tell which of many runs fail, and at which values of a knob the moment cannot be had or has nothing to say."""
    moment = lesson.moments[index]
    if shown.ends is not None:
        line = moment.said_by("sweep")[0].line
        yield from (str(Misread(lesson.file, line, words)) for words in shown.ends.faults())
    if shown.knob is not None:
        line = moment.said_by("knob")[0].line
        for value in shown.knob.values:
            try:
                turned = played(lesson, index, answered=moment.ask is not None, turned=(shown.knob.name, value))
                for paragraph in moment.paragraphs:
                    said(lesson, paragraph, turned)
            except Refused as refusal:
                reason = refusal.reason if isinstance(refusal, Misread) else str(refusal)
                yield str(Misread(lesson.file, line, f"at {shown.knob.name} {value:g}: {reason}"))


def _of_theorem(lesson: Lesson, moment: Moment, seen: tuple[Played, ...]) -> Iterator[str]:
    """Tell of a theorem in hand that fails, or says nothing at the step of the moment or after its question."""
    shown = seen[0]
    if shown.front.theorem is None:
        return
    verdicts = [one.run.verdicts(one.run.at(one.t))[shown.front.theorem] for one in seen]
    line = next(one.line for one in moment.instructions if one.word == "theorem")
    statement = verdicts[0].theorem.statement
    for one, verdict in zip(seen, verdicts):
        if verdict.status == "fails":
            yield str(Misread(lesson.file, line, f"{statement!r} fails at step {one.t:,}"))
            return
    if all(verdict.sides is None for verdict in verdicts):
        why = f": {verdicts[0].why}" if verdicts[0].why else ""
        yield str(Misread(lesson.file, line, f"{statement!r} says nothing at step {shown.t:,}{why}"))
