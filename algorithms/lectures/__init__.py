"""The lectures, statement by statement, and where each is to be seen."""

from algorithms.lectures.places import commands, places, to_watch
from algorithms.lectures.sections import by_section, flat, heading_of, named, nearest, place_in, shown_by, stated_by
from algorithms.lectures.statements import LECTURES, Statement, statements

__all__ = [
    "LECTURES",
    "Statement",
    "by_section",
    "commands",
    "flat",
    "heading_of",
    "named",
    "nearest",
    "place_in",
    "places",
    "shown_by",
    "stated_by",
    "statements",
    "to_watch",
]
