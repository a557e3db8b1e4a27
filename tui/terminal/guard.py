"""Run a Textual app so that the terminal is as it was afterwards, whatever happens, and the process does end.

Textual restores the terminal when the app ends in order. Killed, it leaves it raw, on the alternate screen and
with the mouse reported; without a terminal it spins, hangs or draws into a file; a thread that never returns
keeps the process alive for ever. All of that is met here.
"""

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, Self

from tui.terminal.failure import keep_data_out, report

if TYPE_CHECKING:
    from textual.app import App

_GRACE = 2.0  # seconds that the app has to end in order
_USAGE = 2  # exit status where the screen cannot be opened

# SIGINT comes from other processes only: while the app runs, Ctrl+C is a key.
_ENDING = tuple(getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM") if hasattr(signal, name))

_NO_SIGNAL = b"\0"

_RESET = (
    "\x1b[?2026l"  # show what is painted
    "\x1b[?2004l\x1b[?7h\x1b[?2048l"  # no bracketed paste, lines wrap, no reports of the size
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l"  # no reports of mouse and focus
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[0m"  # plain keys, the screen from before, a cursor, no colour
)


def run(make_app: Callable[[], "App[Any]"], instead: str) -> int:
    """Run the app that `make_app` gives, and return the exit status; ends the process if a thread of it never ends.

    Where there is no terminal to run in, says so in a sentence that names what to use `instead`.
    """
    reason = why_not_here()
    if reason is not None:
        tell(f"iterscope draws on a terminal, and {reason}; `{instead}` needs none.")
        return _USAGE
    try:
        os.getcwd()
    except FileNotFoundError:
        tell("iterscope was started in a folder that is there no more: go to one that is (cd ~), and start it again.")
        return _USAGE
    try:
        status = _opened(make_app) if sys.platform == "win32" or elsewhere() else _guarded(make_app)
    except Exception as error:  # the app could not be made or opened; what fails later it tells itself
        tell(report(error))
        status = 1
    _end_if_stuck(status)
    return status


def why_not_here() -> str | None:
    """Why a screen cannot be opened, as half a sentence; None where it can."""
    if elsewhere():
        return None
    for stream, name in ((sys.__stdin__, "standard input"), (sys.__stderr__, "standard error")):
        if stream is None or stream.closed:
            return f"{name} is closed"
        if not os.isatty(stream.fileno()):
            return f"{name} is not one"
    term = os.environ.get("TERM", "")
    if sys.platform != "win32" and term in ("", "dumb", "unknown"):
        return f"TERM={term} says that this one shows plain lines only"
    return None


def tell(sentence: str) -> None:
    """Say something to the person: on standard error, or on standard output where only that is seen."""
    streams = [s for s in (sys.__stderr__, sys.__stdout__) if s is not None and not s.closed]
    seen = [s for s in streams if s.isatty()] or streams
    if seen:
        with contextlib.suppress(OSError):  # nobody is left to be told
            print(sentence, file=seen[0], flush=True)


def elsewhere() -> bool:
    """Tell whether the screen is drawn by a driver named in the environment, in a browser say, and not here."""
    return bool(os.environ.get("TEXTUAL_DRIVER"))


def _guarded(make_app: Callable[[], "App[Any]"]) -> int:
    with Watch(Terminal()) as watch:
        status = _opened(make_app, watch)
    return watch.status or status


def _opened(make_app: Callable[[], "App[Any]"], watch: "Watch | None" = None) -> int:
    """Run the app to its end, without waiting for its threads, and return the exit status."""
    app = make_app()
    keep_data_out(app)
    if watch is not None:
        from tui.terminal.driver import AsciiDriver, SafeDriver  # they need termios, which Windows does not have

        app.driver_class = AsciiDriver if getattr(app, "ascii_alone", False) else SafeDriver

    async def to_its_end() -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(_Workers(thread_name_prefix="step"))
        if watch is not None:
            watch.ask(loop, app)
        await app.run_async()

    status = 1
    try:
        asyncio.run(to_its_end())
        status = 1 if app.return_code is None else app.return_code  # None: it ended, but nobody asked it to
    finally:
        if status or (watch is not None and watch.status):
            sentence = _rescued(app)
            if sentence:
                tell(sentence)
    return status


def _rescued(app: "App[Any]") -> str:
    """Have the app keep what is not saved, if it can; returns what to tell of it. Nothing is in the way of the end."""
    keep = getattr(app, "keep_unsaved", None)
    with contextlib.suppress(Exception):
        return str(keep()) if keep is not None else ""
    return ""


class _Workers(ThreadPoolExecutor):
    """The threads of the app's workers; asyncio waits for all of them at the end, for ever if one hangs."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)


def _end_if_stuck(status: int) -> None:
    """End the process here if Python would not, or not with this status.

    It waits for every thread, and one that never returns cannot be interrupted; and where the terminal is gone, the
    last words in its buffers fail, which makes the status 120.
    """
    deadline = monotonic() + _GRACE
    others = [t for t in threading.enumerate() if t is not threading.current_thread() and not t.daemon]
    for thread in others:
        thread.join(max(0.0, deadline - monotonic()))
    if not _flushed() or any(thread.is_alive() for thread in others):
        _end_at_once(status)


def _end_at_once(status: int) -> NoReturn:
    """End the process from any thread, whatever the others do; nothing half written is left."""
    files = sys.modules.get("algorithms.saving.files")  # where it is not there yet, nothing was written
    if files is not None:
        with contextlib.suppress(Exception):
            files.drop_unfinished()
    os._exit(status)


def _flushed() -> bool:
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # None where it was closed from the start
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


class Terminal:
    """The terminal that the screen is drawn on, and its modes from before, which it has again afterwards."""

    def __init__(self) -> None:
        import termios  # there is none on Windows

        self._termios = termios
        assert sys.__stdin__ is not None
        assert sys.__stderr__ is not None
        self.keys, self._screen = sys.__stdin__.fileno(), sys.__stderr__.fileno()
        self._before = termios.tcgetattr(self.keys)

    def give_back(self) -> None:
        """Restore it if that was not done."""
        with contextlib.suppress(self._termios.error, OSError):
            if self._termios.tcgetattr(self.keys) != self._before:
                self.restore()

    def restore(self, sentence: str = "") -> None:
        """Give everything back and say a sentence, at once: no waiting for a terminal that is stalled or gone."""
        with contextlib.suppress(self._termios.error, OSError):
            self._termios.tcsetattr(self.keys, self._termios.TCSANOW, self._before)
        with contextlib.suppress(OSError):
            os.set_blocking(self._screen, False)
            with contextlib.suppress(OSError):
                os.write(self._screen, f"{_RESET}{sentence}{os.linesep if sentence else ''}".encode())
            os.set_blocking(self._screen, True)  # the shell writes through the same open file


class Watch(threading.Thread):
    """Ends the app on a signal or when the terminal is gone: in order if it can, after a grace in any case.

    It is a thread with a pipe that the signals are written to, since Python runs a handler only when the main
    thread gets to it, which a step that never ends, or a long product of matrices, does not allow.

    Attributes:
        status: 128 + the number of the signal, 0 while there was none.
    """

    def __init__(self, terminal: Terminal):
        super().__init__(name="watch", daemon=True)
        self.status = 0
        self._terminal = terminal
        self._loop: asyncio.AbstractEventLoop | None = None
        self._app: App[Any] | None = None
        self._ask: Callable[[], object] | None = None
        self._over = threading.Event()
        self._reading, self._writing = os.pipe()
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        os.set_blocking(self._writing, False)
        signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        for number in _ENDING:  # also those that were ignored: without its terminal a screen has nothing to do
            self._before[number] = signal.signal(number, _nothing)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        os.write(self._writing, _NO_SIGNAL)
        self.join(_GRACE)
        self._terminal.give_back()  # before a signal may end the process at once again
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self._reading)
        os.close(self._writing)

    def ask(self, loop: asyncio.AbstractEventLoop, app: "App[Any]") -> None:
        """From now on a signal asks this app, running in this loop, to end."""
        self._loop, self._app = loop, app
        self._ask = lambda: loop.call_soon_threadsafe(partial(app.exit, return_code=self.status))

    def _wake(self) -> None:
        """Have the main thread run the handler of another signal (SIGCONT, SIGWINCH).

        The system may give a signal to any thread; the main one, waiting for a key, would not know of it.
        """
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it is closed
                self._loop.call_soon_threadsafe(_nothing)

    def run(self) -> None:
        number = self._first_signal()
        if number is None:
            return
        self.status = 128 + number
        if self._ask is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody can be asked any more
                self._ask()
                if self._over.wait(_GRACE):
                    return
        self._terminal.restore(_rescued(self._app) if self._app is not None else "")
        _end_at_once(self.status)

    def _first_signal(self) -> int | None:
        """Wait for a signal that ends the app, or the loss of the terminal; None when the app has ended by itself."""
        poll = select.poll()
        poll.register(self._reading, select.POLLIN)
        poll.register(self._terminal.keys, 0)  # a hangup is reported unasked
        while not self._over.is_set():
            for source, event in poll.poll():
                if source == self._reading:
                    number = os.read(self._reading, 1)[0]
                    if number in _ENDING:
                        return number
                    self._wake()
                elif event & select.POLLHUP:
                    return signal.SIGHUP
                else:
                    poll.unregister(source)
        return None


def _nothing(*_: object) -> None:
    """Do what a signal's handler has to do here: its number has been written to the pipe."""
