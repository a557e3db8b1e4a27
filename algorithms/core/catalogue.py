"""The catalogue: every algorithm there is, found by walking the families; no list to keep up to date."""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from algorithms.core.algorithm import Algorithm
from algorithms.core.errors import Refused

FAMILIES = Path(__file__).parent.parent / "families"

# The order of a course; a family that is not named here comes after these, by its name.
_COURSE = (
    "linear",
    "regression",
    "selection",
    "estimation",
    "online",
    "svm",
    "kernels",
    "duality",
    "optimisers",
    "neighbours",
    "bayes",
    "trees",
    "ensembles",
    "boosting",
    "neural",
    "clustering",
    "mixtures",
    "reduction",
)


class Twins(ValueError):
    """Two files that would be found by one name; a mistake in this house, not in what a person typed."""


def walked(folder: Path, package: str) -> dict[str, str]:
    """Find the module of every algorithm in the families of a folder; nothing is imported.

    A family is a package in the folder; an algorithm is a module or a package in a family, and neither begins with _.

    Args:
        folder: where the families are.
        package: the dotted name of that folder.

    Returns:
        The module by the algorithm's name, families in the order of a course, names in alphabetical order.

    Raises:
        Twins: when two families have an algorithm of the same name.
    """
    families = [f.name for f in pkgutil.iter_modules([str(folder)]) if f.ispkg and not f.name.startswith("_")]
    modules: dict[str, str] = {}
    for family in sorted(families, key=lambda name: (_COURSE.index(name) if name in _COURSE else len(_COURSE), name)):
        for file in pkgutil.iter_modules([str(folder / family)]):
            if file.name.startswith("_"):
                continue
            if file.name in modules:
                both = " and ".join(
                    m.replace(".", "/") for m in (modules[file.name], f"{package}.{family}.{file.name}")
                )
                raise Twins(f"two algorithms are called {file.name}: {both}. Rename one: each is found by its name.")
            modules[file.name] = f"{package}.{family}.{file.name}"
    return modules


@cache
def modules() -> dict[str, str]:
    """Find the module of each algorithm of ours by its name."""
    return walked(FAMILIES, "algorithms.families")


def names() -> tuple[str, ...]:
    """List the name of every algorithm."""
    return tuple(modules())


def by_family() -> dict[str, tuple[str, ...]]:
    """List the names of the algorithms of each family, in the order of a course."""
    grouped: dict[str, list[str]] = {}
    for name, module in modules().items():
        grouped.setdefault(module.split(".")[2], []).append(name)
    return {family: tuple(members) for family, members in grouped.items()}


def find(name: str) -> Algorithm:
    """Get the algorithm of that name.

    Raises:
        Refused: when there is none; it names the nearest, and the command that lists all.
    """
    if name not in modules():
        near = get_close_matches(name, names(), n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        every = f"`python -m algorithms list` names the {len(names())} that there are, by family."
        raise Refused(f"there is no algorithm {name!r}; {every}{hint}")
    algorithm: Algorithm = importlib.import_module(modules()[name]).ALGORITHM
    return algorithm
