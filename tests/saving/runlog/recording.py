"""Record the first states of a run of a declared algorithm."""

from itertools import islice
from pathlib import Path
from typing import Any

from algorithms import Recorder


def record(path: Path, algorithm: Any, data: Any, parameters: dict[str, Any], steps: int = 25) -> list[Any]:
    problem = algorithm.problem(data, None, parameters)
    states: list[Any] = []
    with Recorder.of(path, algorithm, problem) as recorder:
        run = algorithm.start(problem)
        for state in islice(run, steps):
            recorder.keep(states[-1] if states else None, state, run.gi_frame.f_lineno)
            states.append(state)
    return states
