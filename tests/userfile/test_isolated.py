"""A generator in a process of its own: whatever it does, this one lives."""

from pathlib import Path

import pytest

from algorithms import Refused, Timeline
from tests.patience import PATIENCE, Patience
from tests.userfile.isolated_runs import gone, run_of, until


def pid_of(run: Timeline) -> int:
    return int(run._own._run._steps.pid)  # type: ignore[attr-defined]


def test_it_is_recorded_and_ends_with_its_reason(tmp_path: Path) -> None:
    run = run_of(
        tmp_path, "def mine(X, k=2):\n    for i in range(k):\n        yield {'a': X[i]}\n    return 'enough'\n", k=3
    )
    until(run, lambda: run.stopped is not None)
    assert run.last == 3
    assert run.stopped is not None
    assert run.stopped.reason == "enough"
    assert run.at(2).state.get("a").tolist() == run.data.X[1].tolist()
    assert run.at(2).line == 3
    assert gone(pid_of(run))


def test_it_raises_and_what_was_recorded_stays(tmp_path: Path) -> None:
    run = run_of(tmp_path, "def mine():\n    for i in range(3):\n        yield 1 / (2 - i)\n")
    until(run, lambda: run.stopped is not None)
    assert run.stopped is not None
    assert run.stopped.failed
    assert run.stopped.line == 3
    assert "ZeroDivisionError" in run.stopped.reason
    assert run.last == 2
    assert run.at(1).state.fields[0][1] == 0.5


@pytest.mark.parametrize(
    "ending", ["import sys; sys.exit(3)", "import os; os._exit(3)", "import os; os.kill(os.getpid(), 11)"]
)
def test_it_ends_the_process(tmp_path: Path, ending: str) -> None:
    run = run_of(tmp_path, f"def mine():\n    yield 1\n    {ending}\n    yield 2\n")
    until(run, lambda: run.stopped is not None)
    assert run.stopped is not None
    assert run.stopped.failed
    assert run.last == 1


def test_it_prints_and_that_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = run_of(
        tmp_path, "def mine():\n    for i in range(50):\n        print('hello', 'x' * 100000)\n        yield i\n"
    )
    until(run, lambda: run.stopped is not None)
    assert run.last == 50
    assert any("it prints: " in notice for notice in run.algorithm.notices)
    assert capfd.readouterr() == ("", "")


def test_it_never_yields_and_is_ended_with_the_run(tmp_path: Path) -> None:
    run = run_of(tmp_path, "def mine():\n    while True:\n        pass\n    yield 1\n")
    for _ in range(20):
        run.advance(10, 0.01)  # comes back
    assert run.last == 0
    assert run.stopped is None
    pid = pid_of(run)
    assert not gone(pid)
    del run
    assert gone(pid)


def test_it_loops_for_ever_after_a_step(tmp_path: Path) -> None:
    run = run_of(tmp_path, "def mine():\n    yield 7\n    while True:\n        pass\n")
    until(run, lambda: run.last == 1)
    for _ in range(20):
        run.advance(10, 0.01)
    assert run.last == 1
    assert run.at(1).state.fields == (("value", 7),)


def test_it_yields_a_gigabyte(tmp_path: Path) -> None:
    body = (
        "import numpy as np\n\ndef mine():\n"
        "    yield {'a': np.zeros(1 << 27), 'b': 1.0}\n    yield {'a': np.zeros(2), 'b': 2.0}\n"
    )
    run = run_of(tmp_path, body)
    until(run, lambda: run.stopped is not None)
    assert "1.0 GB: too large to be kept" in run.at(1).state.get("a")
    assert run.curve("b")[1].tolist() == [1.0, 2.0]


def test_it_yields_without_end_and_waits_for_us(tmp_path: Path) -> None:
    run = run_of(tmp_path, "def mine():\n    i = 0\n    while True:\n        i += 1\n        yield i\n")
    patience = Patience(PATIENCE)
    while run.last < 500 and not patience.over:
        run.advance(1_000_000, 0.01)
    assert run.last >= 500
    pid = pid_of(run)
    del run
    assert gone(pid)


def test_a_file_that_is_imported_for_ever_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.userfile.isolated.IMPORTING", 1.0)
    with pytest.raises(Refused, match="was not imported within 1 second"):
        run_of(tmp_path, "while True:\n    pass\n")


def test_a_second_run_begins_afresh_and_an_edited_file_is_another(tmp_path: Path) -> None:
    run = run_of(tmp_path, "def mine():\n    yield 1\n")
    until(run, lambda: run.stopped is not None)
    again = run_of(tmp_path, "def mine():\n    yield 2\n    yield 3\n")
    until(again, lambda: again.stopped is not None)
    assert (run.last, again.last) == (1, 2)
    assert len(again.algorithm.source[2]) == 3
