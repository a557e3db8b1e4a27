"""Legends: what the glyphs, lines and signs of a plot mean."""

import numpy as np

from algorithms.core import Array, Band, Bars, ErrorBars, Matrix, Paths, Points, Segments
from algorithms.core.resolve import UNDER, Faded, Levels
from algorithms.core.scene import Mark, Tone
from tui.paint.bars import INFINITE, NAN
from tui.paint.matrices import ends_of
from tui.paint.palette import FADED, HOLLOW, glyph_of
from tui.paint.points import ON_GROUND, tones_of
from tui.paint.ticks import number

Entry = tuple[str, Tone | tuple[Tone, ...], str]  # glyph, tone, name; of lines in several tones a glyph each

PAST = "╌"  # the sign of what was
_SIZES = "•●"
_MOST_TONES = 4  # of lines of one name that a legend shows
_FAINT = 0.75  # strength of curves below which those in ink look like muted ones


def legend_of(
    marks: tuple[Mark, ...], codes: Array | None, classes: tuple[str, ...], log: bool = True, still: bool = False
) -> list[Entry]:
    """List (glyph, tone, name) of what a plot shows, each once: points first, then lines.

    Points are the rows' classes where they have the data's own `codes`; else they are clusters, named in a table,
    unless they bring names of their own.

    Args:
        log: whether an axis is logarithmic, on which something may have no place.
        still: whether paths are listed that have no length yet, as those of means that have not moved.
    """
    points: list[Entry] = []
    lines: list[Entry] = []
    for mark in marks:
        match mark:
            case Points():
                points += _points(mark, codes, classes)
            case Faded():
                lines += [(PAST, "muted", mark.name)] if mark.name else []
            case Bars():
                lines += [("■", tone, name) for tone, name in mark.meanings]
                points += _no_numbers(np.asarray(mark.heights, float))
            case Matrix():
                points += _scale(mark) + _no_numbers(np.asarray(mark.values, float))
            case Paths() if not (still or _moves(mark)):
                pass
            case Paths() | Band() | ErrorBars() | Segments() | Levels():
                lines += _line(mark)
    if log and any(_clipped(mark) for mark in marks):
        lines.append(("◂▾", "muted", "≤ 0"))
    return list(dict.fromkeys([*points, *lines]))


def _line(mark: Paths | Band | ErrorBars | Segments | Levels) -> list[Entry]:
    if not mark.name:
        return []
    tones = list(dict.fromkeys(mark.tones)) if isinstance(mark, Paths) else [mark.tone]
    if isinstance(mark, Paths) and mark.strength is not None and tones == ["ink"]:
        tones = ["muted"] if float(np.max(mark.strength, initial=0.0)) < _FAINT else tones
    sign = "▒" if isinstance(mark, Band) else "┴" if isinstance(mark, ErrorBars) else "━"
    shown = tuple(tones[:_MOST_TONES])
    return [(sign * len(shown), shown if len(shown) > 1 else shown[0], mark.name)]


def _moves(mark: Paths) -> bool:
    """Tell whether some of the paths has a length, so that there is something of it to see."""
    at = np.asarray(mark.at, float)
    return bool((at[:, 1:] != at[:, :1]).any())


def _scale(mark: Matrix) -> list[Entry]:
    """List the values that the colours of a matrix with signs stand for: at the ends, and nothing in between."""
    low, high = ends_of(mark)
    if mark.ends is not None:
        return [("░", "ink", mark.ends[0]), ("█", "ink", mark.ends[1])]
    if not mark.signed:
        return [("█", "ink", number(high)), ("░", "ink", number(low))]
    most = max(abs(low), abs(high))
    return [("█", 1, number(most)), ("□", "muted", "0"), ("█", 0, number(-most))] if most > 0 else []


def _clipped(mark: Mark) -> bool:
    """Tell whether something of a mark has no logarithm, and so no place on the axis."""
    places = [getattr(mark, name, None) for name in ("at", "start", "end", "x", "lower", "upper")]
    return any(np.any(np.asarray(at, float) == UNDER) for at in places if at is not None)


def _points(mark: Points, codes: Array | None, classes: tuple[str, ...]) -> list[Entry]:
    entries: list[Entry] = []
    if mark.names and mark.classes is None and mark.shares is None:
        entries.append((glyph_of(mark.tone), mark.tone, mark.names[0]))
    elif mark.names:
        entries += [(glyph_of(i), i, name) for i, name in enumerate(mark.names) if name]
    elif mark.classes is not None and codes is not None and np.array_equal(mark.classes, codes):
        entries += [(glyph_of(i), i, name) for i, name in enumerate(classes)]
    if mark.crossed is not None and bool(np.any(mark.crossed)):
        tones = np.unique(tones_of(mark, np.flatnonzero(mark.crossed))).tolist()
        entries.append(("".join(dict.fromkeys(glyph_of(t, HOLLOW) for t in tones)), "muted", mark.cross))
    if mark.weights is not None and mark.sizes:
        entries.append((_SIZES, "muted", mark.sizes))
    if mark.haloed is not None and mark.halo and bool(np.any(mark.haloed)):
        entries.append((ON_GROUND, "ink", mark.halo))
    if mark.faded is not None and mark.fade and bool(np.any(mark.faded)):
        entries.append((FADED, "muted", mark.fade))
    return entries


def _no_numbers(values: Array) -> list[Entry]:
    """List the signs of what is no number, with how many there are."""
    counts = (NAN, "nan", int(np.isnan(values).sum())), (INFINITE, "infinite", int(np.isinf(values).sum()))
    return [(sign, "wrong", f"{count} {word}" if count > 1 else word) for sign, word, count in counts if count]
