"""`python -m tui NAME --serve`: an app for each visitor who has the link, so many at most, and none is left behind."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.classroom.viewer import asked
from tests.patience import PATIENCE
from tests.process import started
from tui.__main__ import main

pytest.importorskip("textual_serve", reason="textual-serve is not installed: pip install 'iterscope[serve]'")

import aiohttp

from tui.classroom.serving import without_serve

ROOT = Path(__file__).parents[2]


def served(idle: float = 600.0) -> Any:
    """A process that serves the k-means of the catalogue to two visitors at most."""
    code = (
        f"import sys, tui.classroom.serving as s; s.MOST, s.IDLE = 2, {idle}; "
        "from tui.__main__ import main; sys.exit(main(['lloyd', '--serve']))"
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith("TEXTUAL")} | {"PYTHONPATH": str(ROOT)}
    return started(sys.executable, "-c", code, stdout=-1, stderr=subprocess.STDOUT, text=True, env=env)


def link_of(process: Any) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{22}", process.stdout.readline())
    assert found is not None
    return found[0]


@pytest.fixture
def server() -> Iterator[Any]:
    with served() as process:
        yield process


async def visit(http: aiohttp.ClientSession, link: str, **headers: str) -> Any:
    """A visitor's line, as the page's script opens it."""
    place = urlsplit(link)
    given = {"Origin": f"http://{place.netloc}"} | headers
    return await http.ws_connect(f"ws://{place.netloc}/ws?width=100&height=30&{place.query}", headers=given)


async def visit_when_there_is_room(http: aiohttp.ClientSession, link: str) -> Any:
    """A visitor who tries again: room is there a moment after the process of one before is gone."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(aiohttp.WSServerHandshakeError):
                return await visit(http, link)
            await asyncio.sleep(0.05)


async def seen(line: Any, words: bytes) -> None:
    """Wait until the words were sent to a browser."""
    got = b""
    async with asyncio.timeout(PATIENCE):
        while words not in got:
            message = await line.receive()
            assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
            got += message.data if isinstance(message.data, bytes) else b""


def children(of: int) -> list[str]:
    return Path(f"/proc/{of}/task/{of}/children").read_text().split()


async def test_each_visitor_has_an_app_and_they_end_with_it(server: Any) -> None:
    link = link_of(server)
    async with aiohttp.ClientSession() as http:
        one, two = [await visit(http, link) for _ in range(2)]
        for line in (one, two):
            await seen(line, b"Lloyd")
        assert len(children(server.pid)) == 2
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await visit(http, link)
        await one.send_json(["stdin", "l"])
        await one.send_json(["resize", {"width": 10**9, "height": -4}])
        for odd in ("x", 5, ["stdin"], ["stdin", 5], ["resize", {}], {}):
            await one.send_json(odd)
        await one.close()
        async with asyncio.timeout(PATIENCE):
            while len(children(server.pid)) > 1:
                await asyncio.sleep(0.05)
        three = await visit_when_there_is_room(http, link)
        await seen(three, b"Lloyd")
        left = children(server.pid)
        server.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(server.wait, PATIENCE) == 0
        assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]


async def test_a_visitor_who_does_nothing_is_ended() -> None:
    with served(idle=1.0) as server:
        link = link_of(server)
        async with aiohttp.ClientSession() as http, asyncio.timeout(PATIENCE):
            line = await visit(http, link)
            while not line.closed:
                await line.receive()
            while children(server.pid):
                await asyncio.sleep(0.05)


async def test_nothing_is_answered_without_the_link(server: Any) -> None:
    link = link_of(server)
    place = urlsplit(link)
    status, headers, _ = await asyncio.to_thread(asked, link, f"/?{place.query}")
    assert status == 200
    assert "HttpOnly" in headers["Set-Cookie"]
    assert "SameSite=Strict" in headers["Set-Cookie"]
    for path, given in (
        ("/", {}), ("/?token=x", {}), ("/static/js/textual.js", {}), ("/download/x", {}), ("/ws", {}),
        (f"/?{place.query}", {"Host": "evil.example"}), (f"/?{place.query}", {"Origin": "http://evil.example"}),
    ):  # fmt: skip
        assert (await asyncio.to_thread(asked, link, path, **given))[0] == 403, path
    async with aiohttp.ClientSession() as http:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await visit(http, link, Origin="http://evil.example")
    assert children(server.pid) == []


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("lloyd --serve", "lloyd"),
        ("lloyd --serve 0.0.0.0:80 -p k=3", "lloyd -p k=3"),
        ("lloyd --serv=0.0.0.0:80 -p k=3", "lloyd -p k=3"),
        ("lloyd --serve -p k=3", "lloyd -p k=3"),
    ],
)
def test_a_visitors_app_serves_nobody(words: str, kept: str) -> None:
    assert without_serve(words.split()) == kept.split()


def test_it_is_one_or_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lloyd", "--serve", "--watch-me"])
    assert "name one of them" in capsys.readouterr().err
