"""The checks of `algorithms.conformance` over those of the catalogue, with what their tests say besides."""

import importlib
from collections.abc import Sequence
from functools import wraps
from typing import Any

from algorithms import Algorithm, Dataset, conformance
from algorithms.conformance import *  # noqa: F403  # but for three, which are told besides what tests say
from algorithms.conformance.runs import ensure
from tests.conformance.rare_ends import RARE, UNMET


def own_test(algorithm: Algorithm) -> Any:
    """The module of an algorithm's own tests, None where there is none."""
    try:
        return importlib.import_module(f"tests.families.{algorithm.family}.test_{algorithm.name}")
    except ModuleNotFoundError:
        return None


@wraps(conformance.check_can_fail)
def check_can_fail(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    conformance.check_can_fail(algorithm, data, _planted(algorithm))


@wraps(conformance.check_ends)
def check_ends(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    conformance.check_ends(algorithm, data, RARE.get(algorithm.name, ()), UNMET.get(algorithm.name, ()))


@wraps(conformance.check_theorems_speak)
def check_theorems_speak(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    conformance.check_theorems_speak(algorithm, data, getattr(own_test(algorithm), "SILENT", {}))


def _planted(algorithm: Algorithm) -> dict[str, str]:
    """The statements of which its own test names the test that breaks them: PLANTED = {statement: test}."""
    module = own_test(algorithm)
    planted: dict[str, str] = getattr(module, "PLANTED", {})
    for statement, test in planted.items():
        ensure(statement in {t.statement for t in algorithm.theorems}, f"PLANTED names {statement!r}; there is none")
        ensure(_named(algorithm, module, test), f"PLANTED names the test {test!r}; there is none")
    return planted


def check_wrong(algorithm: Algorithm) -> None:
    """Its own test names a planted wrong choice and a planted wrong update that a theorem notices."""
    module = own_test(algorithm)
    wrong: dict[str, str] = getattr(module, "WRONG", {})
    for kind in ("choice", "update"):
        ensure(kind in wrong, f"its test plants no wrong {kind}: name the test that does in WRONG = {{{kind!r}: ...}}")
        ensure(_named(algorithm, module, wrong[kind]), f"WRONG names the test {wrong[kind]!r}; there is none")


def _named(algorithm: Algorithm, module: Any, name: str) -> bool:
    """Whether there is a test of its module, or of another file of its folder: "test_backpropagation:test_..."."""
    file, _, test = name.rpartition(":")
    place = importlib.import_module(f"tests.families.{algorithm.family}.{file}") if file else module
    return callable(getattr(place, test, None))


_OF_TESTS = {check.__name__: check for check in (check_can_fail, check_ends, check_theorems_speak)}
ON_STATES, ON_WHAT_IS_SHOWN = conformance.ON_STATES, conformance.ON_WHAT_IS_SHOWN
ON_MANY_RUNS, ON_DATA, ON_ITSELF = conformance.ON_MANY_RUNS, conformance.ON_DATA, conformance.ON_ITSELF
ON_ALL_DATA = tuple(_OF_TESTS.get(check.__name__, check) for check in conformance.ON_ALL_DATA)
