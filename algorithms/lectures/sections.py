"""Lectures section by section, and the statements that a query is about."""

from difflib import get_close_matches
from os.path import commonprefix

from algorithms.core.search import occurs
from algorithms.lectures.statements import LECTURES, Statement, statements


def by_section(query: str = "", lecture: str = "") -> dict[str, dict[str, list[Statement]]]:
    """Group the statements that match a query, all for "", by lecture and then by the heading that they stand under.

    Args:
        lecture: the one lecture to take them from, "" for every one.
    """
    grouped: dict[str, dict[str, list[Statement]]] = {}
    for key, group in _groups().items():
        matching = [one for one in group if occurs(query, _text(one))]
        if matching and lecture in ("", key[0]):
            grouped.setdefault(key[0], {})[_heading(group)] = matching
    return grouped


def flat(grouped: dict[str, dict[str, list[Statement]]]) -> list[Statement]:
    """List the statements of such groups, in their order."""
    return [one for headings in grouped.values() for group in headings.values() for one in group]


def place_in(heading: str, one: Statement) -> str:
    """Say where below a heading a statement stands: "Rem 1.15", "" where its section says no more."""
    return one.section.removeprefix(heading).removeprefix(", ")


def named(id: str) -> Statement | None:
    """Get the statement of that id, in capitals or not; None where there is none."""
    return next((one for one in statements() if one.id == id.upper()), None)


def shown_by(algorithm: str) -> tuple[Statement, ...]:
    """List the statements whose run is of an algorithm, or is compared with it."""
    return tuple(one for one in statements() if algorithm in one.algorithms)


def nearest(text: str) -> str:
    """Find the lecture or the id that is spelled most like a text, "" where none is."""
    known = [*LECTURES, *(one.id for one in statements())]
    near = get_close_matches(text, known, n=1, cutoff=0.5) or get_close_matches(text.upper(), known, n=1, cutoff=0.5)
    return near[0] if near else ""


def _groups() -> dict[tuple[str, str], list[Statement]]:
    """Group all statements by lecture and what their sections begin with, up to the first comma."""
    groups: dict[tuple[str, str], list[Statement]] = {}
    for one in statements():
        groups.setdefault((one.lecture, one.section.split(", ")[0]), []).append(one)
    return groups


def _heading(group: list[Statement]) -> str:
    """Find the words that the sections of a group begin with: "Lecture 6: slack" of "Lecture 6: slack, Rem 1.15"."""
    parts = [one.section.split(", ") for one in group]
    common = commonprefix(parts)
    alone = len({one.section for one in group}) == 1 and len(common) > 1
    return ", ".join(common[:-1] if alone else common)


def _text(one: Statement) -> str:
    """Join all that a statement can be found by."""
    words = (one.id, one.lecture, LECTURES[one.lecture], one.section, one.says, one.errs, one.run, *one.demo)
    return "\n".join((*words, *one.theorem, *one.curve, *one.panel, one.run.replace("_", " ")))
