"""What a moment has besides its run: runs beside it, the ends of many, a parameter that is turned."""

import pytest

from algorithms.lectures.lessons import Lesson, read_lesson
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.page import page
from algorithms.playback.lessons.played import played
from algorithms.playback.lessons.reader import Reader

HEAD = "---\ntitle: Steps\n---\n\n## A valley\n\n```moment\nrun gradient_descent -p function=valley -p eta=0.05\n"


def lesson(block: str, text: str = "") -> Lesson:
    return read_lesson(f"{HEAD}{block}\n```\n\n{text}\n", "steps.md")


def short(block: str, text: str = "") -> Lesson:
    """The same where a run comes to its end in 61 steps."""
    head = HEAD.replace("valley -p eta=0.05", "bowl -p eta=0.3")
    return read_lesson(f"{head}{block}\n```\n\n{text}\n", "steps.md")


def test_a_run_stands_beside_another_at_the_same_step() -> None:
    of = lesson(
        "go 20\ncompare -p eta=0.1005\ncompare newton", "{objective = 0.06} {objective of B = 59.56} {said of B}"
    )
    shown = played(of, 0)
    a, b, c = (each.timeline for each in shown.compared)
    assert [a.parameters["eta"], b.parameters["eta"], c.algorithm.name] == [0.05, 0.1005, "newton"]
    assert c.parameters["function"] == "valley"  # it goes along
    assert (shown.at(b), b.last) == (20, 20)  # and no further
    assert list(faults(of)) == []
    lines = "\n".join(page(of))
    assert "59.56" in lines
    assert "B: Gradient descent  eta 0.1005" in " ".join(lines.split(" "))
    assert f"step {shown.at(c)}" in lines


def test_where_the_run_has_ended_those_beside_it_have_too() -> None:
    shown = played(short("go end\ncompare -p eta=0.8"), 0)
    assert (shown.t, shown.at(shown.beside[0].timeline)) == (61, 42)


def test_a_fork_stands_beside_the_run_that_it_was_forked_from() -> None:
    shown = played(lesson("go 5\nfork eta=0.08\ngo 9\ncompare"), 0)
    assert shown.branch.parent is not None
    assert shown.beside[0].timeline is shown.branch.parent.timeline
    assert [run.timeline.parameters["eta"] for run in shown.compared] == [0.08, 0.05]
    again = played(lesson("go 5\nfork eta=0.08\ngo 9\ncompare -p momentum=0.5"), 0)
    assert again.beside[0].timeline.parameters["eta"] == 0.08  # what differs, from how it is now


def test_the_same_data_are_taken_where_none_are_named() -> None:
    text = HEAD.replace("gradient_descent -p function=valley -p eta=0.05", "lloyd --data iris:scale --sample 50")
    text = text.replace("iris:scale", "iris --scale")
    of = read_lesson(f"{text}compare k_means_plus_plus\ncompare --sample 40\n```\n", "x.md")
    shown = played(of, 0)
    mine, same, fewer = (each.timeline.data for each in shown.compared)
    assert same is mine
    assert (mine.n, fewer.n, fewer.scaled) == (50, 40, True)


def test_a_sweep_has_the_last_values_of_runs() -> None:
    text = "{objective of eta 0.3 = 0.00} {steps of eta 0.02 = 1061} {steps of eta 0.3 = 61}"
    of = short("go 3\nchart objective\nsweep eta 0.3 0.02", text)
    assert list(faults(of)) == []
    lines = [line.strip() for line in page(of)]
    assert any(line.startswith("objective, eta 0.02: ") and "after 1,061 steps" in line for line in lines)
    many = "\n".join(page(short("go 3\nsweep eta 0.2:0.8:log:13")))
    assert "over eta, 13 runs: mean" in many


def test_a_knob_begins_the_run_anew_at_the_same_place() -> None:
    of = short("go end\nknob eta 0.3 0.6 0.1", "{step = 61}")
    assert list(faults(of)) == []
    reader = Reader(of)
    assert (reader.play().t, reader.knob and reader.knob.values) == (61, (0.3, 0.4, 0.5, 0.6))
    assert not reader.turn(-1)
    assert reader.turn(1)
    shown = reader.play()
    assert shown.run.parameters["eta"] == 0.4
    assert shown.t < 61
    assert shown.ended
    assert reader.play().run.parameters["eta"] == 0.4  # when it is shown again, too
    assert reader.turn(-1)
    assert reader.play().t == 61
    reader.turn(1)
    reader.go(1)
    assert reader.play().t == 61  # the moment begins anew


def test_a_knob_turns_what_a_fork_has_said_last() -> None:
    of = lesson("go 5\nfork eta=0.08\ngo 9\nknob eta 0.05 0.09")
    shown = played(of, 0, turned=("eta", 0.06))
    assert shown.knob is not None
    assert (shown.loaded.parameters["eta"], shown.run.parameters["eta"], shown.t) == (0.05, 0.06, 9)


def test_without_a_step_a_knob_goes_as_the_form_does() -> None:
    knob = played(lesson("go 2\nknob eta 0.01 0.2"), 0).knob
    assert knob is not None
    assert knob.values == (0.01, 0.02, 0.05, 0.1, 0.2)
    assert (knob.beside(1), knob.beside(-1)) == (0.1, 0.02)


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        ("compare nobody", "compare nobody: nobody is no algorithm of the catalogue"),
        ("compare", "compare: beside which run? It is forked from none"),
        ("compare -p eta", "compare -p eta: "),
        ("compare -p eta=-1", "compare -p eta=-1: eta"),
        ("compare perceptron", "compare perceptron: "),
        ("compare --at 3", "--at has no place in a lesson"),
        ("compare newton\ncompare newton\ncompare newton\ncompare newton", "4 runs at most stand beside each other"),
        ("sweep eta", "sweep eta: over which values of eta?"),
        ("sweep beta 1 2", "sweep beta 1 2: there is no parameter 'beta'"),
        ("sweep eta 0.1 -1", "sweep eta 0.1 -1: eta"),
        ("sweep eta 0.1 far", "sweep eta 0.1 far: eta"),
        ("sweep eta 0.01:0.05:log:500", "500 runs are more than a lesson makes"),
        ("knob eta 0.01", "knob eta 0.01: a knob has a parameter, two ends"),
        ("knob beta 1 2", "knob beta 1 2: there is no parameter 'beta'"),
        ("knob function 1 2", "a knob turns a number, and function is none"),
        ("knob eta 1 2", "eta is 0.05 here, and the knob goes from 1 to 2"),
        ("knob eta 0.2 0.01", "a knob goes from the less to the more"),
        ("knob eta -1 1", "knob eta -1 1: eta"),
        ("knob eta 0.01 0.2 0", "the step of a knob is above 0"),
        ("knob eta 0.01 0.2 x", "the step of a knob is a number, and x is none"),
        ("knob eta 0.01 0.2 0.001", "a knob has 60 values at most"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence_with_its_line(block: str, sentence: str) -> None:
    (found,) = faults(lesson(block))
    assert found.startswith(f"steps.md, line {8 + len(block.splitlines())}: ")
    assert sentence in found
    assert "\n" not in found


def test_what_a_sentence_asks_of_another_run_has_to_be_there() -> None:
    (found,) = faults(lesson("go 2\ncompare -p eta=0.1", "{objective of C = 1}"))
    assert found == "steps.md, line 13: there is no run C: the last is B."
    (found,) = faults(lesson("go 2\nsweep eta 0.05 0.1", "{objective of eta 0.2 = 1}"))
    assert found == "steps.md, line 13: no run of the sweep has eta 0.2."
    (found,) = faults(lesson("go 2\nsweep eta 0.05 0.1", "{loss of eta 0.1 = 1}"))
    assert "a sweep has no loss; it has steps, excess" in found


def test_a_knob_is_checked_at_each_of_its_values() -> None:
    (found,) = faults(short("go 50\nknob eta 0.3 0.8 0.5"))
    assert found == "steps.md, line 10: at eta 0.8: go 50: there is no step 50: the run ends at step 42."


def test_a_run_of_a_sweep_that_fails_is_a_fault() -> None:
    text = HEAD.replace("gradient_descent -p function=valley -p eta=0.05", "lloyd --data rectangle -p k=2")
    (found,) = faults(read_lesson(f"{text}sweep k 2 9\n```\n", "x.md"))
    assert found.startswith("x.md, line 9: k 9: ")
