"""A question about the next step in lines: its answers by key, or what was answered and what is right."""

from collections.abc import Iterator

from algorithms.core import Ask
from algorithms.playback.asks.quiz import Told
from tui.paint.canvas import fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import typeset, wrapped
from tui.sections.lesson import Line, Span

_YES_NO = ("y", "n")
_GAP = 3


def keys_of(ask: Ask) -> tuple[str, ...]:
    """List the keys of the answers that are offered, in their order."""
    if ask.kind != "choice":
        return ()
    return tuple(str(i + 1) for i in range(len(ask.choices))) if ask.choices else _YES_NO


def question_lines(ask: Ask, told: Told | None, width: int, palette: Palette) -> Iterator[Line]:
    """Lay out a question, and its answers or what became of it."""
    ink, bold = (palette.ink, True) if told is None else (palette.dim, False)
    for line in wrapped(typeset(ask.question), width):
        yield Line(((line, ink, bold),))
    if told is not None:
        yield _told(told, width, palette)
    elif ask.kind == "choice":
        yield from _offered(ask, width, palette)


def _offered(ask: Ask, width: int, palette: Palette) -> Iterator[Line]:
    spans: list[Span] = []
    room = width
    for key, (words, _) in zip(keys_of(ask), ask.offered):
        needed = width_of(key) + 2 + width_of(typeset(words)) + _GAP
        if spans and needed > room:
            yield Line(tuple(spans))
            spans, room = [], width
        spans += [(key, palette.accent, True), (f"  {typeset(words)}{' ' * _GAP}", palette.ink, False)]
        room -= needed
    yield Line(tuple(spans))


def _told(told: Told, width: int, palette: Palette) -> Line:
    if not told.given:
        return Line((("it is  ", palette.dim, False), (fitted(told.right, width - 7), palette.ink, True)))
    if told.correct:
        return Line((("✓ right  ", palette.good, True), (fitted(told.right, width - 9), palette.ink, True)))
    wrong = f"✗ you: {told.given}"
    right = fitted(told.right, max(width - width_of(wrong) - 10, 8))
    return Line(((wrong, palette.wrong, True), ("   it is: ", palette.dim, False), (right, palette.ink, True)))
