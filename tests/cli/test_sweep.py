"""`python -m algorithms sweep`: a line a run as it comes, and ends that are quiet and counted."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.patience import LONG, PATIENCE
from tests.process import started

WORDS = ("sweep", "lloyd", "--data", "iris", "-p", "start=rows")
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
COMMAND = (sys.executable, "-m", "algorithms", *WORDS)


def test_a_table_has_a_line_for_every_combination(says):
    status, out, err = says(*WORDS, "--over", "seed=0:2", "--over", "k=2,3", "--measure", "objective", "--jobs", "1")
    lines = out.splitlines()
    assert status == 0
    assert lines[0].split() == ["run", "seed", "k", "steps", "objective", "ended"]
    assert [line.split()[:3] for line in lines[1:]] == [
        ["0", "0", "2"], ["1", "0", "3"], ["2", "1", "2"], ["3", "1", "3"],
    ]  # fmt: skip
    assert err == "4 of 4 runs done.\n"


def test_csv_and_json_lines_have_all_digits(says):
    _, table, _ = says(*WORDS, "--over", "seed=0:2", "--format", "csv", "--jobs", "1")
    rows = list(csv.DictReader(io.StringIO(table)))
    _, text, _ = says(*WORDS, "--over", "seed=0:2", "--format", "jsonl", "--jobs", "1")
    objects = [json.loads(line) for line in text.splitlines()]
    for row, one in zip(rows, objects):
        assert float(row["objective"]) == one["curves"]["objective"]
        assert int(row["steps"]) == one["steps"]
        assert (row["failed"], row["ended"]) == ("no", one["ended"])
        assert one["parameters"] == {"seed": int(row["seed"])}
        assert one["theorems that failed"] == []


def test_a_run_that_cannot_be_is_a_line_with_its_reason(says):
    words = ("sweep", "lloyd", "--data", "blobs:n=20", "--over", "k=2,60", "--jobs", "1", "--format", "jsonl")
    status, out, err = says(*words)
    assert status == 0
    fine, failed = map(json.loads, out.splitlines())
    assert not fine["failed"]
    assert failed["failed"]
    assert "60" in failed["ended"]
    assert err == "2 of 2 runs done, 1 failed.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--over", "q=1"], "there is no parameter 'q'"),
        (["--over", "seed"], "'seed' is not name=values, as in seed=0:100"),
        (["--over", "seed=1:"], "is no range"),
        (["--over", "seed=0:2", "--over", "seed=5"], "swept over twice"),
        (["--over", "k=2", "-p", "k=3"], "k is fixed at 3 and swept over, too"),
        (["--over", "seed=0:2", "--measure", "loss"], "has no curve 'loss'; there are objective"),
        (["--over", "seed=0:2", "--jobs", "0"], "a whole number from 1 on"),
        ([], "--over"),
    ],
)
def test_wrong_words_get_one_sentence(says, words, sentence):
    status, out, err = says(*WORDS, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_head_ends_it_quietly_and_it_says_how_many_are_done():
    with started(*COMMAND, "--over", "seed=0:100000", "--format", "csv", **PIPES) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("run,seed,steps")
        process.stdout.close()
        told = process.stderr.read()
        assert process.wait(LONG) == 0
    assert told.endswith(" of 100,000 runs done.\n")
    assert told.count("\n") == 1


def test_ctrl_c_ends_it_quietly_with_all_workers_and_it_says_how_many_are_done():
    with started(*COMMAND, "--over", "seed=0:100000", "--format", "csv", start_new_session=True, **PIPES) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to the workers too
        _, told = process.communicate(timeout=LONG)
        assert process.returncode == 130
    assert told.endswith(" of 100,000 runs done.\n")
    assert told.count("\n") == 1
    assert _gone(process.pid)


def test_ctrl_c_ends_it_quietly_while_its_runs_are_at_a_step_that_takes_long(tmp_path):
    begun = tmp_path / "begun"
    file = tmp_path / "mine.py"
    file.write_text(
        "import time\n\ndef mine(X, *, k: int = 1):\n"
        f"    open({str(begun)!r}, 'w').close()\n    time.sleep(600)\n    yield k\n"
    )
    words = (*COMMAND[:3], "sweep", str(file), "--data", "iris", "--over", "k=1:9", "--jobs", "2")
    with started(*words, start_new_session=True, **PIPES) as process:
        until = time.monotonic() + PATIENCE
        while not begun.exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        out, told = process.communicate(timeout=LONG)
        assert (process.returncode, out, told) == (130, "", "0 of 8 runs done.\n")
    assert _gone(process.pid)


def test_workers_end_with_a_program_that_is_killed():
    with started(*COMMAND, "--over", "seed=0:100000", "--format", "csv", start_new_session=True, **PIPES) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait(LONG)
        assert _gone(process.pid)


def _gone(group: int) -> bool:
    """Whether every process of a group is gone, or soon."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return True
        time.sleep(0.2)
    return False


def test_in_a_folder_that_was_removed_it_says_what_would_do(says, tmp_path, monkeypatch):
    folder = tmp_path / "removed"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    status, out, err = says(*WORDS, "--over", "seed=0:2", "--jobs", "2")
    assert (status, out) == (2, "")
    assert "the current folder is there no more" in err
    status, _, err = says(*WORDS, "--over", "seed=0:2", "--jobs", "1")
    assert (status, err) == (0, "2 of 2 runs done.\n")
