"""What holds in the terminal, whatever happens to the app: in a real pseudo-terminal, with the smallest app."""

import signal
from pathlib import Path

import pytest

from tests.terminal.doing import tells_the_place_alone, tiny
from tests.terminal.pseudo import Pseudo

CTRL_C = "\x03"


def test_q_ends_it_and_restores_the_terminal() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        assert "alternate screen" in terminal.left_on()
        assert "raw keys" in terminal.left_on()
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131), (signal.SIGINT, 130)],
)
def test_a_signal_ends_it_and_restores_the_terminal(number: int, status: int) -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.signal(number)
        assert terminal.status() == status
        assert terminal.left_on() == []


def test_a_signal_ends_it_while_the_app_hangs() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press("h")
        terminal.see("hanging")
        terminal.signal(signal.SIGTERM)
        assert terminal.status() == 143
        assert terminal.left_on() == []


def test_ctrl_c_ends_it_while_the_app_hangs() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press("h")
        terminal.see("hanging")
        terminal.press(CTRL_C)
        assert terminal.status() == 143
        assert terminal.left_on() == []


def test_ctrl_c_is_a_key_while_it_does_not() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press(CTRL_C)
        terminal.press("k")
        terminal.see("pressed 1")
        terminal.press("q")
        assert terminal.status() == 0


@pytest.mark.parametrize(
    "line",
    ["exec python -m tests.terminal.tiny", "trap '' HUP; python -m tests.terminal.tiny; exit $?"],
    ids=["with a signal", "without a signal"],
)
def test_it_ends_with_its_terminal(line: str) -> None:
    with Pseudo.shell(line) as terminal:
        terminal.see("ready")
        terminal.hang_up()
        assert terminal.status() == 129


def test_a_signal_ends_it_while_the_terminal_takes_nothing() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press("f")
        terminal.see("flood")
        terminal.until_stalled()
        terminal.signal(signal.SIGTERM)
        assert terminal.status(reading=False) == 143
        assert "raw keys" not in terminal.left_on()


@pytest.mark.parametrize(
    ("redirected", "why"),
    [
        ("</dev/null", "standard input is not one"),
        ("<&-", "standard input is closed"),
        ("2>&-", "standard error is closed"),
        ("2>{file}", "standard error is not one"),
    ],
)
def test_without_a_terminal_it_says_what_to_use(redirected: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "screen"
    line = f"exec python -m tests.terminal.tiny {redirected.format(file=file)}"
    with Pseudo.shell(line, columns=200) as terminal:
        assert terminal.status() == 2
        expected = f"iterscope draws on a terminal, and {why}; `python -m algorithms run NAME` needs none."
        assert terminal.raw.decode().strip() == expected
    assert not file.exists() or file.read_bytes() == b""


@pytest.mark.parametrize("term", ["dumb", None])
def test_a_terminal_of_plain_lines_is_refused(term: str | None) -> None:
    with tiny(TERM=term, columns=200) as terminal:
        assert terminal.status() == 2
        assert "TERM=" in terminal.text
        assert "python -m algorithms run NAME" in terminal.text
        assert b"\x1b" not in terminal.raw


@pytest.mark.parametrize("words", ["", " lloyd"])
def test_in_a_folder_that_was_removed_it_says_so(words: str, tmp_path: Path) -> None:
    folder = tmp_path / "removed"
    folder.mkdir()
    with Pseudo.shell(f"cd '{folder}'; rmdir '{folder}'; exec python -m tui{words}", columns=200) as terminal:
        assert terminal.status() == 2
        assert terminal.raw.decode().strip() == (
            "iterscope was started in a folder that is there no more: go to one that is (cd ~), and start it again."
        )


@pytest.mark.parametrize("redirected", [">/dev/null", ">&-"])
def test_standard_output_is_not_needed(redirected: str) -> None:
    with Pseudo.shell(f"exec python -m tests.terminal.tiny {redirected}") as terminal:
        terminal.see("ready")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


def test_it_goes_on_after_being_stopped() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press("k")
        terminal.see("pressed 1")
        terminal.stop()
        terminal.go_on_after_another()
        terminal.see("pressed 1")
        terminal.press("k")
        terminal.see("pressed 2")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


def test_it_goes_on_after_being_suspended() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press("z")
        terminal.until_stopped()
        assert terminal.left_on() == []
        terminal.go_on_after_another()
        terminal.see("ready")
        terminal.press("k")
        terminal.see("pressed 1")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


@pytest.mark.parametrize("key", ["x", "w"], ids=["in the loop", "in a thread"])
def test_an_error_ends_it_and_tells_nothing_of_the_data(key: str) -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press(key)
        assert terminal.status() == 1
        assert terminal.left_on() == []
        tells_the_place_alone(terminal)


def test_an_error_before_the_screen_opens_tells_nothing_of_the_data() -> None:
    with tiny("broken") as terminal:
        assert terminal.status() == 1
        assert terminal.left_on() == []
        tells_the_place_alone(terminal)


def test_a_thread_that_never_ends_does_not_keep_it() -> None:
    with tiny() as terminal:
        terminal.see("ready")
        terminal.press("t")
        terminal.see("thinking")
        terminal.press("q")
        assert terminal.status() == 0
        assert terminal.left_on() == []


def test_text_from_data_does_not_steer_the_terminal() -> None:
    with tiny() as terminal:
        terminal.see("[@click=app.exit]now[/] [/nope]")
        assert "␛]2;title␇␛[2J" in terminal.text
        assert b"\x1b]2;title" not in terminal.raw
        terminal.press("q")
        assert terminal.status() == 0
