"""The server of a lecturer's screen: who may look on, what they are sent, and that nobody is waited for."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import numpy as np
import pytest

from algorithms.core import Refused
from tests.classroom.viewer import asked, looking_on, screen
from tests.patience import PATIENCE, Patience
from tests.text.hostile import PAYLOADS
from tui.classroom import broadcast
from tui.classroom.broadcast import Broadcast
from tui.classroom.screens import Shown
from tui.paint.cells import Cells


@pytest.fixture
def shown() -> Iterator[Broadcast]:
    """A broadcast on this machine."""
    made = Broadcast("127.0.0.1", 0)
    made.start()
    yield made
    made.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "class"], "nothing is left"


def until(holds: Callable[[], bool]) -> None:
    patience = Patience(PATIENCE)
    while not holds():
        assert not patience.over
        time.sleep(0.01)


def test_who_looks_on_has_every_screen_cell_by_cell(shown: Broadcast) -> None:
    screens = [screen("a step", f"number {i}", "宽字符 ●▲" * (i % 2), ink=0xFF0000 + i) for i in range(20)]
    shown.show(screens[0], "1 0")
    with looking_on(shown.link) as viewer:
        viewer.take()
        for i, cells in enumerate(screens[1:], 1):
            shown.show(cells, f"1 {i}")
            viewer.take()
            np.testing.assert_array_equal(viewer.cells.glyphs, cells.glyphs)
            np.testing.assert_array_equal(viewer.cells.styles, cells.styles)
            assert viewer.place == f"1 {i}"
        assert (viewer.wholes, viewer.differences) == (1, 19)


def test_another_size_is_sent_whole(shown: Broadcast) -> None:
    shown.show(screen("small"), "")
    with looking_on(shown.link) as viewer:
        viewer.until("small")
        shown.show(screen("large", size=(50, 9)), "")
        viewer.until("large")
        assert viewer.cells.glyphs.shape == (9, 50)


def test_who_comes_before_the_first_screen_waits_for_it(shown: Broadcast) -> None:
    with looking_on(shown.link) as viewer:
        until(lambda: shown.viewers == 1)
        shown.show(screen("here it is"), "")
        viewer.until("here it is")
    until(lambda: shown.viewers == 0)


def test_a_screen_that_is_as_before_is_not_sent(shown: Broadcast) -> None:
    with looking_on(shown.link) as viewer:
        for line in ("one", "one", "one", "two"):
            shown.show(screen(line), "")
        viewer.until("two")
        assert viewer.wholes + viewer.differences <= 2


def test_each_screen_is_written_once_for_all(shown: Broadcast, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bool] = []
    message = Shown._message

    def counted(self: Shown, spans: list[tuple[int, int, int]], *, whole: bool) -> bytes:
        written.append(whole)
        return message(self, spans, whole=whole)

    monkeypatch.setattr(Shown, "_message", counted)
    shown.show(screen("first"), "")
    with looking_on(shown.link) as a, looking_on(shown.link) as b, looking_on(shown.link) as c:
        for viewer in (a, b, c):
            viewer.until("first")
        for i in range(5):
            shown.show(screen(f"then {i}"), "")
            for viewer in (a, b, c):
                viewer.until(f"then {i}")
    assert written == [True] + [False] * 5


def test_a_slow_viewer_goes_on_with_the_newest_whole_screen_and_holds_nobody_up(
    shown: Broadcast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "_PATIENCE", 600.0)  # a slow machine takes more than 20 s to serve the other
    seeded = np.random.default_rng(1)

    def noise(i: int) -> Cells:
        cells = screen(f"number {i}.", size=(200, 60))
        cells.styles[1:] = seeded.integers(0, 1 << 48, (59, 200))
        return cells

    shown.show(noise(0), "")
    with looking_on(shown.link, room=4096) as slow, looking_on(shown.link) as fast:
        slow.until("number 0.")
        fast.until("number 0.")
        for i in range(1, 60):  # some 80 kB each
            shown.show(noise(i), "")
            fast.until(f"number {i}.")
        assert fast.differences == 59, "none is left out where there is room"
        slow.until("number 59.")
        assert slow.wholes > 1
        assert slow.wholes + slow.differences < 60


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 404),
        ("/x/", {}, 404),
        ("/{token}", {}, 404),
        ("/{token}x/", {}, 404),
        ("/{token}/../", {}, 404),
        ("/{token}/watch.js", {}, 404),
        ("/%00/", {}, 404),
        ("/{token}/", {"Host": "evil.example"}, 403),
        ("/{token}/", {"Host": "evil.example:80"}, 403),
        ("/{token}/screens", {"Host": "127.0.0.1.evil.example"}, 403),
        ("/{token}/", {"Host": "LOCALHOST:9"}, 200),
        ("/{token}/", {"Host": "[::1]:9"}, 200),
        ("/{token}/", {"Host": "192.168.1.7:9"}, 200),
        ("/{token}/", {}, 200),
    ],
)
def test_only_the_link_opens_it_and_no_name_that_leads_here(
    shown: Broadcast, path: str, headers: dict[str, str], status: int
) -> None:
    token = urlsplit(shown.link).path.strip("/")
    assert asked(shown.link, path.format(token=token), **headers)[0] == status


@pytest.mark.parametrize("method", ["POST", "PUT", "HEAD", "CONNECT"])
def test_nothing_can_be_sent_to_it(shown: Broadcast, method: str) -> None:
    assert asked(shown.link, method=method)[0] == 405


@pytest.mark.parametrize(
    "said",
    [b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
     b"\xff\x00 \xfe HTTP/1.1\r\nHost: localhost\r\n\r\n", b"x" * 100_000],
)  # fmt: skip
def test_what_is_no_request_is_refused_and_the_next_one_is_answered(shown: Broadcast, said: bytes) -> None:
    place = urlsplit(shown.link)
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as line:
        line.sendall(said)
        try:
            got = line.recv(1 << 16)
        except ConnectionResetError:
            got = b""
    assert got.partition(b"\r\n")[0] in (b"", b"HTTP/1.1 400 Bad Request", b"HTTP/1.1 405 Method Not Allowed")
    assert asked(shown.link)[0] == 200


def test_the_page_may_ask_for_its_screens_and_nothing_else(shown: Broadcast) -> None:
    status, headers, body = asked(shown.link)
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert headers["Referrer-Policy"] == "no-referrer"
    assert b"@STYLE@" not in body
    assert b"@SCRIPT@" not in body
    assert urlsplit(shown.link).path.strip("/").encode() not in body


def test_there_are_as_many_seats_as_it_says(shown: Broadcast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "MOST", 2)
    with looking_on(shown.link), looking_on(shown.link):
        assert asked(shown.link)[0] == 503
    until(lambda: asked(shown.link)[0] == 200)


def test_a_line_that_stands_still_says_that_it_stands(shown: Broadcast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "_PULSE", 0.01)
    with looking_on(shown.link) as viewer:
        assert viewer._read(8) == bytes(8)


def test_the_end_ends_every_line(shown: Broadcast) -> None:
    with looking_on(shown.link) as viewer:
        shown.show(screen("last"), "")
        viewer.until("last")
        shown.stop()
        with pytest.raises((EOFError, ConnectionError)):
            viewer.take()
    with pytest.raises(ConnectionError):
        asked(shown.link)


def test_an_address_that_is_taken_is_refused_in_a_sentence(shown: Broadcast) -> None:
    port = urlsplit(shown.link).port
    assert port is not None
    with pytest.raises(Refused, match=f"nothing can be shown at 127.0.0.1:{port}: Address already in use"):
        Broadcast("127.0.0.1", port)


def test_each_link_is_another_one_on_this_machine_alone() -> None:
    made = [Broadcast("127.0.0.1", 0) for _ in range(3)]
    assert len({urlsplit(each.link).path for each in made}) == 3
    assert {urlsplit(each.link).hostname for each in made} == {"127.0.0.1"}
    for each in made:
        each.stop()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_words_are_cells(shown: Broadcast, payload: str) -> None:
    cells = screen(payload)
    shown.show(cells, "")
    with looking_on(shown.link) as viewer:
        viewer.take()
        np.testing.assert_array_equal(viewer.cells.glyphs, cells.glyphs)
