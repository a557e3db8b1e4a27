"""What a terminal sends that no protocol knows does no harm, and a window of any size takes little memory."""

from pathlib import Path

import pytest
from textual.events import Key

from tests.terminal.doing import PATIENT, tells_the_place_alone, tiny
from tests.terminal.pseudo import Pseudo
from tui.terminal.keys import KeyParser

NO_PROTOCOL = (
    b"\xff",  # no UTF-8 at all
    b"\xe9t\xe9",  # a Latin-1 paste
    b"\x1b\xe1",  # alt+a of a terminal of eight bits
    b"\x1b[M \x90\x41",  # the mouse beyond column 95, as X10 tells it
    b"\x1b[97:65;2:3u",  # alternate keys and types of events
    b"\x1b[99999999999u",  # no character
    b"\x1b[97;;99999999999u",
)


def test_what_no_protocol_knows_does_no_harm() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        for number, sent in enumerate(NO_PROTOCOL, start=1):
            terminal.child.send(sent)
            terminal.press("k")
            terminal.until(lambda number=number: f"pressed {number}" in terminal.text, f"key after {sent!r}")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


@pytest.mark.parametrize(
    ("sequence", "keys"),
    [
        ("\x1b[97:65;2:3u", []),  # let go
        ("\x1b[97:65;2:1u", ["shift+a"]),
        ("\x1b[1;1:2A", ["up"]),
        ("\x1b[97;1:1;97u", ["a"]),
        ("\x1b[99999999999u", []),
        ("\x1b[97;5u", ["ctrl+a"]),
    ],
)
def test_the_parts_that_textual_does_not_know_are_left_out(sequence: str, keys: list[str]) -> None:
    typed = [event.key for event in KeyParser().feed(sequence + "z") if isinstance(event, Key)]
    assert typed == [*keys, "z"]


def test_an_error_in_reading_the_keys_is_told_like_any_other() -> None:
    with tiny("deaf") as terminal:
        terminal.see("ready")
        assert terminal.status() == 1
        assert terminal.left_on() == []
        tells_the_place_alone(terminal)
        assert PATIENT.encode() not in terminal.raw


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("told", ["by a signal", pytest.param("in band", marks=pytest.mark.soak)])
def test_a_window_of_any_size_takes_little_memory(told: str) -> None:
    with Pseudo.python("-m", "tui", "lloyd", "--whole", columns=120, rows=40) as terminal:
        terminal.see("step 0 of")
        before = len(terminal.raw)
        if told == "by a signal":
            terminal.child.setwinsize(65535, 65535)
        else:
            terminal.child.send(b"\x1b[48;65535;65535;655350;655350t")
        terminal.until(lambda: len(terminal.raw) > before + 100_000, "larger picture")
        pages = int(Path(f"/proc/{terminal.child.pid}/statm").read_text().split()[1])
        assert pages * 4096 < 600 << 20
        terminal.press("q")
        assert terminal.status() == 0
