"""The numbers of several runs in one table: a row a number, a column a run, and how far apart two of them are."""

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from algorithms.playback.comparison.best import best
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.earlier import Spoken
from algorithms.playback.comparison.matching import Matching
from algorithms.playback.comparison.objectives import Objectives
from algorithms.playback.pictures.viewer import Picture
from algorithms.timeline.variables import joined
from tui.paint.axes import framed
from tui.paint.canvas import Canvas
from tui.paint.palette import Palette
from tui.paint.ticks import number
from tui.sections.charts.curves import measured
from tui.sections.comparison.clusters import cluster_rows
from tui.sections.comparison.rows import DIGITS, Cell, Row, paint_rows
from tui.sections.comparison.theorems import theorem_rows

BEST = "best"
_ROUNDING = 1e-12  # of the larger of two numbers: what is less is no difference between runs
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
    + ("first", "used", "node", "feature", "column", "component", "layer", "stage", "sample", "k", "number", "rows")
    + ("asked", "best", "choice", "rival", "minus", "plus", "shown", "since")
)


class Number(Struct, frozen=True):
    """A number that runs have at the step they show.

    Attributes:
        name: a curve's or a field's of the state.
        values: one a run; None where it has no such number.
        place: whether it says where runs are and is no result.
        why: why they cannot be held against each other, "" where they can.
    """

    name: str
    values: tuple[float | None, ...]
    place: bool = False
    why: str = ""

    @property
    def shared(self) -> bool:
        return None not in self.values

    @property
    def apart(self) -> float:
        """Measure the greatest difference from the first run, as a share of the greater of the two; 0 if undecided."""
        first, *others = self.values
        if self.why:
            return 0.0
        shares = [abs(v - first) / max(abs(v), abs(first)) for v in others if _differ(first, v)]  # type: ignore[operator, arg-type]
        return max(shares, default=0.0)


def _differ(a: float | None, b: float | None) -> bool:
    return a is not None and b is not None and math.isfinite(a) and math.isfinite(b) and not _equal(a, b)


def _equal(a: float, b: float) -> bool:
    """Tell whether two numbers differ by no more than rounding."""
    return math.isclose(a, b, rel_tol=_ROUNDING, abs_tol=0.0)


def numbers(pictures: Sequence[Picture], objectives: Objectives | None = None) -> list[Number]:
    """List step, iteration, every curve and those of the state's own numbers that all have; the shared ones first."""
    same = objectives or Objectives()
    measured_now = [_judged(row, same) for row in _rows([_curves(picture) for picture in pictures])]
    rows = _placed(_joined(measured_now, pictures), pictures)
    curves = {_plain(row.name) for row in rows}
    own = [_judged(row, same) for row in _rows([_fields(picture) for picture in pictures])]
    fields = [row for row in own if not _known(row, rows, curves)]
    known = [row for row in fields if row.shared and not all(v is not None and math.isnan(v) for v in row.values)]
    return sorted(rows + known, key=lambda row: not row.shared)


def _known(field: Number, rows: Sequence[Number], curves: set[str]) -> bool:
    """Tell whether a field is a curve already: by its name, or with the same values and its name in the curve's."""
    name = _plain(field.name)
    return name in curves or any(name in _plain(row.name).split() and row.values == field.values for row in rows)


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
            shown.append(Number(f"{row.name} at {where}", at.values, why=row.why))
    return shown


def _rows(of_each: list[dict[str, float]]) -> list[Number]:
    names = dict.fromkeys(name for one in of_each for name in one)
    return [Number(name, tuple(one.get(name) for one in of_each), _plain(name) in _PLACES) for name in names]


def _placed(rows: list[Number], pictures: Sequence[Picture]) -> list[Number]:
    """Tell which curves are what others are drawn along."""
    of_each = (c.curve.variable for p in pictures for cs in p.charts.values() for c in cs)
    variables = {of.name for of in of_each if of is not None}
    return [Number(row.name, row.values, row.place or row.name in variables, row.why) for row in rows]


def _plain(name: str) -> str:
    """Normalise a curve's name and a field's, so that equal ones are found."""
    return name.replace("_", " ").replace("-", " ").lower()


def _curves(picture: Picture) -> dict[str, float]:
    values: dict[str, float] = {"step": picture.frame.t, "iteration": picture.frame.state.iteration}
    for curves in picture.charts.values():
        values |= {curve.curve.name: curve.now for curve in curves if measured(curve, picture.frame.t)}
    return values


def _held(picture: Picture) -> frozenset[str]:
    """Name the curves whose values were measured in another phase, before."""
    curves = (curve for curves in picture.charts.values() for curve in curves)
    return frozenset(curve.curve.name for curve in curves if curve.held_from is not None)


def _fields(picture: Picture) -> dict[str, float]:
    state = picture.frame.state
    values = {field: getattr(state, field) for field in type(state).__struct_fields__ if field != "t"}
    return {field: value for field, value in values.items() if type(value) in (int, float)}


def furthest_apart(rows: Sequence[Number]) -> int | None:
    """Find the row that differs most, as a share of itself, of those that are results; None when none does."""
    shares = [0.0 if row.place else row.apart for row in rows]
    most = max(shares, default=0.0)
    return shares.index(most) if most > 0 else None


def table_rows(
    pictures: Sequence[Picture],
    columns: int,
    spoken: Sequence[Sequence[Spoken | None]] = (),
    matching: Matching | None = None,
    ends: Sequence[int | None] = (),
    data: Sequence[Row] = (),
    objectives: Objectives | None = None,
) -> list[Row]:
    """List all rows of the table: results, where the runs are, their clusters, and both sides of their theorems.

    Args:
        columns: how wide it will be.
        spoken: what silent theorems said last, by run; nothing if not given.
        matching: the runs' clusters; none if not given.
        ends: the last step of each run, None of one that goes on.
        data: the rows about data that differ.
        objectives: what those of the runs depend on; the same for all if not given.
    """
    all_numbers = numbers(pictures, objectives)
    most = furthest_apart(all_numbers)
    held = [_held(picture) for picture in pictures]
    rows = [_row(row, i == most, held) for i, row in enumerate(all_numbers)]
    results = [row for row, known in zip(rows, all_numbers) if not known.place]
    if len(pictures) > 2:
        results = _with_the_best(results, [known for known in all_numbers if not known.place])
    if any(t is not None for t in ends):
        results.append(_ended(ends))
    places = [row for row, known in zip(rows, all_numbers) if known.place]  # which stand over the stages too
    clusters = [] if matching is None else cluster_rows(matching)
    theorems = theorem_rows(pictures, spoken or [()] * len(pictures), columns)
    return [*results, *data, *clusters, *theorems, Row("where they are", section=True), *places]


def _judged(number: Number, objectives: Objectives) -> Number:
    """Note why the values of a number cannot be held against each other, where they measure other objectives."""
    having = [i for i, value in enumerate(number.values) if value is not None]
    others = (objectives.incomparable(number.name, having[0], i) for i in having[1:])
    why = "" if number.place else next(filter(None, others), "")
    return Number(number.name, number.values, number.place, why)


def _with_the_best(rows: list[Row], known: Sequence[Number]) -> list[Row]:
    """Put under the first number of which it is known what is best how far each run is from that."""
    for i, row in enumerate(known):
        least = best(row.name, row.values)
        if row.shared and least is not None and row.apart:  # of one objective, else it is not told apart
            cells = tuple(_from_the_best(least, value) for value in row.values)
            return [*rows[: i + 1], Row("over the best", cells), *rows[i + 1 :]]
    return rows


def _from_the_best(least: float, value: float | None) -> Cell:
    words = _over(least, value)
    return Cell(words, True, "good" if words == BEST else "")


def _over(least: float, value: float | None) -> str:
    """Say how far a value is from the best one: "best", "+81.0 %"."""
    if value is None or not math.isfinite(value):
        return ""
    return BEST if _equal(value, least) else share(least, value) or difference(least, value)


def _ended(ends: Sequence[int | None]) -> Row:
    cells = tuple(Cell("–" if t is None else f"{t:,}", t is not None) for t in ends)
    later = () if len(ends) != 2 else (Cell(difference(*ends)),)
    return Row("ended at step", cells, later)


def paint_numbers(
    canvas: Canvas,
    pictures: Sequence[Picture],
    note: str,
    palette: Palette,
    spoken: Sequence[Sequence[Spoken | None]] = (),
    matching: Matching | None = None,
    first: int = 0,
    ends: Sequence[int | None] = (),
    data: Sequence[Row] = (),
    objectives: Objectives | None = None,
) -> int:
    """Paint the table, framed, from a row on; gives the greatest such row that leaves no room empty."""
    rows = table_rows(pictures, canvas.columns - 2, spoken, matching, ends, data, objectives)
    return paint_table(canvas, "numbers", rows, len(pictures), note, palette, first)


def paint_table(
    canvas: Canvas, title: str, rows: Sequence[Row], runs: int, note: str, palette: Palette, first: int = 0
) -> int:
    """Paint a table of runs, framed, from a row on; gives the greatest such row that leaves no room empty."""
    room = max(canvas.rows - 3, 1)
    last = max(len(rows) - room, 0)
    first = min(first, last)
    if last:
        seen = f"{first + 1} to {first + room} of {len(rows)} rows, pgdn"
        note = f"{seen}  {note}" if note else seen
    inside = framed(canvas, title, note, palette)
    heads = [Cell(LETTERS[i], run=i) for i in range(runs)]
    heads += [Cell("B - A"), Cell("of A")] if runs == 2 else []
    paint_rows(inside, heads, rows[first : first + room], palette)
    return last


def _row(row: Number, most: bool, held: Sequence[frozenset[str]]) -> Row:
    """Show a number; dim in a run that measured it in another phase, before."""
    ink: Literal["", "accent"] = "accent" if most else ""
    cells = tuple(
        Cell("–" if v is None else number(v, DIGITS), v is not None and row.name not in before, ink)
        for v, before in zip(row.values, held)
    )
    if len(cells) != 2:
        after: tuple[Cell, ...] = ()
    elif row.why:
        after = (Cell(""), Cell(row.why.partition(",")[0]))
    else:
        after = (Cell(difference(*row.values), most), Cell("" if row.place else share(*row.values), most))
    return Row(row.name.replace("_", " "), cells, after, marked=most)


def difference(a: float | None, b: float | None) -> str:
    """Say how far b is above a: "+18", "-63.903", "=", also but for rounding; "" where that is no number."""
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        return ""
    return "=" if _equal(a, b) else f"+{number(b - a, DIGITS)}" if b > a else number(b - a, DIGITS)


def share(a: float | None, b: float | None) -> str:
    """Say how far b is from a, as a share of it: "-44.8 %", "+0.005 %"; "" where there is none."""
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)) or a == 0 or _equal(a, b):
        return ""
    percent = 100 * (b - a) / abs(a)
    if abs(percent) < 1e-6:
        return f"{percent:+.0e} %"
    decimals = 0 if abs(percent) >= 1000 else 1 if abs(percent) >= 0.1 else -math.floor(math.log10(abs(percent)))
    return f"{percent:+,.{decimals}f} %"


def charted(
    pictures: Sequence[Picture], names: Sequence[str], objectives: Objectives | None = None
) -> list[tuple[str, str, str]]:
    """Give each run's number on the chart: the curve's name, its value, and how far that is from the first run's; of
    more than two runs from the best one's, where it is known which that is; where it is one of another objective, so
    that neither can be told, why."""
    same = objectives or Objectives()
    rows = [_charted(picture) for picture in pictures]
    shown = []
    for i, values in enumerate(rows):
        name = next((name for name in names if name in values), "")
        value = values.get(name)
        everyone = [other.get(name) for other in rows]
        known = len(rows) > 2 and None not in everyone and len(set(everyone)) > 1
        least = best(name, everyone) if known and same.comparable(name, range(len(rows))) else None
        apart = _over(least, value) if least is not None else _from_the_first(i, rows[0].get(name), value)
        if value is not None and rows[0].get(name) is not None and same.incomparable(name, 0, i):
            other = same.other(name, 0, i)  # of other data the run's name tells
            apart = f"other {other}" if other else ""
        shown.append((name, "" if value is None else number(value, DIGITS), apart))
    return shown


def _from_the_first(i: int, first: float | None, value: float | None) -> str:
    if i == 0 or value is None or first is None:
        return ""
    apart = share(first, value) or difference(first, value)
    return f"as {LETTERS[0]}" if apart == "=" else apart


def _charted(picture: Picture) -> dict[str, float]:
    """Get the values of the curves that were measured by now."""
    t = picture.frame.t
    return {c.curve.name: c.now for curves in picture.charts.values() for c in curves if measured(c, t)}
