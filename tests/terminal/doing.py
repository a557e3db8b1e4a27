"""What several tests do in a pseudo-terminal: start the tiny app, wait until the screen is still, fork."""

import time

from tests.terminal.pseudo import TINY, Pseudo

PATIENT = "Alice Liddell"


def tiny(*arguments: str, columns: int = 80, **environment: str | None) -> Pseudo:
    return Pseudo.python(*TINY, *arguments, columns=columns, PATIENT=PATIENT, **environment)


def tells_the_place_alone(terminal: Pseudo) -> None:
    told = terminal.raw.decode()
    assert "ValueError" in told
    assert "in average_of" in told
    assert "return float(weight)" in told
    assert PATIENT not in told


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
