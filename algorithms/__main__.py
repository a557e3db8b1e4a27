"""The algorithms without a screen: list, lectures, lessons, lesson, show, run, sweep, report,
export, diverge, replay.

They are commands of `python -m algorithms`.
"""

import os
import signal
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stdout
from io import TextIOWrapper
from typing import Any

from algorithms.cli.arguments import (
    Parser,
    add_data_flags,
    add_parameter_flag,
    file_name,
    handed_on,
    loaded,
    names_data,
    one_line,
    parameters_from,
    recipe_from,
)
from algorithms.cli.interrupts import INTERRUPTED, Interrupts
from algorithms.cli.painting import painting
from algorithms.cli.sweep_arguments import add_arguments as add_sweep
from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused
from algorithms.core.painter import painter
from algorithms.core.text import printable
from algorithms.saving.loading import is_own, named_algorithm as named

_NAMES = ("name", "spec", "first", "second")  # of arguments that can be a file of the reader's


def main(words: Sequence[str] | None = None) -> int:
    """Do what the command line says; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a sign shows ? for it
            stream.reconfigure(errors="replace")
    arguments = _parsed(sys.argv[1:] if words is None else words)
    own = _own_code(arguments)
    if words is None and own:
        from algorithms.cli.apart import apart

        return apart(lambda: _done(arguments), own, lambda sentence: print(_sentence(sentence), file=sys.stderr))
    return _done(arguments)


def _parsed(words: Sequence[str]) -> Namespace:
    """Read the words; what stands behind -- is for the reader's own file, where one is named."""
    before, behind = handed_on(words)
    arguments = _parser().parse_args(before)
    if not behind:
        return arguments
    own = [which for which in _NAMES if _is_code(getattr(arguments, which, None) or "")]
    if not own:
        return _parser().parse_args(words)
    from algorithms.userfile.spec import with_words

    for which in own:
        setattr(arguments, which, with_words(getattr(arguments, which), behind))
    return arguments


def _own_code(arguments: Namespace) -> str:
    """Name the file or module of the reader's that a command runs, "" where there is none."""
    if arguments.do is _lesson:  # whose runs are of the catalogue
        return ""
    named = (getattr(arguments, name, None) for name in _NAMES)
    return next((text for text in named if text and _is_code(text)), "")


def _is_code(text: str) -> bool:
    return is_own(text) and not _is_recording(text)


def _is_recording(path: str) -> bool:
    from algorithms.saving.runlog import is_recording

    return is_recording(path)


def _done(arguments: Namespace) -> int:
    """Do what was asked for, whatever comes of it; returns the exit status."""
    try:
        arguments.out = sys.stdout
        with redirect_stdout(sys.stderr):  # what a reader's file prints stays out of the lines
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
        if Interrupts.any_came or signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            return INTERRUPTED
        return _complain(f"{_own_code(arguments) or arguments.do.__name__} raised KeyboardInterrupt.", 1)


def _parser() -> Parser:
    parser = Parser(prog="python -m algorithms", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, do: Callable[[Namespace], int], summary: str) -> Parser:
        added: Parser = commands.add_parser(name, help=summary, description=summary)
        added.set_defaults(do=do)
        return added

    listing = command("list", _list, "every algorithm by family, or those that match")
    listing.add_argument(
        "words", nargs="*", metavar="WORD", help="in the title, family, a theorem or the data: margin, 'never rises'"
    )
    lectures = command("lectures", _lectures, "what the lectures state, where each is seen, and what to type for it")
    lectures.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="a lecture, as csc411; ids, as A20 M35; words of the statements, or none for all",
    )
    command("lessons", _lessons, "the lessons of the course, a line each; python -m tui --lesson NAME shows one")
    _add_lesson(command("lesson", _lesson, "a lesson as text, with the numbers of its runs"))
    show = command("show", _show, "what an algorithm does, takes and proves")
    run = command("run", _run, "run it, a line a step")
    report = command("report", _report, "run it, then its curves, numbers and theorems on a page")
    replayed = "replay a session: a line a branch; exit status 1 where a state differs by more than rounding"
    _add_replay(command("replay", _replay, replayed))
    export = command(
        "export", _export, "run it, and write the numbers of every step, one state, or a page for browsers, to a file"
    )
    for one in (show, run, report, export):
        one.add_argument(
            "name", metavar="NAME", help="the algorithm, path/to/mine.py, package.module:name, a recording"
        )
    for one in (run, report, export):
        add_parameter_flag(one)
        one.add_argument("--steps", type=_whole(0), metavar="N", help="stop at step N (default: run to the end)")
    run.add_argument("--every", type=_whole(1), default=1, metavar="N", help="every Nth step, and the last")
    run.add_argument(
        "--format",
        choices=("table", "csv", "jsonl"),
        default="table",
        help="table is for reading; csv and jsonl have all digits",
    )
    add_sweep(command("sweep", _sweep, "run it many times, over seeds, parameters or data, a line a run"), _whole)
    _add_diverge(command("diverge", _diverge, "where two runs first differ; exit status 1 when they do"))
    run.add_argument(
        "--record", metavar="FILE", type=file_name, help="record every step; python -m tui --follow FILE shows it"
    )
    export.add_argument(
        "--to",
        required=True,
        type=file_name,
        metavar="FILE",
        help="ends in .csv, .jsonl, .npz or .html; a saved session (NAME.json) goes into .html",
    )
    export.add_argument("--state", type=_whole(0), metavar="N", help="the state of step N alone; the file is an .npz")
    export.add_argument(
        "--size", type=_size, metavar="COLUMNSxROWS", help="of the screen that a page (.html) shows (120x36)"
    )
    for one in (run, export):
        one.add_argument("--overwrite", action="store_true", help="replace the file when it is there")
    for one in (run, report, export):
        add_data_flags(one)
    return parser


def _add_replay(parser: Parser) -> None:
    """Add the arguments of `replay`."""
    parser.add_argument("file", metavar="FILE", help="the session, as it was saved")
    parser.add_argument("--exact", action="store_true", help="exit status 1 for rounding too, as on another processor")
    parser.add_argument("spec", nargs="?", metavar="MINE.PY", help="the file it is of, for one of your own")


def _add_lesson(parser: Parser) -> None:
    """Add the arguments of `lesson`."""
    parser.add_argument("name", metavar="NAME|FILE.md", help="a lesson of the course, or a file of yours")
    parser.add_argument(
        "--check",
        action="store_true",
        help="say what of it is not so, a line each; exit status 1 where a number differs from what is written, "
        "a theorem says nothing, or a question has no one right answer",
    )
    parser.add_argument("--to", type=file_name, metavar="FILE.html", help="write it as a page for browsers")
    parser.add_argument("--size", type=_size, metavar="COLUMNSxROWS", help="of the screen in that page (100x36)")
    parser.add_argument("--overwrite", action="store_true", help="replace the file when it is there")


def _add_diverge(parser: Parser) -> None:
    """Add the arguments of `diverge`."""
    parser.add_argument("first", metavar="A", help="an algorithm, path/to/mine.py, package.module:name, a recording")
    parser.add_argument("second", metavar="B", help="another, or the same with another parameter")
    add_parameter_flag(parser)
    for which in "ab":
        parser.add_argument(
            f"--set-{which}", action="append", default=[], metavar="NAME=VALUE", help=f"a parameter of {which.upper()}"
        )
    parser.add_argument(
        "--match", action="append", default=[], metavar="A=B,...",
        help="the fields or curves to compare, by A's name and B's (default: the fields that both have)",
    )  # fmt: skip
    parser.add_argument(
        "--start", default="", metavar="FIELD,...", help="fields of B that begin with the values that A begins with"
    )
    parser.add_argument(
        "--by", default="", metavar="WAY",
        help="what is compared: step, iteration (its last state), or a phase "
        "(default: step when both have the same phases, else that by which they agree longest)",
    )  # fmt: skip
    parser.add_argument("--tolerance", type=_tolerance, default=1e-9, metavar="X", help="what is forgiven (1e-9)")
    parser.add_argument("--steps", type=_whole(1), metavar="N", help="compare N states at most (default: to the end)")
    add_data_flags(parser)


def _list(arguments: Namespace) -> int:
    from algorithms.cli.listing import catalogue

    query = " ".join(arguments.words)
    lines = list(catalogue(query))
    for line in lines:
        print(line, file=arguments.out)
    if not lines:
        return _complain(
            f"no algorithm has {query!r} in its title, family, theorems or data; "
            "without a word `python -m algorithms list` names them all.",
            1,
        )
    return 0


def _lectures(arguments: Namespace) -> int:
    from algorithms.cli.lectures import print_lectures

    print_lectures(arguments.words, arguments.out)
    return 0


def _lessons(arguments: Namespace) -> int:
    from algorithms.playback.lessons.page import listing

    for line in listing():
        print(printable(line), file=arguments.out)
    return 0


def _lesson(arguments: Namespace) -> int:
    from algorithms.playback.lessons.command import print_lesson, write_lesson

    return print_lesson(arguments) if arguments.to is None else write_lesson(arguments)


def _show(arguments: Namespace) -> int:
    from algorithms.cli.listing import algorithm_text

    for text in algorithm_text(_algorithm(arguments.name)):
        for line in text.split("\n"):
            print(printable(line), file=arguments.out)
    return 0


def _run(arguments: Namespace) -> int:
    from algorithms.saving.export.rows import lines
    from algorithms.saving.export.steps import Steps
    from algorithms.saving.runlog import Recorder

    algorithm = _algorithm(arguments.name)
    data = _data(arguments, algorithm)
    problem = algorithm.problem(data, None, parameters_from(arguments))
    record = arguments.record
    with (
        Interrupts() as interrupts,
        Recorder.of(record, algorithm, problem, overwrite=arguments.overwrite) if record else nullcontext() as recorder,
    ):
        steps = Steps(algorithm, problem, arguments.every, _steps(arguments), recorder, interrupts.look)
        _print_notices(data)
        for line in lines(steps, arguments.format):
            print(printable(line), file=arguments.out, flush=True)
    for trouble in steps.hooks.troubles.values():
        _complain(f"{trouble.what} could not be computed at step {trouble.t}: {trouble.error}.", 0)
    if steps.failed:
        return _complain(f"the run failed after step {steps.last}: {steps.reason}.", 1)
    print(one_line(f"{algorithm.title} ended: {steps.reason}."), file=sys.stderr)
    return 0


def _report(arguments: Namespace) -> int:
    from algorithms.cli.report import print_report

    algorithm = _algorithm(arguments.name)
    parameters = parameters_from(arguments)
    return print_report(algorithm, _data(arguments, algorithm), parameters, _steps(arguments), arguments.out)


def _sweep(arguments: Namespace) -> int:
    from algorithms.cli.sweep import print_sweep

    return print_sweep(arguments)


def _replay(arguments: Namespace) -> int:
    from algorithms.cli.replay import Replay

    replay = Replay(arguments.file, named(arguments.spec) if arguments.spec is not None else None, arguments.exact)
    for line in replay.lines():
        print(line, file=arguments.out, flush=True)
    return 1 if replay.differs else 0


def _diverge(arguments: Namespace) -> int:
    from algorithms.cli.diverge import held_against, lines, paired_data, shared_out
    from algorithms.saving.runlog import LoggedRun

    specs = (arguments.first, arguments.second)
    first, second = (_algorithm(spec) for spec in specs)
    own = (parameters_from(arguments, "set_a"), parameters_from(arguments, "set_b"))
    parameters = shared_out(parameters_from(arguments), first, second, own)
    main = second if _is_code(specs[0]) and not _is_code(specs[1]) else first
    if isinstance(first, LoggedRun) and isinstance(second, LoggedRun) and names_data(arguments):
        raise Refused("two recordings have their data with them: give none, --data and its like included.")
    data = paired_data(first, second, lambda start: loaded(recipe_from(arguments, start or _start_of(main))))
    names = (first.name, second.name) if first.name != second.name else ("A", "B")
    runs = tuple(zip((first, second), data, parameters))
    done = held_against(arguments, runs, names)
    for each in dict.fromkeys(data):
        _print_notices(each)
    for line in lines(done, names):
        print(printable(line), file=arguments.out)
    return 0 if done.divergence is None else 1


def _export(arguments: Namespace) -> int:
    if arguments.to.lower().endswith((".html", ".htm")):
        return _export_page(arguments)
    if arguments.size is not None:
        raise Refused("--size is that of a page: name a file that ends in .html.")
    algorithm = _algorithm(arguments.name)
    data = _data(arguments, algorithm)
    _print_notices(data)
    return (_export_numbers if arguments.state is None else _export_state)(arguments, algorithm, data)


def _export_page(arguments: Namespace) -> int:
    if arguments.state is not None:
        raise Refused("a page shows every step: --state is for an .npz.")
    shown = _run_of_page(arguments)
    given = {} if arguments.size is None else {"size": arguments.size}
    with painting(arguments.to) as watch:
        last = painter("run").write_page(
            shown, arguments.to, steps=arguments.steps, overwrite=arguments.overwrite, watch=watch, **given
        )
    print(printable(f"Steps 0 to {last:,} are in {arguments.to}; any browser opens it."), file=arguments.out)
    return 0


def _run_of_page(arguments: Namespace) -> Any:
    """Load the run that a page is to show, or open the session."""
    from algorithms.playback.runs.loaded_run import LoadedRun
    from algorithms.saving.session import Opening

    session = arguments.name.lower().endswith(".json") and not _is_recording(arguments.name)
    if (session or _is_recording(arguments.name)) and (names_data(arguments) or arguments.parameter):
        what = "session" if session else "recording"
        raise Refused(f"a {what} has its data and parameters with it: give none beside it.")
    if session:
        return Opening(arguments.name)
    algorithm = _algorithm(arguments.name)
    recipe, typed = recipe_from(arguments, _start_of(algorithm)), parameters_from(arguments)
    data = loaded(recipe)
    checked = algorithm.problem(data, None, typed).parameters
    _print_notices(data)
    given = {name: getattr(checked, name) for name in typed}
    return LoadedRun(algorithm, recipe, data, given, arguments.name if is_own(arguments.name) else "")


def _export_state(arguments: Namespace, algorithm: Algorithm, data: Dataset) -> int:
    from algorithms.saving.export import export_state
    from algorithms.timeline import Timeline

    timeline = Timeline(algorithm, data, parameters_from(arguments))
    timeline.advance(arguments.state + 1)
    if timeline.last != arguments.state:
        raise Refused(f"there is no step {arguments.state:,}: the run ends at step {timeline.last:,}.")
    export_state(arguments.to, timeline.at(arguments.state).state, overwrite=arguments.overwrite)
    print(printable(f"The state of step {arguments.state:,} is in {arguments.to}."), file=arguments.out)
    return 0


def _export_numbers(arguments: Namespace, algorithm: Algorithm, data: Dataset) -> int:
    from algorithms.saving.export import export_numbers
    from algorithms.saving.export.steps import Steps

    problem = algorithm.problem(data, None, parameters_from(arguments))
    with Interrupts() as interrupts:
        steps = Steps(algorithm, problem, 1, _steps(arguments), between=interrupts.look)
        export_numbers(arguments.to, steps, overwrite=arguments.overwrite)
    print(printable(f"The numbers of steps 0 to {steps.last:,} are in {arguments.to}."), file=arguments.out)
    if steps.failed:
        return _complain(f"the run failed after step {steps.last}: {steps.reason}.", 1)
    return 0


def _algorithm(name: str) -> Algorithm:
    """Find the algorithm of that name, file or module, or open a recording of one."""
    from algorithms.saving.runlog import LoggedRun, is_recording

    return LoggedRun(name) if is_recording(name) else named(name)


def _data(arguments: Namespace, algorithm: Algorithm) -> Dataset:
    """Load the data that the flags speak of, else what the algorithm starts with."""
    return loaded(recipe_from(arguments, _start_of(algorithm)))


def _start_of(algorithm: Algorithm) -> Source | None:
    """Get the data that it starts with when none are named."""
    return algorithm.datasets[0] if algorithm.datasets else None


def _steps(arguments: Namespace) -> float:
    return float("inf") if arguments.steps is None else float(arguments.steps)


def _print_notices(data: Dataset) -> None:
    """Print what was decided about the data, beside the lines of the run."""
    for notice in data.notices:
        print(printable(f"{data.name}: {notice}"), file=sys.stderr)


def _complain(sentence: str, status: int) -> int:
    print(_sentence(sentence), file=sys.stderr)
    return status


def _sentence(sentence: str) -> str:
    return one_line(f"python -m algorithms: {sentence}")


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ArgumentTypeError(f"it takes a number from 0 on, not {text!r}")
    return value


def _size(text: str) -> tuple[int, int]:
    columns, _, rows = text.partition("x")
    if not all(side.isascii() and side.isdigit() and len(side) < 5 for side in (columns, rows)):
        raise ArgumentTypeError(f"it takes columns and rows, as 120x36, not {text!r}")
    return int(columns), int(rows)


def _whole(least: int) -> Callable[[str], Any]:
    """Make the type of a whole number of at least so much, as argparse wants its types."""

    def whole(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise ArgumentTypeError(f"it takes a whole number from {least} on, not {text!r}")
        return int(text)

    return whole


if __name__ == "__main__":
    sys.exit(main())
