"""`python -m algorithms` as a process of its own: how it ends, and what it imports."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.patience import LONG
from tests.process import started

PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def as_process(*words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "algorithms", *words], capture_output=True, text=True, timeout=LONG, **settings
    )


def test_a_pipe_that_closes_ends_it_quietly():
    for words in (
        "run perceptron --format csv -p epochs=100000 --data blobs",
        "report perceptron --steps 99 --data blobs",
        "list",
    ):
        words = words.replace("--data blobs", "--data blobs:n=2000")
        with started(sys.executable, "-m", "algorithms", *words.split(), **PIPES) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.stdout.close()
            _, err = process.communicate(timeout=LONG)
        assert process.returncode == 0
        assert b"Traceback" not in err
        assert b"Broken" not in err


def test_an_interrupt_ends_it_quietly():
    words = "run perceptron -p epochs=100000 --data blobs:n=2000"
    with started(sys.executable, "-m", "algorithms", *words.split(), **PIPES) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert b"Traceback" not in err


_SPONGE = """
import time

class Sponge:
    def __del__(self):  # where Python ignores what is raised
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            pass

def mine(X):
    t = 0
    while True:
        Sponge()
        t += 1
        yield {"x": float(t)}
"""
_SLOW = """
import time

def mine(X):
    yield {"x": 1.0}
    time.sleep(600)
    yield {"x": 2.0}
"""


@pytest.mark.parametrize("code", [_SPONGE, _SLOW], ids=["where exceptions are ignored", "in a long step"])
def test_an_interrupt_is_not_lost(code, tmp_path):
    (tmp_path / "mine.py").write_text(code)
    command = [sys.executable, "-m", "algorithms", "run", str(tmp_path / "mine.py"), "--data", "faithful"]
    with started(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_is_said_in_a_sentence():
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "algorithms", "list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LONG
        )
    assert process.returncode == 1
    assert process.stderr == "python -m algorithms: the output cannot be written: No space left on device.\n"


def test_a_terminal_without_unicode_gets_question_marks():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for words in (("show", "perceptron"), ("report", "perceptron", "--data", "blobs:margin=0.5")):
        done = as_process(*words, env=environment)
        assert done.returncode == 0
        assert done.stderr == ""


def test_rich_and_plotext_are_imported_by_the_report_alone():
    code = (
        "import sys; import algorithms.__main__ as m; m.main(sys.argv[1:]);"
        "print([name for name in ('rich', 'plotext', 'textual', 'tui') if name in sys.modules], file=sys.stderr)"
    )
    for words, loaded in (
        (("list",), "[]"),
        (("run", "perceptron", "--steps", "3", "--data", "blobs"), "[]"),
        (("report", "perceptron", "--steps", "3", "--data", "blobs"), "['rich', 'plotext']"),
    ):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=LONG)
        assert done.stderr.splitlines()[-1] == loaded
