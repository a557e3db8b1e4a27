"""The lecture's theorem is on the first screen at every size, and enter opens one that speaks."""

import pytest

from algorithms import find
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, app, at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.text import typeset
from tui.screens.help import Help
from tui.screens.stage import StageScreen
from tui.screens.theorem import TheoremScreen


def opened(name: str, **parameters: object) -> IterscopeApp:
    algorithm = find(name)
    return IterscopeApp(LoadedRun.checked(algorithm, algorithm.datasets[0], parameters))


@pytest.mark.parametrize("size", [*SIZES, (120, 36)])
async def test_a_theorem_with_its_numbers_is_on_the_first_screen(size: tuple[int, int]) -> None:
    async with opened("adaboost", rounds=20).run_test(size=size) as pilot:
        await until(pilot, lambda: "✓" in text(pilot) and "training error" in text(pilot))
        rows = [row for row in text(pilot).splitlines() if "✓" in row]
        assert any("Π Z" in row and "1" in row for row in rows), rows


async def test_the_row_below_the_stage_gives_way_where_the_column_beside_it_states_theorems() -> None:
    async with opened("adaboost", rounds=20).run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: "✓" in text(pilot, "#side"))
        assert "✓" not in text(pilot, "#narration")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "✓" in text(pilot, "#narration"))
        await pilot.resize_terminal(160, 48)
        await until(pilot, lambda: "✓" in text(pilot, "#side") and "✓" not in text(pilot, "#narration"))


async def test_enter_opens_a_theorem_that_speaks() -> None:
    async with opened("lloyd").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right")
        await until(pilot, at(pilot, 1))
        verdicts = stage(pilot).picture.verdicts
        assert verdicts[0].sides is None, "the first is silent here, so that there is something to choose"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        speaking = next(verdict for verdict in verdicts if verdict.sides is not None)
        assert speaking.theorem.statement in text(pilot)


async def test_behind_another_screen_the_row_of_the_theorem_does_not_come_and_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []
    redraw = StageScreen.redraw

    def counted(self: StageScreen, moving: bool = False) -> None:
        drawn.append(self.size.height)
        assert drawn.count(self.size.height) < 40, "it is drawn again and again"
        redraw(self, moving)

    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        monkeypatch.setattr(StageScreen, "redraw", counted)
        for height in range(24, 49):
            await pilot.resize_terminal(100, height)
            await pilot.pause(0.05)
        assert pilot.app._exception is None


async def test_a_theorem_that_was_chosen_on_its_page_is_the_large_one_and_opened_again() -> None:
    statements = [theorem.statement for theorem in find("perceptron").theorems]
    async with opened("perceptron").run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("n", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await pilot.press("escape", "F")  # opened, and none chosen
        await until(pilot, lambda: typeset(statements[0]) in text(pilot, "#big"))
        await pilot.press("F", "enter", "down", "down", "escape", "F")
        await until(pilot, lambda: typeset(statements[2]) in text(pilot, "#big"))
        await pilot.press("enter", "down", "escape")  # from the hall
        await until(pilot, lambda: typeset(statements[3]) in text(pilot, "#big"))
        await pilot.press("F", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen) and "theorem 4 of" in text(pilot))
        await pilot.press("up", "escape", "right", "F")
        await until(pilot, lambda: typeset(statements[2]) in text(pilot, "#big"))


async def test_a_theorem_that_was_chosen_comes_before_what_is_measured_as_the_point() -> None:
    bagging = find("bagging")
    assert bagging.contrast is not None
    async with opened("bagging").run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press(*["right"] * 6, "F")
        await until(pilot, lambda: bagging.contrast.words in text(pilot, "#big"))
        await pilot.press("F", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await pilot.press("down", "escape", "F")
        second = typeset(bagging.theorems[1].statement)
        await until(pilot, lambda: second in text(pilot, "#big"))
