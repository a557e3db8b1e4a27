"""What the tests of sweeps share: runs to the bit, and measures that other processes can be sent."""

import os
from collections.abc import Iterable
from typing import Any

from algorithms.sweeping import SweptRun


def to_the_bit(runs: Iterable[SweptRun], leave_out: str = "") -> dict[int, Any]:
    """What came of each run, every digit of it, by its place."""
    return {
        run.place: (
            run.parameters,
            run.steps,
            run.reason,
            {name: value.hex() for name, value in run.values.items() if name != leave_out},
            run.failures,
            run.outcome.troubles,
        )
        for run in runs
    }


def own_process(problem: Any, state: Any) -> float:
    """The process that made the run."""
    return os.getpid()
