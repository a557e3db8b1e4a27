"""Draw hard runs over all algorithms, with forks and edits, for so many minutes of processor time.

python -m tests.numbers --minutes 20

Prints each false verdict and exception with the seed that gives it again, then how many runs each algorithm had. Ends
with status 1 when there were any.
"""

import argparse
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from algorithms import find, names  # noqa: E402
from tests.numbers.seeded import check_seed  # noqa: E402

STEPS = 60


def main(arguments: Sequence[str]) -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.numbers", description=__doc__)
    asked.add_argument("names", nargs="*", help="algorithms; all without")
    asked.add_argument("--minutes", type=float, default=20.0, help="of processor time")
    asked.add_argument("--runs", type=int, default=0, help="so many of each algorithm instead")
    asked.add_argument("--seed", type=int, default=0, help="the first one; each algorithm has the same number of them")
    asked.add_argument("--steps", type=int, default=STEPS, help="of a run; a fork has half of them")
    given = asked.parse_args(arguments)
    chosen = given.names or names()
    runs, refused, faults = Counter[str](), Counter[str](), Counter[str]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed, name in _in_turn(chosen, given.seed, given.runs, time.process_time() + 60 * given.minutes):
            runs[name] += 1
            try:
                refused[name] += check_seed(find(name), seed, given.steps) == "refused"
            except Exception as error:
                faults[name] += 1
                print(f"{name}: {type(error).__name__}: {error}", flush=True)
    for name in chosen:
        print(f"{name:<28}{runs[name]:6} runs{refused[name]:6} refused{faults[name]:6} faults")
    total = sum(faults.values())
    print(f"{sum(runs.values())} runs from seed {given.seed} on, {total} false verdicts and exceptions")
    return 1 if total else 0


def _in_turn(chosen: Sequence[str], first: int, runs: int, until: float) -> Iterator[tuple[int, str]]:
    """Name a seed and an algorithm after the other: so many seeds, or until so much processor time has been used."""
    for seed in range(first, first + runs) if runs else count(first):
        for name in chosen:
            if not runs and time.process_time() > until:
                return
            yield seed, name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
