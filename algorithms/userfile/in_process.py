"""A function in this process, and a generator that a script has made already."""

from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

import numpy as np

from algorithms.core.dataset import Dataset, NoData
from algorithms.core.errors import Refused
from algorithms.userfile.importing import described, locals_of, script_of
from algorithms.userfile.plain import Described, PlainAlgorithm
from algorithms.userfile.signature import Takes
from algorithms.userfile.state import PlainState
from algorithms.userfile.steps import PlainSteps


def wrapped(function: Callable[..., Any]) -> PlainAlgorithm:
    """A generator function as an Algorithm that runs here."""
    told = described(function)

    def start(data: Dataset, values: dict[str, Any]) -> Iterator[PlainState]:
        return PlainSteps(lambda: told.takes.call(function, data, values), told.script)

    return PlainAlgorithm(told, start)


def watched(generator: Any) -> PlainAlgorithm:
    """A generator that exists, as an Algorithm that can be started once; a table among its arguments is its data."""
    if not isinstance(generator, GeneratorType):
        raise Refused(f"watch takes a generator, what a function with a yield gives, not {type(generator).__name__}.")
    data = data_of(generator)
    told = Described(generator.__name__, "", script_of(generator.gi_code), Takes("nothing", (), ()))
    begun: list[bool] = []

    def start(_: Dataset, values: dict[str, Any]) -> Iterator[PlainState]:
        if begun:
            raise Refused("a generator that is running cannot be started over: call watch with a new one.")
        begun.append(True)
        return PlainSteps(lambda: generator, told.script)

    return PlainAlgorithm(told, start, Fixed(data) if data is not None else NoData())


class Fixed:
    """Data that are there already, in place of a recipe."""

    def __init__(self, data: Dataset):
        self.name, self._data = data.name, data

    def load(self) -> Dataset:
        return self._data


def data_of(generator: "GeneratorType[Any, Any, Any]") -> Dataset | None:
    """The Dataset or table of numbers among the arguments, with the target beside it where there is one."""
    code = generator.gi_code
    variables = locals_of(generator.gi_frame)
    arguments = [variables.get(n) for n in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
    for i, value in enumerate(arguments):
        if isinstance(value, Dataset):
            return value
        if isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "biuf":
            y = next((v for v in arguments[i + 1 :] if isinstance(v, np.ndarray) and v.shape == value.shape[:1]), None)
            for target in (y, None):
                try:
                    return Dataset(value, target, name=code.co_varnames[i])
                except Refused:
                    continue
    return None
