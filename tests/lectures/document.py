"""The file that shows every statement of the lectures in tables: made from the statements, not written by hand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from algorithms.lectures import LECTURES, Statement, by_section, commands, place_in, places
from tests.lectures.places import ROOT

DOCUMENT = ROOT / "algorithms" / "LECTURES.md"
_ABOUT = """# What the lectures state, and where it is seen

Made from `algorithms/lectures/statements` by `python -m tests.lectures --write`; `python -m algorithms lectures` prints
the same, and `tab` in the catalogue of `python -m tui` opens it.
"""
_HEADS = ("id", "statement", "to see it, type", "and look at", "what the lecture errs in")
_SPECIAL = re.compile(r"[\\`*|~$\[\]]|<(?=[A-Za-z/!?])|(?<!\w)_|_(?!\w)")


def document() -> str:
    """Write the statements as a table a section."""
    return "\n".join(_parts())


def _parts() -> Iterator[str]:
    yield _ABOUT
    yield from (f"- [{heading}](#{_anchor(heading)})" for heading in map(_heading, by_section().items()))
    yield ""
    for lecture, sections in by_section().items():
        yield f"## {_heading((lecture, sections))}\n"
        for heading, group in sections.items():
            yield f"### {_plain(heading)}\n"
            yield _row(_HEADS)
            yield _row("---" for _ in _HEADS)
            yield from (_row(_cells(one, heading)) for one in group)
            yield ""


def _heading(part: tuple[str, Mapping[str, Sequence[Statement]]]) -> str:
    lecture, sections = part
    count = sum(map(len, sections.values()))
    return f"{LECTURES[lecture]} (`{lecture}`, {count} {'statement' if count == 1 else 'statements'})"


def _anchor(heading: str) -> str:
    """Name a heading's place as those who show Markdown do."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _cells(one: Statement, heading: str) -> tuple[str, ...]:
    place = place_in(heading, one)
    said = f"{place}: {one.says}" if place else one.says
    shown = [f"{kind} {which}" for kind, which in places(one) if kind != "demo"]
    return one.id, _plain(said), "<br>".join(map(_code, commands(one))), _plain("; ".join(shown)), _plain(one.errs)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Write a text so that Markdown shows it as it is, on one line."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def _code(command: str) -> str:
    """Write a command as code in a table, where a bar alone is special."""
    return f"`{command}`".replace("|", r"\|")
