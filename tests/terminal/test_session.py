"""A session in a real pseudo-terminal: what is saved and opened again is the same screen, and leaving asks."""

import signal
import time
from pathlib import Path

import pytest

from tests.terminal.pseudo import ROOT, Pseudo

RUN = ("lloyd", "--data", "faithful", "-p", "k=3")


def app(*words: str, size: tuple[int, int] = (120, 40)) -> Pseudo:
    return Pseudo.python("-m", "tui", *words, columns=size[0], rows=size[1])


def settled(terminal: Pseudo) -> str:
    """The screen when nothing has changed on it for a while."""
    quiet, text = time.monotonic(), terminal.text
    while time.monotonic() - quiet < 1.0:
        terminal.pump()
        if terminal.text != text:
            quiet, text = time.monotonic(), terminal.text
    return text


def fork(terminal: Pseudo) -> None:
    """A fork at step 5 with fewer sweeps, run to its end."""
    terminal.press("lllll")
    terminal.see("step 5 of")
    terminal.press("f")
    terminal.see("Fork at step")
    terminal.press("3")
    terminal.press("\r")
    terminal.see("sweeps 300 -> 3 at 4")
    terminal.press("r")
    terminal.see("The end: 3 sweeps")


def save(terminal: Pseudo, file: Path) -> None:
    terminal.press("\x13")
    terminal.see("Save the session")
    for c in str(file):
        terminal.press(c)
    terminal.see(file.name)
    terminal.press("\r")
    terminal.see("saved:")


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
def test_what_was_saved_is_opened_as_the_same_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    file = tmp_path / "lesson.json"
    with app(*RUN, size=size) as terminal:
        terminal.see("step 0 of")
        fork(terminal)
        for keys in ("\t", "$", "\t", "h", "h", "z", "+", "x", "2", "h"):
            terminal.press(keys)
            settled(terminal)
        terminal.see("step 3 of 6")
        before = settled(terminal)
        save(terminal, file)
        terminal.press("q")
        assert terminal.status() == 0
    with app("--open", str(file), size=size) as terminal:
        terminal.see("lesson.json: as it was saved")
        terminal.press("l")
        terminal.see("step 4 of 6")
        terminal.press("h")
        terminal.see("step 3 of 6")
        assert settled(terminal) == before
        terminal.press("q")
        assert terminal.status() == 0


def test_leaving_asks_once_and_a_signal_does_not() -> None:
    with app(*RUN) as terminal:
        terminal.see("step 0 of")
        fork(terminal)
        for key in ("q", "\x03", "\x11"):
            terminal.press(key)
            terminal.see("1 fork is not saved.")
            terminal.press("\x1b")
            terminal.until(lambda: "not saved" not in terminal.text, "way back")
        terminal.press("q")
        terminal.see("1 fork is not saved.")
        terminal.press("l")
        assert terminal.status() == 0
        assert terminal.left_on() == []
    with app(*RUN) as terminal:
        terminal.see("step 0 of")
        fork(terminal)
        terminal.signal(signal.SIGTERM)
        assert terminal.status() == 143
        assert terminal.left_on() == []


def test_ctrl_c_while_it_asks_leaves() -> None:
    with app(*RUN) as terminal:
        terminal.see("step 0 of")
        fork(terminal)
        terminal.press("\x03")
        terminal.see("1 fork is not saved.")
        terminal.press("\x03")
        assert terminal.status() == 0


def test_a_file_that_is_no_session_is_refused_before_there_is_a_screen(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    with app("--open", str(tmp_path / "other.json")) as terminal:
        assert terminal.status() == 2
        assert "other.json is not a session of iterscope." in terminal.text
        assert terminal.left_on() == []


def test_ones_own_file_is_opened_when_it_is_named(tmp_path: Path) -> None:
    spec, file = "demos/kmeans_of_a_student.py", tmp_path / "mine.json"
    with app(spec, "--data", "iris") as terminal:
        terminal.see("step 0 of")
        terminal.press("lll")
        terminal.see("step 3 of")
        save(terminal, file)
        terminal.press("q")
        assert terminal.status() == 0
    with app("--open", str(file)) as terminal:
        assert terminal.status() == 2
        assert "opening one runs no code" in " ".join(terminal.text.split())
    assert (ROOT / spec).exists()
    with app(spec, "--open", str(file)) as terminal:
        terminal.see("mine.json: as it was saved")
        terminal.see("step 3 of")
        terminal.press("q")
        assert terminal.status() == 0
