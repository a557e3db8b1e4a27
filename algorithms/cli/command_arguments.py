"""What each command takes, apart from what it does: help does without that."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import Any

from algorithms.cli.arguments import Parser, add_data_flags, add_parameter_flag, file_name
from algorithms.cli.completion import SHELLS

_NAME = "the algorithm, path/to/mine.py, package.module:name"


def add_arguments(command: str, parser: Parser) -> None:
    """Give the parser of a command what that takes."""
    if command in _TAKES:
        _TAKES[command](parser)


def _list(parser: Parser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="in the title, family, a theorem or the data: margin, 'never rises'"
    )


def _data(parser: Parser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="in the name or what it is: iris, flowers; none for all"
    )


def _lectures(parser: Parser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="a lecture, as csc411; ids, as A20 M35; words of the statements, or none for all",
    )


def _completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="which shell is to be told")


def _show(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help=f"{_NAME}, a recording")


def _check(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="path/to/mine.py or package.module:name, with an ALGORITHM")


def _report(parser: Parser) -> None:
    _show(parser)
    add_parameter_flag(parser)
    parser.add_argument("--steps", type=_whole(0), metavar="N", help="stop at step N (default: run to the end)")
    add_data_flags(parser)


def _run(parser: Parser) -> None:
    _report(parser)
    parser.add_argument("--every", type=_whole(1), default=1, metavar="N", help="every Nth step, and the last")
    parser.add_argument(
        "--format",
        choices=("table", "csv", "jsonl"),
        default="table",
        help="table is for reading; csv and jsonl have all digits",
    )
    parser.add_argument(
        "--record", metavar="FILE", type=file_name, help="record every step; python -m tui --follow FILE shows it"
    )
    _overwrite(parser)


def _export(parser: Parser) -> None:
    _report(parser)
    parser.add_argument(
        "--to",
        required=True,
        type=file_name,
        metavar="FILE",
        help="ends in .csv, .jsonl, .npz or .html; a saved session (NAME.json) goes into .html",
    )
    parser.add_argument("--state", type=_whole(0), metavar="N", help="the state of step N alone; the file is an .npz")
    parser.add_argument(
        "--size", type=_size, metavar="COLUMNSxROWS", help="of the screen that a page (.html) shows (120x36)"
    )
    _overwrite(parser)


def _overwrite(parser: Parser) -> None:
    parser.add_argument("--overwrite", action="store_true", help="replace the file when it is there")


def _replay(parser: Parser) -> None:
    """Add the arguments of `replay`."""
    parser.add_argument("file", metavar="FILE", help="the session, as it was saved")
    parser.add_argument("--exact", action="store_true", help="exit status 1 for rounding too, as on another processor")
    parser.add_argument("spec", nargs="?", metavar="MINE.PY", help="the file it is of, for one of your own")


def _lesson(parser: Parser) -> None:
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
    _overwrite(parser)


def _diverge(parser: Parser) -> None:
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


def _sweep(parser: Parser) -> None:
    """Add the arguments of `sweep`."""
    parser.add_argument("name", metavar="NAME", help=_NAME)
    add_parameter_flag(parser)
    parser.add_argument(
        "--over", action="append", required=True, metavar="NAME=VALUES", type=_axis,
        help="seed=0:100, eta=1e-3:1:log:20, k=2,3,4, data.seed=0:9; several: all combinations",
    )  # fmt: skip
    parser.add_argument("--measure", metavar="CURVE,...", help="the curves to print (default: all)")
    parser.add_argument("--jobs", type=_whole(1), metavar="N", help="worker processes (default: one a core)")
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="of a Dask cluster that makes the runs: tcp://host:8786"
    )
    parser.add_argument("--steps", type=_whole(0), metavar="N", help="stop each run at step N (default: at its end)")
    parser.add_argument(
        "--format", choices=("table", "csv", "jsonl"), default="table",
        help="table is for reading; csv and jsonl have all digits",
    )  # fmt: skip
    add_data_flags(parser)


def _axis(text: str) -> tuple[str, str]:
    name, equals, values = text.partition("=")
    if not equals or not name.strip():
        raise ArgumentTypeError(f"{text!r} is not name=values, as in seed=0:100")
    return name.strip(), values.strip()


def _whole(least: int) -> Callable[[str], Any]:
    """Make the type of a whole number of at least so much, as argparse wants its types."""

    def whole(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise ArgumentTypeError(f"it takes a whole number from {least} on, not {text!r}")
        return int(text)

    return whole


def _size(text: str) -> tuple[int, int]:
    columns, _, rows = text.partition("x")
    if not all(side.isascii() and side.isdigit() and len(side) < 5 for side in (columns, rows)):
        raise ArgumentTypeError(f"it takes columns and rows, as 120x36, not {text!r}")
    return int(columns), int(rows)


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ArgumentTypeError(f"it takes a number from 0 on, not {text!r}")
    return value


_TAKES = {
    "list": _list,
    "data": _data,
    "lectures": _lectures,
    "lesson": _lesson,
    "show": _show,
    "check": _check,
    "run": _run,
    "sweep": _sweep,
    "report": _report,
    "export": _export,
    "diverge": _diverge,
    "replay": _replay,
    "completion": _completion,
}
