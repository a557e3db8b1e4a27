"""What to open, as a command line asks for it: read and checked before there is a screen."""

import sys
import threading
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Literal, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from algorithms.cli.arguments import (
    Parser,
    add_data_flags,
    add_parameter_flag,
    file_name,
    loaded,
    one_line,
    parameters_from,
    recipe_from,
)
from algorithms.core import Refused
from algorithms.core.catalogue import names
from algorithms.playback.comparison.compared_run import MOST, ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.in_front import InFront, in_front
from algorithms.playback.runs.loaded_run import LoadedRun, recording
from algorithms.playback.runs.variant import against

if TYPE_CHECKING:
    from algorithms.lectures.lessons import Lesson
    from algorithms.saving.session import Opening

_ABOUT = "An oscilloscope for iterative learning algorithms, in the terminal. Without NAME it opens the catalogue."
_MORE = "Example: {program} {name} --at 9. Without a screen: python -m algorithms --help."
_LOOPBACK, _PORTS = ("127.0.0.1", 0), 65_535

_OF_NO_RUN = {"algorithm", "theme", "parameter", "at", "ascii", "open", "follow", "against"}
_OF_NO_RUN |= {"hall", "theorem", "chart", "lesson", "lessons"}


class Request(Struct, frozen=True, eq=False):
    """What a command line asks for.

    Attributes:
        opened, player: the run and its player, or None for the catalogue.
        session: the session to be replayed and shown, or None.
        against: the runs to show beside it.
        at: the step to be shown first.
        theme: the look.
        ascii_alone: for terminals and fonts that have nothing else.
        front: what is to be in front.
        lesson: the lesson to go through, or None.
        lessons: whether the lessons are to be listed.
        watched_at: host and port where a class is to see the screen, or None.
        served_at: host and port where each visitor is to have the app, or None.
    """

    opened: LoadedRun | None = None
    player: Player | None = None
    against: tuple[ComparedRun, ...] = ()
    at: int = 0
    theme: Literal["dark", "light"] = "dark"
    ascii_alone: bool = False
    session: "Opening | None" = None
    front: InFront = InFront()
    lesson: "Lesson | None" = None
    lessons: bool = False
    watched_at: tuple[str, int] | None = None
    served_at: tuple[str, int] | None = None


def read(program: str, words: Sequence[str]) -> Request:
    """Read the request that the words make.

    What cannot be opened ends the program here, with a sentence that names what would do and exit status 2.
    """
    parser = _parser(Parser(prog=program, description=_ABOUT, epilog=_MORE.format(program=program, name=names()[0])))
    _add_class_flags(parser)
    given = parser.parse_intermixed_args(words)
    watched_at, served_at = given.__dict__.pop("watch_me"), given.__dict__.pop("serve")
    if watched_at and served_at:
        parser.error("--watch-me is for those who look on, --serve for visitors with an app each: name one of them.")
    try:
        catalogued = given.algorithm in names() and not given.against
        with nullcontext() if catalogued else _slow_imports_told(program, given):
            return replace(_request(given, program), watched_at=watched_at, served_at=served_at)
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


def requested(words: Sequence[str]) -> Request:
    """Read the request that the words make, where the program is to go on.

    Raises:
        Refused: when it cannot be opened.
    """
    return _request(_parser(_Refusing(add_help=False)).parse_intermixed_args(words), "python -m tui")


class _Refusing(Parser):
    """A parser that ends nothing."""

    def error(self, message: str) -> NoReturn:
        raise Refused(f"{message.rstrip('.')}.")


def _request(given: Namespace, program: str) -> Request:
    if given.open is not None:
        return Request(theme=given.theme, ascii_alone=given.ascii, session=_session(given, program))
    if given.lesson is not None or given.lessons:
        return _lesson(given)
    opened = _opened(given)
    if opened is None:
        _refuse_what_needs_a_run(given)
        return Request(theme=given.theme, ascii_alone=given.ascii)
    others, front = (
        _against(opened, given.against),
        in_front(opened.algorithm, given.theorem, given.chart, hall=given.hall),
    )
    if others and front != InFront():
        raise Refused("--hall, --theorem and --chart are for one run: they do not go with --against.")
    player = Player(opened.timeline())
    at = _place(player, "0" if given.at is None else given.at)
    return Request(opened, player, others, at, given.theme, given.ascii, front=front)


def _lesson(given: Namespace) -> Request:
    from algorithms.lectures.lessons import lesson_named

    if given.algorithm is not None or given.follow is not None or _of_a_run(given):
        raise Refused("a lesson has its own runs: --lesson and --lessons go with none.")
    lesson = None if given.lesson is None else lesson_named(given.lesson)
    return Request(theme=given.theme, ascii_alone=given.ascii, lesson=lesson, lessons=given.lessons)


def _place(player: Player, text: str) -> int:
    """Find the step that --at names; beyond the end of the run, its end."""
    if text.isdecimal():
        return int(text)
    if player.timeline.algorithm.growing:
        raise Refused("a recording that is still being written has steps by number: --at 9.")
    from algorithms.playback.runs.place import place

    return place(player.timeline, text)


def _opened(given: Namespace) -> LoadedRun | None:
    if given.follow is None:
        return _run(given) if given.algorithm is not None else None
    if given.algorithm is not None:
        raise Refused("--follow shows a recording: name no algorithm beside it.")
    if given.parameter or _of_data(given):
        raise Refused("a recording has its data and parameters with it: give none with --follow.")
    return recording(given.follow)


def _of_data(given: Namespace) -> bool:
    return bool(vars(given).keys() - _OF_NO_RUN)


def _run(given: Namespace) -> LoadedRun:
    from algorithms.saving.loading import is_own, named_algorithm

    if is_own(given.algorithm) and _is_recording(given.algorithm):
        if given.parameter or _of_data(given):
            raise Refused("a recording has its data and parameters with it: give none beside it.")
        return recording(given.algorithm)
    algorithm = named_algorithm(given.algorithm, apart=True)
    recipe = recipe_from(given, next(iter(algorithm.datasets), None))
    data, typed = loaded(recipe), parameters_from(given)
    checked = algorithm.problem(data, None, typed).parameters
    spec = given.algorithm if is_own(given.algorithm) else ""
    return LoadedRun(algorithm, recipe, data, {name: getattr(checked, name) for name in typed}, spec)


def _is_recording(path: str) -> bool:
    from algorithms.saving.runlog import is_recording

    return is_recording(path)


def _session(given: Namespace, program: str) -> "Opening":
    """Open the session named; it says itself what runs, but for code of the reader's own, which has to be named."""
    from algorithms.saving.loading import named_algorithm
    from algorithms.saving.session import Opening

    if given.follow is not None:
        raise Refused("--open is for a session and --follow for a recording: name one of them.")
    if _of_a_run(given):
        raise Refused("a session has its own data, parameters and step: --open goes with none of them.")
    algorithm = None if given.algorithm is None else named_algorithm(given.algorithm, apart=True)
    return Opening(given.open, algorithm, instead=f"{program} {{spec}} --open {{file}}")


def _against(opened: LoadedRun, texts: Sequence[str]) -> tuple[ComparedRun, ...]:
    if len(texts) >= MOST:
        raise Refused(
            f"{MOST} runs can be held against each other, so --against may be given {MOST - 1} times at most."
        )
    others = [against(opened, text) for text in texts]
    return tuple(ComparedRun("", Player(other.timeline()).timeline, other) for other in others)


def _of_a_run(given: Namespace) -> bool:
    shown = given.at is not None or given.hall or given.theorem or given.chart
    return bool(_of_data(given) or given.parameter or given.against or shown)


def _refuse_what_needs_a_run(given: Namespace) -> None:
    if _of_a_run(given):
        raise Refused(f"name the algorithm that this is for; there are {', '.join(names())}.")


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
    parser.add_argument("--open", metavar="FILE", type=file_name, help="a session that was saved with ctrl+s")
    parser.add_argument("--lesson", metavar="NAME|FILE.md", help="a lesson: pgdn and pgup go through its moments")
    parser.add_argument("--lessons", action="store_true", help="the lessons of the course, to choose one")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="NAME[: data=..., k=4, ...]",
        help="a run to show beside it, by what differs: another algorithm, other data (data=moons noise=0.2), other "
        f"parameters; up to {MOST - 1}. Parameters given with -p go along where they exist",
    )
    parser.add_argument("--theme", choices=("dark", "light"), default="dark", help="the look; dark if not given")
    parser.add_argument("--ascii", action="store_true", help="nothing but ASCII, for fonts that have no more")
    parser.add_argument(
        "--version", action=_Version, nargs=0, dest=SUPPRESS, default=SUPPRESS, help="which one this is"
    )
    add_data_flags(parser)
    return parser


def _add_class_flags(parser: Parser) -> None:
    """Give a parser what can be asked for where there is a screen."""
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
