"""Hands on keys and mouse: whatever they do, no exception, no frozen screen, and the state shown is the run's."""

import os
from pathlib import Path

import pytest

from algorithms import find
from algorithms.playback.compared_run import ComparedRun
from algorithms.playback.loaded_run import LoadedRun
from algorithms.playback.run_session import RunSession
from algorithms.playback.variant import against
from tests.hands.walk import Found, Key, keys_of, play, shortest, walk
from tests.tiny import TINY, Rows
from tui.app import IterscopeApp
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen


def app_of(name: str) -> IterscopeApp:
    if name == "compare":
        opened = LoadedRun.usual(find("lloyd"))
        others = ("gaussian_mixture", ":k=2", ":seed=3")
        return IterscopeApp(opened, against=[against(opened, other).timeline() for other in others])
    return IterscopeApp(LoadedRun.usual(find(name)) if name != "tiny" else LoadedRun.checked(TINY, Rows(), {}))


async def walked(name: str, seed: int, steps: int) -> None:
    opened = LoadedRun.checked(TINY, Rows(), {})
    keys = keys_of(StageScreen(opened))
    if name == "compare":
        entrants = [ComparedRun("", opened.timeline()) for _ in range(2)]
        keys += [
            key for key in keys_of(CompareScreen(RunSession(opened), entrants)) if key not in ("escape", "c")
        ]  # to stay there longer
    actions = walk(seed, steps, keys)
    try:
        await play(lambda: app_of(name), actions)
    except Found as found:
        few = await shortest(lambda: app_of(name), actions)
        raise AssertionError(f"{found}; the shortest walk that fails is {few}") from found


@pytest.mark.parametrize("name", ["tiny", "perceptron", "compare"])
async def test_a_walk_over_the_whole_app(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    await walked(name, seed=1, steps=250)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(int(os.environ.get("ITERSCOPE_WALKS", "20"))))
@pytest.mark.parametrize(
    "name",
    [
        "tiny",
        "lloyd",
        "gaussian_mixture",
        "multilayer_perceptron",
        "pca",
        "adaboost",
        "decision_tree",
        "smo",
        "compare",
    ],
)
async def test_longer_walks(name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    await walked(name, seed=1000 + seed, steps=1000)


async def test_a_walk_that_fails_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: StageScreen) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(StageScreen, "action_fit", broken)
    actions = [Key("right"), Key("w"), *[Key("left")] * 6]
    with pytest.raises(Found, match="planted"):
        await play(lambda: app_of("tiny"), actions)
    assert await shortest(lambda: app_of("tiny"), actions) == [Key("w")]
