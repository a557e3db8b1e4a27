"""The theorems: each with its statement, this step's numbers on both sides of it, and how close they are."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from algorithms.core import Sides, Verdict
from algorithms.core.theorem import NOT_NOW
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import cut, typeset, wrapped
from tui.sections.relations import Piece, in_a_row, laid_sides, laid_values, numbers_of, width_of_pieces

_METER = 10
_APART = 2  # cells between a statement and what stands beside it, at least
_LEAST = 10  # cells of a statement that is cut for numbers beside it
_AVERAGE = "on average"
_BRIEF, _STATED, _WHOLE = range(3)  # in one row; with the whole statement; with all there is to say of it


class _Line(Struct, frozen=True):
    """A row of a theorem: what stands at its left from a column on, and what at its right."""

    left: tuple[Piece, ...] = ()
    right: tuple[Piece, ...] = ()
    column: int = 1


def summary(verdicts: tuple[Verdict, ...]) -> str:
    """Summarise how the theorems stand, for the corner: "2 hold, 1 does not apply"."""
    count = {status: sum(v.status == status for v in verdicts) for status in ("fails", "holds", "undecided")}
    parts = [f"{count['fails']} FAIL" if count["fails"] > 1 else "1 FAILS"] if count["fails"] else []
    if count["holds"]:
        parts.append("1 holds" if count["holds"] == 1 else f"{count['holds']} hold")
    if count["undecided"]:
        parts.append(f"{count['undecided']} undecided")
    return ", ".join(parts)


def paint_theorems(
    canvas: Canvas, verdicts: tuple[Verdict, ...], failed: dict[str, int], palette: Palette, first: int = 0
) -> tuple[int, list[int]]:
    """Paint the theorems from the `first` on, as many as there is room for.

    Where there is no row for each, those before the first and the last ones are left out, and the last line says so.

    Args:
        failed: theorems that did not hold at some step, with the first such step.

    Returns:
        How many are left out below, and the number of the theorem that each row painted belongs to.
    """
    if not verdicts:
        canvas.text(1, 0, "no theorem is stated for this one", palette.dim)
        return 0, []
    shown, hidden, first = range(len(verdicts)), 0, min(first, len(verdicts) - 1)
    if len(verdicts) > canvas.rows:
        in_hand = verdicts[first]
        more = len(_lines(in_hand, canvas.columns, _WHOLE)) - 1 if in_hand.sides is not None else 0
        shown = range(first, min(first + max(canvas.rows - 1 - more, 1), len(verdicts)))
        hidden = len(verdicts) - shown.stop
    some = [verdicts[i] for i in shown]
    laid = _laid_out(some, canvas.columns, canvas.rows - (hidden > 0), first - shown.start)
    free = canvas.rows - sum(map(len, laid))
    gap = 1 if not hidden and free >= len(laid) - 1 else 0
    numbers: list[int] = []
    for i, lines in zip(shown, laid):
        _paint_one(canvas.part(0, len(numbers), canvas.columns, len(lines)), verdicts[i], lines, failed, palette)
        numbers += [i] * (len(lines) + gap)
    if hidden:
        _paint_hidden(canvas, hidden, palette)
    return hidden, numbers


def _laid_out(verdicts: Sequence[Verdict], columns: int, rows: int, in_hand: int) -> list[list[_Line]]:
    """Lay theorems out in so many rows: one each, and more first to the one in hand, then to those that speak.

    A statement has its rows before the names of the sides have theirs; those that say nothing come last.
    """
    laid = [_lines(verdict, columns, _BRIEF) for verdict in verdicts]
    levels = [_BRIEF] * len(laid)
    spare = rows - len(laid)
    for i, level in _wants(verdicts, in_hand):
        longer = _lines(verdicts[i], columns, level) if level > levels[i] and spare else laid[i]
        if len(longer) - len(laid[i]) <= spare:
            spare -= len(longer) - len(laid[i])
            laid[i], levels[i] = longer, max(level, levels[i])
    return laid


def _wants(verdicts: Sequence[Verdict], in_hand: int) -> Iterator[tuple[int, int]]:
    """List (theorem, how much is said of it) in the order in which they have rows."""
    order = [*range(in_hand, len(verdicts)), *range(in_hand)]
    speaking = [i for i in order if verdicts[i].sides is not None]
    others = sorted((i for i in order if verdicts[i].sides is None), key=lambda i: verdicts[i].status != "expected")
    yield from ((i, level) for i in speaking[:1] for level in (_STATED, _WHOLE))
    for some in (speaking, others):
        yield from ((i, level) for level in (_STATED, _WHOLE) for i in some)


def _lines(verdict: Verdict, columns: int, level: int) -> list[_Line]:
    """Write a theorem in one row, or with its whole statement, or with all there is to say of it."""
    statement, room = typeset(verdict.theorem.statement), columns - 4
    if verdict.sides is not None:
        return _speaking(statement, verdict.sides, room, level)
    return _silent(statement, verdict, room, level)


def _silent(statement: str, verdict: Verdict, room: int, level: int) -> list[_Line]:
    """Write a theorem without numbers: why there are none, but where its sign says all."""
    words = typeset(verdict.why) if verdict.status != "undecided" else f"undecided: {typeset(verdict.why)}"
    choices = (words, _AVERAGE) if verdict.status == "expected" else (words,)
    stated = wrapped(statement, room) if level else [cut(statement, room)]
    after = next((text for text in choices if width_of(stated[-1]) + width_of(text) + _APART <= room), "")
    lines = [_Line(((line, False),)) for line in stated]
    if verdict.why == NOT_NOW:  # as its sign says
        return lines
    lines[-1] = _Line(lines[-1].left, ((after, False),) if after else ())
    if level == _WHOLE and after != words:
        lines[-1] = _Line(lines[-1].left)
        lines += [_Line(((line, False),), column=3) for line in wrapped(words, room - 1)]
    return lines


@lru_cache(256)
def _speaking(statement: str, sides: Sides, room: int, level: int) -> list[_Line]:
    """Write a theorem that says something: the sides in the row of its statement where there is room for their names,
    whatever the numbers; else their numbers alone there, or below it with their names."""
    stated = wrapped(statement, room)
    if len(stated) == 1 and in_a_row(sides).steady + width_of(statement) + _APART <= room:
        return [_Line(((statement, False),), in_a_row(sides).pieces)]
    if level == _BRIEF:
        return [_brief(statement, sides, room)]
    numbers = laid_values(sides)
    if level == _STATED and width_of(stated[-1]) + width_of_pieces(numbers) + _APART <= room:
        return [*(_Line(((line, False),)) for line in stated[:-1]), _Line(((stated[-1], False),), numbers)]
    below = [_Line(row, column=3) for row in laid_sides(sides, room - 1)]
    return [*(_Line(((line, False),)) for line in stated), *below]


def _brief(statement: str, sides: Sides, room: int) -> _Line:
    """Write a theorem in one row: its statement, cut for the numbers where it must be, in few digits if that helps."""
    for digits in (4, 3):
        numbers = laid_values(sides, digits)
        left = room - width_of_pieces(numbers) - _APART
        if left >= min(width_of(statement), room // 2):
            break
    short = cut(statement, left)
    if short != statement and width_of(short) < _LEAST:
        return _Line(((cut(statement, room), False),))
    return _Line(((short, False),), numbers)


def _paint_one(
    canvas: Canvas, verdict: Verdict, lines: Sequence[_Line], failed: dict[str, int], palette: Palette
) -> None:
    fails, earlier = verdict.status == "fails", failed.get(verdict.theorem.statement)
    mark, ink = _mark(verdict, palette)
    if verdict.status == "holds" and earlier is not None:
        mark, ink = "✗", palette.wrong
    canvas.text(canvas.columns - 2, 0, mark, ink, bold=True)
    number = palette.wrong if fails else palette.ink
    for row, line in enumerate(lines):
        _paint_pieces(canvas, line.column, row, line.left, number, palette.dim)
        _paint_pieces(canvas, canvas.columns - 3 - width_of_pieces(line.right), row, line.right, number, palette.dim)
    last = lines[-1]
    if verdict.sides is None or last.column == 1:
        return
    end = last.column + width_of_pieces(last.left) + 1
    if fails:
        canvas.text(end, len(lines) - 1, "FAILS", palette.wrong, bold=True)
    elif earlier is not None:
        room = canvas.columns - end - 3
        canvas.text(end + 1, len(lines) - 1, fitted(f"failed at step {earlier}", room), palette.wrong)
    else:
        _meter(canvas, len(lines) - 1, end, verdict.sides, palette)


def _paint_pieces(canvas: Canvas, column: int, row: int, pieces: Sequence[Piece], bright: int, dim: int) -> None:
    for text, number in pieces:
        column = canvas.text(column, row, text, bright if number else dim)


def _paint_hidden(canvas: Canvas, hidden: int, palette: Palette) -> None:
    """Say in the last line how many more there are, and the key that shows them."""
    words = f" shows {hidden} more "
    left = canvas.columns - width_of(words) - 1
    canvas.text(left - 1, canvas.rows - 1, " 2", palette.accent)
    canvas.text(left + 1, canvas.rows - 1, words, palette.dim)


def _mark(verdict: Verdict, palette: Palette) -> tuple[str, int]:
    """Choose the sign of how a theorem stands, and its colour."""
    return {
        "holds": ("✓", palette.good),
        "fails": ("✗", palette.wrong),
        "does not apply": ("–", palette.faint),
        "undecided": ("?", palette.dim),
        "expected": ("E", palette.accent),
    }[verdict.status]


def _meter(canvas: Canvas, row: int, after: int, sides: Sides, palette: Palette) -> None:
    """Draw how much of the greater side the lesser one is: full when the statement is tight."""
    low, high = sides.values[0], sides.values[-1]
    left = canvas.columns - 2 - _METER
    if sides.relation == "==" or not (0 <= low <= high) or not math.isfinite(high) or high == 0 or after >= left:
        return
    full = round(low / high * _METER)
    canvas.text(left, row, "━" * full, palette.good)
    canvas.text(left + full, row, "─" * (_METER - full), palette.line)


def wanted_rows(verdicts: tuple[Verdict, ...], columns: int) -> tuple[int, int, int]:
    """Count the rows that theorems take: one whole and the others in a row each; with all statements; all whole."""
    if not verdicts:
        return 0, 0, 0
    first = len(wrapped(typeset(verdicts[0].theorem.statement), columns - 4))
    rows = [_counted(v, columns) for v in verdicts]
    stated, whole = (sum(many) for many in zip(*rows))
    names = next((both[1] - both[0] for both, v in zip(rows, verdicts) if v.sides is not None), 0)
    return min(len(verdicts) + first, whole), stated + names, whole


def _counted(verdict: Verdict, columns: int) -> tuple[int, int]:
    """Count the rows of a theorem with its whole statement, and with all there is to say of it."""
    sides, room = verdict.sides, columns - 4
    if sides is None:
        return len(_lines(verdict, columns, _STATED)), len(_lines(verdict, columns, _WHOLE))
    stated = wrapped(typeset(verdict.theorem.statement), room)
    last = width_of(stated[-1]) + _APART
    if len(stated) == 1 and last + in_a_row(sides).steady <= room:
        return 1, 1
    whole = len(stated) + (1 if in_a_row(sides).width < room else len(laid_sides(sides, room - 1)))
    numbers = numbers_of(sides)
    return (len(stated) if last + sum(map(len, numbers)) + 3 * len(numbers) - 3 <= room else whole), whole
