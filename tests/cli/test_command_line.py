"""`python -m algorithms`: what it prints, how it streams, and what it says when something is wrong."""

import csv
import io
import json
import math
from typing import Annotated, Any

import pytest

import algorithms.__main__ as program
from algorithms import Algorithm, Dataset, datasets, find, names
from algorithms.core import Curve, Meta, Needs, Run, Scene, Sides, State, Theorem, Undecided
from algorithms.core.catalogue import by_family, in_course
from tests.tiny import TINY


class CountState(State, frozen=True, kw_only=True):
    left: int


def counting(
    data: Dataset,
    state: CountState | None = None,
    *,
    start: Annotated[int, Meta(ge=1, le=10_000_000, description="what to count down from")] = 5,
    fail_at: Annotated[int, Meta(ge=-1, le=10_000_000, description="where to raise an error")] = -1,
) -> Run[CountState]:
    if state is None:
        state = CountState(left=start)
        yield state
    while state.left:
        if state.left == fail_at:
            raise ZeroDivisionError("nothing to divide by")
        state = state.after("count", left=state.left - 1, iteration=state.iteration + 1)
        yield state
    return "nothing is left"


def late(problem: Any, before: CountState | None, after: CountState) -> Sides | Undecided:
    """Silent until long after the heads of a table have been written."""
    return Sides(("left", after.left), ("few", 10.0)) if after.t >= 40 else Undecided("it is too early")


def falls(problem: Any, before: CountState, after: CountState) -> Sides:
    return Sides(("n", after.left), ("n", before.left), relation="<")


COUNTING = Algorithm(
    counting,
    title="Countdown",
    summary="Counts down to nothing.",
    rule="n ← n - 1",
    needs=Needs(),
    phases={"start": "all are there", "count": "one less"},
    curves=(
        Curve("left", lambda problem, state: state.left, "n"),
        Curve("half", lambda problem, state: state.left / 2, phases=("count",)),
        Curve("inverse", lambda problem, state: 1 / state.left if state.left else math.inf, log=True),
    ),
    theorems=(
        Theorem("n falls", falls, "Euclid", about="step"),
        Theorem("few are left", late, "nobody"),
    ),
    scene=lambda problem, before, after: Scene(()),
    explain=lambda problem, before, after: "one less",
    datasets=(datasets.faithful, datasets.blobs.with_(margin=0.3)),
    references=("Euclid (300 BC)",),
)


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    """Two algorithms of the tests' own beside those of the catalogue."""
    find = program.named
    own = {"counting": COUNTING, "tiny": TINY}
    monkeypatch.setattr(program, "named", lambda name: own[name] if name in own else find(name))


# list and show


def test_list_names_every_algorithm_under_its_family(says):
    status, out, _ = says("list")
    assert status == 0
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert listed == [name for family in by_family() for name in in_course(family)]


@pytest.mark.parametrize(
    ("words", "there", "not_there"),
    [
        (["margin"], "smo", "pca"),
        (["never", "rises"], "lloyd", "perceptron"),
        (["never rises"], "lloyd", "perceptron"),
        (["clustering"], "lloyd", "pca"),
        (["FAITHFUL"], "gaussian_mixture", "adaboost"),
    ],
)
def test_list_filters_by_title_family_theorem_and_data(says, words, there, not_there):
    status, out, _ = says("list", *words)
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert status == 0
    assert there in listed
    assert not_there not in listed
    families = [line for line in out.splitlines() if not line.startswith("  ")]
    assert set(families) == {find(name).family for name in listed}


def test_list_says_that_nothing_matches(says):
    status, out, err = says("list", "xyzzy")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "no algorithm has 'xyzzy' in its title, family, theorems or data" in err


def test_show_tells_all_there_is_to_know(says):
    _, out, _ = says("show", "counting")
    for part in (
        "Countdown",
        "Counts down to nothing.",
        "n ← n - 1",
        "start   = 5",
        "what to count down from (1 <= start <= 10000000)",
        "count  one less",
        "T1  n falls  [Euclid; of each step]",
        "--data blobs:margin=0.3",
        "Euclid (300 BC)",
    ):
        assert part in out


@pytest.mark.parametrize("name", names())
def test_show_works_for_every_algorithm(says, name):
    status, out, _ = says("show", name)
    assert status == 0
    assert all(line.replace("\n", "").isprintable() for line in out.splitlines())


# run


def rows_of(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_csv_has_a_line_a_step_with_every_number(says):
    status, out, err = says("run", "counting", "--format", "csv")
    rows = rows_of(out)
    assert status == 0
    assert [row["t"] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert [row["phase"] for row in rows] == ["start"] + ["count"] * 5
    assert [row["left"] for row in rows] == ["5.0", "4.0", "3.0", "2.0", "1.0", "0.0"]
    assert [row["half"] for row in rows][:2] == ["", "2.0"]
    assert rows[-1]["inverse"] == "inf"
    assert (rows[0]["T1"], rows[0]["T1 n"]) == ("", "")
    assert (rows[2]["T1"], rows[2]["T1 n"], rows[2]["T1 n (2)"]) == ("holds", "3.0", "4.0")
    assert rows[2]["T2"] == "undecided"
    assert "nothing is left" in err


def test_sides_that_come_after_the_heads_were_written_are_not_lost(says):
    _, out, _ = says("run", "counting", "-p", "start=50", "--format", "csv")
    rows = rows_of(out)
    assert rows[39]["other sides"] == ""
    assert rows[40]["other sides"] == "T2 left = 10.0; T2 few = 10.0"
    _, table, _ = says("run", "counting", "-p", "start=50")
    assert "holds 9 <= 10" in table


def test_jsonl_has_an_object_a_step(says):
    _, out, _ = says("run", "counting", "-p", "start=45", "--format", "jsonl")
    steps = [json.loads(line) for line in out.splitlines()]
    assert len(steps) == 46
    assert steps[0]["curves"] == {"left": 45.0, "half": None, "inverse": 1 / 45}
    assert steps[0]["theorems"]["n falls"] == {"status": "does not apply", "why": "it compares with the step before"}
    assert steps[1]["theorems"]["few are left"] == {"status": "undecided", "why": "it is too early"}
    assert steps[44]["theorems"]["n falls"] == {
        "status": "holds",
        "relation": "<",
        "sides": {"n": 1.0, "n (2)": 2.0},
    }
    assert steps[45]["curves"]["inverse"] == "inf"


def test_the_table_is_aligned_and_says_what_the_theorems_are(says):
    _, out, _ = says("run", "counting", "-p", "start=1000000", "--steps", "3")
    lines = out.splitlines()
    assert lines[0] == "T1: n falls"
    heads = next(line for line in lines if "iteration" in line)
    body = lines[lines.index(heads) + 1 :]
    assert len(body) == 4
    end = heads.index("iteration") + len("iteration")
    assert [line[:end].split() for line in body] == [[str(t), str(t)] for t in range(4)]
    assert all(line[end - 1] != " " for line in body)


def test_the_table_shows_the_sides_of_each_theorem(says):
    _, out, _ = says("run", "counting", "-p", "start=45")
    last = out.splitlines()[-1].split("  ")
    assert [cell.strip() for cell in last if cell.strip()] == [
        "45",
        "45",
        "count",
        "0",
        "0",
        "inf",
        "holds 0 < 1",
        "holds 0 <= 10",
    ]


def test_a_table_counts_steps_in_full(says):
    _, out, _ = says("run", "counting", "-p", "start=1000001", "--every", "1000001")
    assert out.splitlines()[-1].split()[:2] == ["1000001", "1000001"]


@pytest.mark.parametrize(("every", "expected"), [("1", "0 1 2 3 4 5"), ("2", "0 2 4 5"), ("5", "0 5"), ("9", "0 5")])
def test_every_thins_and_keeps_the_last(says, every, expected):
    _, out, _ = says("run", "counting", "--every", every, "--format", "csv")
    assert [row["t"] for row in rows_of(out)] == expected.split()


def test_curves_and_theorems_are_computed_at_printed_steps_only(says, monkeypatch):
    asked: list[int] = []
    curve = Curve("left", lambda problem, state: asked.append(state.t) or 0.0)
    monkeypatch.setattr(COUNTING, "curves", (curve,))
    says("run", "counting", "--every", "3", "--format", "csv")
    assert asked == [0, 3, 5]


def test_steps_stops_the_run_where_it_says(says):
    _, out, err = says("run", "counting", "--steps", "2", "--format", "csv")
    assert [row["t"] for row in rows_of(out)] == ["0", "1", "2"]
    assert "stopped at step 2, as asked" in err


def test_lines_come_as_they_are_made(says, monkeypatch):
    """An endless run has printed its first lines before it ends."""
    seen: list[str] = []

    def count_and_stop(line: str, **_: Any) -> None:
        seen.append(line)
        if len(seen) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("builtins.print", count_and_stop)
    status, _, _ = says("run", "counting", "-p", "start=10000000", "--format", "jsonl")
    assert status == 130
    assert [json.loads(line)["t"] for line in seen] == [0, 1, 2]


def test_a_step_that_raises_ends_the_run_in_a_sentence(says):
    status, out, err = says("run", "counting", "-p", "fail_at=3", "--format", "csv")
    assert status == 1
    assert [row["left"] for row in rows_of(out)] == ["5.0", "4.0", "3.0"]
    assert "the run failed after step 2: ZeroDivisionError: nothing to divide by" in err


def test_a_curve_that_raises_is_told_and_does_not_end_the_run(says, monkeypatch):
    monkeypatch.setattr(COUNTING, "curves", (Curve("broken", lambda problem, state: 1 / 0),))
    status, out, err = says("run", "counting", "--format", "csv")
    assert status == 0
    assert [row["broken"] for row in rows_of(out)] == [""] * 6
    assert "the curve broken could not be computed at step 0: ZeroDivisionError" in err


def test_without_data_it_runs_on_what_the_algorithm_starts_with(says):
    assert "faithful: 272 rows" in says("report", "counting")[1]
    assert "two rows: 2 rows" in says("report", "tiny")[1]


def test_notices_go_beside_the_lines(says):
    _, out, err = says("run", "counting", "--data", "penguins", "--format", "csv")
    assert "penguins: 2 rows dropped: row 3 has no bill_length_mm" in err
    assert "dropped" not in out


# report


def test_a_report_has_curves_numbers_theorems_and_the_reason(says):
    status, out, _ = says("report", "counting", "-p", "start=50", "--data", "blobs:n=20,margin=0.5")
    assert status == 0
    for part in (
        "Countdown",
        "blobs: 20 rows of 2 features",
        "start = 50",
        "┤",
        "inverse (logarithmic)",
        "greatest",
        "held at 50 of the 50 measured steps",
        "held at 11 of the 11 measured steps",
        "50 steps, 50 iterations: nothing is left.",
    ):
        assert part in out


def test_a_report_draws_a_curve_along_its_own_variable(says):
    _, out, _ = says("report", "cross_validation", "-p", "model=ridge", "-p", "tried=4", "--data", "sine:n=20")
    assert "error along λ (logarithmic): CV(v)" in out
    assert " λ →" in out


def test_a_report_shows_where_a_theorem_fails(says, monkeypatch):
    def fails(problem: Any, before: CountState | None, after: CountState) -> Sides:
        return Sides(("n", after.left), ("2", 2.0))

    monkeypatch.setattr(COUNTING, "theorems", (Theorem("n <= 2", fails, "nobody"),))
    _, out, _ = says("report", "counting")
    assert "held at 3 of the 6 measured steps" in out
    assert "fails at step 0: n = 5 <= 2 = 2" in out


def test_a_report_of_a_run_that_fails_says_so(says):
    status, out, _ = says("report", "counting", "-p", "fail_at=3")
    assert status == 1
    assert "ZeroDivisionError: nothing to divide by" in out


def test_a_report_stops_where_it_is_told(says):
    assert "2 steps, 2 iterations: stopped at step 2, as asked." in says("report", "counting", "--steps", "2")[1]


# what is wrong is said in one sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "perceptro"), "Did you mean perceptron?"),
        (("run", "counting", "-p", "strat=3"), "there are start, fail_at. Did you mean start?"),
        (("run", "counting", "-p", "start=0"), "1 <= start <= 10000000"),
        (("run", "counting", "-p", "start"), "'start' is not name=value, as in -p k=3"),
        (("run", "counting", "--data", "irsi"), "Did you mean iris?"),
        (("run", "counting", "--data", "no/such.csv"), "there is no file 'no/such.csv'"),
        (("run", "counting", "--data", "iris:n=3"), "takes no arguments after a colon"),
        (("run", "counting", "--data", "blobs:m=3"), "blobs takes no 'm'"),
        (("run", "counting", "--data", "blobs:n"), "--data blobs:seed=1"),
        (("run", "counting", "--data", "iris", "--columns", "petal"), "it has sepal_length_cm"),
        (("run", "counting", "--hold-out", "half"), "--hold-out takes a number, not 'half'"),
        (("run", "counting", "--hold-out-seed", "1.5"), "--hold-out-seed takes a whole number"),
        (("run", "counting", "--every", "0"), "a whole number from 1 on, not '0'"),
        (("run", "counting", "--steps", "-1"), "a whole number from 0 on"),
        (("run", "tiny", "--scale"), "say which with --data"),
        (("run", "perceptron", "--data", "iris"), "(setosa, versicolor, virginica)"),
        (("run", "perceptron", "--data", "diabetes"), "learns classes; diabetes has numbers in progression"),
        ((), "COMMAND"),
    ],
)
def test_a_mistake_is_answered_by_one_sentence_and_status_two(says, words, sentence):
    status, out, err = says(*words)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert sentence in err


@pytest.mark.parametrize(
    ("words", "those"),
    [
        (("run", "counting", "--missing", "mean"), "drop, refuse"),
        (("run", "counting", "--format", "xml"), "table, csv, jsonl"),
        (("rnu",), "list, data, lectures, lessons, lesson, show, run"),
    ],
)
def test_a_word_that_is_none_of_a_few_is_answered_by_those_that_there_are(says, words, those):
    status, out, err = says(*words)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert f"(choose from {those}" in err.replace("'", "")  # which 3.13.1 to 3.13.5, and others, leave out


def test_nothing_from_a_file_steers_the_terminal(says, tmp_path):
    path = tmp_path / "evil\x1b[2J.csv"
    path.write_text("a\x1b]0;t\x07,kind\n1,\x9b2J\n2,v\n3,v\n")
    for words in (("run", "perceptron"), ("run", "counting"), ("report", "counting")):
        _, out, err = says(*words, "--data", str(path), "--steps", "2")
        assert all(line.isprintable() for line in (out + err).splitlines())
    _, _, err = says("run", "counting", "--data", str(path), "--columns", "\x1b[2J")
    assert err.removesuffix("\n").isprintable()
