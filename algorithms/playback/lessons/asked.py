"""The runs that a lesson asks for, as a command line does: a lesson runs no code of its own."""

import shlex

from algorithms.cli.arguments import names_data, parameters_from, recipe_from
from algorithms.core import Refused
from algorithms.core.catalogue import find, names
from algorithms.playback.runs.loaded_run import LoadedRun

_NOT_HERE = (
    "--at",
    "--open",
    "--follow",
    "--against",
    "--theme",
    "--ascii",
    "--hall",
    "--theorem",
    "--chart",
    "--lesson",
    "--lessons",
    "--notes",
)


def run_asked(text: str) -> LoadedRun:
    """Load a run of the catalogue.

    Raises:
        Refused: when it cannot be.
    """
    from algorithms.playback.runs.request import requested

    opened = requested(_checked(shlex.split(text))).opened
    assert opened is not None
    return opened


def run_beside(text: str, like: LoadedRun) -> LoadedRun:
    """Load a run to stand beside another: its algorithm where none is named, its data where none are; its parameters go
    along where they exist.

    Raises:
        Refused: when it cannot be loaded.
    """
    from algorithms.playback.runs.request import parsed

    words = shlex.split(text)
    named = bool(words) and not words[0].startswith("-")
    given = parsed(_checked(words if named else [like.algorithm.name, *words]))
    algorithm = find(given.algorithm)
    recipe, data = like.recipe, like.data
    if names_data(given):
        recipe = recipe_from(given, like.recipe)
        data = recipe.load()
    known = {parameter.name for parameter in algorithm.parameters}
    values = {name: value for name, value in like.parameters.items() if name in known} | parameters_from(given)
    checked = algorithm.problem(data, None, values).parameters
    return LoadedRun(algorithm, recipe, data, {name: getattr(checked, name) for name in values})


def _checked(words: list[str]) -> list[str]:
    if words[0] not in names():
        raise Refused(f"{words[0]} is no algorithm of the catalogue")
    if wrong := [word for word in words if word in _NOT_HERE]:
        raise Refused(f"{wrong[0]} has no place in a lesson")
    return words
