"""Textual's driver of a Linux or macOS terminal, with what it lacks when the process is stopped, cut off or stuck."""

import asyncio
import os
import signal
import threading
from typing import Any

from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from tui.terminal.ascii import in_ascii

_LEAVE = {"ctrl+c", "ctrl+q"}
_PATIENCE = 2.0  # seconds that the app may take to notice that it is to be left


class SafeDriver(LinuxDriver):
    """A driver that comes back from SIGSTOP, ends with its terminal, and can be left when the app hangs."""

    ascii_alone = False  # whether nothing but ASCII is sent

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._home = asyncio.get_running_loop()
        self._shown = False
        self._asleep = False
        # A handler may interrupt the main thread while it holds the lock of the output queue, and would then
        # wait for itself. Between two callbacks of the loop the lock is free.
        signal.signal(signal.SIGTSTP, lambda *_: self._home.call_soon_threadsafe(self._go_to_sleep))
        signal.signal(signal.SIGCONT, lambda *_: self._home.call_soon_threadsafe(self._come_back))

    def write(self, data: str) -> None:
        super().write(in_ascii(data) if self.ascii_alone else data)

    def start_application_mode(self) -> None:
        self._shown = True
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
            super().run_input_thread()
        except OSError:  # the terminal has gone: the same as a hangup, also where that signal never comes
            os.kill(os.getpid(), signal.SIGHUP)

    def process_message(self, message: Message) -> None:
        """Pass an event on to the app; called in the thread that reads the keys."""
        if isinstance(message, events.Key) and message.key in _LEAVE:
            self._leave_unless_noticed()
        super().process_message(message)

    def _leave_unless_noticed(self) -> None:
        """End the process if the loop is stuck, in a step that never ends, say, and will never see this key."""
        leave = threading.Timer(_PATIENCE, os.kill, (os.getpid(), signal.SIGTERM))
        leave.daemon = True
        leave.start()
        self._home.call_soon_threadsafe(leave.cancel)


class AsciiDriver(SafeDriver):
    """For terminals and fonts that have ASCII only."""

    ascii_alone = True
