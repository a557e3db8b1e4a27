"""SweepRequest: over what a run is to be made many times, as a person asks for it beside the run in hand."""

from typing import TYPE_CHECKING

from msgspec import Struct

from algorithms.core import Dataset, Parameter, Refused
from algorithms.core.parameters import as_typed
from algorithms.core.text import counted
from algorithms.data.made import arguments
from algorithms.data.named import MADE
from algorithms.data.recipe import Recipe
from algorithms.playback.runs.loaded_run import LoadedRun

if TYPE_CHECKING:
    from algorithms.sweeping.plan import Plan

MOST = 10_000_000  # runs whose numbers are kept
_RUNS = 1_000  # of one that depends on a seed
_SPREAD = 100.0  # times as small, and as large, as it is now: how far a number is swept
_RATIO = 50.0  # of the largest value to the least, from which on they stand at equal ratios


class SweepRequest(Struct, frozen=True, eq=False):
    """What was asked for.

    Attributes:
        loaded: the run that all are like, but for what is swept over.
        plan: the runs.
        over: what is swept over.
        each: how many runs there are for each value, with seeds of their own.
        curve: what is looked at of each run.
        log: whether that is looked at on a logarithmic scale.
    """

    loaded: LoadedRun
    plan: "Plan"
    over: str
    each: int
    curve: str
    log: bool

    @property
    def ordered(self) -> bool:
        """Whether what is swept over has an order, or values to be told apart; seeds have not."""
        return not is_seed(self.over)

    @property
    def of_logarithms(self) -> bool:
        """Whether the values of what is swept over stand at equal ratios."""
        numbers = self.numbers
        return len(numbers) > 2 and min(numbers) > 0 and max(numbers) / min(numbers) >= _RATIO

    @property
    def numbers(self) -> list[float]:
        """The values of what is swept over as numbers, () where they are none."""
        try:
            return [float(value) for value in self.plan.axes[self.over]]
        except (TypeError, ValueError):
            return []

    def opened(self, place: int) -> LoadedRun:
        """Load the run at a place of the plan, to be watched."""
        from algorithms.sweeping.plan import OF_DATA

        swept = self.plan.parameters(place)
        own = {name: value for name, value in swept.items() if not name.startswith(OF_DATA)}
        source = self.plan.data_source(self.plan.swept(place))
        loaded = self.loaded
        recipe, data = (loaded.recipe, source) if isinstance(source, Dataset) else (source, source.load())
        loaded.algorithm.problem(data, None, loaded.parameters | own)
        return LoadedRun(loaded.algorithm, recipe, data, loaded.parameters | own, loaded.spec)


def is_seed(name: str) -> bool:
    """Tell whether a parameter is a seed, whose values have no order."""
    return name == "seed" or name.endswith(("_seed", ".seed"))


def sweepable(loaded: LoadedRun) -> dict[str, Parameter | None]:
    """List what can be swept over: the seeds first, then the parameters, then what belongs to the data."""
    from algorithms.sweeping.plan import OF_DATA

    found: dict[str, Parameter | None] = {p.name: p for p in loaded.algorithm.parameters}
    if isinstance(loaded.recipe, Recipe) and loaded.data.source is loaded.recipe:
        made = arguments(loaded.recipe.name) if loaded.recipe.name in MADE else ()
        found |= {f"{OF_DATA}{p.name}": p for p in made}
        if loaded.recipe.hold_out:
            found[f"{OF_DATA}hold_out_seed"] = None
        if loaded.recipe.sample is not None:
            found[f"{OF_DATA}sample_seed"] = None
    return dict(sorted(found.items(), key=lambda item: not is_seed(item[0])))


def usual_values(loaded: LoadedRun, name: str) -> str:
    """Write values that suggest themselves, as they are typed."""
    parameter = sweepable(loaded).get(name)
    if is_seed(name) or parameter is None:
        return f"0:{_RUNS}"
    if parameter.type is bool:
        return "yes,no"
    if parameter.choices:
        return ",".join(map(str, parameter.choices))
    now = loaded.parameters.get(name, parameter.default)
    if parameter.type is int:
        least = max(1, int(parameter.least or 0))
        most = least + 10 if parameter.most is None else min(least + 10, int(parameter.most) + 1)
        return f"{least}:{most}"
    if parameter.type is float and isinstance(now, int | float) and 0 < now < float("inf"):
        low, high = now / _SPREAD, now * _SPREAD
        low = low if parameter.least is None else max(low, parameter.least)
        high = high if parameter.most is None else min(high, parameter.most)
        return f"{low:g}:{high:g}:log:9" if 0 < low < high else as_typed(now)
    return as_typed(now)


def seed_beside(loaded: LoadedRun, over: str) -> str:
    """Find the seed by which runs of one value differ, "" where there is none or it is swept over itself."""
    return next((name for name in sweepable(loaded) if is_seed(name) and not is_seed(over)), "")


def request(loaded: LoadedRun, over: str, values: str, each: int, curve: str) -> SweepRequest:
    """Make what is asked for; `Refused` says in a sentence what will not do."""
    from algorithms.sweeping.plan import Plan

    seed = seed_beside(loaded, over)
    axes: dict[str, str] = {over: values}
    if each > 1:
        if not seed:
            raise Refused(f"all runs of one {over} are the same: one of each will do.")
        axes[seed] = f"0:{each}"
    fixed = {name: value for name, value in loaded.parameters.items() if name not in axes}
    plan = Plan.of(loaded.algorithm, loaded.data, fixed, axes)
    if len(plan) > MOST:
        raise Refused(f"{counted(len(plan), 'run')} are more than can be kept: {MOST:,} at most.")
    curves = {each_curve.name: each_curve for each_curve in loaded.algorithm.curves}
    if curve not in curves:
        raise Refused(f"there is no curve {curve!r}; there are {', '.join(curves)}.")
    return SweepRequest(loaded, plan, over, each if seed else 1, curve, curves[curve].log)
