"""`python -m algorithms run ... --record FILE`, and what the other commands make of a recording."""

from pathlib import Path

import pytest

from algorithms import Timeline, find
from algorithms.__main__ import main
from algorithms.core.state import same
from algorithms.saving.runlog import LoggedRun


def test_every_step_is_recorded_whichever_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.log"
    assert main(["run", "lloyd", "-p", "k=3", "--every", "5", "--format", "csv", "--record", str(path)]) == 0
    printed = capsys.readouterr().out
    truth = Timeline(find("lloyd"), find("lloyd").datasets[0], {"k": 3}).run()
    recorded = LoggedRun(path)
    run = Timeline(recorded, recorded.datasets[0]).run()
    assert len(run) == len(truth)
    assert all(same(run.at(t).state, truth.at(t).state) for t in range(len(truth)))
    assert [run.kind(t).line for t in range(len(run))] == [truth.kind(t).line for t in range(len(run))]
    assert run.stopped == truth.stopped
    assert main(["run", str(path), "--every", "5", "--format", "csv"]) == 0
    assert capsys.readouterr().out == printed, "the recording says what the run said"
    for command in (["show"], ["report"]):
        assert main([*command, str(path)]) == 0
        assert "k-means" in capsys.readouterr().out


def test_a_file_that_is_there_is_kept_unless_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.log"
    path.write_text("mine")
    assert main(["run", "lloyd", "--record", str(path)]) == 2
    assert "there already" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main(["run", "lloyd", "--steps", "2", "--record", str(path), "--overwrite"]) == 0
    run = LoggedRun(path)
    assert run.state(2) is not None
    assert run.state(3) is None
    assert run.outcome() == "stopped at step 2, as asked"


def test_a_run_that_fails_is_recorded_with_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "def mine():\n    for i in range(3):\n        value = 1 / (2 - i)\n        yield value\n"
    )
    path = tmp_path / "run.log"
    assert main(["run", str(tmp_path / "mine.py"), "--record", str(path)]) == 1
    recorded = LoggedRun(path)
    run = Timeline(recorded, recorded.datasets[0]).run()
    assert [run.at(t).state.get("value") for t in (1, 2)] == [0.5, 1.0]
    assert run.stopped is not None
    assert (run.stopped.reason, run.stopped.line) == ("ZeroDivisionError: division by zero", 3)
    capsys.readouterr()
    assert main(["run", str(path)]) == 1
    assert "ZeroDivisionError: division by zero, in line 3" in capsys.readouterr().err
