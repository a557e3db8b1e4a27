"""Another run to hold against one: with another algorithm, on other data, or with other parameters."""

import re
from typing import Any

from algorithms.cli.arguments import recipe_named
from algorithms.core import Refused
from algorithms.playback.loaded_run import LoadedRun, recording
from algorithms.saving.loading import is_own, named_algorithm
from algorithms.saving.runlog import is_recording


def another(opened: LoadedRun, algorithm: str = "", data: str = "", parameters: str = "") -> LoadedRun:
    """A run like this one but for what is given; parameters that were chosen for it go along where they exist.

    Args:
        algorithm: a name or a file of one's own; the same when empty.
        data: as after --data; the same when empty.
        parameters: "k=4,seed=1", separated by commas or blanks.

    Raises:
        Refused: for names and values that will not do, or an algorithm that does not suit the data.
    """
    if algorithm and is_own(algorithm) and is_recording(algorithm):
        if data or parameters:
            raise Refused(f"{algorithm} is a recording: it has its data and parameters with it, give none.")
        return recording(algorithm)
    chosen = named_algorithm(algorithm, apart=True) if algorithm else opened.algorithm
    spec = (algorithm if is_own(algorithm) else "") if algorithm else opened.spec
    recipe = recipe_named(data) if data else opened.recipe
    known = {parameter.name for parameter in chosen.parameters}
    values: dict[str, Any] = {name: value for name, value in opened.parameters.items() if name in known}
    values |= _pairs(parameters)
    loaded = recipe.load() if data else opened.data
    checked = chosen.problem(loaded, None, values).parameters
    return LoadedRun(chosen, recipe, loaded, {name: getattr(checked, name) for name in values}, spec)


def against(opened: LoadedRun, text: str) -> LoadedRun:
    """The run that `--against NAME` or `--against NAME:k=4,seed=1` asks for; without a name, the same algorithm.

    Raises:
        Refused: as `another`.
    """
    name, _, values = text.rpartition(":")
    if "=" not in values:  # the colon of a module of one's own, or none
        name, values = text, ""
    return another(opened, name.strip(), parameters=values)


def _pairs(text: str) -> dict[str, str]:
    """ "k=4, seed=1" by name; a value may hold commas."""
    pairs: dict[str, str] = {}
    for part in re.split(r"[,\s]+(?=\w+\s*=)", text.strip()):
        if not part:
            continue
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise Refused(f"{part!r} is not name=value, as in k=4.")
        pairs[name.strip()] = value.strip().rstrip(",")
    return pairs
