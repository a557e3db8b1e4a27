"""Legends: what the glyphs, lines and signs of a plot mean."""

import numpy as np

from algorithms.core import Array, Band, Bars, ErrorBars, Matrix, Paths, Points
from algorithms.core.resolve import UNDER, Faded
from algorithms.core.scene import Mark, Tone
from tui.paint.bars import INFINITE, NAN
from tui.paint.palette import HOLLOW, glyph_of
from tui.paint.points import tones_of

Entry = tuple[str, Tone, str]  # glyph, tone, name


def legend_of(marks: tuple[Mark, ...], codes: Array | None, classes: tuple[str, ...]) -> list[Entry]:
    """List (glyph, tone, name) of what a plot shows, each once.

    Points are the rows' classes where they have the data's own `codes`; else they are clusters, named in a table,
    unless they bring names of their own.
    """
    entries: list[Entry] = []
    for mark in marks:
        match mark:
            case Points():
                entries += _points(mark, codes, classes)
            case Paths() | Band() | ErrorBars():
                tone = mark.tones[0] if isinstance(mark, Paths) else mark.tone
                glyph = {Paths: "━", Band: "▒"}.get(type(mark), "┴")
                entries += [(glyph, tone, mark.name)] if mark.name else []
            case Faded():
                entries += [("╌", "muted", mark.name)] if mark.name else []
            case Bars():
                entries += _no_numbers(np.asarray(mark.heights, float))
            case Matrix():
                entries += _no_numbers(np.asarray(mark.values, float))
    if any(_clipped(mark) for mark in marks):
        entries.append(("◂▾", "muted", "<= 0"))
    return list(dict.fromkeys(entries))


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
        tones = sorted(set(tones_of(mark, len(mark.at))[np.asarray(mark.crossed, bool)].tolist()))[:2]
        entries.append(("".join(glyph_of(t, HOLLOW) for t in tones), "muted", "wrong"))
    return entries


def _no_numbers(values: Array) -> list[Entry]:
    """List the signs of what is no number, with how many there are."""
    counts = (NAN, "nan", int(np.isnan(values).sum())), (INFINITE, "infinite", int(np.isinf(values).sum()))
    return [(sign, "wrong", f"{count} {word}" if count > 1 else word) for sign, word, count in counts if count]
