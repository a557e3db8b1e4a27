"""Search the catalogue: by an algorithm's names, title and family, by the data it starts with, and by its theorems."""

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import by_family, find
from algorithms.core.errors import Refused
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


def theorem_named(algorithm: Algorithm, words: str) -> int:
    """Find the theorem with these words in its statement, in capitals or not: its place among the algorithm's.

    Raises:
        Refused: when there is none, or more than one of which none is called just so.
    """
    stated = [theorem.statement.casefold() for theorem in algorithm.theorems]
    found = [i for i, statement in enumerate(stated) if words.casefold() in statement]
    exact = [i for i in found if stated[i] == words.casefold()]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        several = "; ".join(algorithm.theorems[i].statement for i in found)
        raise Refused(f"{words!r} is in {len(found)} theorems of {algorithm.title}: {several}.")
    every = "; ".join(theorem.statement for theorem in algorithm.theorems)
    raise Refused(f"{algorithm.title} has no theorem with {words!r} in it; there are: {every or 'none'}.")


def occurs(query: str, text: str) -> bool:
    """Tell whether each word of the query occurs in a text, in capitals or not."""
    folded = text.casefold()
    return all(word in folded for word in query.casefold().split())


def _titles(algorithm: Algorithm) -> str:
    return "\n".join((algorithm.title, algorithm.name, algorithm.name.replace("_", " "), *algorithm.also))


def _label(algorithm: Algorithm) -> str:
    return "\n".join((_titles(algorithm), algorithm.family, *(data.name for data in algorithm.datasets)))
