"""Entrants: the runs that are held against each other, what they share and what tells them apart."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Dataset
from algorithms.core.parameters import as_typed
from algorithms.data.text import clean
from algorithms.playback.loaded_run import data_words
from algorithms.playback.viewer import Viewer
from algorithms.timeline import Timeline

LETTERS = "ABCD"  # what the runs are called, on charts and in tables
MOST = len(LETTERS)


class ComparedRun(Struct, frozen=True, eq=False):
    """One of the runs.

    Attributes:
        name: what it is called, "" for what tells it apart.
        timeline: the run.
    """

    name: str
    timeline: Timeline


def common(entrants: Sequence[ComparedRun]) -> tuple[str, str, tuple[str, ...]]:
    """Title, data and parameters that all of them share; what they do not share is left empty."""
    titles = {e.timeline.algorithm.title for e in entrants}
    data = {data_words(e.timeline.data) for e in entrants}
    title = titles.pop() if len(titles) == 1 else "side by side"
    return clean(title), clean(data.pop()) if len(data) == 1 else "", tuple(_shared(entrants))


def distinct(entrants: Sequence[ComparedRun], short: bool = False) -> list[str]:
    """For each its name, and what tells it from the others: "Title  eta 0.1", in short "name  eta 0.1"."""
    runs = [e.timeline for e in entrants]
    titles = [r.algorithm.name if short else r.algorithm.title for r in runs]
    data = [data_words(r.data) for r in runs]
    found = []
    for entrant, run, title, words in zip(entrants, runs, titles, data):
        parts = [entrant.name] if entrant.name else []
        if len(set(titles)) > 1:
            parts.append(title)
        if len(set(data)) > 1:
            parts.append(words)
        said = entrant.name.split()
        parts += [text for text in _telling(run, runs) if text.split()[0] not in said]
        found.append(clean("  ".join(parts)) or "the same")
    return found


def _telling(run: Timeline, runs: Sequence[Timeline]) -> list[str]:
    """The parameters that another run has with another value, and those of its own that are not the usual ones."""
    usual = {p.name: p.default for p in run.algorithm.parameters}
    differ, own = [], []
    for name, value in run.parameters.items():
        others = [other.parameters[name] for other in runs if name in other.parameters]
        if any(other != value for other in others):
            differ.append(f"{name} {as_typed(value)}")
        elif len(others) < len(runs) and value != usual[name]:
            own.append(f"{name} {as_typed(value)}")
    return differ + own


def _parameters(run: Timeline) -> list[str]:
    return [f"{name} {as_typed(value)}" for name, value in run.parameters.items()]


def _shared(entrants: Sequence[ComparedRun]) -> list[str]:
    first, *others = (_parameters(e.timeline) for e in entrants)
    return [text for text in first if all(text in other for other in others)]


def kindred(a: Dataset, b: Dataset) -> bool:
    """Whether two data sets have the same features in the same units, so that one plane does for both."""
    a, b = a.inputs, b.inputs
    units = np.array_equal(a.centre, b.centre) and np.array_equal(a.spread, b.spread)
    return a.features == b.features and a.scaled == b.scaled and units


def viewers(runs: Sequence[Timeline]) -> list[Viewer]:
    """One for each; those on the same features look at them on the same plane, with the same part of it in view."""
    made: list[Viewer] = []
    for run in runs:
        kin = [viewer for viewer in made if kindred(viewer.timeline.data, run.data)]
        rows = dict.fromkeys(other.data for other in runs if kindred(other.data, run.data))  # in one order for all
        viewer = Viewer(run, kin[0].slices if kin else None, tuple(rows))
        for like in kin:
            like.slices.shared = True
            if like.timeline.algorithm is run.algorithm:
                viewer.fit_with(like)
        made.append(viewer)
    return made
