"""Hands on keys and mouse over a recording: whatever they do, no exception, and the state shown is the file's."""

from pathlib import Path

import pytest

from algorithms import Recorder, datasets, find
from algorithms.playback.runs.loaded_run import recording
from tests.hands.actions import random_walk
from tests.hands.in_app import play
from tests.saving.runlog.recording import record
from tui.app import IterscopeApp


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("finished", [True, False])
async def test_a_walk_over_a_recording(
    finished: bool, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    walk = random_walk(seed, 80)
    if finished:
        record(tmp_path / "run.log", find("lloyd"), datasets.load("faithful"), {"k": 3})
        await play(lambda: IterscopeApp(recording("run.log")), walk)
        return
    with Recorder(tmp_path / "run.log") as recorder:
        for t in range(60):
            recorder.write({"t": t, "root": t**0.5})
        await play(lambda: IterscopeApp(recording("run.log")), walk)
