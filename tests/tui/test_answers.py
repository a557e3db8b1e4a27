"""What one has answered is remembered, by whichever app wrote it; a broken or missing file is an empty memory."""

from pathlib import Path
from threading import Thread

import pytest
from textual.widgets import OptionList

from tests.tui.pilot import text, until
from tui.answers import Score, answers_file, lesson_scores, note, note_lesson, score_of
from tui.app import IterscopeApp


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_nothing_is_remembered_at_first() -> None:
    assert score_of("perceptron") == Score(0, 0)
    assert lesson_scores() == {}


def test_answers_are_counted_by_algorithm() -> None:
    for right in (True, False, True):
        note("perceptron", "Is the next row a mistake?", right)
    note("lloyd", "What will J be?", False)
    assert score_of("perceptron") == Score(2, 3)
    assert score_of("lloyd") == Score(0, 1)


def test_of_a_lesson_the_last_answer_to_each_question_counts() -> None:
    note_lesson("03-em.md", "Does it rise?", False)
    note_lesson("03-em.md", "Does it rise?", True)
    note_lesson("03-em.md", "Where does it end?", False)
    assert lesson_scores() == {"03-em.md": Score(1, 2)}


def test_two_apps_at_once_lose_nothing() -> None:
    def answers(name: str) -> None:
        for _ in range(200):
            note(name, "ü" * 300, True)

    both = [Thread(target=answers, args=(name,)) for name in ("perceptron", "lloyd")]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert (score_of("perceptron"), score_of("lloyd")) == (Score(200, 200), Score(200, 200))


@pytest.mark.parametrize("broken", [b"\xff\xfe\x00", b'{"of": "perceptron"', b"[1, 2]\nnull\n7\n", b'{"of": 3}\n'])
def test_what_is_broken_is_passed_over(broken: bytes) -> None:
    note("perceptron", "Is it?", True)
    with answers_file().open("ab") as file:
        file.write(broken + b"\n")
    note("perceptron", "Is it?", False)
    assert score_of("perceptron") == Score(1, 2)


async def test_the_list_of_lessons_and_the_catalogue_show_what_one_has_met() -> None:
    note_lesson("01-perceptron.md", "Does it rise?", True)
    note_lesson("01-perceptron.md", "Where does it end?", False)
    note("perceptron", "Is the next row a mistake?", True)
    async with IterscopeApp(lessons=True).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: bool(pilot.app.screen.query("#lessons")))
        prompts = [str(option.prompt) for option in pilot.app.screen.query_one("#lessons", OptionList).options]
        assert "1 of 2 right" in prompts[0]
        assert not any(" of 2 right" in prompt for prompt in prompts[1:])
        await pilot.press("escape")
        await until(pilot, lambda: "questions: 1 of 1 right" in text(pilot, "#about"))


def test_where_nothing_can_be_written_nothing_is_remembered(state: Path) -> None:
    (state / "iterscope").write_text("a file in the way")
    note("perceptron", "Is it?", True)
    assert score_of("perceptron") == Score(0, 0)
