"""A panel of a scene: framed, with axes, marks and a legend."""

import re
from collections.abc import Sequence
from functools import lru_cache

from algorithms.core import Bars, Dataset, Matrix
from algorithms.core.regions import UNTINTED, slice_in_fewer_words
from algorithms.core.resolve import ResolvedPanel, Tint
from algorithms.playback.pictures.limits import Limits, has_bars, has_grids, whole_of
from tui.paint.axes import Look, plotted
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.common_prefix import cut_common_prefix
from tui.paint.legend import PAST, Entry, legend_of
from tui.paint.marks import paint_all
from tui.paint.matrices import matrix_part
from tui.paint.palette import Palette
from tui.paint.plot import Plot
from tui.paint.points import AT_END, ON_GROUND, SEVERAL, THIS_STEP, ground_of
from tui.paint.regions import FAINTER
from tui.sections.panels.trees import paint_tree, tree_of

_NAME, _SHORT = 24, width_of(THIS_STEP)  # columns of a name in a legend, and up to which none is cut for the others
_CLOSE = 12  # columns of a name from which on entries stand close to each other
_MEANT = (AT_END, SEVERAL, FAINTER, THIS_STEP)  # what a legend says first of how things are painted
_TALL = 14  # rows of a panel from which on its legend may take two
_CLAUSE, _OF_TINT = re.compile("[,;] "), re.compile(r"\b(mixed|striped|grey|tint|tinted|untinted)\b")
_LITTLE = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "by",
        "to",
        "for",
        "from",
        "into",
        "with",
        "and",
        "or",
        "±",
        "its",
        "their",
        "two",
        "equally",
    ]
)
_OPEN = frozenset(["that", "which", "where", "as", "is", "are", "than", "not", "no", "nothing", "without", "majority"])
_OPERATORS = frozenset("+-−·/×±=<>≤≥")


def paint_plot(canvas: Canvas, flat: ResolvedPanel, limits: Limits, palette: Palette, widened: bool = False) -> Plot:
    """Paint axes and marks; gives back the Plot, so that the mouse can be read on it.

    Args:
        widened: whether the limits may be widened for the labels to stand on their lines.
    """
    tree = tree_of(flat)
    if tree is not None:
        paint_tree(canvas, tree, frozenset(), palette)
        return Plot(canvas.part(0, 0, 0, 0), Limits(0, 1, 0, 1), palette)
    matrix = next((m for m in flat.marks if isinstance(m, Matrix)), None)
    if matrix is not None:
        plot = Plot(matrix_part(canvas, matrix), Limits(0, 1, 0, 1), palette)
    else:
        items = next((mark.names for mark in flat.marks if isinstance(mark, Bars)), ())
        look = Look(whole_of(flat), has_bars(flat), widened and not has_grids(flat), items)
        plot = plotted(canvas, limits, flat.across, flat.up, palette, flat.equal, flat.log, look)
    if plot.canvas.columns and plot.canvas.rows:  # there may be no room at all
        paint_all(flat.marks, plot)
    return plot


def words_of(flat: ResolvedPanel, palette: Palette) -> tuple[str, str]:
    """Choose title and note of a panel: where no region is tinted they promise none, and say why."""
    said = [clause for clause in _CLAUSE.split(flat.title) if not _OF_TINT.search(clause)]
    title = ", ".join(said) or _OF_TINT.sub("", flat.title).strip() or flat.title
    if UNTINTED in flat.note:  # the slice tells too little
        return title, flat.note
    if palette.tint[1] > 0 or not any(isinstance(mark, Tint) for mark in flat.marks):
        return flat.title, flat.note
    notes = [clause for clause in _CLAUSE.split(flat.note) if clause and not _OF_TINT.search(clause)]
    return title, ", ".join([f"{UNTINTED} here: 256 colours", *notes])


def corner_of(parts: Sequence[str], note: str, room: int) -> str:
    """Choose as many clauses as there is room for; none is cut, and the last one is left out first.

    That a panel is a slice is said in fewer words before it is left out, and before the others are.
    """
    first, own = ([clause for part in some if part for clause in part.split(", ")] for some in (parts, [note]))
    choices = [[*first, *own]]
    for fewer in slice_in_fewer_words(own):
        choices += [[*first[:kept], *fewer] for kept in range(len(first), -1, -1)]
    choices += [choices[0][:kept] for kept in range(len(choices[0]), 0, -1)]
    return next((", ".join(some) for some in choices if sum(width_of(part) + 2 for part in some) <= room), "")


def entries_of(flat: ResolvedPanel, data: Dataset, plot: Plot | None = None, still: bool = False) -> list[Entry]:
    """List what a panel's legend names; once it is painted, what had no room for its name there as well.

    Args:
        still: whether paths are listed that have no length yet.
    """
    entries = _named(flat, data, still)
    if plot is None:
        return list(entries)
    seen = [entry for entry in entries if plot.past_seen or entry[0] != PAST]
    return list(dict.fromkeys([*seen, *sorted(plot.unnamed, key=lambda entry: entry[1] == "accent")]))  # steps last


@lru_cache(8)  # asked before a panel is painted, for the rows of its legend, and after
def _named(flat: ResolvedPanel, data: Dataset, still: bool) -> tuple[Entry, ...]:
    codes = data.y if data.kind == "class" else None
    return tuple(legend_of(flat.marks, codes, data.classes, bool(flat.log), still))


def legend_rows(flat: ResolvedPanel, data: Dataset, columns: int, rows: int, plot: Plot | None = None) -> int:
    """Count the rows of a panel's legend with the names of all: a second one where the panel has room for it.

    Paths without length have room kept, so that the plot does not jump once they have some.
    """
    entries = [*entries_of(flat, data, plot, still=True), *_signs(plot)]
    lines = _lines([_columns(entry, _NAME) for entry in entries], columns - 5)
    return min(max(lines, default=0) + 1, 2 if rows >= _TALL else 1)


def paint_legend(
    canvas: Canvas,
    flat: ResolvedPanel,
    palette: Palette,
    data: Dataset,
    plot: Plot | None = None,
    rows: int = 1,
    signs: bool = True,
) -> None:
    """Write what glyphs mean on the lower line of the frame and so many rows above it; names are cut at a word where
    there is no room for all of them; then what was goes first, and what the step is about is the last to be left out.

    Args:
        signs: whether it goes on with how things are painted, where that leaves it room.
    """
    entries, room = entries_of(flat, data, plot), canvas.columns - 5
    names = cut_common_prefix([name for _, _, name in entries], rows * room)
    entries = [(glyph, tone, name) for (glyph, tone, _), name in zip(entries, names)]
    painted = _signs(plot) if signs else []
    last = [sign for sign in painted if sign[2] == THIS_STEP]
    while (past := _past(entries)) and not _fit([*entries, *last], _SHORT, room, rows):
        entries.pop(past[-1])
    while entries and last and not _fit([*entries, *last], _SHORT, room, rows):
        entries.pop()
    wide = next((w for w in range(_NAME, _SHORT, -1) if _fit([*entries, *last], w, room, rows)), _SHORT)
    for sign in painted[: len(painted) - len(last)]:
        whole = width_of(sign[2]) <= wide and _fit([*entries, sign, *last], wide, room, rows)
        entries += [sign] if whole else []
    entries += last
    lines = _lines([_columns(entry, wide) for entry in entries], room, rows)
    free = [2] * rows
    for (glyph, tone, name), line in zip(entries, lines):
        row = canvas.rows - max(lines) - 1 + line
        if line < 0:
            continue
        column = canvas.text(free[line], row, " ", palette.dim)
        tones = tone if isinstance(tone, tuple) else (tone,)
        for one, own in zip(glyph if len(tones) > 1 else (glyph,), tones):
            ink, ground = ground_of(own, palette) if one == ON_GROUND else (palette.tone(own), None)
            column = canvas.text(column, row, one, ink, ground)
        column = canvas.text(column, row, f" {cut_at_word(name, wide)}", palette.dim)
        canvas.text(column, row, " ", palette.dim)
        free[line] = column + (wide > _CLOSE)  # two blanks between them where there is room


def _signs(plot: Plot | None) -> list[Entry]:
    """List the signs of how things are painted on a plot, that of what the step is about last."""
    return sorted(dict.fromkeys(plot.signs), key=lambda sign: _MEANT.index(sign[2])) if plot is not None else []


def _past(entries: list[Entry]) -> list[int]:
    """Find the entries of what was: it is fainter than what is."""
    return [i for i, (glyph, _, _) in enumerate(entries) if glyph == PAST]


def _fit(entries: list[Entry], wide: int, room: int, rows: int) -> bool:
    """Tell whether all entries have room with names of at most so many columns."""
    return max(_lines([_columns(entry, wide) for entry in entries], room), default=0) < rows


def _lines(widths: list[int], room: int, rows: int = 99) -> list[int]:
    """Choose the line of each entry, in their order; -1 of one that has no room on so many."""
    lines, line, used = [], 0, 0
    for width in widths:
        if used and used + width > room and line + 1 < rows:
            line, used = line + 1, 0
        fits = used + width <= room or not used
        used += width * fits
        lines.append(line if fits else -1)
    return lines


def cut_at_word(name: str, width: int) -> str:
    """Cut a name to what fits, after a whole word that says something; a single one that is too long within it.

    A formula is not cut, nor a name that would say something else.
    """
    if width_of(name) <= width:
        return name
    words = name.split()
    for count in range(len(words) - 1, 0, -1):
        cut = " ".join(words[:count])
        if width_of(cut) <= width and not _says_else(words[:count], words[count:]):
            return cut.rstrip(",;:")
    return fitted(name, width) if len(words) == 1 and name.isalpha() else name


def _says_else(words: list[str], following: list[str]) -> bool:
    """Tell whether a name cut after some words ends in one that asks for more, or within a formula."""
    last, cut = words[-1].strip(",;:"), " ".join(words)
    within = cut.count("(") != cut.count(")") or cut.count("|") % 2 or cut.count("‖") % 2
    return bool(within) or last in _LITTLE | _OPEN | _OPERATORS or bool({*_formula(following)} & _OPERATORS)


def _formula(following: list[str]) -> list[str]:
    """Take the words that may go on a formula: two, where the first does not begin one in brackets."""
    return following[: 1 if following[0].startswith("(") else 2]


def _columns(entry: Entry, wide: int) -> int:
    """Count the columns of an entry whose name is cut to so many."""
    return width_of(entry[0]) + width_of(cut_at_word(entry[2], wide)) + 2 + (wide > _CLOSE)
