"""Drive a real browser without a window: its own protocol over a pipe, so that nothing listens on this machine."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE, Patience
from tests.process import started

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = (
    "--headless=new", "--no-sandbox", "--hide-scrollbars", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def program() -> str | None:
    """The browser of this machine, None where it has none that speaks this protocol."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


class Browser:
    """Chromium with one tab.

    Attributes:
        heard: what it reported: console messages, exceptions, requests, issues (a refused script is one), dialogs.
    """

    HEARD = (
        "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Network.requestWillBeSent",
        "Audits.issueAdded", "Page.javascriptDialogOpening",
    )  # fmt: skip

    def __init__(self, to: int, since: int):
        self._to, self._from, self._rest = to, since, b""
        self._ids, self._tab = count(1), ""
        self.heard: list[dict[str, Any]] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._tab = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        sent = next(self._ids)
        self._send(sent, method, given)
        while True:
            got = self._received()
            if got.get("method") in self.HEARD:
                self.heard.append(got)
                if got["method"] == "Page.javascriptDialogOpening":  # else all stands still
                    self._send(next(self._ids), "Page.handleJavaScriptDialog", {"accept": True})
            if got.get("id") == sent:
                if "error" in got:
                    raise RuntimeError(got["error"])
                return got["result"]  # type: ignore[no-any-return]

    def _send(self, number: int, method: str, given: dict[str, Any]) -> None:
        session = {"sessionId": self._tab} if self._tab else {}
        os.write(self._to, json.dumps({"id": number, "method": method, "params": given} | session).encode() + b"\0")

    def _received(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._from], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self._from, 1 << 20)
            if not got:
                raise ConnectionError("the browser has ended")
            self._rest += got
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)  # type: ignore[no-any-return]

    def value(self, code: str) -> Any:
        """Evaluate an expression in the page."""
        got = self.ask("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"])
        return got["result"].get("value")

    def until(self, code: str) -> None:
        """Wait for a condition in the page."""
        patience = Patience(PATIENCE)
        while not self.value(code):
            assert not patience.over, f"it never came to hold: {code}"
            time.sleep(0.02)

    def open(self, path: Path, hash: str = "", *, light: bool = False) -> None:
        """Open a page of a run, and wait until it is drawn."""
        self.media(light=light)
        self.resize()
        self.ask("Page.navigate", url="about:blank")
        self.heard.clear()
        self.ask("Page.navigate", url=path.resolve().as_uri() + hash)
        self.until("document.readyState === 'complete' && typeof shown !== 'undefined' && shown.length > 0")

    def media(self, *, light: bool) -> None:
        """Set the look that the reader's system asks for."""
        wanted = {"name": "prefers-color-scheme", "value": "light" if light else "dark"}
        self.ask("Emulation.setEmulatedMedia", features=[wanted])

    def resize(self, width: int = 1280, height: int = 860, ratio: float = 1.0) -> None:
        """Set the size of the window, and of a pixel."""
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False
        )

    def press(self, *keys: str) -> None:
        """Press keys; "Shift+N" with shift."""
        for pressed in keys:
            key = pressed.removeprefix("Shift+")
            text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
            for kind in ("keyDown", "keyUp"):
                shift = 8 * (key != pressed)
                self.ask(
                    "Input.dispatchKeyEvent", type=kind, key=key, modifiers=shift, **(text if kind == "keyDown" else {})
                )

    def drag(self, y: float, *places: float) -> None:
        """Press the mouse at the first place, move it along the others, and let it go at the last."""
        events = [("mousePressed", places[0]), *(("mouseMoved", x) for x in places[1:]), ("mouseReleased", places[-1])]
        for kind, x in events:
            self.ask("Input.dispatchMouseEvent", type=kind, button="left", buttons=1, clickCount=1, x=x, y=y)

    def picture(self) -> bytes:
        """Photograph the page, as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def printed(self) -> bytes:
        """Print the page, as PDF."""
        return base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])


@contextmanager
def begun(name: str) -> Iterator[Browser]:
    """Begin a browser, and end it with the block."""
    (theirs, to), (since, ours) = (_high(end) for end in os.pipe()), (_high(end) for end in os.pipe())
    plumbed = f'exec "$@" 3<&{theirs} 4>&{ours}'
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        words = ("bash", "-c", plumbed, "bash", name, *_FLAGS, f"--user-data-dir={home}", "about:blank")
        with started(*words, pass_fds=(theirs, ours), **quiet):
            os.close(theirs)
            os.close(ours)
            try:
                yield Browser(to, since)
            finally:
                os.close(to)
                os.close(since)


def _high(end: int) -> int:
    """Move an end of a pipe out of the way of those that the browser takes for its own, 3 and 4."""
    try:
        return fcntl.fcntl(end, fcntl.F_DUPFD, 10)
    finally:
        os.close(end)
