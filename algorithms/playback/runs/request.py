"""The command line of the screen: its words, and the run that they ask for."""

import sys
import threading
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from algorithms.cli.arguments import Parser, add_data_flags, add_parameter_flag, file_name, handed_on, one_line
from algorithms.cli.commands import COMMANDS
from algorithms.cli.completion import asked, complete
from algorithms.core.catalogue import names
from algorithms.core.errors import Refused
from algorithms.playback.comparison.letters import MOST

if TYPE_CHECKING:
    from algorithms.playback.runs.first_screen import Request

_ABOUT = "An oscilloscope for learning algorithms. Without NAME it opens the catalogue."
_MORE = "Example: {program} lloyd --data faithful -p k=3 --at 9"
_LOOPBACK, _PORTS = ("127.0.0.1", 0), 65_535


def read(program: str, words: Sequence[str]) -> "Request":
    """Read the request that the words make.

    What cannot be opened ends the program here, with a sentence that names what would do and exit status 2.
    """
    parser = _parser(Parser(prog=program, description=_ABOUT, epilog=_MORE.format(program=program)))
    _add_class_flags(parser)
    if asked():
        complete(parser, COMMANDS)
    given = _given(parser, words)
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
    return _given(_parser(_Refusing(add_help=False)), words)


def _given(parser: ArgumentParser, words: Sequence[str]) -> Namespace:
    """Read the words; what stands behind -- is for the reader's own file, where one is named."""
    before, behind = handed_on(words)
    given = parser.parse_intermixed_args(before)
    if given.algorithm and given.algorithm not in names():
        from algorithms.userfile.plugins import own_spec

        given.algorithm = own_spec(given.algorithm)
    if not behind:
        return given
    from algorithms.saving.loading import is_own
    from algorithms.userfile.spec import with_words

    if not is_own(given.algorithm or ""):
        return parser.parse_intermixed_args(words)
    given.algorithm = with_words(given.algorithm, behind)
    return given


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
        help="an algorithm, or your own: mine.py, module:name",
    )
    add_parameter_flag(parser)
    parser.add_argument("--follow", metavar="FILE", type=file_name, help="show a recording, also one being written")
    parser.add_argument("--at", metavar="STEP", help='where to begin: 9, end, or "first mistake"')
    parser.add_argument(
        "--theorem", default="", metavar="WORDS", help="the theorem in front, by words of its statement"
    )
    parser.add_argument("--chart", default="", metavar="CURVE", help="the chart in front, by a curve in it")
    parser.add_argument("--hall", action="store_true", help="large, for a lecture hall; F goes there and back")
    parser.add_argument("--whole", action="store_true", help="all of the run, not as far as one has been; so V")
    parser.add_argument("--open", metavar="FILE", type=file_name, help="a session that was saved with ctrl+s")
    parser.add_argument("--lesson", metavar="NAME|FILE.md", help="a lesson; pgdn and pgup go through it")
    parser.add_argument(
        "--notes",
        action="store_true",
        help="the notes of the --lesson in another terminal",
    )
    parser.add_argument("--lessons", action="store_true", help="the lessons of the course, to choose one")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="RUN",
        help=f"a run beside it: what differs, as NAME: k=4, data=moons; up to {MOST - 1}",
    )
    parser.add_argument("--theme", choices=("dark", "light"), help="the look; else that of last time")
    parser.add_argument("--ascii", action="store_true", help="nothing but ASCII, for fonts that have no more")
    parser.add_argument(
        "--version", action=_Version, nargs=0, dest=SUPPRESS, default=SUPPRESS, help="which one this is"
    )
    add_data_flags(parser)
    return parser


def _add_class_flags(parser: Parser) -> None:
    """Give a parser what can be asked for where there is a screen."""
    parser.add_argument("--clean", action="store_true", help="as it comes: settings are neither read nor written")
    parser.add_argument(
        "--serve",
        nargs="?",
        const=_LOOPBACK,
        metavar="HOST:PORT",
        type=_address,
        help="in browsers: an app for each who has the link",
    )
    parser.add_argument(
        "--watch-me",
        nargs="?",
        const=_LOOPBACK,
        metavar="HOST:PORT",
        type=_address,
        help="a class follows in browsers, by a link",
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
