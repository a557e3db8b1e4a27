"""A reader's file in a process of its own: what it prints, raises or never does leaves this one alone."""

import atexit
import contextlib
import os
import pickle
import queue
import select
import struct
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from types import SimpleNamespace
from typing import Any

from algorithms.core.errors import NotYet, Raised
from algorithms.core.state import State
from algorithms.core.system import end_all
from algorithms.userfile.interpreter import python
from algorithms.userfile.state import START, PlainState
from algorithms.userfile.wire import unpack

_WAIT = 0.004  # seconds that the next state is waited for, less than a frame
_HEAD = struct.Struct("!Q")
LARGEST = 256 << 20  # bytes of a message that is read
_PRINTED = 200  # characters of a print that are shown
_CHUNK = 1 << 20
_LIVING: set["Child"] = set()  # those that have not been ended
_NO_MESSAGE = "what came over the pipe of its process is no message of iterscope"


class Garbled(Exception):
    """What came over the pipe is no message; the text says why."""


class ChildStates(Iterator[Any]):
    """The states of a run that goes on in another process. When the next has not come, `NotYet` is raised.

    Args:
        spec: the reader's file or module.
        start: what the process is to begin with.
        line: where the generator stands before its first state has come.
        patience: seconds that the first state may take, none for the others.

    Attributes:
        gi_frame: where the generator stood when it yielded the last one.
        notices: what it printed, in short.
    """

    def __init__(self, spec: str, start: Any, line: int, patience: float = 0.0):
        self.gi_frame = SimpleNamespace(f_lasti=0, f_lineno=line)
        self.notices: list[str] = []
        self._patience = patience
        self._child = Child({"spec": spec, "start": start, "first": 0})
        self._end = weakref.finalize(self, self._child.kill)

    @property
    def pid(self) -> int:
        return self._child.process.pid

    def __next__(self) -> Any:
        wait, self._patience = max(self._patience, _WAIT), 0.0
        try:
            message = self._child.message(wait)
        except EOFError:
            self._note_print()
            status = self._child.status()
            self._end()
            raise Raised(f"its process ended ({status})", 0, f"the process ended: {status}") from None
        except Garbled as error:
            self._end()
            raise Raised(str(error), 0, str(error)) from None
        finally:
            self._note_print()
        match message:
            case "state", (State() as state, int(lasti), int(line)):
                self.gi_frame.f_lasti, self.gi_frame.f_lineno = lasti, line
                return state
            case "ended", str(reason):
                self._end()
                self._note_print()
                raise StopIteration(reason)
            case "raised", (str(reason), int(line), str(details)):
                self._end()
                self._note_print()
                raise Raised(reason, line, details)
        self._end()
        reason = f"{_NO_MESSAGE}: {message[0][:40]!r}"
        raise Raised(reason, 0, reason)

    def _note_print(self) -> None:
        printed = self._child.printed()
        if printed and not self.notices:
            self.notices = [f"it prints: {printed}"]


class ChildStatesFromStart(ChildStates):
    """A plain generator's run, with a state before it has yielded anything, so that it can be waited for."""

    _begun = False

    def __next__(self) -> PlainState:
        if not self._begun:
            self._begun = True
            return PlainState(phase=START)
        state: PlainState = super().__next__()
        return state


class Child:
    """Python with one of the reader's files; messages come from it, and what it prints.

    Args:
        task: what it is to do: the spec, what to start with (None: to say what is there, and to answer), and the
            number of its first passing function.
    """

    def __init__(self, task: dict[str, Any]):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            **python("algorithms.userfile.child", str(writing), PYTHONUNBUFFERED="1"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(writing,),
            start_new_session=True,  # a Ctrl+C is ours, not its; and what it starts can be ended with it
        )
        os.close(writing)
        os.set_blocking(reading, False)
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self._reading = reading
        self._buffer = bytearray()
        self._lines: deque[str] = deque(maxlen=3)
        self._closed = False
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=_write, args=(self.process.stdin, self._outgoing), daemon=True).start()
        self.send(pickle.dumps(task))
        _LIVING.add(self)

    def send(self, body: bytes) -> None:
        """Hand over a message, without waiting for it to be read."""
        self._outgoing.put(_HEAD.pack(len(body)) + body)

    def message(self, seconds: float, unpack: Callable[[bytes], Any] = unpack) -> tuple[str, Any]:
        """Read the next message.

        Raises:
            NotYet: when it has not come in time.
            EOFError: when none will come.
            Garbled: when it is none.
        """
        until = monotonic() + seconds
        while True:
            whole = self._whole()
            if whole is not None:
                return _checked(whole, unpack)
            if self._closed:
                raise EOFError
            ended = self.process.poll() is not None  # something that it started may still hold its pipe
            ready, _, _ = select.select([self._reading], [], [], 0 if ended else max(until - monotonic(), 0))
            if not ready:
                raise EOFError if ended else NotYet
            piece = os.read(self._reading, _CHUNK)
            self._buffer += piece
            if not piece:
                raise EOFError

    def _whole(self) -> bytes | None:
        """Take a message out of the buffer, when one is there as a whole."""
        if len(self._buffer) < _HEAD.size:
            return None
        (size,) = _HEAD.unpack_from(self._buffer)
        if size > LARGEST:
            raise Garbled(f"{_NO_MESSAGE}, or one of more than {LARGEST >> 20} MiB")
        if len(self._buffer) < _HEAD.size + size:
            return None
        message = bytes(memoryview(self._buffer)[_HEAD.size : _HEAD.size + size])
        del self._buffer[: _HEAD.size + size]
        return message

    def printed(self) -> str:
        """Get the last line that it printed, "" if it has printed nothing."""
        stdout = self.process.stdout
        if stdout is not None and not stdout.closed:
            for _ in range(16):  # what it prints without end is read a piece at a time
                try:
                    piece = os.read(stdout.fileno(), 1 << 16)
                except (BlockingIOError, OSError):
                    break
                if not piece:
                    break
                text = piece.decode("utf-8", "replace")
                self._lines.extend(line[:_PRINTED] for line in text.splitlines()[-3:] if line.strip())
        return self._lines[-1] if self._lines else ""

    @property
    def last_words(self) -> str:
        printed = self.printed()
        return f": {printed}" if printed else ""

    def status(self) -> str:
        """Say how it ended, in words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(0.5)
            return f"killed by signal {-code}" if code < 0 else f"exit status {code}"
        return "it closed its pipe"

    def end(self) -> None:
        """End the process and all that it has started; who waits for a message learns that none will come."""
        with contextlib.suppress(OSError):  # it is the first of a group of its own
            end_all(self.process)

    def kill(self) -> None:
        """End the process and all that it has started, whatever they are doing; nobody may ask it any more."""
        if self._closed:
            return
        self._closed = True
        self._outgoing.put(None)
        _LIVING.discard(self)
        self.end()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)
        self.printed()
        os.close(self._reading)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


@atexit.register
def end_children() -> None:
    """End every process of a reader's file, without waiting until what asks it is garbage."""
    for child in tuple(_LIVING):
        child.end()


def _checked(body: bytes, unpack: Callable[[bytes], Any]) -> tuple[str, Any]:
    """Unpack a message, whatever is in it."""
    try:
        message = unpack(body)
    except Exception as error:
        raise Garbled(f"{_NO_MESSAGE}: {type(error).__name__}: {str(error)[:200]}") from None
    match message:
        case (str(kind), content):
            return kind, content
    raise Garbled(_NO_MESSAGE)


def _write(pipe: Any, outgoing: "queue.SimpleQueue[bytes | None]") -> None:
    """Write what is to go; the pipe stays open, and when it closes the child ends itself."""
    with contextlib.suppress(OSError, ValueError):
        while (message := outgoing.get()) is not None:
            pipe.write(message)
            pipe.flush()
