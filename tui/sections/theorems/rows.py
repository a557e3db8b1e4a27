"""The theorems: each with its statement, this step's numbers on both sides of it, and how close they are."""

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from algorithms.core import Sides, Verdict
from algorithms.core.theorems import NOT_NOW
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import typeset, wrapped
from tui.sections.theorems.relations import Piece, in_a_row, laid_sides, laid_values, named_values, width_of_pieces

_METER = 10
_APART = 2  # cells between a statement and what stands beside it, at least
_LEAST = 8  # cells of a statement that is cut for numbers beside it
_AVERAGE = "on average"
_BRIEF, _NUMBERED, _STATED, _WHOLE = range(4)  # in one row; with its numbers; with the whole statement; with all


class _Line(Struct, frozen=True):
    """A row of a theorem: what stands at its left from a column on, and what at its right."""

    left: tuple[Piece, ...] = ()
    right: tuple[Piece, ...] = ()
    column: int = 1


def summary(verdicts: tuple[Verdict, ...], room: int) -> str:
    """Summarise how the theorems stand, for the corner: "2 hold, 1 undecided"; and what an E says, if that has room."""
    count = {status: sum(v.status == status for v in verdicts) for status in ("fails", "holds", "undecided")}
    parts = [f"{count['fails']} FAIL" if count["fails"] > 1 else "1 FAILS"] if count["fails"] else []
    if count["holds"]:
        parts.append("1 holds" if count["holds"] == 1 else f"{count['holds']} hold")
    if count["undecided"]:
        parts.append(f"{count['undecided']} undecided")
    sign = [f"E: {_AVERAGE}"] if any(v.status == "expected" for v in verdicts) else []
    whole = ", ".join([*parts, *sign])
    return whole if width_of(whole) <= room else ", ".join(parts)


def paint_theorems(
    canvas: Canvas, verdicts: tuple[Verdict, ...], failed: dict[str, int], palette: Palette, first: int = 0
) -> tuple[int, list[int]]:
    """Paint as many theorems as there is room for: those that speak before those that are silent, in their order.

    Where there is no row for each the last line says how many are left out.

    Args:
        failed: theorems that did not hold at some step, with the first such step.
        first: how many are left out since they were seen already: of those that speak, then of the silent ones.

    Returns:
        How many are left out that come after, and the number of the theorem that each row painted belongs to.
    """
    if not verdicts:
        canvas.text(1, 0, "no theorem is stated for this one", palette.dim)
        return 0, []
    waiting = _in_turn(verdicts)[min(first, len(verdicts) - 1) :]
    laid = _laid_out(verdicts, waiting, canvas.columns, canvas.rows)
    hidden = [verdicts[i] for i in waiting if i not in laid]
    free = canvas.rows - sum(map(len, laid.values()))
    gap = 1 if not hidden and free >= len(laid) - 1 else 0
    numbers: list[int] = []
    for i in sorted(laid):
        _paint_one(canvas.part(0, len(numbers), canvas.columns, len(laid[i])), verdicts[i], laid[i], failed, palette)
        numbers += [i] * (len(laid[i]) + gap)
    if hidden:
        _paint_hidden(canvas, hidden, palette)
    return len(hidden), numbers


def in_hand(verdicts: Sequence[Verdict]) -> int:
    """Choose the theorem that is shown or opened where none is named: the first that speaks, else the first."""
    return next((i for i, verdict in enumerate(verdicts) if verdict.speaks), 0)


def paint_in_a_row(canvas: Canvas, verdict: Verdict, failed: dict[str, int], palette: Palette) -> None:
    """Paint a theorem in one row: its statement, this step's numbers and how it stands."""
    _paint_one(canvas, verdict, _lines(verdict, canvas.columns, _BRIEF)[:1], failed, palette)


def _in_turn(verdicts: Sequence[Verdict]) -> list[int]:
    """Order theorems as they have room: those that speak, what holds on average, those that say nothing."""
    return sorted(range(len(verdicts)), key=lambda i: (not verdicts[i].speaks, verdicts[i].status != "expected"))


def _laid_out(verdicts: Sequence[Verdict], waiting: Sequence[int], columns: int, rows: int) -> dict[int, list[_Line]]:
    """Lay theorems out in so many rows, the last of which is left free where not all have one.

    Each has its whole statement: of those that speak as many as have room, then their numbers, all that the first of
    them has to say, and the names that statements do not have. Then the silent ones have theirs, and all have more.
    """
    speaking = [i for i in waiting if verdicts[i].sides is not None]
    others = [i for i in waiting if verdicts[i].sides is None]
    brief = {i: _lines(verdicts[i], columns, _BRIEF) for i in waiting}
    shown = _fitting(speaking, brief, rows, all(i in speaking for i in waiting))
    laid = {i: brief[i] for i in shown}
    spare = rows - sum(map(len, laid.values()))
    first = [*((i, _NUMBERED) for i in shown), *((i, level) for i in shown[:1] for level in (_STATED, _WHOLE))]
    kept = min(len(waiting) - len(shown), 1)  # a row for the others, or to say how many there are
    stated = [(i, _STATED) for i in shown]
    spare = kept + _more(laid, verdicts, columns, spare - kept, [*first, *stated])
    if len(shown) < len(speaking):
        return laid
    seen = _fitting(others, brief, spare, True)
    laid |= {i: brief[i] for i in seen}
    if len(seen) == len(others):
        wants = [(i, _WHOLE) for i in shown] + [(i, level) for level in (_STATED, _WHOLE) for i in seen]
        _more(laid, verdicts, columns, spare - sum(len(brief[i]) for i in seen), wants)
    return laid


def _fitting(waiting: Sequence[int], lines: dict[int, list[_Line]], rows: int, alone: bool) -> list[int]:
    """Choose those, from the first on, that have room in so many rows; one is left to say how many there are more,
    unless these are all and all have room. What is too long for all of them is passed over."""
    if alone and sum(len(lines[i]) for i in waiting) <= rows:
        return list(waiting)
    fitting: list[int] = []
    for i in waiting:
        if len(lines[i]) > rows - 1:
            continue
        if sum(len(lines[j]) for j in (*fitting, i)) > rows - 1:
            break
        fitting.append(i)
    return fitting


def _more(
    laid: dict[int, list[_Line]],
    verdicts: Sequence[Verdict],
    columns: int,
    spare: int,
    wants: Sequence[tuple[int, int]],
) -> int:
    """Write (theorem, how much of it) where the spare rows are enough; returns those that are left."""
    for i, level in wants:
        longer = _lines(verdicts[i], columns, level)
        if 0 <= len(longer) - len(laid[i]) <= spare:
            spare -= len(longer) - len(laid[i])
            laid[i] = longer
    return spare


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
    stated = wrapped(statement, room)
    after = next((text for text in choices if width_of(stated[-1]) + width_of(text) + _APART <= room), "")
    lines = [_Line(((line, False),)) for line in stated]
    if verdict.why == NOT_NOW:  # as its sign says
        return lines
    lines[-1] = _Line(lines[-1].left, ((after, False),) if after else ())
    if level == _WHOLE and after != words:
        lines[-1] = _Line(lines[-1].left)
        lines += [_Line(((line, False),), column=3) for line in wrapped(words, room - 1)]
    return lines


@lru_cache(512)
def _speaking(statement: str, sides: Sides, room: int, level: int) -> list[_Line]:
    """Write a theorem that says something: the sides in the row of its statement where there is room for their names,
    whatever the numbers; else their numbers alone there, with a name that the statement does not have, or below it
    with their names."""
    stated = wrapped(statement, room)
    if len(stated) == 1 and in_a_row(sides).steady + width_of(statement) + _APART <= room:
        return [_Line(((statement, False),), in_a_row(sides).pieces)]
    if level <= _NUMBERED:
        return _brief(statement, sides, room, level)
    numbers = named_values(sides, statement)
    if level == _STATED and width_of(stated[-1]) + width_of_pieces(numbers) + _APART <= room:
        return [*(_Line(((line, False),)) for line in stated[:-1]), _Line(((stated[-1], False),), numbers)]
    below = [_Line(row, column=3) for row in laid_sides(sides, room - 1)]
    return [*(_Line(((line, False),)) for line in stated), *below]


def _brief(statement: str, sides: Sides, room: int, level: int) -> list[_Line]:
    """Write a theorem in as few rows as its whole statement takes: what is cut away may be what makes it true. Numbers
    stand at the end of the last row, in few digits if that helps; else they have the next row, or none."""
    stated = wrapped(statement, room)
    ways = (named_values(sides, statement), laid_values(sides), laid_values(sides, 3))
    lines = [_Line(((line, False),)) for line in stated]
    for numbers in ways:
        if width_of(stated[-1]) + width_of_pieces(numbers) + _APART <= room:
            return [*lines[:-1], _Line(lines[-1].left, numbers)]
    fitting = [numbers for numbers in ways if width_of_pieces(numbers) <= room - 1]
    return [*lines, _Line((), fitting[0])] if level == _NUMBERED and fitting else lines


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


def _paint_hidden(canvas: Canvas, hidden: Sequence[Verdict], palette: Palette) -> None:
    """Say in the last line how many more there are, and the key that shows them."""
    silent = all(verdict.status == "does not apply" for verdict in hidden)
    shows = " shows" if palette.keys else ""
    words = f"{shows} {len(hidden)} {'silent' if silent else 'more'} "
    left = canvas.columns - width_of(words) - 1
    if palette.keys:
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
    """Count the rows that theorems take: one whole and the others in a row each; with all statements; all whole.

    Of those that speak in turns, as many have rows as speak at a time, and the others one; but all of them whole.
    """
    if not verdicts:
        return 0, 0, 0
    first = len(wrapped(typeset(verdicts[0].theorem.statement), columns - 4))
    rows = [(len(_lines(v, columns, _STATED)), len(_lines(v, columns, _WHOLE))) for v in verdicts]
    names = next((both[1] - both[0] for both, v in zip(rows, verdicts) if v.sides is not None), 0)
    whole = sum(both[1] for both in rows)
    turns = [[both[0] for both, v in zip(rows, verdicts) if _may_speak(v, phase)] for phase in _phases(verdicts)]
    few, stated = (max(size(some) + (len(some) < len(rows)) for some in turns) for size in (len, sum))
    stated = min(stated + names, whole)
    return min(few + first, stated), stated, whole


def _phases(verdicts: Sequence[Verdict]) -> set[str]:
    """List the phases that theorems name, or one without a name."""
    return {phase for verdict in verdicts for phase in verdict.theorem.phases} or {""}


def _may_speak(verdict: Verdict, phase: str) -> bool:
    phases = verdict.theorem.phases
    return verdict.status != "expected" and (not phases or phase in phases)
