"""What is measured along a run: curves and theorems, at a few thousand steps however long it is."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm
from algorithms.core.arrays import Array
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorem import Verdict

_MOST = 4096  # samples in all; then the most frequent kinds of step give up every second
_WORTH = 256  # a kind of step with fewer samples than this gives none up


class Sample(Struct, frozen=True):
    """One step's numbers: each curve's value, NaN where it has none, and each theorem's verdict."""

    t: int
    kind: int
    values: tuple[float, ...]
    verdicts: tuple[Verdict, ...]


class Failure(Struct, frozen=True):
    """A theorem that did not hold at a step."""

    t: int
    verdict: Verdict


class Series:
    """Samples of a run, thinned kind by kind as it grows, so that every phase stays seen.

    A theorem that fails is kept for good in `failures`.
    """

    def __init__(self, algorithm: Algorithm, problem: Problem, forked: bool):
        self._algorithm, self._problem, self._forked = algorithm, problem, forked
        self.samples: list[Sample] = []
        self.failures: list[Failure] = []
        self._seen: list[int] = []
        self._every: list[int] = []
        self._kept: list[int] = []

    def due(self, kind: int) -> bool:
        """Whether the next step of this kind is to be measured; to be asked once a step."""
        while kind >= len(self._seen):
            self._seen.append(0)
            self._every.append(1)
            self._kept.append(0)
        count = self._seen[kind]
        self._seen[kind] = count + 1
        return count % self._every[kind] == 0

    def measure(self, t: int, kind: int, before: State | None, after: State) -> None:
        self.samples.append(
            Sample(t, kind, curve_values(self._algorithm, self._problem, after), self.verdicts(t, before, after))
        )
        self._kept[kind] += 1
        if len(self.samples) > _MOST:
            self._thin()

    def verdicts(self, t: int, before: State | None, after: State) -> tuple[Verdict, ...]:
        """Each theorem at a step; a failure is noted."""
        said = judged(self._algorithm, self._problem, before, after, self._forked)
        for verdict in said:
            if verdict.status == "fails":
                failure = Failure(t, verdict)
                if not any(f.t == t and f.verdict.theorem is verdict.theorem for f in self.failures[-32:]):
                    self.failures.append(failure)
        return said

    def _thin(self) -> None:
        common = {k for k, count in enumerate(self._kept) if count > _WORTH}
        turn = dict.fromkeys(common, False)
        kept: list[Sample] = []
        for sample in self.samples:
            if sample.kind in common:
                turn[sample.kind] = not turn[sample.kind]
                if not turn[sample.kind]:
                    self._kept[sample.kind] -= 1
                    continue
            kept.append(sample)
        for kind in common:
            self._every[kind] *= 2
        self.samples = kept


def curve_values(algorithm: Algorithm, problem: Problem, state: State) -> tuple[float, ...]:
    """Each curve at a state; NaN in the phases in which it is not measured."""
    return tuple(
        float(c.measure(problem, state)) if not c.phases or state.phase in c.phases else float("nan")
        for c in algorithm.curves
    )


def judged(
    algorithm: Algorithm, problem: Problem, before: State | None, after: State, forked: bool
) -> tuple[Verdict, ...]:
    """Each theorem at a step."""
    return tuple(theorem.verdict(problem, before, after, forked) for theorem in algorithm.theorems)


def as_arrays(samples: Sequence[Sample], curve: int) -> tuple[Array, Array]:
    """(t, value) of one curve where it has a value, in order."""
    t = np.fromiter((s.t for s in samples), np.int64, len(samples))
    values = np.fromiter((s.values[curve] for s in samples), np.float64, len(samples))
    known = ~np.isnan(values)
    return t[known], values[known]
