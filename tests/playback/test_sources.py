"""The sources of two runs beside each other: what differs, and which line gives the first difference."""

from pathlib import Path

import numpy as np
import pytest

from algorithms import Dataset, Recorder, Timeline, load
from algorithms.playback.comparison.first_difference import FirstDifference
from algorithms.playback.comparison.sources import FirstField, Listing, beside, parts_apart, versions
from algorithms.saving.runlog import LoggedRun
from tests.playback.programs import OTHER, RIGHT, WRONG
from tests.userfile.runs import on

DATA = Dataset(np.arange(12.0).reshape(6, 2) ** 1.5, name="rows")


def run_of(path: Path, text: str) -> Timeline:
    path.write_text(text)
    return on(Timeline(load(str(path), apart=True), DATA))


@pytest.fixture
def runs(tmp_path: Path) -> list[Timeline]:
    named = (("right", RIGHT), ("wrong", WRONG), ("other", OTHER))
    return [run_of(tmp_path / f"{name}.py", text) for name, text in named]


def first_field(runs: list[Timeline], current: int) -> FirstField | None:
    search = FirstDifference(runs, "ABC"[: len(runs)], current)
    while not search.done:
        search.work(1.0)
    return search.field


def test_the_field_that_first_differs_leads_to_its_line_in_both(runs: list[Timeline]) -> None:
    known = first_field(runs[:2], 0)
    assert known == FirstField((0, 1), (1, 1), ("v", "v_"))
    listings = [Listing.of(run, run.at(3), known.of(i)) for i, run in enumerate(runs[:2])]
    assert [(listing.given, listing.field) for listing in listings] == [(5, "v"), (5, "v_")]
    assert [listing.name for listing in listings] == ["adam, right.py", "adam, wrong.py"]
    assert listings[0].line == 7
    assert known.of(2) is None
    assert Listing.of(runs[0], runs[0].at(3)).given == 0


def test_where_one_only_ends_no_line_is_to_blame(tmp_path: Path, runs: list[Timeline]) -> None:
    shorter = run_of(tmp_path / "shorter.py", RIGHT.replace("range(5)", "range(3)"))
    known = first_field([runs[0], shorter], 0)
    assert known is not None
    assert known.of(0) is None
    alike = run_of(tmp_path / "alike.py", RIGHT)
    assert first_field([runs[0], alike], 0) is None


def test_the_other_is_that_which_differs_or_the_next_of_another_source(runs: list[Timeline], tmp_path: Path) -> None:
    same = run_of(tmp_path / "same.py", RIGHT)
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
    listings = [Listing.of(run, run.at(1), known.of(i)) for i, run in enumerate((now, recorded))]
    assert [listing.given for listing in listings] == [6, 6]
    rows = versions(listings[0].lines, listings[1].lines)
    assert rows is not None
    assert [row.places for row in rows if not row.same] == [(5, 5)]
