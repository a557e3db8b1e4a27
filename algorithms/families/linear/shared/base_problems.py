"""Base problems: a problem of K classes as several of two, each with a linear classifier of its own.

    one against the rest   K problems, each of all n rows: y = +1 for the rows of its class, -1 for all others
    one against one        K(K - 1)/2 problems, each of the rows of two classes: +1 for the first, -1 for the second

With the constant 1 appended to x when there is a bias, a row is on its side where y w·x > 0. A problem is worked on by
passes of the perceptron, w <- w + η y x at each row with y w·x <= 0, or solved by least squares, min Σ (1 - y w·x)²,
the shortest w where there are many. No problem needs another: what is done for one leaves the others as they are.
"""

from itertools import combinations
from typing import Annotated, Any, Literal, Self, TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core import Along, Array, Dataset, Problem, State
from algorithms.core.plane import planes
from algorithms.core.text import counted

Base: TypeAlias = Literal["perceptron", "least squares"]
Turns: TypeAlias = Literal["in turn", "one after another"]

_ACROSS = 32  # places across the plane on which shares of it are measured, and as many up
_BEYOND = 0.1  # of the extent of the rows, on each side of them


class BaseProblem(Struct, frozen=True, eq=False):
    """A problem of two classes.

    Attributes:
        name: "setosa" for that against the rest, "setosa or virginica".
        positive: the class code of its positive rows.
        negative: that of its negative ones; -1 for all others.
        rows: (m,) which rows of the data it is made of, in their order.
        signs: (m,) +1 or -1.
        z: (m, p) those rows times their sign.
    """

    name: str
    positive: int
    negative: int
    rows: Array
    signs: Array
    z: Array


class Pass(Struct, frozen=True, eq=False):
    """A pass over the rows of a problem.

    Attributes:
        w: (p,) the weights after it.
        corrected: (m,) bool, the rows that were corrected.
    """

    w: Array
    corrected: Array


class Classifiers(State, frozen=True, kw_only=True):
    """The classifiers of P base problems, as far as they have been learnt.

    Attributes:
        W: (P, p) the weights of each, the bias last.
        corrected: (n,) bool, the rows that the last pass corrected.
        passes: (P,) passes made for each.
        mistakes: (P,) corrections of each.
        bounds: (P,) Σ η² R² over them, which ‖w‖² cannot exceed.
        settled: (P,) bool: its last pass was clean, or it is solved.
        worked: the problem that was worked on last; -1 before the first.
    """

    W: Array
    corrected: Annotated[Array, Along("n")]
    passes: Array
    mistakes: Array
    bounds: Array
    settled: Array
    worked: int = -1

    @classmethod
    def begun(cls, problems: "tuple[BaseProblem, ...]", n: int) -> Self:
        """w = 0 for each problem; n rows."""
        P, p = len(problems), problems[0].z.shape[1]
        none = np.zeros(P, np.int64)
        return cls(
            W=np.zeros((P, p)),
            corrected=np.zeros(n, bool),
            passes=none,
            mistakes=none,
            bounds=np.zeros(P),
            settled=np.zeros(P, bool),
        )

    def with_pass(self, k: int, of: "BaseProblem", made: "Pass", eta: float) -> dict[str, Any]:
        """What changes by a pass for problem k."""
        more = int(made.corrected.sum())
        return self._passed(k) | {
            "W": changed(self.W, k, made.w),
            "corrected": marked(len(self.corrected), of.rows, made.corrected),
            "mistakes": changed(self.mistakes, k, self.mistakes[k] + more),
            "bounds": changed(self.bounds, k, self.bounds[k] + more * (eta * longest(of.z)) ** 2),
            "settled": changed(self.settled, k, not more),
        }

    def with_solution(self, k: int, w: Array) -> dict[str, Any]:
        """What changes when the weights w solve problem k."""
        return self._passed(k) | {
            "W": changed(self.W, k, w),
            "corrected": np.zeros(len(self.corrected), bool),
            "bounds": changed(self.bounds, k, float(w @ w)),
            "settled": changed(self.settled, k, True),
        }

    def _passed(self, k: int) -> dict[str, Any]:
        passes = changed(self.passes, k, self.passes[k] + 1)
        return {"passes": passes, "worked": k, "iteration": max(self.iteration, int(passes.max()))}


def followed(before: Problem, after: Problem, state: Any, rows: Array) -> Any:
    """The classifiers on other rows or with other parameters: all weights stay, and all passes are still to come."""
    kept = np.where(rows >= 0, state.corrected[rows], False)
    still = after.data is before.data and after.parameters.base == before.parameters.base
    if still:
        return state.replaced(corrected=kept)
    return state.replaced(corrected=kept, settled=np.zeros_like(state.settled), passes=np.zeros_like(state.passes))


def with_constant(at: Array, bias: bool) -> Array:
    """(m, d) places with the constant 1 appended when there is a bias."""
    return np.column_stack([at, np.ones(len(at))]) if bias else at


def against_rest(data: Dataset, bias: bool) -> tuple[BaseProblem, ...]:
    """The K problems of one class against the rest; ask for them by `data.once(against_rest, bias)`."""
    X, y, rows = with_constant(data.X, bias), np.asarray(data.y), np.arange(data.n)
    made = []
    for k, name in enumerate(data.classes):
        signs = np.where(y == k, 1.0, -1.0)
        made.append(BaseProblem(name, k, -1, rows, signs, X * signs[:, None]))
    return tuple(made)


def of_pairs(data: Dataset, bias: bool) -> tuple[BaseProblem, ...]:
    """The K(K - 1)/2 problems of two classes each; ask for them by `data.once(of_pairs, bias)`."""
    X, y = with_constant(data.X, bias), np.asarray(data.y)
    made = []
    for a, b in combinations(range(len(data.classes)), 2):
        rows = np.flatnonzero((y == a) | (y == b))
        signs = np.where(y[rows] == a, 1.0, -1.0)
        name = f"{data.classes[a]} or {data.classes[b]}"
        made.append(BaseProblem(name, a, b, rows, signs, X[rows] * signs[:, None]))
    return tuple(made)


def perceptron_pass(z: Array, w: Array, eta: float) -> Pass:
    """Visit (m, p) rows y x in turn, and add η y x to w at each with y w·x <= 0."""
    corrected = np.zeros(len(z), bool)
    for i, row in enumerate(z):
        if row @ w <= 0:
            w = w + eta * row
            corrected[i] = True
    return Pass(w, corrected)


def least_squares(z: Array) -> Array:
    """(p,) the weights of least Σ (1 - y w·x)² over (m, p) rows y x.

    Each column is measured in its own length, so that a short one is no rounding of a long one; where many weights do
    as well, those are the shortest in these units.
    """
    lengths = lengths_of(z)
    return np.asarray(np.linalg.lstsq(z / lengths, np.ones(len(z)))[0] / lengths) if len(z) else np.zeros(z.shape[1])


def lengths_of(z: Array) -> Array:
    """(p,) the lengths of (m, p) columns, 1 of one that is 0."""
    lengths = np.linalg.norm(z, axis=0)
    return np.where(lengths > 0, lengths, 1.0)


def longest(z: Array) -> float:
    """R, the length of the longest of (m, p) rows; 0 where there are none."""
    return float(np.sqrt(np.vecdot(z, z).max())) if len(z) else 0.0


def next_problem(passes: Array, settled: Array, most: int, turns: Turns) -> int | None:
    """Which problem is worked on next: the one with the fewest passes, or the first; None when there is none left.

    Args:
        passes: (P,) passes made for each.
        settled: (P,) bool, whether each is solved.
        most: passes before a problem is given up.
    """
    left = np.flatnonzero(~settled & (passes < most))
    if not len(left):
        return None
    return int(left[passes[left].argmin()] if turns == "in turn" else left[0])


def ended(base: Base, settled: Array, most: int) -> str:
    """Why a run ends, in words."""
    left = int(np.count_nonzero(~settled))
    if not left:
        return (
            "every problem is solved" if base == "least squares" else "every problem has had a pass without a mistake"
        )
    which = f"{left} of {len(settled)} problems" if len(settled) > 1 else "the problem"
    return f"{which} had no clean pass among {most:,}"


def turn_in_words(state: Classifiers, pair: str, first: bool) -> str:
    """What the last turn did for one problem, between `pair`; `first` where the state before it is not known."""
    k = state.worked
    if first:
        return f"{pair} was the last to be worked on: {counted(int(state.mistakes[k]), 'mistake')} so far."
    if state.phase == "solve":
        return f"{pair}, solved by least squares."
    if state.phase == "clean":
        return f"{pair}: pass {state.passes[k]} without a mistake, so this problem is done."
    made = counted(int(state.corrected.sum()), "mistake")
    return f"{pair}: pass {state.passes[k]} corrects {made}, {state.mistakes[k]} so far."


def mislabelled(label: Array, decided: Array, y: Array) -> Array:
    """(n,) bool: the rows with a wrong label, or with none as nothing is decided there."""
    return np.asarray((label != y) | ~decided)


def changed(values: Array, at: int, value: Array | float) -> Array:
    """The values with another one at a place."""
    copy = values.copy()
    copy[at] = value
    return copy


def marked(n: int, rows: Array, which: Array) -> Array:
    """(n,) bool: which of the data's rows are those of a problem's that are marked."""
    marks = np.zeros(n, bool)
    marks[rows[which]] = True
    return marks


def weights_at_rows(z: Array, w: Array, corrected: Array, eta: float) -> Array:
    """(m,) y w·x of each row with the weights that a pass had when it came to it: w and all that was added before."""
    added = eta * np.where(corrected[:, None], z, 0.0)
    before = np.cumsum(added, axis=0) - added
    return np.asarray(np.vecdot(z, w + before))


def sizes_at_rows(z: Array, w: Array, corrected: Array, eta: float) -> Array:
    """(m,) the largest number that is added on the way to each of `weights_at_rows`."""
    added = eta * np.abs(np.where(corrected[:, None], z, 0.0))
    return np.asarray(np.vecdot(np.abs(z), np.abs(w) + np.cumsum(added, axis=0)))


def places_of_plane(data: Dataset) -> Array:
    """(m, d) places at even distances on the plane that is shown first, over the rows and a tenth beyond them.

    Ask for them by `data.once(places_of_plane)`.
    """
    plane = planes(data)[0]
    at = plane.project(data.X)
    low, high = at.min(axis=0), at.max(axis=0)
    beyond = _BEYOND * (high - low)
    across, up = (np.linspace(a, b, _ACROSS) for a, b in zip(low - beyond, high + beyond))
    places = np.stack(np.broadcast_arrays(across[None, :], up[:, None]), axis=-1).reshape(-1, 2)
    return plane.lift(places)
