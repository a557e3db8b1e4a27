"""Runs of other objectives share no chart, none is the best, and no percentage stands between them."""

from typing import Any

from algorithms import datasets, find
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tests.tui.compare.pilot import at
from tests.tui.pilot import text, until
from tui.app import IterscopeApp

ROWS = datasets.blobs.with_(n=60, spread=1.5)


def comparison(*others: tuple[str, str], **parameters: Any) -> IterscopeApp:
    opened = LoadedRun.checked(find("pegasos"), ROWS, {"epochs": 2} | parameters)
    runs = [variant(opened, name, parameters=given).timeline() for name, given in others]
    return IterscopeApp(opened, against=runs)


async def test_another_price_is_another_objective() -> None:
    async with comparison(("dual_coordinate_descent", "")).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        shown = text(pilot, "#abreast")
        top = shown.splitlines()[0]
        assert "objective: f(w)" in top
        assert "objective: other C, another objective" in top, "each has a chart of its own"
        (row,) = [line for line in shown.splitlines() if " objective  " in line]
        assert "other C" in row
        assert "%" not in row
        (error,) = [line for line in shown.splitlines() if "training error" in line]
        assert "other C" not in error, "a share of wrong rows is one whatever was minimised"
        assert "%" not in text(pilot, "#pane-1 PaneHeading")


async def test_the_same_price_under_another_name_is_the_same_objective() -> None:
    async with comparison(("dual_coordinate_descent", ""), lam=1 / 60).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        shown = text(pilot, "#abreast")
        assert shown.splitlines()[0].count(" objective: ") == 1
        assert "another objective" not in text(pilot)


async def test_none_is_the_best_of_three_with_other_objectives() -> None:
    async with comparison(("", "lam=0.2"), ("", "seed=1")).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3, 3))
        assert "over the best" not in text(pilot, "#abreast")
        assert "best" not in text(pilot, "#pane-0 PaneHeading")
        assert "other C" in text(pilot, "#pane-1 PaneHeading")
        assert "other C" not in text(pilot, "#pane-2 PaneHeading")
