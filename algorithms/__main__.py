"""The algorithms without a screen: `python -m algorithms list`, `show`, `run` and `report`."""

import os
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Any

from algorithms.arguments import (
    Parser,
    add_data_flags,
    add_parameter_flag,
    loaded,
    parameters_from,
    recipe_from,
)
from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused
from algorithms.data.text import printable
from algorithms.own import named

_INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    """Do what the command line says; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a sign shows ? for it
            stream.reconfigure(errors="replace")
    arguments = _parser().parse_args(words)
    try:
        status: int = arguments.do(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except Refused as refusal:
        return _complain(str(refusal), 2)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered would raise again
        if isinstance(error, BrokenPipeError):  # `| head` has seen enough
            return 0
        return _complain(f"the output cannot be written: {error.strerror}.", 1)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _parser() -> Parser:
    parser = Parser(prog="python -m algorithms", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, do: Callable[[Namespace], int], summary: str) -> Parser:
        added: Parser = commands.add_parser(name, help=summary, description=summary)
        added.set_defaults(do=do)
        return added

    command("list", _list, "every algorithm, by family")
    show = command("show", _show, "what an algorithm does, takes and proves")
    run = command("run", _run, "run it, a line a step")
    report = command("report", _report, "run it, then its curves, numbers and theorems on a page")
    for one in (show, run, report):
        one.add_argument("name", metavar="NAME", help="the algorithm, or path/to/mine.py, or package.module:name")
    for one in (run, report):
        add_parameter_flag(one)
        one.add_argument("--steps", type=_whole(0), metavar="N", help="stop at step N (default: run to the end)")
    run.add_argument("--every", type=_whole(1), default=1, metavar="N", help="every Nth step, and the last")
    run.add_argument(
        "--format",
        choices=("table", "csv", "jsonl"),
        default="table",
        help="table is for reading; csv and jsonl have all digits",
    )
    for one in (run, report):
        add_data_flags(one)
    return parser


def _list(arguments: Namespace) -> int:
    from algorithms.headless.listing import catalogue

    for line in catalogue():
        print(line)
    return 0


def _show(arguments: Namespace) -> int:
    from algorithms.headless.listing import algorithm_text

    for line in algorithm_text(named(arguments.name)):
        print(line)
    return 0


def _run(arguments: Namespace) -> int:
    from algorithms.headless.stream import Steps, lines

    algorithm = named(arguments.name)
    data = _data(arguments, algorithm)
    problem = algorithm.problem(data, None, parameters_from(arguments))
    steps = Steps(algorithm, problem, arguments.every, _steps(arguments))
    _tell(data)
    for line in lines(steps, arguments.format):
        print(line, flush=True)
    for trouble in steps.hooks.troubles.values():
        _complain(f"{trouble.what} could not be computed at step {trouble.t}: {trouble.error}.", 0)
    if steps.failed:
        return _complain(f"the run failed after step {steps.last}: {steps.reason}.", 1)
    print(printable(f"{algorithm.title} ended: {steps.reason}."), file=sys.stderr)
    return 0


def _report(arguments: Namespace) -> int:
    from rich.console import Console

    from algorithms.headless.report import report
    from algorithms.record import Timeline

    algorithm = named(arguments.name)
    timeline = Timeline(algorithm, _data(arguments, algorithm), parameters_from(arguments))
    timeline.advance(_steps(arguments) + 1)
    console = Console(highlight=False)
    with console.capture() as page:  # rich has an exit of its own for a pipe that closes
        report(timeline, console)
    print(page.get(), end="")
    return 1 if timeline.stopped is not None and timeline.stopped.failed else 0


def _data(arguments: Namespace, algorithm: Algorithm) -> Dataset:
    """The data that the flags speak of, else what the algorithm starts with."""
    return loaded(recipe_from(arguments, algorithm.starts[0] if algorithm.starts else None))


def _steps(arguments: Namespace) -> float:
    return float("inf") if arguments.steps is None else float(arguments.steps)


def _tell(data: Dataset) -> None:
    """What was decided about the data, beside the lines of the run."""
    for notice in data.notices:
        print(printable(f"{data.name}: {notice}"), file=sys.stderr)


def _complain(sentence: str, status: int) -> int:
    print(printable(f"python -m algorithms: {sentence}"), file=sys.stderr)
    return status


def _whole(least: int) -> Callable[[str], Any]:
    """A whole number of at least so much, as argparse wants its types."""

    def whole(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise ArgumentTypeError(f"it takes a whole number from {least} on, not {text!r}")
        return int(text)

    return whole


if __name__ == "__main__":
    sys.exit(main())
