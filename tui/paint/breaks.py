"""Breaks between words: how bad each is where formulas stand among them, and the best ones for so many cells."""

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from tui.paint.canvas import width_of

RELATIONS = frozenset(["=", "==", "<", ">", "<=", ">=", "≤", "≥", "≠"])
OPERATORS = RELATIONS | frozenset(["+", "-", "−", "±", "·", "*", "/", "×", "→", "<-", "->"])
_FUNCTIONS = frozenset(["ln", "log", "exp", "max", "min", "var", "tr", "sin", "cos", "tan"])
_SAID = re.compile(r"[(\[]*[^\W\d_]['’a-zà-ÿ-]+[.,:;!?)\]]*")  # a word, of two letters or more
_NAME = re.compile(r"[a-z]{4}")  # in the name of a file, an option or a column
_INSIDE, _AFTER, _BEFORE, BESIDE, _AT = 8, 4, 3, 2, 1  # how bad it is to break in or at a formula
_CELLS = 12  # at the end of a line that are as bad as one of these
_WORD = 3  # cells that are as bad as a break within a clause
_ALONE = 20  # cells that are as bad as a word alone in the last line
_SHORT = 10  # cells of a last line that is as good as one word


@lru_cache(1024)
def breaks_of(words: tuple[str, ...]) -> tuple[int, ...]:
    """Measure how bad a break after each word but the last is, 0 between words, and after a comma or a colon."""
    pairs = zip(words, words[1:], opened(words))
    return tuple((_break_within if within else _break)(word, following) for word, following, within in pairs)


def opened(words: Sequence[str]) -> list[bool]:
    """Tell after each word whether a bracket, or a norm, is open."""
    open_after, depth, norm, size = list[bool](), 0, False, False
    for word in words:
        for letter in word:
            depth = max(depth + (letter in "([{") - (letter in ")]}"), 0)
            norm ^= letter == "‖"
        size ^= word != "|" and not depth and word.count("|") % 2 == 1
        open_after.append(depth > 0 or norm or size)
    return open_after


def _break_within(word: str, following: str) -> int:
    """Measure how bad a break in brackets is: less where a list or a remark stands in them."""
    if is_said(word) and is_said(following):
        return _AT
    return BESIDE if word[-1] in ",:;" else _INSIDE + _break(word, following)


def _break(word: str, following: str) -> int:
    if word in OPERATORS:
        return _AFTER
    if word[-1] in ",:;.":
        return 0
    if following in OPERATORS:
        return _AT if following in RELATIONS else _BEFORE
    if is_said(following):
        return 0
    return _AT * (following[0].isdecimal()) if is_said(word) else BESIDE


def is_said(word: str) -> bool:
    """Tell whether a word is one of the language or a name, and no part of a formula."""
    return (
        bool(_SAID.fullmatch(word) or _NAME.search(word))
        and not word.endswith("'")
        and word.strip("([.,:;)]") not in _FUNCTIONS
    )


def filled(words: Sequence[str], width: int) -> list[int]:
    """Fill line after line; give the number of the word after the last one of each."""
    ends, taken = list[int](), 0
    for i, word in enumerate(words):
        cells = width_of(word)
        if taken and taken + 1 + cells > width:
            ends.append(i)
            taken = 0
        taken += cells + (taken > 0)
    return [*ends, len(words)] if words else []


def best_ends(words: Sequence[str], breaks: Sequence[int], width: int, latest: Sequence[int]) -> list[int]:
    """Break words into as few lines where formulas are broken least, and no word is alone in the last line; else as
    late as can be.

    Args:
        latest: the ends of the lines where each is filled.
    """
    until = [0, *itertools.accumulate(width_of(word) + 1 for word in words)]
    count, earliest = len(words), [len(words) - end for end in filled(words[::-1], width)[-2::-1]]
    best: dict[int, tuple[int, list[int]]] = {0: (0, [])}  # of the lines so far, by where the last of them ends
    for first, last in zip(earliest, latest):
        ways: dict[int, tuple[int, list[int]]] = {}
        for end in range(first, last + 1):
            some = [
                (cost + max(width - until[end] + until[start] + 1, 0), ends)
                for start, (cost, ends) in best.items()
                if start < end and (until[end] - until[start] - 1 <= width or end == start + 1)
            ]
            if some:
                cost, ends = min(some)
                ways[end] = cost + _CELLS * breaks[end - 1] + _WORD * (words[end - 1][-1] not in ",:;."), [*ends, end]
        best = ways
    lasts = [
        (cost + _ALONE * is_short(words[start:]), ends)
        for start, (cost, ends) in best.items()
        if until[count] - until[start] - 1 <= width or count == start + 1
    ]
    return [*min(lasts)[1], count] if lasts else list(latest)


def is_short(words: Sequence[str]) -> bool:
    """Tell whether words are too few for a line of their own."""
    return len(words) == 1 or width_of(" ".join(words)) < _SHORT
