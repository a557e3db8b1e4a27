"""What to open, as a command line asks for it: read and checked before there is a screen."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from msgspec import Struct

from algorithms import Refused, Source, find, names
from algorithms.arguments import Parser, add_data_flags, add_parameter_flag, parameters_from, recipe_from
from tui.terminal.clean import clean


class Request(Struct, frozen=True, eq=False):
    """A run to be opened; algorithm, data and parameters go together.

    Attributes:
        algorithm: its name.
        recipe: what its data is made by.
        parameters: those that were given, converted; the others have their defaults.
        at: the step to be shown.
    """

    algorithm: str
    recipe: Source
    parameters: dict[str, Any]
    at: int = 0


def read(program: str, words: Sequence[str]) -> tuple[Request | None, str]:
    """The run that a command line asks for, None for the catalogue, and the theme.

    What cannot be opened ends the program here, with a sentence that names what would do and exit status 2.
    """
    parser = _parser(program)
    given = parser.parse_intermixed_args(words)
    try:
        return (_catalogue(given) if given.algorithm is None else _run(given)), given.theme
    except Refused as refusal:
        parser.error(clean(refusal, limit=1000))


def _run(given: Namespace) -> Request:
    algorithm = find(given.algorithm)
    recipe = recipe_from(given, next(iter(algorithm.starts), None))
    typed = parameters_from(given)
    checked = algorithm.problem(recipe.load(), None, typed).parameters
    return Request(algorithm.name, recipe, {name: getattr(checked, name) for name in typed}, given.at or 0)


def _catalogue(given: Namespace) -> None:
    """No algorithm was named: then nothing else may be asked for that belongs to a run."""
    for_a_run = vars(given).keys() - {"algorithm", "theme", "parameter", "at"}
    if for_a_run or given.parameter or given.at is not None:
        raise Refused(f"name the algorithm that this is for; there are {', '.join(names())}.")


def _parser(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="An oscilloscope for iterative learning algorithms, in the terminal.",
        epilog=f"Without a screen: python -m algorithms --help. An example: {program} lloyd --data faithful -p k=2 --at 9",
    )
    parser.add_argument("algorithm", nargs="?", metavar="NAME", help=f"one of {', '.join(names())}; else the catalogue")
    add_parameter_flag(parser)
    parser.add_argument("--at", type=_step, metavar="STEP", help="the step to show first")
    parser.add_argument("--theme", choices=("dark", "light"), default="dark", help="the look; dark if not given")
    parser.add_argument("--version", action="version", version=f"iterscope {_version()}")
    add_data_flags(parser)
    return parser


def _step(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{clean(text)!r} is not a step: they are numbered 0, 1, 2, ...")
    return int(text)


def _version() -> str:
    try:
        return version("iterscope")
    except PackageNotFoundError:
        return "from a folder, not installed"
