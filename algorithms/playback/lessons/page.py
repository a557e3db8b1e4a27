"""A lesson as text: its moments with what the run says, its questions and what is right."""

from collections.abc import Iterator
from textwrap import wrap

from algorithms.lectures.lessons import Ask, Lesson, course, lesson_named
from algorithms.playback.lessons.played import Played, played
from algorithms.playback.lessons.saying import Right, command_of, right, said

_WIDTH = 96


def listing() -> Iterator[str]:
    """List the course, a line a lesson."""
    for number, name in enumerate(course(), start=1):
        lesson = lesson_named(name)
        minutes = f"  {lesson.minutes} minutes" if lesson.minutes else ""
        yield f"{number:2}  {name:14} {lesson.title}{minutes}"


def page(lesson: Lesson) -> Iterator[str]:
    """Write a lesson as lines of text.

    Raises:
        Misread: when a run has no answer to what is written.
    """
    yield lesson.title
    if lesson.needs:
        yield f"needs: {lesson.needs}"
    after: Played | None = None
    for index, moment in enumerate(lesson.moments):
        after = shown = played(lesson, index, on=after)
        yield ""
        yield f"{index + 1}  {moment.title}"
        if command := command_of(moment):
            yield f"   {command}"
        yield f"   step {shown.t:,}"
        for line in shown.besides():
            yield from _wrapped(line)
        for paragraph in moment.paragraphs:
            yield ""
            yield from _wrapped("".join(piece.text for piece in said(lesson, paragraph, shown)))
        if moment.ask is not None:
            yield ""
            after = played(lesson, index, answered=True, on=shown)
            yield from _question(moment.ask, right(lesson, moment.ask, after))
        if moment.notes:
            yield ""
            yield from _wrapped(f"notes: {moment.notes}")


def _question(ask: Ask, answer: Right) -> Iterator[str]:
    yield from _wrapped(f"? {ask.question}")
    for i, choice in enumerate(ask.choices):
        mark = "right" if i == answer.choice else "     "
        yield from _wrapped(f"{i + 1} {mark} {choice.words}: {choice.reply}", "  ")
    if answer.number is not None and ask.number is not None:
        yield f"   {answer.number:.6g}, within {ask.number.within:g}"
    if ask.why:
        yield from _wrapped(ask.why.replace("**", ""))


def _wrapped(text: str, more: str = "") -> list[str]:
    return wrap(text, _WIDTH, initial_indent=f"   {more}", subsequent_indent=f"   {more}")
