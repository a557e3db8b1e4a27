"""The front door: what `from algorithms import ...` gives has its help, and the examples in it run."""

import doctest
import inspect
import sys

import pytest

import algorithms

# by name, not by what is there so far: names are imported when they are first asked for
PUBLIC = sorted(algorithms.__all__)
CLASSES = [name for name in PUBLIC if inspect.isclass(getattr(algorithms, name))]
MODULES = sorted({"algorithms", *(inspect.getmodule(getattr(algorithms, name)).__name__ for name in PUBLIC)})


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(getattr(algorithms, name))


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(algorithms, name)) or "")


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str) -> None:
    assert doctest.testmod(sys.modules[module]).failed == 0
