"""`python -m algorithms export NAME --to page.html`: what it writes, and what it refuses in a sentence."""

import gzip
import re
import signal
import subprocess
import sys
import time
from base64 import b64decode
from json import loads
from pathlib import Path
from typing import Any

import pytest

import algorithms.__main__ as program
from tests.patience import LONG, PATIENCE
from tests.process import started

DEMO = Path(__file__).parents[2] / "demos/dragged_mean.json"


def packed(path: Path) -> dict[str, Any]:
    found = re.search('id="data">([^<]*)<', path.read_text(encoding="utf-8"))
    assert found is not None
    held = loads(gzip.decompress(b64decode(found[1])))
    return held | held["runs"][0]  # type: ignore[no-any-return]


def test_a_run_is_written_as_a_page(says, tmp_path):
    path = tmp_path / "page.html"
    words = ["export", "lloyd", "--data", "faithful", "-p", "k=3", "--steps", "4", "--size", "90x30", "--to", str(path)]
    status, out, _ = says(*words)
    assert (status, out) == (0, f"Steps 0 to 4 are in {path}; any browser opens it.\n")
    held = packed(path)
    assert held["size"] == [90, 29], "but for the row of keys"
    assert [step[0] for step in held["steps"]] == [0, 1, 2, 3, 4]
    assert "faithful" in held["title"]
    assert "k 3" in "".join(held["texts"][0])
    status, _, err = says(*words)
    assert status == 2
    assert "is there already" in err
    assert says(*words, "--overwrite")[0] == 0


def test_a_recording_is_written_as_a_page(says, tmp_path):
    recording, path = tmp_path / "run.log", tmp_path / "page.html"
    assert says("run", "lloyd", "--steps", "3", "--record", str(recording))[0] == 0
    assert says("export", str(recording), "--size", "80x24", "--to", str(path))[0] == 0
    assert [step[0] for step in packed(path)["steps"]] == [0, 1, 2, 3]
    status, _, err = says("export", str(recording), "-p", "k=3", "--to", str(path))
    assert status == 2
    assert "has its data and parameters with it" in err


def test_a_session_is_written_with_its_forks(says, tmp_path):
    path = tmp_path / "page.html"
    status, out, err = says("export", str(DEMO), "--to", str(path), "--size", "80x24")
    assert (status, err) == (0, "")
    held = packed(path)
    assert [run["name"] for run in held["runs"]] == list(saved_branches())
    assert out.startswith(f"Steps 0 to {max(run['steps'][-1][0] for run in held['runs'])} are in ")
    status, _, err = says("export", str(DEMO), "--data", "iris", "--to", str(path))
    assert status == 2
    assert "a session has its data and parameters with it" in err


def saved_branches() -> list[str]:
    return [branch["name"] for branch in loads(DEMO.read_text(encoding="utf-8"))["branches"]]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--to", "a.html", "--state", "3"), "--state is for an .npz"),
        (("--to", "a.html", "--size", "wide"), "it takes columns and rows, as 120x36, not 'wide'"),
        (("--to", "a.html", "--size", "20x10"), "a page of 20x10 cells will not do: it takes 80x24 to 300x100"),
        (("--to", "a.html", "--steps", "5000"), "a page has 1,000 steps at most"),
        (("--to", "a.csv", "--size", "120x36"), "--size is that of a page"),
    ],
)
def test_a_mistake_is_answered_by_one_sentence(says, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    status, out, err = says("export", "lloyd", *words)
    assert (status, out) == (2, "")
    *notices, said = err.splitlines()
    assert sentence in said
    assert all(notice.startswith("faithful: ") for notice in notices)
    assert list(tmp_path.iterdir()) == []


def test_numbers_are_exported_without_a_screen(says, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "painter", lambda of: pytest.fail(f"what paints a {of} is imported"))
    assert says("export", "lloyd", "--steps", "2", "--to", str(tmp_path / "a.csv"))[0] == 0


def test_an_interrupt_leaves_nothing(tmp_path):
    words = ["export", "perceptron", "-p", "epochs=100000", "--to", str(tmp_path / "a.html")]
    with started(sys.executable, "-m", "algorithms", *words, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + PATIENCE
        while not any(tmp_path.iterdir()):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []
