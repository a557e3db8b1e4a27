"""The catalogue, and one algorithm, as text."""

import shutil
from argparse import SUPPRESS
from collections.abc import Iterator
from itertools import groupby
from textwrap import indent, wrap

from algorithms.cli.arguments import Parser, add_data_flags, flags_of
from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import find, names
from algorithms.core.errors import Refused
from algorithms.core.search import occurs, search
from algorithms.data.named import NAMED
from algorithms.data.recipe import Recipe

_SPEAKS_OF = {"state": "of each state", "step": "of each step", "run": "of the whole run"}


def catalogue(query: str = "") -> Iterator[str]:
    """Yield a line a family, and below it one for each algorithm that matches the query; nothing when none does."""
    grouped = search(query)
    width = max((len(name) for members in grouped.values() for name in members), default=0)
    for family, members in grouped.items():
        yield family
        for name in members:
            yield f"  {name:{width}}  {find(name).summary}"


def others(query: str = "") -> Iterator[str]:
    """Yield a line for each other distribution with algorithms of its own that match, and one for each of these."""
    from algorithms.userfile.plugins import plugins

    matching = [one for one in plugins() if occurs(query, f"{one.name} {one.distribution} {one.spec}")]
    width = max((len(one.name) for one in matching), default=0)
    for distribution, members in groupby(matching, key=lambda one: one.distribution):
        yield f"from {distribution}"
        yield from (f"  {one.name:{width}}  {one.spec}" for one in members)


def data_sets(query: str = "") -> Iterator[str]:
    """Yield a line for each data set that has a name and matches the query, then the flags of what is taken of one.

    Raises:
        Refused: when none matches.
    """
    found = {
        name: about
        for name, about in NAMED.items()
        if query.lower() in f"{name} {about.title} {about.description}".lower()
    }
    if not found:
        raise Refused(f"no data set has {query!r} in its name or in what it is; without a word all are listed.")
    width = max(map(len, found))
    for name, about in found.items():
        yield f"{name:{width}}  {about.description}"
        if about.arguments and query:
            yield f"{'':{width}}  takes {', '.join(argument.name for argument in about.arguments)}, as {name}:..."
    yield ""
    flags = Parser(prog="", add_help=False, usage=SUPPRESS)
    add_data_flags(flags, listed=True)
    yield from flags.format_help().split("\n", 1)[1].rstrip().splitlines()


def algorithm_text(algorithm: Algorithm) -> Iterator[str]:
    """Describe an algorithm before it runs: parameters, phases, curves, theorems, data and references."""
    width = min(shutil.get_terminal_size().columns, 100)

    def section(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
        if rows:
            yield ""
            yield title
            left = max(len(name) for name, _ in rows)
            margin = left + 4 if left else 2
            for name, text in rows:
                first, *rest = wrap(text, max(width - margin, 20)) or [""]
                yield f"  {name:{left}}".ljust(margin) + first
                yield from (" " * margin + line for line in rest)

    yield f"{algorithm.title}  ({algorithm.family}.{algorithm.name})"
    yield from wrap(algorithm.summary, width)
    if algorithm.also:
        yield f"also found as {', '.join(algorithm.also)}"
    if algorithm.rule:
        yield ""
        yield indent(algorithm.rule.strip("\n"), "  ")
    yield from section("parameters", _parameters(algorithm))
    yield from section("phases", list(algorithm.phases.items()))
    yield from section("events", [(event.name, "") for event in algorithm.events])
    yield from section("curves", [(curve.name, curve.formula) for curve in algorithm.curves])
    yield from section(
        "theorems",
        [
            (f"T{i}", f"{theorem.statement}  [{theorem.source}; {_SPEAKS_OF[theorem.about]}]")
            for i, theorem in enumerate(algorithm.theorems, 1)
        ],
    )
    yield from section("starts with", [("", flags_of(s)) for s in algorithm.datasets if isinstance(s, Recipe)])
    yield from section("shows of the lectures", _statements(algorithm, width))
    yield from section("references", [("", reference) for reference in algorithm.references])


def _parameters(algorithm: Algorithm) -> list[tuple[str, str]]:
    left = max((len(p.name) for p in algorithm.parameters), default=0)
    return [
        (
            f"{p.name:{left}} = {p.default}",
            f"{p.help} ({p.bounds})" + (", for the whole run" if p.start_only else ""),
        )
        for p in algorithm.parameters
    ]


def _statements(algorithm: Algorithm, width: int) -> list[tuple[str, str]]:
    from algorithms.cli.lectures import lines_of  # `list` has no use for them

    return lines_of(algorithm.name, width - 8) if algorithm.name in names() else []
