"""How an algorithm of the catalogue was run last: as the words of a command line, and back."""

import os
import shlex

from msgspec.structs import replace

from algorithms.core import Algorithm, Refused
from algorithms.core.parameters import as_typed
from algorithms.core.text import clean
from algorithms.data import Recipe
from algorithms.data.named import NAMED
from algorithms.playback.runs.loaded_run import LoadedRun

_AT_ONCE = 2 << 20  # bytes of a file that is read between a key and its picture


def words_of(loaded: LoadedRun) -> str | None:
    """Write the words from which `last_run` makes this run again; None where it is as the catalogue has it, or none of
    it."""
    from algorithms.cli.arguments import flags_of

    algorithm, recipe = loaded.algorithm, loaded.recipe
    usual = LoadedRun.usual(algorithm)
    words = []
    if recipe != usual.recipe:
        if not isinstance(recipe, Recipe):
            return None
        named = recipe if recipe.name in NAMED else replace(recipe, name=os.path.abspath(recipe.name))
        words.append(flags_of(named))
    for name in _differing(loaded, usual):
        words.append(shlex.join(["-p", f"{name}={as_typed(_value(loaded, name))}"]))
    return " ".join(words) or None


def last_run(algorithm: Algorithm, words: str) -> LoadedRun:
    """Load the run that the words make; `Refused` says why that cannot be.

    A large file is not read again: nobody asked for it now.
    """
    from algorithms.cli.arguments import parameters_from, recipe_from
    from algorithms.playback.runs.request import parsed

    try:
        given = parsed([algorithm.name, *shlex.split(words)])
    except ValueError as error:
        raise Refused(f"{error}.") from None
    usual = LoadedRun.usual(algorithm)
    recipe = recipe_from(given, usual.recipe)
    if isinstance(recipe, Recipe) and recipe.name not in NAMED and _size(recipe.name) > _AT_ONCE:
        raise Refused(f"{recipe.label} is large, and read again by d alone.")
    return LoadedRun.checked(algorithm, recipe, usual.parameters | parameters_from(given))


def in_words(loaded: LoadedRun) -> str:
    """Say what is not as the catalogue has it: "on moons, k 4"."""
    usual = LoadedRun.usual(loaded.algorithm)
    data = [f"on {loaded.data.name}"] if loaded.recipe != usual.recipe else []
    return clean(
        ", ".join([*data, *(f"{name} {as_typed(_value(loaded, name))}" for name in _differing(loaded, usual))])
    )


def _differing(loaded: LoadedRun, usual: LoadedRun) -> list[str]:
    """List the parameters with another value than the catalogue's."""
    return [p.name for p in loaded.algorithm.parameters if _value(loaded, p.name) != _value(usual, p.name)]


def _value(loaded: LoadedRun, name: str) -> object:
    return getattr(loaded.algorithm.problem(loaded.data, None, loaded.parameters).parameters, name)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except (OSError, ValueError):
        return 0  # reading it says what is wrong
