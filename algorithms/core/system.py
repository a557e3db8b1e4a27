"""What systems differ in: POSIX has it, Windows another way or none."""

import os
import signal
import threading
from typing import Any

HAS_GROUPS = hasattr(os, "killpg")  # of processes, which are ended together; what a reader's file starts is one

# os.open: no other process has the file too; no line ends are changed; a device does not hold whoever opens it
OWN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
WAITS_FOR_NOTHING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

_one_at_a_time = threading.Lock()


def read_at(number: int, size: int, at: int) -> bytes:
    """Read so many bytes of an open file at most, from a place in it; threads may share it."""
    if hasattr(os, "pread"):
        return os.pread(number, size, at)
    with _one_at_a_time:
        os.lseek(number, at, os.SEEK_SET)
        return os.read(number, size)


def give_mode(number: int, mode: int) -> None:
    """Give an open file its mode, where files have one that can be given so."""
    if hasattr(os, "fchmod"):
        os.fchmod(number, mode)


def end_all(process: Any) -> None:
    """End a subprocess that is the first of its group, and all that it has started as far as the system knows them.

    Raises:
        OSError: when it has ended.
    """
    if HAS_GROUPS:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def wake_all(process: Any) -> None:
    """Have a subprocess that was stopped, and those it has started, go on; `OSError` when it has ended."""
    if HAS_GROUPS:
        os.killpg(process.pid, signal.SIGCONT)
