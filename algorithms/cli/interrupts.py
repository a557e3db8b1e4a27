"""Heed an interrupt between two steps, wherever it comes.

Python raises KeyboardInterrupt in whatever runs just then, and drops it where it ignores exceptions: in a destructor,
in the callback of a weak reference. So an interrupt is noted, and looked at before each step.
"""

import _thread
import signal
import sys
import threading
from types import FrameType
from typing import Any, Self

_PATIENCE = 1.0  # seconds for the step to end; then it is interrupted


class Interrupts:
    """A context in which SIGINT ends a run between two steps; the second one, or a second later, within a step."""

    def __init__(self) -> None:
        self._came = False
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
            raise KeyboardInterrupt
        self._came = True
        self._timer.start()


def _interrupt() -> None:
    """Interrupt the main thread, also where it sleeps."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
