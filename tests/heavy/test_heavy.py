"""Long and heavy: memory stays within its budget, slow steps leave the keys alive, what is closed is gone."""

import gc
import os
import time
from pathlib import Path

import numpy as np
import pytest

from algorithms import Dataset, Timeline, find, load
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.terminal.pseudo import Pseudo
from tests.tiny import TINY, Rows
from tests.tui.pilot import at, stage, until
from tests.userfile.declared import written
from tui.app import IterscopeApp

MB = 1 << 20

in_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory and files are counted in /proc")


def resident(pid: int | str = "self") -> int:
    """Bytes of memory that a process holds now."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) << 10
    raise AssertionError("no VmRSS")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


@in_proc
@pytest.mark.parametrize("name", ["lloyd", "stochastic_gradient", "pca"])
def test_a_hundred_thousand_rows_of_fifty_features_can_be_stepped(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 50))
    X[:50_000] += 1.0
    y = X @ rng.standard_normal(50) + rng.standard_normal(100_000)
    run = Timeline(find(name), Dataset(X, y if name == "stochastic_gradient" else None), {})
    before = resident()
    assert run.advance(12) == 12
    for t in (11, 3, 7, 0):
        assert run.at(t).state.t == t
    assert resident() - before < 400 * MB


def test_a_step_that_takes_long_leaves_every_key_alive(tmp_path: Path) -> None:
    over = tmp_path / "over"
    waits = f"any(iter(lambda: time.sleep(0.05) or os.path.exists({str(over)!r}), True))"
    path = written(tmp_path, step=f"{waits} if state.t == 2 else None")
    with Pseudo.python("-m", "tui", path, columns=120, rows=40) as terminal:
        terminal.see("step 0 of")
        terminal.press("ll")
        terminal.see("step 2 of")
        terminal.press("l")  # the one that takes long
        for keys, seen, closes in (
            ("hh", "step 1 of", ""),
            ("?", "esc closes", "esc closes"),
            ("g", "Go to", "Go to step"),
        ):
            terminal.press(keys)
            terminal.see(seen)
            if closes:
                terminal.escape(closes)
        over.touch()
        terminal.press("q")
        assert terminal.status() == 0


async def test_runs_opened_and_closed_leak_nothing() -> None:
    async with IterscopeApp(LoadedRun.checked(TINY, Rows(), {})).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        others = {id(thing) for thing in gc.get_objects() if isinstance(thing, Timeline)}  # of tests before this one
        held: list[int] = []
        for i in range(120):
            stage(pilot).session.begin(LoadedRun.checked(TINY, Rows(), {"steps": 40 + i}))
            stage(pilot).player.seek(20)
            stage(pilot).player.work(1.0)
            stage(pilot).redraw()
            await pilot.pause(0)
            if i in (40, 119):
                gc.collect()
                held.append(sum(isinstance(x, Timeline) and id(x) not in others for x in gc.get_objects()))
        assert held[1] <= held[0] <= 4


@pytest.mark.soak
@in_proc
def test_own_files_opened_and_closed_leave_no_process_and_no_file(tmp_path: Path) -> None:
    path = written(tmp_path)

    def once() -> None:
        algorithm = load(path, apart=True)
        run = Timeline(algorithm, algorithm.datasets[0], {})
        run.advance(5, 0.2)
        frame = run.at(0)
        assert algorithm.explain(run.problem, None, frame.state).startswith("w is at")

    once()
    gc.collect()
    files, processes = open_files(), children()
    for _ in range(8):
        once()
        gc.collect()
    assert open_files() <= files
    assert len(children()) <= len(processes)


@in_proc
@pytest.mark.soak
def test_data_files_opened_a_thousand_times_leak_nothing(tmp_path: Path) -> None:
    from algorithms import datasets

    path = tmp_path / "rows.csv"
    held: list[int] = []
    for i in range(1000):
        path.write_text("a,b,c\n" + "".join(f"{j},{j * i % 7},{i}.5\n" for j in range(200)))
        os.utime(path, ns=(i, i))
        assert datasets.recipe(str(path)).load().n == 200
        if i in (200, 999):
            gc.collect()
            held.append(resident())
            assert open_files() < 64
    assert held[1] - held[0] < 20 * MB


@in_proc
@pytest.mark.soak
def test_a_long_run_at_full_speed_keeps_within_its_memory() -> None:
    minutes = float(os.environ.get("ITERSCOPE_MINUTES", "10"))
    words = ("-m", "tui", "perceptron", "--data", "moons", "-p", "epochs=100000")
    with Pseudo.python(*words, columns=160, rows=48) as terminal:
        terminal.see("step 0 of")
        terminal.press("++++++++++ ")
        end, held = time.monotonic() + 60 * minutes, []
        while time.monotonic() < end:
            for _ in range(20):
                terminal.pump()
            terminal.raw.clear()
            held.append(resident(terminal.child.pid))
            assert held[-1] < 400 * MB
        terminal.press(" ")
        first, most, header = held[0] / MB, max(held) / MB, terminal.text.splitlines()[0]
        print(f"{minutes:g} minutes: {first:.0f} MB at first, {most:.0f} MB at most; {header}")
        terminal.press("q")
        assert terminal.status() == 0
