"""Search the catalogue: by an algorithm's names, by all that it says of itself, and by the words of the field."""

import re
from collections.abc import Iterator

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import about_family, by_family, find, in_course
from algorithms.core.errors import Refused
from algorithms.core.glossary import Word, glossary
from algorithms.core.theorems import Theorem

_KNOWN_BY = 4  # letters that a word of the field is known by, where it is not typed whole


def search(query: str) -> dict[str, tuple[str, ...]]:
    """List the algorithms of each family that match a query, in the order of a course; all of them for ""."""
    matching = {*ranked(query)}
    course = {family: tuple(name for name in in_course(family) if name in matching) for family in by_family()}
    return {family: members for family, members in course.items() if members}


def ranked(query: str) -> tuple[str, ...]:
    """List the algorithms that match a query, the best first: titles before all else, whole words before parts."""
    course = [name for family in by_family() for name in in_course(family)]
    meant = _meant(query)
    ranks = {name: next((i for i, holds in enumerate(_ways(find(name), query, meant)) if holds), -1) for name in course}
    return tuple(sorted((name for name in course if ranks[name] >= 0), key=ranks.__getitem__))


def theorems_with(algorithm: Algorithm, query: str) -> tuple[Theorem, ...]:
    """List the theorems that a query is about: with words that occur in nothing else but one of them."""
    label = _label(algorithm)
    if _begins(query, label):
        return ()
    return tuple(t for t in algorithm.theorems if _begins(query, f"{label}\n{t.statement}\n{t.source}"))


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


def _ways(algorithm: Algorithm, query: str, meant: tuple[Word, ...]) -> Iterator[bool]:
    """Tell of each way in which a query may match an algorithm whether it does, the best first.

    Two words of different theorems do not match: "never rises" is one statement.
    """
    titles, label, about = _titles(algorithm), _label(algorithm), algorithm.about
    theorems = [f"{label}\n{t.statement}\n{t.source}" for t in algorithm.theorems]
    yield any(_has(query, title, start=r"^", end="$") for title in titles.splitlines())
    yield _has(query, algorithm.title, start=r"^")
    yield _whole(query, titles)
    yield _begins(query, titles)
    yield occurs(query, titles)
    yield _whole(query, label)
    yield any(_whole(query, theorem) for theorem in theorems)
    yield _begins(query, label) or any(_begins(query, theorem) for theorem in theorems)
    yield any(algorithm.name in word.seen_in for word in meant)
    yield _has(query, about)
    yield any(_has(form, text) for word in meant for form in (word.word, *word.forms) for text in (*theorems, about))


def _meant(query: str) -> tuple[Word, ...]:
    """List the words of the field that a query is one of, or the beginning of."""
    folded = " ".join(query.casefold().split())

    def is_meant(form: str) -> bool:
        return form == folded or (len(folded) >= _KNOWN_BY and form.startswith(folded))

    return tuple(word for word in glossary() if any(is_meant(f.casefold()) for f in (word.word, *word.forms)))


def _whole(query: str, text: str) -> bool:
    """Tell whether each word of the query is a word of a text."""
    return all(_has(word, text) for word in query.split())


def _begins(query: str, text: str) -> bool:
    """Tell whether each word of the query begins a word of a text."""
    return all(_has(word, text, end="") for word in query.split())


def _has(words: str, text: str, start: str = r"(?<!\w)", end: str = r"(?!\w)") -> bool:
    """Tell whether a text has these words side by side, in capitals or not."""
    pattern = start + r"\s+".join(map(re.escape, words.split())) + end
    return re.search(pattern, text, re.IGNORECASE) is not None


def _titles(algorithm: Algorithm) -> str:
    return "\n".join((algorithm.title, algorithm.name, algorithm.name.replace("_", " "), *algorithm.also))


def _label(algorithm: Algorithm) -> str:
    family = algorithm.family
    titled = about_family(family)[0] if family in by_family() else ""
    data = (data.name for data in algorithm.datasets)
    return "\n".join((_titles(algorithm), family, titled, algorithm.summary, algorithm.point, *data))
