"""`--serve`: the live app in browsers, a process of its own for each visitor, through textual-serve.

Who has the link has what the person has who started it: files that a dialog opens and writes are this machine's. So it
is for this machine alone unless an address is told, and nothing is answered without the link's token.
"""

import asyncio
import hmac
import secrets
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from aiohttp import WSMessage, WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from algorithms.core.system import end_all
from tui.classroom.listening import listening, reached_at
from tui.terminal.guard import tell

MOST = 8  # visitors; each has a process of some 100 MB
IDLE = 1800.0  # seconds without a key or a click after which a visitor's app ends
_GRACE = 3.0  # seconds that an app has to end in order
_MESSAGE = 1 << 16  # bytes of what a browser may say at once
_COOKIE = "iterscope"
_LARGEST = (300, 100)  # columns and rows
_POLICY = "default-src 'self' 'unsafe-inline' data:; connect-src 'self' {ws}; frame-ancestors 'none'"


class Visit(AppService):  # type: ignore[misc]  # it has no types where it is not installed
    """The app of one visitor, in a process of its own, with what that starts."""

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Any:
        process = await asyncio.create_subprocess_exec(
            *self.words, stdin=-1, stdout=-1, stderr=-1, start_new_session=True,
            env=self._build_environment(width=width, height=height),
        )  # fmt: skip
        self._process, self._stdin = process, process.stdin
        return process

    words: Sequence[str] = ()

    async def stop(self) -> None:
        """End it: in order, or after a grace in any case."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(super().stop(), _GRACE)
        with suppress(ProcessLookupError):
            end_all(process)  # what it started, too
        await process.wait()


class Visits(Server):  # type: ignore[misc]
    """Answers those who have the link.

    Attributes:
        link: what they open, a secret.
    """

    def __init__(self, words: Sequence[str], host: str, port: int):
        self._socket = listening(host, port)
        self._netloc = f"{reached_at(host)}:{self._socket.getsockname()[1]}"
        super().__init__("iterscope", public_url=f"http://{self._netloc}")
        self._words = words
        self._token = secrets.token_urlsafe(16)
        self.link = f"{self.public_url}/?token={self._token}"
        self._visits: set[Visit] = set()

    async def run(self) -> None:
        """Answer until a signal comes; then all visits end."""
        ended = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        app = await self._make_app()
        app.middlewares.append(self._guard)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_GRACE)
        await runner.setup()
        await web.SockSite(runner, self._socket).start()
        tell(f"{self.link}\n{MOST} visitors at most; ctrl+c ends it.")
        await ended.wait()
        await asyncio.gather(*(visit.stop() for visit in self._visits))
        await runner.cleanup()

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: `run` tells the link."""

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Let nothing be answered without the token, or at another's name, or for another's page."""
        given = request.query.get("token") or request.cookies.get(_COOKIE, "")
        if request.headers.get("Host") != self._netloc:
            raise web.HTTPForbidden(text="another host")
        if request.headers.get("Origin", self.public_url) != self.public_url:
            raise web.HTTPForbidden(text="another origin")
        if not hmac.compare_digest(given.encode(errors="replace"), self._token.encode()):
            raise web.HTTPForbidden(text="open the link that the terminal shows")
        answer: web.StreamResponse = await handler(request)
        if not answer.prepared:
            answer.set_cookie(_COOKIE, self._token, httponly=True, samesite="Strict")
            answer.headers["Content-Security-Policy"] = _POLICY.format(ws=f"ws://{self._netloc}")
            answer.headers["Referrer-Policy"] = "no-referrer"
        return answer

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Give a visitor an app, until one of both ends or nothing comes for long."""
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text="a browser names its origin")
        if len(self._visits) >= MOST:
            raise web.HTTPServiceUnavailable(text=f"{MOST} visitors are there")
        line = web.WebSocketResponse(heartbeat=15, max_msg_size=_MESSAGE)

        async def close() -> None:
            await line.close()

        visit = Visit(
            "iterscope", write_bytes=line.send_bytes, write_str=line.send_str, close=close,
            download_manager=self.download_manager, debug=False,
        )  # fmt: skip
        visit.words = self._words
        self._visits.add(visit)
        try:
            await line.prepare(request)
            size = (to_int(request.query.get(name, ""), least) for name, least in (("width", 80), ("height", 24)))
            await visit.start(*map(_limited, size, _LARGEST))
            await self._process_messages(line, visit)
        finally:
            try:
                await visit.stop()
            finally:
                self._visits.discard(visit)
        await line.close()
        return line

    async def _process_messages(self, websocket: web.WebSocketResponse, app_service: AppService) -> None:
        """Hand on what a browser says; what is none of it is nothing to the app."""
        clock = asyncio.get_running_loop().time
        idle_at = clock() + IDLE
        while True:
            try:
                async with asyncio.timeout_at(idle_at):
                    message: WSMessage = await websocket.receive()
            except TimeoutError:
                return
            if message.type is not WSMsgType.TEXT:
                return
            with suppress(ValueError):
                match message.json():
                    case ["stdin", str(keys)]:
                        idle_at = clock() + IDLE
                        await app_service.send_bytes(keys.encode(errors="replace"))
                    case ["resize", {"width": int(width), "height": int(height)}]:
                        await app_service.set_terminal_size(*map(_limited, (width, height), _LARGEST))
                    case ["ping", str(data)]:
                        await websocket.send_json(["pong", data])
                    case ["blur", *_]:
                        await app_service.blur()
                    case ["focus", *_]:
                        await app_service.focus()


def _limited(cells: int, most: int) -> int:
    return max(1, min(cells, most))


def serve(words: Sequence[str], host: str, port: int) -> int:
    """Serve the app that the words of a command line ask for, and return the exit status."""
    visits = Visits((sys.executable, "-m", "tui", *words), host, port)
    asyncio.run(visits.run())
    return 0


def without_serve(words: Sequence[str]) -> list[str]:
    """Leave out `--serve`, also where it is shortened, and the address after it where there is one."""
    kept: list[str] = []
    takes = False  # whether what comes next may be the address
    for word in words:
        name, equals, _ = word.partition("=")
        if len(name) > 2 and "--serve".startswith(name):
            takes = not equals
        elif takes and not word.startswith("-"):
            takes = False
        else:
            kept.append(word)
            takes = False
    return kept
