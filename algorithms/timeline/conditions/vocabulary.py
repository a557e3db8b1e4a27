"""Vocabulary: the names that a condition can use for one algorithm on one data set."""

import inspect
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, get_args, get_type_hints

from algorithms.core.algorithm import Algorithm
from algorithms.core.dataset import Dataset
from algorithms.core.state import State


class Vocabulary:
    """What there is to speak of.

    Args:
        fields: those of one of the run's states, by name with their values; without them fields are those that
            the generator's annotation declares, or that a generator without one has been seen to yield; until it has,
            any name may be a field.

    Attributes:
        curves, phases, events: names, with what they mean ("" where nothing says).
        fields: of the states, each with an example of its value or None.
        theorems: the statements in order.
        any_field: whether a name that is not known may be a field.
    """

    def __init__(self, algorithm: Algorithm, data: Dataset, fields: Mapping[str, Any] | None = None):
        self.algorithm, self.data = algorithm, data
        self.curves = {curve.name: curve.formula for curve in algorithm.curves}
        self.phases = dict(algorithm.phases)
        self.events = {event.name: algorithm.phases.get(event.phase, "") for event in algorithm.events}
        self.theorems = [theorem.statement for theorem in algorithm.theorems]
        declared = declared_fields(algorithm.run)
        known = dict.fromkeys(declared) or dict(algorithm.yielded)
        self.fields: dict[str, Any] = dict(fields) if fields is not None else known
        self.any_field = not self.fields and not declared

    @property
    def names(self) -> set[str]:
        """List every name that can be typed as it is; those that begin like a number need quotes."""
        every = {*self.curves, *self.phases, *self.events, *self.fields, "iteration"}
        return {name for name in every if name.strip() and not name[0].isdigit() and not set("\"'") & set(name)}

    def unknown(self, name: str) -> str:
        """Describe an unknown name: that there is none, and which are near it."""
        near = self.near(name)
        hint = f"; near it: {', '.join(near)}" if near else ": it is no field, curve, phase or event"
        return f"there is no {name!r}{hint}"

    def near(self, name: str, among: Iterable[str] | None = None) -> list[str]:
        """Find known names that look like this one, the nearest first."""
        pool = list(self.names if among is None else among)
        lower = {known.lower(): known for known in sorted(pool)}
        close = [lower[match] for match in get_close_matches(name.lower(), lower, 3, 0.6)]
        close += [known for known in sorted(pool) if name.lower() in known.lower() and known not in close and name]
        return close[:3]


@lru_cache(256)
def declared_fields(run: Any) -> tuple[str, ...]:
    """Read the fields of a generator function's states from the annotation of its argument `state`."""
    parameter = inspect.signature(run).parameters.get("state")
    if parameter is None:
        return ()
    try:
        hint = get_type_hints(run).get("state")
    except Exception:  # an annotation of the reader's own that cannot be evaluated
        return ()
    for kind in (hint, *get_args(hint)):
        if isinstance(kind, type) and issubclass(kind, State):
            return tuple(n for n in kind.__struct_fields__ if n not in State.__struct_fields__)
    return ()
