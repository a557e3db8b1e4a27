"""Arguments of the command lines: the data and its recipe, and an algorithm's parameters.

Both `python -m algorithms` and the app read them from here, so that they cannot differ.
"""

import csv
import os
import shlex
import sys
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

from algorithms.core.errors import Refused
from algorithms.core.text import printable

if TYPE_CHECKING:  # NumPy, which help and refusals do without
    from algorithms.core.dataset import Dataset, Source
    from algorithms.data.recipe import Recipe

# the flags whose values a Recipe takes as they are, but for their type
_PLAIN = (
    "target_kind",
    "positive",
    "scale",
    "hold_out",
    "hold_out_seed",
    "flip",
    "flip_seed",
    "missing",
    "decimal",
    "sample",
    "sample_seed",
    "map",
    "map_seed",
)


_LISTS = ("columns", "classes")  # with commas between
_NUMBERS = (
    ("hold_out", float),
    ("hold_out_seed", int),
    ("flip", float),
    ("flip_seed", int),
    ("sample", int),
    ("sample_seed", int),
    ("map_seed", int),
)
_LONGEST = 1_000  # characters of a sentence; an error that a file raises can be of any length
_MOMENT = 0.3  # seconds between two looks at how far a file is read


class _Short(HelpFormatter):
    """Help that fits a screen: a line an argument where its words do, and what has to be given in the usage."""

    def __init__(self, prog: str, **settings: Any):
        super().__init__(prog, **({"max_help_position": 26} | settings))

    def _format_usage(self, usage: str | None, actions: Iterable[Action], groups: Any, prefix: str | None) -> str:
        if usage is not None or prefix == "":  # what was made here before, or the words before a command's name
            return super()._format_usage(usage, actions, groups, prefix)
        needed = [action for action in actions if action.required or not action.option_strings]
        return super()._format_usage(usage, needed, (), prefix).replace(self._prog, f"{self._prog} [options]", 1)

    def start_section(self, heading: str | None) -> None:
        super().start_section(None)

    def _format_action_invocation(self, action: Action) -> str:
        if len(action.option_strings) < 2 or action.nargs == 0:
            return super()._format_action_invocation(action)
        return f"{action.option_strings[0]} {action.metavar}"


class Parser(ArgumentParser):
    """An ArgumentParser that refuses in one sentence, with exit status 2."""

    def __init__(self, **settings: Any):
        usual: dict[str, Any] = {"allow_abbrev": False, "formatter_class": _Short}
        super().__init__(**usual | settings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {one_line(message)}\n")


def one_line(text: str) -> str:
    """Make a sentence printable: on one line, nothing in it that steers a terminal, and of bearable length."""
    line = printable(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def file_name(text: str) -> str:
    """Check the value of a flag that takes the name of a file, as argparse wants its types."""
    if not text.strip() or text.endswith(("/", os.sep)):
        raise ArgumentTypeError(f"it takes the name of a file, not {text!r}")
    return text


def handed_on(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the words of a command line: ours, and those behind -- for a file of the reader's.

    Where no file of the reader's is among ours, all of them are ours.
    """
    given = list(words)
    if "--" not in given:
        return given, []
    at = given.index("--")
    before = given[:at]
    if not any(_ends_in_code(word) for word in before):
        return given, []
    return before, given[at + 1 :]


def _ends_in_code(word: str) -> bool:
    from algorithms.userfile.spec import Spec

    spec = Spec.of(word)
    return spec.place.endswith(".py") or bool(spec.name and spec.place.replace(".", "").isidentifier())


def add_data_flags(parser: ArgumentParser, *, listed: bool = False) -> None:
    """Add the flags from which `recipe_from` makes a Recipe.

    Args:
        parser: what they are added to.
        listed: whether its help has them all; else it says that there are more.
    """

    def flag(name: str, *, help: str, **settings: Any) -> None:
        parser.add_argument(name, default=SUPPRESS, help=help if listed else SUPPRESS, **settings)

    parser.add_argument(
        "--data",
        metavar="NAME|FILE",
        default=SUPPRESS,
        help="a data set by name, with its own arguments (blobs:margin=0.3,n=100), or the path of a file"
        if listed
        else "a data set or a file; `python -m algorithms data` has the sets, and flags such as --target and --scale",
    )
    flag("--columns", metavar="A,B", help="the features, in this order")
    flag("--target", metavar="COLUMN", help="the column to learn, or none")
    flag("--target-kind", choices=("auto", "class", "number"), help="what the target is, when it is not as it seems")
    flag("--classes", metavar="A,B", help="the classes whose rows are taken")
    flag("--positive", metavar="CLASS", help="the class to hold against all others")
    flag("--scale", action="store_true", help="features with mean 0 and standard deviation 1")
    flag("--no-scale", action="store_false", dest="scale", help="features in their own units")
    flag("--hold-out", metavar="SHARE", help="the share of the rows to keep aside, say 0.25")
    flag("--hold-out-seed", metavar="SEED", help="which rows those are")
    flag("--flip", metavar="SHARE", help="the share of the training rows to mislabel on purpose, say 0.1")
    flag("--flip-seed", metavar="SEED", help="which rows those are")
    flag("--missing", choices=("drop", "refuse"), help="what to do with rows in which a cell is missing")
    flag("--decimal", choices=(".", ","), help="what stands before the decimals in the file")
    flag("--sample", metavar="ROWS", help="so many rows, drawn at random")
    flag("--sample-seed", metavar="SEED", help="which rows those are")
    flag(
        "--map",
        metavar="MAP",
        help="features made of the (scaled) ones: quadratic, products, rbf:20, letters:2 (of a column of text), none",
    )
    flag("--map-seed", metavar="SEED", help="which rows are the centres of a map")


def add_parameter_flag(parser: ArgumentParser) -> None:
    """Add the flag from which `parameters_from` makes a dictionary."""
    parser.add_argument(
        "-p", "--parameter", action="append", default=[], metavar="NAME=VALUE", help="a parameter; may be repeated"
    )


def recipe_from(arguments: Namespace, start: "Source | None" = None) -> "Source":
    """Make the recipe that the data flags speak of; without --data, `start` with what the flags change.

    Raises:
        Refused: for names and values that will not do, or when there is no data to speak of.
    """
    from algorithms.core.dataset import NoData
    from algorithms.data.recipe import Recipe, recipe_named

    given = vars(arguments)
    changes = {name: given[name] for name in _PLAIN if name in given}
    for name in _LISTS:
        if name in given:
            changes[name] = tuple(next(csv.reader([given[name]], skipinitialspace=True), ()))
    if "target" in given:
        changes["target"] = "" if given["target"] == "none" else given["target"]
        changes.setdefault("positive", None)  # another target has other classes
        changes.setdefault("classes", ())
    if changes.get("map") == "none":
        changes["map"] = ""
    for name, kind in _NUMBERS:
        if name in changes:
            changes[name] = _number(name, changes[name], kind)
    recipe = recipe_named(given["data"]) if "data" in given else start
    if recipe is None:
        raise Refused("say which data with --data.")
    if not changes:
        return recipe
    if isinstance(recipe, NoData):
        raise Refused("these flags change data, and it works on none: give none of them.")
    if not isinstance(recipe, Recipe):
        raise Refused("these flags change a data set by name or file: say which with --data.")
    return recipe.with_(**changes)


def names_data(arguments: Namespace) -> bool:
    """Tell whether a flag speaks of data."""
    return any(name in vars(arguments) for name in ("data", "target", *_LISTS, *_PLAIN))


def loaded(source: "Source") -> "Dataset":
    """Load the data of a source; while a large file is read, a line on a terminal's stderr says how far it is.

    Raises:
        Refused: when it cannot be had.
    """
    from algorithms.data.recipe import Recipe

    if not isinstance(source, Recipe) or sys.stderr is None or not sys.stderr.isatty():
        return source.load()
    with ProgressLine(f"reading {source.label[:40]}") as line:
        return source.load(line.show)


class ProgressLine:
    """A line that is written over itself, shown when something takes longer than a moment, and taken away after."""

    def __init__(self, doing: str):
        self._doing = doing
        self._next = monotonic() + _MOMENT
        self._shown = 0

    def show(self, share: float) -> None:
        """Tell how much is done, now and then."""
        if monotonic() < self._next:
            return
        self._next = monotonic() + _MOMENT
        text = f"{self._doing}: {share:4.0%}, ctrl+c ends it"
        print(f"\r{text.ljust(self._shown)}", end="", file=sys.stderr, flush=True)
        self._shown = len(text)

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(f"\r{' ' * self._shown}\r", end="", file=sys.stderr, flush=True)


def parameters_from(arguments: Namespace, flag: str = "parameter") -> dict[str, str]:
    """Read the parameters given with -p, or another flag: by name, as they were typed."""
    from algorithms.data.recipe import name_and_value

    example = "-p k=3" if flag == "parameter" else f"--{flag.replace('_', '-')} k=3"
    return dict(name_and_value(text, example) for text in getattr(arguments, flag))


def flags_of(recipe: "Recipe") -> str:
    """Write the flags from which `recipe_from` makes this recipe again."""
    own = ",".join(f"{name}={value}" for name, value in recipe.made)
    words = _flag("data", f"{recipe.name}:{own}" if own else recipe.name)
    for name in _LISTS:
        if getattr(recipe, name):
            words += _flag(name, ",".join(map(_as_cell, getattr(recipe, name))))
    if recipe.target is not None:
        words += _flag("target", recipe.target or "none")
    usual = type(recipe)(name=recipe.name)
    for name in _PLAIN:
        value = getattr(recipe, name)
        if value is True:
            words.append(f"--{name}")
        elif value != getattr(usual, name):
            words += _flag(name.replace("_", "-"), str(value))
    return shlex.join(words)


def _flag(name: str, value: str) -> list[str]:
    """Write a flag and its value, in one word where the value could be taken for something else."""
    return [f"--{name}={value}"] if not value or value.startswith("-") else [f"--{name}", value]


def _number(name: str, text: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise Refused(f"--{name.replace('_', '-')} takes {what}, not {text!r}.") from None


def _as_cell(column: str) -> str:
    """Write a column's name as one cell of CSV."""
    return '"' + column.replace('"', '""') + '"' if set(column) & set(',"\r\n ') else column
