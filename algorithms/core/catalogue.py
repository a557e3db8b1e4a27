"""The catalogue: every algorithm there is, found by walking the families; no list to keep up to date."""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Refused

_HERE = Path(__file__).parent.parent
_NOT_FAMILIES = {"core", "record", "data", "toolbox", "headless", "own", "session", "recordings", "export"}


@cache
def modules() -> dict[str, str]:
    """The module of each algorithm by its name, families in alphabetical order; nothing is imported."""
    found: dict[str, str] = {}
    for family in pkgutil.iter_modules([str(_HERE)]):
        if family.ispkg and family.name not in _NOT_FAMILIES:
            for file in pkgutil.iter_modules([str(_HERE / family.name)]):
                if not file.name.startswith("_"):
                    found[file.name] = f"algorithms.{family.name}.{file.name}"
    return found


def names() -> tuple[str, ...]:
    """The name of every algorithm."""
    return tuple(modules())


def families() -> dict[str, tuple[str, ...]]:
    """The names of the algorithms of each family."""
    grouped: dict[str, list[str]] = {}
    for name, module in modules().items():
        grouped.setdefault(module.split(".")[1], []).append(name)
    return {family: tuple(members) for family, members in grouped.items()}


def find(name: str) -> Algorithm:
    """The algorithm of that name; `Refused` names the ones there are."""
    if name not in modules():
        near = get_close_matches(name, names(), n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise Refused(f"there is no algorithm {name!r}; there are {', '.join(names())}.{hint}")
    found: Algorithm = importlib.import_module(modules()[name]).ALGORITHM
    return found
