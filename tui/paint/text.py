"""Text on cells: wrapping."""

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from tui.paint.breaks import BESIDE, OPERATORS, RELATIONS, best_ends, breaks_of, filled, is_said, is_short, opened
from tui.paint.canvas import fitted, width_of

_RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_KEY_SAID = re.compile(r"(?<!\S)[a-z]: (?=\d|whole|plane|all|chart|numbers)|,? ?pgdn(?!\S)|,? ?< >|, w: whole")
_RELATION = re.compile("(?<= )(?:<=|>=|!=)(?= )")  # as it stands in a statement, not in a name of the data


def without_keys(text: str) -> str:
    """Leave out of a note the keys that lead on: "x: 1 of 4", "1 to 9 of 30 rows, pgdn", "zoomed, w: whole"."""
    return _KEY_SAID.sub("", text)


@lru_cache(1024)
def typeset(text: str) -> str:
    """Write the relations of a statement as the lecture does: "m <= R" is "m ≤ R"."""
    return _RELATION.sub(lambda sign: _RELATIONS[sign.group()], text)


_LEADING_ON = """
    a an the and or but if is are was of in on at by to as with for from that than this its it no not without so
    what who which where when while whose every each all most least fewer less would has have had can may must does
    = == < > <= >= ≤ ≥ ≠ + - · * / | over under along against after before between beside there their never exactly
"""
_READ = 4  # cells of a text that is cut, so that it says something
_TELLS_NOTHING = frozenset(_LEADING_ON.split())  # with which no cut text ends


def tells_nothing(word: str) -> bool:
    """Tell whether nothing should end with a word: it points at what is cut off, or is a number alone."""
    word = word.strip(",:;")
    return not word or word in _TELLS_NOTHING or word.replace(".", "").replace(",", "").isdecimal()


@lru_cache(1024)
def cut(text: str, width: int) -> str:
    """Cut a text that is too long, with an ellipsis: after a clause if most of it stays so, else after a word that
    tells something; neither in brackets nor within a side of a formula, whose relation ends it then: "f(x') ≤…"."""
    if width_of(text) <= width:
        return text
    words = tuple(text.split())
    ends = [i for i in range(1, len(words)) if width_of(_begun(words, i)) <= width]
    within, breaks = opened(words), breaks_of(words)
    whole = [i for i in ends if not within[i - 1] and not _halves(words, breaks, i)]
    clauses = [i for i in whole if words[i - 1][-1] in ",:;" or words[i] in RELATIONS]
    after_a_word = [i for i in whole if i == 1 or not tells_nothing(words[i - 1])]
    longest = max((*clauses, *after_a_word), default=0)
    clause = max(clauses, default=0)
    if clause and 2 * width_of(_begun(words, clause)) >= width_of(_begun(words, longest)):
        longest = clause
    if longest == 1:
        longest = max(whole)
    if longest == 0 or (longest == 1 and width_of(words[0]) < _READ):
        longest = max((i for i in ends if not within[i - 1] and words[i - 1] not in OPERATORS), default=0)
    if longest == 0:
        return _cut_anywhere(words, width) or fitted(text, width)
    joined = words[longest] in OPERATORS and width_of(_begun(words, longest + 1)) <= width
    return _begun(words, longest + joined)


def _begun(words: Sequence[str], count: int) -> str:
    """Write the first words of a text that goes on."""
    return " ".join(words[:count]).rstrip(",:; ") + "…"


def _cut_anywhere(words: Sequence[str], width: int) -> str:
    """Cut after any word that tells something; "" where not even the first one fits."""
    count = len(words)
    while count and width_of(_begun(words, count)) > width:
        count -= 1
    while count > 1 and tells_nothing(words[count - 1]):
        count -= 1
    return _begun(words, count) if count else ""


def _halves(words: Sequence[str], breaks: Sequence[int], count: int) -> bool:
    """Tell whether a text that ends after so many words ends within a formula, or within a side of one."""
    last, following = words[count - 1], words[count]
    if last[-1] in ",:;" or following in RELATIONS:
        return False
    if following in OPERATORS and is_said(last):  # "captured variance + …", but not "total = within + …"
        return not RELATIONS.isdisjoint(words[:count])
    return last in OPERATORS or following in OPERATORS or breaks[count - 1] >= BESIDE


@lru_cache(1024)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    words = tuple(text.split())
    ends = filled(words, width)
    if len(ends) > 1:
        breaks = breaks_of(words)
        last = words[ends[-2] :]
        if any(breaks[end - 1] for end in ends[:-1]) or is_short(last):
            ends = best_ends(words, breaks, width, ends)
    starts = [0, *ends]
    return tuple(fitted(" ".join(words[a:b]), width) for a, b in itertools.pairwise(starts))


def wrapped(text: str, width: int) -> list[str]:
    """Break the text into lines of at most so many cells, at blanks; a longer word is cut with an ellipsis."""
    return list(_wrapped(text, max(width, 1)))


def broken(text: str, width: int) -> list[str]:
    """Break a command into lines of at most so many cells, at blanks; a longer word goes on in the next line."""
    width = max(width, 1)
    words = [word[i : i + width] for word in text.split() for i in range(0, len(word), width)]
    return wrapped(" ".join(words), width)


def hung(text: str, column: int, columns: int, rows: int) -> list[tuple[int, str]]:
    """Break the text into rows of (first column, line) beside what ends before `column`.

    Lines stand below each other; of a text that has too many so, the later ones begin at column 1. What does not fit
    then either ends in an ellipsis.
    """
    room = columns - column - 1
    lines = [(column, line) for line in wrapped(text, room)]
    if len(lines) > rows > 1:
        words = text.split()
        for count in (len(lines[0][1].split()), filled(words, room)[0]):  # no less than there is room for
            first, rest = " ".join(words[:count]), " ".join(words[count:])
            lines = [(column, fitted(first, room)), *((1, line) for line in wrapped(rest, columns - 2))]
            if len(lines) <= rows:
                break
    if len(lines) <= rows:
        return lines
    start = lines[rows - 1][0] if rows else 0
    rest = " ".join(line for _, line in lines[rows - 1 :])
    return [*lines[: rows - 1], (start, fitted(rest, columns - start - 1))][:rows]
