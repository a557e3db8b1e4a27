"""The command line of the screen: its words, and the run that they ask for."""

import sys
import threading
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from algorithms.cli.arguments import Parser, add_data_flags, add_parameter_flag, file_name, one_line
from algorithms.core import Refused
from algorithms.core.catalogue import names
from algorithms.playback.comparison.letters import MOST

if TYPE_CHECKING:
    from algorithms.playback.runs.first_screen import Request

_ABOUT = "An oscilloscope for iterative learning algorithms, in the terminal. Without NAME it opens the catalogue."
_MORE = "Example: {program} {name} --at 9. Without a screen: python -m algorithms --help."
_LOOPBACK, _PORTS = ("127.0.0.1", 0), 65_535


def read(program: str, words: Sequence[str]) -> "Request":
    """Read the request that the words make.

    What cannot be opened ends the program here, with a sentence that names what would do and exit status 2.
    """
    parser = _parser(Parser(prog=program, description=_ABOUT, epilog=_MORE.format(program=program, name=names()[0])))
    _add_class_flags(parser)
    given = parser.parse_intermixed_args(words)
    watched_at, served_at = given.__dict__.pop("watch_me"), given.__dict__.pop("serve")
    clean = given.__dict__.pop("clean")
    if watched_at and served_at:
        parser.error("--watch-me is for those who look on, --serve for visitors with an app each: name one of them.")
    from algorithms.playback.runs.first_screen import request_of  # which help does without

    try:
        catalogued = given.algorithm in names() and not given.against
        with nullcontext() if catalogued else _slow_imports_told(program, given):
            return replace(request_of(given, program), watched_at=watched_at, served_at=served_at, clean=clean)
    except Refused as refusal:
        parser.error(str(refusal))


@contextmanager
def _slow_imports_told(program: str, given: Namespace) -> Iterator[None]:
    """Say what is waited for while a file takes long to be imported: there is no screen yet."""
    from algorithms.userfile.importing import WAITED, listeners, slow_import

    timers: list[threading.Timer] = []

    def listen(begins: bool) -> None:
        for timer in timers:
            timer.cancel()
        if begins:
            words = one_line(f"{program}: {slow_import(given.algorithm or 'a file')}")
            timers.append(threading.Timer(WAITED, print, (words,), {"file": sys.stderr, "flush": True}))
            timers[-1].daemon = True
            timers[-1].start()

    listeners.append(listen)
    try:
        yield
    finally:
        listeners.remove(listen)


def requested(words: Sequence[str]) -> "Request":
    """Read the request that the words make, where the program is to go on.

    Raises:
        Refused: when it cannot be opened.
    """
    from algorithms.playback.runs.first_screen import request_of

    return request_of(parsed(words), "python -m tui")


def parsed(words: Sequence[str]) -> Namespace:
    """Parse the words, and open nothing.

    Raises:
        Refused: when they cannot be meant.
    """
    return _parser(_Refusing(add_help=False)).parse_intermixed_args(words)


class _Refusing(Parser):
    """A parser that ends nothing."""

    def error(self, message: str) -> NoReturn:
        raise Refused(f"{message.rstrip('.')}.")


def _parser(parser: Parser) -> Parser:
    """Give a parser all that can be asked for."""
    parser.add_argument(
        "algorithm",
        nargs="?",
        metavar="NAME",
        help=f"one of {', '.join(names())}, or your own: path/to/mine.py, package.module:name",
    )
    add_parameter_flag(parser)
    parser.add_argument(
        "--follow", metavar="FILE", type=file_name, help="show a recording, also while it is still being written"
    )
    parser.add_argument(
        "--at", metavar="STEP", help='what to show first: a step, end, or where something first holds, "first mistake"'
    )
    parser.add_argument(
        "--theorem", default="", metavar="WORDS", help="the theorem in front, by words of its statement"
    )
    parser.add_argument("--chart", default="", metavar="CURVE", help="the chart in front, by a curve in it")
    parser.add_argument("--hall", action="store_true", help="large and little of it, for a hall; F goes there and back")
    parser.add_argument(
        "--whole", action="store_true", help="show the run whole, not as far as one has been; V goes there and back"
    )
    parser.add_argument("--open", metavar="FILE", type=file_name, help="a session that was saved with ctrl+s")
    parser.add_argument("--lesson", metavar="NAME|FILE.md", help="a lesson: pgdn and pgup go through its moments")
    parser.add_argument(
        "--notes",
        action="store_true",
        help="the notes of the --lesson that is open in another terminal; they follow it",
    )
    parser.add_argument("--lessons", action="store_true", help="the lessons of the course, to choose one")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="NAME[: data=..., k=4, ...]",
        help="a run to show beside it, by what differs: another algorithm, other data (data=moons noise=0.2), other "
        f"parameters; up to {MOST - 1}. Parameters given with -p go along where they exist",
    )
    parser.add_argument(
        "--theme", choices=("dark", "light"), help="the look; if not given that of last time, dark at first"
    )
    parser.add_argument("--ascii", action="store_true", help="nothing but ASCII, for fonts that have no more")
    parser.add_argument(
        "--version", action=_Version, nargs=0, dest=SUPPRESS, default=SUPPRESS, help="which one this is"
    )
    add_data_flags(parser)
    return parser


def _add_class_flags(parser: Parser) -> None:
    """Give a parser what can be asked for where there is a screen."""
    parser.add_argument(
        "--clean", action="store_true", help="as it comes: settings are neither read nor written"
    )
    parser.add_argument(
        "--serve",
        nargs="?",
        const=_LOOPBACK,
        metavar="HOST:PORT",
        type=_address,
        help="the app in browsers, one of its own for each visitor who has the link; on this machine alone if not told",
    )
    parser.add_argument(
        "--watch-me",
        nargs="?",
        const=_LOOPBACK,
        metavar="HOST:PORT",
        type=_address,
        help="a class follows this screen in browsers by a link that is shown; on this machine alone if not told",
    )


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or int(port) > _PORTS:
        raise ArgumentTypeError(f"{text!r} is no address: HOST:PORT, 0.0.0.0:8000 say; NAME stands before it")
    return host, int(port)


class _Version(Action):
    """Says the version, which is looked up when it is asked for."""

    def __call__(self, parser: ArgumentParser, *_: object) -> None:
        print(f"iterscope {_version()}")
        parser.exit()


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # 50 modules, which no start needs

    try:
        return version("iterscope")
    except PackageNotFoundError:
        return "(from a folder, not installed)"
