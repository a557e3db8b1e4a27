"""Many runs at once: what each takes and what they hold in memory, of a few and of many."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter

from tests.bench.row import Figures, Result, below

_RUNS, _FEW = 10_000, 1_000


def many() -> Iterator[Result]:
    """10,000 runs in this process and in workers, in a process of its own each."""
    for jobs in (1, 2):
        code = f"from tests.bench.sweeping import many_here; many_here({jobs})"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        found = json.loads(said.splitlines()[-1])
        where = "in this process" if jobs == 1 else f"in {jobs} workers"
        yield Result(f"a run of 10,000, {where}", f"{found['last'] * 1e3:.3g} ms")
        yield below(f"the last 1,000 over the second 1,000, {where}", found["last"] / found["early"], 1.3, "times")
        yield below(f"memory after 10,000 over that after 1,000, {where}", found["grown"], 8, "MB")


def many_here(jobs: int) -> None:
    """Measure in this process, and print what was found as JSON."""
    from algorithms import datasets, sweep

    runs = iter(sweep("lloyd", datasets.iris, over={"seed": range(_RUNS)}, jobs=jobs, k=3, start="rows"))
    taken, memory = [], []
    for _ in range(_RUNS // _FEW):
        began = perf_counter()
        count = sum(1 for _ in islice(runs, _FEW))
        assert count == _FEW
        taken.append((perf_counter() - began) / _FEW)
        memory.append(_held())
    print(json.dumps({"early": taken[1], "last": taken[-1], "grown": memory[-1] - memory[0]}))


def _held() -> float:
    """Measure the memory that this process has now, in MB."""
    (line,) = (each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith("VmRSS"))
    return int(line.split()[1]) / 2**10


SWEEPING = (Figures("a sweep of 10,000 runs", many),)
