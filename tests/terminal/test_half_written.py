"""A file that is being written when the app is ended: nothing is left of it."""

import signal
from pathlib import Path

import pytest

from tests.terminal.pseudo import Pseudo

LONG_RUN = ("--whole", "perceptron", "--data", "blobs:n=200,margin=0.01", "-p", "epochs=1000", "-p", "eta=0.001")
ANIMATION = "\x1b[B" * 7 + "\t"  # down to the kind of asciinema, then to the file's name


def writing(folder: Path, trouble: str = "") -> Pseudo:
    """The app at work on an animation of many steps."""
    program = "tests.terminal.troubled" if trouble else "tui"
    terminal = Pseudo.python("-m", program, *LONG_RUN, columns=100, rows=30, folder=folder, TROUBLE=trouble)
    terminal.see("step 0 of")
    terminal.until(lambda: "step 0 of 0" not in terminal.text, "run")
    terminal.press("e")
    terminal.see("asciinema")
    terminal.press(ANIMATION)
    terminal.see("blobs.cast")  # the name; the list of kinds has a (.cast) whatever is chosen
    terminal.press("\r")
    terminal.until(lambda: bool(list(folder.glob(".*.part"))), "file")
    return terminal


@pytest.mark.parametrize("trouble", ["", "writing"], ids=["at work", "stuck"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_of_it_after_a_signal(number: signal.Signals, trouble: str, tmp_path: Path) -> None:
    with writing(tmp_path, trouble) as terminal:
        terminal.signal(number)
        assert terminal.status() == 128 + number
    assert not list(tmp_path.iterdir())
