"""Lesson: what its file says, before any run is asked."""

from typing import TypeAlias

from msgspec import Struct

from algorithms.core.errors import Refused
from algorithms.core.painter import painter


class Misread(Refused):
    """A lesson that cannot be read, or does not fit its runs: a sentence with the file and the line."""

    def __init__(self, file: str, line: int, reason: str):
        self.line, self.reason = line, reason.rstrip(".")
        super().__init__(f"{file}, line {line}: {self.reason}.")


class Instruction(Struct, frozen=True):
    """A line of a block `moment`: its word, and what follows."""

    word: str
    rest: str
    line: int


class Quoted(Struct, frozen=True):
    """What a sentence asks of the run.

    Attributes:
        value: an expression of curves, sides of theorems and the step; "said" for the algorithm's own sentence. Of
            another run than the moment's it ends with which: "objective of B".
        place: of which step, "" for that of the moment.
        written: what the author saw; "" where nothing was written.
    """

    value: str
    place: str
    written: str
    line: int


class Plain(Struct, frozen=True):
    """Words; those to be taken home are `strong`."""

    words: str
    strong: bool = False


Piece: TypeAlias = Plain | Quoted
Paragraph: TypeAlias = tuple[Piece, ...]


class Choice(Struct, frozen=True):
    """An answer that is offered: its words, the condition under which it is right, the reply to who took it."""

    words: str
    condition: str
    reply: str
    line: int


class Numeric(Struct, frozen=True):
    """A number that is asked for, right within a distance of what the run says."""

    value: str
    within: float
    line: int


class Ask(Struct, frozen=True):
    """A question.

    Attributes:
        go: where it is answered.
        why: what is said whatever was answered.
    """

    question: str
    go: Instruction
    choices: tuple[Choice, ...]
    number: Numeric | None
    why: str
    line: int


class Moment(Struct, frozen=True):
    """What is on the screen, and what is said of it."""

    title: str
    line: int
    instructions: tuple[Instruction, ...]
    paragraphs: tuple[Paragraph, ...]
    notes: str
    ask: Ask | None

    def said_by(self, word: str) -> tuple[Instruction, ...]:
        """List the instructions of a word."""
        return tuple(one for one in self.instructions if one.word == word)


class Lesson(Struct, frozen=True):
    """A lesson.

    Attributes:
        name: that of its file, without the number before it.
        file: its name or path, as errors call it.
        minutes, needs, lectures: what its head says, "" where nothing.
        own: whether it is a file of the reader's, and none of the course.
    """

    name: str
    file: str
    title: str
    minutes: str
    needs: str
    lectures: str
    moments: tuple[Moment, ...]
    own: bool = False

    def _repr_html_(self) -> str | None:
        """Show its page, for a notebook."""
        return painter().html_of(self)  # type: ignore[no-any-return]

    def instructions_to(self, index: int) -> list[Instruction]:
        """List what leads to a moment: from the last `run` on, with the steps that questions before it take."""
        leading: list[Instruction] = []
        for moment in self.moments[: index + 1]:
            if any(one.word == "run" for one in moment.instructions):
                leading = []
            leading += [one for one in moment.instructions if one.word in MOVING]
            if moment.ask is not None and moment is not self.moments[index]:
                leading.append(moment.ask.go)
        return leading


MOVING = ("run", "go", "fork", "edit")
SHOWING = ("theorem", "chart", "sides", "hall")
BESIDES = ("compare", "sweep", "knob")  # what a moment has besides its run, one of them
ALONE = ("sides", "hall")  # what says all by its word
MAYBE_ALONE = ("compare",)
