"""A recording cut at any byte opens to what was whole; one that was damaged never shows a wrong number."""

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from algorithms import Recorder, Refused, Timeline, datasets, find
from algorithms.core import Contrast
from algorithms.core.state import same
from algorithms.saving.runlog import LoggedRun
from algorithms.saving.runlog.logfile import MAGIC, Damaged, Kind
from algorithms.saving.runlog.pack import Raw
from algorithms.saving.runlog.records import CurveRecord, EndRecord, Header, RowsRecord, StepRecord, TheoremRecord
from tests.patience import PATIENCE, Patience
from tests.process import started
from tests.saving.runlog.recording import record
from tests.saving.runlog.tapes import tape

ROOT = Path(__file__).parents[3]


@pytest.fixture
def states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Those in run.log, a recording with all kinds of records: rows, arrays, curves, theorems, and an end."""
    monkeypatch.setattr("algorithms.saving.runlog.pack._INLINE", 32)
    return record(tmp_path / "run.log", find("lloyd"), datasets.load("blobs", n=40), {"k": 3})


def read(path: Path) -> tuple[list[Any], str]:
    """The states that a recording gives, and why there are no more."""
    recorded = LoggedRun(path)
    run = Timeline(recorded, recorded.datasets[0]).run()
    assert run.stopped is not None
    assert not run.troubles
    for t in range(len(run)):
        frame = run.at(t)
        run.verdicts(frame)
        run.algorithm.scene(run.problem, frame.before, frame.state)
    return [run.at(t).state for t in range(len(run))], run.stopped.reason


def whole_records(content: bytes) -> list[tuple[int, int]]:
    """(kind, position after it) of each record, taken apart here by hand."""
    at, found = len(MAGIC), []
    while at < len(content):
        length, kind = int.from_bytes(content[at : at + 4], "little"), content[at + 4]
        at += 9 + length + 16
        found.append((kind, at))
    return found


def test_cut_at_any_byte_it_opens_to_what_was_whole(tmp_path: Path, states: list[Any]) -> None:
    content = (tmp_path / "run.log").read_bytes()
    records = whole_records(content)
    assert {kind for kind, _ in records} == {1, 2, 3, 4}
    header_ends = records[0][1]
    cut = tmp_path / "cut.log"
    ends = {end + by for _, end in records for by in (-1, 0, 1)}  # and elsewhere every 29th byte
    for size in sorted({*range(0, len(content), 29), *ends} & set(range(len(content)))):
        cut.write_bytes(content[:size])
        if size < header_ends:
            with pytest.raises(Refused, match=r"^[^\n]*\.$"):
                LoggedRun(cut)
            continue
        recorded = LoggedRun(cut)
        wanted = sum(1 for kind, end in records if kind == Kind.STEP and end <= size)
        found = [recorded.state(t) for t in range(wanted)]
        assert all(map(same, found, states))
        assert recorded.state(wanted) is None
        assert "without an end" in recorded.outcome()


def test_none_of_seven_hundred_flipped_bits_is_read_as_right(tmp_path: Path, states: list[Any]) -> None:
    content = (tmp_path / "run.log").read_bytes()
    draw, flipped = random.Random(0), tmp_path / "flipped.log"
    refused = 0
    for _ in range(700):
        at = draw.randrange(len(content))
        flipped.write_bytes(content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1 :])
        try:
            recorded = LoggedRun(flipped)
        except Refused:
            refused += 1
            continue
        found = []
        while (state := recorded.state(len(found))) is not None:
            found.append(state)
        assert len(found) < len(states) or "damaged" in recorded.outcome()
        assert all(map(same, found, states))
        assert "damaged" in recorded.outcome()
        assert any("damaged" in notice for notice in recorded.notices)
    assert 0 < refused < 700


def test_bytes_that_are_lost_put_in_or_swapped_are_noticed(tmp_path: Path, states: list[Any]) -> None:
    content = (tmp_path / "run.log").read_bytes()
    ends = [len(MAGIC)] + [end for _, end in whole_records(content)]
    changed = tmp_path / "changed.log"
    for i in range(1, len(ends) - 2):  # a whole record lost, doubled, or changed for the next
        a, b, c = ends[i : i + 3]
        for new in (content[:a] + content[b:], content[:b] + content[a:], content[:a] + content[b:c] + content[a:b]):
            changed.write_bytes(new)
            found, reason = read(changed)
            assert all(map(same, found, states))
            assert "damaged" in reason or len(found) == len(states)
    zeros = content[: ends[6]] + bytes(4096)  # as a file system may leave it when the power fails
    changed.write_bytes(zeros)
    assert "damaged" in read(changed)[1]


def test_a_step_that_goes_bad_while_it_is_watched_is_not_shown(tmp_path: Path, states: list[Any]) -> None:
    path = tmp_path / "run.log"
    recorded = LoggedRun(path)
    run = Timeline(recorded, recorded.datasets[0]).run()
    content = bytearray(path.read_bytes())
    (first, *_) = [end for kind, end in whole_records(bytes(content)) if kind == Kind.STEP]
    content[first - 20] ^= 1
    with path.open("r+b") as file:
        file.write(content)
    recorded._held.clear()
    with pytest.raises(Damaged):
        recorded.state(0)
    path.write_bytes(b"")
    recorded._held.clear()
    with pytest.raises(Damaged, match="shorter"):
        recorded.state(3)
    assert same(run.at(len(states) - 1).state, states[-1]), "what is in memory is there"


# Killed, full, followed

_WRITER = """
import sys
import numpy as np
from algorithms import Recorder
rng = np.random.default_rng(0)
recorder = Recorder(sys.argv[1], title="killed")
for t in range(10**9):
    recorder.write({"t": t, "double": 2 * t, "w": rng.random(200)})
    print(t, flush=True)
"""


def _writer(path: Path, code: str = _WRITER) -> "AbstractContextManager[subprocess.Popen[str]]":
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return started(sys.executable, "-c", code, str(path), stdout=subprocess.PIPE, text=True, env=environment)


def _until(met: Callable[[], bool]) -> None:
    patience = Patience(PATIENCE)
    while not met():
        assert not patience.over
        time.sleep(0.005)


@pytest.mark.parametrize("steps", [3, 40, 171])
def test_all_that_was_written_before_a_kill_is_there(tmp_path: Path, steps: int) -> None:
    path = tmp_path / "run.log"
    with _writer(path) as writer:
        assert writer.stdout is not None
        for _ in range(steps):
            said = writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
        said = (said + writer.stdout.read()).split("\n")[-2]
    recorded = LoggedRun(path)
    run = Timeline(recorded, recorded.datasets[0]).run()
    assert run.last >= int(said), "every step that was said to be written"
    rng = np.random.default_rng(0)
    for t in range(len(run)):
        state = run.at(t).state
        assert (state.get("t"), state.get("double")) == (t, 2 * t)
        np.testing.assert_array_equal(state.get("w"), rng.random(200))
    followed = LoggedRun(path, follow=True)
    run = Timeline(followed, followed.datasets[0])
    run.advance(10**9)
    assert run.stopped is None
    assert "has no end" in followed.notices[0], "nobody writes it any more"


def test_it_is_followed_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    with _writer(path):
        _until(path.exists)
        _until(lambda: path.stat().st_size > len(MAGIC))
        recorded = LoggedRun(path, follow=True)
        run = Timeline(recorded, recorded.datasets[0])
        for wanted in (10, 60, 200):

            def there(wanted: int = wanted) -> bool:
                run.advance(wanted - len(run))
                return len(run) >= wanted

            _until(there)
            assert run.at(wanted - 1).state.get("double") == 2 * (wanted - 1)
            assert run.at(wanted // 2).state.get("t") == wanted // 2
        assert run.stopped is None
        assert not recorded.notices


def test_the_end_comes_when_it_is_written(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.log")
    recorder.write(1)
    recorded = LoggedRun(tmp_path / "run.log", follow=True)
    run = Timeline(recorded, recorded.datasets[0])
    assert run.advance(9) == 1
    assert run.stopped is None
    recorder.write(2)
    recorder.end("it was enough")
    assert run.advance(9) == 1
    run.advance(1)
    assert run.stopped is not None
    assert run.stopped.reason == "it was enough"


def test_one_that_was_just_begun_is_waited_for(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "run.log")
    begun = threading.Timer(0.2, lambda: recorder.write(1))
    begun.start()
    assert LoggedRun(tmp_path / "run.log", follow=True).title == "run (recorded)"
    begun.join()
    recorder.close()


def test_a_full_disk_leaves_what_was_whole_and_is_said(tmp_path: Path) -> None:
    code = _WRITER.replace("import sys\n", "import sys, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n")
    path = tmp_path / "run.log"
    writer = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        check=False,
    )
    assert "Refused: " in writer.stderr
    assert "cannot be written any further: File too large." in writer.stderr
    found, reason = read(path)
    assert len(found) == len(writer.stdout.splitlines())
    assert "without an end" in reason


def test_a_step_that_is_too_large_is_refused_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("algorithms.saving.runlog.pack.MOST", 100_000)
    with Recorder(tmp_path / "run.log") as recorder:
        recorder.write(np.zeros(1000))
        with pytest.raises(Refused, match=r"too large to be recorded\.$"):
            recorder.write(np.zeros(100_000))
        recorder.write(np.zeros(2000))
    found, _ = read(tmp_path / "run.log")
    assert [state.get("value").size for state in found] == [1000, 2000]


# Hostile


@pytest.mark.parametrize("content", [b"", b"iterscope", b"PK\x03\x04", MAGIC[:-1] + b"2", MAGIC, MAGIC + bytes(999)])
def test_what_is_no_recording_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.log").write_bytes(content)
    with pytest.raises(Refused, match=r"^[^\n]*\.$"):
        LoggedRun(tmp_path / "run.log")


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null", "folder", "pipe", "missing"])
def test_places_that_hold_none_are_refused_in_a_sentence(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match=r"^[^\n]*\.$"):
        LoggedRun(tmp_path / place)
    if place != "missing":
        with pytest.raises(Refused, match=r"cannot be written: [^\n]*\.$"):
            Recorder(tmp_path / place, overwrite=True)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a plain file that cannot be read is Linux's own")
def test_one_that_fails_at_its_first_read_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "run.log").symlink_to("/proc/self/mem")
    with pytest.raises(Refused, match=r"is no recording that can be read: byte 0: it cannot be read \("):
        LoggedRun(tmp_path / "run.log", follow=True)


_HEADER = Header(title="t", name="n")
_ROWS = RowsRecord(name="r", digest=b"", X=Raw.of(np.eye(2)))
_BOMB = Raw("<f8", (1 << 24,), zlib.compress(bytes(1 << 26), 9), True)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\xc1",
        b"\x91" * 100_000,
        {"title": 7},
        {"title": "t", "name": "n", "parameters": {"a": {"@": 0}}},
        {"title": "t", "name": "n", "events": [["e", "p"]] * 1001},
        Header(title="t", name="n", data=RowsRecord(name="r", digest=b"", X=Raw("|O", (1,), bytes(8)))),
        Header(title="t", name="n", data=RowsRecord(name="r", digest=b"", X=Raw("<f8", (1 << 62, 9), b""))),
        Header(title="t", name="n", data=RowsRecord(name="r", digest=b"", X=Raw("<f8", (-1, 2), b""))),
        Header(title="t", name="n", data=RowsRecord(name="r", digest=b"", X=Raw("(9,9,9,9,9,9)f8", (1,), b""))),
        Header(title="t", name="n", data=RowsRecord(name="r", digest=b"", X=Raw.of(np.array([[np.nan]])))),
        Header(title="t", name="n", data=RowsRecord(name="r", digest=b"", X=_ROWS.X, features=("a",) * 9)),
        Header(
            title="t",
            name="n",
            data=RowsRecord(
                name="r", digest=b"", X=_ROWS.X, y=Raw.of(np.array([0, 7])), kind="class", classes=("a", "b")
            ),
        ),
    ],
)
def test_a_header_that_was_made_to_harm_is_refused_in_a_sentence(tmp_path: Path, header: Any) -> None:
    with pytest.raises(Refused, match=r"^[^\n]*\.$"):
        LoggedRun(tape(tmp_path / "run.log", (Kind.HEADER, header)))


@pytest.mark.parametrize(
    "fields",
    [
        {"a": {"@": 0}},
        {"a": {"@": -1}},
        {"a": {"=": ["|O", [1], b"12345678"]}},
        {"a": {"=": ["<f8", [2], b"12345678"]}},
        {"a": {"=": _BOMB}},
        {"a": {"=": ["<f8", [1 << 40], b"", True]}},
        {"a": {"=": ["V8", [1], b"12345678"]}},
        {"a": {"=": ["<f8", [1] * 70, b"12345678"]}},
        {"a": {"pickle": b"cos\nsystem\n"}},
        {"a": {"int": "9" * 5000}},
        {"a": b"bytes"},
        {"a": [[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]},
        {"a": {"#": 7}},
    ],
)
def test_a_step_that_was_made_to_harm_ends_the_run_with_a_sentence(tmp_path: Path, fields: Any) -> None:
    good = StepRecord(0, 0, "step", 0, {"a": 1})
    bad = StepRecord(1, 0, "step", 0, fields)
    path = tape(tmp_path / "run.log", (Kind.HEADER, _HEADER), (Kind.STEP, good), (Kind.STEP, bad), (Kind.STEP, good))
    found, reason = read(path)
    assert [state.get("a") for state in found] == [1]
    assert "damaged" in reason


def test_a_state_that_is_none_of_its_algorithm_ends_the_run(tmp_path: Path) -> None:
    data = datasets.load("blobs", n=40)
    algorithm = find("perceptron")
    header = Header.of(algorithm, algorithm.problem(data), ("w", "row", "place", "mistakes", "clean", "bound"), True)
    fields = {"w": "text", "row": 0, "place": 0, "mistakes": 0, "clean": 0, "bound": 0.0}
    path = tape(tmp_path / "run.log", (Kind.HEADER, header), (Kind.STEP, StepRecord(0, 0, "start", 0, fields)))
    recorded = LoggedRun(path)
    run = Timeline(recorded, data if recorded.data is None else recorded.data)
    assert run.advance(1) == 0
    assert run.stopped is not None
    assert "step 0 is no state of Perceptron (recorded)" in run.stopped.reason


def test_the_order_of_records_is_kept_to(tmp_path: Path) -> None:
    step = StepRecord(0, 0, "step", 0, {"a": 1})
    with pytest.raises(Refused, match="does not begin with"):
        LoggedRun(tape(tmp_path / "a.log", (Kind.STEP, step)))
    twice = tape(tmp_path / "b.log", (Kind.HEADER, _HEADER), (Kind.STEP, step), (Kind.HEADER, _HEADER))
    assert "a second header" in read(twice)[1]
    wrong = tape(tmp_path / "c.log", (Kind.HEADER, _HEADER), (Kind.STEP, msgspec.structs.replace(step, t=4)))
    recorded = LoggedRun(wrong)
    with pytest.raises(StopIteration, match="step 4 stands where step 0 should"):
        next(recorded.start(recorded.problem(recorded.datasets[0].load())))
    after = tape(tmp_path / "d.log", (Kind.HEADER, _HEADER), (Kind.END, EndRecord("over")), (Kind.STEP, step))
    recorded = LoggedRun(after)
    assert recorded.state(0) is None
    assert recorded.outcome() == "over"


def test_rows_that_are_found_by_name_are_no_larger_than_they_may_be(tmp_path: Path) -> None:
    for made in ((("n", 10**12),), (("no such", 1),)):
        rows = RowsRecord(name="r", digest=b"", recipe=msgspec.structs.replace(datasets.blobs, made=made))
        path = tape(tmp_path / f"{len(made[0][0])}.log", (Kind.HEADER, Header(title="t", name="n", data=rows)))
        with pytest.raises(Refused, match=r"^[^\n]*\.$"):
            LoggedRun(path)
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n3,4\n")
    rows = RowsRecord(name="r", digest=b"", recipe=datasets.recipe(str(secret)))
    recorded = LoggedRun(tape(tmp_path / "file.log", (Kind.HEADER, Header(title="t", name="n", data=rows))))
    assert recorded.data is None, "no file of this machine is read because a recording says so"


def test_what_is_large_in_a_hall_is_what_was_recorded_with_it_or_nothing(tmp_path: Path) -> None:
    theorem = TheoremRecord("f never rises", "me", "step")
    curves = (CurveRecord("a"), CurveRecord("b"))
    for i, (words, of) in enumerate((("a against b", ("a", "no such")), (" \n", ("a", "b")), ("", ("a", "b")))):
        contrast = Contrast(words, of, ("a", "b"))
        header = Header(title="t", name="n", theorems=(theorem,), curves=curves, contrast=contrast, in_hall="another")
        recorded = LoggedRun(tape(tmp_path / f"{i}.log", (Kind.HEADER, header)))
        assert recorded.contrast is None
        assert recorded.in_hall == ""
    contrast = Contrast("a against b", ("a", "b"), ("a", "b"))
    header = Header(title="t", name="n", theorems=(theorem,), curves=curves, contrast=contrast, in_hall="f never rises")
    recorded = LoggedRun(tape(tmp_path / "right.log", (Kind.HEADER, header)))
    assert recorded.contrast == contrast
    assert recorded.in_hall == "f never rises"


def test_events_without_what_they_begin_begin_nothing(tmp_path: Path) -> None:
    header = Header(title="t", name="n", events=(("a", ""), ("b", ""), ("c", "")), anew=("another problem",))
    recorded = LoggedRun(tape(tmp_path / "run.log", (Kind.HEADER, header)))
    assert [event.anew for event in recorded.events] == ["another problem", "", ""]
