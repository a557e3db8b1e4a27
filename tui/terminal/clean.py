"""The one door for text that comes from data: cells, column names, file names, exceptions, a reader's own docstrings.

Textual hands text to the terminal as it is. A cell of a CSV can so set the window's title, clear the screen or
run the text after it right to left, and where a string is taken as markup, "[@click=...]" runs an action and
"[/nope]" raises. What comes through here can do neither.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.content import Content

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
_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def clean(text: object, limit: int = _LONGEST) -> str:
    """One line of at most `limit` characters in which nothing steers a terminal; what was replaced stays seen."""
    whole = str(text)
    line = whole[: limit + 1].replace("\r\n", "⏎").replace("\n", "⏎").replace("\t", "  ")
    line = _BAD.sub(_picture, line)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def clean_lines(text: object, most: int = _LONGEST, limit: int = _LONGEST) -> list[str]:
    """The lines of a longer text, each clean; at most so many, the last then "…"."""
    lines = [clean(line, limit) for line in _LINE_END.split(str(text), maxsplit=most)]
    return lines if len(lines) <= most else [*lines[: most - 1], "…"]


def safe(text: object, limit: int = _LONGEST) -> "Content":
    """The same for a widget: Content is shown as it stands, while a plain string would be parsed as markup."""
    from textual.content import Content  # what is said without a screen needs `clean` alone

    return Content(clean(text, limit))


def _picture(found: re.Match[str]) -> str:
    """A control character by its picture (␛ for escape), anything else by �."""
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"
