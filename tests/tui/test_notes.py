"""The notes of a lesson in a second terminal: they follow the first, and end with it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.core import Refused
from algorithms.lectures.lessons import lesson_named
from algorithms.playback.runs.request import requested
from tests.tui.lesson import LINES
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.notes import forget_place, note_place, place_file, place_of
from tui.screens.lesson import LessonScreen


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lesson of one's own, and a folder of states for it alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "lines.md"
    path.write_text(LINES.replace("{said}\n", "{said}\n\nnotes: drag it by hand\n"), "utf-8")
    return path


@pytest.mark.parametrize("size", [(160, 48), (100, 30), (80, 24)])
async def test_the_notes_follow_the_lesson_and_end_with_it(file: Path, size: tuple[int, int]) -> None:
    lesson = lesson_named(str(file))
    notes = IterscopeApp(lesson=lesson, notes=True)
    async with notes.run_test(size=size) as second:
        await until(second, lambda: "python -m tui --lesson" in text(second, "#notes"))
        async with IterscopeApp(lesson=lesson).run_test(size=size) as first:
            await until(first, lambda: isinstance(first.app.screen, LessonScreen))
            await until(second, lambda: "No notes at this moment." in text(second, "#notes"))
            shown = " ".join(text(second, "#notes").replace("│", " ").split())
            assert "J is 16.00. Stuck soon. Does a row move now?" in shown
            assert "1 yes: It was no nearer. ✓ 2 no: Each stays. So it ends." in shown
            assert "Next: A mean is dragged" in shown
            await first.press("2", "pagedown")
            await until(second, lambda: "drag it by hand" in text(second, "#notes"))
            assert "2 of 3" in text(second, "#notes")
            await first.press("pageup")
            await until(second, lambda: "1 of 3" in text(second, "#notes"))
        await until(second, lambda: not notes.is_running)
    assert place_of(lesson) is None
    assert not list(place_file(lesson).parent.iterdir())


async def test_notes_that_were_written_meanwhile_are_shown_at_the_next_moment(file: Path) -> None:
    lesson = lesson_named(str(file))
    note_place(lesson, 0)
    async with IterscopeApp(lesson=lesson, notes=True).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1 of 3" in text(pilot, "#notes"))
        file.write_text(file.read_text("utf-8").replace("drag it by hand", "ask who would drag it"), "utf-8")
        note_place(lesson, 1)
        await until(pilot, lambda: "ask who would drag it" in text(pilot, "#notes"))
        await pilot.press("escape")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_notes_with_more_lines_than_the_screen_are_gone_through(file: Path) -> None:
    many = " ".join(f"note{i:02} and a few words more." for i in range(60))
    file.write_text(file.read_text("utf-8").replace("drag it by hand", many), "utf-8")
    lesson = lesson_named(str(file))
    note_place(lesson, 1)
    async with IterscopeApp(lesson=lesson, notes=True).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "↓ more" in text(pilot, "#notes"))
        assert "Next:" not in text(pilot, "#notes")
        await pilot.press(*["down"] * 60)
        await until(pilot, lambda: "Next: From another start" in text(pilot, "#notes"))
        assert "↓ more" not in text(pilot, "#notes")
        await pilot.press("up")
        await until(pilot, lambda: "↓ more" in text(pilot, "#notes"))


def test_a_place_is_of_a_process_that_lives_and_forgotten_by_it_alone(file: Path) -> None:
    lesson = lesson_named(str(file))
    assert place_of(lesson) is None
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    note_place(lesson, 7)
    here = place_of(lesson)
    assert here is not None
    assert (here.index, here.process) == (2, os.getpid())  # of three moments
    written = place_file(lesson).read_text("utf-8")
    place_file(lesson).write_text(written.replace(str(os.getpid()), str(os.getppid())), "utf-8")
    forget_place(lesson)
    assert place_of(lesson) is not None
    place_file(lesson).write_text(written.replace(str(os.getpid()), ended.stdout.decode().strip()), "utf-8")
    assert place_of(lesson) is None
    for wrong in ("", "{", "[1]", '{"index": -1, "process": 1}', '{"index": 0}', f'{{"index": 0, "process": {9**40}}}'):
        place_file(lesson).write_text(wrong, "utf-8")
        assert place_of(lesson) is None


def test_lessons_of_one_name_in_two_folders_have_places_of_their_own(file: Path) -> None:
    other = file.parent / "other" / file.name
    other.parent.mkdir()
    other.write_text(file.read_text("utf-8"), "utf-8")
    note_place(lesson_named(str(file)), 1)
    assert place_of(lesson_named(str(other))) is None


def test_a_command_line_asks_for_the_notes_of_one_lesson() -> None:
    request = requested(["--lesson", "em", "--notes"])
    assert request.notes
    assert request.lesson is not None
    for words in (["--notes"], ["--lessons", "--notes"]):
        with pytest.raises(Refused, match="notes are of one lesson: name it"):
            requested(words)
