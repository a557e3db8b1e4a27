"""Statements about base problems, with a step's numbers: what a pass corrected and added, what least squares leaves.

    ‖w‖² <= Σ η² R²         over the corrections: each has y w·x <= 0, so it adds η²‖x‖² at most
    η m γ <= w·w* <= ‖w‖    after m of them, where a unit vector w* has y w*·x >= γ at every row: so m <= R²/γ²

References: Novikoff (1962), On convergence proofs on perceptrons; Gauss (1809), Theoria motus corporum coelestium.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, Undecided, once, theorem
from algorithms.core.ends import Ending
from algorithms.families.linear.shared.base_problems import (
    BaseProblem,
    Classifiers,
    lengths_of,
    sizes_at_rows,
    weights_at_rows,
)
from algorithms.toolbox.entry_names import row_names, weight_names
from algorithms.toolbox.separation import Separation, separate

GROWTH = "‖w + η y x‖² = ‖w‖² + 2 η y w·x + η²‖x‖² <= ‖w‖² + η²R², for y w·x <= 0"


@once
def _separations(problem: Problem) -> dict[int, Separation]:
    """Those that have been asked for."""
    return {}


def separation(problem: Problem, k: int, of: BaseProblem) -> Separation:
    """Whether a hyperplane separates the two classes of the k-th base problem."""
    known = _separations(problem)
    if k not in known:
        known[k] = separate(of.z)
    return known[k]


def most_mistakes(best: Separation) -> float:
    """R²/γ²; infinite where nothing separates the rows."""
    ratio = best.longest / best.margin if best.direction is not None else np.inf
    return float(ratio * ratio)


def separable(best: Separation) -> bool | DoesNotApply | Undecided:
    """Whether a problem of two classes has a margin γ, with the reason where it has none."""
    if best.direction is not None:
        return True
    if best.impossible:
        return DoesNotApply("the rows of this problem cannot be separated strictly")
    return Undecided(best.why)


class Worked(Struct, frozen=True, eq=False):
    """The base problems, and how far their classifiers are learnt; one of them is in hand.

    Attributes:
        problems: (P,) all of them.
        at: their classifiers.
    """

    problems: tuple[BaseProblem, ...]
    at: Classifiers

    @property
    def k(self) -> int:
        """The number of the one in hand."""
        return self.at.worked

    @property
    def of(self) -> BaseProblem:
        """The one in hand."""
        return self.problems[self.k]

    @property
    def w(self) -> Array:
        """Its weights."""
        return np.asarray(self.at.W[self.k])

    @property
    def corrected(self) -> Array:
        """(m,) bool, the rows of it that the last pass corrected."""
        return np.asarray(self.at.corrected[self.of.rows])


def can_be_separated(problem: Problem, now: Worked) -> bool | DoesNotApply | Undecided:
    if not len(now.of.rows):
        return DoesNotApply("the problem has no rows")
    return separable(separation(problem, now.k, now.of))


def done(problem: Problem, now: Worked) -> bool | str:
    return bool(now.at.settled[now.k]) or "the problem in hand is not done yet"


@theorem(
    "η m γ <= w·w* <= ‖w‖ <= √m η R, so m <= R²/γ²",
    source="Novikoff (1962)",
    about="run",
    phases=("pass", "clean"),
    hypotheses={"its two classes can be separated strictly": can_be_separated},
    proof=(
        "a correction adds η y x·w* >= η γ to w·w*",
        GROWTH,
        "η m γ <= √m η R, squared and divided by η² m γ²",
    ),
)
def mistakes_bounded(problem: Problem, before: Worked | None, now: Worked) -> Answer:
    best, eta = separation(problem, now.k, now.of), problem.parameters.eta
    assert best.direction is not None
    if not np.isfinite(most_mistakes(best)):
        return Undecided("γ is so small that R²/γ² is beyond every number")
    m, w = float(now.at.mistakes[now.k]), now.w
    return Sides(
        ("η m γ", eta * m * best.margin),
        ("w·w*", float(w @ best.direction)),
        ("‖w‖", float(np.linalg.norm(w))),
        ("√m η R", eta * float(np.sqrt(m)) * best.longest),
    )


@theorem(
    "‖w‖² <= Σ η²R² over its corrections",
    source="Novikoff (1962)",
    phases=("pass", "clean"),
    proof=(GROWTH, "with or without a separator; solved weights count with their own length"),
)
def length_bounded(problem: Problem, before: Worked | None, now: Worked) -> Answer:
    names, W = [f"problem {of.name}" for of in now.problems], now.at.W
    return Sides.each(("‖w‖²", np.vecdot(W, W)), ("Σ η²R²", now.at.bounds), entries=names)


@theorem(
    "rows are corrected exactly where y w·x <= 0",
    source="Rosenblatt (1958)",
    about="step",
    phases=("pass", "clean"),
    proof=("that is the rule; w is that before the pass and what was added before the row",),
)
def corrected_for_a_reason(problem: Problem, before: Worked, now: Worked) -> Answer:
    """y w·x <= 0 at each row that a pass corrected, and >= 0 at each that it left alone."""
    of, w, corrected, eta = now.of, before.at.W[now.k], now.corrected, problem.parameters.eta
    if not len(of.rows):
        return DoesNotApply("the problem has no rows")
    at_row = weights_at_rows(of.z, w, corrected, eta)
    size = sizes_at_rows(of.z, w, corrected, eta)
    on_time = np.where(corrected, -at_row, at_row)
    return Sides.each(("0", 0.0), ("±y w·x", on_time), size=size, entries=row_names(of.rows))


@theorem(
    "a pass adds η Σ y x over the rows corrected",
    source="Rosenblatt (1958)",
    about="step",
    phases=("pass", "clean"),
    proof=("that is the rule, summed over the rows",),
)
def added_up(problem: Problem, before: Worked, now: Worked) -> Answer:
    z, k, corrected, eta = now.of.z, now.k, now.corrected, problem.parameters.eta
    mistakes, more = now.at.mistakes[k] - before.at.mistakes[k], int(corrected.sum())
    if mistakes != more:
        return Sides(("m' - m", mistakes), ("rows corrected", more), relation="==")
    w, names = before.at.W[k], weight_names(problem.data, problem.parameters.bias)
    size = np.abs(w) + eta * (corrected @ np.abs(z))
    sides = ("w'", now.w), ("w + η Σ y x", w + eta * (corrected @ z))
    return Sides.each(*sides, relation="==", size=size, entries=names)


@theorem(
    "a problem that is done has no row on its wrong side",
    source="Rosenblatt (1958)",
    phases=("pass", "clean"),
    hypotheses={"it is done, on these rows": done},
    proof=("a clean pass leaves w as it was at every row, and y w·x > 0 at each",),
)
def right_when_done(problem: Problem, before: Worked | None, now: Worked) -> Answer:
    return all_right(now.of, now.w) if len(now.of.rows) else DoesNotApply("the problem has no rows")


def all_right(of: BaseProblem, w: Array) -> Sides:
    """y w·x >= 0 at every row."""
    size = np.abs(of.z) @ np.abs(w)
    return Sides.each(("0", 0.0), ("y w·x", of.z @ w), size=size, entries=row_names(of.rows))


@theorem(
    "solved: Σ(1 - y w·x) y x = 0",
    source="Gauss (1809)",
    phases=("solve",),
    hypotheses={"it is solved, on these rows": done},
    proof=("it is half the slope of -Σ(1 - y w·x)², which is 0 where that is least",),
)
def no_slope_left(problem: Problem, before: Worked | None, now: Worked) -> Answer:
    """Σ (1 - y w·x) y x = 0: the residuals stand on every column."""
    z, w, names = now.of.z, now.w, weight_names(problem.data, problem.parameters.bias)
    slope, lengths = (1 - z @ w) @ z, lengths_of(z)
    # by the backward error of least squares on columns of one length: w is exact for columns off by rounding of that
    size = lengths * (np.sqrt(len(z)) + len(w) * float(lengths @ np.abs(w)))
    return Sides.each(("Σ(1 - y w·x) y x", slope), ("0", 0.0), relation="==", size=size, entries=names)


@theorem(
    "no problem needs another: their w stay",
    source="Rifkin and Klautau (2004)",
    about="step",
    phases=("pass", "clean", "solve"),
    proof=("a pass reads and writes w of its own problem alone, so any order gives the same",),
)
def others_stay(problem: Problem, before: Worked, now: Worked) -> Answer:
    others = np.arange(len(now.at.W)) != now.k
    if not others.any():
        return DoesNotApply("there is no other problem")
    moved = float(np.abs(now.at.W - before.at.W)[others].max())
    return Sides(("max |w' - w| of the others", moved), ("0", 0.0), relation="==")


@theorem(
    "of the problems that are not done the one in turn is worked on",
    source="Rifkin and Klautau (2004)",
    about="step",
    phases=("pass", "clean", "solve"),
    proof=("that is the order: the fewest passes first, or one problem after another",),
)
def whose_turn(problem: Problem, before: Worked, now: Worked) -> Answer:
    was = before.at
    left = np.flatnonzero(~was.settled & (was.passes < problem.parameters.epochs)).tolist()
    if problem.parameters.turns == "in turn":
        left.sort(key=lambda k: was.passes.item(k))  # of as many passes the first stays the first
    return Sides(("problem worked on", now.k), ("whose turn it is", left[0]), relation="==")


OF_BASE_PROBLEMS = (
    mistakes_bounded,
    length_bounded,
    corrected_for_a_reason,
    added_up,
    right_when_done,
    no_slope_left,
    others_stay,
    whose_turn,
)


def ends(problems_of: Callable[[Problem], Sequence[BaseProblem]]) -> dict[str, Ending]:
    """Why classifiers of base problems end, each with its test on the last state."""

    def solved(problem: Problem, state: Any) -> bool | Sides:
        """The residual of each is orthogonal to every column, as that of the least squares is."""
        left, sizes, problems = [], [], problems_of(problem)
        for of, w in zip(problems, state.W):
            f, length = of.z @ w, float(np.linalg.norm(of.z))
            left.append(float(np.abs(of.z.T @ (1 - f)).max(initial=0.0)))
            sizes.append(length * (len(of.z) ** 0.5 + length * float(np.linalg.norm(w))))
        sides = ("|Σ (1 - y w·x) x|", np.array(left)), ("0", 0.0)
        names = [f"problem {of.name}" for of in problems]
        return bool(state.settled.all()) and Sides.each(*sides, size=1e3 * np.array(sizes), entries=names)

    def clean(problem: Problem, state: Any) -> bool | Sides:
        """Every row of every problem is on its side."""
        wrong = sum(int((np.vecdot(of.z, w) <= 0).sum()) for of, w in zip(problems_of(problem), state.W))
        return bool(state.settled.all()) and Sides(("rows on the wrong side", wrong), ("0", 0))

    def given_up(problem: Problem, state: Any) -> bool | Sides:
        """Each problem that is not settled has had as many passes as it may have."""
        left = state.passes[~state.settled]
        return bool(len(left)) and Sides(("epochs", problem.parameters.epochs), ("fewest passes", int(left.min())))

    return {
        "every problem is solved": solved,
        "every problem has had a pass without a mistake": clean,
        "… problem… had no clean pass among …": given_up,
    }
