"""Runs on a Dask cluster that exists: the same job goes to its scheduler, through joblib's own back end."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from algorithms.core.errors import Refused
from algorithms.sweeping.job import Job, readiness, versions
from algorithms.sweeping.outcome import Measures, Outcome
from algorithms.sweeping.plan import Plan
from algorithms.sweeping.workers import Lost, Tasks, ended, handed_out

_PATIENCE = 10  # seconds that a scheduler, and then a first worker, may take to answer
_GONE = ("CancelledError", "CommClosedError", "FutureCancelledError", "ConnectionError")


def outcomes(plan: Plan, measures: Measures, address: str) -> Iterator[Outcome]:
    """Make the runs on the cluster of that scheduler, and give the outcomes as they come.

    Raises:
        Refused: when it does not answer, or its workers lack what the runs need.
    """
    job, packed = Job.of(plan, measures)
    with _client(address) as client:
        _look_at_workers(client, address, (job, plan.swept(0), packed))
        yield from handed_out(plan, ClusterWorkers(client, address), lambda p: (job, p, plan.swept(p), packed))


@contextmanager
def _client(address: str) -> Iterator[Any]:
    """Speak with a scheduler; what it was given is forgotten there when this ends."""
    try:
        from distributed import Client
    except ImportError:
        raise Refused("a scheduler needs dask.distributed here: pip install 'iterscope[cluster]'.") from None
    for name in ("distributed", "distributed.client", "tornado"):  # what they would log is said in one sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)

    class Closed(Client):
        def __del__(self) -> None:  # it is closed below; one that found no scheduler would wait for it once more
            pass

    try:
        connect: Any = Closed  # it has no types
        client = connect(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, TimeoutError) as error:
        why = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise Refused(f"the scheduler at {address} does not answer: {why}; it is given as tcp://host:8786.") from None
    try:
        yield client
    finally:
        client.close()


def _look_at_workers(client: Any, address: str, first: tuple[Any, ...]) -> None:
    """Refuse a cluster whose workers lack something, before any run is sent there."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
        lacks: dict[str, str] = client.run(readiness, *first)
        others: dict[str, tuple[str, ...]] = client.run(versions)
    except TimeoutError:
        raise Refused(f"the scheduler at {address} has no worker: begin one with `dask worker {address}`.") from None
    except Exception as error:
        raise Refused(_missing(error, address)) from error
    for worker, what in lacks.items():
        if what:
            raise Refused(f"the worker {worker} of {address} cannot make these runs: {what}")
    for worker, theirs in others.items():
        if theirs != versions():
            raise Refused(
                f"the worker {worker} of {address} has {', '.join(theirs)}, and here is {', '.join(versions())}: "
                "the same numbers come of the same versions only."
            )


def _missing(error: Exception, address: str) -> str:
    """Say what the workers of a cluster do not have."""
    if isinstance(error, ImportError):
        what = (error.name or str(error)).partition(".")[0]
        package = "iterscope" if what == "algorithms" else what
        return f"a worker of {address} cannot import {what}: install {package} there, in the version that is here."
    return f"a worker of {address} cannot make these runs: {type(error).__name__}: {error}."


class ClusterWorkers:
    """The workers of a Dask cluster; a run whose worker is lost it hands to others by itself, a few times."""

    tries = 1

    def __init__(self, client: Any, address: str):
        self._client, self._address = client, address

    def results(self, tasks: Tasks) -> Iterator[Outcome]:
        from distributed import KilledWorker
        from joblib import Parallel

        parallel = Parallel(backend=_backend(self._client), n_jobs=-1, return_as="generator_unordered")
        try:
            with ended(parallel(tasks)) as outcomes:
                yield from outcomes
        except KilledWorker:
            raise Lost from None
        except ImportError as error:
            raise Refused(_missing(error, self._address)) from error
        except Exception as error:
            if type(error).__name__ in _GONE:
                raise Refused(f"the scheduler at {self._address} has gone while it made the runs.") from None
            raise


def _backend(client: Any) -> Any:
    """Make joblib's back end for Dask, but for two things.

    It hears of a task that was lost, for which joblib's own waits for ever; and of a cluster with one worker, or none
    while lost ones are replaced, it says two, since for one joblib makes the runs in this process.
    """
    from joblib._dask import DaskDistributedBackend

    class Hearing(DaskDistributedBackend):  # type: ignore[misc]
        async def _collect(self) -> None:
            while self._continue:
                async for future, result in self.waiting_futures:
                    held, callback = self._results.pop(future), self._callbacks.pop(future)
                    answer = result if future.status == "finished" else _NoResult(_error(future, result))
                    held.set_result(answer)
                    callback(answer)
                await asyncio.sleep(0.01)

        def effective_n_jobs(self, n_jobs: int) -> int:
            cores: dict[str, int] = self.client.ncores()
            return max(2, sum(cores.values()))

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, _NoResult):
                raise out.error
            return super().retrieve_result_callback(out)

    return Hearing(client=client)


class _NoResult:
    """What came of a task that was lost."""

    def __init__(self, error: BaseException):
        self.error = error


def _error(future: Any, result: Any) -> BaseException:
    """Find why a future has no result: an error with its traceback, or that it was cancelled with its scheduler."""
    error = result[1] if isinstance(result, tuple) and len(result) == 3 else None
    return error if isinstance(error, BaseException) else ConnectionError(future.status)
