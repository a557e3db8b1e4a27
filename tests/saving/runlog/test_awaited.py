"""A recording that nobody has begun yet is waited for, and one that was replaced is told on the screen."""

from pathlib import Path

import pytest

from algorithms import Recorder, Refused
from algorithms.cli.awaited import awaited
from algorithms.playback.runs.loaded_run import recording
from tests.terminal.pseudo import Pseudo
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp


def test_a_file_that_is_not_there_is_waited_for_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with Pseudo.python("-m", "tui", "--follow", str(path), columns=100, rows=30) as terminal:
        terminal.see("is not written yet")
        path.touch()  # as between two moments of whoever writes it
        path.unlink()
        with Recorder(path, title="came late") as recorder:
            for t in range(3):
                recorder.write({"loss": 1 / (t + 1)})
        terminal.see("came late")
        terminal.see("step 0 of 2")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


def test_waiting_is_ended_as_any_program_is(tmp_path: Path) -> None:
    with Pseudo.python("-m", "tui", "--follow", str(tmp_path / "run.log"), columns=100, rows=30) as terminal:
        terminal.see("is not written yet")
        terminal.press("\x03")
        assert terminal.status() == 130


def test_without_a_terminal_or_a_folder_nothing_is_waited_for(tmp_path: Path) -> None:
    awaited(str(tmp_path / "run.log"))
    with pytest.raises(Refused, match="there is no folder"):
        awaited(str(tmp_path / "nowhere" / "run.log"))
    (tmp_path / "no.log").write_text("no recording")
    awaited(str(tmp_path / "no.log"))


@pytest.mark.parametrize("append", [False, True], ids=["replaced", "gone on with"])
async def test_that_the_file_is_another_by_now_is_told_and_shown(tmp_path: Path, append: bool) -> None:
    path = tmp_path / "run.log"
    with Recorder(path) as recorder:
        for t in range(3):
            recorder.write({"loss": 1 / (t + 1)})
    async with IterscopeApp(recording(str(path))).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        with Recorder(path, overwrite=not append, append=append) as recorder:
            for t in range(5):
                recorder.write({"loss": 1 / (t + 1)})
        words = "goes on behind the end" if append else "was replaced by a newer file"
        await until(pilot, lambda: f"run.log {words}" in " ".join(text(pilot, "#narration").split()))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: stage(pilot).player.timeline.last == (7 if append else 4))
