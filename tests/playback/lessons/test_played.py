"""A moment on its run: where it is, what is said there, what is right, and what of it is no longer so."""

import pytest

from algorithms.lectures.lessons import Lesson, Misread, read_lesson
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.page import page
from algorithms.playback.lessons.played import played
from algorithms.playback.lessons.saying import as_written, right, said, sentence_at

TEXT = """---
title: Two lines
---

## The start

```moment
run lloyd --data rectangle -p k=2 -p start=rows -p seed=3
go first update
theorem never rises
chart objective
sides
```

J falls from {side 2 of "never rises" = 32} to {objective = 16.00}; at the end it is {objective at end = 16}. {said}

```ask
Does a row move now?
- yes | "rows moved" > 0 | It was no nearer.
- no | "rows moved" == 0 | Right.
```

## A mean is dragged

```moment
edit means[1,0] = 0.25
go +2
```

```ask
What will J be?
go end
number objective within 0.5
why: Both columns are found.
```

## From another start

```moment
run lloyd --data rectangle -p k=2
go end
```
"""


def lesson(old: str = "", new: str = "") -> Lesson:
    assert old in TEXT
    return read_lesson(TEXT.replace(old, new, 1) if old else TEXT, "lines.md")


def test_a_moment_is_its_run_at_its_step_and_no_further() -> None:
    first = played(lesson(), 0)
    assert (first.loaded.algorithm.name, first.t, first.run.last) == ("lloyd", 2, 2)
    assert first.run.at(2).state.phase == "update"
    assert (first.front.theorem, first.front.chart, first.front.sides) == (0, "objective", True)


def test_a_moment_goes_on_where_the_one_before_was_answered() -> None:
    dragged = played(lesson(), 1)
    assert dragged.branch.parent is not None
    assert dragged.branch.change.state["means"].tolist() == [[2.0, 0.0], [0.25, 1.0]]
    assert dragged.run.at(dragged.branch.begin).state.means.tolist() == [[2.0, 0.0], [0.25, 1.0]]
    assert dragged.front.theorem is None
    assert played(lesson(), 2).branch.parent is None  # a run begins anew


def test_a_moment_is_the_same_whatever_was_seen_before_it() -> None:
    of = lesson()
    there = [played(of, i).t for i in (0, 1, 2)]
    assert [played(of, i).t for i in (2, 0, 1)] == [there[2], there[0], there[1]]


def test_it_goes_on_on_the_run_of_the_moment_before_where_that_leads_to_it_and_nobody_ran_it_on() -> None:
    of = lesson("chart objective\nsides", "chart objective\nknob k 2 4 1")
    first = played(of, 0)
    after = played(of, 0, answered=True, on=first)
    dragged = played(of, 1, on=after)
    assert after.branches is first.branches is dragged.branches
    anew = played(of, 1)
    assert (dragged.t, dragged.run.last, dragged.branch.name) == (anew.t, anew.run.last, anew.branch.name)
    assert dragged.run.at(dragged.t).state.means.tolist() == anew.run.at(anew.t).state.means.tolist()
    assert played(of, 2, on=dragged).branches is not dragged.branches  # a run begins anew
    assert played(of, 0, on=dragged).t == 2  # and one goes back
    turned = played(of, 0, turned=("k", 3.0), on=played(of, 0))
    assert turned.run.parameters["k"] == 3
    assert played(of, 0, answered=True, on=turned).run.parameters["k"] == 2
    further = played(of, 0)
    further.run.run()
    assert played(of, 0, answered=True, on=further).run.last == 3


def test_what_is_said_is_what_the_run_says_with_the_digits_written() -> None:
    of = lesson("{side 2", "**at last** {side 2")
    shown = played(of, 0)
    pieces = said(of, of.moments[0].paragraphs[0], shown)
    assert [piece.text for piece in pieces if piece.kind == "value"] == ["32", "16.00", "16"]
    assert next(piece.text for piece in pieces if piece.kind == "strong") == "at last"
    assert pieces[-1].text == sentence_at(shown, 2)
    assert not any(piece.differs for piece in pieces)


@pytest.mark.parametrize(
    ("number", "written", "shown"),
    [
        (-3.90578, "-3.9058", "-3.9058"),
        (9.91e-07, "9.9e-07", "9.9e-07"),
        (1031.64, "1,032", "1,032"),
        (0.2967, "+0.30", "+0.30"),
        (-1e-9, "0.00", "0.00"),
        (7.0, "8", "7"),
    ],
)
def test_a_number_has_the_digits_of_the_one_written(number: float, written: str, shown: str) -> None:
    assert as_written(number, written) == shown


def test_what_is_right_is_asked_of_the_run() -> None:
    of = lesson()
    asks = [moment.ask for moment in of.moments]
    assert asks[0] is not None
    assert asks[1] is not None
    assert right(of, asks[0], played(of, 0, answered=True)).choice == 1
    assert right(of, asks[1], played(of, 1, answered=True)).number == 1.0


def test_a_sound_lesson_has_no_fault_and_is_written_with_its_numbers() -> None:
    assert list(faults(lesson())) == []
    lines = "\n".join(page(lesson()))
    assert "J falls from 32 to 16.00; at the end it is 16." in lines
    assert "python -m tui lloyd --data rectangle -p k=2 -p start=rows -p seed=3" in lines
    assert "2 right no" in lines
    assert "1, within 0.5" in lines


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("= 16.00}", "= 16.01}", "objective is 16.00, not 16.01."),
        ("= 32}", "= 31}", 'side 2 of "never rises" is 32, not 31.'),
        ("{said}", "{said = It is so.}", "said is Each mean goes to the middle of its rows"),
        ("{objective = 16.00}", "{labels = 16.00}", "there is no 'labels'"),
        ("{objective = 16.00}", '{"rows moved" = 16.00}', '"rows moved" has no value at step 2.'),
        ("theorem never rises", "theorem it ends where", "says nothing at step 2"),
        ("theorem never rises", "theorem never fails", "has no theorem with 'never fails' in it"),
        ("chart objective", "chart loss", "has no curve 'loss'; there are: objective, rows moved"),
        ("go first update", "go first updates", "updates"),
        ("go first update", "go 70", "there is no step 70: the run ends at step 4"),
        ("go first update", "go objective < 3", "it never comes to 'objective < 3': the run ends at step 4"),
        ('- no | "rows moved" == 0', '- no | "rows moved" >=', "a number, a field or a curve is wanted"),
        ("number objective", "number objectives", "there is no 'objectives'"),
        ("edit means[1,0]", "edit means[5,0]", "means has no such entry"),
        ("edit means[1,0]", "edit mean[1,0]", "the state has no mean"),
        ("edit means[1,0] = 0.25", "edit row 9 = 1, 2", "row 9"),
        ("edit means[1,0] = 0.25", "fork k=3", "k cannot be changed half-way"),
        ("run lloyd --data rectangle -p k=2\n", "run lloyd --at 2\n", "--at has no place in a lesson"),
        ("run lloyd --data rectangle -p k=2\n", "run mine.py\n", "mine.py is no algorithm of the catalogue"),
        ("run lloyd --data rectangle -p k=2\n", "run lloyd -p k=200\n", "k = '200' will not do"),
    ],
)
def test_what_is_not_so_is_said_in_a_sentence_with_its_line(old: str, new: str, sentence: str) -> None:
    found = [one for one in faults(lesson(old, new)) if sentence in one]
    assert found
    line = TEXT[: TEXT.index(old)].count("\n") + 1
    assert found[0].startswith(f"lines.md, line {line}: ")
    assert "\n" not in found[0]


def test_a_question_without_one_right_answer_is_a_fault() -> None:
    none = list(faults(lesson('"rows moved" == 0', '"rows moved" == 1')))
    assert none == ["lines.md, line 17: one choice is to be right, but at step 3 none is."]
    both = list(faults(lesson('| "rows moved" > 0 |', '| "rows moved" >= 0 |')))
    assert both == ["lines.md, line 17: one choice is to be right, but at step 3 'yes' and 'no' are."]


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(Misread, match=r"lines.md, line 9: go 70: there is no step 70"):
        played(lesson("go first update", "go 70"), 0)
