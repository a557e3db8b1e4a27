"""Recordings and a reader's own files on the command line: what they hold, print and raise stays in its place."""

import csv
import io
import subprocess
import sys

import pytest

from algorithms import Recorder


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
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"python -m algorithms: {path} cannot be written any further: File too large.\n"
    assert 0 < path.stat().st_size <= 50_000
