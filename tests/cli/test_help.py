"""The help of every command fits a screen and has a line that runs; tab completes what a person types."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms.__main__ import main
from algorithms.cli.commands import COMMANDS
from algorithms.playback.runs.request import read
from tests.documents import ROOT, few_moments
from tests.patience import LONG


def helped(words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        read("iterscope", words) if words == ["--help"] else main(words)
    assert ended.value.code == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_help_of_a_command_fits_a_small_screen(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = helped([*([command] if command else ()), "--help"] if command else ["-h"], capsys, monkeypatch)
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Example: python -m algorithms ") for line in lines)


def test_that_of_the_screen_fits_one_of_a_hundred_by_thirty(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = helped(["--help"], capsys, monkeypatch)
    assert lines[0] == "usage: iterscope [options] [NAME]"
    assert len(lines) <= 30


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_a_command_runs(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "demos", tmp_path / "demos")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("algorithms.playback.lessons.command.lesson_named", few_moments)
    differs = command == "diverge"
    assert main([command, *shlex.split(COMMANDS[command].example)]) == differs
    assert capsys.readouterr().out


def test_the_command_that_is_installed_has_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Who has it from a wheel, in an environment of its own, has no `python -m algorithms`."""
    from tui.__main__ import main as installed

    assert installed(["show", "lloyd"]) == 0
    assert "k-means" in capsys.readouterr().out


def test_data_sets_are_listed_with_the_flags_for_what_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data"]) == 0
    listed = capsys.readouterr().out
    assert "faithful" in listed
    assert "--hold-out SHARE" in listed
    assert main(["data", "flowers"]) == 0
    few = capsys.readouterr().out
    assert "iris" in few
    assert "faithful" not in few
    assert main(["data", "no such thing"]) == 2


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("iterscope perc", {"perceptron"}),
        ("iterscope swe", {"sweep"}),
        ("iterscope lloyd --data ir", {"iris", "iris_ratios"}),
        ("iterscope lloyd --ho", {"--hold-out", "--hold-out-seed"}),
        ("iterscope lloyd -p se", {"seed="}),
        ("iterscope lloyd -p start=r", {"start=rows"}),
        ("iterscope --lesson e", {"em"}),
        ("iterscope run perc", {"perceptron"}),
        ("iterscope run lloyd -p se", {"seed="}),
        ("iterscope lesson perc", {"perceptron"}),
        ("iterscope completion f", {"fish"}),
    ],
)
def test_tab_completes(typed: str, completed: set[str], tmp_path: Path) -> None:
    asked = {"COMP_LINE": typed, "COMP_POINT": str(len(typed)), "_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": "fish"}
    answer = tmp_path / "answer"
    subprocess.run(
        [sys.executable, "-c", "import tui.__main__; tui.__main__.main()"],
        cwd=tmp_path,
        env=os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=LONG,
    )
    assert {word.strip() for word in answer.read_text().split("\013")} == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_of_the_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    code = capsys.readouterr().out
    assert "iterscope" in code
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=code, text=True, check=True, timeout=LONG)
