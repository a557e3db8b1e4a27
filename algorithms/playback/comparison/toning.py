"""Toning: the marks of a resolved panel in other tones, so that matched clusters of several runs look alike."""

from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Points
from algorithms.core.regions import Tint
from algorithms.core.resolve import Faded, ResolvedPanel
from algorithms.core.scene import Mark
from algorithms.playback.comparison.matching import Clusters, Tones


def retoned(panel: ResolvedPanel, clusters: Clusters, tones: Tones) -> ResolvedPanel:
    """Give each cluster its tone; classes of the data keep theirs, and roles."""
    if tones == tuple(range(clusters.k)):
        return panel
    return replace(panel, marks=tuple(map(partial(_mark, clusters=clusters, tones=tones), panel.marks)))


def _mark(mark: Mark, clusters: Clusters, tones: Tones) -> Mark:
    match mark:
        case Faded():
            return replace(mark, mark=_mark(mark.mark, clusters, tones))
        case Points():
            return _points(mark, clusters, tones)
        case Tint():
            palette = tuple(_tone(tone, tones) for tone in mark.palette)
            return replace(mark, tones=_codes(mark.tones, tones), palette=palette)
    changes: dict[str, Any] = {}
    if hasattr(mark, "tone"):
        changes["tone"] = _tone(mark.tone, tones)
    if hasattr(mark, "tones"):
        changes["tones"] = tuple(_tone(tone, tones) for tone in mark.tones)
    return replace(mark, **changes) if changes else mark


def _points(mark: Points, clusters: Clusters, tones: Tones) -> Points:
    classes, shares, names = mark.classes, mark.shares, mark.names
    if classes is not None and not _of_the_data(classes, clusters):
        classes, names = _codes(classes, tones), _named(names, tones)
    if shares is not None:
        spread = np.zeros((len(shares), max(tones, default=-1) + 1))
        for j, tone in enumerate(tones[: shares.shape[1]]):
            spread[:, tone] += shares[:, j]
        shares, names = spread, _named(names, tones)
    return replace(mark, classes=classes, shares=shares, tone=_tone(mark.tone, tones), names=names)


def _of_the_data(classes: Array, clusters: Clusters) -> bool:
    """Tell whether codes are the classes of the data, and not clusters that happen to be the same."""
    y = clusters.data.y
    return y is not None and np.array_equal(classes, y) and not np.array_equal(classes, clusters.labels)


def _named(names: tuple[str, ...], tones: Tones) -> tuple[str, ...]:
    """Put the names of clusters where their tones are; "" where a tone between them is nobody's."""
    if len(names) != len(tones):
        return names
    by_tone = dict(zip(tones, names))
    return tuple(by_tone.get(tone, "") for tone in range(max(tones, default=-1) + 1))


def _codes(codes: Array, tones: Tones) -> Array:
    """Exchange codes for tones; those that are no cluster's stay."""
    codes = np.asarray(codes)
    table = np.asarray(tones, np.int16)
    inside = (codes >= 0) & (codes < len(table))
    return np.where(inside, table[np.where(inside, codes, 0)], codes)


def _tone(tone: Any, tones: Tones) -> Any:
    return tones[tone] if isinstance(tone, int | np.integer) and 0 <= tone < len(tones) else tone
