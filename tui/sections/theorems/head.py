"""The head of an opened theorem: the statement, its sides with their marks and numbers, what is left between them."""

import numpy as np

from algorithms.core import Array, Bars, Cursor, Sides
from algorithms.core.plane import Axis
from algorithms.core.text import clean, counted
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.theorems.page import SidesSoFar, TheoremPage
from tui.paint.axes import plotted
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.marks import paint
from tui.paint.palette import Palette, glyph_of
from tui.paint.text import typeset, wrapped
from tui.paint.ticks import number
from tui.sections.theorems.relations import SIGN, beside, names_of, numbers_of, values_of

_CHART, _BARS_HIGH, _BARS = 90, 8, 30  # of a histogram: columns and rows at most, and bars
_APART = 5  # columns between two sides, at least
_BESIDE = 2  # columns between two texts of one row


def paint_head(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint the statement and this step's numbers, or why there are none; returns the rows used."""
    standing, ink = _standing(page, palette)
    room = canvas.columns - width_of(standing) - _BESIDE
    statement = typeset(page.theorem.statement)
    in_its_row = width_of(statement) <= room
    lines = wrapped(statement, canvas.columns)
    for row, line in enumerate(lines):
        canvas.text(0, row, line, palette.accent, bold=True)
    if in_its_row:
        canvas.text(canvas.columns - width_of(standing), 0, standing, ink, bold=True)
    elif standing:
        canvas.text(0, len(lines), standing, ink, bold=True)
    row = len(lines) + bool(standing and not in_its_row)
    below = canvas.part(0, row, canvas.columns, canvas.rows - row)
    if page.verdict.status == "expected":
        return row + _paint_expected(below, page, palette)
    if page.verdict.sides is None:
        used = _paint_silent(below, page, palette)
        return row + used + _paint_widest(below.part(0, used, below.columns, below.rows - used), page, palette)
    left = page.so_far is None or not page.so_far.never_apart
    used = _paint_sides(below, page.verdict.sides, page.links, _curves_of(page), palette, left)
    return row + used + _paint_widest(below.part(0, used, below.columns, below.rows - used), page, palette)


def _paint_widest(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Say of sides that are to be equal, and were, by how much they differed; returns the rows used."""
    so_far = page.so_far
    if so_far is None or not so_far.never_apart:
        return 0
    lines = wrapped(widest_words(so_far), canvas.columns)
    for row, line in enumerate(lines):
        canvas.text(0, row, line, palette.dim)
    return len(lines)


def widest_words(so_far: SidesSoFar) -> str:
    """Say by how much sides differed at most that are to be equal."""
    most, t = so_far.widest
    steps = f"{counted(len(so_far.t), 'step')} measured"
    if most == 0:
        return f"over the run the sides agree in every digit, at all {steps}"
    return f"over the run the sides differ by at most {most:.2g}, at step {t:,}, of {steps}: rounding"


def _curves_of(page: TheoremPage) -> int:
    """Count the sides that have curves: those of all steps, of which one may have fewer."""
    return len(page.so_far.names) if page.so_far is not None else 0


def _standing(page: TheoremPage, palette: Palette) -> tuple[str, int]:
    """Say how it stands, at this step and at those before: (words, colour)."""
    steps = len(page.so_far.t) if page.so_far is not None else 0
    match page.verdict.status:
        case "fails":
            return "✗ FAILS", palette.wrong
        case _ if page.failed is not None:
            return f"it failed at step {page.failed:,} first", palette.wrong
        case "holds":
            return (
                f"✓ holds, at all {steps:,} steps measured" if steps > 1 else "✓ holds",
                palette.good,
            )
        case "undecided":
            return "? undecided at this step", palette.dim
        case "does not apply":
            return "– silent at this step", palette.dim
        case "expected":
            return "E speaks of the mean over many runs", palette.accent
    return "", palette.dim


def _paint_silent(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint why it is silent, when it last spoke and what it said then."""
    words = "it is not decided here" if page.verdict.status == "undecided" else "it says nothing here"
    spoken, known = page.spoken, page.so_far is not None and len(page.so_far.t) > 0
    if spoken is not None:
        then = f"; it last spoke at step {spoken.t:,}:"
    elif known and page.so_far is not None and page.so_far.t[0] > page.t:
        then = f"; it speaks at step {int(page.so_far.t[0]):,} first"
    else:
        then = "; it has not spoken at any step so far"
    lines = wrapped(f"{words}: {typeset(clean(page.verdict.why)).rstrip('.')}{then}", canvas.columns)
    for row, line in enumerate(lines):
        canvas.text(0, row, line, palette.dim)
    below = canvas.part(0, len(lines), canvas.columns, canvas.rows - len(lines))
    if spoken is not None and spoken.verdict.sides is not None:
        return len(lines) + _paint_sides(below, spoken.verdict.sides, (), _curves_of(page), palette)
    return len(lines) + (_paint_names(below, page.so_far.names, palette) if known and page.so_far is not None else 0)


def _paint_names(canvas: Canvas, names: tuple[str, ...], palette: Palette) -> int:
    """Paint the sides that have no numbers yet, with the marks of their curves."""
    column = 0
    for i, name in enumerate(names):
        canvas.text(column, 0, glyph_of(i), palette.tone(i))
        end = canvas.text(column + 2, 0, typeset(clean(name)), palette.dim)
        canvas.text(column + 2, 1, "–", palette.dim)
        column = end + _APART
    return 2


def _paint_sides(
    canvas: Canvas,
    sides: Sides,
    links: tuple[tuple[float, float], ...],
    curves: int,
    palette: Palette,
    drawn: bool = True,
) -> int:
    """Paint the sides in a line, with what is left between them below; under each other where the line is too short.

    Args:
        curves: how many marks are those of sides; what is left between them has those after.
        drawn: whether what is left has curves.
    """
    curves = 0 if sides.entry else max(curves, len(sides.names))
    if sides.entry:
        below = canvas.part(0, 1, canvas.columns, canvas.rows - 1)
        canvas.text(0, 0, fitted(_which_entry(sides), canvas.columns), palette.dim)
        return 1 + _paint_numbers(below, sides, links, curves, palette, drawn)
    return _paint_numbers(canvas, sides, links, curves, palette, drawn)


def _which_entry(sides: Sides) -> str:
    """Say which of the entries is shown that the statement is about."""
    if sides.shape in ((), (1,)):
        return "about every entry: there is one"
    which = f"entry {sides.entry}" if sides.entry[0].isdigit() else sides.entry
    return f"about all {' x '.join(map(str, sides.shape))} entries: at this step {which} is nearest to failing"


def _paint_numbers(
    canvas: Canvas,
    sides: Sides,
    links: tuple[tuple[float, float], ...],
    curves: int,
    palette: Palette,
    drawn: bool,
) -> int:
    """Paint names and numbers in a line, or under each other."""
    names = [clean(name) for name in names_of(sides)]
    values = numbers_of(sides)
    left = _what_is_left(sides, links)
    widths = [max(width_of(name), width_of(value)) + 2 for name, value in zip(names, values)]
    if sum(widths) + _APART * (len(names) - 1) > canvas.columns:
        return _paint_under_each_other(canvas, sides, left, curves, palette, drawn)
    free = canvas.columns - sum(widths)
    apart = max(min(max((width_of(text) for text in left), default=0) + 2, free // max(len(left), 1)), _APART)
    column = below = 0
    for i, (name, value, width) in enumerate(zip(names, values, widths)):
        if i:
            middle = column + apart // 2
            canvas.text(middle, 1, SIGN[sides.relation], palette.good if sides.hold else palette.wrong, bold=True)
            if left:
                start = max(middle - width_of(left[i - 1]) // 2 - 1, below)
                below = _paint_left(canvas, start, 2, left[i - 1], curves + i - 1 if drawn else None, palette) + _BESIDE
            column += apart
        if curves:
            canvas.text(column, 0, f"{glyph_of(i)} ", palette.tone(i))
        canvas.text(column + 2, 0, name, palette.dim)
        canvas.text(column + 2, 1, value, palette.ink, bold=True)
        column += width
    return 3 if left else 2


def _paint_under_each_other(
    canvas: Canvas, sides: Sides, left: list[str], curves: int, palette: Palette, drawn: bool
) -> int:
    """Paint a side a row, with what is left between it and the one before at the right."""
    at_the_right = max((width_of(text) for text in left), default=0) + 2
    for i, (name, text) in enumerate(zip(names_of(sides), numbers_of(sides))):
        if i:
            canvas.text(0, i, SIGN[sides.relation], palette.good if sides.hold else palette.wrong, bold=True)
        if curves:
            canvas.text(2, i, glyph_of(i), palette.tone(i))
        room = canvas.columns - at_the_right - width_of(text) - 10
        name = beside(fitted(clean(name), room), text).removesuffix(text)
        column = canvas.text(4, i, name, palette.dim)
        canvas.text(column, i, text, palette.ink, bold=True)
        if i and left:
            _paint_left(
                canvas, canvas.columns - at_the_right, i, left[i - 1], curves + i - 1 if drawn else None, palette
            )
    return len(sides.names)


def _what_is_left(sides: Sides, links: tuple[tuple[float, float], ...]) -> list[str]:
    """Say what is left between neighbouring sides: nothing between two that are 0 but for rounding."""
    values = values_of(sides)
    none = [a == b == 0 for a, b in zip(values, values[1:])]
    return [_left(0.0 if lost else gap, forgiven, sides.relation) for (gap, forgiven), lost in zip(links, none)]


def _left(gap: float, forgiven: float, relation: str) -> str:
    """ "2.38 left"; what rounding is forgiven where there is no more than that."""
    within = f" (within {forgiven:.1g})" if abs(gap) <= forgiven else ""
    return f"{number(abs(gap))} apart{within}" if relation == "==" else f"{number(gap)} left{within}"


def _paint_left(canvas: Canvas, column: int, row: int, text: str, tone: int | None, palette: Palette) -> int:
    """Paint what is left between two sides, with the mark of its curve where it has one."""
    if tone is not None:
        canvas.text(column, row, glyph_of(tone % len(palette.classes)), palette.tone(tone))
    value, _, words = text.partition(" ")
    column = canvas.text(column + 2, row, value, palette.ink)
    return canvas.text(column + 1, row, words, palette.dim)


def _paint_expected(canvas: Canvas, page: TheoremPage, palette: Palette) -> int:
    """Paint the mean over the runs so far beside what it is held against, and the runs as a histogram."""
    estimate = page.estimate
    if estimate is None or not len(estimate.values):
        lines = wrapped(typeset(clean(page.verdict.why)), canvas.columns)
        for row, line in enumerate(lines):
            canvas.text(0, row, line, palette.dim)
        return len(lines)
    mean, bound = (typeset(clean(name)) for name in estimate.expectation.names)
    value = f"{number(estimate.mean)} ± {estimate.error:.2g}"
    right = max(width_of(mean), width_of(value)) + 3
    canvas.text(0, 0, mean, palette.dim)
    canvas.text(0, 1, value, palette.ink, bold=True)
    canvas.text(right, 0, fitted(bound, canvas.columns - right), palette.dim)
    canvas.text(right, 1, number(estimate.bound), palette.ink, bold=True)
    failed = f"; {estimate.failed:,} failed" if estimate.failed else ""
    words = f"{estimate.runs:,} of {counted(estimate.of, 'run')}{failed}; a mean has an error, so it is no verdict"
    canvas.text(0, 2, fitted(words, canvas.columns), palette.dim)
    _histogram(
        canvas.part(0, 4, min(canvas.columns, _CHART), _BARS_HIGH + 2), estimate.values, estimate.mean, mean, palette
    )
    return _BARS_HIGH + 6


def _histogram(canvas: Canvas, measured: Array, mean: float, name: str, palette: Palette) -> None:
    """Paint how many runs measured how much; the mean stands as a line."""
    values = measured[np.isfinite(measured)]
    if not len(values):
        return
    heights, edges = np.histogram(values, bins=min(_BARS, len(values)))
    limits = Limits(float(edges[0]), float(edges[-1]), 0.0, float(heights.max()))
    across = Axis(name.removeprefix("mean "))
    plot = plotted(canvas, limits, across, Axis("runs"), palette)
    if plot.canvas.columns and plot.canvas.rows:
        paint(Bars(heights=heights.astype(float), edges=edges, tones=(0,)), plot)
        if len(values) > 1:
            paint(Cursor(x=mean, tone="accent"), plot)
