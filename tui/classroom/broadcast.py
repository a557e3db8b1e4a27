"""The server of `--watch-me`: one page and the screens that it shows, to whoever has the link.

It has a thread and a loop of its own, and takes nothing from browsers but what they ask for: a page, or the screens
from now on. A browser that takes them slowly gets the newest whole one when it has room again; nobody waits for it.
"""

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import re
import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path

from tui.classroom.listening import listening, reached_at
from tui.classroom.screens import STILL_THERE, Shown
from tui.paint.cells import Cells

MOST = 300  # connections
_HEAD = 8192  # bytes of a request, at most
_BUFFER = 1 << 17  # bytes on their way to a viewer: what is more waits to be newer
_PATIENCE = 20.0  # seconds that a request or a viewer's room is waited for
_PULSE = 10.0  # seconds after which a screen that stands still says so
_GRACE = 2.0  # seconds that the end is waited for
_REASONS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            503: "Service Unavailable"}  # fmt: skip
_HERE = Path(__file__).parent
_EXPORT = _HERE.parent / "export"


class Broadcast:
    """Shows screens to those who have the link.

    Attributes:
        link: what they open, a secret.
        viewers: how many look on.

    Raises:
        Refused: where nothing can listen at the address.
    """

    def __init__(self, host: str, port: int):
        self._socket = listening(host, port)
        self._token = secrets.token_urlsafe(16)
        self._names = {"localhost", host.lower(), socket.gethostname().lower()}
        self.link = f"http://{reached_at(host)}:{self._socket.getsockname()[1]}/{self._token}/"
        self.viewers = 0
        self._open = 0
        self._newest: Shown | None = None
        self._page, self._policy = _page()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="class", daemon=True)
        self._ready = threading.Event()

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()
        self._ready.wait(_GRACE)

    def show(self, cells: Cells, place: str) -> None:
        """Show a screen, called in any thread.

        Args:
            place: what tells a step from another: those who go back by themselves go from place to place.
        """
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._take, cells, place)

    def stop(self) -> None:
        """End all connections, and the thread."""
        if self._thread.is_alive():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join(_GRACE)
        self._socket.close()

    async def _serve(self) -> None:
        self._loop, self._over, self._first = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        server = await asyncio.start_server(self._meet, sock=self._socket, limit=_HEAD)
        self._ready.set()
        await self._over.wait()
        server.close()  # who is connected is left by the end of the loop

    def _take(self, cells: Cells, place: str) -> None:
        """Take the screen that is to be shown, if it is another one."""
        before, shown = self._newest, Shown(cells, place, self._newest)
        if before is None or shown.differs:
            self._newest = shown
            (before.followed if before is not None else self._first).set()

    # Connections

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError)
        self._open += 1
        try:
            with suppress(*ends):
                async with asyncio.timeout(_PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head.decode("latin-1"), reader, writer)
        finally:
            self._open -= 1
            writer.transport.abort() if self._over.is_set() else writer.close()

    async def _answer(self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        status, wanted = self._wanted(head)
        if status == 200 and wanted == "screens":
            writer.write(self._head(200, "application/octet-stream"))
            await self._until_either_ends(reader, writer)
            return
        kind, body = ("text/html", self._page) if status == 200 else ("text/plain", _REASONS[status].encode())
        writer.write(self._head(status, f"{kind}; charset=utf-8", len(body)) + body)
        async with asyncio.timeout(_PATIENCE):
            await writer.drain()

    def _wanted(self, head: str) -> tuple[int, str]:
        """Read a request; its status, and what it asks for of this link."""
        line, *headers = head.split("\r\n")
        words = line.split(" ")
        hosts = [value.strip() for name, _, value in (h.partition(":") for h in headers) if name.lower() == "host"]
        if len(words) != 3 or len(hosts) != 1:
            return 400, ""
        if not self._is_ours(hosts[0]):
            return 403, ""
        if words[0] != "GET":
            return 405, ""
        token, slash, wanted = words[1].removeprefix("/").partition("/")
        right = hmac.compare_digest(token.encode("latin-1"), self._token.encode())
        if not right or not slash or wanted not in ("", "screens"):
            return 404, ""
        return (503, "") if self._open > MOST else (200, wanted)

    def _is_ours(self, host: str) -> bool:
        """Tell whether a request is for this machine, and not for a name of another's that was led here: an address in
        numbers, or one of our own names."""
        name = re.sub(r":\d*$", "", host).lower()
        with suppress(ValueError):
            return bool(ipaddress.ip_address(name.removeprefix("[").removesuffix("]")))
        return name in self._names

    def _head(self, status: int, kind: str, length: int | None = None) -> bytes:
        lines = [
            f"HTTP/1.1 {status} {_REASONS[status]}",
            f"Content-Type: {kind}",
            *([f"Content-Length: {length}"] if length is not None else []),
            "Connection: close",
            "Cache-Control: no-store",
            "Referrer-Policy: no-referrer",
            "X-Content-Type-Options: nosniff",
            "Cross-Origin-Resource-Policy: same-origin",
            f"Content-Security-Policy: {self._policy}",
        ]
        return "\r\n".join([*lines, "", ""]).encode()

    async def _until_either_ends(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.viewers += 1
        both = [asyncio.create_task(self._send(writer)), asyncio.create_task(_gone(reader))]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.viewers -= 1
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            writer.transport.abort()

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        """Send the screens, one after the other; those that come while there is no room are left out."""
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        writer.transport.set_write_buffer_limits(high=0)  # `drain` waits for all of it
        sent: Shown | None = None
        while True:
            newest = self._newest
            if newest is None or newest is sent:
                try:
                    async with asyncio.timeout(_PULSE):
                        await (self._first if newest is None else newest.followed).wait()
                    continue
                except TimeoutError:
                    writer.write(STILL_THERE)
            else:
                next_one = sent is not None and newest.number == sent.number + 1
                writer.write(newest.difference if next_one else newest.whole)
                sent = newest
            async with asyncio.timeout(_PATIENCE):
                await writer.drain()


async def _gone(reader: asyncio.StreamReader) -> None:
    """Wait until a browser has closed its connection; what it says meanwhile is nothing to us."""
    while await reader.read(_HEAD):
        pass


def _page() -> tuple[bytes, str]:
    """Put the page together; and its policy, by which a browser lets it do nothing but ask for screens."""
    style = (_EXPORT / "page.css").read_text(encoding="utf-8")
    script = "".join(path.read_text(encoding="utf-8") for path in (_EXPORT / "cells.js", _HERE / "watch.js"))
    frame = (_HERE / "watch.html").read_text(encoding="utf-8")
    parts = {"STYLE": style, "SCRIPT": script}
    page = re.sub("@([A-Z]+)@", lambda named: parts[named[1]], frame).encode()
    scripts, styles = (base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in (script, style))
    policy = (
        f"default-src 'none'; script-src 'sha256-{scripts}'; style-src 'sha256-{styles}'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return page, policy
