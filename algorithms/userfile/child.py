"""The process in which a reader's file runs: `python -m algorithms.userfile.child FD`, started by `process`.

It reads its task from what it got as standard input and writes messages to the file descriptor FD; what is printed
goes where standard output goes. It ends when its input is closed, whatever it is doing.
"""

import contextlib
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import warnings
from collections.abc import Callable
from functools import partial
from io import TextIOBase
from typing import Any

_HEAD = struct.Struct("!Q")
_LEAST = 2 << 30  # bytes of memory that it may have in any case; else half of what the machine has

Say = Callable[[str, Any], None]


def main() -> None:
    writing, reading = int(sys.argv[1]), _take_standard_input()
    task = pickle.loads(_message(reading))
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(reading, requests), daemon=True).start()
    sys.argv = _argv(task["spec"])
    _limit_memory()
    warnings.formatwarning = _warning  # the last line that is printed is shown: not the line of code that is quoted

    def say(kind: str, content: Any, pack: Callable[[Any], bytes] = _packed) -> None:
        body = pack((kind, content))
        message = memoryview(_HEAD.pack(len(body)) + body)
        while message:
            message = message[os.write(writing, message) :]

    with contextlib.suppress(BrokenPipeError):
        _do(task, requests, say)


def _argv(spec: str) -> list[str]:
    from algorithms.userfile.spec import Spec

    return Spec.of(spec).argv


def _warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    return f"{category.__name__}: {message} ({os.path.basename(filename)}, line {lineno})\n"


def _packed(thing: Any) -> bytes:
    return pickle.dumps(thing, protocol=5)


def _do(task: dict[str, Any], requests: "queue.SimpleQueue[bytes]", say: Any) -> None:
    from algorithms.core.algorithm import Algorithm
    from algorithms.core.errors import Refused
    from algorithms.userfile.importing import describe, import_target
    from algorithms.userfile.wire import ChildSide

    try:
        target = import_target(task["spec"])
        description = None if isinstance(target, Algorithm) else describe(target)
    except Refused as refusal:
        if task["start"] is None:
            say("refused", str(refusal))
        else:
            say("raised", (str(refusal), 0, str(refusal)))
        return
    if isinstance(target, Algorithm):
        _serve(target, task, requests, say)
        return
    if task["start"] is None:
        say("described", description, ChildSide(target.__module__, 0, _no_problem).pack)
        return
    data, values = task["start"]
    _run_plain(target, description, data, values, say)


def _no_problem(data: Any, values: Any) -> Any:
    raise KeyError("a plain generator has no problem")


def _serve(algorithm: Any, task: dict[str, Any], requests: "queue.SimpleQueue[bytes]", say: Any) -> None:
    """Say what a full ALGORITHM declares and answer what is asked of it, or run it."""
    from algorithms.userfile.serving import Service, declaration, run_of
    from algorithms.userfile.wire import ChildSide

    side = ChildSide(
        algorithm.run.__module__, task["first"], lambda data, values: algorithm.problem(data, None, values)
    )
    if task["start"] is not None:
        problem, state = side.unpack(task["start"])
        run_of(algorithm, problem, state, lambda kind, content: say(kind, content, side.pack))
        return
    say("declared", declaration(algorithm), side.pack)
    side.declaring = False
    service = Service(algorithm, side)
    while True:
        request = requests.get()
        oldest, body = int.from_bytes(request[:8], "big"), request[8:]
        side.forget(oldest)
        answer = service.answer(body)
        try:
            say(*answer, side.pack)
        except BrokenPipeError:
            raise
        except Exception as error:  # something that cannot travel
            say("raised", (f"{type(error).__name__}: {error}", 0, str(error)))


def _run_plain(function: Any, description: Any, data: Any, values: dict[str, Any], say: Any) -> None:
    """Say everything that a plain generator yields."""
    from algorithms.core.errors import Raised
    from algorithms.userfile.steps import PlainSteps, as_raised

    call = partial(description.takes.call, function, data, values)
    steps = PlainSteps(call, description.script, view=description.view)
    next(steps)  # the parent has made the state before the first
    while True:
        try:
            state = next(steps)
        except StopIteration as end:
            say("ended", str(end.value or "it has ended")[:500])
            return
        except Raised as error:
            say("raised", (error.reason, error.line, error.details))
            return
        except BaseException as error:  # SystemExit among them
            failure = as_raised(error, description.script.file)
            say("raised", (failure.reason, failure.line, failure.details))
            return
        say("state", (state, steps.gi_frame.f_lasti, steps.gi_frame.f_lineno))


def _take_standard_input() -> int:
    """Keep standard input for messages, and leave an empty one to the reader's file; a child of it gets neither."""
    reading = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = _NoInput()
    return reading


class _NoInput(TextIOBase):
    """Standard input of a file that is watched: whoever reads it is told why nothing comes."""

    def read(self, size: int | None = -1, /) -> str:
        raise EOFError(
            "nothing can be typed here, so input() and sys.stdin have nothing to read: take it as a parameter"
        )

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return self.read()


def _message(reading: int) -> bytes:
    """Read the next message; the process ends when there will be none."""
    return _read(reading, _HEAD.unpack(_read(reading, _HEAD.size))[0])


def _read(reading: int, size: int) -> bytes:
    """Read so many bytes, or end, with all that the file has started."""
    content = bytearray()
    while len(content) < size:
        piece = os.read(reading, min(size - len(content), 1 << 20))
        if not piece:
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
            os._exit(0)
        content += piece
    return bytes(content)


def _listen(reading: int, requests: "queue.SimpleQueue[bytes]") -> None:
    """Take requests as they come, so that the end of the pipe is noticed whatever the file does."""
    while True:
        requests.put(_message(reading))


def _limit_memory() -> None:
    """Limit the memory: a file that wants more than it may have gets a MemoryError, and nobody else does."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (max(whole // 2, _LEAST), resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
