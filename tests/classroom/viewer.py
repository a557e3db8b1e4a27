"""A viewer of a lecturer's screen without a browser: it reads the screens as the page's script does."""

import http.client
import json
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from tests.patience import PATIENCE
from tui.paint.canvas import Canvas
from tui.paint.cells import Cells


def screen(*lines: str, ink: int = 0xFFFFFF, size: tuple[int, int] = (40, 6)) -> Cells:
    """A screen with some lines on it."""
    canvas = Canvas(*size, 0x101010, 0xEEEEEE)
    for row, line in enumerate(lines):
        canvas.text(0, row, line, ink)
    return Cells(*canvas.cells())


def asked(link: str, path: str = "", method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a request at a link, or at another path of its server; its status, headers and body."""
    place = urlsplit(link)
    line = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    try:
        line.request(method, path or place.path, headers=headers)
        answer = line.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        line.close()


class Viewer:
    """Looks on.

    Attributes:
        cells: what the screen shows.
        place: the step on it.
        wholes, differences: how many messages of each kind came.
    """

    def __init__(self, answer: http.client.HTTPResponse):
        self._answer = answer
        self.place, self.wholes, self.differences = "", 0, 0
        self.cells = Cells(np.zeros((0, 1), np.uint32), np.zeros((0, 1), np.int64))

    def take(self) -> None:
        """Wait for the next message, and change the cells as it says."""
        length = 0
        while not length:
            length = int.from_bytes(self._read(4), "big")
        self.show(json.loads(zlib.decompress(self._read(length))))

    def show(self, said: dict[str, Any]) -> None:
        """Change the cells as a message says."""
        columns, rows = said["size"]
        if said["whole"]:
            self.cells = Cells(np.zeros((rows, columns), np.uint32), np.zeros((rows, columns), np.int64))
        self.wholes, self.differences = self.wholes + said["whole"], self.differences + (not said["whole"])
        self.place = said["place"]
        for row, first, text, lengths in said["rows"]:
            there = np.s_[row, first : first + len(text)]
            self.cells.glyphs[there] = [ord(character) for character in text]
            self.cells.styles[there] = np.repeat(np.array(lengths[::2], np.int64), lengths[1::2])

    def until(self, text: str) -> None:
        """Take messages until a text is on the screen."""
        while text not in self.cells.text:
            self.take()

    def _read(self, length: int) -> bytes:
        got = self._answer.read(length)
        if len(got) < length:
            raise EOFError("the lecturer has ended")
        return got


@contextmanager
def looking_on(link: str, room: int = 0) -> Iterator[Viewer]:
    """A viewer of the screens at a link; of a slow one what it has not read yet fills so many bytes soon."""
    place = urlsplit(link)
    line = http.client.HTTPConnection(place.netloc, timeout=PATIENCE)
    if room:
        line.sock = socket.socket()
        line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        line.sock.settimeout(PATIENCE)
        line.sock.connect((place.hostname, place.port))
    line.request("GET", f"{place.path}screens")
    answer = line.getresponse()
    assert answer.status == 200, answer.status
    try:
        yield Viewer(answer)
    finally:
        answer.close()
        line.close()
