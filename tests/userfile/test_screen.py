"""A reader's own file on the real screen, in a real pseudo-terminal: whatever it does, the screen stays alive."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.pseudo import ROOT
from tests.userfile.terminal import gone, leave, screen, soon


def written(folder: Path, body: str) -> str:
    path = folder / "mine.py"
    path.write_text(body)
    return str(path)


def test_numbers_lines_and_local_variables_are_shown(tmp_path: Path) -> None:
    body = "def mine(k=4):\n    total = 0\n    for i in range(k):\n        total += i\n        yield total\n"
    body += "    return 'k sums'\n"
    with screen(written(tmp_path, body), "-p", "k=5") as terminal:
        terminal.see("all kept")
        terminal.press("lll")
        terminal.see("step 3 of")
        terminal.see("yield total")
        terminal.see("locals")
        terminal.press("r")
        terminal.see("k sums")
        leave(terminal)


def test_an_error_is_shown_with_its_line_and_what_was_recorded_stays(tmp_path: Path) -> None:
    with screen(written(tmp_path, "def mine():\n    for i in range(3):\n        yield 1 / (2 - i)\n")) as terminal:
        terminal.see("failed")
        terminal.press("$")
        terminal.see("Failed in line 3: ZeroDivisionError")
        terminal.see("ctrl+r loads the edited file again")
        terminal.press("h")
        terminal.see("step 1 of 2")
        leave(terminal)


def test_it_prints_and_nothing_of_it_is_on_the_screen_but_a_notice(tmp_path: Path) -> None:
    body = "import sys\n\ndef mine():\n    for i in range(9):\n"
    body += "        print('\\x1b[2Jboo', file=sys.stderr)\n        yield i\n"
    with screen(written(tmp_path, body)) as terminal:
        terminal.see("it prints: ")
        terminal.press("l")
        terminal.see("locals")
        leave(terminal)


@pytest.mark.parametrize("first", ["", "    yield 7\n"], ids=["never yields", "loops after a step"])
def test_it_loops_for_ever_and_is_ended_when_the_screen_is_left(tmp_path: Path, first: str) -> None:
    note = tmp_path / "pid"
    body = f"import os\n\ndef mine():\n{first}    open({str(note)!r}, 'a').write(str(os.getpid()))\n"
    with screen(written(tmp_path, body + "    while True:\n        pass\n    yield 1\n")) as terminal:
        terminal.see("step 0 of")
        soon(lambda: note.exists() and note.read_text() != "")
        terminal.press(" ")
        terminal.press("?")
        terminal.see("esc closes")
        terminal.escape("esc closes")
        pid = int(note.read_text())
        assert not gone(pid)
        leave(terminal)
        soon(lambda: gone(pid))


def test_a_killed_screen_leaves_no_process(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    body = f"import os\n\ndef mine():\n    open({str(note)!r}, 'a').write(str(os.getpid()))\n"
    body += "    while True:\n        pass\n    yield\n"
    with screen(written(tmp_path, body)) as terminal:
        terminal.see("step 0 of")
        soon(lambda: note.exists() and note.read_text() != "")
        terminal.signal(9)
        soon(lambda: gone(int(note.read_text())))


def test_edited_while_open_it_is_loaded_again_at_the_same_step(tmp_path: Path) -> None:
    path = written(tmp_path, "def mine():\n    for before in range(9):\n        yield before\n")
    with screen(path) as terminal:
        terminal.press("lllll")
        terminal.see("step 5 of")
        written(tmp_path, "def mine():\n    for edited in range(7):\n        yield edited\n")
        terminal.press("\x12")
        terminal.see("yield edited")
        terminal.see("step 5 of 7")
        written(tmp_path, "def mine(:\n")
        terminal.press("\x12")
        terminal.see("line 1")
        terminal.see("yield edited")
        leave(terminal)


@pytest.mark.parametrize("module", ["tui", "algorithms run"])
def test_what_cannot_be_opened_is_one_sentence(tmp_path: Path, module: str) -> None:
    for body, said in (
        ("x = 1\ny = x +\n", "line 2"),
        ("y = 1 / 0\n", "line 1: ZeroDivisionError"),
        ("", "no generator"),
    ):
        path = written(tmp_path, body)
        done = subprocess.run(
            [sys.executable, "-m", *module.split(), path],
            cwd=ROOT,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 2
        assert said in done.stderr
        assert "mine.py" in done.stderr
        assert done.stderr.count("\n") == 1


def test_without_a_screen_an_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "def mine():\n    yield 1\n    yield 1 / 0\n")
    done = subprocess.run(
        [sys.executable, "-m", "algorithms", "run", path, "--format", "csv"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "ZeroDivisionError: division by zero, in line 3" in done.stderr
    assert done.stdout.splitlines()[0].startswith("t,iteration,phase")


def test_the_package_of_the_screen_is_light() -> None:
    code = "import tui; import sys; assert not {'numpy', 'textual', 'msgspec'} & set(sys.modules); tui.watch"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
