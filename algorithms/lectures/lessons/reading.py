"""Reading lessons: Markdown with blocks, line by line; every mistake is a sentence with its line."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from algorithms.core.errors import Refused
from algorithms.core.text import listed, printable
from algorithms.lectures.lessons.lesson import (
    ALONE,
    BESIDES,
    MAYBE_ALONE,
    MOVING,
    SHOWING,
    Ask,
    Choice,
    Instruction,
    Lesson,
    Misread,
    Moment,
    Numeric,
    Paragraph,
    Piece,
    Plain,
    Quoted,
)

_HEAD = ("title", "minutes", "needs", "lectures")
_NUMBERED = re.compile(r"\d+-")
_QUOTED_OR_STRONG = re.compile(r"\{(?P<value>[^{}]*)\}|\*\*(?P<strong>[^*]+)\*\*")
_AT = re.compile(r"(?P<value>.*\S)\s+at\s+(?P<place>step \d+|end|[+-]\d+)")
_NUMBER_ASKED = re.compile(r"number (?P<value>.+) within (?P<within>\d*\.?\d+)")
_MOST = 200_000  # characters of a file


def course() -> tuple[str, ...]:
    """List the names of the lessons that come with the program, in their order."""
    every = sorted(file.name for file in Path(__file__).parent.iterdir() if file.name.endswith(".md"))
    return tuple(_NUMBERED.sub("", file, count=1).removesuffix(".md") for file in every)


def lesson_named(name: str) -> Lesson:
    """Read a lesson of the course by its name, or the file of a path that ends in .md.

    Raises:
        Refused: where there is none; Misread where it cannot be read.
    """
    if name.endswith(".md"):
        try:
            return replace(read_lesson(Path(name).read_text("utf-8"), name), own=True)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
            raise Refused(f"{printable(name)} cannot be read: {reason}.") from None
    for file in Path(__file__).parent.iterdir():
        if file.name.endswith(".md") and name == _NUMBERED.sub("", file.name, count=1).removesuffix(".md"):
            return read_lesson(file.read_text("utf-8"), file.name)
    raise Refused(
        f"there is no lesson {printable(name)!r}; there are {listed(course(), 20)}, or a file of yours, x.md."
    )


def read_lesson(text: str, file: str) -> Lesson:
    """Read a lesson from its text.

    Args:
        file: what errors call it.
    """
    return _Reader(text, printable(file)).lesson()


class _Reader:
    def __init__(self, text: str, file: str):
        self.file = file
        self.lines = text[:_MOST].splitlines()
        self.at = 0  # the line that is read next, from 0

    def wrong(self, reason: str, line: int = 0) -> Misread:
        return Misread(self.file, line or min(self.at + 1, len(self.lines) or 1), reason)

    def lesson(self) -> Lesson:
        head = self._head()
        while self.at < len(self.lines) and not self.lines[self.at].startswith("## "):
            if self.lines[self.at].startswith("```"):
                raise self.wrong("a block stands in a moment, which a heading begins: ## What one sees")
            self.at += 1
        moments = []
        while self.at < len(self.lines):
            moments.append(self._moment())
        if not moments:
            raise self.wrong("a lesson has a moment or more, each under a heading: ## What one sees")
        first = moments[0].instructions
        if not first or first[0].word != "run":
            raise self.wrong("the first moment begins with a run, as in: run perceptron --data iris", moments[0].line)
        name = _NUMBERED.sub("", Path(self.file).name, count=1).removesuffix(".md")
        return Lesson(
            name,
            self.file,
            head["title"],
            head.get("minutes", ""),
            head.get("needs", ""),
            head.get("lectures", ""),
            tuple(moments),
        )

    def _head(self) -> dict[str, str]:
        if self.lines[:1] != ["---"]:
            raise self.wrong("a lesson begins with its head: a line ---, title: ..., a line ---")
        head: dict[str, str] = {}
        for at, line in enumerate(self.lines[1:], start=1):
            self.at = at
            if line == "---":
                self.at += 1
                if not head.get("title"):
                    raise self.wrong("the head says no title", 1)
                return head
            key, colon, value = line.partition(":")
            if not colon or key not in _HEAD:
                raise self.wrong(f"the head has {listed(_HEAD)}, each with a colon, not {printable(line)!r}")
            head[key] = value.strip()
        raise self.wrong("the head has no end: a line ---", 1)

    # A moment

    def _moment(self) -> Moment:
        line = self.at + 1
        title = self.lines[self.at].removeprefix("## ").strip()
        instructions: tuple[Instruction, ...] = ()
        ask: Ask | None = None
        paragraphs: list[Paragraph] = []
        notes: list[str] = []
        self.at += 1
        while self.at < len(self.lines) and not self.lines[self.at].startswith("## "):
            if self.lines[self.at].startswith("```"):
                if self.lines[self.at].strip() == "```moment" and not instructions and not paragraphs and ask is None:
                    instructions = tuple(self._instructions())
                elif self.lines[self.at].strip() == "```ask" and ask is None:
                    ask = self._ask()
                else:
                    raise self.wrong("a moment has one block ```moment, before its sentences, and one ```ask")
            elif self.lines[self.at].startswith("#"):
                raise self.wrong("a heading in a lesson has two signs: ## What one sees")
            elif self.lines[self.at].startswith("notes:"):
                notes.append(" ".join(text for text, _ in self._paragraph()).removeprefix("notes:").strip())
            elif self.lines[self.at].strip():
                paragraphs.append(tuple(self._pieces(self._paragraph())))
            else:
                self.at += 1
        if ask is not None and (beside := [one for one in instructions if one.word in ("compare", "sweep")]):
            reason = f"where {beside[0].word} shows other runs nothing is asked: ask in the moment before"
            raise self.wrong(reason, ask.line)
        return Moment(title, line, instructions, tuple(paragraphs), " ".join(notes), ask)

    def _paragraph(self) -> list[tuple[str, int]]:
        """Take the lines up to the next blank one, block or heading, each with its number."""
        taken: list[tuple[str, int]] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.strip() or line.startswith(("```", "#")):
                break
            taken.append((line.strip(), self.at + 1))
            self.at += 1
        return taken

    def _pieces(self, lines: list[tuple[str, int]]) -> Iterator[Piece]:
        """Cut a paragraph into words and what is asked of the run."""
        text = " ".join(line for line, _ in lines)
        ends, end = [], 0
        for line, number in lines:
            end += len(line) + 1
            ends.append((end, number))
        at = 0
        for found in (*_QUOTED_OR_STRONG.finditer(text), None):
            words = text[at : found.start() if found else len(text)]
            brace = min((i for sign in "{}" if (i := words.find(sign)) >= 0), default=-1)
            number = next(number for end, number in ends if at + max(brace, 0) < end)
            if brace >= 0:
                raise self.wrong("a brace is not closed, or not opened; a value is written {curve = 0.5}", number)
            if words:
                yield Plain(words)
            if found is None:
                return
            if found["strong"] is not None:
                yield Plain(found["strong"], strong=True)
            else:
                yield self._quoted(found["value"], next(number for end, number in ends if found.start() < end))
            at = found.end()

    def _quoted(self, inside: str, line: int) -> Quoted:
        value, equals, written = (part.strip() for part in inside.partition(" = "))
        placed = _AT.fullmatch(value)
        value, place = (placed["value"], placed["place"]) if placed else (value, "")
        said = value.split(" of ", 1)[0] == "said"
        if not value or (not said and not equals):
            raise self.wrong(f"a value is written with what it was, {{curve = 0.5}}, not {{{printable(inside)}}}", line)
        if not said and re.fullmatch(r"[+-]?[\d,]*\.?\d+(e[+-]?\d+)?", written) is None:
            raise self.wrong(f"{printable(written)!r} is no number", line)
        return Quoted(value, place.removeprefix("step "), written, line)

    # Blocks

    def _block(self) -> list[tuple[str, int]]:
        """Take the lines of a block that say something, each with its number."""
        begin = self.at + 1
        for at in range(begin, len(self.lines)):
            if self.lines[at].strip() == "```":
                self.at = at + 1
                block = enumerate(self.lines[begin:at], start=begin + 1)
                return [(line.strip(), number) for number, line in block if line.strip()]
        raise self.wrong("the block that begins here has no end: a line ```")

    def _instructions(self) -> Iterator[Instruction]:
        lines, besides = self._block(), ""
        known = (*MOVING, *SHOWING, *BESIDES)
        for i, (line, number) in enumerate(lines):
            word, _, rest = line.partition(" ")
            rest = rest.strip()
            if word not in known:
                raise self.wrong(f"{printable(word)!r} is no instruction: {listed(known, len(known))} are", number)
            if (not rest) != (word in ALONE) and word not in MAYBE_ALONE:
                raise self.wrong(f"{word} stands alone" if rest else f"{word} what?", number)
            if word == "run" and i:
                raise self.wrong("run is the first line of its block", number)
            if word in BESIDES:
                if besides and (besides, word) != ("compare", "compare"):
                    raise self.wrong(f"{besides} and {word} are for two moments: one has other runs, or a knob", number)
                besides = word
            yield Instruction(word, rest, number)

    def _ask(self) -> Ask:
        begin = self.at + 1
        lines = self._block()
        question: list[str] = []
        go = Instruction("go", "+1", begin)
        choices: list[Choice] = []
        numeric: Numeric | None = None
        why: list[str] = []
        for line, number in lines:
            if line.startswith("- "):
                parts = [part.strip() for part in line[2:].split(" | ")]
                if len(parts) != 3 or not all(parts):
                    raise self.wrong("a choice is: - words | condition under which it is right | reply", number)
                choices.append(Choice(parts[0], parts[1], parts[2], number))
            elif line.startswith("number "):
                asked = _NUMBER_ASKED.fullmatch(line)
                if asked is None or numeric is not None:
                    raise self.wrong("a number is asked for once: number EXPRESSION within 0.1", number)
                numeric = Numeric(asked["value"], float(asked["within"]), number)
            elif line.startswith("go "):
                go = Instruction("go", line[3:].strip(), number)
            elif line.startswith("why:") or why:
                why.append(line.removeprefix("why:").strip())
            else:
                question.append(line)
        if not question or bool(choices) == (numeric is not None) or len(choices) == 1 or len(choices) > 4:
            raise self.wrong("a question has its words, and two to four choices or one number", begin)
        return Ask(" ".join(question), go, tuple(choices), numeric, " ".join(why), begin)
