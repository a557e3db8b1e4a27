"""Run a command with code of the reader's in a process of its own: however that ends, its end is told in a sentence."""

import os
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from time import monotonic
from typing import Any

from algorithms.cli.interrupts import INTERRUPTED
from algorithms.userfile.importing import IMPORTING, WAITED, listeners, slow_import

_LOOK = 0.2  # seconds between two looks at a process whose pipe is held open by one that it has begun
_BEGUN, _DONE, _OVER = b"begun", b"done.", b"over."  # of an import, and the command as a whole: five bytes each


def apart(run: Callable[[], int], what: str, tell: Callable[[str], None]) -> int:
    """Run a command in a process of its own, and give its exit status; what ends that process is told here.

    Args:
        run: the command. It is run in the new process, which returns from here as this one does.
        what: the file that it runs.
    """
    if sys.platform == "win32":  # there is no fork
        return run()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    (messages, writing), (ended, holding) = os.pipe(), os.pipe()
    with warnings.catch_warnings():  # of threads, of which none does anything yet
        warnings.simplefilter("ignore")
        process = os.fork()
    if process:
        os.close(writing)
        os.close(ended)
        return _Watched(process, messages, what, tell).status()
    os.close(messages)
    os.close(holding)
    threading.Thread(target=_end_with_parent, args=(ended,), daemon=True).start()
    listeners.append(lambda begins: _say(writing, _BEGUN if begins else _DONE))
    status = run()
    _say(writing, _OVER)
    return status


def _say(pipe: int, message: bytes) -> None:
    os.write(pipe, message)


def _end_with_parent(ended: int) -> None:
    os.read(ended, 1)  # nothing is written to it: it closes
    os._exit(1)


class _Watched:
    """The process of a command, from the side of the one that began it."""

    def __init__(self, process: int, messages: int, what: str, tell: Callable[[str], None]):
        self._process, self._messages, self._what, self._tell = process, messages, what, tell
        self._importing: float | None = None  # since when
        self._told = self._over = False

    def status(self) -> int:
        """Wait for its end, and give the exit status."""
        signal.signal(signal.SIGINT, self._hand_on)
        code = self._waited()
        if code is None:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._tell(f"{self._what} was not imported within {IMPORTING:g} seconds.")
            return 2
        if self._over or code == INTERRUPTED:
            return code
        how = f"signal {-code}, {signal.strsignal(-code) or 'unknown'}" if code < 0 else f"exit status {code}"
        self._tell(f"{self._what} ended the process ({how}).")
        return 1

    def _hand_on(self, *_: Any) -> None:
        """Hand an interrupt on that was for this process alone; the other takes two at once for one."""
        os.kill(self._process, signal.SIGINT)

    def _waited(self) -> int | None:
        """Wait for the exit status; None when an import takes too long."""
        while True:
            since = None if self._importing is None else monotonic() - self._importing
            if since is not None and since > IMPORTING:
                return None
            if since is not None and since > WAITED and not self._told:
                self._told = True
                self._tell(slow_import(self._what))
            ready, _, _ = select.select([self._messages], [], [], _LOOK)
            closed = bool(ready) and not self._take()
            process, code = os.waitpid(self._process, 0 if closed else os.WNOHANG)
            if process:
                while not closed and select.select([self._messages], [], [], 0)[0]:
                    closed = not self._take()
                return os.waitstatus_to_exitcode(code)

    def _take(self) -> bool:
        """Take a message; whether there was one."""
        message = os.read(self._messages, len(_OVER))
        if message == _BEGUN:
            self._importing = monotonic()
        elif message == _DONE:
            self._importing = None
        elif message == _OVER:
            self._over = True
        return bool(message)
