"""Algorithm: the declaration that ends every algorithm file, and the way to call it with checks."""

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from copy import copy
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeAlias

from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.asks import Ask
from algorithms.core.contrast import Contrast
from algorithms.core.curves import Curve, Event, expanded, phase_event
from algorithms.core.dataset import Dataset, NoData, Source
from algorithms.core.ends import Ending
from algorithms.core.errors import Refused
from algorithms.core.expectation import Expectation
from algorithms.core.parameters import Parameter, Parameters
from algorithms.core.problem import Problem
from algorithms.core.ranges import out_of_range, targets_out_of_range
from algorithms.core.scene import Mark, Scene
from algorithms.core.state import State, with_rows
from algorithms.core.theorems import Theorem
from algorithms.core.words import Words

if TYPE_CHECKING:  # with a default, so that `Algorithm` by itself is of any states
    from typing_extensions import TypeVar

    S = TypeVar("S", bound=State, default=Any)
else:
    from typing import TypeVar

    S = TypeVar("S", bound=State)
Explain: TypeAlias = Callable[[Problem, Any, Any], str]
Symbol: TypeAlias = tuple[str, Callable[[Problem, Any], float | None] | None]
Run: TypeAlias = Generator[S, None, str]  # yields states, returns the reason it stopped in words
Setting: TypeAlias = tuple[str, ...] | Callable[[Problem], Mapping[str, Any]]  # what an objective is given

_POWER = re.compile(r"(?<![\w.])-?\d(?:\.\d+)?e\+0[0-6](?!\d)")  # as 3 digits of a number of more are written
_KINDS = {"class": ("class",), "number": ("number",), "either": ("class", "number")}  # of targets that will do


class Needs(Struct, frozen=True):
    """What an algorithm asks of its data.

    Attributes:
        target: "none" (a target is ignored), "class", "number", or "either" of the two.
        classes: exactly so many classes where there are classes, or None for any number.
        rows: at least so many rows.
        data: whether it works on data at all; without, its generator has no data argument.
        most_features: at most so many features, where it makes a matrix with a number for each pair of them.
        most_rows: at most so many rows, where it makes one for each pair of rows.
        within: (least, most) between which the largest number of the features lies, or products of such numbers vanish
            or overflow; of a target that it learns, where that is a number, too. Numbers that are all 0 will do, and
            those of rows held out may be small; they are not asked where there is no target to measure them by.
    """

    target: Literal["none", "class", "number", "either"] = "none"
    classes: int | None = None
    rows: int = 2
    data: bool = True
    most_features: int | None = None
    most_rows: int | None = None
    within: tuple[float, float] | None = None


class FromStart(Struct, frozen=True):
    """The answer of `adapt` where nothing of a state would stay true, and why: the fork then is a run from the start.

    why: a clause for a person, as in "these errors were measured on other rows".
    """

    why: str


Adapt: TypeAlias = Callable[[Problem, Problem, Any, Array], State | FromStart]


def _never(problem: Problem) -> None:
    return None


class Algorithm(Generic[S]):
    """One algorithm: its generator, of states S, and all that a person can be shown of it.

    Args:
        run: the generator function (data, state=None, *, parameters...) -> states.
        title: the field's name for it.
        point: one sentence, of 90 characters at most and without letters: what the eye will see.
        after: the algorithms, by name, that a student has met before this one. The catalogue lists a family by it.
        summary: one sentence: what it does.
        leaves_open: one sentence: what an end does not show, as "no theorem says that it is the least".
        tries: what to try next, two at most: words, and what follows the name on a command line ("-p k=2").
        asks: questions that can be asked before a step is taken, what a misconception would answer wrongly.
        rule: its update rule, in a line or a few of mathematics.
        needs: what it asks of the data.
        phases: each phase with what happens in it, in the order they come.
        events: phases, or Events, worth jumping to.
        fork_after: the phases after which a fork may begin (default: all).
        start_only: parameters that a fork cannot change: they give the state its shape, or matter at the start alone.
        curves, theorems: what is measured along the run.
        objective: which curves measure an objective, and the parameters that this depends on besides the data:
            {("objective", "excess"): ("lam", "loss")}; or a function (problem) -> {name: value} in place of their
            names, where another algorithm has other parameters for the same ({"C": 1 / (n λ)}). Values of different
            objectives are not held against each other. {} where no curve measures one; None where that is not known.
        compared: (problem, state) -> marks for its first panel: what it is compared with, the best there is say, named.
            A key puts them there; () where there is none.
        contrast: two curves that are its point where no theorem compares them, for a hall.
        in_hall: the theorem that is its point there, by its statement, where that is not the first: a choice.
        expectations: what holds on average over many runs.
        ends: each reason that the generator may return, "…" where this run's numbers stand, with its test on the last
            state: (problem, state) -> whether it is so, or Sides, or Undecided. It asks the data and what the state
            says, not what the generator worked out on the way. No other state of the run may pass it.
        scene: (problem, before, after) -> Scene.
        explain: (problem, before, after) -> one or two sentences with this step's numbers; or one such function by
            phase.
        symbols: what each letter of the rule, the curves and the theorems means, with its value now:
            {"γ": ("least y x·w* of a row", margin)}; (problem, state) -> a number, or None where it has none; None
            in place of the function for a letter that has no value.
        measured: the fields of a state that hold what was measured on the rows (errors of folds that are done): after
            a fork with rows moved or labelled anew they are what a fresh run has, or `adapt` answers FromStart.
        only_for: parameters that change nothing but where another has one of some values, with that other and these:
            {"degree": ("kernel", "polynomial")}.
        settings: of an algorithm without data, the parameters that it opens with, the best first; they take the place
            of data sets.
        datasets: data sets it opens with, the best first.
        adapt: (before, after, state, rows) -> State: how a state of the problem `before` follows into `after`, at a
            fork with other data or parameters; rows (n,) int says which row of `before` each row of `after` was, -1
            for a new one, and fields of the state that name a Row do so as the rows are now. Same t, iteration and
            phase; or FromStart where nothing of it would stay true. Without it the state stays as it is, and where rows
            came or went the fork starts afresh.
        validate: (problem) -> a sentence when data and parameters do not go together, else None.
        also: other names that it goes by, by which it is found too: "kmeans", "knn".
        references: where it comes from; read from the docstring of its file ("References: ...; ...") if not given.

    >>> from algorithms import datasets, find
    >>> perceptron = find("perceptron")
    >>> perceptron.title, [curve.name for curve in perceptron.curves][:1]
    ('Perceptron', ['mistakes'])
    >>> next(state.t for state in perceptron(datasets.load("iris", positive="setosa")) if state.phase == "mistake")
    1
    """

    apart = False  # whether its functions answer from another process, and so may take their time
    recorded = False  # whether it is a recording, in which nothing can be changed
    yielded: Mapping[str, Any] = {}  # what a generator of a reader's has been seen to yield, by name, with an example
    notices: Sequence[str] = ()  # what a person should be told of how it behaves; those of ours have nothing to tell

    def __init__(
        self,
        run: Callable[..., Run[S]],
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
        adapt: Adapt | None = None,
        validate: Callable[[Problem], str | None] = _never,
        references: tuple[str, ...] = (),
        symbols: Mapping[str, Symbol] = {},
        measured: tuple[str, ...] = (),
        only_for: Mapping[str, tuple[Any, ...]] = {},
        settings: tuple[Mapping[str, Any], ...] = (),
        expectations: tuple[Expectation, ...] = (),
        also: tuple[str, ...] = (),
        point: str = "",
        after: tuple[str, ...] = (),
        leaves_open: str = "",
        tries: tuple[tuple[str, str], ...] = (),
        asks: tuple[Ask, ...] = (),
        ends: Mapping[str, Ending] = {},
        objective: Mapping[tuple[str, ...], Setting] | None = None,
        compared: Callable[[Problem, Any], tuple[Mark, ...]] | None = None,
        contrast: Contrast | None = None,
        in_hall: str = "",
    ):
        self.run, self.title, self.summary, self.rule = run, title, summary, rule
        self.needs, self.phases = needs, dict(phases)
        self.scene, self.datasets = scene, datasets if needs.data else (NoData(),)
        self.explain = _written(_by_phase(explain) if isinstance(explain, Mapping) else explain)
        self.events = tuple(phase_event(e) if isinstance(e, str) else e for e in events)
        self.fork_after = fork_after or tuple(phases)
        self.start_only, self.curves, self.theorems = start_only, expanded(curves), theorems
        self.adapt = None if adapt is None else _following(adapt)
        self.validate, self.expectations, self.also = validate, expectations, also
        self._references = references
        self.point, self.after = point, after
        self.leaves_open, self.tries, self.asks = leaves_open, tries, asks
        self.symbols, self.measured = dict(symbols), measured
        self.contrast, self.in_hall, self.compared = contrast, in_hall, compared
        self.only_for = dict(only_for)
        self.settings = tuple(map(dict, settings)) or ({},)
        self.ends = dict(ends)
        self.objective = None if objective is None else dict(objective)
        self._parameters = Parameters(run, start_only)
        self._made_of: tuple[Algorithm[S], dict[str, Any]] | None = None

    def with_defaults(self, **parameters: Any) -> "Algorithm[S]":
        """Make the same algorithm with other defaults, as one of its `settings` has them."""
        changed = copy(self)
        changed._parameters = Parameters(self.run, self.start_only, parameters)
        changed._made_of = (self, parameters)
        return changed

    def __copy__(self) -> Self:
        """Make another declaration of the same, which a pickle would not: that has the one that stands there."""
        other = object.__new__(type(self))
        vars(other).update(vars(self), _made_of=None)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it by where it stands, as functions are: another process imports it from there.

        Raises:
            Refused: when it has no name at the top of a module.
        """
        if self._made_of is not None:
            algorithm, defaults = self._made_of
            return _with_defaults, (algorithm, defaults)
        module = self.run.__module__
        named = vars(sys.modules[module]) if module in sys.modules else {}
        for name, value in named.items():
            if value is self:
                return _standing, (module, name)
        raise Refused(f"{self.title} cannot be pickled: no module has it under a name of its own, as ALGORITHM.")

    @property
    def growing(self) -> bool:
        """Tell whether it is a recording to which more may come."""
        return False

    @property
    def news(self) -> str:
        """Say what has become of the file of a recording that is not what is read here; "" where nothing has."""
        return ""

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

    def changes_nothing(self, name: str, parameters: Any) -> bool:
        """Tell whether a parameter has no effect with these checked ones: the degree of an RBF kernel."""
        other, *values = self.only_for.get(name, ("",))
        return bool(other) and getattr(parameters, other) not in values

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
        self._check_pairs("features", data.name, data.d, needs.most_features, "choose some (--columns)")
        self._check_pairs("rows", data.name, data.n, needs.most_rows, "take a sample (--sample)")
        if needs.target != "none" and data.kind not in _KINDS[needs.target]:
            words = {"none": "no target", "class": "classes", "number": "numbers", "either": "classes or numbers"}
            has = f"{words[data.kind]} in {data.target}" if data.target else words[data.kind]
            learns = f"{self.title} learns {words[needs.target]}"
            raise Refused(f"{learns}; {data.name} has {has}. Choose the target (--target).")
        told_apart = needs.target in ("class", "either") and data.kind == "class"
        if told_apart and needs.classes is None and len(data.classes) < 2:
            raise Refused(
                f"{self.title} tells classes apart; {data.name} has one ({data.classes[0]}). "
                "Name another target (--target)."
            )
        if needs.classes is not None and data.kind != "number" and len(data.classes) != needs.classes:
            raise Refused(
                f"{self.title} tells {needs.classes} classes apart; {data.name} has {len(data.classes)} "
                f"({', '.join(data.classes)}). Name the positive one (--positive) to hold it against the rest."
            )
        if needs.within is not None and data:
            _check_range(data, *needs.within, learnt=needs.target != "none")

    def objective_of(self, curve: str, problem: Problem) -> dict[str, Any] | None:
        """Get the values of what the objective that a curve measures depends on; None where it measures none."""
        plain = curve.removeprefix("training ").removeprefix("held-out ")
        for curves, setting in (self.objective or {}).items():
            if curve in curves or plain in curves:
                if callable(setting):
                    return dict(setting(problem))
                return {name: getattr(problem.parameters, name) for name in setting}
        return None

    def _check_pairs(self, things: str, data: str, count: int, most: int | None, instead: str) -> None:
        if most is not None and count > most:
            raise Refused(
                f"{self.title} makes a matrix with a number for each pair of {things}, of {most:,} at most; {data} has "
                f"{count:,}: {instead}."
            )

    @cached_property
    def resumes(self) -> bool:
        """Tell whether the generator takes a state to go on from, as all of ours do."""
        return "state" in inspect.signature(self.run).parameters

    def start(self, problem: Problem, state: S | None = None) -> Run[S]:
        """Make the generator on a checked problem, from its start or from what comes after `state`."""
        parameters = _as_dict(problem.parameters)
        data = (problem.data,) if self.needs.data else ()
        if self.resumes:
            return self.run(*data, state, **parameters)
        if state is not None:
            raise Refused(f"{self.title} cannot be taken up again from a state.")
        return self.run(*data, **parameters)

    def replay(self, problem: Problem, state: S) -> Run[S]:
        """Yield what comes after a state, again."""
        return self.start(problem, state)

    def __call__(self, X: Any = None, y: Any = None, *, state: S | None = None, **parameters: Any) -> Run[S]:
        """Make the generator on a Dataset, an array, or X and y, with everything checked first."""
        return self.start(self.problem(X, y, parameters), state)

    def __repr__(self) -> str:
        return f"<Algorithm {self.family}.{self.name}>"


def _check_range(data: Dataset, least: float, most: float, learnt: bool) -> None:
    sentence = out_of_range(data, most, least, held_out=learnt)
    if sentence is None and learnt and data.kind == "number":
        sentence = targets_out_of_range(data, most, least)
    if sentence is not None:
        raise Refused(sentence)


def _standing(module: str, name: str) -> Any:
    """Import a declaration that was pickled by its place."""
    return getattr(importlib.import_module(module), name)


def _with_defaults(algorithm: Algorithm, defaults: dict[str, Any]) -> Algorithm:
    return algorithm.with_defaults(**defaults)


def _following(adapt: Adapt) -> Adapt:
    """Have the fields that name rows follow first."""

    @wraps(adapt)
    def adapted(before: Problem, after: Problem, state: Any, rows: Array) -> State | FromStart:
        return adapt(before, after, with_rows(state, rows), rows)

    return adapted


def _by_phase(explain: Mapping[str, Explain]) -> Explain:
    """Make one function of several, each for the steps of a phase."""

    def explained(problem: Problem, before: Any, after: Any) -> str:
        return explain[after.phase](problem, before, after)

    return explained


def _written(explain: Explain) -> Explain:
    """Make it write numbers of up to seven digits in full, as the tables beside it do: 1,510 for 1.51e+03."""

    @wraps(explain)
    def explained(problem: Problem, before: Any, after: Any) -> str:
        words = explain(problem, before, after)
        if not isinstance(words, str) or "e+0" not in words:
            return words
        return words.each(_in_full) if isinstance(words, Words) else _in_full(words)

    return explained


def _in_full(words: str) -> str:
    return _POWER.sub(lambda found: f"{float(found.group()):,.0f}", words)


def _references(about: str) -> tuple[str, ...]:
    """List the references that a docstring ends with, told apart by semicolons."""
    _, _, listed = about.partition("References:")
    return tuple(re.sub(r"\s+", " ", part).strip().rstrip(".") for part in listed.split(";") if part.strip())


def _as_dict(parameters: Struct) -> dict[str, Any]:
    return {name: getattr(parameters, name) for name in parameters.__struct_fields__}
