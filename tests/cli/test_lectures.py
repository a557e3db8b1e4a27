"""`python -m algorithms lectures`: every statement with its place; some by lecture, id or word."""

import re
import subprocess
import sys

import pytest

import algorithms.__main__ as program
from tests.lectures.samples import SAMPLES, plant
from tests.patience import LONG


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    plant(monkeypatch)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert program.main(["lectures", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_every_statement_is_listed_under_its_lecture_and_section(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys)
    assert re.findall(r"^  ([AM]\d+) ", "\n".join(lines), re.M) == [one.id for one in SAMPLES]
    assert "Machine learning techniques  (ml-techniques)" in lines
    assert lines.index("  Lecture 6: slack") < lines.index("  Lecture 7: many classes")
    assert lines[-1] == "5 statements, 1 of them not to be seen: it says why"


def test_a_statement_has_its_command_unbroken_and_its_places(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "A20")
    said = " ".join(" ".join(lines).split())
    assert (
        "        python -m tui smo --data blobs:n=20,margin=0.3 --at 4 --against dual_coordinate_descent:C=4" in lines
    )
    for place in (
        'panel "multipliers"', 'table "margin 1/‖w‖"', "phase prune", 'sentence "2 rows"', 'expectation "the mean"',
        "parameter C", "the lecture errs: The multipliers",
        "trees, boosting: Lecture 6: slack, Rem 1.15",
    ):  # fmt: skip
        assert place in said
    assert all(len(line) <= 80 for line in lines if "python -m tui" not in line)


def test_demos_are_named_by_what_to_type(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.strip() for line in printed(capsys, "M139")]
    assert "python demos/rows_that_may_go.py" in lines
    assert "python -m tui --open demos/dragged_mean.json" in lines


def test_what_is_not_seen_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert "        not seen: it is about the exam." in printed(capsys, "a28")


def test_a_lecture_a_word_and_both_choose_statements(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "cs446")
    assert lines[-1] == "3 of 5 statements, 1 of them not to be seen: it says why"
    assert not any("M35" in line for line in lines)
    assert printed(capsys, "cs446", "perceptron")[-1] == "1 of 5 statements, each with its place"
    assert printed(capsys, "never", "rises")[-1] == "1 of 5 statements, each with its place"


def test_statements_by_their_ids_name_the_tests_that_compute_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line.strip() for line in printed(capsys, "m35", "A21")]
    assert "computed by tests/families/clustering/test_lloyd.py::test_a" in lines
    assert "python -m tui perceptron --at 9" in lines
    assert not any("soft margin" in line.casefold() for line in lines)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["csc446"], "no lecture or statement is called 'csc446'"),
        (["csc446"], "Did you mean cs446?"),
        (["A29"], "Did you mean A2"),
        (["cs446", "nothing"], "no statement of cs446 has 'nothing' in it; `python -m algorithms lectures cs446`"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence_with_the_nearest(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.main(["lectures", *words]) == 2
    caught = capsys.readouterr()
    assert sentence in caught.err
    assert caught.err.count("\n") == 1
    assert caught.out == ""


def test_an_algorithm_says_which_statements_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    program.main(["show", "smo"])
    shown = capsys.readouterr().out
    assert "  A20  cs446: Only rows with α > 0 carry w" in shown
    assert max(len(line) for line in shown.splitlines() if "  A20  " in line) <= 80
    program.main(["show", "dual_coordinate_descent"])  # which smo is compared with
    assert "  A20  cs446: Only rows" in capsys.readouterr().out
    program.main(["show", "pca"])
    assert "shows of the lectures" not in capsys.readouterr().out


def test_the_list_of_algorithms_does_not_wait_for_the_lectures() -> None:
    code = (
        "import sys, algorithms.__main__ as program; program.main(['list', 'k-means']); "
        "assert not {'algorithms.lectures', 'rich', 'tomllib'} & set(sys.modules), sorted(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
