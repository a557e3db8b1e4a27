"""Text on cells: wrapping."""

from functools import lru_cache

from tui.paint.canvas import fitted, width_of


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
