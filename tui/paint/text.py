"""Text on cells: wrapping."""

import re
from functools import lru_cache

from tui.paint.canvas import fitted, width_of

_RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_RELATION = re.compile("(?<= )(?:<=|>=|!=)(?= )")  # as it stands in a statement, not in a name of the data


@lru_cache(1024)
def typeset(text: str) -> str:
    """Write the relations of a statement as the lecture does: "m <= R" is "m ≤ R"."""
    return _RELATION.sub(lambda sign: _RELATIONS[sign.group()], text)


_LEADING_ON = """
    a an the and or but if is are was of in on at by to as with for from that than this its it no not without so
    what who which each every all most least fewer less would where their
    = == < > <= >= ≤ ≥ ≠ + - · * / | over under along against after before between there
"""
_TELLS_NOTHING = frozenset(_LEADING_ON.split())  # with which no cut text ends


def tells_nothing(word: str) -> bool:
    """Tell whether nothing should end with a word: it points at what is cut off, or is a number alone."""
    word = word.strip(",:;")
    return not word or word in _TELLS_NOTHING or word.replace(".", "").replace(",", "").isdecimal()


@lru_cache(1024)
def cut(text: str, width: int) -> str:
    """Cut a text that is too long after a word, with an ellipsis; not after one that tells nothing by itself."""
    if width_of(text) <= width:
        return text
    words = text.split()
    while words and width_of(" ".join(words)) >= width:
        words.pop()
    while len(words) > 1 and tells_nothing(words[-1]):
        words.pop()
    return " ".join(words).rstrip(",:; ") + "…" if words else fitted(text, width)


@lru_cache(1024)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width_of(longer) <= width or not line:
            line = longer
        else:
            lines.append(line)
            line = word
    return tuple(fitted(piece, width) for piece in [*lines, line] if piece)


def wrapped(text: str, width: int) -> list[str]:
    """Break the text into lines of at most so many cells, at blanks; a longer word is cut with an ellipsis."""
    return list(_wrapped(text, max(width, 1)))


def broken(text: str, width: int) -> list[str]:
    """Break a command into lines of at most so many cells, at blanks; a longer word goes on in the next line."""
    width = max(width, 1)
    words = [word[i : i + width] for word in text.split() for i in range(0, len(word), width)]
    return wrapped(" ".join(words), width)


def hung(text: str, column: int, columns: int, rows: int) -> list[tuple[int, str]]:
    """Break the text into rows of (first column, line) beside what ends before `column`.

    Lines stand below each other; of a text that has too many so, the later ones begin at column 1. What does not fit
    then either ends in an ellipsis.
    """
    room = columns - column - 1
    lines = [(column, line) for line in wrapped(text, room)]
    if len(lines) > rows > 1:
        rest = " ".join(line for _, line in lines[1:])
        lines = [lines[0], *((1, line) for line in wrapped(rest, columns - 2))]
    if len(lines) <= rows:
        return lines
    start = lines[rows - 1][0] if rows else 0
    rest = " ".join(line for _, line in lines[rows - 1 :])
    return [*lines[: rows - 1], (start, fitted(rest, columns - start - 1))][:rows]
