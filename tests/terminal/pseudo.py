"""A program in a real pseudo-terminal, with the screen that a person would see."""

import array
import fcntl
import os
import re
import signal
import sys
import termios
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import pyte

from tests.patience import PATIENCE, Patience

ROOT = Path(__file__).parents[2]

# What a program may switch on, and how it is switched off again.
_MODES = {
    "alternate screen": (b"\x1b[?1049h", b"\x1b[?1049l"),
    "mouse": (b"\x1b[?1000h", b"\x1b[?1000l"),
    "all of the mouse": (b"\x1b[?1003h", b"\x1b[?1003l"),
    "hidden cursor": (b"\x1b[?25l", b"\x1b[?25h"),
    "focus": (b"\x1b[?1004h", b"\x1b[?1004l"),
    "bracketed paste": (b"\x1b[?2004h", b"\x1b[?2004l"),
    "no wrapping": (b"\x1b[?7l", b"\x1b[?7h"),
}
_UNKNOWN = re.compile(rb"\x1b\[[<>=][0-9;]*u|\x1b\]22;[^\x07]*\x07|\x1bP.*?\x1b\\", re.S)  # pyte would print these


class Pseudo:
    """`command` in a terminal of its own; a context manager, which ends it.

    Args:
        drawn: whether what comes is drawn on a screen, which takes long; `text` is "" without.
    """

    def __init__(
        self,
        *command: str,
        columns: int = 80,
        rows: int = 24,
        folder: Path = ROOT,
        drawn: bool = True,
        **environment: str | None,
    ):
        env = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT)}
        env |= {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("TEXTUAL", "PYTHON", "NO_COLOR", "TERM", "COLUMNS", "LINES"))
        }
        env |= {name: value for name, value in environment.items() if value is not None}
        for name in [name for name, value in environment.items() if value is None]:
            env.pop(name, None)
        with warnings.catch_warnings():
            # From 3.12 on a fork beside other threads warns; the child does nothing but exec.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.child = pexpect.spawn(
                command[0], list(command[1:]), cwd=str(folder), env=env, dimensions=(rows, columns), timeout=PATIENCE
            )
        self.child.delaybeforesend = None
        self.modes = termios.tcgetattr(self.child.child_fd)
        self.raw = bytearray()
        self._drawn = drawn
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._lines: dict[int, str] = {}

    @classmethod
    def python(
        cls,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        folder: Path = ROOT,
        drawn: bool = True,
        **environment: str | None,
    ) -> "Pseudo":
        return cls(sys.executable, *arguments, columns=columns, rows=rows, folder=folder, drawn=drawn, **environment)

    @classmethod
    def shell(cls, line: str, columns: int = 80, rows: int = 24, **environment: str | None) -> "Pseudo":
        """A line of shell, in which `python` is this Python."""
        command = line.replace("python", f"'{sys.executable}'")
        return cls("/bin/sh", "-c", command, columns=columns, rows=rows, **environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.child.isalive():
            self.signal(signal.SIGKILL)
        if self.child.child_fd >= 0:
            self.child.close(force=True)

    @property
    def text(self) -> str:
        """What is on the screen; of it the lines are read that have changed, since it is asked for again and again."""
        screen, every = self._screen, range(self._screen.columns)
        for row in screen.dirty:
            self._lines[row] = "".join([screen.buffer[row][column].data for column in every]).rstrip()
        screen.dirty.clear()
        return "\n".join(self._lines[row] for row in range(screen.lines))

    def pump(self, seconds: float = 0.05) -> bytes | None:
        """What has come, perhaps nothing; None when the program has closed the terminal."""
        try:
            data: bytes = self.child.read_nonblocking(1 << 16, seconds)
        except pexpect.TIMEOUT:
            return b""
        except pexpect.EOF:
            return None
        self.raw += data
        if self._drawn:
            self._stream.feed(_UNKNOWN.sub(b"", data))
        return data

    def until(self, met: Callable[[], bool], what: str) -> None:
        patience = Patience(PATIENCE)
        while not met():
            closed = self.pump() is None
            assert met() or not (closed or patience.over), f"no {what} within {PATIENCE:g} s:\n{self.text}"

    def see(self, text: str) -> None:
        """Wait until the text is on the screen."""
        self.until(lambda: text in self.text, repr(text))

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def escape(self, closes: str) -> None:
        """Press escape and wait until a text is gone: with the next key in one read it would be another key."""
        self.press("\x1b")
        self.until(lambda: closes not in self.text, f"end of {closes!r}")

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def signal(self, number: int) -> None:
        os.kill(self.child.pid, number)

    def stop(self) -> None:
        """SIGSTOP, and wait until the program stands still."""
        self.signal(signal.SIGSTOP)
        self.until_stopped()

    def until_stopped(self) -> None:
        def stopped() -> bool:
            pid, status = os.waitpid(self.child.pid, os.WUNTRACED | os.WNOHANG)
            return pid != 0 and os.WIFSTOPPED(status)

        patience = Patience(PATIENCE)
        while not stopped():
            assert not patience.over, f"not stopped within {PATIENCE:g} s:\n{self.text}"
            self.pump()
        while self.pump():  # what it had written before
            pass

    def go_on_after_another(self) -> None:
        """SIGCONT after another program has used the terminal; wait until the keys are the program's again."""
        self._stream.feed(b"\x1b[2J")
        termios.tcsetattr(self.child.child_fd, termios.TCSANOW, self.modes)
        self.signal(signal.SIGCONT)
        self.until(lambda: "raw keys" in self.left_on(), "keys taken over")

    def hang_up(self) -> None:
        """The terminal is closed, as by the cross in the corner of its window."""
        self.child.ptyproc.fileobj.close()
        self.child.child_fd = self.child.ptyproc.fd = -1
        self.child.closed = self.child.ptyproc.closed = True

    def until_stalled(self) -> None:
        """Read nothing until a program that writes all the time has to wait for us."""
        waiting = -1
        while (now := _unread(self.child.child_fd)) != waiting:
            waiting = now
            time.sleep(0.5)

    def status(self, reading: bool = True) -> int:
        """Wait for the end and return the exit status; a death by signal is no status."""
        patience = Patience(PATIENCE)
        while self.child.isalive():
            assert not patience.over, f"still there after {PATIENCE:g} s:\n{self.text}"
            if not reading or self.child.child_fd < 0 or self.pump() is None:
                time.sleep(0.02)
        while reading and self.child.child_fd >= 0 and self.pump():
            pass
        assert self.child.signalstatus is None, f"killed by signal {self.child.signalstatus}"
        return int(self.child.exitstatus)

    def left_on(self) -> list[str]:
        """What the program has switched on in the terminal and not off again."""
        found = [name for name, (on, off) in _MODES.items() if self.raw.rfind(on) > self.raw.rfind(off)]
        if self.raw.count(b"\x1b[>") > self.raw.count(b"\x1b[<u"):
            found.append("keys of kitty's protocol")
        if termios.tcgetattr(self.child.child_fd) != self.modes:
            found.append("raw keys")
        return found


def _unread(descriptor: int) -> int:
    """How many bytes could be read at once."""
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]
