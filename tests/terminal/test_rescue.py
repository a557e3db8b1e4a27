"""What is not saved outlives every ending: it is written into the folder, and offered on the next start there."""

import signal
from pathlib import Path

from algorithms import read_session
from tests.terminal.doing import fork, settled
from tests.terminal.pseudo import Pseudo

RUN = ("lloyd", "--data", "faithful", "-p", "k=3")
FILE = "lloyd-faithful.rescued.json"
CTRL_Q = "\x11"


def app(folder: Path, *words: str, trouble: str = "raise") -> Pseudo:
    named = ("-m", "tests.terminal.troubled", "--whole", *words)
    return Pseudo.python(*named, columns=100, rows=30, folder=folder, TROUBLE=trouble)


def with_fork(terminal: Pseudo) -> None:
    terminal.see("step 0 of")
    fork(terminal)
    settled(terminal)


def test_a_signal_loses_nothing_and_the_next_start_has_it_back(tmp_path: Path) -> None:
    with app(tmp_path, *RUN) as terminal:
        with_fork(terminal)
        terminal.signal(signal.SIGTERM)
        assert terminal.status() == 143
        assert terminal.left_on() == []
        assert f"What was not saved is in {FILE}" in terminal.raw.decode()
    assert len(read_session(tmp_path / FILE).branches) == 2
    with app(tmp_path) as terminal:  # without arguments, over the catalogue
        terminal.see("1 fork of lloyd was not saved when iterscope last ended here.")
        terminal.press("\r")
        terminal.see("sweeps 300 -> 3 at 4")
        assert not (tmp_path / FILE).exists()
        terminal.press("q")
        terminal.see("1 fork is not saved.")
        terminal.press("l")
        assert terminal.status() == 0
    assert not list(tmp_path.iterdir())


def test_ctrl_q_while_the_app_hangs_loses_nothing(tmp_path: Path) -> None:
    with app(tmp_path, *RUN, trouble="hang") as terminal:
        with_fork(terminal)
        terminal.press("w")
        terminal.see("it hangs")
        terminal.press(CTRL_Q)
        assert terminal.status() == 143
        assert terminal.left_on() == []
        assert f"What was not saved is in {FILE}" in terminal.raw.decode()
    assert len(read_session(tmp_path / FILE).branches) == 2
    with app(tmp_path, *RUN) as terminal:  # with the same algorithm; left for the next time, and then dropped
        terminal.see("1 fork of lloyd was not saved")
        terminal.escape("not saved")
        terminal.press("q")
        assert terminal.status() == 0
    assert (tmp_path / FILE).exists()
    with app(tmp_path, "perceptron") as terminal:  # another algorithm is not asked about
        terminal.see("step 0 of")
        assert "not saved" not in settled(terminal)
        terminal.press("q")
        assert terminal.status() == 0
    with app(tmp_path, *RUN) as terminal:
        terminal.see("1 fork of lloyd was not saved")
        terminal.press("d")
        terminal.until(lambda: "not saved" not in terminal.text, "way back")
        terminal.press("q")
        assert terminal.status() == 0
    assert not list(tmp_path.iterdir())


def test_a_fault_that_is_contained_leaves_the_forks_and_too_many_are_rescued_from(tmp_path: Path) -> None:
    folder, state = tmp_path / "folder", tmp_path / "state"
    folder.mkdir()
    words = ("-m", "tests.terminal.troubled", "--whole", *RUN)
    environment = {"TROUBLE": "raise", "ITERSCOPE_STRICT": None, "XDG_STATE_HOME": str(state)}
    with Pseudo.python(*words, columns=100, rows=30, folder=folder, **environment) as terminal:
        with_fork(terminal)
        terminal.press("w")
        terminal.see("an error of iterscope's own (ValueError)")
        terminal.see("sweeps 300 -> 3 at 4")
        terminal.press("h")
        terminal.see("step 5 of")
        terminal.press("w" * 19)
        assert terminal.status() == 1
        assert terminal.left_on() == []
        assert f"What was not saved is in {FILE}" in terminal.raw.decode()
    assert len(read_session(folder / FILE).branches) == 2
    details = (state / "iterscope/faults.txt").read_text()
    assert details.count("ValueError: ") == 20
    assert "planted" not in details.replace('raise ValueError("planted")', "")


def test_an_error_loses_nothing(tmp_path: Path) -> None:
    with app(tmp_path, *RUN) as terminal:
        with_fork(terminal)
        terminal.press("w")
        assert terminal.status() == 1
        assert "ended on an error of its own, ValueError" in terminal.raw.decode()
    assert len(read_session(tmp_path / FILE).branches) == 2


def test_an_ending_in_order_leaves_nothing_behind(tmp_path: Path) -> None:
    with app(tmp_path, *RUN) as terminal:  # one with a fork: test_leaving_asks_once_and_a_signal_does_not
        terminal.see("step 0 of")
        terminal.press("q")
        assert terminal.status() == 0
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_it_says_what_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with app(folder, *RUN) as terminal:
        with_fork(terminal)
        folder.rmdir()
        terminal.signal(signal.SIGTERM)
        assert terminal.status() == 143
        assert "What was not saved is lost:" in terminal.raw.decode()
