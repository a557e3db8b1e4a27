"""The keys that a lesson takes, counted: a lecturer's, who keeps five moments and shows them the next day, and the
first ones of a student."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from algorithms import find
from algorithms.lectures.lessons import course, lesson_named
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import stage, text, until
from tui.app import IterscopeApp
from tui.screens.catalogue import CatalogueScreen
from tui.screens.lesson import LessonScreen

FIRST = f"lesson {course()[0]}"
FILE = "gaussian_mixture-lesson.md"
FIVE = ("K", "right", "K", "right", "K", "n", "K", "end", "K")  # the start, E, M, the next event, the end


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def beyond(pilot: Pilot[None], t: int) -> Callable[[], bool]:
    return lambda: stage(pilot).player.t > t and stage(pilot).player.goal is None


def shows(pilot: Pilot[None], where: str, t: int) -> Callable[[], bool]:
    return lambda: where in text(pilot, "#keys") and stage(pilot).player.t == t


async def kept_by(pilot: Pilot[None], keys: Sequence[str]) -> list[int]:
    """Press keys, one after what the other did is there; the steps that were kept."""
    steps: list[int] = []
    for key in keys:
        before = stage(pilot).player.t
        await pilot.press(key)
        if key == "K":
            steps.append(before)
            await until(pilot, lambda: f"kept as moment {len(steps)} of {FILE}" in stage(pilot).session.notice)
        else:
            await until(pilot, beyond(pilot, before))
    return steps


async def test_a_lecturer_keeps_five_moments_with_nine_keys_and_shows_each_with_one(folder: Path) -> None:
    assert len(FIVE) == 9
    async with IterscopeApp(LoadedRun.usual(find("gaussian_mixture"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "step 0 of" in text(pilot, "#header"))
        steps = await kept_by(pilot, FIVE)
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app.is_running)  # nothing is asked: all is in the file
    assert len(set(steps)) == 5
    lesson = lesson_named(str(folder / FILE))
    assert len(lesson.moments) == 5
    async with IterscopeApp(lesson=lesson).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        await pilot.press("F")
        for number, step in enumerate(steps, start=1):
            await until(pilot, shows(pilot, f"{number} of 5", step))
            assert stage(pilot).lecturing
            assert "█" in text(pilot, "#big") or not step  # a theorem speaks from the first step on
            await pilot.press("pagedown")


async def test_a_student_has_answered_the_first_question_of_the_first_lesson_with_few_keys() -> None:
    async with IterscopeApp().run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        await until(pilot, lambda: bool(pilot.app.screen.query_one(OptionList).option_count))
        keys = ["1", "enter", "1"]
        await pilot.press(keys[0])
        found = pilot.app.screen.query_one(OptionList)
        await until(pilot, lambda: found.highlighted_option is not None and found.highlighted_option.id == FIRST)
        await pilot.press(keys[1])
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        assert screen.reader.lesson.name == course()[0]
        await until(pilot, lambda: "Is that a mistake?" in " ".join(text(pilot, "#lesson").split()))
        await pilot.press(keys[2])
        await until(pilot, lambda: screen.reader.answers.get(0) is not None)
        assert screen.reader.answers[0].correct
        assert len(keys) <= 4


@pytest.mark.parametrize("number", [2, 10, 15])
async def test_a_lesson_is_found_by_its_number(number: int) -> None:
    async with IterscopeApp().run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        found = pilot.app.screen.query_one(OptionList)
        await pilot.press(*str(number))
        wanted = f"lesson {course()[number - 1]}"
        await until(pilot, lambda: found.highlighted_option is not None and found.highlighted_option.id == wanted)
