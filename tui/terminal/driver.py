"""Textual's driver of a Linux or macOS terminal, with what it lacks when the process is stopped, cut off or stuck."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.message import Message

from tui.terminal.ascii import in_ascii
from tui.terminal.containment import Contained
from tui.terminal.failure import end_with
from tui.terminal.keys import KeyParser, read_keys

_LEAVE = {"ctrl+c", "ctrl+q"}
_MOST = Size(800, 300)  # cells; a terminal that says it has 65535 x 65535 would cost gigabytes
_PATIENCE = 2.0  # seconds that the loop may stand still while the app is to be left
_LOOK = 0.25  # seconds between two looks


class LeaveWatch(threading.Thread):
    """Watches the loop from a key that is to end the app until the app has taken that key, which may wait for others.

    Args:
        end: is called when the loop stands still meanwhile, in a step that never ends, say, and will never see the key.
        patience: seconds that it may stand still.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, end: Callable[[], None], patience: float = _PATIENCE):
        super().__init__(name="leave", daemon=True)
        self._loop, self._end, self._patience = loop, end, patience
        self.noticed = threading.Event()

    def run(self) -> None:
        while not self.noticed.wait(_LOOK):
            turned = threading.Event()
            try:
                self._loop.call_soon_threadsafe(turned.set)
            except RuntimeError:  # it is closed: the app has ended
                return
            if not turned.wait(self._patience) and not self.noticed.is_set():
                self._end()
                return


class SafeDriver(LinuxDriver):
    """A driver that comes back from SIGSTOP, ends with its terminal, and can be left when the app hangs."""

    ascii_alone = False  # whether nothing but ASCII is sent

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size or self._get_terminal_size())
        self._home = asyncio.get_running_loop()
        self._shown = False
        self._asleep = False
        self._watches: list[LeaveWatch] = []
        # A handler may interrupt the main thread while it holds the lock of the output queue, and would then
        # wait for itself. Between two callbacks of the loop the lock is free.
        signal.signal(signal.SIGTSTP, lambda *_: self._home.call_soon_threadsafe(self._go_to_sleep))
        signal.signal(signal.SIGCONT, lambda *_: self._home.call_soon_threadsafe(self._come_back))

    def _get_terminal_size(self) -> tuple[int, int]:
        return tuple(_clamped(Size(*super()._get_terminal_size())))

    def write(self, data: str) -> None:
        super().write(in_ascii(data) if self.ascii_alone else data)

    def start_application_mode(self) -> None:
        self._shown = True
        if isinstance(self._app, Contained):
            self._app.sending.forget()  # whatever had the terminal before
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        self._shown = False
        super().stop_application_mode()

    def _go_to_sleep(self) -> None:
        """Leave the terminal and stop, on SIGTSTP; returns when the process goes on."""
        self._asleep = self._shown
        self._sigtstp_application()

    def _come_back(self) -> None:
        """Go on after SIGCONT.

        Textual takes it that the app was put to sleep in order. After `kill -STOP` or a paused machine it was
        not: starting application mode twice would leave two threads reading the keys, one of them for ever.
        What had the terminal meanwhile may have changed its modes and its cells, so all is set and painted anew.
        """
        if self._in_background():
            os.kill(os.getpid(), signal.SIGSTOP)
            return
        if self._shown:
            self.suspend_application_mode()
            self.resume_application_mode()
        elif self._asleep:  # and not ending, say, or lending the terminal to an editor
            self._sigcont_application()
        else:
            return
        self._asleep = False
        self._app.call_later(self._app.refresh, layout=True)

    def _in_background(self) -> bool:
        try:
            return os.tcgetpgrp(self.fileno) != os.getpgrp()
        except OSError:
            return False

    def run_input_thread(self) -> None:
        try:
            for message in read_keys(self.fileno, self.exit_event, KeyParser(self._debug)):
                self.process_message(message)
        except OSError:  # the terminal has gone: the same as a hangup, also where that signal never comes
            os.kill(os.getpid(), signal.SIGHUP)
        except Exception as error:
            self._home.call_soon_threadsafe(end_with, self._app, error)

    def process_message(self, message: Message) -> None:
        """Pass an event on to the app; called in the thread that reads the keys."""
        if isinstance(message, events.Key) and message.key in _LEAVE:
            self._leave_unless_noticed()
        if isinstance(message, events.Resize):
            message = events.Resize(
                _clamped(message.size), _clamped(message.virtual_size), pixel_size=message.pixel_size
            )
        super().process_message(message)

    def _leave_unless_noticed(self) -> None:
        watch = LeaveWatch(self._home, lambda: os.kill(os.getpid(), signal.SIGTERM))
        self._watches.append(watch)
        watch.start()

    def leaving_was_noticed(self) -> None:
        """Called when the app takes a key that is to end it: the loop need not be watched any longer."""
        while self._watches:
            self._watches.pop().noticed.set()


def _clamped(size: Size | None) -> Any:
    """Limit a window to so many cells as there is memory for."""
    return None if size is None else Size(min(size.width, _MOST.width), min(size.height, _MOST.height))


class AsciiDriver(SafeDriver):
    """For terminals and fonts that have ASCII only."""

    ascii_alone = True
