"""A run from start to end on one page: its curves, its last numbers, how its theorems fared, why it stopped."""

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from algorithms.cli.chart import Series, chart
from algorithms.core.algorithm import Curve
from algorithms.data.text import printable
from algorithms.timeline import Timeline

_WIDEST = 110
_HEIGHT = 13
_MOST_FAILURES = 3


def report(run: Timeline, console: Console) -> None:
    """Print the run as far as it has come."""
    width = min(console.width, _WIDEST)
    for part in (_heading(run), *_charts(run, width), _numbers(run), *_theorems(run), *_ending(run)):
        console.print(part, width=width)


def _heading(run: Timeline) -> RenderableType:
    data, algorithm = run.data, run.algorithm
    target = f", target {data.target}" if data.target and algorithm.needs.target != "none" else ""
    values = ", ".join(f"{name} = {value}" for name, value in run.parameters.items())
    said = [f"{data.words}: {data.n:,} rows of {data.d} features{target}", values, *data.notices]
    return Panel(
        Group(*(Text(printable(line)) for line in said if line)), title=Text(algorithm.title), title_align="left"
    )


def _charts(run: Timeline, width: int) -> Iterator[RenderableType]:
    """A chart for each group of curves that are drawn together and have anything to draw."""
    groups: dict[str, list[Curve]] = {}
    for curve in run.algorithm.curves:
        if len(run.curve(curve.name)[0]):
            groups.setdefault(curve.group, []).append(curve)
    for group, curves in groups.items():
        log = curves[0].log
        drawing = chart([Series(curve.name, *run.curve(curve.name)) for curve in curves], width, _HEIGHT, log)
        if drawing:
            formulas = ", ".join(curve.formula for curve in curves if curve.formula)
            yield Text(group + (" (logarithmic)" if log else "") + (f": {formulas}" if formulas else ""), style="bold")
            yield Text(drawing)


def _numbers(run: Timeline) -> RenderableType:
    """Each curve where it began and where it ended."""
    table = Table("curve", title="numbers", title_justify="left", title_style="bold")
    for head in ("first", "last", "least", "greatest"):
        table.add_column(head, justify="right")
    for curve in run.algorithm.curves:
        _, values = run.curve(curve.name)
        cells = (values[0], values[-1], values.min(), values.max()) if len(values) else ()
        table.add_row(Text(curve.name), *(f"{cell:.6g}" for cell in cells))
    return table


def _theorems(run: Timeline) -> Iterator[RenderableType]:
    """Each theorem: how often it held, and its sides where it spoke last."""
    now = run.verdicts(run.at(run.last))
    for i, (theorem, verdict) in enumerate(zip(run.algorithm.theorems, now)):
        t, _ = run.theorem_series(i)
        failures = [failure for failure in run.failures if failure.verdict.theorem is theorem]
        yield Text(f"T{i + 1}  {theorem.statement}  [{theorem.source}]", style="bold")
        if len(t):
            failed = len({failure.t for failure in failures} & set(t.tolist()))
            yield _below(f"held at {len(t) - failed:,} of the {len(t):,} measured steps that it speaks of")
            last = run.verdicts(run.at(int(t[-1])))[i]
            yield _below(f"step {t[-1]:,}: {last.sides!r}")
        if verdict.sides is None and (verdict.status == "undecided" or not len(t)):
            yield _below(f"step {run.last:,}: {verdict.status}: {verdict.why}")
        for failure in failures[:_MOST_FAILURES]:
            yield _below(f"fails at step {failure.t:,}: {failure.verdict.sides!r}", "red")
        if len(failures) > _MOST_FAILURES:
            yield _below(f"and at {len(failures) - _MOST_FAILURES:,} more", "red")


def _below(text: str, style: str = "") -> RenderableType:
    return Padding(Text(printable(text), style=style), (0, 0, 0, 4))


def _ending(run: Timeline) -> Iterator[RenderableType]:
    reason = run.stopped.reason if run.stopped else f"stopped at step {run.last:,}, as asked"
    iterations = run.at(run.last).state.iteration
    yield Text(printable(f"{run.last:,} steps, {iterations:,} iterations: {reason}."), style="bold")
    for trouble in run.troubles:
        yield Text(
            printable(f"{trouble.what} could not be computed at step {trouble.t:,}: {trouble.error}"), style="red"
        )
