"""Expectation: a statement about the mean over many runs, which no single run can show or refute."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.problem import Problem

_OVER = {"seed": "seeds", "data.seed": "samples of the data", "data.hold_out_seed": "splits of the data"}
MEASURED = "measured"  # the name under which a bound finds what was measured of each run


class Expectation(Struct, frozen=True):
    """A statement that holds on average over seeds, over splits of the data or over samples from its truth.

    It never gets a verdict: a mean over a thousand runs has an error, and stands beside what bounds it.

    Attributes:
        statement: one line, as the lecture has it.
        measure: (problem, last state) -> the number of a run of which the mean is taken; a function at the top of its
            module, since other processes are sent its name.
        bound: (problem, values) -> what the mean is held against; values has, by name, (m,) the last value of each
            curve in the m runs so far, and what was measured of them as "measured".
        names: what the mean and the bound are called.
        source: author and year.
        over: the parameter that differs from run to run; "data.seed" and "data.hold_out_seed" are of the data.
        fixed: the parameters that all these runs have; the others are those of the run on the screen.
        data: what the recipe of the data has in these runs where it says nothing of its own: {"hold_out": 0.25}.
        truth: what has to be known of how the data was made, by name: ("mean", "deviation").
        runs: how many.
        until: the step at which each is stopped; None for its end.
        proof: why it is true, a line a link of the chain.
    """

    statement: str
    measure: Callable[[Problem, Any], float]
    bound: Callable[[Problem, Mapping[str, Array]], float]
    names: tuple[str, str]
    source: str
    over: str = "seed"
    fixed: Mapping[str, Any] = {}
    data: Mapping[str, Any] = {}
    truth: tuple[str, ...] = ()
    runs: int = 1000
    until: int | None = None
    proof: tuple[str, ...] = ()

    @property
    def runs_in_words(self) -> str:
        """How many runs of what: "1,000 seeds", "200 splits of the data"."""
        return f"{self.runs:,} {_OVER.get(self.over, f'values of {self.over}')}"
