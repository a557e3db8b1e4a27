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
