"""The file of a lesson: what is read, and every mistake in it named with its line."""

import pytest

from algorithms.core.errors import Refused
from algorithms.lectures.lessons import Instruction, Misread, Quoted, course, lesson_named, read_lesson

GOOD = """---
title: A mean
needs: nothing
---
For who reads the file.

## One

```moment
run perceptron --data iris
go 3
theorem mistakes m
```

It is {mistakes = 2} here, and
**what is taken home**.

notes: slowly

```ask
Next?
- yes | mistake | because
- no | not mistake | because not
why: it is so
```

## Two

```moment
go end
```
"""


def test_what_is_read() -> None:
    lesson = read_lesson(GOOD, "07-mean.md")
    one, two = lesson.moments
    assert (lesson.name, lesson.title, lesson.needs, lesson.minutes) == ("mean", "A mean", "nothing", "")
    assert (one.title, one.line, one.notes) == ("One", 7, "slowly")
    assert one.instructions[1] == Instruction("go", "3", 11)
    assert one.paragraphs[0][1] == Quoted("mistakes", "", "2", 15)
    assert [getattr(piece, "strong", False) for piece in one.paragraphs[0]] == [False, False, False, True, False]
    assert one.ask is not None
    assert (one.ask.question, one.ask.go.rest, one.ask.why) == ("Next?", "+1", "it is so")
    assert [(choice.words, choice.condition, choice.reply) for choice in one.ask.choices] == [
        ("yes", "mistake", "because"),
        ("no", "not mistake", "because not"),
    ]
    assert two.ask is None


def test_what_leads_to_a_moment_is_all_since_its_run_and_the_steps_of_questions() -> None:
    lesson = read_lesson(GOOD, "mean.md")
    words = [(one.word, one.rest) for one in lesson.instructions_to(1)]
    assert words == [("run", "perceptron --data iris"), ("go", "3"), ("go", "+1"), ("go", "end")]
    assert len(lesson.instructions_to(0)) == 2  # its own question stands before its step


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("---\ntitle", "title", 1, "begins with its head"),
        ("title: A mean\n", "", 1, "the head says no title"),
        ("needs", "need", 3, "the head has title, minutes, needs and lectures"),
        ("For who reads", "```moment\nFor who reads", 5, "a block stands in a moment"),
        ("## Two", "# Two", 27, "a heading in a lesson has two signs"),
        (
            "go 3",
            "jump 3",
            11,
            "is no instruction: run, go, fork, edit, theorem, chart, sides, hall, compare, sweep and knob",
        ),
        ("go 3", "go", 11, "go what?"),
        ("go 3", "sides of all", 11, "sides stands alone"),
        ("go 3", "sweep", 11, "sweep what?"),
        ("go 3", "knob", 11, "knob what?"),
        ("go 3", "compare -p eta=1\nknob eta 1 2", 12, "compare and knob are for two moments"),
        ("go 3", "compare -p eta=1", 20, "where compare shows other runs nothing is asked: ask in the moment before"),
        ("go 3", "sweep eta 1 2", 20, "where sweep shows other runs nothing is asked"),
        ("go 3", "run lloyd", 11, "run is the first line of its block"),
        ("run perceptron --data iris\n", "", 7, "the first moment begins with a run"),
        ("{mistakes = 2}", "{mistakes}", 15, "a value is written with what it was"),
        ("{mistakes = 2}", "{mistakes = two}", 15, "'two' is no number"),
        ("{mistakes = 2}", "{mistakes = 2", 15, "a brace is not closed"),
        ("| mistake | because", "| because", 22, "a choice is: - words | condition"),
        ("- no | not mistake | because not\n", "", 20, "two to four choices or one number"),
        ("Next?", "number mistakes", 21, "a number is asked for once: number EXPRESSION within 0.1"),
        ("```ask", "```asks", 20, "one block ```moment"),
        ("go end\n```", "go end", 29, "has no end: a line ```"),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_line(old: str, new: str, line: int, said: str) -> None:
    text = GOOD
    assert old in text
    with pytest.raises(Misread) as refused:
        read_lesson(text.replace(old, new, 1), "mean.md")
    sentence = str(refused.value)
    assert sentence.startswith(f"mean.md, line {line}: ")
    assert said in sentence
    assert "\n" not in sentence


def test_a_lesson_is_found_by_its_name_or_its_path(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert "em" in course()
    assert lesson_named("em").file.endswith("-em.md")
    file = tmp_path / "mine.md"
    file.write_text(GOOD, "utf-8")
    assert lesson_named(str(file)).title == "A mean"
    with pytest.raises(Refused, match="there is no lesson 'mine'; there are"):
        lesson_named("mine")
    with pytest.raises(Refused, match="cannot be read: No such file"):
        lesson_named(str(tmp_path / "other.md"))
