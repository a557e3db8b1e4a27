"""A lesson as a page, read as its script reads it: what is in it, and what waits for an answer."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from algorithms import Refused
from algorithms.lectures.lessons import Misread, read_lesson
from tests.tui.lesson import LINES, WHOLE, hostile
from tests.tui.page import document, page_in, screens, text
from tui import headless, show
from tui.app import IterscopeApp
from tui.lesson_page import write_lesson
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen

SIZE = (80, 24)


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("lesson") / "lines.html"
    told: list[float] = []
    write_lesson(read_lesson(LINES, "lines.md"), path, size=SIZE, watch=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    held = document(path.read_bytes())
    assert held["title"] == "Two lines"
    assert b"for the teacher" not in path.read_bytes()
    assert "for the teacher" not in str(held)
    return [document(path.read_bytes(), which) for which in range(len(held["runs"]))]


def test_moments_have_their_text_with_the_numbers_of_the_run(moments: list[dict[str, Any]]) -> None:
    assert [one["heading"] for one in moments] == ["The start", "A mean is dragged", "From another start"]
    assert moments[0]["command"] == "python -m tui lloyd --data rectangle -p k=2 -p start=rows -p seed=3"
    assert moments[1]["command"] == ""
    assert moments[0]["paragraphs"] == [
        [["plain", "J is "], ["value", "16.00"], ["plain", ". "], ["strong", "Stuck soon."]]
    ]
    ((said,),) = moments[1]["paragraphs"]
    assert said[0] == "said"


def test_the_answer_is_in_the_page_and_its_steps_wait(moments: list[dict[str, Any]]) -> None:
    start, dragged, other = moments
    assert (start["ask"]["right"], start["ask"]["number"], start["ask"]["why"]) == (1, None, "So it ends.")
    assert [step[0] for step in start["steps"]] == [0, 1, 2, 3]
    assert (start["at"], start["until"]) == (2, 2)
    assert dragged["ask"]["right"] is None
    assert dragged["ask"]["number"]["within"] == 0.5
    assert dragged["until"] == dragged["at"] < len(dragged["steps"]) - 1
    assert (other["ask"], other["until"]) == (None, None)
    assert other["at"] == len(other["steps"]) - 1


def places(moment: dict[str, Any]) -> list[str]:
    """What the top line says of each step: where it is, and how far the run is known."""
    return [text(dark)[0].rstrip().partition("   step ")[2] for dark, _ in screens(moment)]


def test_nothing_of_an_answer_is_drawn_before_it(moments: list[dict[str, Any]]) -> None:
    assert places(moments[0]) == ["0, seen to 2", "1, seen to 2", "2", "3"]  # no total, and no end


def test_nor_where_the_clock_ticks_before_the_moment_is_stood_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = headless._screen_of

    async def late(app: IterscopeApp) -> StageScreen | CompareScreen:
        screen = await there(app)
        await asyncio.sleep(0.2)  # some ticks, as on a slow machine
        return screen

    monkeypatch.setattr(headless, "_screen_of", late)
    path = tmp_path / "late.html"
    write_lesson(read_lesson(LINES[: LINES.index("## A mean")], "lines.md"), path, size=SIZE)
    assert places(document(path.read_bytes())) == ["0, seen to 2", "1, seen to 2", "2", "3"]


def test_a_cell_shows_a_lesson() -> None:
    lesson = read_lesson(LINES[: LINES.index("## A mean")], "lines.md")
    cell = show(lesson, size=SIZE)
    assert repr(cell) == "Two lines (1 moment)"
    assert document(page_in(cell._repr_html_()))["runs"][0]["heading"] == "The start"


def test_hostile_words_are_in_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    write_lesson(read_lesson(hostile(), "hostile.md"), path, size=SIZE)
    page = path.read_bytes()
    assert b"alert(" not in page
    held = document(page)
    assert held["runs"][0]["heading"].startswith("<img src=x onerror=alert(1)> </script>")
    assert WHOLE.split()[0] in held["title"]


def test_what_is_wrong_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "lesson.html"
    with pytest.raises(Misread, match=r"line 25|line \d+"):
        write_lesson(read_lesson(LINES.replace('"rows moved" == 0', '"rows moved" > 0'), "lines.md"), path, size=SIZE)
    with pytest.raises(Refused, match="a page of 10x10 cells will not do"):
        write_lesson(read_lesson(LINES, "lines.md"), path, size=(10, 10))
    assert list(tmp_path.iterdir()) == []


FAR = """---
title: Far
---

## To the end

```moment
run perceptron --data blobs:n=60,margin=0.1 -p every=mistake
```

```ask
How many mistakes?
go end
number mistakes within 60
```
"""


def test_charts_reach_as_far_as_the_answer_of_which_some_steps_are_there(tmp_path: Path) -> None:
    path = tmp_path / "far.html"
    write_lesson(read_lesson(FAR, "far.md"), path, size=SIZE)
    held = document(path.read_bytes())
    steps = [step[0] for step in held["steps"]]
    assert (steps[0], steps[-1], len(steps), held["until"]) == (0, 132, 49, 0)
    assert steps == sorted(set(steps))
    axis = next(line for line in text(screens(held)[-1][0]) if "step  " in line)
    assert "132" in axis
