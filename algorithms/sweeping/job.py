"""What goes to a worker, and what it does with it: a name, a recipe and parameters go, numbers come back."""

import io
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from copy import copy
from functools import cache
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.algorithm import Algorithm
from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused
from algorithms.saving.loading import named_algorithm
from algorithms.sweeping.one_run import outcome_of
from algorithms.sweeping.outcome import Measures, Outcome
from algorithms.sweeping.plan import Plan

_KEPT = 4  # sweeps whose algorithm and data a worker has at hand
_GENTLY = 5  # added to a worker's niceness, so that what a person looks at comes first
_LOOK = 1.0  # seconds between two looks at whether the process that began a worker is there

_one_at_a_time = Lock()  # what is worked out once for data is not made for threads, of which a Dask worker has several


class Job(Struct, frozen=True):
    """What all runs of a sweep have in common, as one process sends it to another.

    Attributes:
        token: tells this sweep from others.
        source: the recipe for the data; None when the rows themselves go along, packed.
    """

    token: str
    spec: str
    source: Source | None
    fixed: Mapping[str, Any]
    most: float
    measures: Measures
    curves: tuple[str, ...] | bool = False

    @classmethod
    def of(cls, plan: Plan, measures: Measures) -> "tuple[Job, Array | None]":
        """Make the job of a plan, and pack its rows where no recipe makes them.

        Raises:
            Refused: for an algorithm that another process cannot find.
        """
        if not plan.spec:
            raise Refused(
                f"another process cannot find {plan.algorithm.title}: say sweep('path/to/mine.py', ...), name it at "
                "the top of its module, or run it in this process alone with jobs=1."
            )
        source, packed = (None, _packed(plan.source)) if isinstance(plan.source, Dataset) else (plan.source, None)
        return cls(uuid4().hex, plan.spec, source, dict(plan.fixed), plan.most, dict(measures), plan.curves), packed


def _packed(data: Dataset) -> Array:
    """Pack rows that no recipe makes as one array of bytes: those are sent once, however many runs there are."""
    bare = copy(data)
    bare.origin, bare.source = None, None
    return np.frombuffer(pickle.dumps(bare, protocol=5), np.uint8)


def run_job(job: Job, place: int, swept: dict[str, Any], packed: Array | None) -> Outcome:
    """Make one run where this process is."""
    with _one_at_a_time, one_thread(), _silent():
        plan = _plan(job, swept, packed)
        return replace(outcome_of(plan, 0, job.measures), place=place)


def readiness(job: Job, swept: dict[str, Any], packed: Array | None) -> str:
    """Tell what this process lacks for a job, "" when it lacks nothing."""
    try:
        with _one_at_a_time, _silent():
            _plan(job, swept, packed).problem_of(0)
    except Refused as refusal:
        return str(refusal)
    return ""


def versions() -> tuple[str, ...]:
    """Name what the last digits depend on."""
    return (f"NumPy {np.__version__}",)


def _plan(job: Job, swept: dict[str, Any], packed: Array | None) -> Plan:
    source: Any = job.source if packed is None else _held(_DATA, job.token, lambda: pickle.loads(packed.tobytes()))
    algorithm: Algorithm = _held(_ALGORITHMS, job.token, lambda: named_algorithm(job.spec))
    axes = {name: (value,) for name, value in swept.items()}
    return Plan(algorithm, job.spec, source, job.fixed, axes, job.most, job.curves)


_DATA: dict[str, Any] = {}
_ALGORITHMS: dict[str, Any] = {}


def _held(kept: dict[str, Any], token: str, make: Any) -> Any:
    """Get what was made for a sweep before, or make it."""
    if token not in kept:
        kept[token] = make()
        while len(kept) > _KEPT:
            del kept[next(iter(kept))]
    return kept[token]


@cache
def _threads() -> Any:
    """Find the libraries of linear algebra that have threads."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Calculate with one thread of linear algebra: several would sum in another order, and end in other digits."""
    with _threads().limit(limits=1):
        yield


@contextmanager
def _silent() -> Iterator[None]:
    """Let what a reader's file prints go nowhere: a thousand runs would say it a thousand times."""
    with redirect_stdout(io.StringIO()):
        yield


def prepare(parent: int) -> None:
    """Prepare a worker process: ctrl+c is for the one that began it, with which it ends, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_GENTLY)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
