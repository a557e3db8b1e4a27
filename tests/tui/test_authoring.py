"""K keeps what is on the screen as a moment of a lesson; the file is the author's, and is read again when written."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from algorithms import find
from algorithms.lectures.lessons import lesson_named
from algorithms.playback.cursor.player import Player
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.played import played
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import app, at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.lesson import LessonScreen


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(pilot: Pilot[None], words: str) -> bool:
    return words in " ".join(text(pilot, "#narration").split())


def notified(pilot: Pilot[None], words: str) -> bool:
    return any(words in each.message for each in pilot.app._notifications)


async def test_moments_are_kept_by_doing_and_are_a_lesson(folder: Path) -> None:
    async with IterscopeApp(LoadedRun.usual(find("gaussian_mixture"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("K")
        await until(pilot, lambda: told(pilot, "kept as moment 1 of gaussian_mixture-lesson.md"))
        await pilot.press("right", "right", "K")
        await until(pilot, lambda: told(pilot, "kept as moment 2 of"))
        await pilot.press("F", "right", "K")
        await until(pilot, lambda: (folder / "gaussian_mixture-lesson.md").read_text().count("## ") == 3)
    lesson = lesson_named("gaussian_mixture-lesson.md")
    assert list(faults(lesson)) == []
    shown = [played(lesson, i) for i in range(3)]
    assert [(one.t, one.front.hall) for one in shown] == [(0, False), (2, False), (3, True)]
    assert shown[1].front.chart == "mean log-likelihood"
    assert shown[1].front.theorem is not None


async def test_a_moment_is_kept_when_its_step_has_come_and_no_thread_has_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Player, "slow", False)  # or a thread would come and go in between
    kept = folder / "gaussian_mixture-lesson.md"
    async with IterscopeApp(LoadedRun.usual(find("gaussian_mixture"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        access = stage(pilot).session.access
        for steps in (0, 1):
            access.take()
            await pilot.press(*["right"] * steps, "K")
            await pilot.pause()
            assert (kept.read_text().count("## ") if kept.exists() else 0) == steps
            access.free()
            await until(pilot, lambda steps=steps: told(pilot, f"kept as moment {steps + 1}"))  # type: ignore[misc]
        await pilot.press("r", "K")  # what is on the screen, and not a far end
        await until(pilot, lambda: kept.read_text().count("## ") == 3)  # what is told of it goes with the next step
    lesson = lesson_named("gaussian_mixture-lesson.md")
    assert [played(lesson, i).t for i in range(2)] == [0, 1]


async def test_in_a_lesson_of_ones_own_it_goes_after_the_moment_one_is_at(folder: Path) -> None:
    mine = folder / "mine.md"
    mine.write_text(
        "---\ntitle: Mine\n---\n\n## A\n\n```moment\nrun lloyd\n```\n\nWords of mine.\n\n## B\n\n```moment\ngo 4\n```\n"
    )
    async with IterscopeApp(lesson=lesson_named("mine.md")).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "Words of mine." in text(pilot, "#lesson"))
        await pilot.press("right", "K")
        await until(pilot, lambda: "2 of 3" in text(pilot, "#lesson"))
        assert notified(pilot, "kept as moment 2 of mine.md")
        assert "Every row joins the nearest mean" in " ".join(text(pilot, "#lesson").split())
        mine.write_text(mine.read_text().replace("## B", "## The last one"))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "The last one" in text(pilot, "#lesson"))
        mine.write_text(mine.read_text().replace("Words of mine.", "Other words."))
        await pilot.press("pageup")
        await until(pilot, lambda: "Other words." in text(pilot, "#lesson"))
    lesson = lesson_named("mine.md")
    assert [moment.title for moment in lesson.moments] == ["A", "k-means, Lloyd's algorithm, step 1", "The last one"]
    assert list(faults(lesson)) == []


async def test_a_file_that_cannot_be_read_any_more_leaves_the_lesson_as_it_was(folder: Path) -> None:
    mine = folder / "mine.md"
    mine.write_text("---\ntitle: Mine\n---\n\n## A\n\n```moment\nrun lloyd\n```\n\nWords of mine.\n")
    async with IterscopeApp(lesson=lesson_named("mine.md")).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "Words of mine." in text(pilot, "#lesson"))
        mine.write_text("half a file")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: notified(pilot, "begins with its head"))
        assert isinstance(pilot.app.screen, LessonScreen)
        assert "Words of mine." in text(pilot, "#lesson")
        await pilot.press("K")
        await until(
            pilot, lambda: sum("begins with its head" in each.message for each in pilot.app._notifications) == 2
        )
    assert mine.read_text() == "half a file"


async def test_what_no_lesson_shows_is_told(folder: Path) -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("K")
        await until(pilot, lambda: told(pilot, "so no lesson can have them"))
    assert list(folder.iterdir()) == []
