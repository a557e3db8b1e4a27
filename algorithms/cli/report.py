"""A run from start to end on one page: its curves, its last numbers, how its theorems fared, why it stopped."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from algorithms.cli.chart import Series, chart
from algorithms.core.algorithm import Algorithm
from algorithms.core.curves import Curve
from algorithms.core.dataset import Dataset
from algorithms.core.text import counted, printable
from algorithms.timeline import Timeline
from algorithms.timeline.series import broken
from algorithms.timeline.variables import along_variable

_WIDEST = 110
_HEIGHT = 13
_MOST_FAILURES = 3


def print_report(
    algorithm: Algorithm, data: Dataset | None, parameters: Mapping[str, Any], steps: float, out: TextIO
) -> int:
    """Run as many steps and print the page; returns the exit status, 1 for a run that failed."""
    run = Timeline(algorithm, data, parameters)
    run.advance(steps + 1)
    console = Console(file=out, highlight=False)
    with console.capture() as page:  # rich has an exit of its own for a pipe that closes
        report(run, console)
    print(page.get(), end="", file=out)
    return 1 if run.stopped is not None and run.stopped.failed else 0


def report(run: Timeline, console: Console) -> None:
    """Print the run as far as it has come."""
    width = min(console.width, _WIDEST)
    for part in (_heading(run), *_charts(run, width), _numbers(run), *_theorems(run), *_ending(run)):
        console.print(part, width=width)


def _heading(run: Timeline) -> RenderableType:
    data, algorithm = run.data, run.algorithm
    target = f", target {data.target}" if data.target and algorithm.needs.target != "none" else ""
    values = ", ".join(f"{name} = {value}" for name, value in run.parameters.items())
    rows = f"{data.words}: {counted(data.n, 'row')} of {counted(data.d, 'feature')}{target}" if data else ""
    lines = [rows, values, *data.notices]
    return Panel(Group(*(_text(line) for line in lines if line)), title=_text(algorithm.title), title_align="left")


def _charts(run: Timeline, width: int) -> Iterator[RenderableType]:
    """Draw a chart for each group of curves that have anything to draw, along the steps or their own variable."""
    groups: dict[tuple[str, str, bool], list[tuple[Curve, Series]]] = {}
    for curve in run.algorithm.curves:
        t, values = run.curve(curve.name)
        if len(t):
            along = along_variable(run, curve)
            breaks = (at for at, _ in (*run.begun_anew(), *run.forks_of(curve.name)))
            x, values = broken(t, values, breaks) if along is None else along.line()[:2]
            key = (curve.group, "", False) if along is None else (curve.group, printable(along.name), along.log)
            groups.setdefault(key, []).append((curve, Series(printable(curve.name), x, values)))
    for (group, variable, log_along), curves in groups.items():
        log = curves[0][0].log
        drawing = chart([series for _, series in curves], width, _HEIGHT, log, variable, log_along)
        if drawing:
            formulas = ", ".join(curve.formula for curve, _ in curves if curve.formula)
            title = f"{group} along {variable}" if variable else group
            yield _text(title + (" (logarithmic)" if log else "") + (f": {formulas}" if formulas else ""), "bold")
            yield Text(drawing)


def _numbers(run: Timeline) -> RenderableType:
    """Tabulate each curve: its first and last value, the least and the greatest."""
    table = Table("curve", title="numbers", title_justify="left", title_style="bold")
    for head in ("first", "last", "least", "greatest"):
        table.add_column(head, justify="right")
    for curve in run.algorithm.curves:
        _, values = run.curve(curve.name)
        known = values[~np.isnan(values)]
        ends = (known.min(), known.max()) if len(known) else (math.nan, math.nan)
        cells = (values[0], values[-1], *ends) if len(values) else ()
        table.add_row(_text(curve.name), *(f"{cell:.6g}" for cell in cells))
    return table


def _theorems(run: Timeline) -> Iterator[RenderableType]:
    """Describe each theorem: how often it held, and its sides where it spoke last."""
    now = run.verdicts(run.at(run.last))
    for i, (theorem, verdict) in enumerate(zip(run.algorithm.theorems, now)):
        t, _ = run.theorem_series(i)
        failures = [failure for failure in run.failures if failure.verdict.theorem is theorem]
        yield _text(f"T{i + 1}  {theorem.statement}  [{theorem.source}]", "bold")
        if len(t):
            failed = len({failure.t for failure in failures} & set(t.tolist()))
            yield _below(f"held at {len(t) - failed:,} of the {counted(len(t), 'measured step')} that it speaks of")
            last = run.verdicts(run.at(int(t[-1])))[i]
            yield _below(f"step {t[-1]:,}: {last.sides!r}")
        if verdict.sides is None and (verdict.status == "undecided" or not len(t)):
            yield _below(f"step {run.last:,}: {verdict.status}: {verdict.why}")
        for failure in failures[:_MOST_FAILURES]:
            yield _below(f"fails at step {failure.t:,}: {failure.verdict.sides!r}", "red")
        if len(failures) > _MOST_FAILURES:
            yield _below(f"and at {len(failures) - _MOST_FAILURES:,} more", "red")


def _below(text: str, style: str = "") -> RenderableType:
    return Padding(_text(text, style), (0, 0, 0, 4))


def _text(text: str, style: str = "") -> Text:
    """Clean a text that may come from a recording or a reader's file of all that steers a terminal."""
    return Text(printable(text), style=style)


def _ending(run: Timeline) -> Iterator[RenderableType]:
    reason = run.stopped.reason if run.stopped else f"stopped at step {run.last:,}, as asked"
    iterations = run.at(run.last).state.iteration
    yield _text(f"{counted(run.last, 'step')}, {counted(iterations, 'iteration')}: {reason}.", "bold")
    if run.stopped and run.stopped.untrue:
        yield _text(f"That is not so: {run.stopped.untrue}.", "red")
    for trouble in run.troubles:
        yield _text(f"{trouble.what} could not be computed at step {trouble.t:,}: {trouble.error}", "red")
