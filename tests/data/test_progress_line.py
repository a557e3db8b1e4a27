"""While a large file is read, a terminal's stderr says how far it is; what is no terminal hears nothing of it."""

import io
import sys

import pytest

from algorithms import datasets
from algorithms.cli.arguments import loaded
from tests.tiny import Rows

TEXT = "a,b\n" + "1.5,2.5\n" * 500_000


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr("algorithms.cli.arguments._MOMENT", 0.0)


def test_a_terminal_is_told_how_far_it_is_and_left_clean(file, at_once, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert loaded(datasets.recipe(file(TEXT))).n == 500_000
    lines = terminal.getvalue().split("\r")
    assert "reading own.csv:  26%, ctrl+c ends it" in lines
    assert "reading own.csv: 100%, ctrl+c ends it" in lines
    assert lines[-2].isspace()
    assert lines[-1] == ""


def test_a_refusal_leaves_the_line_clean_too(file, at_once, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(ValueError, match="line 500002 of own.csv has 1 cell"):
        loaded(datasets.recipe(file(TEXT + "3\n")))
    assert terminal.getvalue().endswith(" \r")


def test_the_name_of_a_file_cannot_steer_the_terminal(file, at_once, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    loaded(datasets.recipe(file(TEXT, "a\x1b[2J.csv")))
    assert "\x1b" not in terminal.getvalue()


def test_what_is_no_terminal_and_what_takes_no_time_hear_nothing(file, at_once, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    loaded(datasets.recipe(file(TEXT)))
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr("algorithms.cli.arguments._MOMENT", 60.0)
    loaded(datasets.recipe(file(TEXT, "quick.csv")))
    assert loaded(Rows()).n == Rows().load().n  # a source of another kind
    assert stream.getvalue() == sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
