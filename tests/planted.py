"""Count the faults that are planted in each algorithm's tests: `python -m tests.planted`.

A wrong choice and a wrong update are the tests that WRONG of its module names, a case each way in which they go wrong.
Each theorem is broken by a disturbed state, or by the test that PLANTED names.
"""

import importlib
from collections.abc import Callable
from math import prod
from typing import Any

from algorithms import find, names

_HEADS = ("algorithm", "wrong choices", "wrong updates", "theorems broken", "of these by a named test")


def cases(test: Callable[..., Any]) -> int:
    """Count the cases that a test is run with."""
    marks = getattr(test, "pytestmark", [])
    return prod(len(mark.args[1]) for mark in marks if mark.name == "parametrize")


def counted(name: str) -> tuple[int, int, int, int]:
    """Count the wrong choices, wrong updates and theorems of an algorithm, and how many of these PLANTED names."""
    algorithm = find(name)
    folder = f"tests.families.{algorithm.family}"
    module = importlib.import_module(f"{folder}.test_{name}")
    choice, update = (_planted(folder, module, module.WRONG[kind]) for kind in ("choice", "update"))
    return choice, update, len(algorithm.theorems), len(getattr(module, "PLANTED", {}))


def _planted(folder: str, module: Any, named: str) -> int:
    file, _, test = named.rpartition(":")
    return cases(getattr(importlib.import_module(f"{folder}.{file}") if file else module, test))


def table() -> str:
    """Lay the counts out as a table, an algorithm a line, their sums last."""
    counts = {name: counted(name) for name in names()}
    sums = tuple(map(sum, zip(*counts.values())))
    rows = [_HEADS, ("---",) * len(_HEADS), *((name, *c) for name, c in counts.items()), (f"all {len(counts)}", *sums)]
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)


if __name__ == "__main__":
    print(table(), end="")
