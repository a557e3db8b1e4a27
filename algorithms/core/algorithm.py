"""Algorithm: the declaration that ends every algorithm file, and the way to call it with checks."""

import inspect
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.curves import Curve, Event, expanded, phase_event
from algorithms.core.dataset import Dataset, NoData, Source
from algorithms.core.errors import Refused
from algorithms.core.expectation import Expectation
from algorithms.core.parameters import Parameter, Parameters
from algorithms.core.problem import Problem
from algorithms.core.scene import Scene
from algorithms.core.state import State
from algorithms.core.theorem import Theorem

S = TypeVar("S", bound=State)
Explain: TypeAlias = Callable[[Problem, Any, Any], str]
Symbol: TypeAlias = tuple[str, Callable[[Problem, Any], float | None] | None]
Run: TypeAlias = Generator[S, None, str]  # yields states, returns the reason it stopped in words

_KINDS = {"class": ("class",), "number": ("number",), "either": ("class", "number")}  # of targets that will do


class Needs(Struct, frozen=True):
    """What an algorithm asks of its data.

    Attributes:
        target: "none" (a target is ignored), "class", "number", or "either" of the two.
        classes: exactly so many classes where there are classes, or None for any number.
        rows: at least so many rows.
        data: whether it works on data at all; without, its generator has no data argument.
    """

    target: Literal["none", "class", "number", "either"] = "none"
    classes: int | None = None
    rows: int = 2
    data: bool = True


class FromStart(Struct, frozen=True):
    """The answer of `adapt` where nothing of a state would stay true, and why: the fork then is a run from the start.

    why: a clause for a person, as in "these errors were measured on other rows".
    """

    why: str


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
        expectations: what holds on average over many runs.
        scene: (problem, before, after) -> Scene.
        explain: (problem, before, after) -> one or two sentences with this step's numbers; or one such function by
            phase.
        symbols: what each letter of the rule, the curves and the theorems means, with its value now:
            {"γ": ("least y x·w* of a row", margin)}; (problem, state) -> a number, or None where it has none; None
            in place of the function for a letter that has no value.
        measured: the fields of a state that hold what was measured on the rows (errors of folds that are done): after
            a fork with rows moved or labelled anew they are what a fresh run has, or `adapt` answers FromStart.
        settings: of an algorithm without data, the parameters that it opens with, the best first; they take the place
            of data sets.
        datasets: data sets it opens with, the best first.
        adapt: (before, after, state, rows) -> State: how a state of the problem `before` follows into `after`, at a
            fork with other data or parameters; rows (n,) int says which row of `before` each row of `after` was, -1
            for a new one. Same t, iteration and phase; or FromStart where nothing of it would stay true. Without it the
            state stays as it is, and where rows came or went the fork starts afresh.
        validate: (problem) -> a sentence when data and parameters do not go together, else None.
        references: where it comes from; read from the docstring of its file ("References: ...; ...") if not given.
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
        explain: Explain | Mapping[str, Explain],
        datasets: tuple[Source, ...] = (),
        events: tuple[str | Event, ...] = (),
        fork_after: tuple[str, ...] = (),
        start_only: tuple[str, ...] = (),
        curves: tuple[Curve, ...] = (),
        theorems: tuple[Theorem, ...] = (),
        adapt: Callable[[Problem, Problem, Any, Array], State | FromStart] | None = None,
        validate: Callable[[Problem], str | None] = _never,
        references: tuple[str, ...] = (),
        symbols: Mapping[str, Symbol] = {},
        measured: tuple[str, ...] = (),
        settings: tuple[Mapping[str, Any], ...] = (),
        expectations: tuple[Expectation, ...] = (),
    ):
        self.run, self.title, self.summary, self.rule = run, title, summary, rule
        self.needs, self.phases = needs, dict(phases)
        self.scene, self.datasets = scene, datasets if needs.data else (NoData(),)
        self.explain = _by_phase(explain) if isinstance(explain, Mapping) else explain
        self.events = tuple(phase_event(e) if isinstance(e, str) else e for e in events)
        self.fork_after = fork_after or tuple(phases)
        self.start_only, self.curves, self.theorems = start_only, expanded(curves), theorems
        self.adapt, self.validate, self.expectations = adapt, validate, expectations
        self._references = references
        self.symbols, self.measured = dict(symbols), measured
        self.settings = tuple(map(dict, settings)) or ({},)
        self._parameters = Parameters(run, start_only)

    def with_defaults(self, **parameters: Any) -> "Algorithm":
        """Make the same algorithm with other defaults, as one of its `settings` has them."""
        changed = copy(self)
        changed._parameters = Parameters(self.run, self.start_only, parameters)
        return changed

    @property
    def name(self) -> str:
        """Get the name it is found by: that of the generator, and of its file."""
        return self.run.__name__

    @property
    def family(self) -> str:
        """Get the folder of families that it stands in ("linear", "clustering"); "own" for a file of the reader's."""
        parts = self.run.__module__.split(".")
        return parts[2] if parts[:2] == ["algorithms", "families"] else "own"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self._parameters.all

    @property
    def about(self) -> str:
        """Get the docstring of its file."""
        return inspect.cleandoc(inspect.getmodule(self.run).__doc__ or "")

    @cached_property
    def references(self) -> tuple[str, ...]:
        """Say where it comes from: as declared, else as its docstring ends."""
        return self._references or _references(self.about)

    @cached_property
    def source(self) -> tuple[str, int, list[str]]:
        """(file, number of the first line, lines) of the generator, with which a Frame's line is shown."""
        lines, first = inspect.getsourcelines(self.run)
        return inspect.getsourcefile(self.run) or "?", first, [line.rstrip("\n") for line in lines]

    def problem(self, X: Any = None, y: Any = None, parameters: Mapping[str, Any] | None = None) -> Problem:
        """Data (none where it works on none) and parameters, checked together.

        Raises:
            Refused: a sentence that says what does not do.
        """
        data = Dataset.none if X is None else Dataset.of(X, y)
        self.check(data)
        problem = Problem(data, self._parameters.convert(parameters or {}))
        reason = self.validate(problem)
        if reason:
            raise Refused(reason)
        return problem

    def checked(self, parameters: Mapping[str, Any]) -> Any:
        """Check parameters by themselves, without data; as attributes, the others with their defaults."""
        return self._parameters.convert(parameters)

    def check(self, data: Dataset) -> None:
        """Refuse data without the target this algorithm learns from, or any where it learns from none."""
        needs = self.needs
        if not needs.data:
            if data:
                raise Refused(f"{self.title} works on no data: {data.name} would change nothing in it.")
            return
        if not data and needs.rows:
            raise Refused(f"{self.title} learns from data: name some with --data.")
        if data.n < needs.rows:
            raise Refused(f"{self.title} needs {needs.rows} rows or more; {data.name} has {data.n}.")
        if needs.target != "none" and data.kind not in _KINDS[needs.target]:
            words = {"none": "no target", "class": "classes", "number": "numbers", "either": "classes or numbers"}
            has = f"{words[data.kind]} in {data.target}" if data.target else words[data.kind]
            raise Refused(f"{self.title} learns {words[needs.target]}; {data.name} has {has}. Choose the target.")
        told_apart = needs.target in ("class", "either") and data.kind == "class"
        if told_apart and needs.classes is None and len(data.classes) < 2:
            raise Refused(
                f"{self.title} tells classes apart; {data.name} has one ({data.classes[0]}). Name another target."
            )
        if needs.classes is not None and data.kind != "number" and len(data.classes) != needs.classes:
            raise Refused(
                f"{self.title} tells {needs.classes} classes apart; {data.name} has {len(data.classes)} "
                f"({', '.join(data.classes)}). Name the positive one to hold it against the rest."
            )

    @cached_property
    def resumes(self) -> bool:
        """Tell whether the generator takes a state to go on from, as all of ours do."""
        return "state" in inspect.signature(self.run).parameters

    def start(self, problem: Problem, state: State | None = None) -> Run[Any]:
        """Make the generator on a checked problem, from its start or from what comes after `state`."""
        parameters = _as_dict(problem.parameters)
        data = (problem.data,) if self.needs.data else ()
        if self.resumes:
            return self.run(*data, state, **parameters)
        if state is not None:
            raise Refused(f"{self.title} cannot be taken up again from a state.")
        return self.run(*data, **parameters)

    def replay(self, problem: Problem, state: State) -> Run[Any]:
        """Yield what comes after a state, again."""
        return self.start(problem, state)

    def __call__(self, X: Any = None, y: Any = None, *, state: State | None = None, **parameters: Any) -> Run[Any]:
        """Make the generator on a Dataset, an array, or X and y, with everything checked first."""
        return self.start(self.problem(X, y, parameters), state)

    def __repr__(self) -> str:
        return f"<Algorithm {self.family}.{self.name}>"


def _by_phase(explain: Mapping[str, Explain]) -> Explain:
    """Make one function of several, each for the steps of a phase."""

    def explained(problem: Problem, before: Any, after: Any) -> str:
        return explain[after.phase](problem, before, after)

    return explained


def _references(about: str) -> tuple[str, ...]:
    """List the references that a docstring ends with, told apart by semicolons."""
    _, _, listed = about.partition("References:")
    return tuple(re.sub(r"\s+", " ", part).strip().rstrip(".") for part in listed.split(";") if part.strip())


def _as_dict(parameters: Struct) -> dict[str, Any]:
    return {name: getattr(parameters, name) for name in parameters.__struct_fields__}
