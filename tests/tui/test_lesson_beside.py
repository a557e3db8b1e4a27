"""A lesson's runs side by side, sweeps and knobs on the screen: with the text, and moments that go on from there."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from algorithms.lectures.lessons import Lesson, lesson_named, read_lesson
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.played import played
from tests.tui.page import document, screens, text as text_of
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.lesson_page import write_lesson
from tui.screens.compare import CompareScreen
from tui.screens.lesson import LessonScreen
from tui.screens.lesson_beside import LessonComparison, LessonSweep
from tui.widgets.lesson_text import LessonText

SIZES = [(160, 48), (120, 36), (100, 30), (80, 24)]
STEPS = """---
title: Steps
---

## Two steps

```moment
run gradient_descent -p function=bowl -p eta=0.3
go 4
chart distance
theorem f(x') <= f(x)
compare -p eta=0.8
```

At the left 0.3, and f is {objective = 0.12}; at the right 0.8: {objective of B = 0.02}.

## At their ends

```moment
go end
compare -p eta=0.8
```

## Many

```moment
chart objective
sweep eta 0.2 0.3 0.8
```

The longest took {steps of eta 0.2 = 96} steps.

## One to turn

```moment
run gradient_descent -p function=bowl -p eta=0.5
go 1
knob eta 0.2 0.8 0.1
```

f is {objective = 0.50}.
"""


def steps() -> Lesson:
    return read_lesson(STEPS, "steps.md")


def words(pilot: Pilot[None]) -> str:
    return " ".join(text(pilot, "#lesson").replace("│", " ").split())


async def reads(pilot: Pilot[None], *parts: str) -> None:
    await until(pilot, lambda: bool(pilot.app.screen.query("#lesson")) and all(p in words(pilot) for p in parts))


def side_by_side(pilot: Pilot[None]) -> LessonComparison:
    screen = pilot.app.screen
    assert isinstance(screen, LessonComparison)
    return screen


def whole(pilot: Pilot[None]) -> bool:
    """Whether the text has the rows that it wants."""
    shown = pilot.app.screen.query_one(LessonText)
    return shown.size.height >= shown.rows_for(shown.size.width)


async def at_each_size(pilot: Pilot[None], sizes: Sequence[tuple[int, int]]) -> AsyncIterator[tuple[int, int]]:
    for size in sizes:
        await pilot.resize_terminal(*size)
        await until(pilot, lambda: pilot.app.screen.size == size)  # noqa: B023
        yield size


async def stand_at(pilot: Pilot[None], *at: int) -> None:
    def there() -> bool:
        screen = pilot.app.screen
        if not isinstance(screen, LessonComparison) or not all(screen.pictures):
            return False
        return tuple(p.frame.t for p in screen.pictures if p) == at

    await until(pilot, there)


def test_the_lesson_here_is_sound() -> None:
    assert list(faults(steps())) == []


async def test_moments_go_through_runs_side_by_side_and_back() -> None:
    async with IterscopeApp(lesson=steps()).run_test(size=SIZES[0]) as pilot:
        async for _ in at_each_size(pilot, SIZES):
            await reads(pilot, "At the left 0.3, and f is 0.12; at the right 0.8: 0.02.", "1 of 4")
            await stand_at(pilot, 4, 4)
            await until(pilot, lambda: whole(pilot))
            assert "pgdn" in text(pilot, "#keys")
        assert side_by_side(pilot)._chosen.startswith("f(x') <= f(x)")
        await pilot.press("pagedown")
        await reads(pilot, "2 of 4")
        await stand_at(pilot, 61, 42)
        await pilot.press("pagedown")
        async for _ in at_each_size(pilot, [SIZES[-1], SIZES[0]]):  # the text below, and at the left
            await reads(pilot, "3 of 4", "The longest took 96 steps.")
            await until(pilot, lambda: isinstance(pilot.app.screen, LessonSweep))
            await until(pilot, lambda: "3 of 3 runs, all done" in text(pilot, "#swept"))
        await pilot.press("pagedown")
        await reads(pilot, "4 of 4", "f is 0.50.")
        assert isinstance(pilot.app.screen, LessonScreen)
        for _ in range(3):
            await pilot.press("pageup")
        await reads(pilot, "1 of 4")
        await stand_at(pilot, 4, 4)


async def test_the_chart_of_the_moment_is_the_one_on_the_screen() -> None:
    async with IterscopeApp(lesson=steps()).run_test(size=(160, 48)) as pilot:
        await stand_at(pilot, 4, 4)
        await until(pilot, lambda: "distance" in text(pilot, "#abreast").split("\n")[0])


async def test_one_run_of_them_and_back_to_both() -> None:
    async with IterscopeApp(lesson=steps()).run_test(size=(120, 36)) as pilot:
        await stand_at(pilot, 4, 4)
        await pilot.press("right", "tab", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        await reads(pilot, "at the right 0.8: 0.02.")
        stage = pilot.app.screen
        assert isinstance(stage, LessonScreen)
        await until(pilot, lambda: stage.player.t == 5)
        assert stage.player.timeline.parameters["eta"] == 0.8
        await pilot.press("c")
        await stand_at(pilot, 5, 5)
        await pilot.press("pagedown", "pageup")
        await stand_at(pilot, 4, 4)
        assert side_by_side(pilot).compared[0].timeline.parameters["eta"] == 0.3
        await pilot.press("F")
        await until(pilot, lambda: not pilot.app.screen.query_one("#reading").display)
        await pilot.press("F")
        await reads(pilot, "1 of 4")


async def test_a_run_of_a_sweep_is_opened_and_the_lesson_goes_on() -> None:
    async with IterscopeApp(lesson=steps()).run_test(size=(120, 36)) as pilot:
        await stand_at(pilot, 4, 4)
        await pilot.press("pagedown", "pagedown")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonSweep))
        await until(pilot, lambda: "3 of 3 runs, all done" in text(pilot, "#swept"))
        await pilot.press("end", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonScreen))
        stage = pilot.app.screen
        assert isinstance(stage, LessonScreen)
        await until(pilot, lambda: stage.player.timeline.parameters["eta"] == 0.8)
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, LessonSweep))
        await pilot.press("pageup")
        await stand_at(pilot, 61, 42)


@pytest.mark.parametrize("size", SIZES)
async def test_a_knob_is_turned_by_two_keys_and_the_sentences_follow(size: tuple[int, int]) -> None:
    only = read_lesson(STEPS[: STEPS.index("## Two")] + STEPS[STEPS.index("## One") :], "steps.md")
    async with IterscopeApp(lesson=only).run_test(size=size) as pilot:
        await reads(pilot, "f is 0.50.", "eta 0.5 ↑ ↓ turns it, 0.2 to 0.8")
        stage = pilot.app.screen
        assert isinstance(stage, LessonScreen)
        await pilot.press("right", "up")
        await reads(pilot, "f is 0.36.", "eta 0.6")
        assert (stage.player.t, stage.player.timeline.parameters["eta"]) == (1, 0.6)
        await pilot.press("down", "down")
        await reads(pilot, "f is 0.76.", "eta 0.4")
        await pilot.press("down", "down", "down")
        await until(pilot, lambda: "eta is turned from 0.2 to 0.8 here, and no further" in stage.session.notice)
        await pilot.press("F")
        await until(pilot, lambda: "turn eta" in text(pilot, "#keys"))


async def test_nothing_is_turned_while_a_question_stands() -> None:
    block = "f is {objective = 0.50}.\n"
    asked = STEPS.replace(block, "```ask\nf?\ngo +1\nnumber objective within 1\n```\n")
    only = read_lesson(asked[: STEPS.index("## Two")] + asked[STEPS.index("## One") :], "steps.md")
    async with IterscopeApp(lesson=only).run_test(size=(120, 36)) as pilot:
        await reads(pilot, "f?")
        await pilot.press("up", "enter")
        await reads(pilot, "it is", "eta 0.5")
        await pilot.press("up")
        await reads(pilot, "eta 0.6")
        stage = pilot.app.screen
        assert isinstance(stage, LessonScreen)
        assert stage.player.t == 2


async def test_runs_side_by_side_are_kept_by_doing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "steps.md"
    mine.write_text(STEPS, "utf-8")
    async with IterscopeApp(lesson=lesson_named("steps.md")).run_test(size=(120, 36)) as pilot:
        await stand_at(pilot, 4, 4)
        await pilot.press("right", "K")
        await reads(pilot, "2 of 5")
        await stand_at(pilot, 5, 5)
        assert any("kept as moment 2" in note.message for note in pilot.app._notifications)
    lesson = lesson_named("steps.md")
    assert list(faults(lesson)) == []
    shown = played(lesson, 1)
    assert (shown.t, shown.front.chart) == (5, "distance")
    assert shown.beside[0].timeline.parameters["eta"] == 0.8


async def test_what_was_compared_by_hand_is_kept_in_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = played(steps(), 0)
    async with IterscopeApp(shown.loaded, against=shown.beside).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and all(pilot.app.screen.pictures))
        await pilot.press("right", "right", "F", "K")
        await until(pilot, lambda: (tmp_path / "gradient_descent-lesson.md").exists())
        screen = pilot.app.screen
        assert isinstance(screen, CompareScreen)
        await until(pilot, lambda: "kept as moment 1" in screen.session.notice)
    lesson = lesson_named("gradient_descent-lesson.md")
    assert list(faults(lesson)) == []
    assert (played(lesson, 0).t, played(lesson, 0).front.hall) == (2, True)


def test_a_page_has_the_runs_side_by_side_and_the_ends_in_words(tmp_path: Path) -> None:
    path = tmp_path / "steps.html"
    write_lesson(steps(), path, size=(80, 24))
    one, two, many, turned = (document(path.read_bytes(), i) for i in range(4))
    assert [step[0] for step in one["steps"]] == list(range(5))
    assert one["at"] == 4
    last = text_of(screens(one)[-1][0])
    assert any("eta 0.8" in line for line in last)
    assert [step[0] for step in two["steps"]] == list(range(37, 62))
    assert two["at"] == len(two["steps"]) - 1
    assert any("B: eta 0.8, step 42" in str(paragraph) for paragraph in two["paragraphs"])
    assert any("96 steps" in str(paragraph) for paragraph in many["paragraphs"])
    assert any("eta can be turned from 0.2 to 0.8" in str(paragraph) for paragraph in turned["paragraphs"])
