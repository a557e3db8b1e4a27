"""A function in this process, and a generator that a script has made already."""

from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

import numpy as np

from algorithms.core.dataset import Dataset, NoData
from algorithms.core.errors import Refused
from algorithms.userfile.importing import describe, locals_of, script_of, view_beside
from algorithms.userfile.plain import Description, PlainAlgorithm
from algorithms.userfile.signature import Takes
from algorithms.userfile.sources import FixedData
from algorithms.userfile.spec import NO_WORDS, Spec
from algorithms.userfile.state import PlainState
from algorithms.userfile.steps import PlainSteps
from algorithms.userfile.view import NO_VIEW


def plain_algorithm(function: Callable[..., Any], spec: Spec = NO_WORDS) -> PlainAlgorithm:
    """Make an Algorithm of a generator function, which runs here; it finds the words of its spec in sys.argv."""
    description = describe(function)

    def start(data: Dataset, values: dict[str, Any]) -> Iterator[PlainState]:
        def call() -> Any:
            return description.takes.call(function, data, values)

        return PlainSteps(call, description.script, spec, description.view)

    return PlainAlgorithm(description, start)


def running_algorithm(generator: Any) -> PlainAlgorithm:
    """Make an Algorithm of a generator that exists, to be started once; a table among its arguments is its data."""
    if not isinstance(generator, GeneratorType):
        raise Refused(f"watch takes a generator, what a function with a yield gives, not {type(generator).__name__}.")
    data = data_of(generator)
    script = script_of(generator.gi_code)
    view = view_beside(generator.gi_frame.f_globals) if generator.gi_frame is not None else NO_VIEW
    begun: list[bool] = []

    def start(_: Dataset, values: dict[str, Any]) -> Iterator[PlainState]:
        if begun:
            raise Refused("a generator that is running cannot be started over: call watch with a new one.")
        begun.append(True)
        return PlainSteps(lambda: generator, script, view=view)

    source = FixedData(data) if data is not None else NoData()
    return PlainAlgorithm(Description(generator.__name__, "", script, Takes("nothing", (), ()), view), start, source)


def data_of(generator: "GeneratorType[Any, Any, Any]") -> Dataset | None:
    """Find the Dataset or table of numbers among the arguments, with the target beside it where there is one."""
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
