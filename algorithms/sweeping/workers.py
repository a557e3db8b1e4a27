"""Where many runs are made: in this process, in worker processes, or on a Dask cluster; the numbers are the same.

A worker that is lost loses no run: what it had in hand is handed out again. A run that takes its worker with it every
time (out of memory, say) is one that failed, and says so.
"""

import os
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import resource_tracker
from typing import Any, Protocol

from algorithms.core.errors import Refused
from algorithms.sweeping.job import Job, one_thread, prepare, run_job
from algorithms.sweeping.one_run import outcome_of
from algorithms.sweeping.outcome import Measures, Outcome
from algorithms.sweeping.plan import Plan

_SAFE = {"PYTHONSAFEPATH": "1"}  # as -P: for processes whose command line is joblib's or Python's
_AT_ONCE = 4096  # runs that are handed out before all of them have come back: what is kept of them is bounded
LOST = "its worker ended while it ran, every time that it was tried: killed, out of memory, or by what the run does"

Tasks = Iterator[Any]


class Workers(Protocol):
    """Workers of joblib's that can be lost.

    Attributes:
        tries: losses after which the runs that a lost worker may have had in hand are tried one by one.
    """

    tries: int

    def results(self, tasks: Tasks) -> Iterator[Outcome]:
        """Hand tasks out, and give the outcomes as they come; raises `Lost` when a worker was lost."""


class Lost(Exception):
    """A worker was lost, and with it the runs that it had in hand."""


def here(plan: Plan, measures: Measures) -> Iterator[Outcome]:
    """Make the runs in this process, one after another."""
    for place in range(len(plan)):
        with one_thread():
            outcome = outcome_of(plan, place, measures)
        yield outcome


def apart(plan: Plan, measures: Measures, jobs: int) -> Iterator[Outcome]:
    """Make the runs in worker processes, and give the outcomes as they come."""
    job, packed = Job.of(plan, measures)
    return handed_out(plan, LocalWorkers(jobs), lambda place: (job, place, plan.swept(place), packed))


class LocalWorkers:
    """Worker processes on this machine."""

    tries = 2

    def __init__(self, jobs: int):
        self._jobs = max(2, jobs)  # one would be this process itself

    def results(self, tasks: Tasks) -> Iterator[Outcome]:
        from joblib import Parallel
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        _check_folder()
        parallel = Parallel(backend=_backend(), n_jobs=self._jobs, return_as="generator_unordered")
        try:
            with ended(_undisturbed(parallel, tasks)) as outcomes:
                yield from outcomes
        except TerminatedWorkerError:
            raise Lost from None
        except BrokenProcessPool as error:
            raise Refused(f"the worker processes cannot be begun: {str(error).rstrip('.')}.") from error


def _check_folder() -> None:
    """Refuse to begin processes where they would have no folder to begin in."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise Refused(
            "the current folder is there no more, and worker processes begin in it: go to one that is (cd ~), or make "
            "the runs in this process, with jobs=1 (--jobs 1)."
        ) from None


def _backend() -> Any:
    """Make joblib's back end for processes, whose workers take nothing that lies in the current folder for a module."""
    from joblib._parallel_backends import LokyBackend

    class Safe(LokyBackend):  # type: ignore[misc]
        def _prepare_worker_env(self, n_jobs: int) -> dict[str, str]:
            return {**super()._prepare_worker_env(n_jobs), **_SAFE}

    return Safe(inner_max_num_threads=1, initializer=prepare, initargs=(os.getpid(),))


def _undisturbed(parallel: Any, tasks: Tasks) -> Any:
    """Begin with no ctrl+c in between: worker processes inherit that, so that one is not for them while they begin."""
    from joblib.externals.loky.backend import resource_tracker as of_loky

    with _variables(_SAFE):
        resource_tracker.ensure_running()  # beginning one of these would let ctrl+c through again
        with _variables(_quieter("ignore:resource_tracker")):  # at the end: of a folder that joblib removed before it
            of_loky.ensure_running()
    if not hasattr(signal, "pthread_sigmask"):
        return parallel(tasks)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return parallel(tasks)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _quieter(filtered: str) -> dict[str, str]:
    before = os.environ.get("PYTHONWARNINGS")
    return {"PYTHONWARNINGS": f"{before},{filtered}" if before else filtered}


@contextmanager
def _variables(given: Mapping[str, str]) -> Iterator[None]:
    """Have the processes that begin meanwhile find these variables in their environment."""
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def ended(outcomes: Any) -> Iterator[Iterator[Outcome]]:
    """End what is still under way when nobody wants it any more; joblib would warn of that."""
    try:
        yield (outcome for outcome in outcomes)  # closed as it is, it would warn before it is closed here
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcomes.close()


def handed_out(plan: Plan, workers: Workers, arguments: Callable[[int], tuple[Any, ...]]) -> Iterator[Outcome]:
    places = iter(range(len(plan)))
    while chunk := list(islice(places, _AT_ONCE)):
        yield from _all_of(chunk, workers, arguments)


def _all_of(places: list[int], workers: Workers, arguments: Callable[[int], tuple[Any, ...]]) -> Iterator[Outcome]:
    """Give the outcome of each of these runs, whichever workers are lost meanwhile."""
    waiting = dict.fromkeys(places)
    losses: Counter[int] = Counter()
    while waiting:
        in_hand: dict[int, None] = {}
        try:
            for outcome in workers.results(_tasks(list(waiting), in_hand, arguments)):
                del waiting[outcome.place], in_hand[outcome.place]
                yield outcome
        except Lost:
            losses.update(list(in_hand))
            for place in [place for place in in_hand if losses[place] >= workers.tries]:
                del waiting[place]
                yield _alone(place, workers, arguments)


def _tasks(places: Iterable[int], in_hand: dict[int, None], arguments: Callable[[int], tuple[Any, ...]]) -> Tasks:
    from joblib import delayed

    for place in places:
        in_hand[place] = None
        yield delayed(run_job)(*arguments(place))


def _alone(place: int, workers: Workers, arguments: Callable[[int], tuple[Any, ...]]) -> Outcome:
    """Try a run with nothing beside it, so that a loss is its own."""
    try:
        (outcome,) = workers.results(_tasks([place], {}, arguments))
    except Lost:
        return Outcome.without_numbers(place, LOST)
    return outcome
