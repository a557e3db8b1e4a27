"""Plain generators in processes of their own: started, advanced as a screen does, and looked after."""

import os
from collections.abc import Callable
from pathlib import Path

from algorithms import Timeline, load
from tests.patience import PATIENCE, Patience


def run_of(tmp_path: Path, body: str, **parameters: object) -> Timeline:
    path = tmp_path / "mine.py"
    path.write_text(body)
    algorithm = load(str(path), apart=True)
    return Timeline(algorithm, algorithm.datasets[0], parameters)


def until(run: Timeline, met: Callable[[], bool]) -> None:
    """Advance as a screen does; each call comes back."""
    patience = Patience(PATIENCE)
    while not met():
        run.advance(1_000_000, 0.01)
        assert not patience.over


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
