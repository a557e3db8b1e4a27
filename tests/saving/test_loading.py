"""A path that is a recording opens as one, wherever a file can be named."""

import subprocess
import sys
from pathlib import Path

import pytest

from algorithms import Refused, Timeline, find, load
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import read
from algorithms.playback.runs.variant import against
from algorithms.saving.runlog import LoggedRun, Recorder


@pytest.fixture
def log(tmp_path: Path) -> str:
    with Recorder(tmp_path / "x.log", title="halving") as recorder:
        for i in range(4):
            recorder.write({"x": 0.5**i})
    return str(tmp_path / "x.log")


def test_load_opens_a_recording(log: str) -> None:
    for apart in (False, True):
        recorded = load(log, apart)
        assert isinstance(recorded, LoggedRun)
        assert Timeline(recorded, recorded.datasets[0], {}).run().last == 3


def test_a_recording_stands_against_a_run(log: str) -> None:
    other = against(LoadedRun.usual(find("lloyd")), log)
    assert isinstance(other.algorithm, LoggedRun)
    assert other.timeline().run().last == 3
    with pytest.raises(Refused, match="is a recording: it has its data and parameters with it"):
        against(LoadedRun.usual(find("lloyd")), f"{log}:k=4")


def test_a_command_line_opens_a_recording_by_its_name(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    request = read("iterscope", [log, "--against", log])
    assert request.opened is not None
    assert isinstance(request.opened.algorithm, LoggedRun)
    assert isinstance(request.against[0].timeline.algorithm, LoggedRun)
    with pytest.raises(SystemExit):
        read("iterscope", [log, "-p", "k=3"])
    assert "a recording has its data and parameters with it" in capsys.readouterr().err


def test_a_name_of_the_catalogue_stays_one_beside_a_recording_called_so(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(log).rename(tmp_path / "lloyd")
    monkeypatch.chdir(tmp_path)
    assert read("iterscope", ["lloyd"]).opened is not None
    opened = read("iterscope", ["lloyd"]).opened
    assert opened is not None
    assert opened.algorithm is find("lloyd")


def test_an_error_without_a_line_is_said_without_one(tmp_path: Path) -> None:
    script = "from algorithms import Recorder\nwith Recorder('run.log') as r:\n    r.write(1.0)\n    1 / 0\n"
    subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(Path.cwd())}, capture_output=True
    )
    done = subprocess.run(
        [sys.executable, "-m", "algorithms", "run", str(tmp_path / "run.log")], capture_output=True, text=True
    )
    assert "ZeroDivisionError: division by zero" in done.stderr
    assert "line 0" not in done.stderr


def test_what_a_session_says_was_given_may_be_anything() -> None:
    from types import SimpleNamespace

    from tui.sessions import opened_of

    timeline = LoadedRun.usual(find("lloyd")).timeline()
    for given in ([{}], [[1]], {"k": 1}, [None, 3, "k"], "k"):
        opening = SimpleNamespace(
            branches=SimpleNamespace(root=SimpleNamespace(timeline=timeline)),
            session=SimpleNamespace(view={"given": given}, spec=""),
            algorithm=timeline.algorithm,
            source=None,
        )
        assert set(opened_of(opening).parameters) <= {"k"}  # type: ignore[arg-type]
