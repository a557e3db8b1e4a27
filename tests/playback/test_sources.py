"""The sources of two runs beside each other: what differs, and which line gives the first difference."""

from pathlib import Path

import numpy as np
import pytest

from algorithms import Dataset, Recorder, Timeline, load
from algorithms.playback.comparison.first_difference import FirstDifference
from algorithms.playback.comparison.sources import FirstField, beside, listed
from algorithms.saving.runlog import LoggedRun
from algorithms.timeline.source_texts import parts_apart, versions
from tests.playback.programs import OTHER, RIGHT, WRONG
from tests.userfile.runs import on

DATA = Dataset(np.arange(12.0).reshape(6, 2) ** 1.5, name="rows")


def run_of(path: Path, text: str) -> Timeline:
    path.write_text(text)
    return on(Timeline(load(str(path), apart=True), DATA))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Timeline]:
    """Each in a process of its own, which takes long to begin."""
    folder = tmp_path_factory.mktemp("runs")
    named = (("right", RIGHT), ("wrong", WRONG), ("other", OTHER), ("same", RIGHT))
    return [run_of(folder / f"{name}.py", text) for name, text in named]


def first_field(runs: list[Timeline], current: int) -> FirstField | None:
    search = FirstDifference(runs, "ABC"[: len(runs)], current)
    while not search.done:
        search.work(1.0)
    return search.field


def test_the_field_that_first_differs_leads_to_its_line_in_both(runs: list[Timeline]) -> None:
    known = first_field(runs[:2], 0)
    assert known == FirstField((0, 1), (1, 1), ("v", "v_"))
    frames = [run.at(3) for run in runs]
    (_, one), (_, other) = listed(1, 0, runs, frames, known)
    listings = [one, other]
    assert [(listing.given, listing.field) for listing in listings] == [(5, "v"), (5, "v_")]
    assert [listing.name for listing in listings] == ["adam, right.py", "adam, wrong.py"]
    assert listings[0].line == 7
    ((which, alone),) = listed(1, None, runs, frames, known)
    assert (which, alone.given, alone.name) == (1, 0, "adam, wrong.py")
    assert [listing.given for _, listing in listed(0, 2, runs, frames, known)] == [0, 0], "that is of A and B"


def test_where_one_only_ends_no_line_is_to_blame(tmp_path: Path, runs: list[Timeline]) -> None:
    shorter = run_of(tmp_path / "shorter.py", RIGHT.replace("range(5)", "range(3)"))
    known = first_field([runs[0], shorter], 0)
    assert known is not None
    assert known.lines([runs[0], shorter]) == {}
    assert first_field([runs[0], runs[3]], 0) is None


def test_the_other_is_that_which_differs_or_the_next_of_another_source(runs: list[Timeline]) -> None:
    *runs, same = runs
    assert beside(0, [runs[0], same], None) is None
    assert beside(0, [runs[0], runs[0]], None) is None
    assert beside(0, [runs[0], same, *runs[1:]], None) == 2
    assert beside(3, [runs[0], same, *runs[1:]], None) == 0
    known = FirstField((0, 3), (1, 1), ("w", "w"))
    assert beside(0, [runs[0], same, *runs[1:]], known) == 3
    assert beside(1, [runs[0], same, *runs[1:]], known) == 2
    assert beside(0, [runs[0], same, runs[1]], FirstField((0, 1), (1, 1), ("w", "w"))) == 2, "theirs is the same source"


def test_versions_stand_line_by_line_and_two_programs_do_not() -> None:
    right, wrong, other = (tuple(text.splitlines()) for text in (RIGHT, WRONG, OTHER))
    rows = versions(right, wrong)
    assert rows is not None
    assert [row.places for row in rows if not row.same] == [(4, 4), (6, 6)]
    assert len(rows) == len(right)
    longer = (*right[:2], "    m = 0", "    n = 0", *right[2:])
    rows = versions(right, longer)
    assert rows is not None
    assert [row.places for row in rows][1:6] == [(1, 1), (None, 2), (None, 3), (2, 4), (3, 5)]
    assert versions(right, other) is None
    assert versions(right, ()) is None


@pytest.mark.parametrize(
    ("one", "other", "parts"),
    [
        ("v = a + b", "v = a - b", ("+", "-")),
        ("v = a", "v = a * 2", ("", " * 2")),
        ("aaa", "aa", ("a", "")),
        ("same", "same", ("", "")),
        ("", "new", ("", "new")),
    ],
)
def test_the_part_of_two_lines_that_differs(one: str, other: str, parts: tuple[str, str]) -> None:
    (a, b), (c, d) = parts_apart(one, other)
    assert (one[a:b], other[c:d]) == parts


def test_what_a_file_was_when_it_was_recorded_stands_beside_what_it_is_now(tmp_path: Path) -> None:
    before = run_of(tmp_path / "mine.py", RIGHT)
    recorder = Recorder.of(tmp_path / "run.log", before.algorithm, before.problem)
    for t in range(len(before)):
        recorder.keep(before.at(t).before, before.at(t).state, before.kind(t).line)
    recorder.end("it has ended")
    now = run_of(tmp_path / "mine.py", RIGHT.replace("0.5 * w", "0.6 * w"))
    recording = LoggedRun(tmp_path / "run.log")
    recorded = Timeline(recording, recording.datasets[0]).run()
    assert beside(0, [now, recorded], None) == 1
    known = first_field([now, recorded], 0)
    assert known is not None
    assert known.fields == ("w", "w")
    (_, mine), (_, theirs) = listed(0, 1, [now, recorded], [now.at(1), recorded.at(1)], known)
    assert [mine.given, theirs.given] == [6, 6]
    rows = versions(mine.lines, theirs.lines)
    assert rows is not None
    assert [row.places for row in rows if not row.same] == [(5, 5)]


def test_of_several_lines_that_give_it_the_one_that_differs_is_marked(tmp_path: Path) -> None:
    text = (
        "def mine():\n    x = 1.0\n    for t in range(3):\n        y = x * 2\n        y += 1\n        yield {'y': y}\n"
    )
    one = run_of(tmp_path / "one.py", text)
    other = run_of(tmp_path / "other.py", text.replace("y += 1", "y += 2"))
    begun = run_of(tmp_path / "begun.py", text.replace("x = 1.0", "x = 1.5").replace("'y': y", "'x': x, 'y': y"))
    known = first_field([one, other], 0)
    assert known is not None
    assert known.lines([one, other]) == {0: (5, "y"), 1: (5, "y")}
    known = first_field([one, begun], 0)
    assert known is not None
    assert known.lines([one, begun]) == {0: (4, "y"), 1: (4, "y")}


def test_where_the_generators_are_the_same_their_whole_files_stand_beside_each_other(tmp_path: Path) -> None:
    text = "def rate(t):\n    return 1 / t\n\n\ndef mine():\n    for t in range(1, 4):\n        yield {'x': rate(t)}\n"
    one = run_of(tmp_path / "one.py", text)
    other = run_of(tmp_path / "other.py", text.replace("1 / t", "1 / (t + 1)"))
    assert beside(0, [one, other], None) == 1
    known = first_field([one, other], 0)
    (_, mine), (_, theirs) = listed(0, 1, [one, other], [one.at(1), other.at(1)], known)
    assert (mine.first, mine.lines[1], theirs.lines[1]) == (1, "    return 1 / t", "    return 1 / (t + 1)")
    assert mine.line == mine.given == 7
    (tmp_path / "other.py").write_text("edited = True\n")
    (_, mine), _ = listed(0, 1, [one, other], [one.at(1), other.at(1)], known)
    assert mine.first == 5, "what is in the file now is not what runs"
    assert beside(0, [one, other], None) is None
