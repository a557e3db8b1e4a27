"""Diverge: two runs held against each other, with the first step at which they differ, on a few lines."""

import math
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused
from algorithms.core.text import counted
from algorithms.saving.runlog import LoggedRun
from algorithms.timeline import Timeline
from algorithms.timeline.changed_fields import formatted
from algorithms.timeline.computing import in_order, lines_apart
from algorithms.timeline.divergence import ITERATION, STEP, Comparison, Divergence, closest, started_alike
from algorithms.timeline.source_texts import prose, texts_of, versions

_FEW_ROWS = 6  # in which two versions differ, that are written
_FURTHER = 200  # pairs of states that are looked at behind the first difference, for fields that agree so far


def shared_out(
    both: Mapping[str, str], first: Algorithm, second: Algorithm, own: tuple[Mapping[str, str], Mapping[str, str]]
) -> tuple[dict[str, str], dict[str, str]]:
    """Give each of two algorithms its parameters: of those for both, the ones that it takes, and its own.

    A recording takes none, since it has them with it; beside one, an algorithm has the recorded ones where none are
    given.

    Raises:
        Refused: for one that neither takes.
    """
    pair = (first, second)
    takes = [set() if isinstance(one, LoggedRun) else {parameter.name for parameter in one.parameters} for one in pair]
    for name in both:
        if name not in takes[0] | takes[1]:
            raise Refused(f"neither {first.title} nor {second.title} takes a parameter {name!r}.")
    recorded = [_recorded(other) for other in (second, first)]
    one, other = (
        {name: value for name, value in (beside | dict(both)).items() if name in taken} | dict(mine)
        for beside, taken, mine in zip(recorded, takes, own)
    )
    return one, other


def held_against(
    asked: Namespace, runs: Sequence[tuple[Algorithm, Dataset, Mapping[str, Any]]], names: tuple[str, str]
) -> Comparison:
    """Run the two of them, each on its data, as far as what is asked needs, and hold their states together.

    Raises:
        Refused: for fields, a field to line up by, or a start that the two do not have.
    """
    one, other = (Timeline(*run) for run in runs)
    match = matched(asked.match)
    if asked.start:
        ours = {theirs: mine for mine, theirs in match.items()}
        start = [name.strip() for name in asked.start.split(",")]
        other = started_alike(one, other, {ours.get(name, name): name for name in start})
    most = float("inf") if asked.steps is None else asked.steps
    return closest(one, other, match=match, by=asked.by, tolerance=asked.tolerance, most=most, names=names)


def _recorded(algorithm: Algorithm) -> dict[str, Any]:
    """Collect the parameters of a recording; none of what is no recording."""
    return {p.name: p.default for p in algorithm.parameters} if isinstance(algorithm, LoggedRun) else {}


def paired_data(
    first: Algorithm, second: Algorithm, load: Callable[[Source | None], Dataset]
) -> tuple[Dataset, Dataset]:
    """Give each of two algorithms its data: a recording its own, beside one the same, else what `load` gives.

    Args:
        load: the data that the command line speaks of; where it names none, those of the source, if there is one.
    """
    recordings = [one for one in (first, second) if isinstance(one, LoggedRun)]
    if not recordings:
        data = load(None)
        return data, data
    rows = recordings[0].datasets[0] if recordings[0].data is not None else None
    one, other = (_own_data(one) if isinstance(one, LoggedRun) else load(rows) for one in (first, second))
    return one, other


def _own_data(recording: LoggedRun) -> Dataset:
    return recording.datasets[0].load()


def matched(texts: list[str]) -> dict[str, str]:
    """Read the pairs in "centres=means,labels": a name alone is the same in both."""
    pairs: dict[str, str] = {}
    for text in texts:
        for part in filter(None, (p.strip() for p in text.split(","))):
            first, equals, second = (p.strip() for p in part.partition("="))
            if not first or (equals and not second):
                raise Refused(f"{part!r} does not say which field is which, as in --match centres=means.")
            pairs[first] = second or first
    return pairs


def lines(done: Comparison, names: tuple[str, str]) -> Iterator[str]:
    """Write the outcome of a comparison: what was compared, how far it agrees, and the first difference."""
    way = {STEP: "step with step", ITERATION: "the last state of each iteration with the other's"}
    fields = ", ".join(a if a == b else f"{a} = {b}" for a, b in done.fields.items())
    yield f"compared: {way.get(done.by, f'each state of the phase {done.by} with the other')}; {fields or 'nothing'}"
    divergence = done.divergence
    if divergence is None:
        compared = "the one state that was" if done.compared == 1 else f"all {done.compared:,} states that were"
        yield f"They agree in {compared} compared."
        return
    yield f"agree in: {counted(done.compared, 'state')}"
    if divergence.fields[0]:
        yield from _rows(divergence.steps, divergence.fields, divergence.index, divergence.values, names)
        yield "field by field, each where it first differs, in the order in which they are computed:"
        yield from _table(_field_by_field(done))
        yield from _computed(done, divergence, names)
    yield divergence.sentence


def _field_by_field(done: Comparison) -> list[tuple[str, Divergence | str]]:
    """Compare each field alone, so many states further than where one differed; those that differ come first."""
    assert done.divergence is not None
    found: list[tuple[str, Divergence | str]] = []
    for name, counterpart in done.fields.items():
        alone = done.alone(name, counterpart, done.compared + _FURTHER)
        while not alone.done:
            alone.work(1.0)
        agrees = "agrees so far" if alone.compared == done.compared + _FURTHER else "agrees"
        divergence = alone.divergence if alone.divergence is not None and alone.divergence.fields[0] else agrees
        found.append((name if name == counterpart else f"{name} = {counterpart}", divergence))
    names = {label: label.partition(" = ")[0] for label, _ in found}
    order = in_order(done.runs[0], done.divergence.steps[0], names.values())
    never = (1 << 62, 0)
    return sorted(
        found, key=lambda row: (never if isinstance(row[1], str) else row[1].steps, order.index(names[row[0]]))
    )


def _table(found: list[tuple[str, Divergence | str]]) -> Iterator[str]:
    """Write a line a field: whether it agrees, from which step it does not, in how many entries, by how much most."""
    cells = [("", "first differs", "entries", "largest difference", "at")]
    for name, apart in found:
        if isinstance(apart, str):
            cells.append((name, apart, "", "", ""))
            continue
        step = " and ".join(f"{t:,}" for t in dict.fromkeys(apart.steps))
        single = apart.of == 1 and not apart.index
        largest = "other shapes" if apart.shapes else "" if math.isnan(apart.largest) else formatted(apart.largest)
        entries = "" if single or apart.shapes else f"{apart.count:,} of {apart.of:,}"
        worst = f"[{','.join(map(str, apart.worst))}]" if apart.worst else ""
        cells.append((name, f"step {step}", entries, largest, worst))
    widths = [max(len(row[i]) for row in cells) for i in range(5)]
    for row in cells:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _computed(done: Comparison, divergence: Divergence, names: tuple[str, str]) -> Iterator[str]:
    """Write the lines that give the field which is computed first, of those that differ; of runs that have them."""
    places = lines_apart(done.runs, divergence.steps, divergence.fields)
    known = [(name, place) for name, place in zip(names, places) if place is not None]
    if not known:
        return
    yield f"{divergence.fields[0]} is computed first of what differs:"
    width = max(len(name) for name, _ in known)
    for name, (line, text) in known:
        yield f"  {name.ljust(width)}  line {line:,}: {text}"
    if len(known) == 2 and known[0][1][1] == known[1][1][1]:
        yield from _versions(done, names)


def _versions(done: Comparison, names: tuple[str, str]) -> Iterator[str]:
    """Write the lines in which two versions of one program differ, where they are few."""
    texts = texts_of(*done.runs)
    words = [prose(text.lines) for text in texts]
    rows = [row for row in versions(texts[0].lines, texts[1].lines) or () if not row.same]
    rows = [row for row in rows if not all(place is None or place in said for place, said in zip(row.places, words))]
    if not 0 < len(rows) <= _FEW_ROWS:
        return
    yield "it is the same line in both; their sources differ in:"
    width = max(map(len, names))
    for row in rows:
        for name, text, place in zip(names, texts, row.places):
            if place is not None:
                yield f"  {name.ljust(width)}  line {text.first + place:,}: {text.lines[place].strip()}"


def _rows(
    steps: tuple[int, int], fields: tuple[str, str], index: tuple[int, ...], values: tuple[Any, Any],
    names: tuple[str, str],
) -> Iterator[str]:  # fmt: skip
    at = f"[{','.join(map(str, index))}]" if index else ""
    cells = [("", "step", "field", "value")]
    cells += [(n, f"{t:,}", f"{f}{at}", _exact(v)) for n, t, f, v in zip(names, steps, fields, values)]
    widths = [max(len(row[i]) for row in cells) for i in range(4)]
    for row in cells:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _exact(value: Any) -> str:
    return repr(value) if isinstance(value, float) else formatted(value)
