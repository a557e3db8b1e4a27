"""Where POSIX modules and functions are missing, as on Windows, everything can be imported and the main things work."""

import subprocess
import sys
from pathlib import Path

from tests.patience import LONG

ROOT = Path(__file__).parents[1]
_WITHOUT = """
import asyncio, importlib, os, pkgutil, signal, sys
from textual.drivers.headless_driver import HeadlessDriver
import numpy, textual.app, textual.widgets, rich.console, plotext, joblib.externals.loky  # as they are there
BLOCKED = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "syslog", "curses", "readline"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in [name for name in sys.modules if name.partition(".")[0] in BLOCKED]:
    del sys.modules[name]
sys.meta_path.insert(0, Blocked())
for name in ("fork", "pread", "fchmod", "openpty", "getuid", "killpg", "getpgrp", "setsid", "uname", "mkfifo"):
    delattr(os, name)
for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_NOFOLLOW", "O_DIRECTORY"):
    delattr(os, name)
for name in ("SIGHUP", "SIGQUIT", "SIGTSTP", "SIGCONT", "SIGSTOP", "SIGWINCH", "SIGKILL", "SIGUSR1", "SIGPIPE"):
    delattr(signal, name)
for name in ("pthread_sigmask", "pthread_kill", "setitimer"):
    delattr(signal, name)
"""


def done(code: str, folder: Path) -> str:
    """What a script prints in which those are missing."""
    command = [sys.executable, "-W", "ignore", "-c", _WITHOUT + code]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=None, timeout=LONG, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


def test_every_module_is_imported(tmp_path: Path) -> None:
    code = """
import algorithms, tui
skipped = ("__main__", "tui.terminal.driver", "tui.classroom.serving")  # it starts; it is for POSIX; it needs aiohttp
wrong = []
for package in (algorithms, tui):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith(skipped) and ".child" not in module.name:
            try:
                importlib.import_module(module.name)
            except BaseException as error:
                wrong.append(f"{module.name}: {error!r}")
print(wrong)
"""
    assert done(code, tmp_path).strip() == "[]"


def test_runs_files_recordings_and_a_readers_own_code_work(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def mine(n=3):\n    for i in range(n):\n        yield {'loss': 1 / (i + 1)}\n")
    (tmp_path / "rows.csv").write_text("x,y\n" + "".join(f"{i},{i % 3}\n" for i in range(9)))
    code = """
from algorithms import Recorder, Timeline, datasets, find, load
from algorithms.__main__ import main
from algorithms.saving.runlog import LoggedRun

run = Timeline("lloyd", "faithful", {"k": 3}).run()
print(run.stopped.reason)
with Recorder("run.log") as recorder:
    for t in range(5):
        recorder.write({"t": t, "w": numpy.arange(100.0) * t})
with Recorder("run.log", append=True) as recorder:
    recorder.write({"t": 5, "w": numpy.arange(100.0) * 5})
recorded = LoggedRun("run.log")
run = Timeline(recorded, recorded.datasets[0].load()).run()
print(len(run), run.at(5).state.get("w")[2])
mine = load("mine.py", apart=True)
print(mine.apart, len(Timeline(mine, mine.datasets[0].load()).run()))
print(main(["run", "lloyd", "--data", "rows.csv", "-p", "k=2", "--steps", "2"]))
print(main(["export", "lloyd", "--to", "numbers.csv", "--steps", "3"]))
"""
    printed = done(code, tmp_path).splitlines()
    assert printed[1:3] == ["6 10.0", "False 4"]
    assert printed[-1] == "0"
    assert (tmp_path / "numbers.csv").exists()


def test_the_screen_is_drawn_and_stepped(tmp_path: Path) -> None:
    code = """
from algorithms import find
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.app import IterscopeApp

async def shown():
    app = IterscopeApp(LoadedRun.usual(find("lloyd")), driver_class=HeadlessDriver)
    async with app.run_test(size=(100, 30)) as pilot:
        while getattr(pilot.app.screen, "picture", None) is None:
            await pilot.pause(0.02)
        await pilot.press("right", "right")
        while pilot.app.screen.player.t != 2:
            await pilot.pause(0.02)
        print("at", pilot.app.screen.player.t)

asyncio.run(shown())
"""
    assert done(code, tmp_path).strip().endswith("at 2")
