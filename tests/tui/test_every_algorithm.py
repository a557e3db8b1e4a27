"""Every algorithm on the screen, forwards and back, through its panels, charts and theorems."""

from typing import Any

import pytest

from algorithms import find, names
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen


def played() -> list[Any]:
    """Each third algorithm at one of the sizes, in turn; all at all of them when there is time."""
    return [
        pytest.param(name, size, id=f"{name}-{size[0]}x{size[1]}", marks=() if i % 9 == 3 * j else pytest.mark.soak)
        for i, name in enumerate(names())
        for j, size in enumerate(SIZES)
    ]


@pytest.mark.parametrize(("name", "size"), played())
async def test_every_algorithm_plays_forwards_and_back(name: str, size: tuple[int, int]) -> None:
    async with IterscopeApp(LoadedRun.usual(find(name))).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        for _ in range(3):
            await pilot.press("right")
        await until(pilot, at(pilot, 3))
        forwards = text(pilot, "#stage")
        await pilot.press("right", "left")
        await until(pilot, at(pilot, 3))
        await pilot.press("m", "t", "x", "2", "v", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert forwards.strip()
        assert not stage(pilot).picture.trouble  # type: ignore[union-attr]
