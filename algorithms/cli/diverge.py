"""Two runs held against each other: the first step at which they differ, on a few lines."""

from collections.abc import Iterator, Mapping
from typing import Any

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Refused
from algorithms.timeline.differences import said
from algorithms.timeline.divergence import ITERATION, STEP, Comparison


def shared_out(
    both: Mapping[str, str], first: Algorithm, second: Algorithm, own: tuple[Mapping[str, str], Mapping[str, str]]
) -> tuple[dict[str, str], dict[str, str]]:
    """The parameters of each of two algorithms: of those for both, the ones that it takes, and its own.

    Raises:
        Refused: for one that neither takes.
    """
    takes = [{parameter.name for parameter in algorithm.parameters} for algorithm in (first, second)]
    for name in both:
        if name not in takes[0] | takes[1]:
            raise Refused(f"neither {first.title} nor {second.title} takes a parameter {name!r}.")
    one, other = ({n: v for n, v in both.items() if n in taken} | dict(mine) for taken, mine in zip(takes, own))
    return one, other


def matched(texts: list[str]) -> dict[str, str]:
    """The pairs in "centres=means,labels": a name alone is the same in both."""
    found: dict[str, str] = {}
    for text in texts:
        for part in filter(None, (p.strip() for p in text.split(","))):
            first, equals, second = (p.strip() for p in part.partition("="))
            if not first or (equals and not second):
                raise Refused(f"{part!r} does not say which field is which, as in --match centres=means.")
            found[first] = second or first
    return found


def lines(done: Comparison, names: tuple[str, str]) -> Iterator[str]:
    """What a comparison has found."""
    way = {STEP: "step with step", ITERATION: "the last state of each iteration with the other's"}
    fields = ", ".join(a if a == b else f"{a} = {b}" for a, b in done.fields.items())
    yield f"compared: {way.get(done.by, f'each state of the phase {done.by} with the other')}; {fields or 'nothing'}"
    found = done.found
    if found is None:
        yield f"They agree in all {done.compared:,} states that were compared."
        return
    yield f"agree in: {done.compared:,} states"
    if found.fields[0]:
        yield from _rows(found.steps, found.fields, found.index, found.values, names)
    yield found.sentence


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
    return repr(value) if isinstance(value, float) else said(value)
