"""What stands behind -- reaches a file that reads its own arguments, wherever that runs."""

import sys
from pathlib import Path

import pytest

import algorithms.__main__ as program
from algorithms import Timeline, load
from algorithms.playback.runs.request import read, requested
from algorithms.userfile.spec import Spec, with_words
from tests.userfile.runs import on

FILE = """
import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--name", default="")
args = parser.parse_args()


def train(lr=0.5):
    for i in range(args.epochs):
        yield {"loss": lr / (i + 1), "argv": " ".join(sys.argv[1:])}
    return f"{args.epochs} epochs of {args.name or 'nobody'}"
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(FILE)
    return str(tmp_path / "mine.py")


def test_the_parts_of_what_is_typed() -> None:
    assert Spec.of("mine.py") == Spec("mine.py")
    assert Spec.of("mine.py:train -- --epochs 3 --at a:b") == Spec("mine.py", "train", ("--epochs", "3", "--at", "a:b"))
    assert Spec.of("package.module:name").argv == ["package.module"]
    text = with_words(with_words("mine.py", ["--name", "two words"]), ["-v"])
    assert Spec.of(text).words == ("--name", "two words", "-v")
    assert with_words("mine.py", []) == "mine.py"


@pytest.mark.parametrize("apart", [False, True])
def test_a_file_finds_its_words_while_it_is_imported_and_while_it_runs(file: str, apart: bool) -> None:
    before = list(sys.argv)
    algorithm = load(f"{file}:train -- --epochs 4 --name 'a b'", apart=apart)
    run = on(Timeline(algorithm, algorithm.datasets[0]))
    assert run.stopped is not None
    assert run.stopped.reason == "4 epochs of a b"
    assert run.at(2).state.get("argv") == "--epochs 4 --name a b"
    assert sys.argv == before


def test_on_the_command_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["run", file, "-p", "lr=1", "--", "--epochs", "3"]) == 0
    assert "train ended: 3 epochs of nobody" in capsys.readouterr().err
    assert program.main(["diverge", f"{file} -- --epochs 5", file, "--", "--name", "x"]) == 1
    assert "argv is --epochs 5 --name x in A, --name x in B." in capsys.readouterr().out
    assert program.main(["list", "--", "lloyd"]) == 0
    assert "lloyd" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        program.main(["run", "lloyd", "--", "--epochs", "3"])


def test_the_screen_and_a_reload_have_them(file: str) -> None:
    opened = requested([file, "-p", "lr=1", "--", "--epochs", "3"]).opened
    assert opened is not None
    assert opened.spec == f"{file} -- --epochs 3"
    assert opened.parameters == {"lr": 1.0}
    run = on(Timeline(opened.again().algorithm, opened.data))
    assert run.last == 3
    with pytest.raises(SystemExit):
        read("iterscope", ["lloyd", "--data", "blobs:n=100", "--", "--epochs", "3"])
