"""Sweep: many runs, a line each as they come, and how far they have come on stderr."""

import math
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from itertools import chain, islice
from multiprocessing import active_children
from time import monotonic
from typing import Any, NoReturn

import msgspec

from algorithms.cli.arguments import names_data, parameters_from, recipe_from
from algorithms.cli.interrupts import INTERRUPTED, Interrupts
from algorithms.core.errors import Refused
from algorithms.core.parameters import as_typed
from algorithms.core.text import counted, plain_json, printable
from algorithms.saving.export.rows import aligned, csv_line
from algorithms.sweeping import Plan, Sweep, SweptRun

_MOMENT = 0.3  # seconds between two lines of progress
_HELD_BACK = 64  # runs that failed which wait at most for one that did not, whose curves head the columns


def sweep_of(arguments: Namespace) -> Sweep:
    """Make the sweep that a command line asks for; `Refused` says what will not do."""
    over = dict(arguments.over)
    if len(over) < len(arguments.over):
        raise Refused("a parameter is swept over twice: give all of its values at once, as in seed=0:10.")
    until = math.inf if arguments.steps is None else float(arguments.steps)
    plan = Plan.of(arguments.name, None, parameters_from(arguments), over, until) if not names_data(arguments) else None
    if plan is None:
        plan = Plan.of(arguments.name, recipe_from(arguments), parameters_from(arguments), over, until)
    return Sweep(plan, jobs=arguments.jobs, scheduler=arguments.scheduler)


def print_sweep(arguments: Namespace) -> int:
    """Print a line a run; the status is 1 when all of them failed."""
    sweep = sweep_of(arguments)
    measured = _measured(arguments, sweep)
    progress = _Progress(len(sweep), arguments.out)
    try:
        with Interrupts(progress.leave) as interrupts, closing(sweep.__iter__()) as runs:
            for line in lines(progress.counting(runs, interrupts.look), sweep.plan, measured, arguments.format):
                print(printable(line), file=arguments.out, flush=True)
    except (KeyboardInterrupt, OSError):
        progress.end()
        raise
    progress.end()
    return 1 if progress.failed == len(sweep) else 0


def _measured(arguments: Namespace, sweep: Sweep) -> tuple[str, ...]:
    """Read the names of the curves to be printed, () for all; those of a generator of one's own are known later."""
    if arguments.measure is None:
        return ()
    names = tuple(name.strip() for name in arguments.measure.split(",") if name.strip())
    _check_curves(names, [curve.name for curve in sweep.plan.algorithm.curves], sweep.plan)
    return names


def _check_curves(names: Iterable[str], there: Iterable[str], plan: Plan) -> None:
    known = list(there)
    for name in names:
        if known and name not in known:
            raise Refused(f"{plan.algorithm.title} has no curve {name!r}; there are {', '.join(known)}.")


class _Progress:
    """How many runs are done, on stderr: a line over itself where that is a terminal of its own, and at the end."""

    def __init__(self, count: int, out: Any):
        self._count, self._next, self._shown = count, monotonic() + _MOMENT, 0
        self._alone = sys.stderr is not None and sys.stderr.isatty() and not out.isatty()
        self.done = self.failed = 0

    def counting(self, runs: Iterator[SweptRun], look: Callable[[], None]) -> Iterator[SweptRun]:
        for run in runs:
            look()
            self.done += 1
            self.failed += run.failed
            self._show()
            yield run

    def _words(self) -> str:
        failed = f", {self.failed:,} failed" if self.failed else ""
        return f"{self.done:,} of {counted(self._count, 'run')} done{failed}"

    def _show(self) -> None:
        if self._alone and monotonic() >= self._next:
            self._next = monotonic() + _MOMENT
            text = f"{self._words()}, ctrl+c ends it"
            print(f"\r{text.ljust(self._shown)}", end="", file=sys.stderr, flush=True)
            self._shown = len(text)

    def leave(self) -> NoReturn:
        """End the process where it stands, in the midst of joblib or Dask, which would have much to say of it."""
        for worker in [child.pid for child in active_children() if child.pid]:
            with suppress(OSError):
                os.kill(worker, signal.SIGKILL)
        self.end()
        os._exit(INTERRUPTED)

    def end(self) -> None:
        with suppress(OSError, RuntimeError):  # where a line was just being written
            if self._shown:
                print(f"\r{' ' * self._shown}\r", end="", file=sys.stderr)
            print(f"{self._words()}.", file=sys.stderr, flush=True)


def lines(runs: Iterator[SweptRun], plan: Plan, measured: tuple[str, ...], form: str) -> Iterator[str]:
    """Write the runs in that form, a line each."""
    if form == "jsonl":
        return (_json(run, measured) for run in runs)
    return _table(runs, plan, measured) if form == "table" else _csv(runs, plan, measured)


def _json(run: SweptRun, measured: tuple[str, ...]) -> str:
    line = {
        "run": run.place,
        "parameters": run.parameters,
        "steps": run.steps,
        "ended": run.reason,
        "failed": run.failed,
        "curves": {name: _number(value) for name, value in run.values.items() if not measured or name in measured},
        "theorems that failed": [msgspec.structs.asdict(failure) for failure in run.failures],
        "troubles": run.outcome.troubles,
    }
    return plain_json(msgspec.json.encode(line).decode())


def _number(value: float) -> float | str | None:
    return None if math.isnan(value) else value if math.isfinite(value) else f"{value}"


def _headed(
    runs: Iterator[SweptRun], plan: Plan, measured: tuple[str, ...]
) -> tuple[tuple[str, ...], Iterator[SweptRun]]:
    """Give the curves that head the columns, and all runs; those of a reader's generator come with its first run.

    The first is waited for in any case: where no run can be made there are no heads either.
    """
    waiting = list(islice(runs, 1))
    if measured:
        if waiting and not waiting[0].failed:
            _check_curves(measured, waiting[0].values, plan)
        return measured, chain(waiting, runs)
    known = tuple(curve.name for curve in plan.algorithm.curves) or tuple(
        name for run in waiting for name in run.values
    )
    while not known and len(waiting) < _HELD_BACK and (run := next(runs, None)) is not None:
        waiting.append(run)
        known = tuple(run.values)
    return known, chain(waiting, runs)


def _csv(runs: Iterator[SweptRun], plan: Plan, measured: tuple[str, ...]) -> Iterator[str]:
    names, coming = _headed(runs, plan, measured)
    yield csv_line(["run", *plan.axes, "steps", *names, "failed", "ended", "theorems that failed"])
    for run in coming:
        values = (run.values.get(name, math.nan) for name in names)
        cells = ["" if math.isnan(value) else value for value in values]
        parameters = [value if isinstance(value, int | float) else as_typed(value) for value in _parameters(run)]
        words = ["yes" if run.failed else "no", run.reason, _failures(run)]
        yield csv_line([run.place, *parameters, run.steps, *cells, *words])


def _table(runs: Iterator[SweptRun], plan: Plan, measured: tuple[str, ...]) -> Iterator[str]:
    names, coming = _headed(runs, plan, measured)
    heads = ["run", *plan.axes, "steps", *names, "ended"]
    widths = [max(len(head), 7) for head in heads]
    numbers = set(heads[:-1])
    yield aligned(heads, widths, heads, numbers)
    for run in coming:
        values = (run.values.get(name, math.nan) for name in names)
        cells = ["" if math.isnan(value) else f"{value:.6g}" for value in values]
        fails = f"; fails: {_failures(run)}" if run.failures else ""
        cells = [str(run.place), *map(as_typed, _parameters(run)), str(run.steps), *cells, f"{run.reason}{fails}"]
        widths = [max(width, len(cell)) for width, cell in zip(widths, cells)]
        yield aligned(cells, [*widths[:-1], 0], heads, numbers)


def _parameters(run: SweptRun) -> list[Any]:
    """Give what a run had of what is swept over; what could not even be read stands as it was given."""
    try:
        return list(run.parameters.values())
    except Refused:
        return list(run.plan.swept(run.place).values())


def _failures(run: SweptRun) -> str:
    return "; ".join(f"{failure.statement} (step {failure.t:,}, {failure.times:,} times)" for failure in run.failures)
