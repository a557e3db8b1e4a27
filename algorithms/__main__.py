"""The algorithms without a screen: the commands of `python -m algorithms`, which are those of `iterscope` too."""

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from algorithms.cli.arguments import (
    Parser,
    handed_on,
    loaded,
    names_data,
    one_line,
    parameters_from,
    recipe_from,
)
from algorithms.cli.command_arguments import add_arguments
from algorithms.cli.commands import COMMANDS
from algorithms.cli.completion import asked, complete, shell_code
from algorithms.cli.interrupts import INTERRUPTED, Interrupts
from algorithms.cli.painting import painting
from algorithms.core.catalogue import names
from algorithms.core.errors import Refused
from algorithms.core.painter import painter
from algorithms.core.text import printable
from algorithms.saving.loading import is_own, named_algorithm as named

if TYPE_CHECKING:  # NumPy, which help does without
    from algorithms.core.algorithm import Algorithm
    from algorithms.core.dataset import Dataset, Source

_NAMES = ("name", "spec", "first", "second")  # of arguments that can be a file of the reader's


def main(words: Sequence[str] | None = None, program: str = "python -m algorithms") -> int:
    """Do what the command line says; returns the exit status.

    Args:
        words: the command line; that of the process if none.
        program: what it was called.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a sign shows ? for it
            stream.reconfigure(errors="replace")
    arguments = _parsed(sys.argv[1:] if words is None else words, program)
    own = _own_code(arguments)
    if own and words is None:
        from algorithms.cli.apart import apart

        return apart(lambda: _done(arguments), own, lambda sentence: print(_sentence(sentence), file=sys.stderr))
    return _done(arguments)


def _parsed(words: Sequence[str], program: str) -> Namespace:
    """Read the words; what stands behind -- is for the reader's own file, where one is named."""
    parser = _parser(program)
    if asked():
        complete(parser)
    before, behind = handed_on(words)
    arguments = parser.parse_args(before)
    if arguments.do is not _lesson:
        for which in _NAMES:
            setattr(arguments, which, _spec(getattr(arguments, which, None)))
    if not behind:
        return arguments
    own = [which for which in _NAMES if _is_code(getattr(arguments, which, None) or "")]
    if not own:
        return parser.parse_args(words)
    from algorithms.userfile.spec import with_words

    for which in own:
        setattr(arguments, which, with_words(getattr(arguments, which), behind))
    return arguments


def _spec(text: str | None) -> str | None:
    """Give where an algorithm of another distribution is, by its name; the text itself where it is none."""
    if text is None or text in names():
        return text
    from algorithms.userfile.plugins import own_spec

    return own_spec(text)


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


def _parser(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="The algorithms without a screen.",
        epilog=f"Example: {program} run lloyd --data faithful -p k=3",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    does = {
        "list": _list,
        "data": _data_sets,
        "lectures": _lectures,
        "lessons": _lessons,
        "lesson": _lesson,
        "show": _show,
        "run": _run,
        "sweep": _sweep,
        "report": _report,
        "export": _export,
        "diverge": _diverge,
        "check": _check,
        "replay": _replay,
        "completion": _completion,
    }
    for name, about in COMMANDS.items():
        example = f"Example: {program} {name} {about.example}".rstrip()
        added: Parser = commands.add_parser(
            name, help=about.summary, description=f"{about.summary}.".capitalize(), epilog=example
        )
        added.set_defaults(do=does[name])
        add_arguments(name, added)
    return parser


def _list(arguments: Namespace) -> int:
    from algorithms.cli.listing import catalogue, others

    query = " ".join(arguments.words)
    lines = [*catalogue(query), *others(query)]
    for line in lines:
        print(printable(line), file=arguments.out)
    if not lines:
        return _complain(
            f"no algorithm has {query!r} in its title, family, theorems or data; "
            "without a word `python -m algorithms list` names them all.",
            1,
        )
    return 0


def _data_sets(arguments: Namespace) -> int:
    from algorithms.cli.listing import data_sets

    for line in data_sets(" ".join(arguments.words)):
        print(line, file=arguments.out)
    return 0


def _completion(arguments: Namespace) -> int:
    print(shell_code(arguments.shell), file=arguments.out)
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


def _check(arguments: Namespace) -> int:
    if not is_own(arguments.name):
        raise Refused(
            f"a file of your own is checked; {arguments.name} is ours, with tests: python -m tests.check NAME."
        )
    from algorithms.conformance.checking import checked
    from algorithms.core.algorithm import Algorithm
    from algorithms.userfile.importing import import_target

    algorithm = import_target(arguments.name)
    if not isinstance(algorithm, Algorithm):
        raise Refused(f"{arguments.name} has a generator and no ALGORITHM: it states nothing that could be checked.")
    wrong = passed = 0
    told = set()
    for outcome in checked(algorithm):
        wrong, passed = wrong + bool(outcome.wrong), passed + (not outcome.wrong)
        if outcome.wrong and (outcome.check, outcome.wrong) not in told:  # the same on other data is said once
            told.add((outcome.check, outcome.wrong))
            on = f" ({outcome.on})" if outcome.on else ""
            print(printable(f"✗ {outcome.check}{on}"), file=arguments.out)
            print(printable(f"    {outcome.wrong}"), file=arguments.out, flush=True)
    print(printable(f"{algorithm.title}: {passed} checks passed, {wrong} did not."), file=arguments.out)
    return 1 if wrong else 0


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


def _export_state(arguments: Namespace, algorithm: "Algorithm", data: "Dataset") -> int:
    from algorithms.saving.export import export_state
    from algorithms.timeline import Timeline

    timeline = Timeline(algorithm, data, parameters_from(arguments))
    timeline.advance(arguments.state + 1)
    if timeline.last != arguments.state:
        raise Refused(f"there is no step {arguments.state:,}: the run ends at step {timeline.last:,}.")
    export_state(arguments.to, timeline.at(arguments.state).state, overwrite=arguments.overwrite)
    print(printable(f"The state of step {arguments.state:,} is in {arguments.to}."), file=arguments.out)
    return 0


def _export_numbers(arguments: Namespace, algorithm: "Algorithm", data: "Dataset") -> int:
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


def _algorithm(name: str) -> "Algorithm":
    """Find the algorithm of that name, file or module, or open a recording of one."""
    from algorithms.saving.runlog import LoggedRun, is_recording

    return LoggedRun(name) if is_recording(name) else named(name)


def _data(arguments: Namespace, algorithm: "Algorithm") -> "Dataset":
    """Load the data that the flags speak of, else what the algorithm starts with."""
    return loaded(recipe_from(arguments, _start_of(algorithm)))


def _start_of(algorithm: "Algorithm") -> "Source | None":
    """Get the data that it starts with when none are named."""
    return algorithm.datasets[0] if algorithm.datasets else None


def _steps(arguments: Namespace) -> float:
    return float("inf") if arguments.steps is None else float(arguments.steps)


def _print_notices(data: "Dataset") -> None:
    """Print what was decided about the data, beside the lines of the run."""
    for notice in data.notices:
        print(printable(f"{data.name}: {notice}"), file=sys.stderr)


def _complain(sentence: str, status: int) -> int:
    print(_sentence(sentence), file=sys.stderr)
    return status


def _sentence(sentence: str) -> str:
    return one_line(f"python -m algorithms: {sentence}")


if __name__ == "__main__":
    sys.exit(main())
