"""The statements of the lectures as text: where each is seen, and what to type for it."""

from collections.abc import Iterable, Sequence
from textwrap import shorten
from typing import IO

from rich.console import Console
from rich.text import Text

from algorithms.core.errors import Refused
from algorithms.core.text import counted, listed
from algorithms.lectures import (
    LECTURES,
    Statement,
    by_section,
    commands,
    flat,
    named,
    nearest,
    place_in,
    places,
    shown_by,
)

_WIDEST = 110
_MARGIN = 8  # columns before a statement, in which its id stands


def print_lectures(words: Sequence[str], out: IO[str]) -> None:
    """Print the statements that the words ask for: of a lecture, by their ids, or with these words in them.

    Raises:
        Refused: when there are none; it names the nearest lecture or statement.
    """
    chosen = [named(word) for word in words]
    page = _Page(out)
    if words and all(chosen):
        page.print_whole([one for one in chosen if one])
    else:
        lecture = words[0] if words and words[0] in LECTURES else ""
        page.print_listed(lecture, list(words[1:] if lecture else words))
    page.flush()


def lines_of(algorithm: str, width: int) -> list[tuple[str, str]]:
    """List the statements that an algorithm shows: (id, its lecture and what it says, cut to so many columns)."""
    return [(one.id, _cut(f"{one.lecture}: {one.says}", width)) for one in shown_by(algorithm)]


class _Page:
    """Lays statements out as wide as the terminal is.

    The page is made whole and printed then: Rich has an exit of its own for a pipe that closes.
    """

    def __init__(self, out: IO[str]):
        self._out = out
        self._console = Console(file=out, highlight=False)
        self._console.begin_capture()
        self._width = min(self._console.width, _WIDEST)

    def flush(self) -> None:
        print(self._console.end_capture(), end="", file=self._out)

    def print_listed(self, lecture: str, words: Sequence[str]) -> None:
        """Print the statements of a lecture, or of all, in which the words occur; and their number."""
        query = " ".join(words)
        grouped = by_section(query, lecture)
        if not grouped:
            raise Refused(_nothing(lecture, query, words))
        for of, sections in grouped.items():
            self._print_heading(f"{LECTURES[of]}  ({of})")
            for heading, group in sections.items():
                self._print_heading("")
                self._print_heading(heading, 2)
                for one in group:
                    self._print_statement(one, heading)
            self._print_heading("")
        self._console.print(_count(flat(grouped)), markup=False, soft_wrap=True)

    def print_whole(self, chosen: Iterable[Statement]) -> None:
        """Print statements with where they stand and the tests that compute their numbers."""
        for one in chosen:
            self._print_heading(f"{LECTURES[one.lecture]}: {one.section}")
            self._print_statement(one, one.section)
            for test in one.tests:
                self._print_unbroken(f"computed by {test}", "dim")

    def _print_statement(self, one: Statement, heading: str) -> None:
        place = place_in(heading, one)
        self._print_hung(Text.assemble((f"{place}: " if place else "", "dim"), one.says), f"  {one.id}")
        if one.errs:
            self._print_hung(Text.assemble(("the lecture errs: ", "yellow"), one.errs))
        for command in commands(one):
            self._print_unbroken(command, "green")
        for kind, which in places(one):
            if kind != "demo":  # its command says it
                self._print_hung(Text.assemble((f"{kind}: " if one.dropped else f"{kind} ", "dim"), which))

    def _print_heading(self, text: str, margin: int = 0) -> None:
        self._console.print(Text(" " * margin + text, "bold"), soft_wrap=True)

    def _print_unbroken(self, text: str, style: str) -> None:
        """Print a line that is to be copied, however long."""
        self._console.print(Text(" " * _MARGIN + text, style), soft_wrap=True)

    def _print_hung(self, text: Text, lead: str = "") -> None:
        """Print a text in lines that begin at one column, the lead before the first."""
        for i, line in enumerate(text.wrap(self._console, max(self._width - _MARGIN, 20))):
            line.rstrip()
            self._console.print(Text(f"{'' if i else lead:{_MARGIN}}") + line, soft_wrap=True)


def _count(chosen: Sequence[Statement]) -> str:
    """Count statements: "12 of 316 statements, 1 of them not to be seen"."""
    every, dropped = len(flat(by_section())), sum(bool(one.dropped) for one in chosen)
    counts = counted(every, "statement")
    words = counts if len(chosen) == every else f"{len(chosen)} of {counts}"
    return words + (f", {dropped} of them not to be seen: it says why" if dropped else ", each with its place")


def _nothing(lecture: str, query: str, words: Sequence[str]) -> str:
    """Say that no statement matches, and what is spelled most like what was asked for."""
    near = nearest(words[0]) if len(words) == 1 else ""
    hint = f" Did you mean {near}?" if near else ""
    if lecture:
        return (
            f"no statement of {lecture} has {query!r} in it; `python -m algorithms lectures {lecture}` lists all.{hint}"
        )
    return f"no lecture or statement is called {query!r} or has it in it; lectures are {listed(list(LECTURES))}.{hint}"


def _cut(text: str, width: int) -> str:
    return shorten(text, max(width, 20), placeholder=" …")
