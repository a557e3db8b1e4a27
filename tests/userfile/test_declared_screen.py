"""A full ALGORITHM of the reader's on the real screen: whatever its functions do, the keys are answered."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.pseudo import ROOT
from tests.userfile.declared import written
from tests.userfile.terminal import gone, leave, screen, soon


def test_it_plays_both_ways_and_is_changed_and_edited(tmp_path: Path) -> None:
    path = written(tmp_path)
    with screen(path, "--at", "3") as terminal:
        terminal.see("step 3 of")
        terminal.see("w comes nearer")
        terminal.see("w is at")
        terminal.press("ll")
        terminal.see("step 5 of")
        terminal.press("h")
        terminal.see("step 4 of")
        terminal.press("r")
        terminal.see("enough steps")
        written(tmp_path, explain="return 'edited'")
        terminal.press("\x12")
        terminal.see("edited")
        terminal.see("step 40 of 40")
        written(tmp_path, first="1 / 0")
        terminal.press("\x12")
        terminal.see("the run stays")
        leave(terminal)


_OTHERS = [pytest.param(place, marks=pytest.mark.soak) for place in ("score", "explain", "curve", "theorem")]


@pytest.mark.parametrize("place", ["scene", "step", *_OTHERS])  # the others are called as the scene is
def test_one_of_its_functions_loops_for_ever_and_is_ended_when_the_screen_is_left(tmp_path: Path, place: str) -> None:
    note = tmp_path / "pid"
    indent = "        " if place in ("step", "score") else "    "
    endless = "pass" if place == "step" else "time.sleep(0.01)"  # it is waited for so long that one is enough at work
    statement = f"open({str(note)!r}, 'a').write(str(os.getpid()) + ' ')\n{indent}while True: {endless}"
    with screen(written(tmp_path, **{place: statement})) as terminal:
        terminal.see("step 0 of")
        soon(lambda: note.exists() and note.read_text() != "")
        terminal.press(" ")
        terminal.press("?")
        terminal.see("esc closes")
        terminal.escape("esc closes")
        if place != "step":
            terminal.see("did not answer within")
            terminal.press("0")  # it plays
            terminal.see("step 0 of")
            terminal.press("l")
            terminal.see("step 1 of")
        leave(terminal)
        for pid in note.read_text().split():
            soon(lambda pid=int(pid): gone(pid))  # type: ignore[misc]


def test_one_that_cannot_begin_is_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, first="1 / 0")
    done = subprocess.run(
        [sys.executable, "-m", "tui", path], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "before its first state: ZeroDivisionError" in done.stderr
    assert done.stderr.count("\n") == 1
