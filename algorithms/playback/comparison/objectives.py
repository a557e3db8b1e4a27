"""Which numbers of several runs measure one objective, and so can be held against each other."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from algorithms.core import Algorithm, Problem
from algorithms.playback.runs.data_words import same_data

_ROUNDING = 1e-9  # of the larger of two settings: 1/(n λ) for a C that was typed


class Objectives:
    """What the objectives of several runs depend on.

    Args:
        runs: algorithm and problem of each.
    """

    def __init__(self, runs: Iterable[tuple[Algorithm, Problem]] = ()):
        self._runs = list(runs)
        self._same = [[same_data(a.data, b.data) for _, b in self._runs] for _, a in self._runs]

    def other(self, curve: str, i: int, j: int) -> str:
        """Name what the objectives differ in that a curve measures in two runs: "C", "C, loss"; "" where they do not,
        or where it measures none, or where that is not known."""
        if i == j or not self._runs:
            return ""
        (a, mine), (b, theirs) = self._runs[i], self._runs[j]
        one, other = a.objective_of(curve, mine), b.objective_of(curve, theirs)
        if one is None and other is None or a.objective is None or b.objective is None:
            return ""
        one, other = one or {}, other or {}
        names = [name for name in {**one, **other} if not _alike(one.get(name), other.get(name))]
        return ", ".join(names if self._same[i][j] else ["data", *names])

    def incomparable(self, name: str, i: int, j: int) -> str:
        """Say why a number of a run says nothing as a share of another's: "other C, another objective", "other data";
        "" where it does."""
        other = self.other(name, i, j)
        if other:
            return f"other {other}, another objective"
        return "other data" if self._runs and not self._same[i][j] else ""

    def comparable(self, name: str, runs: Sequence[int]) -> bool:
        """Tell whether a number of several runs can be held against each other."""
        return not any(self.incomparable(name, runs[0], run) for run in runs[1:])

    def groups(self, curve: str, runs: Sequence[int]) -> list[list[int]]:
        """Group the runs in which a curve measures one objective."""
        groups: list[list[int]] = []
        for run in runs:
            alike = next((group for group in groups if not self.other(curve, group[0], run)), None)
            if alike is None:
                groups.append([run])
            else:
                alike.append(run)
        return groups


def _alike(a: Any, b: Any) -> bool:
    """Tell whether two settings are equal, but for rounding."""
    if type(a) in (int, float) and type(b) in (int, float):
        return math.isclose(a, b, rel_tol=_ROUNDING)
    return bool(a == b)
