"""Variants of a run, to compare it with: another algorithm, other data, or other parameters."""

import re
from typing import Any

from algorithms.core import Refused
from algorithms.playback.runs.data_asked import data_asked
from algorithms.playback.runs.loaded_run import LoadedRun, recording


def variant(loaded: LoadedRun, algorithm: str = "", data: str = "", parameters: str = "") -> LoadedRun:
    """Vary a run by what is given; parameters that were chosen for it go along where they exist.

    Args:
        algorithm: a name or a file of one's own; the same when empty.
        data: as after --data, or "blobs margin=0.5"; the same when empty.
        parameters: "k=4,seed=1", separated by commas or blanks.

    Raises:
        Refused: for names and values that will not do, or an algorithm that does not suit the data.
    """
    from algorithms.saving.loading import is_own, named_algorithm
    from algorithms.saving.runlog import is_recording

    if algorithm and is_own(algorithm) and is_recording(algorithm):
        if data or parameters:
            raise Refused(f"{algorithm} is a recording: it has its data and parameters with it, give none.")
        return recording(algorithm)
    chosen = named_algorithm(algorithm, apart=True) if algorithm else loaded.algorithm
    spec = (algorithm if is_own(algorithm) else "") if algorithm else loaded.spec
    recipe = data_asked(data, loaded.recipe) if data else loaded.recipe
    known = {parameter.name for parameter in chosen.parameters}
    values: dict[str, Any] = {name: value for name, value in loaded.parameters.items() if name in known}
    values |= _pairs(parameters)
    rows = recipe.load() if data else loaded.data
    checked = chosen.problem(rows, None, values).parameters
    return LoadedRun(chosen, recipe, rows, {name: getattr(checked, name) for name in values}, spec)


def against(loaded: LoadedRun, text: str) -> LoadedRun:
    """Read the run that `--against NAME` or `--against "NAME: data=moons noise=0.2, k=4"` asks for; without a name, the
    same algorithm.

    Raises:
        Refused: as `variant`.
    """
    name, values = _name_and_values(text)
    data = _DATA.search(values)
    if data is not None:
        if not data["data"].strip():
            raise Refused("data= names no data: say which, as in data=moons noise=0.2.")
        values = f"{values[: data.start()]},{values[data.end() :]}"
    return variant(loaded, name.strip(), data["data"].strip() if data else "", values.strip(" ,"))


_DATA = re.compile(r"(?:^|(?<=[,\s]))data\s*=(?P<data>.*?)(?=,\s*\w+\s*=|,?\s*$)")  # up to the next comma and name


def _name_and_values(text: str) -> tuple[str, str]:
    """Part a run that is asked for where its values begin: at the first colon before a name and its value."""
    if re.match(r"\s*\w+\s*=", text):
        return "", text
    name, *values = re.split(r":(?=\s*\w+\s*=)", text, maxsplit=1)
    return name, values[0] if values else ""


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
