"""The catalogue: every algorithm there is, found by walking the families; no list to keep up to date."""

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.core.errors import Refused

if TYPE_CHECKING:  # whoever only asks for names has no need of it
    from algorithms.core.algorithm import Algorithm

FAMILIES = Path(__file__).parent.parent / "families"
SHARED = "shared"  # the package in a family of what two of its algorithms use, which is none itself

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
BEGIN = ("perceptron", "lloyd", "gradient_descent", "gaussian_mixture", "pca", "adaboost")  # for who has met none


class Twins(ValueError):
    """Two files that would be found by one name; a mistake in this house, not in what a person typed."""


def walked(folder: Path, package: str) -> dict[str, str]:
    """Find the module of every algorithm in the families of a folder; nothing is imported.

    A family is a package in the folder; an algorithm is a module or a package in a family, and neither begins with _;
    what several of a family share is no algorithm.

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
            if file.name.startswith("_") or file.name == SHARED:
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


def in_course(family: str) -> tuple[str, ...]:
    """List the algorithms of a family from the first to the special: each after those that are met before it, and of
    several that may come next the one first that most follow.

    Raises:
        graphlib.CycleError: when two are each to be met before the other.
    """
    members = by_family()[family]
    before = {name: {other for other in find(name).after if other in members} for name in members}
    followers = {name: sum(name in others for others in before.values()) for name in members}
    course = TopologicalSorter(before)
    course.prepare()
    ordered: list[str] = []
    while course.is_active():
        ready = course.get_ready()
        ordered += sorted(ready, key=lambda name: (-followers[name], name))
        course.done(*ready)
    return tuple(ordered)


def about_family(family: str) -> tuple[str, str]:
    """Get the title of a family and what it is about, in a sentence: the docstring of its package."""
    text = importlib.import_module(f"algorithms.families.{family}").__doc__ or family
    title, _, sentence = text.strip().partition(": ")
    return title, sentence


def find(name: str) -> "Algorithm":
    """Get the algorithm of that name, of that title, or of another name that it goes by.

    Capitals, spaces, dashes and underscores make no difference.

    Raises:
        Refused: when there is none; it names the nearest, and the command that lists all.

    >>> from algorithms import find
    >>> find("lloyd") is find("k-means")
    True
    """
    if name not in modules():
        others = other_names()
        found = others.get(_folded(str(name)))
        if found is None:
            every = f"`python -m algorithms list` names the {len(names())} that there are, by family."
            own = " load(...) opens a file of your own." if str(name).endswith((".py", ".log")) else ""
            near = get_close_matches(_folded(str(name)), others, n=1, cutoff=0.6)
            hint = f" Did you mean {others[near[0]]}?" if near and not own else ""
            raise Refused(f"there is no algorithm {name!r}; {every}{own}{hint}")
        name = found
    algorithm: Algorithm = importlib.import_module(modules()[name]).ALGORITHM
    return algorithm


@cache
def other_names() -> dict[str, str]:
    """Find the name of each algorithm by all it goes by, without capitals and what stands between words.

    Raises:
        Twins: when two algorithms go by one name.
    """
    found: dict[str, str] = {}
    for name in names():
        algorithm = find(name)
        for other in dict.fromkeys(map(_folded, (name, algorithm.title, *algorithm.also))):
            if found.setdefault(other, name) != name:
                raise Twins(f"{found[other]} and {name} both go by {other!r}: take it from one of them.")
    return found


def _folded(name: str) -> str:
    """Leave out what does not tell names apart: capitals, and spaces, dashes, underscores and the like."""
    return "".join(c for c in name.casefold() if c.isalnum() or c == "+")
