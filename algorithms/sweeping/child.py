"""The process that makes a sweep beside a screen: `python -m algorithms.sweeping.child`, begun by `background`.

It reads its task from standard input and writes messages to standard output. It ends, with its workers, when its input
is closed: however the one that began it ends.
"""

import os
import pickle
import signal
import sys
import threading
import time
from contextlib import closing, suppress
from typing import Any, BinaryIO

from algorithms.core.errors import Refused
from algorithms.sweeping.message import PATIENCE, Message, write
from algorithms.sweeping.outcome import Outcome
from algorithms.sweeping.plan import Plan
from algorithms.sweeping.sweep import Sweep

_APART = 0.05  # seconds between two messages


def main() -> None:
    """Make the sweep that standard input speaks of."""
    known = pickle.load(sys.stdin.buffer)
    sys.path += [place for place in known if place not in sys.path]  # last: nothing there hides a module of Python's
    task = pickle.load(sys.stdin.buffer)
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_input, daemon=True).start()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a reader's file prints is no message
    with suppress(BrokenPipeError):
        write(out, _made(task, out))


def _made(task: dict[str, Any], out: BinaryIO) -> Message:
    """Make the runs and write what comes of them; returns the last word."""
    try:
        plan = Plan.of(task["algorithm"], task["source"], task["fixed"], task["over"], task["until"])
        sweep = Sweep(plan, jobs=task["jobs"], scheduler=task["scheduler"], measure=task["measure"])
        with closing(sweep.__iter__()) as runs:
            waiting: list[Outcome] = []
            last = time.monotonic()
            for run in runs:
                waiting.append(run.outcome)
                if time.monotonic() - last >= _APART:
                    write(out, Message(tuple(waiting)))
                    waiting, last = [], time.monotonic()
            return Message(tuple(waiting), ended=True)
    except Refused as refusal:
        return Message(ended=True, refused=str(refusal))
    except BrokenPipeError:
        raise
    except Exception as error:
        return Message(ended=True, refused=f"the runs ended with {type(error).__name__}: {error}")


def _end(*_: object) -> None:
    raise SystemExit(0)  # on the way out the workers are ended


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():  # not at its end yet: ended, with its workers
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
