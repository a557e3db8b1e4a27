"""Words of the field: a sentence each, read from GLOSSARY.md, and found in whatever is shown."""

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

FILE = Path(__file__).parent.parent / "GLOSSARY.md"
_LINE = re.compile(r"- \*\*(?P<word>[^*]+)\*\*(?:, (?P<forms>[^:]+))?: (?P<sentence>.+?)(?: \[(?P<seen>[^]]+)\])?")


class Word(Struct, frozen=True):
    """A word of the field.

    Attributes:
        word: as it is usually written.
        forms: the others it comes in: its plural, a synonym.
        sentence: what it means.
        seen_in: algorithms in which it is seen, though their own words do not say it.
    """

    word: str
    forms: tuple[str, ...]
    sentence: str
    seen_in: tuple[str, ...] = ()


@cache
def glossary() -> tuple[Word, ...]:
    """Read all words, in alphabetical order."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(word_of(line) for line in lines if line.startswith("- "))


def word_of(line: str) -> Word:
    """Read a line of the file.

    Raises:
        ValueError: when it is not one.
    """
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise ValueError(f"not a word with a sentence: {line!r}")
    forms, seen = (tuple((parts[key] or "").split(", ")) if parts[key] else () for key in ("forms", "seen"))
    return Word(parts["word"], forms, parts["sentence"], seen)


def meaning(word: str) -> Word | None:
    """Find a word by any of its forms, in capitals or not."""
    return _by_form().get(word.casefold())


def words_in(text: str) -> tuple[Word, ...]:
    """List the words that a text uses, in the order in which they come; of "hard margin" that, and not "margin"."""
    return tuple(dict.fromkeys(_by_form()[found.casefold()] for found in _pattern().findall(text)))


@cache
def _by_form() -> dict[str, Word]:
    return {form.casefold(): word for word in glossary() for form in (word.word, *word.forms)}


@cache
def _pattern() -> re.Pattern[str]:
    """Match any form of any word, the longest first; what is written in capitals alone only so: MAP, and no map."""
    forms = sorted((form for word in glossary() for form in (word.word, *word.forms)), key=len, reverse=True)
    either = "|".join(f"(?-i:{form})" if form.isupper() else re.escape(form) for form in forms)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)
