"""Recordings and a reader's own files on the command line: what they hold, print and raise stays in its place."""

import csv
import io
import subprocess
import sys

import pytest

from algorithms import Recorder
from tests.patience import LONG, PATIENCE
from tests.process import started


def test_nothing_from_a_recording_steers_the_terminal(says, tmp_path):
    path = tmp_path / "evil.log"
    name = "loss\x1b]0;owned\x07\x9b2J"
    with Recorder(path, title="run\x1b[2J") as recorder:
        for i in range(4):
            recorder.write({name: 1.0 / (i + 1), f"other{name}": float(i)})
    for words in (("run",), ("run", "--format", "csv"), ("run", "--format", "jsonl"), ("report",), ("show",)):
        status, out, err = says(words[0], str(path), *words[1:])
        assert status == 0
        assert "loss" in out or words == ("show",)
        assert all(line.isprintable() for line in (out + err).splitlines())


def test_what_a_file_prints_goes_beside_the_lines(says, tmp_path):
    path = tmp_path / "noisy.py"
    path.write_text(
        "print('imported')\ndef f():\n    for i in range(3):\n        print('at', i)\n        yield {'loss': i}\n"
    )
    status, out, err = says("run", str(path), "--format", "csv")
    assert status == 0
    assert [row["loss"] for row in csv.DictReader(io.StringIO(out))] == ["", "0.0", "1.0", "2.0"]
    assert err.splitlines()[:4] == ["imported", "at 0", "at 1", "at 2"]
    for words in (("run", "--format", "jsonl"), ("report",), ("show",), ("export", "--to", str(tmp_path / "a.csv"))):
        status, out, err = says(words[0], str(path), *words[1:])
        assert status == 0
        assert out
        assert "imported" not in out
        assert "at 0" not in out
    status, out, _ = says("diverge", str(path), str(path))
    assert out.startswith("compared")


def test_an_error_of_any_length_is_a_sentence_of_bearable_length(says, tmp_path):
    path = tmp_path / "long.py"
    path.write_text("raise ImportError('x' * 100_000)\n")
    status, _, err = says("run", str(path))
    assert status == 2
    assert "long.py, line 1: ImportError: xxxx" in err
    assert len(err) <= 1_001
    path.write_text("def f():\n    yield {'loss': 1.0}\n    raise ValueError('x' * 100_000)\n")
    status, _, err = says("run", str(path))
    assert status == 1
    assert len(err) <= 1_001


def test_a_file_with_a_byte_that_is_zero_is_refused_by_its_name(says, tmp_path):
    path = tmp_path / "nul.py"
    path.write_bytes(b"def f():\n    yield {'loss': 1.0}\n\0\n")
    status, _, err = says("run", str(path))
    assert status == 2
    assert "nul.py" in err
    assert "None" not in err
    assert "null bytes" in err


@pytest.mark.parametrize("name", ["folder/", "", " "])
def test_a_file_to_write_is_not_a_folder(says, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for words in (("run", "lloyd", "--record", name), ("export", "lloyd", "--to", name)):
        status, out, err = says(*words)
        assert (status, out) == (2, "")
        assert f"it takes the name of a file, not {name!r}" in err
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_while_it_records_is_said_in_a_sentence(tmp_path):
    path = tmp_path / "run.log"
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000));"
        "from algorithms.__main__ import main;"
        f"sys.exit(main(['run', 'perceptron', '--data', 'blobs:n=2000', '--format', 'csv', '--record', {str(path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 2
    assert done.stderr == f"python -m algorithms: {path} cannot be written any further: File too large.\n"
    assert 0 < path.stat().st_size <= 50_000


TWO = "def mine():\n    yield {'loss': 1.0}\n    yield {'loss': 0.5}\n"
ENDS = {
    "import sys; sys.exit(3)": "the run failed after step 2: SystemExit: 3, in line 4.",
    "raise KeyboardInterrupt": "the run failed after step 2: KeyboardInterrupt.",
    "import os; os.kill(os.getpid(), 11)": "mine.py ended the process (signal 11, Segmentation fault).",
    "import os; os._exit(0)": "mine.py ended the process (exit status 0).",
}
COMMAND = (sys.executable, "-m", "algorithms")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("form", ["table", "csv", "jsonl"])
def test_however_it_ends_its_newest_row_is_there_and_its_end_is_a_sentence(tmp_path, end, form):
    file = tmp_path / "mine.py"
    file.write_text(f"{TWO}    {end}\n")
    done = subprocess.run([*COMMAND, "run", str(file), "--format", form], capture_output=True, text=True)
    assert "0.5" in done.stdout.splitlines()[-1]
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.endswith(f"{ENDS[end]}\n")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("words", [("report",), ("export", "--to", "numbers.csv")])
def test_however_it_ends_every_command_says_so(tmp_path, end, words):
    file = tmp_path / "mine.py"
    file.write_text(f"{TWO}    {end}\n")
    done = subprocess.run([*COMMAND, words[0], str(file), *words[1:]], capture_output=True, text=True, cwd=tmp_path)
    assert "Traceback" not in done.stderr
    said = done.stdout + done.stderr
    assert any(word in said for word in ("SystemExit", "KeyboardInterrupt", "ended the process")), said


@pytest.mark.parametrize("form", ["table", "csv", "jsonl"])
def test_a_row_is_there_while_the_next_step_is_being_made(tmp_path, form):
    seen, file = tmp_path / "seen", tmp_path / "mine.py"
    file.write_text(
        f"import os, time\n{TWO}    until = time.monotonic() + {PATIENCE}\n"
        f"    while not os.path.exists({str(seen)!r}):\n"
        "        assert time.monotonic() < until\n        time.sleep(0.05)\n"
    )
    with started(*COMMAND, "run", str(file), "--format", form, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "0.5" not in process.stdout.readline():
            assert process.poll() is None
        seen.touch()
        assert process.wait(LONG) == 0


HANGING = """
import sys
from algorithms.__main__ import main
from algorithms.cli import apart
from algorithms.userfile import importing
apart.IMPORTING, apart.WAITED, importing.IMPORTING = 1.5, 0.2, 1.5
sys.argv = ["algorithms", "run", sys.argv[1]]
sys.exit(main())
"""


def test_an_import_that_hangs_is_ended_and_said_to_be_waited_for_before(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import ctypes\nctypes.PyDLL(None).sleep(600)\n")  # it holds the interpreter's lock
    done = subprocess.run([sys.executable, "-c", HANGING, str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert [line.partition("mine.py ")[2] for line in done.stderr.splitlines()] == [
        "is being imported, for which it has 1.5 seconds.",
        "was not imported within 1.5 seconds.",
    ]


def test_before_the_screen_opens_it_is_said_which_import_is_waited_for(tmp_path, monkeypatch, capsys):
    from algorithms.playback.runs import request
    from algorithms.userfile import importing

    file = tmp_path / "mine.py"
    file.write_text(f"import time\ntime.sleep(2)\n{TWO}")
    monkeypatch.setattr(importing, "WAITED", 0.2)
    request.read("iterscope", [str(file)])
    assert capsys.readouterr().err == f"iterscope: {file} is being imported, for which it has 30 seconds.\n"
