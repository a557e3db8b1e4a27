"""The sources of two runs as text: line by line beside each other, whole files where the generators are the same."""

import ast
import os
import textwrap
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from algorithms.timeline.timeline import Timeline

_ALIKE = 0.5  # of the lines: two versions of one program
_LARGEST = 1 << 20  # bytes of a file that is read for this


class Text(Struct, frozen=True):
    """A source.

    Attributes:
        file: "" where it is not known.
        first, lines: where it begins in its file, and what is there.
    """

    file: str
    first: int
    lines: tuple[str, ...]


class Row(Struct, frozen=True):
    """A row of two sources beside each other.

    Attributes:
        places: of the line in each source, counted from 0; None where it has none there.
        same: whether the two are the same.
    """

    places: tuple[int | None, int | None]
    same: bool


def text_of(run: Timeline) -> Text:
    """Read the source of a run's generator; no lines where it is not to be had."""
    try:
        file, first, lines = run.algorithm.source
    except (OSError, TypeError):
        return Text("", 1, ())
    return Text(file, first, tuple(lines))


def texts_of(one: Timeline, other: Timeline) -> tuple[Text, Text]:
    """Read the sources of two runs: their generators, or where these are the same and their files are not, these."""
    a, b = text_of(one), text_of(other)
    if a.lines != b.lines or a.file == b.file:
        return a, b
    whole, theirs = _whole(a), _whole(b)
    return (whole, theirs) if whole is not None and theirs is not None and whole.lines != theirs.lines else (a, b)


def _whole(text: Text) -> Text | None:
    """Read the file that a source is in; None where it is not that any more."""
    try:
        status = os.stat(text.file)
        lines = _lines(text.file, status.st_mtime_ns) if status.st_size <= _LARGEST else ()
    except (OSError, UnicodeDecodeError):
        return None
    begin = text.first - 1
    return Text(text.file, 1, lines) if lines[begin : begin + len(text.lines)] == text.lines else None


@lru_cache(8)
def _lines(file: str, changed: int) -> tuple[str, ...]:
    return tuple(Path(file).read_text(encoding="utf-8").splitlines())


@lru_cache(16)
def versions(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[Row, ...] | None:
    """Put the lines of two versions of one program beside each other; None where they are two programs."""
    matcher = SequenceMatcher(None, [line.strip() for line in first], [line.strip() for line in second], False)
    if not first or not second or matcher.ratio() < _ALIKE:
        return None
    rows: list[Row] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        for i in range(max(b - a, d - c)):
            places = (a + i if a + i < b else None, c + i if c + i < d else None)
            rows.append(Row(places, kind == "equal"))
    return tuple(rows)


def prose(lines: tuple[str, ...]) -> set[int]:
    """Find the lines that say something to a reader alone: comments, blank ones and docstrings; counted from 0."""
    found = {i for i, line in enumerate(lines) if not line.strip() or line.lstrip().startswith("#")}
    try:
        tree = ast.parse(textwrap.dedent("\n".join(lines)))
    except SyntaxError:
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found |= set(range(node.lineno - 1, node.end_lineno or node.lineno))
    return found


def parts_apart(one: str, other: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Find the part of two lines that differs: from where to where in each, between what they begin and end with."""
    shorter = min(len(one), len(other))
    begin = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    end = next((i for i in range(shorter - begin) if one[-1 - i] != other[-1 - i]), shorter - begin)
    return (begin, len(one) - end), (begin, len(other) - end)
