"""VIEW: what a reader says of how fields are shown, where the guess is wrong; one dict beside the generator.

    VIEW = {"loss": "log", "train test": "together", "tour": "path of cities", "grid": "image", "cache": "hide"}

A key names fields, with blanks between them, "state" also all that is in it; a value says how, several ways with commas
between them.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

from algorithms.core.errors import Refused

WAYS = {
    "log": "on a logarithmic axis",
    "linear": "on an axis that is not logarithmic",
    "together": "in one chart",
    "apart": "in a chart of its own",
    "iteration": "counts the iterations",
    "curves": "each entry over the steps, in one chart",
    "image": "numbers as cells",
    "points": "rows as places, of the first two columns",
    "places": "rows as places among the data",
    "path": "rows joined in their order",
    "trail": "a place, joined to where it was",
    "bars": "a bar each",
    "line": "numbers against their index",
    "table": "the numbers themselves",
    "hide": "not at all",
}
OF = {
    "path": "places of another field joined in this order",
    "order": "places of another field numbered in this order",
    "groups": "places of another field in these colours",
}
OF_DATA = ("data", "rows", "X")  # names that the rows have
ARRAYS = ("image", "points", "places", "path", "trail", "bars", "line", "table")
_MOST = 64  # keys


class View(Struct, frozen=True):
    """How fields are to be shown.

    Attributes:
        given: (names, ways) of each key.
    """

    given: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def read(cls, thing: Any, where: str) -> "View":
        """Read a VIEW.

        Raises:
            Refused: where it cannot be meant, with the ways that there are.
        """
        if thing is None:
            return NO_VIEW
        if not isinstance(thing, Mapping) or len(thing) > _MOST:
            raise Refused(f'{where} is a dict of fields and how they are shown, as {{"loss": "log"}}.')
        return cls(tuple((_names(key, where), _ways(key, ways, where)) for key, ways in thing.items()))

    def plain(self) -> dict[str, str]:
        """Write it as it is read."""
        return {names: ", ".join(ways) for names, ways in self.given}

    def asks(self, field: str, way: str) -> bool:
        """Tell whether a field is to be shown that way."""
        return way in self._of(field)

    def array_way(self, field: str) -> str:
        """Say how an array is to be drawn, "path of cities" among it; "" where it is not said."""
        return next((way for way in self._of(field) if way in ARRAYS or " of " in way), "")

    def chart(self, field: str) -> str:
        """Name the chart that it shares with those beside it, "" where none is said."""
        for names, ways in self.given:
            if "together" in ways and _speaks_of(names, field):
                return names if len(names.split()) < 4 else f"{names.split()[0]} and others"
        return ""

    @property
    def others(self) -> tuple[str, ...]:
        """List the fields whose places are used: `cities` in "path of cities"."""
        return tuple(way.partition(" of ")[2] for _, ways in self.given for way in ways if " of " in way)

    def unknown(self, fields: Iterable[str]) -> str:
        """Say which of its names no field has, with those that there are; "" where all are there."""
        known = list(fields)
        for names, _ in self.given:
            if names in known:
                continue
            for name in names.split():
                if not any(_is_or_in(name, field) for field in known):
                    return f"VIEW names {name!r}, which is not yielded{_near(name, known)}"
        missing = [name for name in self.others if name not in known and name not in OF_DATA]
        return f"VIEW names {missing[0]!r}, which is not yielded{_near(missing[0], known)}" if missing else ""

    def _of(self, field: str) -> tuple[str, ...]:
        return tuple(way for names, ways in self.given if _speaks_of(names, field) for way in ways)


NO_VIEW = View()


def _speaks_of(names: str, field: str) -> bool:
    return names == field or any(_is_or_in(name, field) for name in names.split())


def _is_or_in(name: str, field: str) -> bool:
    return field == name or field.startswith((f"{name}.", f"{name}["))


def _names(key: Any, where: str) -> str:
    names = " ".join(key) if isinstance(key, tuple) and all(isinstance(part, str) for part in key) else key
    if not isinstance(names, str) or not names.strip():
        raise Refused(f"{where} has the key {str(key)[:40]!r}, which is no name of a field.")
    return names.strip()


def _ways(key: Any, ways: Any, where: str) -> tuple[str, ...]:
    if not isinstance(ways, str) or not ways.strip():
        raise Refused(f"{where} says {str(ways)[:40]!r} of {str(key)[:40]!r}; there are {_offered()}.")
    parts = tuple(part.strip() for part in ways.split(","))
    for part in parts:
        first, of, other = part.partition(" of ")
        if part not in WAYS and not (of and first in OF and other.strip()):
            near = get_close_matches(part, WAYS, 1)
            meant = f" (is {near[0]!r} meant?)" if near else ""
            raise Refused(f"{where} says {part[:40]!r} of {str(key)[:40]!r}{meant}; there are {_offered()}.")
    return parts


def _offered() -> str:
    return ", ".join((*WAYS, *(f"{way} of FIELD" for way in OF)))


def _near(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f": {near[0]!r} is" if near else f"; there are {', '.join(known[:12])}" if known else ""
