"""The numbers of several runs in one table: a row a number, a column a run, and how far apart two of them are."""

import math
from collections.abc import Sequence

from msgspec import Struct

from algorithms.core import Table
from algorithms.playback.compared_run import LETTERS
from algorithms.playback.viewer import Picture
from algorithms.timeline.variables import joined
from tui.paint.axes import framed
from tui.paint.canvas import Canvas
from tui.paint.palette import Palette
from tui.paint.ticks import number
from tui.sections.curves import measured
from tui.sections.tables import paint_table
from tui.sections.theorems import summary

_PLACES = frozenset(  # where a run is or what it looks at, which is no result
    (
        "step",
        "iteration",
        "epoch",
        "round",
        "sweep",
        "turn",
        "turns",
        "batch",
        "fold",
        "row",
        "place",
        "index",
        "i",
        "j",
    )
    + ("first", "used", "node", "feature", "column", "component", "layer")
)
_WIDTH = 10  # of a number, so that columns stay where they are


class Number(Struct, frozen=True):
    """A number that runs have at the step they show.

    Attributes:
        name: a curve's or a field's of the state.
        values: one a run; None where it has no such number.
        place: whether it says where runs are and is no result.
    """

    name: str
    values: tuple[float | None, ...]
    place: bool = False

    @property
    def shared(self) -> bool:
        return None not in self.values

    @property
    def apart(self) -> float:
        """Measure the greatest difference from the first run, as a share of the greater of the two; 0 if undecided."""
        first, *others = self.values
        shares = [abs(v - first) / max(abs(v), abs(first)) for v in others if _differ(first, v)]  # type: ignore[operator, arg-type]
        return max(shares, default=0.0)


def _differ(a: float | None, b: float | None) -> bool:
    return a is not None and b is not None and math.isfinite(a) and math.isfinite(b) and a != b


def numbers(pictures: Sequence[Picture]) -> list[Number]:
    """List step, iteration, every curve and those of the state's own numbers that all have; the shared ones first."""
    rows = _placed(_joined(_rows([_curves(picture) for picture in pictures]), pictures), pictures)
    curves = {_plain(row.name) for row in rows}
    fields = [row for row in _rows([_fields(picture) for picture in pictures]) if _plain(row.name) not in curves]
    known = [row for row in fields if row.shared and not all(v is not None and math.isnan(v) for v in row.values)]
    return sorted(rows + known, key=lambda row: not row.shared)


def _joined(rows: list[Number], pictures: Sequence[Picture]) -> list[Number]:
    """Hold curves that all runs draw along the same variable against each other at equal values of it, up to where
    each run is; "≈" where no run has another's values and they are read off the lines."""
    of_each = [{c.curve.name: c.along for cs in p.charts.values() for c in cs} for p in pictures]
    shown: list[Number] = []
    for row in rows:
        alongs = [known.get(row.name) for known in of_each]
        until = [along.until(p.frame.t) for along, p in zip(alongs, pictures) if along is not None]
        same = len(until) == len(pictures) > 1 and len({along.name for along in until}) == 1
        at = joined(until) if same else None
        if at is None:
            shown.append(row)
        else:
            where = f"{until[0].name} {'' if at.measured else '≈ '}{number(at.x)}"
            shown.append(Number(f"{row.name} at {where}", at.values))
    return shown


def _rows(of_each: list[dict[str, float]]) -> list[Number]:
    names = dict.fromkeys(name for one in of_each for name in one)
    return [Number(name, tuple(one.get(name) for one in of_each), _plain(name) in _PLACES) for name in names]


def _placed(rows: list[Number], pictures: Sequence[Picture]) -> list[Number]:
    """Tell which curves are what others are drawn along."""
    of_each = (c.curve.variable for p in pictures for cs in p.charts.values() for c in cs)
    variables = {of.name for of in of_each if of is not None}
    return [Number(row.name, row.values, row.place or row.name in variables) for row in rows]


def _plain(name: str) -> str:
    """Normalise a curve's name and a field's, so that equal ones are found."""
    return name.replace("_", " ").replace("-", " ").lower()


def _curves(picture: Picture) -> dict[str, float]:
    values: dict[str, float] = {"step": picture.frame.t, "iteration": picture.frame.state.iteration}
    for curves in picture.charts.values():
        values |= {curve.curve.name: curve.now for curve in curves if measured(curve, picture.frame.t)}
    return values


def _fields(picture: Picture) -> dict[str, float]:
    state = picture.frame.state
    values = {field: getattr(state, field) for field in type(state).__struct_fields__ if field != "t"}
    return {field: value for field, value in values.items() if type(value) in (int, float)}


def furthest_apart(rows: Sequence[Number]) -> int | None:
    """Find the row that differs most, as a share of itself, of those that are results; None when none does."""
    shares = [0.0 if row.place else row.apart for row in rows]
    most = max(shares, default=0.0)
    return shares.index(most) if most > 0 else None


def paint_numbers(canvas: Canvas, pictures: Sequence[Picture], note: str, palette: Palette) -> None:
    """Paint the table, framed, with how the theorems stand as its last row."""
    rows = numbers(pictures)
    two = len(pictures) == 2
    room = canvas.rows - 4
    most = furthest_apart(rows[:room])
    if len(rows) > room:
        note = f"{len(rows) - room} more: 3"
    inside = framed(canvas, "numbers", note, palette)
    lines: list[tuple[str, ...]] = []
    for i, row in enumerate(rows[:room]):
        mark = "◂" if i == most else " "
        cells = [_cell(value) for value in row.values]
        if two:
            cells.append(_difference(*row.values) + f" {mark}")
        else:
            cells[-1] += f" {mark}"
        lines.append((row.name, *cells))
    lines.append(("theorems", *(f"{_theorems(picture):>{_WIDTH}}" for picture in pictures), *([""] * two)))
    letters = [f"{LETTERS[i]:>{_WIDTH}}" for i in range(len(pictures))]
    table = Table(
        columns=("", *letters, *([f"{'B - A':>{_WIDTH}}"] * two)),
        rows=tuple(lines),
        marked=() if most is None else (most,),
    )
    paint_table(inside, table, palette)


def _theorems(picture: Picture) -> str:
    words = summary(picture.verdicts) or ("silent" if picture.verdicts else "none")
    return f"{words}, ✗ at {min(picture.failed.values()):,}" if picture.failed and "FAIL" not in words else words


def _cell(value: float | None) -> str:
    return f"{'' if value is None else number(value):>{_WIDTH}}"


def _difference(a: float | None, b: float | None) -> str:
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        return " " * _WIDTH
    text = "=" if a == b else f"+{number(b - a)}" if b > a else number(b - a)
    return f"{text:>{_WIDTH}}"
