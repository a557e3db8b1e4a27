"""A recording on the screen: followed while it is written, looked around in, and left as it is."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from algorithms import Recorder, datasets, find
from algorithms.playback.runs.loaded_run import recording
from tests.process import started
from tests.saving.runlog.recording import record
from tests.terminal.pseudo import ROOT, Pseudo
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.catalogue import CatalogueScreen

_SLOWLY = """
import sys, time
import numpy as np
from algorithms import Recorder
def training(rate=0.5):
    for epoch in range(100_000):
        loss = 1 / (epoch + 1)
        yield {"epoch": epoch, "loss": loss}
        time.sleep(0.02)
for state in Recorder(sys.argv[1], title="on another machine", parameters={"rate": 0.5}).over(training()):
    pass
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that writes run.log, some steps a second."""
    command = [sys.executable, "-c", _SLOWLY, str(tmp_path / "run.log")]
    with started(*command, env=os.environ | {"PYTHONPATH": str(ROOT)}) as process:
        yield process


def test_it_is_followed_to_its_end_in_a_real_terminal(tmp_path: Path, writer: "subprocess.Popen[bytes]") -> None:
    while not (tmp_path / "run.log").exists():
        assert writer.poll() is None
    with Pseudo.python("-m", "tui", "--follow", str(tmp_path / "run.log"), columns=120, rows=40) as terminal:
        terminal.see("▶ following")
        terminal.see("on another machine")

        def newest(least: int) -> bool:
            shown = re.search(r"step (\d+) of (\d+) so far", terminal.text.replace(",", ""))
            return shown is not None and shown[1] == shown[2] and int(shown[1]) >= least

        terminal.until(lambda: newest(30), "newest step of 30 or more")
        terminal.press(" ")
        terminal.see("■ as fast as it goes")
        terminal.press("0")
        terminal.see("step 0 of")
        terminal.press(" ")
        terminal.until(lambda: newest(60), "newest step of 60 or more")
        writer.send_signal(signal.SIGKILL)
        terminal.see("the recording has no end: it was broken off")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


def test_without_a_terminal_it_is_said_what_reads_it(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log") as recorder:
        recorder.write(1)
    said = subprocess.run(
        [sys.executable, "-m", "tui", "--follow", str(tmp_path / "run.log")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert said.returncode == 2
    assert f"python -m algorithms run {tmp_path / 'run.log'}" in said.stderr


async def test_a_run_of_ours_has_its_own_scenes_and_nothing_in_it_is_changed(tmp_path: Path) -> None:
    record(tmp_path / "run.log", find("lloyd"), datasets.load("faithful", scale=True), {"k": 3})
    async with IterscopeApp(recording(str(tmp_path / "run.log"))).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        assert "rows in the cells of the means" in text(pilot, "#stage")
        assert "Lloyd's algorithm (recorded)" in text(pilot, "#header")
        assert "k 3" in text(pilot, "#header")
        assert "all kept" not in text(pilot, "#header")
        assert not any(words in text(pilot, "#keys") for words in ("fork", "edit", "parameters", "save"))
        assert "stop where" in text(pilot, "#keys")
        await pilot.press("l", "l", "l")
        await until(pilot, at(pilot, 3))
        assert "the objective J never rises" in text(pilot, "#side")
        for key in ("p", "d", "f", "i", "ctrl+s"):
            await pilot.press(key)
            await until(pilot, lambda: "nothing in it can be changed" in text(pilot, "#narration"))
            assert len(pilot.app.screen_stack) == 2
            await pilot.press("l")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "loaded again" in text(pilot, "#narration"))
        assert stage(pilot).player.t == 8
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))


async def test_a_hall_shows_of_a_recording_what_it_showed_of_the_run(tmp_path: Path) -> None:
    bagging = find("bagging")
    record(tmp_path / "run.log", bagging, bagging.datasets[0].load(), {"trees": 3}, 7)
    async with IterscopeApp(recording(str(tmp_path / "run.log"))).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("F", *["l"] * 6)
        await until(pilot, lambda: bagging.contrast is not None and bagging.contrast.words in text(pilot, "#big"))
        assert "measured" in text(pilot, "#big")


async def test_what_is_of_no_catalogue_can_be_left_for_it(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log", title="[bold]mine[/]\x1b[2J", data=np.eye(3)) as recorder:
        for t in range(5):
            recorder.write({"w": np.full(3, t), "said": "\x1b]0;x\x07"})
    async with IterscopeApp(recording(str(tmp_path / "run.log"))).run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "l")
        await until(pilot, at(pilot, 2))
        assert "[bold]mine[/]" in text(pilot, "#header")
        assert "\x1b" not in text(pilot)
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))


async def test_a_damaged_one_says_so_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with Recorder(path) as recorder:
        for t in range(30):
            recorder.write({"t": t})
    content = bytearray(path.read_bytes())
    content[-300] ^= 1
    path.write_bytes(content)
    async with IterscopeApp(recording(str(path))).run_test(size=(100, 30)) as pilot:
        await pilot.press("end")
        await until(pilot, lambda: "the recording is damaged at byte" in " ".join(text(pilot, "#narration").split()))
        last = stage(pilot).player.timeline.last
        assert 20 < last < 29
        assert stage(pilot).player.frame.state.get("t") == stage(pilot).player.t  # type: ignore[attr-defined]
