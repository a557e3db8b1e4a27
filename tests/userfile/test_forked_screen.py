"""Forks of a reader's own ALGORITHM, whose functions answer from another process."""

from pathlib import Path

from tests.userfile.declared import written
from tests.userfile.terminal import leave, screen


def test_it_is_forked_and_both_runs_stay(tmp_path: Path) -> None:
    with screen(written(tmp_path), "--at", "3") as terminal:
        terminal.see("step 3 of")
        terminal.press("f")
        terminal.see("Fork at step 3")
        terminal.press("0.5\r")
        terminal.see("forked at step 3")
        terminal.see("▸ eta 0.25 -> 0.5 at 3")
        terminal.press("ll")
        terminal.see("step 5 of")
        terminal.press("\t")
        terminal.see("▸ first run")
        terminal.press("h")
        terminal.see("step 4 of")
        terminal.press("\t")
        terminal.see("step 4 of")
        terminal.see("▸ eta 0.25 -> 0.5 at 3")
        terminal.press("q")
        terminal.see("1 fork is not saved")
        terminal.press("l")
        assert terminal.status() == 0
        assert terminal.left_on() == []


def test_a_plain_generator_is_not_forked_and_it_says_why(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def mine(k=4):\n    yield from range(k)\n")
    with screen(str(path)) as terminal:
        terminal.see("all kept")
        terminal.press("f")
        terminal.see("no fork: this run keeps what it goes on from to itself")
        leave(terminal)
