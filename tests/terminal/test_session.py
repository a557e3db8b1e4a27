"""A session in a real pseudo-terminal: what is saved and opened again is the same screen, and leaving asks."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal.doing import fork, settled
from tests.terminal.pseudo import ROOT, Pseudo

RUN = ("lloyd", "--data", "faithful", "-p", "k=3")


def app(*words: str, size: tuple[int, int] = (120, 40), folder: Path = ROOT) -> Pseudo:
    return Pseudo.python("-m", "tui", "--whole", *words, columns=size[0], rows=size[1], folder=folder)


def mouse(terminal: Pseudo, *places: tuple[int, int]) -> None:
    """Press the button at the first place, drag over the others, let go at the last."""
    for i, (column, row) in enumerate(places):
        terminal.press(f"\x1b[<{32 if i else 0};{column};{row}M")
        settled(terminal)
    column, row = places[-1]
    terminal.press(f"\x1b[<0;{column};{row}m")
    settled(terminal)
    terminal.press("\x1b[<35;1;1M")  # and away from what shows itself below the mouse


def drag_a_mean(terminal: Pseudo) -> None:
    """A fork at step 4 in which the second mean is dragged down and left, run to its end."""
    terminal.press("llll")
    terminal.see("step 4 of")
    terminal.press("i")
    terminal.see("◈ 2")
    settled(terminal)
    lines = terminal.text.splitlines()
    row = next(i for i, line in enumerate(lines) if "◈ 2" in line)
    column = lines[row].index("◈ 2")
    mouse(terminal, (column + 1, row + 1), (column - 9, row + 3), (column - 19, row + 5))
    terminal.see("means set")
    terminal.press("i")
    terminal.until(lambda: "◈" not in terminal.text, "end of editing")
    terminal.press("r")
    terminal.see("The end: no row moved")


def save(terminal: Pseudo, file: Path) -> None:
    terminal.press("\x13")
    terminal.see("Save the session")
    for c in str(file):
        terminal.press(c)
    terminal.see(file.name)
    terminal.press("\r")
    terminal.see("saved:")


@pytest.mark.parametrize(
    ("forked", "size"), [pytest.param(drag_a_mean, (120, 40), marks=pytest.mark.soak), (fork, (80, 24))]
)
def test_what_was_saved_is_opened_as_the_same_screen(
    tmp_path: Path, forked: Callable[[Pseudo], None], size: tuple[int, int]
) -> None:
    file = tmp_path / "lesson.json"
    with app(*RUN, size=size) as terminal:
        terminal.see("step 0 of")
        forked(terminal)
        for keys in ("\t", "$", "\t", "h", "h", "z", "+", "x", "2", "h"):
            terminal.press(keys)
            settled(terminal)
        settled(terminal)
        terminal.press("g")
        terminal.see("Go to step")
        terminal.press("5\r")
        terminal.see("step 5 of")
        before = settled(terminal)
        save(terminal, file)
        terminal.press("q")
        assert terminal.status() == 0
    with app("--open", str(file), size=size) as terminal:
        terminal.see("lesson.json: as it was saved")
        terminal.press("l")
        terminal.see("step 6 of")
        terminal.press("h")
        terminal.see("step 5 of")
        assert settled(terminal) == before
        terminal.press("q")
        assert terminal.status() == 0


def test_leaving_asks_once_and_a_signal_does_not(tmp_path: Path) -> None:
    with app(*RUN, folder=tmp_path) as terminal:
        terminal.see("step 0 of")
        fork(terminal)
        for key in ("q", "\x03", "\x11"):
            terminal.press(key)
            terminal.see("1 fork is not saved.")
            terminal.escape("not saved")
        terminal.press("q")
        terminal.see("1 fork is not saved.")
        terminal.press("l")
        assert terminal.status() == 0
        assert terminal.left_on() == []
    assert not list(tmp_path.iterdir())
    with app(*RUN, folder=tmp_path) as terminal:
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
