"""Runs on a Dask cluster: a local one of two workers, which loses one half-way."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from algorithms import Refused, datasets, sweep
from tests.process import started
from tests.sweeping.runs import own_process, to_the_bit

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    from distributed import LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True, silence_logs=50)
    yield cluster.scheduler_address
    with suppress(TimeoutError):  # it waits a few seconds for its workers to end, which a busy machine may not give
        cluster.close()


def lloyd(over, **settings):
    return sweep("lloyd", datasets.iris, over=over, k=3, start="rows", **settings)


def test_a_cluster_that_loses_a_worker_half_way_gives_what_one_process_gives(scheduler):
    over = {"seed": range(80)}
    whole, killed = {}, []
    for run in lloyd(over, scheduler=scheduler, measure={"process": own_process}):
        whole |= to_the_bit([run], "process")
        if len(whole) == 40:
            killed.append(int(run.values["process"]))
            os.kill(killed[0], signal.SIGKILL)
    assert killed
    assert killed[0] != os.getpid()
    assert whole == to_the_bit(lloyd(over, jobs=1))


def test_what_the_workers_lack_is_told_before_the_first_run(scheduler, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def mine(seed: int = 0):\n    yield {'x': seed}\n")
    runs = iter(sweep(str(file), over={"seed": "0:3"}, scheduler=scheduler))
    file.unlink()
    with pytest.raises(Refused, match=r"the worker tcp://.* cannot make these runs: there is no file"):
        next(runs)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://there"])
def test_a_scheduler_that_does_not_answer_is_told_in_a_sentence(address, monkeypatch):
    from algorithms.sweeping import cluster

    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    with pytest.raises(Refused, match=rf"the scheduler at {address} does not answer: .*tcp://host:8786"):
        next(iter(lloyd({"seed": range(3)}, scheduler=address)))


CLUSTER = """
import time
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        print(cluster.scheduler_address, flush=True)
        time.sleep(300)
"""


def test_a_scheduler_that_goes_half_way_is_told_in_a_sentence(tmp_path, capfd):
    file = tmp_path / "cluster.py"
    file.write_text(CLUSTER)
    come = []
    with started(sys.executable, str(file), stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with pytest.raises(Refused, match=f"the scheduler at {address} has gone"):  # noqa: PT012
            for run in lloyd({"seed": range(100_000)}, scheduler=address):
                come.append(run)
                if len(come) == 10:
                    os.killpg(process.pid, signal.SIGKILL)
    assert len(come) >= 10
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("address", ["x", "http://127.0.0.1:80"])
def test_an_address_that_is_none_is_told_in_a_sentence_alone(address):
    words = [sys.executable, "-m", "algorithms", "sweep", "lloyd", "--over", "seed=0:3", "--scheduler", address]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"python -m algorithms: the scheduler at {address} does not answer: ")
    assert done.stderr.count("\n") == 1
