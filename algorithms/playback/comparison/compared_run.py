"""ComparedRun: a run beside others; what they share, and what tells them apart."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from algorithms.core import Dataset
from algorithms.core.parameters import as_typed
from algorithms.core.text import clean
from algorithms.playback.comparison.letters import LETTERS as LETTERS, MOST as MOST
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.data_words import data_words, telling_words
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline import Timeline


class AsGiven(Struct, frozen=True, eq=False):
    """Data that only a script can make, as the source of themselves."""

    data: Dataset

    @property
    def name(self) -> str:
        return self.data.name

    def load(self) -> Dataset:
        """Give the data."""
        return self.data


class ComparedRun(Struct, frozen=True, eq=False):
    """One of the runs.

    Attributes:
        name: what it is called, "" for what tells it apart.
        timeline: the run.
        loaded: what was opened as it; None where that is not known, or it is a branch.
    """

    name: str
    timeline: Timeline
    loaded: LoadedRun | None = None

    @property
    def opened(self) -> LoadedRun:
        """Give what was opened as it, made up from the run where it is not known."""
        if self.loaded is not None:
            return self.loaded
        run = self.timeline
        usual = {p.name: p.default for p in run.algorithm.parameters}
        given = {name: value for name, value in run.parameters.items() if value != usual[name]}
        return LoadedRun(run.algorithm, run.data.source or AsGiven(run.data), run.data, given)


def common(compared: Sequence[ComparedRun]) -> tuple[str, str, tuple[str, ...]]:
    """Title, data and parameters that all of them share; what they do not share is left empty."""
    runs = [e.timeline for e in compared]
    titles = {run.algorithm.title for run in runs}
    algorithms = {run.algorithm for run in runs}
    title = titles.pop() if len(titles) == 1 else "side by side"
    differ = any(telling_words([run.data for run in runs]))
    shared = (
        ""
        if differ or not runs[0].data
        else data_words(runs[0].data, algorithms.pop() if len(algorithms) == 1 else None)
    )
    return clean(title), clean(shared), tuple(_shared(compared))


def distinct(compared: Sequence[ComparedRun], short: bool = False) -> list[str]:
    """Name each with what tells it from the others: "Title  eta 0.1", in short "name  eta 0.1"."""
    runs = [e.timeline for e in compared]
    words = []
    for each, run, title, data in zip(compared, runs, _titles(runs, short), telling_words([r.data for r in runs])):
        named = each.name.split()
        telling = [text for text in _telling(run, runs) if text.split()[0] not in named]
        words.append(clean("  ".join(filter(None, (each.name, title, data, *telling)))) or "the same")
    return words


def bare(compared: Sequence[ComparedRun], numbers: bool = False) -> list[str]:
    """Name each in fewer words: "k-means++  seed 7", words without the names of parameters; then the numbers without
    them too: "k-means++ 7". One that has a name of its own keeps that, and in the fewest words has no more."""
    runs = [e.timeline for e in compared]
    words = []
    for each, run, title, data in zip(compared, runs, _titles(runs, True), telling_words([r.data for r in runs])):
        if each.name:
            values = [] if numbers else [t for t in _telling(run, runs) if t.split()[0] not in each.name.split()]
        else:
            values = [_alone(text, numbers) for text in _telling(run, runs)]
        words.append(clean(" ".join(filter(None, (each.name, title, data, *values)))) or "the same")
    return words


def _alone(text: str, numbers: bool) -> str:
    """Leave out a parameter's name before a value that is a word, or a number where asked for."""
    name, _, value = text.partition(" ")
    return value if numbers or value[:1].isalpha() else text


def _titles(runs: Sequence[Timeline], short: bool) -> list[str]:
    """Name the algorithm of each run, with its file where another has the same name; "" where all are one."""
    names = [run.algorithm.name if short else run.algorithm.title for run in runs]
    files = [Path(run.algorithm.source[0]) for run in runs]
    titles = []
    for name, file in zip(names, files):
        namesakes = {other for other, of in zip(files, names) if of == name}
        parts = 1 if len({other.name for other in namesakes}) == len(namesakes) else 2
        where = f" ({'/'.join(file.parts[-parts:])})" if len(namesakes) > 1 else ""
        titles.append(f"{name}{where}")
    return titles if len(set(titles)) > 1 else [""] * len(runs)


def _telling(run: Timeline, runs: Sequence[Timeline]) -> list[str]:
    """List the parameters that another run has with another value, and those of its own that are not the usual ones."""
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


def _shared(compared: Sequence[ComparedRun]) -> list[str]:
    first, *others = (_parameters(e.timeline) for e in compared)
    return [text for text in first if all(text in other for other in others)]


def kindred(a: Dataset, b: Dataset) -> bool:
    """Tell whether two data sets have the same features in the same units, so that one plane does for both: not moons
    and blobs, whose features have the same names."""
    a, b = a.inputs, b.inputs
    units = np.array_equal(a.centre, b.centre) and np.array_equal(a.spread, b.spread)
    return a.name == b.name and a.features == b.features and a.scaled == b.scaled and units


def viewers(runs: Sequence[Timeline]) -> list[Viewer]:
    """Make one for each run; those on the same features have the same plane, with the same part of it in view."""
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
