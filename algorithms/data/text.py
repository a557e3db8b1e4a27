"""Text that came from a file, made fit for a terminal."""

import json


def printable(text: str) -> str:
    """The text on one line, with every character that could steer a terminal replaced."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


def plain_json(text: str) -> str:
    """JSON in which what could steer a terminal stands as an escape, so that it can be looked at with any program."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n " else json.dumps(c)[1:-1] for c in text)


def listed(names: tuple[str, ...] | list[str], most: int = 12) -> str:
    """Names for a sentence: "a, b and c", with the rest counted when there are many."""
    shown = [printable(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def counted(count: int, thing: str) -> str:
    """A number with its noun: "1 row", "2,000 rows"."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
