"""A recording that is gone on with after a restart: what was whole stays, the seam is an event, counting goes on."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from algorithms import Recorder, Refused, Timeline, conditions, datasets, find
from algorithms.saving.runlog import LoggedRun
from algorithms.saving.runlog.logfile import Kind
from algorithms.saving.runlog.records import EndRecord, Header, SeamRecord, StepRecord
from tests.saving.runlog.recording import record
from tests.saving.runlog.tapes import tape


def losses(first: float, n: int = 4) -> Iterator[dict[str, Any]]:
    for k in range(n):
        yield {"loss": first / 2**k, "w": np.full(50, first)}


def run_of(path: Path) -> Timeline:
    recorded = LoggedRun(path)
    return Timeline(recorded, recorded.datasets[0].load()).run()


def recorded_over(path: Path, first: float, **settings: Any) -> None:
    for _ in Recorder(path, append=True, **settings).over(losses(first)):
        pass


def test_a_second_process_goes_on_and_the_seam_is_an_event(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    recorded_over(path, 8.0, parameters={"rate": 0.5})
    recorded_over(path, 1.0, parameters={"rate": 0.1})
    run = run_of(path)
    states = [run.at(t).state for t in range(len(run))]
    assert [state.parts().get("loss") for state in states] == [None, 8, 4, 2, 1, 1, 0.5, 0.25, 0.125]
    assert [state.iteration for state in states] == list(range(9))  # it counts on, and is not called a second time
    assert states[5].parts()["w"].tolist() == [1.0] * 50  # an array that has a record of its own
    restart = conditions.parse('"a restart"', run)
    assert [t for t in range(len(run)) if restart.holds(run, t)] == [5]
    words = run.algorithm.explain(run.problem, states[4], states[5])
    assert "begun again after 'it has ended'; rate 0.5 → 0.1" in words
    assert any("step 5 is the first after it" in notice for notice in run.algorithm.notices)


def test_without_a_file_it_begins_one_and_what_is_the_same_is_not_told(tmp_path: Path) -> None:
    path, data = tmp_path / "run.log", datasets.load("faithful")
    for _ in range(3):
        with Recorder(path, data=data, parameters={"k": 3}, append=True) as recorder:
            recorder.write({"J": 1.0})
    run = run_of(path)
    assert len(run) == 3
    assert "begun again after 'no more was recorded'." in run.algorithm.explain(run.problem, None, run.at(1).state)
    assert run.data.n == data.n


def test_other_rows_and_another_source_are_told(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    for data in ("faithful", "iris"):
        with Recorder(path, data=datasets.load(data), append=True) as recorder:
            recorder.write({"J": 1.0})
    assert "on other rows, which are not shown" in run_of(path).algorithm.explain(
        run_of(path).problem, None, run_of(path).run().at(1).state
    )
    recorded_over(tmp_path / "own.log", 1.0)

    def other() -> Iterator[float]:
        yield 2.0

    for _ in Recorder(tmp_path / "own.log", append=True).over(other()):
        pass
    run = run_of(tmp_path / "own.log")
    assert [run.at(t).line > 0 for t in (1, 4, 5)] == [True, True, False]  # no line of a source that is not shown
    assert "its source is not the one" in run.algorithm.explain(run.problem, None, run.at(5).state)


@pytest.mark.parametrize("cut", [1, 7, 40, 90])
def test_one_that_was_cut_off_loses_what_is_not_whole_and_goes_on(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run.log"
    with Recorder(path) as recorder:
        for t in range(9):
            recorder.write({"t": t, "w": np.arange(60.0) * t})
    path.write_bytes(path.read_bytes()[:-cut])
    left = len(run_of(path))
    with Recorder(path, append=True) as recorder:
        assert recorder.steps == left
        for t in (20, 21):
            recorder.write({"t": t, "w": np.arange(60.0) * t})
    run = run_of(path)
    shown = [run.at(t).state.parts() for t in range(len(run))]
    assert [parts["t"] for parts in shown] == [*range(left), 20, 21]
    assert all(np.array_equal(parts["w"], np.arange(60.0) * parts["t"]) for parts in shown)
    assert run.stopped is not None
    assert run.stopped.reason == "no more was recorded"


def test_who_follows_an_ended_one_reads_on_behind_the_seam(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with Recorder(path) as recorder:
        recorder.write(1.0)
    following = LoggedRun(path, follow=True)
    assert following.state(1) is None
    assert following.outcome() == "no more was recorded"
    assert following.news == ""
    with Recorder(path, append=True) as recorder:
        recorder.write(2.0)
        assert following.news == "run.log goes on behind the end that was shown"
        assert following.state(1) is not None
        assert following.growing
        assert following.news == ""


def test_one_that_was_replaced_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with Recorder(path) as recorder:
        recorder.write(1.0)
    following = LoggedRun(path, follow=True)
    path.rename(tmp_path / "elsewhere.log")
    assert following.news == ""  # it is only gone
    with Recorder(path) as recorder:
        recorder.write(2.0)
    assert following.news == "run.log was replaced by a newer file"


def test_what_cannot_be_gone_on_with_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with pytest.raises(Refused, match="append or overwrite, and not both"):
        Recorder(path, append=True, overwrite=True)
    path.write_text("x,y\n1,2\n")
    with pytest.raises(Refused, match="no recording that this version reads"):
        Recorder(path, append=True)
    assert path.read_text() == "x,y\n1,2\n"
    with Recorder(tmp_path / "damaged.log") as recorder:
        for t in range(9):
            recorder.write(t)
    content = bytearray((tmp_path / "damaged.log").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "damaged.log").write_bytes(content)
    with pytest.raises(Refused, match="is damaged, and cannot be gone on with: byte"):
        Recorder(tmp_path / "damaged.log", append=True)
    assert (tmp_path / "damaged.log").read_bytes() == content
    record(tmp_path / "ours.log", find("lloyd"), datasets.load("faithful"), {"k": 2}, 3)
    with pytest.raises(Refused, match="which can be run again: nothing is added to it"):
        Recorder(tmp_path / "ours.log", append=True)
    assert len(run_of(tmp_path / "ours.log")) == 3


def test_one_that_another_process_writes_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with Recorder(path) as recorder:
        recorder.write(1)
        other = f"from algorithms import Recorder\nRecorder({str(path)!r}, append=True)"
        said = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True, check=False)
        assert "is being written by another process" in said.stderr
        recorder.write(2)
    assert len(run_of(path)) == 2


def test_a_seam_where_none_can_be_is_no_end_of_the_reader(tmp_path: Path) -> None:
    header, step = Header(title="mine", name="mine"), StepRecord(0, 0, "step", 0, {"a": 1})
    first = tape(tmp_path / "a.log", (Kind.HEADER, header), (Kind.SEAM, SeamRecord("x" * 9)), (Kind.STEP, step))
    assert len(run_of(first)) == 1
    wrong = tape(
        tmp_path / "b.log",
        (Kind.HEADER, header),
        (Kind.STEP, step),
        (Kind.END, EndRecord("over")),
        (Kind.SEAM, msgspec.msgpack.encode({"no": "seam"})),
    )
    stopped = run_of(wrong).stopped
    assert stopped is not None
    assert "damaged" in stopped.reason
