"""What is asked of a statement of a lecture: that every place it names is there, and that its numbers are computed."""

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

from algorithms.core import Table
from algorithms.core.theorems import NOT_NOW
from algorithms.lectures import LECTURES, Statement
from algorithms.playback.pictures.viewer import Picture, Viewer
from algorithms.playback.runs.request import read
from algorithms.timeline import Timeline

ROOT = Path(__file__).parents[2]
_ON_A_SCREEN = ("theorem", "curve", "panel", "table", "phase", "words", "expectation", "option")
_NUMBER = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d*\.\d+|\d{2,})(?![\w.]*\w)")


@cache
def played(run: str) -> tuple[Timeline, Picture]:
    """The run that follows `python -m tui`, played to the step that `--at` names, and the picture there."""
    request = read("python -m tui", shlex.split(run))
    assert request.player is not None, f"{run!r} names no algorithm"
    timeline = request.player.timeline
    assert "--at" in shlex.split(run), f"{run!r} does not say the step, as in --at 9"
    timeline.advance(request.at)
    assert timeline.last >= request.at, f"{run!r} ends at step {timeline.last}"
    return timeline, Viewer(timeline).picture(timeline.at(request.at), 100, 30)


def complaints(one: Statement) -> Iterator[str]:
    """What is wrong with a statement, in words; nothing when all is well."""
    if one.lecture not in LECTURES:
        yield f"there is no lecture {one.lecture!r}"
    if one.dropped:
        return
    if not (one.demo or (one.run and any(getattr(one, kind) for kind in _ON_A_SCREEN))):
        yield "it names no place where it is seen"
    for demo in one.demo:
        if not (ROOT / "demos" / demo).is_file():
            yield f"there is no demo {demo!r}"
    yield from _of_its_numbers(one)
    if one.run:
        yield from _of_its_run(one)


def _of_its_run(one: Statement) -> Iterator[str]:
    run, picture = played(one.run)
    second = played(one.again)[1] if one.again else None
    algorithm, at = run.algorithm, picture.frame.t
    if second is not None and second.trouble:
        yield f"its second picture could not be made: {second.trouble}"
    if picture.trouble:
        yield f"its picture could not be made: {picture.trouble}"
    spoken = 0
    for part in one.theorem:
        indices = [i for i, theorem in enumerate(algorithm.theorems) if part in theorem.statement]
        if len(indices) != 1:
            yield f"{len(indices)} theorems are called {part!r}"
            continue
        failed = [failure.t for failure in run.failures if failure.verdict.theorem is algorithm.theorems[indices[0]]]
        t, _ = run.theorem_series(indices[0])
        if failed:
            yield f"{part!r} fails at step {failed[0]}"
        if not np.any(t <= at):
            yield f"{part!r} says nothing up to step {at}"
        verdict = picture.verdicts[indices[0]]
        spoken += verdict.sides is not None
        there = second is not None and second.verdicts[indices[0]].sides is not None
        if verdict.sides is None and verdict.why != NOT_NOW and not there:
            yield f"{part!r} is silent at step {at}: {verdict.why}"
    if one.theorem and not spoken:
        yield f"no theorem that it names speaks at step {at}"
    for name in one.curve:
        if name not in {curve.name for curve in algorithm.curves}:
            yield f"there is no curve {name!r}"
        elif not np.isfinite(run.curve(name)[1]).any():
            yield f"the curve {name!r} has no value up to step {at}"
    yield from _missing(one.panel, [picture.stage.title, *(title for title, _ in picture.beside)], "panel")
    yield from _missing(one.table, _cells(picture), "head or first cell of a table")
    yield from _missing(one.words, [picture.words], "sentence")
    yield from _missing(one.phase, {run.at(t).state.phase for t in range(run.begin, at + 1)}, "phase", whole=True)
    yield from _missing(one.option, {parameter.name for parameter in algorithm.parameters}, "parameter", whole=True)
    yield from _missing(one.expectation, [e.statement for e in algorithm.expectations], "expectation")


def _missing(parts: Iterable[str], there: Iterable[str], kind: str, whole: bool = False) -> Iterator[str]:
    texts = list(there)
    for part in parts:
        if not any(part == text if whole else part in text for text in texts):
            yield f"there is no {kind} {part!r} at that step; there are {texts}"


def _cells(picture: Picture) -> list[str]:
    tables = [(title, panel) for title, panel in picture.beside if isinstance(panel, Table)]
    heads = [head for _, table in tables for head in table.columns]
    return [title for title, _ in tables] + heads + [str(row[0]) for _, table in tables for row in table.rows if row]


def _of_its_numbers(one: Statement) -> Iterator[str]:
    """Each decimal, and each whole number of two digits or more, stands in a test that computes it, or in the run."""
    known = {_plain(number) for number in _NUMBER.findall(f"{one.run} {one.again}")}
    for test in one.tests:
        source = _source(test)
        if not source:
            yield f"there is no test {test!r}"
        known |= {_plain(number) for number in _NUMBER.findall(source.replace("_", ""))}
    for number in _NUMBER.findall(one.says):
        if _plain(number) not in known:
            yield f"no test of it has the number {number}"


def _plain(number: str) -> str:
    return number.replace(",", "").lstrip("0") or "0"


def _source(test: str) -> str:
    """The text of a test with its decorators, "" where there is none of that name."""
    file, _, name = test.partition("::")
    return _sources(file).get(name, "")


@cache
def _sources(file: str) -> dict[str, str]:
    """Those of all functions of a file, none where there is no such file."""
    if not (ROOT / file).is_file():
        return {}
    text = (ROOT / file).read_text(encoding="utf-8")
    lines, found = text.splitlines(), dict[str, str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
            found.setdefault(node.name, "\n".join(lines[first - 1 : node.end_lineno]))
    return found
