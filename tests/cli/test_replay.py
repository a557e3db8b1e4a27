"""python -m algorithms replay: a line a branch, and an exit status."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Opening
from algorithms.__main__ import main
from tests.patience import LONG
from tests.saving.session.kept import changed, changed_again, forked, kept, runs

ROOT = Path(__file__).parents[2]


def test_headless_replay_says_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lesson.json"
    kept(forked(), path)
    assert main(["replay", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all("as it was saved" in line for line in lines)
    changed(path, lambda plain: plain["states"]["pulled apart"][0]["fields"]["means"].update(digest="0" * 16))
    assert main(["replay", str(path)]) == 1
    (said,) = (line for line in capsys.readouterr().out.splitlines() if "not as it was saved" in line)
    assert said.startswith("pulled apart: ")
    path.write_text("{}")
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def nudged(plain: dict[str, Any], first: int = 1) -> None:
    """As another processor has it: from a step on the last bit of one number is another."""
    for step in plain["states"]["first run"][first:]:
        sums = step["fields"]["sums"]
        sums["digest"], sums["numbers"][0] = "0" * 16, np.nextafter(sums["numbers"][0], 1e9)
    plain["traces"] = {}


def test_rounding_is_said_and_is_no_difference_unless_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lesson.json"
    kept(runs(), path)
    changed(path, nudged)
    assert main(["replay", str(path)]) == 0
    line = capsys.readouterr().out
    assert "step 1 is the first that is not as it was saved: sums holds" in line
    assert line.endswith(": rounding, as on another processor\n")
    assert main(["replay", "--exact", str(path)]) == 1
    assert capsys.readouterr().out == line
    opening = Opening(path)
    opening.work()
    assert len(opening.differences) == 1
    assert not opening.differs
    assert opening.compared["first run"] == len(opening.session.states["first run"])


def test_what_is_more_than_rounding_is_found_behind_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lesson.json"
    session = kept(runs(), path)
    steps = [step.t for step in session.states["first run"]]

    def flipped(plain: dict[str, Any]) -> None:
        labels = plain["states"]["first run"][4]["fields"]["labels"]
        labels["digest"] = "0" * 16

    changed(path, nudged)
    changed_again(path, flipped)
    assert main(["replay", str(path)]) == 1
    told = capsys.readouterr().out
    assert f"step {steps[4]} is not as it was saved, and step {steps[3]} still is, but for rounding: labels" in told


def test_a_run_that_had_ended_differs_behind_rounding_too(tmp_path: Path) -> None:
    path = tmp_path / "lesson.json"
    tree = runs()
    kept(tree, path)

    def earlier(plain: dict[str, Any]) -> None:
        last = plain["states"]["first run"].pop()["t"]
        plain["branches"][0].update(cursor=0)
        assert last == tree.root.timeline.last

    changed(path, nudged)
    changed_again(path, earlier)
    assert main(["replay", str(path)]) == 1


@pytest.mark.parametrize("kind", ["Prescott", "Haswell"])
def test_the_session_that_is_shipped_is_replayed_as_on_another_processor(kind: str) -> None:
    """OpenBLAS sums as that processor does; where NumPy has another library nothing differs, which is status 0 too."""
    command = [sys.executable, "-m", "algorithms", "replay", "demos/dragged_mean.json"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"OPENBLAS_CORETYPE": kind}, capture_output=True, text=True, timeout=LONG
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert all("rounding" in line or "as it was saved, at" in line for line in done.stdout.splitlines())
