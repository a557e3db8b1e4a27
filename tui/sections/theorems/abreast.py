"""One theorem in several runs: the sides of each in large digits, or as thick curves on axes that all share."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Contrast, Sides
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.theorems.page import TheoremPage
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.charts import Chart, Line, Mark, after, drawn, put
from tui.paint.palette import Palette, glyph_of, mix
from tui.paint.text import typeset, wrapped
from tui.paint.x_axis import XAxis
from tui.sections.charts.meetings import put_knots
from tui.sections.theorems.charts import begun, paint_hidden_marks, sides_now, spans_powers
from tui.sections.theorems.large import DIGITS, ROWS, BigSides, inks, sides_of, standing, written
from tui.sections.theorems.relations import SIGN, beside, names_of, sides_text

_BLOCKS = (1 + ROWS, 2 + ROWS)  # rows of a run's letter, its digits, and names in one row or two
_MEASURED, _UNKNOWN = "measured", "not measured so far"
_LEAST = 6  # rows of a chart with its frame and legend
_HELD = 0.45  # of a curve's colour where a run has ended and holds its last values


class OfRun(Struct, frozen=True, eq=False):
    """What a theorem says of one of several runs.

    Attributes:
        run: which run.
        page: the theorem at the run's step.
        x, values: (m,) places on the common axis and (m, s) the sides there.
        here: the place of the run's step.
    """

    run: int
    page: TheoremPage
    x: Array
    values: Array
    here: float

    @property
    def sides(self) -> Sides | None:
        """The sides, those it had last where the theorem is silent; None where it had none so far."""
        return sides_of(self.page)

    @property
    def spoke(self) -> float:
        """The place of the step that its numbers are of: the run's, an earlier one where the theorem is silent."""
        before = self.x[self.x <= self.here]
        return float(before[-1]) if self.page.spoken is not None and len(before) else self.here


class Measured(Struct, frozen=True, eq=False):
    """Two numbers that were measured in one of several runs, and that no theorem compares; None before they were.

    Attributes:
        run: which run.
        contrast: what they are.
        sides: the numbers, as `measured_sides` puts them.
    """

    run: int
    contrast: Contrast
    sides: Sides | None


Shown: TypeAlias = OfRun | Measured


class Common(Struct, frozen=True):
    """What the runs are drawn against.

    Attributes:
        x_axis: the common axis.
        cursor: where they are on it.
        unit: its name.
        columns: how many stages stand beside each other.
    """

    x_axis: XAxis
    cursor: float
    unit: str
    columns: int


class _Axes(Struct, frozen=True, eq=False):
    """What the charts of all runs are drawn on.

    Attributes:
        common: what they are drawn against.
        every: the values that any side has there, which the axis of values has room for.
        log: whether that is logarithmic.
        tones: of the sides.
    """

    common: Common
    every: Array
    log: bool
    tones: Sequence[int]


class _Arranged(Struct, frozen=True):
    """How the digits of runs stand: so many beside each other, each in so many rows."""

    columns: int
    rows: int


def rows_of_digits(of_runs: Sequence[Shown], columns: int, rows: int) -> int:
    """Count the rows that the digits of all runs take, or lines of text a run where that is more than there are."""
    arranged = _arranged(of_runs, columns, rows)
    if arranged is not None:
        return len(of_runs) // arranged.columns * arranged.rows
    return sum(map(len, _lines_of_text(of_runs, columns, rows)))


def rows_of_heading(one: Shown, columns: int) -> int:
    """Count the rows that take what is stated, or what is held against what."""
    return len(_heading(one, columns))


def paint_heading(canvas: Canvas, one: Shown, palette: Palette) -> None:
    """Write above the runs what is stated, or what is held against what."""
    for row, line in enumerate(_heading(one, canvas.columns)):
        canvas.text(1, row, line, palette.ink, bold=True)


def _heading(one: Shown, columns: int) -> list[str]:
    return wrapped(typeset(one.page.theorem.statement if isinstance(one, OfRun) else one.contrast.words), columns - 2)


def paint_digits_abreast(canvas: Canvas, of_runs: Sequence[Shown], sides: BigSides, palette: Palette) -> None:
    """Paint the sides of each run in large digits, beside each other or one under the other; else in lines of text."""
    arranged = _arranged(of_runs, canvas.columns, canvas.rows)
    if arranged is None:
        row = 0
        for one, lines in zip(of_runs, _lines_of_text(of_runs, canvas.columns, canvas.rows)):
            _paint_text(canvas.part(0, row, canvas.columns, len(lines)), one, lines, palette)
            row += len(lines)
        return
    wide, high = canvas.columns // arranged.columns, arranged.rows
    for i, one in enumerate(of_runs):
        part = canvas.part(i % arranged.columns * wide, i // arranged.columns * high, wide, high)
        _letter(part, one, palette)
        below = part.part(0, 1, wide, high - 1)
        if isinstance(one, OfRun):
            sides.paint(below, one.page, palette)
        elif one.sides is not None:
            sides.paint_measured(below, one.sides, palette)


def _arranged(of_runs: Sequence[Shown], columns: int, rows: int) -> _Arranged | None:
    """Choose how many runs have their digits beside each other, with names that are whole in one row or in two; None
    where there is no room for that."""
    runs = len(of_runs)
    for count in (count for count in range(runs, 0, -1) if runs % count == 0):
        for named, high in enumerate(_BLOCKS, start=1):
            wide = columns // count
            if runs // count * high <= rows and all(BigSides.fits(one.sides, wide, named) for one in of_runs):
                return _Arranged(count, high)
    return None


def _lines_of_text(of_runs: Sequence[Shown], columns: int, rows: int) -> list[list[str]]:
    """Write the sides of each run in as few digits as it takes for one line, or in as many lines as there are rows."""
    room, each = columns - 6, max(rows // max(len(of_runs), 1), 1)
    return [_text_of(one, room)[:each] for one in of_runs]


def _text_of(one: Shown, room: int) -> list[str]:
    if one.sides is None:
        return wrapped(typeset(clean(one.page.verdict.why)), room) if isinstance(one, OfRun) else [_UNKNOWN]
    spoken = one.page.spoken if isinstance(one, OfRun) else None
    since = f"   at step {spoken.t:,}" if spoken is not None else ""
    return wrapped(sides_text(one.sides) + since, room) or [""]


def _paint_text(canvas: Canvas, one: Shown, lines: Sequence[str], palette: Palette) -> None:
    """Write a run's letter and sides in its rows."""
    column = canvas.text(1, 0, f" {LETTERS[one.run]} ", palette.background, palette.run(one.run), bold=True) + 1
    ink = inks(one.page, palette)[0] if isinstance(one, OfRun) else palette.ink
    for row, line in enumerate(lines):
        canvas.text(column, row, fitted(line, canvas.columns - column - 1), ink)


def _letter(canvas: Canvas, one: Shown, palette: Palette) -> None:
    """Write a run's letter, and how the theorem stands in it."""
    column = canvas.text(1, 0, f" {LETTERS[one.run]} ", palette.background, palette.run(one.run), bold=True) + 1
    if not isinstance(one, OfRun):
        canvas.text(column, 0, _MEASURED if one.sides is not None else _UNKNOWN, palette.dim)
        return
    texts, ink = standing(one.page, palette)
    room = canvas.columns - column - 1
    words = next((text for text in texts if width_of(text) <= room), texts[-1])
    canvas.text(column, 0, fitted(words, room), ink)


class CurvesAbreast:
    """Paints a chart a run, and keeps what was drawn until the sides, the size or the look change.

    Attributes:
        drawn: the charts, each with its first column, and its rows.
    """

    def __init__(self) -> None:
        self.drawn: list[tuple[int, range, Chart]] = []
        self._kept: dict[int, tuple[tuple[object, ...], Chart | None]] = {}

    def paint(
        self, canvas: Canvas, of_runs: Sequence[OfRun], common: Common, tones: Sequence[int], palette: Palette
    ) -> None:
        """Paint the charts as the stages stand; one axis of values for all. The sides have these tones."""
        known = [(one.x, begun(one.values)) for one in of_runs if one.values.size]
        log = bool(known) and spans_powers(np.concatenate([values.ravel() for _, values in known]))
        seen = [values[x <= common.x_axis.last].ravel() for x, values in known]
        every = np.concatenate(seen) if seen else np.zeros(0)
        axes = _Axes(common, every, log, tones)
        columns = min(common.columns, len(of_runs))
        high = canvas.rows // -(-len(of_runs) // columns)
        self.drawn = []
        for i, one in enumerate(of_runs):
            left, end = (canvas.columns * k // columns for k in (i % columns, i % columns + 1))
            top = i // columns * high
            chart = self._paint_run(canvas.part(left, top, end - left, high), one, axes, palette)
            if chart is not None:
                self.drawn.append((left + 1, range(top, top + high), chart))

    def _paint_run(self, canvas: Canvas, one: OfRun, axes: _Axes, palette: Palette) -> Chart | None:
        """Paint the sides of a run."""
        common, log = axes.common, axes.log
        note = f"logarithmic  {common.unit} →" if log else f"{common.unit} →"
        inside = framed(canvas, "", note, palette)
        canvas.text(2, 0, "─" * 3, palette.line)
        canvas.text(2, 0, f" {LETTERS[one.run]} ", palette.background, palette.run(one.run), bold=True)
        if canvas.rows < _LEAST:
            return None
        _legend(inside, one.page, axes.tones, palette)
        body = inside.part(0, 1, inside.columns, inside.rows - 1)
        chart = self._chart(body, one, axes, palette)
        if chart is None:
            inside.text(1, 1, "nothing was measured yet", palette.dim)
            return None
        now = sides_now(one.page)
        marks = [Mark(one.spoke, float(v), glyph_of(tone), palette.tone(tone)) for v, tone in zip(now, axes.tones)]
        hidden_marks = put(body, chart, common.cursor, after(chart, common.cursor), palette, marks, log)
        looks = [(tone, glyph_of(tone)) for tone in axes.tones]
        paint_hidden_marks(canvas, 6, canvas.columns - width_of(note) - 5, hidden_marks, looks, now.tolist(), palette)
        put_knots(body, chart, one.x, one.values, one.here, log, palette)
        return chart

    def _chart(self, body: Canvas, one: OfRun, axes: _Axes, palette: Palette) -> Chart | None:
        common = axes.common
        held = one.here < common.cursor
        look = (body.columns, body.rows, palette.name, axes.log, held, common.x_axis, *axes.tones)
        key = (*look, one.page.number, one.x.tobytes(), one.values.tobytes(), axes.every.tobytes())
        kept = self._kept.get(one.run)
        if kept is None or kept[0] != key:
            lines = _lines(one, common.x_axis.last if held else None, axes.tones, palette)
            x_axis, every = common.x_axis, axes.every
            chart = drawn(lines, body.columns, body.rows, x_axis, axes.log, palette, thick=True, holds=every)
            kept = self._kept[one.run] = key, chart
        return kept[1]


def _lines(one: OfRun, until: float | None, tones: Sequence[int], palette: Palette) -> list[Line]:
    """Make a line a side; of a run that has ended its last values go on, faint, up to a place."""
    lines = [Line(one.x, np.ascontiguousarray(s), palette.tone(t)) for s, t in zip(one.values.T, tones)]
    if until is not None and len(one.x):
        ends = np.array([one.x[-1], until])
        faint = [mix(palette.panel, palette.tone(tone), _HELD) for tone in tones]
        lines += [Line(ends, np.repeat(s[-1], 2), ink) for s, ink in zip(one.values.T, faint)]
    return lines


def _legend(canvas: Canvas, page: TheoremPage, tones: Sequence[int], palette: Palette) -> None:
    """ "● m = 48 ≤ ▲ R²/γ² = 2,375": names dim, numbers bright."""
    sides = sides_of(page)
    if sides is None:
        canvas.text(1, 0, fitted(page.verdict.why, canvas.columns - 2), palette.dim)
        return
    ink, relation = inks(page, palette)
    column = 0
    for i, (name, text) in enumerate(_fitting(sides, canvas.columns - 1)):  # with what stands between them
        if i:
            column = canvas.text(column + 1, 0, SIGN[sides.relation], relation, bold=True) + 1
        tone = tones[i] if i < len(tones) else 0
        column = canvas.text(column, 0, glyph_of(tone), palette.tone(tone), bold=True) + 1
        column = canvas.text(column, 0, name, palette.dim)
        column = canvas.text(column, 0, text, ink, bold=True)


def _fitting(sides: Sides, columns: int) -> list[tuple[str, str]]:
    """Pair names, with what stands between, and numbers; where they have no room so with fewer digits, then without
    blanks about "=", then with names cut or left out."""
    pairs: list[tuple[str, str]] = []
    whole = names_of(sides)
    for width, equals in ((None, " = "), (None, "="), (12, "="), (8, "="), (0, "=")):
        names = [name if width is None else fitted(name, width) for name in whole]
        for digits in DIGITS:
            texts = written(sides, digits)
            pairs = [(beside(n, text).removesuffix(text).replace(" = ", equals), text) for n, text in zip(names, texts)]
            if sum(width_of(name + text) + 5 for name, text in pairs) - 3 <= columns:
                return pairs
    return pairs


def here_on(x: Array, fallback: float) -> float:
    """Get the place of a run's step on the common axis, where that is known."""
    return float(x[0]) if len(x) and math.isfinite(x[0]) else fallback
