"""The one door for text that comes from data: cells, column names, file names, exceptions, a reader's own docstrings.

What prints or paints hands text to the terminal as it is. A cell of a CSV can so set the window's title, clear the
screen or run the text after it right to left. What comes through here cannot.
"""

import json
import re

from algorithms.core.errors import printable as printable

_LONGEST = 200  # characters; a cell can hold a whole novel

_BAD = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters, those of eight bits included
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # what turns the direction of writing
    "\u2028\u2029"  # separators at which some terminals break the line
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # marks and tags that nobody sees
    "\ud800-\udfff"  # halves of characters, which cannot be encoded: undecodable file names hold them
    "]"
)


def plain_json(text: str) -> str:
    """Write JSON with all that could steer a terminal as escapes, so that any program can show it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n " else json.dumps(c)[1:-1] for c in text)


def listed(names: tuple[str, ...] | list[str], most: int = 12) -> str:
    """Join names for a sentence: "a, b and c", with the rest counted when there are many."""
    shown = [printable(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def counted(count: int, thing: str) -> str:
    """Count a noun: "1 row", "2,000 rows"."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def change(was: float, now: float) -> str:
    """Write how a number changes: "from 1.2 to 1.5"; "by 2e-05 to 1.5" where both would read the same."""
    before, after = f"{was + 0.0:.4g}", f"{now + 0.0:.4g}"
    return f"from {before} to {after}" if before != after else f"by {now - was:.2g} to {after}"


def ordinal(number: int) -> str:
    """Write a number as a place in an order: "1st", "32nd", "113th"."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def clean(text: object, limit: int = _LONGEST) -> str:
    """Clean a text to one line of at most `limit` characters that steer no terminal; what was replaced stays seen."""
    whole = str(text)
    line = whole[: limit + 1].replace("\r\n", "⏎").replace("\n", "⏎").replace("\t", "  ")
    line = _BAD.sub(_picture, line)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _picture(match: re.Match[str]) -> str:
    """Show a control character by its picture (␛ for escape), anything else by �."""
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"
