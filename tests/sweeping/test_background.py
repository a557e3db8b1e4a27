"""A sweep beside a screen: its numbers come while one does something else, and it ends with what began it."""

import os
import subprocess
import sys
import time

import pytest

from algorithms import Dataset, datasets, sweep
from algorithms.sweeping import BackgroundSweep, Columns
from tests.patience import PATIENCE
from tests.process import started
from tests.sweeping.runs import own_process

ROWS = {"k": 3, "start": "rows"}


def begun(count: int, **settings) -> BackgroundSweep:
    return BackgroundSweep("lloyd", datasets.iris, ROWS, {"seed": range(count)}, count, jobs=2, **settings)


def waited(run: BackgroundSweep, enough: int) -> None:
    until = time.monotonic() + PATIENCE
    while run.columns.done < enough and run.running and time.monotonic() < until:
        run.take()
        time.sleep(0.02)


def gone(process: int) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_its_numbers_are_those_of_one_process():
    run = begun(30)
    waited(run, 31)
    assert (run.running, run.refused, run.columns.done) == (False, "", 30)
    kept = Columns(30)
    for one in sweep("lloyd", datasets.iris, over={"seed": range(30)}, jobs=1, **ROWS):
        kept.add(one.outcome)
        assert kept.outcome(one.place) == one.outcome == run.columns.outcome(one.place)


def test_cancelled_its_numbers_stay_and_its_workers_end():
    run = begun(100_000, measure={"process": own_process})
    waited(run, 20)
    run.cancel()
    done = run.columns.done
    assert 20 <= done < 100_000
    time.sleep(0.3)
    run.take()
    assert run.columns.done >= done
    assert not run.running
    processes = {int(value) for value in run.columns.values["process"][run.columns.came]}
    assert processes
    assert all(gone(process) for process in processes)


def test_what_is_refused_there_is_told_here():
    run = BackgroundSweep("lloyd", datasets.iris, {}, {"q": [1]}, 1)
    waited(run, 1)
    assert "there is no parameter 'q'" in run.refused


def test_rows_that_no_recipe_makes_go_along():
    run = BackgroundSweep("lloyd", Dataset([[0.0], [1.0], [9.0]]), {"k": 2}, {"seed": range(3)}, 3, jobs=1)
    waited(run, 4)
    assert run.columns.done == 3
    assert run.columns.values["objective"].tolist() == [0.5, 0.5, 0.5]


PROGRAM = """
import time
from algorithms import datasets
from algorithms.sweeping import BackgroundSweep
from tests.sweeping.runs import own_process

run = BackgroundSweep("lloyd", datasets.iris, {"k": 3}, {"seed": range(100_000)}, 100_000, jobs=2,
                      measure={"process": own_process})
while run.columns.done < 20:
    run.take()
    time.sleep(0.02)
print(*{int(value) for value in run.columns.values["process"][run.columns.came]}, run._process.pid, flush=True)
ENDS
"""


@pytest.mark.parametrize(
    "ends",
    [
        "",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        pytest.param("import os, signal; os.kill(run._process.pid, signal.SIGSTOP)", id="while the other is stopped"),
    ],
)
def test_it_ends_with_the_program_that_began_it_however_that_ends(ends):
    words = (sys.executable, "-c", PROGRAM.replace("ENDS", ends))
    with started(*words, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        processes = [int(word) for word in program.stdout.readline().split()]
        program.wait(60)
    assert len(processes) >= 2
    assert all(gone(process) for process in processes)


def test_a_million_runs_are_a_few_arrays():
    kept = Columns(1_000_000)
    for one in sweep("lloyd", datasets.iris, over={"seed": [0, 999_999]}, jobs=1, **ROWS):
        kept.add(one.outcome)
    assert kept.nbytes < 40 * 1_000_000
