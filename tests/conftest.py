"""What every test stands on: workers side by side for the whole suite, one thread of linear algebra in each."""

import os
import sys

# Compiled once, and not by each worker and by each of the hundreds of processes that tests start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Two workers on two cores: threads of linear algebra would only take turns with them.
# Set before NumPy is imported, and inherited by every process that a test starts.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

import pytest  # noqa: E402

_WORKERS = 8  # at most: each imports everything, which on many cores costs more than it saves


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers more than there are cores for the suite or a folder of it; none for single files.

    What a test waits for (a terminal, another process) leaves its core to those.
    """
    named = [argument.split("::")[0] for argument in config.invocation_params.args]
    if any(argument.endswith(".py") for argument in named):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 2, _WORKERS)
