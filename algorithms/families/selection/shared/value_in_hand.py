"""The value in hand of those that are tried: its model, its letter and its λ, for all that choose among candidates.

Parameters are `model`, `tried`, `least` and `most`; a state has the place of the value among them as `choice`.
"""

from typing import Protocol

import numpy as np

from algorithms.core import Array, Problem, Sides, Variable
from algorithms.families.selection.shared.candidates import Candidates, Linear
from algorithms.families.selection.shared.classifier_candidates import Classifiers, any_candidates
from algorithms.toolbox.shrinkage import slope


class Trying(Protocol):
    """A state that tries one value after the other."""

    @property
    def choice(self) -> int: ...


def chosen_among(problem: Problem) -> Candidates | Classifiers:
    """The candidates of a problem, or the classifiers where a class is predicted."""
    p = problem.parameters
    more = (p.degree,) if hasattr(p, "degree") else ()  # of what is fitted to more and more rows
    return problem.data.once(any_candidates, p.model, p.tried, p.least, p.most, *more)


def models_of(problem: Problem) -> Candidates:
    """The candidates where numbers are predicted."""
    models = chosen_among(problem)
    assert not isinstance(models, Classifiers)
    return models


def linear_models(problem: Problem) -> Linear:
    """The candidates where they are penalised fits, as a hypothesis has found."""
    models = chosen_among(problem)
    assert isinstance(models, Linear)
    return models


def letter_of(problem: Problem) -> str:
    """What is chosen: "degree", "λ", "k", "C"."""
    return chosen_among(problem).letter


def penalised(problem: Problem) -> bool:
    """Whether that is λ or C, which are shown on a logarithmic axis."""
    return letter_of(problem) in ("λ", "C")


def value_tried(problem: Problem, state: Trying) -> float:
    """The value in hand."""
    return float(chosen_among(problem).values[state.choice])


def name_tried(problem: Problem, state: Trying) -> str:
    """Name it: "degree 3"."""
    return chosen_among(problem).named(state.choice)


def penalty(problem: Problem, state: Trying) -> float | None:
    """λ of the fit in hand, 0 for polynomials; None where nothing is penalised."""
    models = chosen_among(problem)
    return float(models.penalties[state.choice]) if isinstance(models, Linear) else None


VALUE = Variable("value", value_tried, letter_of, log=penalised)


def least_so_far(errors: Array, choice: int, best: int) -> int:
    """Which of (v,) values has the least error once `choice` is measured; the stiffer model of equal ones.

    Args:
        errors: NaN where one is not known yet.
        best: that before it, -1 where there is none.
    """
    if np.isnan(errors[choice]):
        return best
    return choice if best < 0 or errors[choice] < errors[best] else best


def none_less(name: str, models: Candidates | Classifiers, errors: Array, best: int) -> Sides | None:
    """The sides of "v* has the least" of (v,) errors, NaN where not known yet; None where no other is known."""
    others = [i for i in np.flatnonzero(~np.isnan(errors)).tolist() if i != best]
    tried = [models.named(i) for i in others]
    return Sides.each((f"{name} at v*", errors[best]), (name, errors[others]), entries=tried) if others else None


def stationary(models: Linear, i: int, rows: Array, w: Array) -> Sides:
    """The sides of Xᵀ(y - Xw) = λw for the i-th, fitted to the rows of a (n,) bool mask with (p + 1,) weights."""
    columns, lam = models.columns_of(i)[rows], models.penalties[i]
    gradient, pulled, size = slope(columns, models.y[rows], w[: columns.shape[1] + 1], lam)
    sides = ("Xᵀ(y - Xw)", gradient), ("λw", pulled)
    return Sides.each(*sides, relation="==", size=size, entries=models.column_names(i))
