"""Expectations over a few runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from algorithms import Algorithm, find


@contextmanager
def few_runs(name: str, runs: int = 6) -> Iterator[Algorithm]:
    """An algorithm of the catalogue, whose means are over so many runs meanwhile."""
    algorithm = find(name)
    before = algorithm.expectations
    algorithm.expectations = tuple(replace(e, runs=runs) for e in before)
    yield algorithm
    algorithm.expectations = before
