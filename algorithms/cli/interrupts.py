"""Heed an interrupt between two steps, wherever it comes.

Python raises KeyboardInterrupt in whatever runs just then, and drops it where it ignores exceptions: in a destructor,
in the callback of a weak reference. So an interrupt is noted, and looked at before each step.
"""

import _thread
import signal
import sys
import threading
from collections.abc import Callable
from time import monotonic
from types import FrameType
from typing import Any, Self

INTERRUPTED = 130  # exit status
_AT_ONCE = 0.1  # seconds within which two interrupts are one: a terminal's, and the same handed on
_PATIENCE = 1.0  # seconds for the step to end; then it is interrupted


class Interrupts:
    """A context in which SIGINT ends a run between two steps; the second one, or a second later, within a step.

    Args:
        within: what the latter does: it raises KeyboardInterrupt, if nothing else is given.

    Attributes:
        any_came: whether there was one in any such context; else KeyboardInterrupt was raised by code that is run.
    """

    any_came = False

    def __init__(self, within: Callable[[], object] | None = None) -> None:
        self._came, self._within = False, within or _raise
        self._since = 0.0
        self._before: Any = None
        self._timer = threading.Timer(_PATIENCE, _interrupt)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():  # no other may have a handler
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def look(self) -> None:
        """Raise KeyboardInterrupt if there was an interrupt."""
        if self._came:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._came:
            if not _blocked() and monotonic() - self._since > _AT_ONCE:
                self._within()
        else:
            self._came, self._since = True, monotonic()
            Interrupts.any_came = True
            self._timer.start()


def _blocked() -> bool:
    """Tell whether what runs is not to be disturbed; the timer's interrupt comes right after it."""
    return sys.platform != "win32" and signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def _raise() -> None:
    raise KeyboardInterrupt


def _interrupt() -> None:
    """Interrupt the main thread, also where it sleeps."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
