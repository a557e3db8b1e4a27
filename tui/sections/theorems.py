"""The theorems: each with its statement, this step's numbers on both sides, and how close they are."""

import math
import re
from functools import lru_cache

from algorithms.core import Sides, Verdict
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import wrapped
from tui.paint.ticks import number

SIGN = {"<=": "≤", "<": "<", "==": "="}
_METER = 10
_NUMBER = re.compile(r"(?<!\S)[-+]?(?:[\d.,]*\d(?:e[-+]?\d+)?|∞|nan)(?![^\s,)])")


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

    Args:
        failed: theorems that did not hold at some step, with the first such step.

    Returns:
        How many are left out below, and the number of the theorem that each row painted belongs to.
    """
    if not verdicts:
        canvas.text(1, 0, "no theorem is stated for this one", palette.dim)
        return 0, []
    heights = [_height(v, canvas.columns) for v in verdicts]
    if sum(heights) > canvas.rows:
        return _paint_in_rows(canvas, verdicts, failed, palette, first)
    gap = 1 if canvas.rows - sum(heights) >= len(verdicts) - 1 else 0
    numbers: list[int] = []
    for i, (verdict, height) in enumerate(zip(verdicts, heights)):
        _paint_one(canvas.part(0, len(numbers), canvas.columns, height), verdict, failed, palette)
        numbers += [i] * (height + gap)
    return 0, numbers


def _paint_in_rows(
    canvas: Canvas, verdicts: tuple[Verdict, ...], failed: dict[str, int], palette: Palette, first: int
) -> tuple[int, list[int]]:
    """Paint as many whole as there is room for, from the first on, and each of the others in one row.

    Where there is no row for each, those before the first and the last ones are left out, and the last line says so.
    """
    hidden = 0
    there = range(len(verdicts))
    if len(verdicts) > canvas.rows:
        more = _height(verdicts[first], canvas.columns) - 1  # of that in hand the numbers are seen
        there = range(first, min(first + max(canvas.rows - 1 - more, 1), len(verdicts)))
        hidden = len(verdicts) - there.stop
    spare = canvas.rows - len(there) - (hidden > 0)
    whole: set[int] = set()
    for i in (*(i for i in there if i >= first), *(i for i in there if i < first)):
        more = _height(verdicts[i], canvas.columns) - 1
        if more <= spare:
            spare -= more
            whole.add(i)
    numbers: list[int] = []
    for i in there:
        height = _height(verdicts[i], canvas.columns) if i in whole else 1
        paint = _paint_one if i in whole else _paint_row
        paint(canvas.part(0, len(numbers), canvas.columns, height), verdicts[i], failed, palette)
        numbers += [i] * height
    if hidden:
        text = f"{hidden} more: 2 "
        canvas.text(canvas.columns - width_of(text), canvas.rows - 1, text, palette.accent, palette.panel)
    return hidden, numbers


def _paint_row(canvas: Canvas, verdict: Verdict, failed: dict[str, int], palette: Palette) -> None:
    """Paint a theorem in one row: its statement, and its sides where there is room for both."""
    mark, ink = _mark(verdict, palette)
    if verdict.status == "holds" and verdict.theorem.statement in failed:
        mark, ink = "✗", palette.wrong
    room = canvas.columns - 4
    sides = sides_text(verdict.sides) if verdict.sides is not None else ""
    if width_of(verdict.theorem.statement) + width_of(sides) + 2 > room:
        sides = ""
    canvas.text(1, 0, fitted(verdict.theorem.statement, room), palette.dim)
    if sides:
        _paint_sides(canvas, room + 1 - width_of(sides), 0, sides, palette)
    canvas.text(canvas.columns - 2, 0, mark, ink, bold=True)


def _paint_sides(canvas: Canvas, column: int, row: int, line: str, palette: Palette) -> None:
    """Write sides: what changes from step to step bright, their names dim."""
    canvas.text(column, row, line, palette.dim)
    for found in _NUMBER.finditer(line):
        canvas.text(column + width_of(line[: found.start()]), row, found.group(), palette.ink)


def _height(verdict: Verdict, columns: int) -> int:
    return len(wrapped(verdict.theorem.statement, columns - 4)) + len(_lines(verdict, columns))


def _lines(verdict: Verdict, columns: int) -> list[str]:
    """Write the lines under the statement: the sides, or why there are none."""
    if verdict.sides is None:
        text = verdict.why if verdict.status != "undecided" else f"undecided: {verdict.why}"
        return wrapped(text, columns - 5)
    return wrapped(sides_text(verdict.sides), columns - 5)


@lru_cache(256)
def sides_text(sides: Sides) -> str:
    """ "m γ 3.1 ≤ w·w* 4 ≤ ‖w‖ 4.2"; more digits where sides that differ would look the same."""
    shown = numbers_of(sides)
    sign = SIGN[sides.relation]
    text = f" {sign} ".join(value if name == value else f"{name} {value}" for name, value in zip(sides.names, shown))
    return text + _forgiven(sides)


def numbers_of(sides: Sides) -> list[str]:
    """Format the sides, with more digits where those that differ would look the same."""
    usual = [number(v) for v in sides.values]
    if sides.relation == "==":
        return usual
    for digits in (4, 6, 8):
        shown = [number(v, digits) for v in sides.values]
        if len(set(shown)) == len(set(sides.values)):
            return shown
    return usual  # equal but for rounding


def _forgiven(sides: Sides) -> str:
    """Say within what a statement holds whose sides are, taken exactly, the wrong way round: " (within 1e-12)"."""
    links = zip(sides.values, sides.values[1:], sides.tolerances)
    off = [tolerance for a, b, tolerance in links if (a > b if sides.relation != "==" else a != b)]
    return f" (within {max(off):.0e})".replace("e-0", "e-") if off and sides.hold else ""


def _paint_one(canvas: Canvas, verdict: Verdict, failed: dict[str, int], palette: Palette) -> None:
    status = verdict.status
    mark, ink = _mark(verdict, palette)
    silent = status in ("does not apply", "undecided")
    statement = wrapped(verdict.theorem.statement, canvas.columns - 4)
    for i, line in enumerate(statement):
        canvas.text(1, i, line, palette.dim if silent else palette.ink)
    canvas.text(canvas.columns - 2, 0, mark, ink, bold=True)
    earlier = failed.get(verdict.theorem.statement)
    for i, line in enumerate(_lines(verdict, canvas.columns), start=len(statement)):
        if status == "fails" or verdict.sides is None:
            canvas.text(3, i, line, palette.wrong if status == "fails" else palette.dim)
        else:
            _paint_sides(canvas, 3, i, line, palette)
        last = i == len(statement) + len(_lines(verdict, canvas.columns)) - 1
        if last and status == "fails":
            canvas.text(4 + width_of(line), i, "FAILS", palette.wrong, bold=True)
        elif last and earlier is not None:
            canvas.text(5 + width_of(line), i, fitted(f"failed at step {earlier}", 30), palette.wrong)
        elif last and verdict.sides is not None:
            _meter(canvas, i, 4 + width_of(line), verdict.sides, palette)


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


def wanted_rows(verdicts: tuple[Verdict, ...], columns: int) -> tuple[int, int]:
    """Count the rows that theorems take: one whole and the others in a row each; all of them whole, one between."""
    if not verdicts:
        return 0, 0
    one = len(wrapped(verdicts[0].theorem.statement, columns - 4))
    whole = sum(_height(v, columns) + 1 for v in verdicts) - 1
    return min(len(verdicts) + one + 1, whole), whole  # sides take two lines at times
