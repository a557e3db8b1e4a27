"""The process in which a reader's file runs: `python -m algorithms.own.child FD`, started by `process`.

It reads its task on standard input and writes messages to the file descriptor FD; what is printed goes where
standard output goes. It ends when standard input is closed, whatever it is doing.
"""

import contextlib
import os
import pickle
import struct
import sys
import threading
from typing import Any

_HEAD = struct.Struct("!Q")


def main() -> None:
    writing = int(sys.argv[1])
    task = pickle.loads(_read(_HEAD.unpack(_read(_HEAD.size))[0]))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.argv = [task["spec"].rpartition(":")[0] or task["spec"]]

    def say(kind: str, told: Any) -> None:
        body = pickle.dumps((kind, told), protocol=5)
        message = memoryview(_HEAD.pack(len(body)) + body)
        while message:
            message = message[os.write(writing, message) :]

    with contextlib.suppress(BrokenPipeError):
        _do(task, say)


def _do(task: dict[str, Any], say: Any) -> None:
    from algorithms.core.algorithm import Algorithm
    from algorithms.core.errors import Raised, Refused
    from algorithms.own.files import described, found
    from algorithms.own.steps import OwnSteps, raised

    try:
        thing = found(task["spec"])
    except Refused as refusal:
        if task["start"] is None:
            say("refused", str(refusal))
            return
        say("raised", (str(refusal), 0, str(refusal)))
        return
    if isinstance(thing, Algorithm):
        say("declared", None)
        return
    told = described(thing)
    if task["start"] is None:
        say("described", told)
        return
    data, values = task["start"]
    steps = OwnSteps(lambda: told.takes.call(thing, data, values), told.script)
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


def _read(size: int) -> bytes:
    """So many bytes of standard input."""
    found = b""
    while len(found) < size:
        piece = os.read(0, min(size - len(found), 1 << 20))
        if not piece:
            os._exit(0)
        found += piece
    return found


def _end_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
