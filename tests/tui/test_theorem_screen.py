"""An opened theorem on the screen: it is opened, stepped through, scrolled and left."""

import re

import pytest

from algorithms import datasets, find
from algorithms.playback.loaded_run import LoadedRun
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen
from tui.screens.theorem import TheoremScreen


def app() -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(find("perceptron"), datasets.blobs.with_(margin=0.3), {"eta": 0.5}))


def text_of(screen: TheoremScreen) -> str:
    cells = screen.query_one("#theorem").cells  # type: ignore[attr-defined]
    assert cells is not None
    return "\n".join("".join(map(chr, row)) for row in cells[0].tolist())


@pytest.mark.parametrize("size", [(160, 48), (100, 30), (80, 24)])
async def test_it_shows_numbers_letters_hypotheses_and_proof_and_goes_on_stepping(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("right", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, TheoremScreen)
        assert "theorem 1 of 6" in text_of(screen)
        assert "the rows can be separated strictly" in text_of(screen)
        assert "step size" in text_of(screen)
        await pilot.press("down", "right")
        assert "theorem 2 of 6" in text_of(screen)
        assert "step 2 of" in text_of(screen)
        assert "✓ holds" in text_of(screen)
        for _ in range(4):
            await pilot.press("pagedown")
        assert "source: Novikoff (1962)" in text_of(screen)
        await pilot.press("escape")
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        assert stage.player.t == 2


async def test_a_theorem_that_is_clicked_is_opened() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        await pilot.press("right")
        lines = text(pilot, "#side").splitlines()
        row = next(i for i, line in enumerate(lines) if "a row is corrected exactly where" in line)
        await pilot.click("#side", offset=(8, row))
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        assert isinstance(pilot.app.screen, TheoremScreen)
        assert "theorem 4 of 6" in text_of(pilot.app.screen)


@pytest.mark.parametrize(("size", "listed"), [((160, 48), 6), ((80, 24), 6)])
async def test_the_theorems_are_listed_with_the_opened_one_marked_and_a_click_opens_another(
    size: tuple[int, int], listed: int
) -> None:
    async with app().run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press("right", "enter", "down", "down")
        screen = pilot.app.screen
        assert isinstance(screen, TheoremScreen)
        for _ in range(8):
            await pilot.press("pagedown")
        lines = text_of(screen).splitlines()
        found = [(y, match) for y, line in enumerate(lines) if (match := re.search(r"▸? ?(\d) [✓✗–?] \S", line))]
        rows = {int(match[1]): (y, match.start(1)) for y, match in found}
        assert len(rows) == listed
        assert "▸ 3 ✓ ‖w‖² <= " in lines[rows[3][0]]
        assert "4 ✓ a row is corrected exactly where" in lines[rows[4][0]]
        await pilot.click("#theorem", offset=(rows[4][1] + 6, rows[4][0]))
        await until(pilot, lambda: "theorem 4 of 6" in text_of(screen))
        assert "▸ 4 ✓ a row is corrected" in text_of(screen)
        await pilot.press("up", "up", "up")
        assert "theorem 1 of 6" in text_of(screen)
