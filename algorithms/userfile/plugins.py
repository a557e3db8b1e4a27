"""Algorithms of other distributions: their entry points `iterscope.algorithms`, opened as a reader's module is."""

from functools import cache

from msgspec import Struct

from algorithms.core.catalogue import names

GROUP = "iterscope.algorithms"


class Plugin(Struct, frozen=True):
    """An algorithm that a distribution announces.

    Attributes:
        name: by which it is opened.
        spec: where it is, "package.module:ALGORITHM".
        distribution: whose it is, with its version.
    """

    name: str
    spec: str
    distribution: str


@cache
def plugins() -> tuple[Plugin, ...]:
    """List what is announced, by distribution; none of it is imported. Names of ours are ours."""
    from importlib.metadata import entry_points  # which takes as long as a press may

    found: dict[str, Plugin] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: (_whose(each), each.name)):
        if point.name not in names():
            found.setdefault(point.name, Plugin(point.name, point.value, _whose(point)))
    return tuple(found.values())


def own_spec(text: str) -> str:
    """Give where an algorithm is that a distribution announces by this name; the text itself where none does."""
    if not text.isidentifier() or text in names():
        return text
    return next((plugin.spec for plugin in plugins() if plugin.name == text), text)


def _whose(point: "object") -> str:
    distribution = getattr(point, "dist", None)
    return f"{distribution.name} {distribution.version}" if distribution is not None else "?"
