"""The documents for people: their commands and their Python, in the order in which they stand."""

import re
from pathlib import Path

from msgspec.structs import replace

from algorithms.lectures.lessons import Lesson, lesson_named

ROOT = Path(__file__).parents[1]
README, SCREEN, SCRIPTS = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "tui/GUIDE.md", "algorithms/GUIDE.md")
)
DOCUMENTS = {"README.md": README, "tui/GUIDE.md": SCREEN, "algorithms/GUIDE.md": SCRIPTS}


def code(document: str) -> list[str]:
    """The blocks of Python in a document."""
    return re.findall(r"^```python\n(.*?)^```$", document, re.M | re.S)


def lines(document: str) -> list[str]:
    """What a document has one type into a shell."""
    return [line for block in re.findall(r"^```sh\n(.*?)^```$", document, re.M | re.S) for line in block.splitlines()]


COMMANDS = [line for document in DOCUMENTS.values() for line in lines(document)]


def few_moments(name: str) -> Lesson:
    """The lesson of a command as far as shows that it runs; what the whole of each says is checked beside it."""
    lesson = lesson_named(name)
    return replace(lesson, moments=lesson.moments[:2])
