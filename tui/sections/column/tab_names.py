"""How the names of tabs are shortened: to their first words, to the word that tells them apart, or abbreviated."""

import re
from functools import lru_cache

from tui.paint.breaks import is_said
from tui.paint.canvas import width_of
from tui.paint.text import tells_nothing

_LEAST = 3  # cells of a name
_WORD = 4  # letters of a word that is a name by itself, at least
_LETTERS = 11  # of a word that is abbreviated, at least
_SAVED = 4  # cells that an abbreviation saves, at least
_KNOWN = {"coefficients": "coeff."}
_VOWELS = frozenset("aeiouy")
_ARTICLES = ("the ", "a ", "an ")
_JOINING = frozenset(
    ["of", "in", "on", "at", "by", "to", "for", "from", "with", "and", "or", "as", "that", "where", "less", "least"]
    + ["against", "along", "over", "under", "after", "before", "between", "beside", "without", "meets"]
)  # before which a name may be broken
_CLAUSE = frozenset(["that", "where", "who", "when"])  # after which it is broken at commas alone
_COUNTED = re.compile(  # what differs from step to step
    r"""^(?:of[ ])?\d[\d,.]*(?:[ ]of[ ]\d[\d,.]*)?[ ](?=\w)|  # "4 of 4 voters"
        (?:,[ ]number|(?<=[a-z]))[ ]\d[\d,.]*$  # "the way of row 6", "the best so far, number 2" """,
    re.VERBOSE,
)


@lru_cache(512)
def tab_name(title: str) -> str:
    """Leave out of a title the number that differs from step to step, so that tabs do not move."""
    return _COUNTED.sub("", title) or title


@lru_cache(512)
def shorter_names(name: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """List ever shorter names, the whole one first.

    None ends in a word that tells nothing, and none is how another begins.
    """
    plain = _without_article(name)
    beginnings = tuple(map(_without_article, others))
    names = [plain, *_first_words(plain), _differing_words(plain, beginnings)]
    names += map(_abbreviated, list(names))
    shown = dict.fromkeys(each for each in names if _tells(each, beginnings))
    return (name, *sorted((each for each in shown if each != name), key=width_of, reverse=True))


def _without_article(name: str) -> str:
    return name.removeprefix(next((article for article in _ARTICLES if name.startswith(article)), ""))


def _first_words(name: str) -> list[str]:
    """List the first words, with an ellipsis, up to where a name may be broken: before a word that joins another noun
    to the first, or after a comma."""
    words = name.split()
    breaks = [i for i in range(len(words) - 1, 0, -1) if _may_break(words, i)]
    first = (" ".join(words[:i]).rstrip(",:;") for i in breaks)
    return [f"{each}…" for each in first if " " in each or len(each) >= _WORD or not each.isalpha()]


def _may_break(words: list[str], at: int) -> bool:
    """Tell whether a name may end before its word number `at`; "toss by toss" is one."""
    last, following = words[at - 1], words[at]
    if last[-1] in ",:;":
        return True
    if all(map(tells_nothing, words[at:])):
        return True
    if not _CLAUSE.isdisjoint(words[:at]) or (following == "by" and words[at + 1 : at + 2] == [last]):
        return False
    return following in _JOINING or (is_said(last) and not is_said(following))  # "directions w"


def _differing_words(name: str, others: tuple[str, ...]) -> str:
    """Name by the first word and by that in which a name differs from those that begin alike: "gain x2"; "" where
    that is none."""
    words = _plain_words(name)
    alike = [other for other in map(_plain_words, others) if other[:1] == words[:1]]
    if not any(len(words[0]) >= _WORD or other[1:2] == words[1:2] for other in alike):
        return ""
    differing = (w for w in words[1:] if not tells_nothing(w) and all(w not in other for other in alike))
    return f"{words[0]} {word}" if (word := next(differing, "")) else ""


def _plain_words(name: str) -> list[str]:
    return [word.rstrip(",:;") for word in name.split()] or [""]


def _tells(name: str, others: tuple[str, ...]) -> bool:
    """Tell whether a name says something, and no other begins with it."""
    name = name.removesuffix("…")
    closed = all(name.count(opening) == name.count(closing) for opening, closing in ("()", "[]", "{}"))
    short = name.removesuffix(".")
    return (
        closed
        and width_of(name) >= _LEAST
        and not tells_nothing(name.split()[-1])
        and not any(other.startswith(short) for other in others)
    )


def _abbreviated(name: str) -> str:
    """Abbreviate a name of one word after a consonant in its second half: "coeff."; "" where it cannot be."""
    name = name.removesuffix("…")
    if name in _KNOWN:
        return _KNOWN[name]
    places = range(-(-len(name) // 2), len(name) - _SAVED) if name.isalpha() and len(name) >= _LETTERS else ()
    return next((f"{name[:place]}." for place in places if name[place - 1] not in _VOWELS), "")
