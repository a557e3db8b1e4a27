"""Text is only text: whatever stands in data, files, code, errors and sessions, nothing of it steers anything."""

import csv
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot

from algorithms import Branches, Change, Timeline, export_numbers, export_state, find
from algorithms.core.dataset import Dataset
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.session import session_of, write_session
from tests.patience import PATIENCE, Patience
from tests.terminal.pseudo import Pseudo
from tests.text.hostile import ALGORITHM, PAYLOADS, STEERS, HostileSource, dataset
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen

SIZES = [(80, 24), pytest.param((160, 48), marks=pytest.mark.soak)]
_LEAVING = {"app.quit", "quit"}


def app() -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(ALGORITHM, HostileSource(), {}))


def harmless(pilot: Pilot[None], where: str) -> str:
    """The whole screen as text, in which nothing steers."""
    svg = pilot.app.export_screenshot()
    assert not STEERS.search(svg), f"on {where}"
    text = "".join(ElementTree.fromstring(svg).itertext())
    return text.replace("\xa0", " ")


async def settled(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    patience = Patience(PATIENCE)
    while not holds():
        assert not patience.over, harmless(pilot, "what should have come")
        await pilot.pause(0.05)


@pytest.mark.parametrize("size", SIZES)
async def test_no_screen_that_a_key_opens_is_steered(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app().run_test(size=size) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and pilot.app.screen.picture is not None)
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        assert "PWNED" in harmless(pilot, "the stage")
        await pilot.press("right", "right", "right")
        await settled(pilot, lambda: stage.player.t == 3)
        stage.session.fork(3, Change(parameters={"eta": 0.5}), name="[@click=app.quit]PWNED[/]")
        for binding in stage.all_bindings:
            if binding.action in _LEAVING:
                continue
            key = binding.key.split(",")[0]
            await pilot.press(key)
            harmless(pilot, f"{key}: {binding.description}")
            for _ in range(4):
                if pilot.app.screen is stage and not stage.has_class("editing"):
                    break
                await pilot.press("escape")
                harmless(pilot, f"{key} and escape")
        await pilot.press("escape", "r")
        await settled(pilot, lambda: "Failed" in harmless(pilot, "a run that raised"))
        assert pilot.app.is_running
        assert "PWNED" not in (pilot.app.title or "")


async def test_the_catalogue_of_hostile_words_is_only_words() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await pilot.press("ctrl+p")
        await settled(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        harmless(pilot, "the palette")


def test_exports_hold_no_formula_and_nothing_that_steers(tmp_path: Path) -> None:
    run = Timeline(ALGORITHM, dataset(), {}).run()
    for suffix in (".csv", ".jsonl", ".npz"):
        export_numbers(tmp_path / f"run{suffix}", run)
    export_state(tmp_path / "state.npz", run.at(3).state)
    text = (tmp_path / "run.csv").read_text(encoding="utf-8")
    assert not STEERS.search(text)
    for row in csv.reader(text.splitlines()):
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "\t")), cell
            assert not cell.startswith("-") or _is_number(cell), cell
    for line in (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines():
        assert not STEERS.search(line)
        json.loads(line)
    for name in ("run.npz", "state.npz"):
        with np.load(tmp_path / name, allow_pickle=False) as archive:
            assert archive.files


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_session_of_hostile_words_is_written_and_read_as_words(tmp_path: Path) -> None:
    data = Dataset(dataset().X, dataset().y, name=PAYLOADS[0], features=PAYLOADS[:3], classes=("a", "b"))
    runs = Branches(Timeline(find("perceptron"), data).run())
    runs.fork(runs.root, 5, Change(parameters={"eta": 0.5}), "[@click=app.quit]PWNED[/]")
    path = tmp_path / "lesson.json"
    write_session(session_of(runs, None, path, breakpoints=["t > 5"]), path)
    assert not STEERS.search(path.read_text(encoding="utf-8"))
    with Pseudo.python("-m", "tui", "--open", str(path), columns=160, rows=48) as terminal:
        terminal.see("as it was saved")
        terminal.press("B")
        terminal.see("PWNED")
        assert not any(payload.encode() in terminal.raw for payload in PAYLOADS if STEERS.search(payload))


def test_nothing_of_it_reaches_a_real_terminal(tmp_path: Path) -> None:
    names = [PAYLOADS[0], PAYLOADS[4], PAYLOADS[3], PAYLOADS[6]]
    path = tmp_path / "\x1b]0;PWNED\x07.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        rng = np.random.default_rng(1)
        for i in range(40):
            writer.writerow([*rng.standard_normal(3).round(3), PAYLOADS[1] if i % 2 else PAYLOADS[5]])
    with Pseudo.python("-m", "tui", "perceptron", "--data", str(path), columns=100, rows=30) as terminal:
        terminal.see("step 0")
        for keys in ("lll", "?", "\x1b", "p", "\x1b", "d", "\x1b", "v", "\x1b", "B", "\x1b", "e", "\x1b", "b", "\x1b"):
            terminal.press(keys)
            for _ in range(8):
                terminal.pump()
        terminal.see("PWNED")
        for payload in PAYLOADS:
            if STEERS.search(payload):
                assert payload.encode() not in terminal.raw
        assert b"\x1b]0;PWNED" not in terminal.raw
        terminal.press("q")
        assert terminal.status() == 0


def test_errors_on_the_command_line_are_one_line_of_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"raise ValueError({PAYLOADS[0] + PAYLOADS[7]!r})\n")
    for words in (
        ["tui", str(path)],
        ["algorithms", "run", str(path)],
        ["tui", "--open", PAYLOADS[1]],
        ["tui", PAYLOADS[8]],
    ):
        done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 2
        assert not STEERS.search(done.stderr)
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("kind", "suffix"), [(4, ".svg"), (5, ".txt"), (7, ".cast")])
async def test_what_the_screen_exports_is_harmless(
    kind: int, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app().run_test(size=(120, 40)) as pilot:
        await settled(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and pilot.app.screen.picture is not None)
        await pilot.press("right", "right")
        await pilot.press("e", *["down"] * kind, "enter")
        await settled(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and bool(list(tmp_path.iterdir())))
        (path,) = tmp_path.iterdir()
    assert path.suffix == suffix
    assert "PWNED" not in path.name or not STEERS.search(path.name)
    text = path.read_text(encoding="utf-8")
    assert "PWNED" in text
    if suffix == ".cast":  # what is played is what a screen may send: colours and places, no title, nothing cleared
        played = "".join(json.loads(line)[2] for line in text.splitlines()[1:])
        assert not any(payload in played for payload in PAYLOADS if STEERS.search(payload))
        assert "\x1b]" not in played
        assert "\x1bP" not in played
    else:
        assert not STEERS.search(text)
    if suffix == ".svg":
        ElementTree.fromstring(text)
