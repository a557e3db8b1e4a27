"""What to open, as it was asked for on the command line: read and checked before there is a screen."""

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from msgspec import Struct

from algorithms import Algorithm, Recipe, Refused, add_data_flags, find, names, recipe_from


class Request(Struct, frozen=True, eq=False):
    """A run to be opened; algorithm, data and parameters are known to go together.

    Attributes:
        algorithm: its name.
        recipe: how its data is made.
        parameters: those that were given, converted; the others have their defaults.
        at: the step to be shown.
    """

    algorithm: str
    recipe: Recipe
    parameters: dict[str, Any]
    at: int = 0


def read(program: str, given: Sequence[str]) -> tuple[Request | None, str]:
    """The run that a command line asks for, or None for the catalogue, and the look.

    Raises:
        Refused: with one sentence that names what would do.
    """
    asked = _parser(program).parse_intermixed_args(given)
    return (_request(asked) if asked.algorithm else _catalogue(asked)), asked.theme
