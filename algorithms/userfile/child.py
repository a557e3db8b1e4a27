"""The process in which a reader's file runs: `python -m algorithms.userfile.child FD`, started by `process`.

It reads its task on standard input and writes messages to the file descriptor FD; what is printed goes where
standard output goes. It ends when standard input is closed, whatever it is doing.
"""

import contextlib
import os
import pickle
import queue
import struct
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

_HEAD = struct.Struct("!Q")
_LEAST = 2 << 30  # bytes of memory that it may have in any case; else half of what the machine has

Say = Callable[[str, Any], None]


def main() -> None:
    writing = int(sys.argv[1])
    task = pickle.loads(_message())
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    sys.argv = [task["spec"].rpartition(":")[0] or task["spec"]]
    _limit_memory()
    warnings.formatwarning = _warning  # the last line that is printed is shown: not the line of code that is quoted

    def say(kind: str, told: Any, pack: Callable[[Any], bytes] = _packed) -> None:
        body = pack((kind, told))
        message = memoryview(_HEAD.pack(len(body)) + body)
        while message:
            message = message[os.write(writing, message) :]

    with contextlib.suppress(BrokenPipeError):
        _do(task, requests, say)


def _warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    return f"{category.__name__}: {message} ({os.path.basename(filename)}, line {lineno})\n"


def _packed(thing: Any) -> bytes:
    return pickle.dumps(thing, protocol=5)


def _do(task: dict[str, Any], requests: "queue.SimpleQueue[bytes]", say: Any) -> None:
    from algorithms.core.algorithm import Algorithm
    from algorithms.core.errors import Refused
    from algorithms.userfile.importing import described, found

    try:
        thing = found(task["spec"])
    except Refused as refusal:
        if task["start"] is None:
            say("refused", str(refusal))
        else:
            say("raised", (str(refusal), 0, str(refusal)))
        return
    if isinstance(thing, Algorithm):
        _serve(thing, task, requests, say)
        return
    told = described(thing)
    if task["start"] is None:
        say("described", told)
        return
    data, values = task["start"]
    _run_plain(thing, told, data, values, say)


def _serve(algorithm: Any, task: dict[str, Any], requests: "queue.SimpleQueue[bytes]", say: Any) -> None:
    """Say what a full ALGORITHM declares and answer what is asked of it, or run it."""
    from algorithms.userfile.serving import Service, declaration, run_of
    from algorithms.userfile.wire import ChildSide

    home = ChildSide(
        algorithm.run.__module__, task["first"], lambda data, values: algorithm.problem(data, None, values)
    )
    if task["start"] is not None:
        problem, state = home.unpack(task["start"])
        run_of(algorithm, problem, state, lambda kind, told: say(kind, told, home.pack))
        return
    say("declared", declaration(algorithm), home.pack)
    home.declaring = False
    service = Service(algorithm, home)
    while True:
        request = requests.get()
        oldest, body = int.from_bytes(request[:8], "big"), request[8:]
        home.forget(oldest)
        answer = service.answer(body)
        try:
            say(*answer, home.pack)
        except BrokenPipeError:
            raise
        except Exception as error:  # something that cannot travel
            say("raised", (f"{type(error).__name__}: {error}", 0, str(error)))


def _run_plain(function: Any, told: Any, data: Any, values: dict[str, Any], say: Any) -> None:
    """Say everything that a plain generator yields."""
    from algorithms.core.errors import Raised
    from algorithms.userfile.steps import PlainSteps, raised

    steps = PlainSteps(lambda: told.takes.call(function, data, values), told.script)
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
            said = raised(error, told.script.file)
            say("raised", (said.reason, said.line, said.details))
            return
        say("state", (state, steps.gi_frame.f_lasti, steps.gi_frame.f_lineno))


def _message() -> bytes:
    """The next message on standard input; the process ends when there will be none."""
    return _read(_HEAD.unpack(_read(_HEAD.size))[0])


def _read(size: int) -> bytes:
    """So many bytes of standard input."""
    found = bytearray()
    while len(found) < size:
        piece = os.read(0, min(size - len(found), 1 << 20))
        if not piece:
            os._exit(0)
        found += piece
    return bytes(found)


def _listen(requests: "queue.SimpleQueue[bytes]") -> None:
    """Take requests as they come, so that the end of standard input is noticed whatever the file does."""
    while True:
        requests.put(_message())


def _limit_memory() -> None:
    """A file that wants more memory than it may have gets a MemoryError, and nobody else does."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (max(whole // 2, _LEAST), resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
