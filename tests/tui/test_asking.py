"""P asks about the next step before it is taken: by key, by number, by row; nothing on the screen answers it."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from algorithms import find
from algorithms.lectures.lessons import lesson_named
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, app, at, stage, text, until
from tui.app import IterscopeApp
from tui.widgets.stage import Stage


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def opened(name: str) -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find(name)))


async def computed(pilot: Pilot[None], t: int) -> None:
    """Wait until the run has been computed ahead, as it is at once, and go to a step."""
    await until(pilot, at(pilot, 0))
    await until(pilot, lambda: len(stage(pilot).player.timeline) > t + 5)
    await pilot.press(*["right"] * t)
    await until(pilot, at(pilot, t))


async def test_a_question_hides_the_steps_to_come_and_its_answer_takes_one() -> None:
    async with opened("perceptron").run_test(size=SIZES[0]) as pilot:
        await computed(pilot, 4)
        await pilot.press("P")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "Is the next row a mistake?" in text(pilot, "#question"))
            assert text(pilot, "#header").rstrip().endswith(" step 4"), size  # no total, which may be an answer
            assert "y  yes   n  no" in text(pilot, "#question"), size
        await pilot.press("y")
        for size in reversed(SIZES):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "✗ you: yes   it is: no" in text(pilot, "#question"))
            await until(pilot, lambda: "Row 4" in text(pilot, "#narration"))  # why, in the algorithm's sentence
            assert text(pilot, "#header").rstrip().endswith(" step 5"), size
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.screen.query_one("#question").display)
        await until(pilot, at(pilot, 5))
        assert stage(pilot).player.timeline.last > 5  # the run there is, which was not touched


async def test_while_it_stands_nothing_goes_on_and_nothing_else_is_done() -> None:
    async with opened("perceptron").run_test(size=(120, 36)) as pilot:
        await computed(pilot, 4)
        await pilot.press("P", "right", "r", "space", "enter", "f", "p", "i")
        await until(pilot, lambda: "it is  no" in text(pilot, "#question"))  # enter tells
        assert len(pilot.app.screen_stack) == 2
        assert text(pilot, "#header").rstrip().endswith(" step 5")
        assert "right so far" not in text(pilot, "#question")  # what was told was not answered


async def test_the_chart_of_what_is_asked_comes_to_the_front() -> None:
    async with opened("perceptron").run_test(size=(100, 30)) as pilot:
        await computed(pilot, 4)
        await pilot.press("P", "P")
        await until(pilot, lambda: "what does the training error do?" in text(pilot, "#question"))
        await until(pilot, lambda: "share of wrong rows 0.0167" in text(pilot, "#side"))


async def test_a_number_is_typed_and_counted() -> None:
    async with opened("lloyd").run_test(size=(100, 30)) as pilot:
        await computed(pilot, 3)
        await pilot.press("P")
        await until(pilot, lambda: "What will J be?" in text(pilot, "#question"))
        await pilot.press(*"58", "enter")
        await until(pilot, lambda: "✓ right  58.1391" in text(pilot, "#question"))
        await pilot.press("P")
        await until(pilot, lambda: "1 of 1 right so far" in text(pilot, "#question"))
        assert "Which row leaves its cluster?" in text(pilot, "#question")
        await pilot.press("P")  # another, while it stands: the field does not take it for an answer
        await until(pilot, lambda: "What will J be?" in text(pilot, "#question"))


async def test_a_row_is_clicked_on_the_stage_and_says_nothing_of_itself_meanwhile() -> None:
    async with opened("lloyd").run_test(size=(100, 30)) as pilot:
        await computed(pilot, 2)
        await pilot.press("P")
        await until(pilot, lambda: "Which row leaves its cluster?" in text(pilot, "#question"))
        view = pilot.app.screen.query_one(Stage)
        points = view._points()
        assert points is not None
        x, y = view._cell((float(points.at[27, 0]), float(points.at[27, 1])))
        await pilot.click("#stage", offset=(x, y))
        field = pilot.app.screen.query_one("#guess", Input)
        await until(pilot, lambda: field.value != "")
        assert "from its mean" not in text(pilot, "#stage")
        field.value = "27"
        await pilot.press("enter")
        await until(pilot, lambda: "✓ right" in text(pilot, "#question"))


async def test_none_is_an_answer_and_what_is_no_row_is_told() -> None:
    async with opened("lloyd").run_test(size=(100, 30)) as pilot:
        await computed(pilot, 2)
        await pilot.press("P")
        await until(pilot, lambda: "Which row leaves its cluster?" in text(pilot, "#question"))
        await pilot.press("x", "enter")
        await until(pilot, lambda: "x is no row" in text(pilot, "#narration"))
        await pilot.press("backspace", "n", "enter")
        await until(pilot, lambda: "✗ you: none" in text(pilot, "#question"))


async def test_the_same_on_other_data_and_back_to_ones_own() -> None:
    async with opened("perceptron").run_test(size=(120, 36)) as pilot:
        await computed(pilot, 4)
        own = stage(pilot).player.timeline
        await pilot.press("A")
        await until(pilot, lambda: "P asks about the next step" in text(pilot, "#narration"))
        await pilot.press("P", "n")
        await until(pilot, lambda: "✓ right" in text(pilot, "#question"))
        await pilot.press("A")
        await until(pilot, lambda: "y  yes   n  no" in text(pilot, "#question"))
        assert "seed 1" in text(pilot, "#header")
        await pilot.press("escape")
        await until(pilot, at(pilot, 4))
        assert stage(pilot).player.timeline is own


async def test_an_algorithm_without_questions_says_so_and_shows_no_key() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        assert "be asked" not in text(pilot, "#keys")
        await pilot.press("P")
        await until(pilot, lambda: "it declares none" in text(pilot, "#narration"))


async def test_the_hall_asks_too() -> None:
    async with opened("gaussian_mixture").run_test(size=(100, 30)) as pilot:
        await computed(pilot, 3)
        await pilot.press("F")
        await until(pilot, lambda: "never falls" in text(pilot))
        await pilot.press("P")
        await until(pilot, lambda: "1  it falls   2  it stays   3  it rises" in text(pilot, "#question"))
        assert "never falls" not in text(pilot)  # which would answer it
        await pilot.press("3")
        await until(pilot, lambda: "✓ right  it rises" in text(pilot, "#question"))
        await until(pilot, lambda: "never falls" in text(pilot))


async def test_no_theorem_is_stated_while_a_question_stands() -> None:
    async with opened("gaussian_mixture").run_test(size=(80, 24)) as pilot:
        await computed(pilot, 3)
        for size in ((80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "never falls" in text(pilot))
            await pilot.press("P")
            await until(pilot, lambda: "never falls" not in text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: "never falls" in text(pilot))


async def test_in_a_lesson_what_it_says_is_not_told_meanwhile() -> None:
    async with IterscopeApp(lesson=lesson_named("k-means")).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "Four rows at the corners" in " ".join(text(pilot, "#lesson").split()))
        await pilot.press("P")
        await until(pilot, lambda: "What will J be?" in text(pilot, "#question"))
        await until(pilot, lambda: "Is it done?" not in text(pilot))
        await pilot.press(*"32", "enter")
        await until(pilot, lambda: "J falls by" in text(pilot, "#narration"))
        await pilot.press("pagedown")
        await until(pilot, lambda: "2 of 8" in text(pilot, "#lesson"))
        assert not pilot.app.screen.query_one("#question").display
