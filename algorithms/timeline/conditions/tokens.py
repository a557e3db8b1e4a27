"""Tokens: a condition's text cut into names, numbers and signs, each with where it stands."""

import re
from collections.abc import Collection

from msgspec import Struct

from algorithms.core.errors import Refused

_DIGITS = r"\d+(?:_\d+)*"  # as Python reads them: each underscore stands between two digits
_NUMBER = re.compile(rf"({_DIGITS}(\.({_DIGITS})?)?|\.{_DIGITS})([eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d]\w*")
_SIGNS = ("<=", ">=", "==", "!=", "**", "≤", "≥", "≠", *"<>=+-*/()[],")
_SAME = {"≤": "<=", "≥": ">=", "≠": "!=", "=": "=="}
_MOST, _SHOWN = 2_000, 60  # characters


class Unreadable(Refused):
    """A condition that cannot be read.

    Args:
        reason: what is wrong, in words.
        text: the condition.
        at, end: the characters that it is about; both the text's length when something is missing there.
    """

    def __init__(self, reason: str, text: str, at: int, end: int):
        self.reason, self.text, self.at, self.end = reason, text, at, end
        where = f"at character {at + 1}" if at < len(text.rstrip()) else "at the end"
        quoted = text.strip() if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        super().__init__(f"{reason} ({where} of {quoted!r})." if quoted else f"{reason}.")

    @property
    def unfinished(self) -> bool:
        """Tell whether nothing is wrong but that it breaks off."""
        return self.at >= len(self.text.rstrip())

    @property
    def caret(self) -> str:
        """Mark the characters that the refusal is about, to stand under the text."""
        return " " * self.at + "^" * max(self.end - self.at, 1)


class Token(Struct, frozen=True):
    """A piece of a condition.

    Attributes:
        text: a name without its quotes, a sign in its usual form.
        at, end: the characters it takes.
        quoted: whether it is a name in quotes, which is never a word of the grammar.
    """

    kind: str  # "name", "number", "sign" or "end"
    text: str
    at: int
    end: int
    quoted: bool = False


def tokens(text: str, names: Collection[str]) -> list[Token]:
    """Cut a condition into tokens; one of `names`, the longest that fits, is one, blanks and signs included."""
    if len(text) > _MOST:
        raise Unreadable(f"a condition has {_MOST:,} characters at most", text[:40], 0, 40)
    longest_first = sorted(names, key=len, reverse=True)
    cut: list[Token] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token = _quoted(text, at) or _name(text, at, longest_first) or _other(text, at)
        cut.append(token)
        at = token.end
    return [*cut, Token("end", "", len(text), len(text))]


def _quoted(text: str, at: int) -> Token | None:
    quote = text[at]
    if quote not in "\"'":
        return None
    end = text.find(quote, at + 1)
    if end < 0:
        raise Unreadable(f"the {quote} that begins here is not closed", text, at, len(text))
    return Token("name", text[at + 1 : end], at, end + 1, quoted=True)


def _name(text: str, at: int, names: list[str]) -> Token | None:
    """Match a known name, where it ends as a word does; else one word."""
    word = _WORD.match(text, at)
    for name in names:
        if text.startswith(name, at):
            end = at + len(name)
            if not (_is_part(name[-1]) and end < len(text) and _is_part(text[end])):
                return Token("name", name, at, end)
    return Token("name", word.group(), at, word.end()) if word else None


def _is_part(character: str) -> bool:
    return character.isalnum() or character == "_"


def _other(text: str, at: int) -> Token:
    number = _NUMBER.match(text, at)
    if number:
        end = number.end()
        if text[end : end + 1] == "_":
            at = len(text) if end + 1 == len(text) else at
            raise Unreadable("an underscore in a number stands between two digits, as in 1_000", text, at, end + 1)
        if end < len(text) and _is_part(text[end]):
            raise Unreadable("a number runs into a letter", text, at, end + 1)
        return Token("number", number.group(), at, end)
    for sign in _SIGNS:
        if text.startswith(sign, at):
            return Token("sign", _SAME.get(sign, sign), at, at + len(sign))
    raise Unreadable(f"{text[at]!r} has no meaning here", text, at, at + 1)
