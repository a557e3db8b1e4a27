"""Theorem: a statement of the lecture, with this step's numbers on both sides of it."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.problem import Problem

Relation = Literal["<=", "<", "=="]
Status = Literal["holds", "fails", "does not apply", "undecided", "expected"]

NOT_NOW = "not at this step"  # why a theorem is silent that speaks of other steps
ROUNDING = 1e-9  # of the larger of two neighbours: what double precision may lose in a sum over the rows
EXACT = 1e-12  # of the largest number that was added on the way, where that is said
VANISHING = 1e-300  # below it numbers lose their digits one by one, and products are 0


class Sides:
    """The sides of a statement, left to right, as numbers: Sides(("m γ", 3.1), ("w·w*", 4.0)).

    Each link of the chain forgives what rounding may have done to it, and nothing for "<": with `size`, 1e-12 of the
    largest number that was added on the way to either side; without, 1e-9 of the larger of its two neighbours.

    Args:
        sides: (name, value) pairs, two or more, each standing in `relation` to the next.
        relation: "<=", "<" or "==".
        size: the largest number, in size, that was added or subtracted on the way to the sides.
        slack: what the comparison forgives besides rounding; say beside it why.

    Attributes:
        entry: of a statement about every entry, which one is shown: "row 9", "3,0"; "" of one about numbers.
        shape: how many entries there are.
    """

    __slots__ = ("entry", "names", "relation", "shape", "size", "slack", "values")

    def __init__(
        self, *sides: tuple[str, float], relation: Relation = "<=", size: float | None = None, slack: float = 0.0
    ):
        if len(sides) < 2:
            raise ValueError("a statement has two sides or more")
        self.names = tuple(name for name, _ in sides)
        self.values = tuple(float(value) for _, value in sides)
        self.relation: Relation = relation
        self.size = None if size is None else float(size)
        self.slack = float(slack)
        self.entry = ""
        self.shape: tuple[int, ...] = ()

    @classmethod
    def each(
        cls,
        *sides: tuple[str, Array | float],
        relation: Relation = "<=",
        size: Array | float | None = None,
        slack: float = 0.0,
        entries: Sequence[str] = (),
        axes: Sequence[str | Sequence[str]] = (),
    ) -> Self:
        """Make the statement about every entry of arrays of one shape, at the entry where it is nearest to failing.

        Args:
            sides: (name, values) pairs; the name of the entry that is shown is added: "α[3]".
            size: as for Sides, for all entries or one each.
            entries: what the entries are called, where they have names: the features. Their numbers otherwise.
            axes: of each axis what its numbers count, or the names along it: ("row",), ("row", problem.data.classes);
                nothing if not given.
        """
        names = [name for name, _ in sides]
        given = [np.asarray(value, float) for _, value in sides]
        shape = np.broadcast(*given).shape
        values = [value if value.shape == shape else np.broadcast_to(value, shape) for value in given]
        if not values[0].size:
            raise ValueError("a statement about every entry needs one")
        if len(entries) not in (0, values[0].size):
            raise ValueError(f"{len(entries)} names for {values[0].size} entries")
        sizes = None if size is None else np.asarray(size, float)
        worst = int(_room(values, relation, sizes, slack).argmin())
        place = entries[worst] if len(entries) else _place(np.unravel_index(worst, shape), axes)
        indexed = [f"{name} ({place})" if side.ndim else name for name, side in zip(names, given)]
        at = None if sizes is None else np.broadcast_to(sizes, shape).item(worst)
        pairs = [(name, value.item(worst)) for name, value in zip(indexed, values)]
        made = cls(*pairs, relation=relation, size=at, slack=slack)
        made.entry, made.shape = place, shape
        return made

    @property
    def plain_names(self) -> tuple[str, ...]:
        """Get the names without the entry that is shown."""
        return tuple(name.removesuffix(f" ({self.entry})") for name in self.names)

    @property
    def tolerances(self) -> tuple[float, ...]:
        """Get the absolute difference that is forgiven at each link."""
        return tuple(self._forgiven(a, b) for a, b in zip(self.values, self.values[1:]))

    @property
    def tolerance(self) -> float:
        """Get the largest of them."""
        return max(self.tolerances)

    def _forgiven(self, a: float, b: float) -> float:
        if self.relation == "<":
            return self.slack
        largest = max(abs(a) if math.isfinite(a) else 0.0, abs(b) if math.isfinite(b) else 0.0)
        if self.size is not None:
            return self.slack + EXACT * max(self.size, largest) + VANISHING
        return self.slack + ROUNDING * largest + VANISHING

    @property
    def hold(self) -> bool:
        """Tell whether every link holds; one with NaN does not."""
        return all(self._linked(a, b) for a, b in zip(self.values, self.values[1:]))

    def _linked(self, a: float, b: float) -> bool:
        if math.isnan(a) or math.isnan(b):
            return False
        slack = self._forgiven(a, b)
        if self.relation == "<=":
            return a <= b + slack
        if self.relation == "<":
            return a < b + slack
        return a == b or abs(a - b) <= slack

    def __repr__(self) -> str:
        return f" {self.relation} ".join(f"{n} = {v:.6g}" for n, v in zip(self.names, self.values))


def _place(index: Sequence[Any], axes: Sequence[str | Sequence[str]]) -> str:
    """Write where an entry is: "3,0", "row 3", "row 3, setosa"."""
    if not any(axes):
        return ",".join(map(str, index))
    return ", ".join(f"{axis} {i}".strip() if isinstance(axis, str) else axis[i] for axis, i in zip(axes, index))


def _room(values: list[Array], relation: Relation, sizes: Array | None, slack: float) -> Array:
    """Measure how far each entry is from failing at its worst link, in what it is forgiven; NaN has no room."""
    links = [_room_of_link(a, b, relation, sizes, slack) for a, b in zip(values, values[1:])]
    return links[0] if len(links) == 1 else np.minimum.reduce(links)


def _room_of_link(a: Array, b: Array, relation: Relation, sizes: Array | None, slack: float) -> Array:
    if np.isfinite(a).all() and np.isfinite(b).all():
        return _room_of_gap(b - a, np.maximum(np.abs(a), np.abs(b)), relation, sizes, slack)
    with np.errstate(invalid="ignore"):
        gap = np.where(a == b, 0.0, b - a)  # infinities of one sign are equal
    largest = np.maximum(np.abs(np.where(np.isfinite(a), a, 0)), np.abs(np.where(np.isfinite(b), b, 0)))
    room = _room_of_gap(gap, largest, relation, sizes, slack)
    return np.where(np.isnan(a) | np.isnan(b), -np.inf, room)


def _room_of_gap(gap: Array, largest: Array, relation: Relation, sizes: Array | None, slack: float) -> Array:
    if relation == "==":
        gap = -np.abs(gap)
    if relation == "<" and slack > 0:  # which is not forgiven its rounding besides
        return np.asarray(gap / slack)
    unit = EXACT * np.maximum(largest, sizes) if sizes is not None else ROUNDING * largest
    return np.asarray(gap / (unit + slack + VANISHING))


class DoesNotApply(Struct, frozen=True):
    """The hypotheses are not met, and why: "the rows cannot be separated"."""

    why: str


class Undecided(Struct, frozen=True):
    """Whether the hypotheses are met was not found out, and why."""

    why: str


Answer = Sides | DoesNotApply | Undecided | None
Hypothesis = Callable[[Problem, Any], "bool | str | DoesNotApply | Undecided"]


class Theorem(Struct, frozen=True):
    """A statement, where it comes from, and how to compute its sides at a step.

    Attributes:
        statement: one line, as the lecture has it.
        sides: (problem, before, after) -> Sides, or None where it says nothing at this step (another
            phase, or no step before), or DoesNotApply or Undecided with the reason.
        source: author and year.
        about: "state" speaks of one state alone; "step" compares with the state before; "run" speaks of
            the whole run from its start, and falls silent after a fork.
        phases: it says something in these phases only; in all when empty.
        hypotheses: what it rests on, in words, each with its test: (problem, state) -> True where it is met; False, a
            sentence or DoesNotApply where it is not; Undecided where that is not known. `sides` is asked only when
            all are met.
        proof: why it is true, a line a link of the chain, at most 90 characters each.
        along: its own variable where that is not the step: "m".
    """

    statement: str
    sides: Callable[[Problem, Any, Any], Answer]
    source: str
    about: Literal["state", "step", "run"] = "state"
    phases: tuple[str, ...] = ()
    hypotheses: Mapping[str, Hypothesis] = {}
    proof: tuple[str, ...] = ()
    along: str = ""

    def __call__(self, problem: Problem, before: Any, after: Any) -> Answer:
        """Compute its sides, whatever it is about and rests on."""
        return self.sides(problem, before, after)

    def verdict(self, problem: Problem, before: Any, after: Any, forked: bool = False) -> "Verdict":
        """Say what the theorem says of this step; `forked`: the run did not start where it stands."""
        if self.phases and after.phase not in self.phases:
            return Verdict(self, "does not apply", why=NOT_NOW)
        if self.about == "step" and before is None:
            return Verdict(self, "does not apply", why="it compares with the step before")
        if self.about == "run" and forked:
            return Verdict(self, "does not apply", why="it speaks of a run that was not changed half-way")
        for name, test in self.hypotheses.items():
            unmet = hypothesis(name, test, problem, after)
            if unmet is not None:
                return Verdict(self, "undecided" if isinstance(unmet, Undecided) else "does not apply", why=unmet.why)
        answer = self.sides(problem, before, after)
        if isinstance(answer, Sides):
            return Verdict(self, "holds" if answer.hold else "fails", sides=answer)
        if isinstance(answer, Undecided):
            return Verdict(self, "undecided", why=answer.why)
        return Verdict(self, "does not apply", why=answer.why if answer else NOT_NOW)


def theorem(
    statement: str,
    *,
    source: str,
    about: Literal["state", "step", "run"] = "state",
    phases: tuple[str, ...] = (),
    hypotheses: Mapping[str, Hypothesis] = {},
    proof: tuple[str, ...] = (),
    along: str = "",
) -> Callable[[Callable[[Problem, Any, Any], Answer]], Theorem]:
    """Make a theorem of the function below, which computes its sides; the arguments are those of `Theorem`."""

    def of(sides: Callable[[Problem, Any, Any], Answer]) -> Theorem:
        return Theorem(statement, sides, source, about, phases, hypotheses, proof, along)

    return of


def through(view: Callable[[Problem, Any], Any], *theorems: Theorem) -> tuple[Theorem, ...]:
    """List theorems about a view of a state, a struct of quantities: their sides and hypotheses are asked of it.

    Args:
        view: (problem, state) -> what stands in place of `after` and, where a theorem compares with the step before,
            of `before`; to other theorems `before` is None.
    """
    return tuple(_seen_through(view, each) for each in theorems)


def _seen_through(view: Callable[[Problem, Any], Any], told: Theorem) -> Theorem:
    def sides(problem: Problem, before: Any, after: Any) -> Answer:
        was = view(problem, before) if told.about == "step" and before is not None else None
        return told.sides(problem, was, view(problem, after))

    def seen(test: Hypothesis) -> Hypothesis:
        return lambda problem, state: test(problem, view(problem, state))

    return replace(told, sides=sides, hypotheses={name: seen(test) for name, test in told.hypotheses.items()})


def hypothesis(name: str, test: Hypothesis, problem: Problem, state: Any) -> DoesNotApply | Undecided | None:
    """Ask a hypothesis of a state: None where it is met, else why it is not or why that is not known."""
    answer = test(problem, state)
    if isinstance(answer, DoesNotApply | Undecided):
        return answer
    if isinstance(answer, str):
        return DoesNotApply(answer)
    return None if answer else DoesNotApply(f"it is not so that {name}")


class Verdict(Struct, frozen=True):
    """A theorem at one step: how it stands, with its sides or the reason why there are none.

    One that is not known yet has in `spoke` whether it had sides when a step of this phase came last, so that it stands
    where it stood. "expected" is none: the mean over many runs that an `Expectation` speaks of is in `why`, and no step
    decides it.

    >>> from algorithms import Timeline
    >>> run = Timeline("lloyd", "faithful", {"k": 3}).run()
    >>> never_rises = run.verdicts(run[4])[0]
    >>> never_rises.status, never_rises.theorem.statement
    ('holds', 'the objective J never rises')
    """

    theorem: Theorem
    status: Status
    sides: Sides | None = None
    why: str = ""
    spoke: bool = False

    @property
    def speaks(self) -> bool:
        """Tell whether it has numbers to show, or had when such a step came last."""
        return self.sides is not None or self.spoke

    @property
    def against(self) -> str:
        """Say what speaks against it where it fails: its sides ("asked for 100 = seen 80"), or why in words."""
        if self.sides is None:
            return self.why
        sign = {"<=": " ≤ ", "<": " < ", "==": " = "}[self.sides.relation]
        return sign.join(f"{name} {value:.6g}" for name, value in zip(self.sides.names, self.sides.values))
