"""What a recording says of its algorithm, as an Algorithm declares it."""

from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints

import numpy as np

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import find, names
from algorithms.core.contrast import Contrast
from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import Sides, Theorem, Verdict
from algorithms.saving.runlog.records import Header, TheoremRecord
from algorithms.userfile.view import NO_VIEW, View

_MARK = " (recorded)"


class LoggedTheorem(Theorem, frozen=True, kw_only=True):
    """A theorem with the verdicts that were recorded; nothing is worked out again."""

    logged: Callable[[Theorem, Any], Verdict]

    def verdict(self, problem: Problem, before: Any, after: Any, forked: bool = False) -> Verdict:
        return self.logged(self, after)


def theorem_of(record: TheoremRecord, logged: Callable[[Theorem, Any], Verdict]) -> LoggedTheorem:
    """State a theorem as it was recorded."""
    return LoggedTheorem(
        record.statement,
        silent,
        record.source,
        record.about,
        record.phases,
        proof=record.proof,
        along=record.along,
        logged=logged,
    )


def contrast_of(header: Header) -> Contrast | None:
    """Get what was measured as the point, if there are words for it and its curves were recorded."""
    contrast, curves = header.contrast, {curve.name for curve in header.curves}
    return contrast if contrast is not None and contrast.words.split() and curves.issuperset(contrast.curves) else None


def in_hall_of(header: Header) -> str:
    """Get the statement that is the point, if it is one of those that were recorded."""
    return header.in_hall if header.in_hall in {theorem.statement for theorem in header.theorems} else ""


def view_of(header: Header) -> View:
    """Get how the fields are to be shown; nothing is said where that cannot be meant."""
    try:
        return View.read(header.view or None, "its view")
    except Refused:
        return NO_VIEW


def silent(problem: Problem, before: Any, after: Any) -> Sides | None:
    return None


def catalogued(
    header: Header, values: Mapping[str, Any], data: Dataset | None
) -> tuple[Algorithm, Problem, type[State]] | None:
    """Find the algorithm of the catalogue that was recorded, if its states still are what they were then."""
    if not header.catalogue or header.name not in names() or data is None:
        return None
    algorithm = find(header.name)
    hint = get_type_hints(algorithm.run).get("state")
    kind = next((k for k in get_args(hint) if isinstance(k, type) and issubclass(k, State)), None)
    if kind is None or {*kind.__struct_fields__} - {*State.__struct_fields__} != {*header.fields}:
        return None
    try:
        return algorithm, algorithm.problem(data, None, values), kind
    except Refused:
        return None


def title_of(header: Header) -> str:
    """Mark the title, so that nobody takes it for a run that can be changed."""
    return f"{header.title.removesuffix(_MARK)}{_MARK}"


def summary_of(header: Header) -> str:
    """Shorten what was said about it to a paragraph."""
    about = (header.about or header.summary).strip().split("\n\n")[0].replace("\n", " ")
    return about or f"{header.name}, from {header.file}"


def type_of(value: Any) -> Any:
    if isinstance(value, tuple):
        kinds = {type(part) for part in value}
        return tuple[next(iter(kinds)), ...] if len(kinds) == 1 and kinds <= {int, float, bool, str} else Any  # type: ignore[misc]
    return type(value) if isinstance(value, bool | int | float | str) else Any


def no_conversion(kind: type, value: Any) -> Any:
    """Put an array where an array belongs; anything else is refused."""
    if isinstance(value, np.ndarray):
        return value
    raise TypeError(f"there should be an array, not {type(value).__name__}")
