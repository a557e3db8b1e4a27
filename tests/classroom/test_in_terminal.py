"""`python -m tui NAME --watch-me` in a real terminal: the link on the screen, what is seen, and how it ends."""

import re
import socket
import sys
from pathlib import Path

import pytest

from tests.classroom.viewer import asked, looking_on
from tests.process import started
from tests.terminal.pseudo import Pseudo
from tui.__main__ import main

LINK = re.compile(r"http://127\.0\.0\.1:\d+/[\w-]{22}/")


def link_on(terminal: Pseudo) -> str:
    """The link that the terminal shows."""
    terminal.until(lambda: LINK.search(terminal.text) is not None, "link")
    found = LINK.search(terminal.text)
    assert found is not None
    return found[0]


def test_a_run_is_followed_until_the_lecturer_leaves() -> None:
    with Pseudo.python("-m", "tui", "lloyd", "--watch-me", columns=120, rows=36) as terminal:
        terminal.see("step 0")
        with looking_on(link_on(terminal)) as viewer:
            viewer.until("step 0")
            terminal.press("lll")
            terminal.see("step 3")
            viewer.until("step 3")
            terminal.press("\x11")
            assert terminal.status() == 0
            with pytest.raises((EOFError, ConnectionError)):
                viewer.until("what is never there")
        with pytest.raises(ConnectionError):
            asked(link_on(terminal))


def test_an_address_that_is_taken_is_refused_before_there_is_a_screen() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with Pseudo.python("-m", "tui", "lloyd", "--watch-me", address) as terminal:
            assert terminal.status() == 2
            assert f"nothing can be shown at {address}: Address already in use." in terminal.text.replace("\n", "")


@pytest.mark.parametrize("given", ["lloyd", "8000", "x:", ":80", "x:99999", "x:-1"])
def test_what_is_no_address_is_refused_in_a_sentence(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--watch-me", given])
    assert ended.value.code == 2
    assert f"{given!r} is no address: HOST:PORT" in capsys.readouterr().err


def test_without_a_class_nothing_of_it_is_imported(tmp_path: Path) -> None:
    code = "import sys, tui.__main__, tui.app, algorithms.playback.runs.request; print(*sys.modules)"
    quiet = {"cwd": tmp_path}
    with started(sys.executable, "-c", code, stdout=-1, text=True, **quiet) as process:
        names = process.communicate()[0].split()
    assert "tui.app" in names
    assert not [name for name in names if name.startswith("tui.classroom") or name in ("http.server", "aiohttp")]


def test_serving_without_what_it_needs_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["lloyd", "--serve"]) == 2
    captured = capfd.readouterr()
    assert "--serve needs textual-serve, which is not installed: pip install 'iterscope[serve]'." in (
        captured.err + captured.out
    )
