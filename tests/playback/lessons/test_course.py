"""The lessons of the course: what each of them has. That it is so is seen in tests/tui/test_lesson_screen.py."""

import pytest

from algorithms.lectures import named
from algorithms.lectures.lessons import course, lesson_named


@pytest.mark.parametrize("name", course())
def test_a_lesson_asks_before_it_tells(name: str) -> None:
    lesson = lesson_named(name)
    assert sum(moment.ask is not None for moment in lesson.moments) >= 2
    assert 5 <= len(lesson.moments) <= 9
    assert lesson.title
    assert all(named(id.strip()) is not None for id in lesson.lectures.split(","))


@pytest.mark.parametrize("name", course())
def test_a_moment_has_one_sentence_to_take_home_at_most(name: str) -> None:
    for moment in lesson_named(name).moments:
        strong = [piece for paragraph in moment.paragraphs for piece in paragraph if getattr(piece, "strong", False)]
        assert len(strong) <= 1, moment.title
