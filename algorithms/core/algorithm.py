"""Algorithm: the declaration that ends every algorithm file, and the way to call it with checks."""

import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused
from algorithms.core.parameters import Parameter, Parameters
from algorithms.core.problem import Problem
from algorithms.core.scene import Scene
from algorithms.core.state import State
from algorithms.core.theorem import Theorem

S = TypeVar("S", bound=State)
Run: TypeAlias = Generator[S, None, str]  # yields states, returns the reason it stopped in words


class Needs(Struct, frozen=True):
    """What an algorithm asks of its data.

    Attributes:
        target: "none" (a target is ignored), "class" or "number".
        classes: exactly so many classes, or None for any number.
        rows: at least so many rows.
    """

    target: Literal["none", "class", "number"] = "none"
    classes: int | None = None
    rows: int = 2


class Curve(Struct, frozen=True):
    """A number to follow over the run.

    Attributes:
        name: the field's name for it; unique in its algorithm.
        measure: (problem, state) -> float; NaN where it is not defined.
        formula: what it is in mathematics, for the chart's corner.
        chart: curves that name the same chart are drawn together; its own name by default.
        phases: measured in these phases only; in all when empty.
        log: drawn on a logarithmic axis.
    """

    name: str
    measure: Callable[[Problem, Any], float]
    formula: str = ""
    chart: str = ""
    phases: tuple[str, ...] = ()
    log: bool = False

    @property
    def group(self) -> str:
        return self.chart or self.name


class Event(Struct, frozen=True):
    """Something that matters when it happens ("a row moved"), to be jumped to.

    Attributes:
        name: what is shown.
        happened: (before, after) -> bool; `before` is None at the start.
        phase: the phase which it is, "" if it is more than that.
    """

    name: str
    happened: Callable[[Any, Any], bool]
    phase: str = ""


def _never(problem: Problem) -> None:
    return None


class Algorithm:
    """One algorithm: its generator and all that a person can be shown of it.

    Args:
        run: the generator function (data, state=None, *, parameters...) -> states.
        title: the field's name for it.
        summary: one sentence: what it does.
        rule: its update rule, in a line or a few of mathematics.
        needs: what it asks of the data.
        phases: each phase with what happens in it, in the order they come.
        events: phases, or Events, worth jumping to.
        fork_after: the phases after which a fork may begin (default: all).
        start_only: parameters that a fork cannot change: they give the state its shape, or matter at the start alone.
        curves, theorems: what is measured along the run.
        scene: (problem, before, after) -> Scene.
        explain: (problem, before, after) -> one or two sentences with this step's numbers.
        datasets: data sets it opens with, the best first.
        adapt: (before, after, state, rows) -> State: how a state of the problem `before` follows into `after`, at a
            fork with other data or parameters; rows (n,) int says which row of `before` each row of `after` was, -1
            for a new one. Same t, iteration and phase. Without it the state stays as it is, and where rows came or
            went the fork starts afresh.
        validate: (problem) -> a sentence when data and parameters do not go together, else None.
        references: where it comes from.
    """

    apart = False  # whether its functions answer from another process, and so may take their time
    notices: Sequence[str] = ()  # what a person should be told of how it behaves; those of ours have nothing to tell

    def __init__(
        self,
        run: Callable[..., Run[Any]],
        *,
        title: str,
        summary: str,
        rule: str,
        needs: Needs,
        phases: Mapping[str, str],
        scene: Callable[[Problem, Any, Any], Scene],
        explain: Callable[[Problem, Any, Any], str],
        datasets: tuple[Source, ...],
        events: tuple[str | Event, ...] = (),
        fork_after: tuple[str, ...] = (),
        start_only: tuple[str, ...] = (),
        curves: tuple[Curve, ...] = (),
        theorems: tuple[Theorem, ...] = (),
        adapt: Callable[[Problem, Problem, Any, Array], State] | None = None,
        validate: Callable[[Problem], str | None] = _never,
        references: tuple[str, ...] = (),
    ):
        self.run, self.title, self.summary, self.rule = run, title, summary, rule
        self.needs, self.phases = needs, dict(phases)
        self.scene, self.explain, self.datasets = scene, explain, datasets
        self.events = tuple(_phase_event(e) if isinstance(e, str) else e for e in events)
        self.fork_after = fork_after or tuple(phases)
        self.start_only, self.curves, self.theorems = start_only, curves, theorems
        self.adapt, self.validate, self.references = adapt, validate, references
        self._parameters = Parameters(run, start_only)

    @property
    def name(self) -> str:
        """The name it is found by: that of the generator, and of its file."""
        return self.run.__name__

    @property
    def family(self) -> str:
        """The folder of families that it stands in ("linear", "clustering"); "own" for a file of the reader's."""
        parts = self.run.__module__.split(".")
        return parts[2] if parts[:2] == ["algorithms", "families"] else "own"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self._parameters.all

    @property
    def about(self) -> str:
        """The docstring of its file."""
        return inspect.cleandoc(inspect.getmodule(self.run).__doc__ or "")

    @cached_property
    def source(self) -> tuple[str, int, list[str]]:
        """(file, number of the first line, lines) of the generator, with which a Frame's line is shown."""
        lines, first = inspect.getsourcelines(self.run)
        return inspect.getsourcefile(self.run) or "?", first, [line.rstrip("\n") for line in lines]

    def problem(self, X: Any, y: Any = None, parameters: Mapping[str, Any] | None = None) -> Problem:
        """Data and parameters, checked together; `Refused` says in a sentence what does not do."""
        data = Dataset.of(X, y)
        self.check(data)
        problem = Problem(data, self._parameters.convert(parameters or {}))
        reason = self.validate(problem)
        if reason:
            raise Refused(reason)
        return problem

    def check(self, data: Dataset) -> None:
        """Refuse data without the target this algorithm learns from."""
        needs = self.needs
        if data.n < needs.rows:
            raise Refused(f"{self.title} needs {needs.rows} rows or more; {data.name} has {data.n}.")
        if needs.target != "none" and data.kind != needs.target:
            words = {"none": "no target", "class": "classes", "number": "numbers"}
            has = f"{words[data.kind]} in {data.target}" if data.target else words[data.kind]
            raise Refused(f"{self.title} learns {words[needs.target]}; {data.name} has {has}. Choose the target.")
        if needs.classes is not None and len(data.classes) != needs.classes:
            raise Refused(
                f"{self.title} tells {needs.classes} classes apart; {data.name} has {len(data.classes)} "
                f"({', '.join(data.classes)}). Name the positive one to hold it against the rest."
            )

    @cached_property
    def resumes(self) -> bool:
        """Whether the generator takes a state to go on from, as all of ours do."""
        return "state" in inspect.signature(self.run).parameters

    def start(self, problem: Problem, state: State | None = None) -> Run[Any]:
        """The generator on a checked problem, from its start or from what comes after `state`."""
        parameters = _as_dict(problem.parameters)
        if self.resumes:
            return self.run(problem.data, state, **parameters)
        if state is not None:
            raise Refused(f"{self.title} cannot be taken up again from a state.")
        return self.run(problem.data, **parameters)

    def replay(self, problem: Problem, state: State) -> Run[Any]:
        """What comes after a state, again."""
        return self.start(problem, state)

    def __call__(self, X: Any, y: Any = None, *, state: State | None = None, **parameters: Any) -> Run[Any]:
        """The generator on a Dataset, an array, or X and y, with everything checked first."""
        return self.start(self.problem(X, y, parameters), state)

    def __repr__(self) -> str:
        return f"<Algorithm {self.family}.{self.name}>"


def _as_dict(parameters: Struct) -> dict[str, Any]:
    return {name: getattr(parameters, name) for name in parameters.__struct_fields__}


def _phase_event(phase: str) -> Event:
    def happened(before: State | None, after: State) -> bool:
        return after.phase == phase

    return Event(phase, happened, phase)
