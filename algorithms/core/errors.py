"""The one error a person sees: a sentence that says what is wrong, where, and what would do."""

from collections.abc import Iterable
from difflib import get_close_matches


class Refused(ValueError):
    """What was asked for cannot be done; the message is one sentence for a person.

    It quotes names that were typed or read: none of their characters steers the terminal that it is shown on.

    >>> from algorithms import Refused, find
    >>> try:  # doctest: +ELLIPSIS
    ...     find("loyd")
    ... except Refused as refusal:
    ...     print(refusal)
    there is no algorithm 'loyd'; `python -m algorithms list` names ... Did you mean lloyd?
    """

    def __init__(self, sentence: str = ""):
        super().__init__(printable(str(sentence)))


def printable(text: str) -> str:
    """Put a text on one line, with every character that could steer a terminal replaced."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def no_such(kind: str, name: object, names: Iterable[str]) -> Refused:
    """Refuse a name that is none of these, which are listed, with the nearest: "there is no curve 'los'; ..."."""
    there = tuple(names)
    which = f"; there {'is' if len(there) == 1 else 'are'} {', '.join(there)}" if there else "; there is none"
    return Refused(f"there is no {kind} {name!r}{which}.{did_you_mean(name, there)}")


def did_you_mean(name: object, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Name the nearest, as the last sentence of a refusal; "" where none is near."""
    near = get_close_matches(str(name), list(names), n=1, cutoff=cutoff)
    return f" Did you mean {near[0]}?" if near else ""


class NotYet(Exception):
    """The next state is being made elsewhere and has not come; asking again is sound."""


class Raised(Exception):
    """What a reader's own code raised, with where: it may have happened in another process.

    Args:
        reason: "ZeroDivisionError: division by zero".
        line: of the reader's file, 0 if it is not known.
        details: the traceback.
    """

    def __init__(self, reason: str, line: int, details: str):
        super().__init__(reason)
        self.reason, self.line, self.details = reason, line, details


def in_words(error: BaseException) -> str:
    """Describe an error in one line: what it is and says, and the line of the reader's own file if it is known."""
    if isinstance(error, Raised):
        return f"{error.reason}, in line {error.line}" if error.line else error.reason
    return f"{type(error).__name__}: {error}"
