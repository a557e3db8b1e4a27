"""Plan: which runs there are to be: an algorithm, data, what is fixed and what is swept over; small enough to send."""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import find, names
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused, no_such
from algorithms.core.parameters import Parameter
from algorithms.data.made import arguments
from algorithms.data.named import MADE, NAMED
from algorithms.data.recipe import Recipe
from algorithms.saving.loading import is_own, named_algorithm
from algorithms.saving.runlog import LoggedRun, is_recording
from algorithms.sweeping.values import values_of
from algorithms.userfile.spec import Spec

OF_DATA = "data."  # before the name of what belongs to the data: data.seed
_CHECKED = 1_000  # values of a list that are checked one by one before the first run


class Plan(Struct, frozen=True, eq=False):
    """The runs that are asked for: every combination of the values, the last parameter's changing fastest.

    Attributes:
        algorithm: what runs.
        spec: where another process finds it: a name of the catalogue, a file or a module; "" where none can.
        source: the data, or the recipe for them.
        fixed: the parameters that all runs have.
        axes: the values of each parameter that is swept over; "data.seed" is one of the data.
        most: the step at which a run is stopped.
        curves: the names of those that are kept, or whether all of them are.
    """

    algorithm: Algorithm
    spec: str
    source: Dataset | Source
    fixed: Mapping[str, Any]
    axes: Mapping[str, Sequence[Any]]
    most: float = math.inf
    curves: tuple[str, ...] | bool = False

    @classmethod
    def of(
        cls,
        algorithm: str | Algorithm,
        source: Dataset | Source | None,
        fixed: Mapping[str, Any],
        over: Mapping[str, str | Iterable[Any]],
        most: float = math.inf,
        curves: Iterable[str] | bool = False,
    ) -> "Plan":
        """Check what is asked for as far as that can be done before a run.

        Raises:
            Refused: for a parameter that is not there, a value that it cannot have, data that do not suit.
        """
        found, spec = _found(algorithm)
        source = found.datasets[0] if source is None and found.datasets else source
        source = Dataset.none if source is None else _absolute(source)
        for name in fixed:
            if name in over:
                raise Refused(f"{name} is fixed at {fixed[name]} and swept over, too: take one of the two away.")
        if not over:
            raise Refused("say what to sweep over: a parameter with its values, as in seed=0:100.")
        axes = {name: values_of(given, name, _parameter(found, source, name)) for name, given in over.items()}
        kept = curves if isinstance(curves, bool) else (curves,) if isinstance(curves, str) else tuple(curves)
        plan = cls(found, spec, source, dict(fixed), axes, most, kept)
        plan._check()
        return plan

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.axes.values())

    def swept(self, place: int) -> dict[str, Any]:
        """Give the values that the run at this place has of what is swept over, as they were given."""
        given: dict[str, Any] = {}
        for name, values in reversed(tuple(self.axes.items())):
            place, i = divmod(place, len(values))
            given[name] = values[i]
        return {name: given[name] for name in self.axes}

    def parameters(self, place: int) -> dict[str, Any]:
        """Give the values of what is swept over, each as the number or word that the run gets."""
        given = self.swept(place)
        own = {name: value for name, value in given.items() if not name.startswith(OF_DATA)}
        checked = self.algorithm.checked({**self.fixed, **own})
        made = _data_arguments(self.data_source(given))
        return {
            name: made.get(name.removeprefix(OF_DATA), given[name])
            if name.startswith(OF_DATA)
            else getattr(checked, name)
            for name in self.axes
        }

    def data_source(self, swept: Mapping[str, Any]) -> Dataset | Source:
        """Give the data, or the recipe for them, of a run with these values."""
        changes = {name.removeprefix(OF_DATA): value for name, value in swept.items() if name.startswith(OF_DATA)}
        if not changes:
            return self.source
        assert isinstance(self.source, Recipe)
        return self.source.with_(**{name: _number(value) for name, value in changes.items()})

    def problem_of(self, place: int) -> tuple[Dataset, dict[str, Any]]:
        """Load the data of a run, and give all parameters that are not left at their defaults."""
        given = self.swept(place)
        source = self.data_source(given)
        data = source if isinstance(source, Dataset) else source.load()
        own = {name: value for name, value in given.items() if not name.startswith(OF_DATA)}
        return data, {**self.fixed, **own}

    def _check(self) -> None:
        """Try each value by itself, and the data of the first run; what goes wrong together is a run that fails."""
        known = [curve.name for curve in self.algorithm.curves]  # a generator's own are found as it yields them
        for name in () if isinstance(self.curves, bool) or not known else self.curves:
            if name not in known:
                raise no_such("curve", name, known)
        for name, values in self.axes.items():
            few = values if len(values) <= _CHECKED else (values[0], values[-1])
            for value in few:
                if name.startswith(OF_DATA):
                    self.data_source({name: value})
                else:
                    self.algorithm.checked({**self.fixed, name: value})
        source = self.data_source(self.swept(0))
        self.algorithm.check(source if isinstance(source, Dataset) else source.load())


def _found(algorithm: str | Algorithm) -> tuple[Algorithm, str]:
    """Find an algorithm and the words by which another process finds it."""
    if isinstance(algorithm, LoggedRun) or isinstance(algorithm, str) and is_recording(algorithm):
        raise Refused("a recording is of one run, which has been: name the algorithm to run it many times.")
    if isinstance(algorithm, str):
        return named_algorithm(algorithm), _absolute_spec(algorithm) if is_own(algorithm) else algorithm
    if algorithm.name in names() and find(algorithm.name) is algorithm:
        return algorithm, algorithm.name
    return algorithm, _place(algorithm)


def _place(algorithm: Algorithm) -> str:
    """Find the name of a declaration at the top of its module, "" where it has none."""
    module = sys.modules.get(algorithm.run.__module__)
    name = next((name for name, thing in vars(module).items() if thing is algorithm), "") if module else ""
    if not name or module is None:
        return ""
    if module.__name__ != "__main__":
        return f"{module.__name__}:{name}"
    return f"{Path(module.__file__).resolve()}:{name}" if module.__file__ else ""


def _absolute_spec(spec: str) -> str:
    """Make the path of a file whole, so that it is found from any folder."""
    place = Spec.of(spec).place
    path = Path(place)
    return f"{path.resolve()}{spec.removeprefix(place)}" if path.suffix == ".py" and path.is_file() else spec


def _absolute(source: Dataset | Source) -> Dataset | Source:
    """Make the path of a file whole; data that are just as a recipe makes them become the recipe, others rows."""
    if not isinstance(source, Dataset | Recipe):
        source = source.load()
    if isinstance(source, Dataset) and isinstance(source.source, Recipe) and source.source.load() is source:
        source = source.source
    if isinstance(source, Recipe) and source.name not in NAMED and Path(source.name).is_file():
        return replace(source, name=str(Path(source.name).resolve()))
    return source


def _parameter(algorithm: Algorithm, source: Dataset | Source, name: str) -> Parameter | None:
    """Find the parameter that is swept over.

    Raises:
        Refused: when there is none of that name; it names those that there are.
    """
    if name.startswith(OF_DATA):
        if not isinstance(source, Recipe):
            raise Refused(f"{name} belongs to data that are made by a name or read from a file; these are neither.")
        if source.name in MADE:
            made = {p.name: p for p in arguments(source.name)}
            return made.get(name.removeprefix(OF_DATA), _ANY)
        return _ANY
    own = {p.name: p for p in algorithm.parameters}
    if name not in own:
        of_data = isinstance(source, Recipe) and name in _data_arguments(source)
        hint = f" Of the data it is {OF_DATA}{name}." if of_data else ""
        there = f"there are {', '.join(own)}" if own else "this algorithm has none"
        raise Refused(f"there is no parameter {name!r}; {there}.{hint}")
    return own[name]


_ANY = Parameter(
    name="", type=Any, default=None, help="", least=None, most=None, open_least=False, open_most=False,
    choices=(), start_only=False,
)  # fmt: skip


def _data_arguments(source: Dataset | Source) -> dict[str, Any]:
    """List what of data can be swept over, with its value: a made set's own arguments, and those of its recipe."""
    if not isinstance(source, Recipe):
        return {}
    recipe = {name: getattr(source, name) for name in source.__struct_fields__ if name not in ("name", "made")}
    made = {p.name: p.default for p in arguments(source.name)} if source.name in MADE else {}
    return recipe | made | dict(source.made)


def _number(value: Any) -> Any:
    """Read a number that was typed, as a recipe takes it; anything else stays as it is."""
    if not isinstance(value, str):
        return value
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
