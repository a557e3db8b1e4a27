"""A long recording says where its steps are: any is there at once, and is what it is when all are read in order."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Recorder, Timeline, datasets, find
from algorithms.core.state import same
from algorithms.playback.cursor.player import Player
from algorithms.saving.runlog import LoggedRun
from algorithms.saving.runlog.index import Numbers, read_index
from algorithms.saving.runlog.logfile import MAGIC, Damaged, Kind, LogReader
from algorithms.timeline.conditions import Search, parse
from tests.saving.runlog.recording import record

_BLOCK = 16  # steps a record of the index


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.saving.runlog.index._STEPS", _BLOCK)
    monkeypatch.setattr("algorithms.saving.runlog.pack._INLINE", 32)


def plain(path: Path, steps: int = 100, *, bad: int | None = None, append: bool = False) -> list[dict[str, Any]]:
    """Write steps of one's own; one of them holds a nan."""
    draw = np.random.default_rng(0)
    things = [
        {"loss": np.nan if t == bad else 1 / (t + 1), "w": draw.random(9), "phase": "even" if t % 2 else "odd"}
        for t in range(steps)
    ]
    with Recorder(path, append=append) as recorder:
        for thing in things:
            recorder.write(thing)
    return things


def opened(path: Path, leap: bool = True) -> Timeline[Any]:
    recorded = LoggedRun(path)
    run: Timeline[Any] = Timeline(recorded, recorded.datasets[0])
    run.advance(1)
    assert not leap or run.leap()
    return run


def records(path: Path) -> list[tuple[int, int, int]]:
    """(kind, where it begins, where it ends) of each record, taken apart here by hand."""
    content, at, found = path.read_bytes(), len(MAGIC), []
    while at < len(content):
        length, kind = int.from_bytes(content[at : at + 4], "little"), content[at + 4]
        found.append((kind, at, at + 9 + length + 16))
        at = found[-1][2]
    return found


def agree(one: Timeline[Any], other: Timeline[Any]) -> None:
    """Hold against each other all that is known of the steps of two runs."""
    assert [one.kind(t) for t in range(len(one))] == [other.kind(t) for t in range(len(other))]
    assert one.iteration_starts().tolist() == other.iteration_starts().tolist()
    assert [one.iteration_number(i) for i in range(len(one.iteration_starts()))] == [
        other.iteration_number(i) for i in range(len(other.iteration_starts()))
    ]
    assert all(same(one.at(t).state, other.at(t).state) for t in range(len(other)))
    for curve in other.algorithm.curves:
        assert np.array_equal(one.curve(curve.name), other.curve(curve.name), equal_nan=True)
    assert one.failures == other.failures
    assert one.first_nan == other.first_nan


def test_numbers_come_back() -> None:
    for numbers in (
        [],
        [7],
        [1, 2, 3],
        [5, 1 << 40, 3],
        list(range(0, 1 << 20, 999)),
        [0, -(1 << 62), 1 << 61],
        [1 << 62, -(1 << 62), 5],
    ):
        assert Numbers.of(numbers).array().tolist() == numbers
    with pytest.raises(Damaged):
        Numbers(0, 5, 2, b"abc").array()
    with pytest.raises(Damaged):
        Numbers(0, 2, 3, b"abc").array()


@pytest.mark.parametrize("name", ["lloyd", "perceptron", "adaboost"])
def test_after_a_leap_it_is_the_run_that_is_read_in_order(tmp_path: Path, name: str) -> None:
    data = datasets.load("iris", positive="setosa") if name == "perceptron" else datasets.load("blobs", n=60)
    states = record(tmp_path / "run.log", find(name), data, {}, 90)
    run = opened(tmp_path / "run.log")
    assert len(run) == len(states)
    assert run.whole
    for t in [len(run) - 1, 3, len(run) // 2]:
        frame = run.at(t)
        assert same(frame.state, states[t])
        assert frame.before is not None
        assert same(frame.before, states[t - 1])
    assert run.stopped is None
    agree(run.run(), opened(tmp_path / "run.log", leap=False).run())
    assert run.stopped is not None


def test_its_index_says_where_each_record_is(tmp_path: Path) -> None:
    plain(tmp_path / "run.log")
    by_hand = records(tmp_path / "run.log")
    index = read_index(LogReader(tmp_path / "run.log"))
    assert index is not None
    steps = [at for kind, at, _ in by_hand if kind == Kind.STEP]
    arrays = [at for kind, at, _ in by_hand if kind == Kind.ARRAY]
    assert index.steps.tolist() == steps[: 100 // _BLOCK * _BLOCK]
    assert index.arrays.tolist() == arrays[: 100 // _BLOCK * _BLOCK]
    assert index.next == [end for kind, _, end in by_hand if kind == Kind.INDEX][-1]


def test_events_of_ones_own_run_are_found_behind_the_leap(tmp_path: Path) -> None:
    plain(tmp_path / "run.log", bad=70)
    run = opened(tmp_path / "run.log")
    assert run.next_event(0) is None
    search = Search(run, parse("'a new nan'", run.algorithm, run.data, run.at(0).state), 99, forward=False)
    assert search.work() == 70
    assert run.next_event(0) == 70
    assert run.first_nan == 70
    agree(run.run(), opened(tmp_path / "run.log", leap=False).run())


def test_a_player_has_all_of_it_at_once_and_goes_to_events(tmp_path: Path) -> None:
    plain(tmp_path / "run.log", bad=70)
    recorded = LoggedRun(tmp_path / "run.log")
    player = Player(Timeline(recorded, recorded.datasets[0]))
    assert player.timeline.last == 99
    player.seek(90)
    assert player.work(0.0)
    assert player.t == 90
    player.to_end()
    player.work(0.0)
    assert player.t == 99
    player.seek(0)
    player.work(0.0)
    player.event(forward=True)
    while player.goal is not None:
        player.work(0.01)
    assert player.t == 70


def test_a_condition_on_events_and_states_is_searched_for_beyond_what_was_looked_at(tmp_path: Path) -> None:
    plain(tmp_path / "run.log", bad=70)
    for text, hit in (("'a new nan' and step > 60", 70), ("'a new nan' and step > 80", None)):
        run = opened(tmp_path / "run.log")
        search = Search(run, parse(text, run.algorithm, run.data, run.at(0).state), 0)
        for _ in range(10_000):
            if search.done:
                break
            search.work(0.001)
        assert search.done
        assert search.match == hit


def test_beyond_the_end_there_is_nothing_to_wait_for(tmp_path: Path) -> None:
    plain(tmp_path / "run.log", 600)
    recorded = LoggedRun(tmp_path / "run.log")
    player = Player(Timeline(recorded, recorded.datasets[0]))
    for move in (lambda: player.seek(599), lambda: player.step(1)):
        move()
        for _ in range(100):  # once, where the file is read in the moment that there is for it before the first picture
            if player.goal is not None:
                player.work(0.0)
        assert (player.goal, player.t) == (None, 599)
    assert player.timeline.looked < 600
    player.seek(0)
    player.work(0.0)
    player.follow()  # as fast as it goes
    for _ in range(5):
        player.tick(0.1, 0.0)
    assert player.t == 599
    assert not player.playing
    assert player.at_end


def test_a_trail_goes_from_the_start_to_the_step_in_hand(tmp_path: Path) -> None:
    plain(tmp_path / "run.log", 900)
    run = opened(tmp_path / "run.log")
    there = [state.t for state in run.trail(899)]
    assert there == sorted(there)
    assert 150 < len(there) < 400
    assert max(np.diff(there)) < 20, "none of it is left out, it is coarser"
    for _ in range(9):
        finer = [state.t for state in run.trail(899)]
    assert finer == list(range(900))


def test_steps_of_as_many_kinds_as_there_are_steps(tmp_path: Path) -> None:
    with Recorder(tmp_path / "run.log") as recorder:
        for t in range(100):
            recorder.write({"phase": f"step {t}", "x": t})
    for leap in (True, False):
        run = opened(tmp_path / "run.log", leap).run()
        assert [run.kind(t).phase for t in range(100)] == [f"step {t}" for t in range(100)]
        assert all(run.kind(t).phase in run.algorithm.phases for t in range(100))


def test_curves_are_sketched_before_all_is_looked_at(tmp_path: Path) -> None:
    things = plain(tmp_path / "run.log", 600)
    run = opened(tmp_path / "run.log")
    while run.looked < 40:
        run.advance(1, 1.0)  # whoever has all the time in the world needs no sketch
    t, values = run.curve("loss")
    assert t[:40].tolist() == list(range(40))
    assert t[-1] == 599
    assert 100 < len(t) < 600
    assert values.tolist() == [things[at]["loss"] for at in t]
    assert np.all(np.diff(t) > 0)


@pytest.mark.parametrize("form", [b"2", b"3"])
def test_without_an_index_it_is_looked_through(tmp_path: Path, form: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.saving.runlog.index._STEPS", 1 << 30)
    things = plain(tmp_path / "run.log")
    content = (tmp_path / "run.log").read_bytes()
    (tmp_path / "run.log").write_bytes(MAGIC.replace(b"3", form) + content[len(MAGIC) :])
    assert read_index(LogReader(tmp_path / "run.log")) is None
    run = opened(tmp_path / "run.log")
    assert len(run) == 100
    assert run.at(77).state.get("loss") == things[77]["loss"]
    agree(run.run(), opened(tmp_path / "run.log", leap=False).run())


def test_taking_note_can_be_interrupted(tmp_path: Path) -> None:
    plain(tmp_path / "run.log")
    recorded = LoggedRun(tmp_path / "run.log")
    run: Timeline[Any] = Timeline(recorded, recorded.datasets[0])
    run.advance(1)
    lengths = []
    while not run.leap(0.0):
        lengths.append(len(run))
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 3
    assert len(run) == 100


def test_cut_anywhere_it_leaps_to_what_is_whole(tmp_path: Path) -> None:
    things = plain(tmp_path / "run.log", 60)
    content, parts = (tmp_path / "run.log").read_bytes(), records(tmp_path / "run.log")
    header = parts[0][2]
    cut = tmp_path / "cut.log"
    for size in {end + by for _, _, end in parts for by in (-3, 0, 5)}:
        whole = sum(1 for kind, _, end in parts if kind == Kind.STEP and end <= size)
        if size < header or not whole:
            continue
        cut.write_bytes(content[:size])
        run = opened(cut)
        assert len(run) == whole
        assert run.at(whole - 1).state.get("loss") == things[whole - 1]["loss"]
        assert run.whole is (size >= len(content))


def test_a_damaged_index_is_not_used(tmp_path: Path) -> None:
    things = plain(tmp_path / "run.log", 60)
    content, parts = (tmp_path / "run.log").read_bytes(), records(tmp_path / "run.log")
    places = [at for kind, at, _ in parts if kind == Kind.INDEX]
    assert len(places) == 3
    flipped = tmp_path / "flipped.log"
    for at in places:
        changed = bytearray(content)
        changed[at + 12] ^= 4
        flipped.write_bytes(changed)
        run = opened(flipped)
        whole = sum(1 for kind, where, _ in parts if kind == Kind.STEP and where < at)
        assert len(run) == whole, "as any damage it ends the run, for what comes after it cannot be trusted"
        assert run.at(whole - 1).state.get("loss") == things[whole - 1]["loss"]


def test_a_damaged_step_ends_the_run_before_it(tmp_path: Path) -> None:
    things = plain(tmp_path / "run.log", 60)
    steps = [(at, end) for kind, at, end in records(tmp_path / "run.log") if kind == Kind.STEP]
    content = bytearray((tmp_path / "run.log").read_bytes())
    for bad in (40, 41, 20):
        content[steps[bad][1] - 20] ^= 1
    (tmp_path / "run.log").write_bytes(content)
    run = opened(tmp_path / "run.log")
    assert len(run) == 60
    assert run.at(50).state.get("loss") == things[50]["loss"], "nothing is wrong with this one"
    assert run.at(42).t < 40  # the one before it is damaged
    assert run.last == run.at(run.last).t
    run.run()
    assert run.last == 19
    assert run.stopped is not None
    assert "damaged" in run.stopped.reason
    assert run.at(19).state.get("loss") == things[19]["loss"]


def test_one_that_was_gone_on_with_has_its_seams_in_it(tmp_path: Path) -> None:
    plain(tmp_path / "run.log", 40)
    plain(tmp_path / "run.log", 40, append=True)
    plain(tmp_path / "run.log", 40, append=True)
    index = read_index(LogReader(tmp_path / "run.log"))
    assert index is not None
    assert [step for step, _, _ in index.seams] == [40, 80]
    run = opened(tmp_path / "run.log")
    assert len(run) == 120
    assert len(index.steps) > 100
    run.run()
    assert run.next_event(0) == 40
    assert run.next_event(40) == 80
    agree(run, opened(tmp_path / "run.log", leap=False).run())


def test_one_without_an_index_gets_one_when_it_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("algorithms.saving.runlog.index._STEPS", 1 << 30)
        plain(tmp_path / "run.log", 100)
    plain(tmp_path / "run.log", 3, append=True)
    index = read_index(LogReader(tmp_path / "run.log"))
    assert index is not None
    assert len(index.steps) == 101
    agree(opened(tmp_path / "run.log").run(), opened(tmp_path / "run.log", leap=False).run())


def test_what_is_written_while_it_is_watched_comes_behind(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.log")
    for t in range(50):
        recorder.write({"loss": 1 / (t + 1)})
    recorded = LoggedRun(tmp_path / "run.log", follow=True)
    run: Timeline[Any] = Timeline(recorded, recorded.datasets[0])
    run.advance(1)
    run.leap()
    assert (len(run), run.whole) == (50, False)
    run.advance(20)
    for t in range(50, 90):
        recorder.write({"loss": 1 / (t + 1)})
    run.leap()
    assert len(run) == 90
    while run.looked < 90:
        run.advance(7)
    recorder.write({"loss": 0.0})
    assert run.advance(5) == 1
    assert run.at(90).state.get("loss") == 0.0
    recorder.close()
    run.run()
    assert run.stopped is not None
    assert (len(run), run.whole) == (91, True)
    agree(run, opened(tmp_path / "run.log", leap=False).run())


def test_it_is_pickled_half_looked_at(tmp_path: Path) -> None:
    import pickle

    plain(tmp_path / "run.log")
    run = opened(tmp_path / "run.log")
    while run.looked < 30:
        run.advance(5)
    again = pickle.loads(pickle.dumps(run))
    assert len(again) == 100
    assert again.at(64).state.get("loss") == 1 / 65
    again.run()
    assert again.curve("loss")[0].tolist() == list(range(100))


def test_the_index_is_a_small_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.saving.runlog.index._STEPS", 4096)
    plain(tmp_path / "run.log", 9000)
    parts = records(tmp_path / "run.log")
    index = sum(end - at for kind, at, end in parts if kind == Kind.INDEX)
    assert 0 < index < 0.06 * os.path.getsize(tmp_path / "run.log")
