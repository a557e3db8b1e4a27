"""A sweep beside a screen: a process of its own makes the runs, and their numbers are taken when there is time."""

import math
import pickle
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from typing import Any

from algorithms.core.dataset import Dataset, Source
from algorithms.core.problem import Problem
from algorithms.core.system import end_all, wake_all
from algorithms.data.recipe import Recipe
from algorithms.sweeping.columns import Columns
from algorithms.sweeping.message import PATIENCE, Message, read
from algorithms.userfile.interpreter import python


class BackgroundSweep:
    """Runs that are made elsewhere while one looks at something else.

    Args:
        spec: the algorithm's name, or the reader's file or module.
        source: the data, or the recipe for them.
        fixed: the parameters that all runs have.
        over: the values by parameter, or texts for them.
        count: how many runs that makes.
        measure: functions of (problem, last state) that another process can import.

    Attributes:
        columns: the numbers of the runs that have come.
        running: whether more are to come.
        refused: why no more came than did, "" when that was not so.
    """

    def __init__(
        self,
        spec: str,
        source: Dataset | Source,
        fixed: Mapping[str, Any],
        over: Mapping[str, Any],
        count: int,
        *,
        until: float = math.inf,
        jobs: int | None = None,
        scheduler: str = "",
        measure: Mapping[str, Callable[[Problem, Any], float]] | None = None,
    ):
        self.columns, self.running, self.refused = Columns(count), True, ""
        task = {
            "algorithm": spec, "source": _bare(source), "fixed": dict(fixed), "over": dict(over), "until": until,
            "jobs": jobs, "scheduler": scheduler, "measure": dict(measure or {}),
        }  # fmt: skip
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            **python("algorithms.sweeping.child"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # ctrl+c is for the screen
        )
        self._end = weakref.finalize(self, _ended, self._process)
        body = pickle.dumps(sys.path) + pickle.dumps(task, protocol=5)
        threading.Thread(target=_listen, args=(self._process, body, self._messages), daemon=True).start()

    def take(self) -> int:
        """Take the numbers that have come; returns of how many runs."""
        before = self.columns.done
        while True:
            try:
                message = self._messages.get_nowait()
            except queue.Empty:
                return self.columns.done - before
            if message is None:
                self._over("the process that makes the runs has ended")
                continue
            for outcome in message.outcomes:
                self.columns.add(outcome)
            if message.ended:
                self._over(message.refused)

    def _over(self, why: str) -> None:
        if self.running:
            self.running, self.refused = False, why

    def cancel(self) -> None:
        """Make no more runs; the numbers so far stay."""
        self.take()
        self.running = False
        self._end()


def _bare(source: Dataset | Source) -> Dataset | Source:
    """Leave away what data have worked out, and what they were edited from: it is not sent."""
    if not isinstance(source, Dataset):
        return source if isinstance(source, Recipe) else _bare(source.load())
    bare = copy(source)
    bare.origin, bare.source = None, None
    return bare


def _listen(process: "subprocess.Popen[bytes]", body: bytes, messages: "queue.SimpleQueue[Message | None]") -> None:
    with suppress(OSError, ValueError):
        assert process.stdin is not None
        process.stdin.write(body)
        process.stdin.flush()
        while (message := read(process.stdout)) is not None:
            messages.put(message)
    messages.put(None)


def _ended(process: "subprocess.Popen[bytes]") -> None:
    """End the process and its workers: it is asked to, and then no more.

    Where this process ends meanwhile nobody is left to wait: the other one, with its input closed, sees to it itself.
    """
    process.terminate()
    with suppress(ProcessLookupError):  # one that is stopped would hear of that, and of its input, when it goes on
        wake_all(process)
    with suppress(RuntimeError):  # on the way out no thread can be begun
        threading.Thread(target=_wait, args=(process,), daemon=True).start()


def _wait(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            end_all(process)
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError, ValueError):
                pipe.close()
