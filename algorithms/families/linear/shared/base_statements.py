"""Statements about base problems, with a step's numbers: what a pass corrected and added, what least squares leaves.

    ‖w‖² <= Σ η² R²         over the corrections: each has y w·x <= 0, so it adds η²‖x‖² at most
    η m γ <= w·w* <= ‖w‖    after m of them, where a unit vector w* has y w*·x >= γ at every row: so m <= R²/γ²

References: Novikoff (1962), On convergence proofs on perceptrons; Gauss (1809), Theoria motus corporum coelestium.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, Theorem, Undecided, once
from algorithms.core.ends import Ending
from algorithms.families.linear.shared.base_problems import (
    BaseProblem,
    Classifiers,
    Making,
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


def corrected_for_a_reason(of: BaseProblem, w: Array, corrected: Array, eta: float) -> Sides:
    """y w·x <= 0 at each row that a pass corrected, and >= 0 at each that it left alone.

    Args:
        w: (p,) the weights before the pass.
        corrected: (m,) bool.
    """
    at_row = weights_at_rows(of.z, w, corrected, eta)
    size = sizes_at_rows(of.z, w, corrected, eta)
    on_time = np.where(corrected, -at_row, at_row)
    return Sides.each(("0", 0.0), ("±y w·x", on_time), size=size, entries=row_names(of.rows))


def added_up(of: BaseProblem, before: Array, after: Array, corrected: Array, eta: float, names: Sequence[str]) -> Sides:
    """w' = w + η Σ y x over the rows that were corrected; `names` of the weights."""
    moved = eta * (corrected @ of.z)
    size = np.abs(before) + eta * (corrected @ np.abs(of.z))
    return Sides.each(("w'", after), ("w + η Σ y x", before + moved), relation="==", size=size, entries=names)


def all_right(of: BaseProblem, w: Array) -> Sides:
    """y w·x >= 0 at every row."""
    size = np.abs(of.z) @ np.abs(w)
    return Sides.each(("0", 0.0), ("y w·x", of.z @ w), size=size, entries=row_names(of.rows))


def no_slope_left(of: BaseProblem, w: Array, names: Sequence[str]) -> Sides:
    """Σ (1 - y w·x) y x = 0: the residuals stand on every column; `names` of the weights."""
    slope, lengths = (1 - of.z @ w) @ of.z, lengths_of(of.z)
    # by the backward error of least squares on columns of one length: w is exact for columns off by rounding of that
    size = lengths * (np.sqrt(len(of.z)) + len(w) * float(lengths @ np.abs(w)))
    return Sides.each(("Σ(1 - y w·x) y x", slope), ("0", 0.0), relation="==", size=size, entries=names)


def theorems(making: Making) -> tuple[Theorem, ...]:
    """What holds of every step on a base problem, whichever they are made by."""

    def worked(problem: Problem, state: Classifiers) -> BaseProblem:
        return problem.data.once(making, problem.parameters.bias)[state.worked]

    def weights(problem: Problem) -> tuple[str, ...]:
        return weight_names(problem.data, problem.parameters.bias)

    def can_be_separated(problem: Problem, state: Classifiers) -> bool | DoesNotApply | Undecided:
        of = worked(problem, state)
        if not len(of.rows):
            return DoesNotApply("the problem has no rows")
        return separable(separation(problem, state.worked, of))

    def done(problem: Problem, state: Classifiers) -> bool | str:
        return bool(state.settled[state.worked]) or "the problem in hand is not done yet"

    def bounded(problem: Problem, before: Classifiers | None, after: Classifiers) -> Answer:
        best, eta, k = separation(problem, after.worked, worked(problem, after)), problem.parameters.eta, after.worked
        assert best.direction is not None
        if not np.isfinite(most_mistakes(best)):
            return Undecided("γ is so small that R²/γ² is beyond every number")
        m, w = float(after.mistakes[k]), after.W[k]
        return Sides(
            ("η m γ", eta * m * best.margin),
            ("w·w*", float(w @ best.direction)),
            ("‖w‖", float(np.linalg.norm(w))),
            ("√m η R", eta * float(np.sqrt(m)) * best.longest),
        )

    def length(problem: Problem, before: Classifiers | None, after: Classifiers) -> Answer:
        names = [f"problem {of.name}" for of in problem.data.once(making, problem.parameters.bias)]
        return Sides.each(("‖w‖²", np.vecdot(after.W, after.W)), ("Σ η²R²", after.bounds), entries=names)

    def choice(problem: Problem, before: Classifiers, after: Classifiers) -> Answer:
        of = worked(problem, after)
        if not len(of.rows):
            return DoesNotApply("the problem has no rows")
        return corrected_for_a_reason(of, before.W[after.worked], after.corrected[of.rows], problem.parameters.eta)

    def update(problem: Problem, before: Classifiers, after: Classifiers) -> Answer:
        of, k, corrected = worked(problem, after), after.worked, after.corrected[worked(problem, after).rows]
        mistakes, more = after.mistakes[k] - before.mistakes[k], int(corrected.sum())
        if mistakes != more:
            return Sides(("m' - m", mistakes), ("rows corrected", more), relation="==")
        return added_up(of, before.W[k], after.W[k], corrected, problem.parameters.eta, weights(problem))

    def right(problem: Problem, before: Classifiers | None, after: Classifiers) -> Answer:
        of = worked(problem, after)
        return all_right(of, after.W[after.worked]) if len(of.rows) else DoesNotApply("the problem has no rows")

    def solved(problem: Problem, before: Classifiers | None, after: Classifiers) -> Answer:
        return no_slope_left(worked(problem, after), after.W[after.worked], weights(problem))

    def turn(problem: Problem, before: Classifiers, after: Classifiers) -> Answer:
        left = np.flatnonzero(~before.settled & (before.passes < problem.parameters.epochs)).tolist()
        if problem.parameters.turns == "in turn":
            left.sort(key=lambda k: before.passes.item(k))  # of as many passes the first stays the first
        return Sides(("problem worked on", after.worked), ("whose turn it is", left[0]), relation="==")

    def others_stay(problem: Problem, before: Classifiers, after: Classifiers) -> Answer:
        others = np.arange(len(after.W)) != after.worked
        if not others.any():
            return DoesNotApply("there is no other problem")
        moved = float(np.abs(after.W - before.W)[others].max())
        return Sides(("max |w' - w| of the others", moved), ("0", 0.0), relation="==")

    return (
        Theorem(
            "η m γ <= w·w* <= ‖w‖ <= √m η R, so m <= R²/γ²",
            bounded,
            source="Novikoff (1962)",
            about="run",
            phases=("pass", "clean"),
            hypotheses={"its two classes can be separated strictly": can_be_separated},
            proof=(
                "a correction adds η y x·w* >= η γ to w·w*",
                GROWTH,
                "η m γ <= √m η R, squared and divided by η² m γ²",
            ),
        ),
        Theorem(
            "‖w‖² <= Σ η²R² over its corrections",
            length,
            source="Novikoff (1962)",
            phases=("pass", "clean"),
            proof=(GROWTH, "with or without a separator; solved weights count with their own length"),
        ),
        Theorem(
            "rows are corrected exactly where y w·x <= 0",
            choice,
            source="Rosenblatt (1958)",
            about="step",
            phases=("pass", "clean"),
            proof=("that is the rule; w is that before the pass and what was added before the row",),
        ),
        Theorem(
            "a pass adds η Σ y x over the rows corrected",
            update,
            source="Rosenblatt (1958)",
            about="step",
            phases=("pass", "clean"),
            proof=("that is the rule, summed over the rows",),
        ),
        Theorem(
            "a problem that is done has no row on its wrong side",
            right,
            source="Rosenblatt (1958)",
            phases=("pass", "clean"),
            hypotheses={"it is done, on these rows": done},
            proof=("a clean pass leaves w as it was at every row, and y w·x > 0 at each",),
        ),
        Theorem(
            "solved: Σ(1 - y w·x) y x = 0",
            solved,
            source="Gauss (1809)",
            phases=("solve",),
            hypotheses={"it is solved, on these rows": done},
            proof=("it is half the slope of -Σ(1 - y w·x)², which is 0 where that is least",),
        ),
        Theorem(
            "no problem needs another: their w stay",
            others_stay,
            source="Rifkin and Klautau (2004)",
            about="step",
            phases=("pass", "clean", "solve"),
            proof=("a pass reads and writes w of its own problem alone, so any order gives the same",),
        ),
        Theorem(
            "of the problems that are not done the one in turn is worked on",
            turn,
            source="Rifkin and Klautau (2004)",
            about="step",
            phases=("pass", "clean", "solve"),
            proof=("that is the order: the fewest passes first, or one problem after another",),
        ),
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
