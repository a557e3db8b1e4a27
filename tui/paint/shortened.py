"""Names shortened beside each other: at words, and so that they are told apart."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tui.paint.canvas import fitted, width_of

# words of which no name ends, and that it can do without
_SMALL = frozenset(["of", "a", "an", "the", "in", "on", "by", "to", "with", "or", "for", "and"])
_BEGUN = 2  # letters of how a name begins, at least
_LONG, _LETTERS = 7, 5  # letters from which on a word is abbreviated, and that it keeps


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Shorten names to so many cells, each in the way that keeps most of it and is no other's."""
    return list(_shortened(tuple(names), width))


@lru_cache(2048)
def _shortened(names: tuple[str, ...], width: int) -> tuple[str, ...]:
    all_ways = [list(dict.fromkeys(filter(None, _ways(name, names, width)))) for name in names]
    short = []
    for name, ways in zip(names, all_ways):
        others = {way for j, other in enumerate(all_ways) if names[j] != name for way in other}
        fitting = (way for k, way in enumerate(ways) if width_of(way) <= width and (not k or way not in others))
        short.append(next(fitting, fitted(name, width)))
    return tuple(short)


def _ways(name: str, names: Sequence[str], width: int) -> Iterator[str]:
    """Give shorter and shorter forms of a name: without small words, without those that all have, abbreviated, cut at
    a word, with what it has alone."""
    words = name.split()
    yield " ".join(words)
    if len(names) == 1:
        yield from _cut(words, width)
        return
    few = [word for i, word in enumerate(words) if i == 0 or word not in _SMALL]
    shared = set.intersection(*(set(other.split()) for other in names))
    bare = [word for word in few if word not in shared] or few
    for kept in (few, bare):
        yield " ".join(kept)
    for kept in (few, bare):
        yield " ".join(map(_abbreviated, kept))
    common = max((_common(words, other.split()) for other in names if other != name), default=0)
    elsewhere = {part for other in names if other != name for part in _parts(other)}
    own = [word for word in words[common:] if word not in _SMALL]
    own = own if set(_parts(" ".join(own))) - elsewhere else []  # it would be another's word
    tails = [" ".join(own), " ".join(map(_abbreviated, own))]
    if len(own) > 1:
        yield from tails
    yield from _cut(few, width)
    yield from tails
    if common:  # how it begins, and what it has alone
        last = " ".join(map(_abbreviated, words[common:]))
        if last and width - width_of(last) > _BEGUN:
            yield words[0][: width - width_of(last) - 1] + "…" + last


def _cut(words: Sequence[str], width: int) -> Iterator[str]:
    """Cut after the last word that has room, not after a small one."""
    for count in range(len(words) - 1, 0, -1):
        if words[count - 1] not in _SMALL and width_of(" ".join(words[:count])) < width:
            yield " ".join(words[:count]).rstrip(",;:.") + "…"
            return


def _common(words: Sequence[str], others: Sequence[str]) -> int:
    """Count the words with which two names begin alike."""
    return next((i for i, (a, b) in enumerate(zip(words, others)) if a != b), min(len(words), len(others)))


def _parts(name: str) -> list[str]:
    """Split a name into its words, also at hyphens."""
    return name.replace("-", " ").replace(",", " ").split()


def _abbreviated(word: str) -> str:
    """Abbreviate a long word to its first letters."""
    return word[:_LETTERS] + "." if len(word) > _LONG and word.isalpha() else word
