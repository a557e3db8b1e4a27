"""The first frame says what one will see, until something is done."""

import pytest

from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows
from tests.tui.pilot import SIZES, app, at, text, until
from tui.app import IterscopeApp

POINT = "A dot slides to the bottom of the bowl, and now and then it is kicked up the side again."


@pytest.fixture(autouse=True)
def pointed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TINY, "point", POINT)


def said(shown: str) -> str:
    """What is shown without the breaks of its lines."""
    return " ".join(shown.split())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["right", "x"])
async def test_what_one_will_see_stands_above_the_step_until_a_key(size: tuple[int, int], key: str) -> None:
    async with app().run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        assert f"watch {POINT}" in said(text(pilot, "#narration"))
        assert "x is 4.000 now." in text(pilot, "#narration")
        await pilot.press(key)
        await until(pilot, lambda: "watch" not in text(pilot, "#narration"))
        await pilot.press("home")
        await until(pilot, at(pilot, 0))
        assert "watch" not in text(pilot, "#narration")


async def test_a_run_that_is_opened_at_a_step_is_known() -> None:
    run = LoadedRun.checked(TINY, Rows(), {})
    async with IterscopeApp(run, at=3).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 3))
        assert "watch" not in text(pilot, "#narration")
