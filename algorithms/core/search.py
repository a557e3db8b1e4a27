"""Search the catalogue: by an algorithm's names, title and family, by the data it starts with, and by its theorems."""

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import by_family, find
from algorithms.core.theorem import Theorem


def search(query: str) -> dict[str, tuple[str, ...]]:
    """List the algorithms of each family that match a query, in the order of a course; all of them for ""."""
    grouped: dict[str, tuple[str, ...]] = {}
    for family, members in by_family().items():
        matching = tuple(name for name in members if matches(find(name), query))
        if matching:
            grouped[family] = matching
    return grouped


def matches(algorithm: Algorithm, query: str) -> bool:
    """Tell whether each word of the query occurs in title, names, family, data and at most one theorem.

    Two words of different theorems do not match: "never rises" is one statement.
    """
    return occurs(query, _label(algorithm)) or bool(theorems_with(algorithm, query))


def in_title(algorithm: Algorithm, query: str) -> bool:
    """Tell whether each word of the query occurs in the title or a name."""
    return occurs(query, _titles(algorithm))


def theorems_with(algorithm: Algorithm, query: str) -> tuple[Theorem, ...]:
    """List the theorems that a query is about: with words that occur in nothing else but one of them."""
    label = _label(algorithm)
    if occurs(query, label):
        return ()
    return tuple(t for t in algorithm.theorems if occurs(query, f"{label}\n{t.statement}\n{t.source}"))


def occurs(query: str, text: str) -> bool:
    """Tell whether each word of the query occurs in a text, in capitals or not."""
    folded = text.casefold()
    return all(word in folded for word in query.casefold().split())


def _titles(algorithm: Algorithm) -> str:
    return "\n".join((algorithm.title, algorithm.name, algorithm.name.replace("_", " "), *algorithm.also))


def _label(algorithm: Algorithm) -> str:
    return "\n".join((_titles(algorithm), algorithm.family, *(data.name for data in algorithm.datasets)))
