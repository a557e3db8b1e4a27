"""The front door: what `from algorithms import ...` gives has its help, and the examples in it run."""

import doctest
import inspect
import sys

import pytest

import algorithms

PUBLIC = sorted(
    name for name, thing in vars(algorithms).items() if getattr(thing, "__module__", "").startswith("algorithms.")
)
MODULES = sorted(
    {getattr(algorithms, name).__module__ for name in PUBLIC} | {"algorithms.timeline.conditions", "algorithms"}
)


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(getattr(algorithms, name))


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str) -> None:
    assert doctest.testmod(sys.modules[module]).failed == 0
