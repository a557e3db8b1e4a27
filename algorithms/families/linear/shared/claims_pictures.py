"""Panels of claims: places that one class claims, that several claim, and that none does."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Dataset, Hyperplane, Panel, Points, Problem, Region, State, columns
from algorithms.core.scene import Mark, Tone
from algorithms.families.linear.shared.base_problems import BaseProblem, Classifiers, changed
from algorithms.families.linear.shared.base_statements import most_mistakes, separation
from algorithms.toolbox.panels.linear import alike, grips, normals, parts
from algorithms.toolbox.panels.row_words import says_claims

_STRIPES = 14  # over the extent of the rows
_THIN = 1e-100  # an extent that is none
_LINES = 10  # boundaries that are drawn together; of more only the one in hand


def striped(data: Dataset) -> bool:
    """Whether stripes can be drawn: all of the space is seen, so that they lie on every place alike."""
    return data.d <= 2 and data.map is None


def claimed(data: Dataset, claims: Callable[[Array], Array]) -> Region:
    """Tint the places that one class claims in its tone, hatch those of several in theirs, leave the others untinted.

    Stripes can be drawn where all of the space is seen; on a slice of more features the tones of several are mixed,
    and what nobody claims is grey, so that it can be said for how many rows the slice tells the truth.

    Args:
        claims: (m, d) places -> (m, K) bool.
    """
    k = len(data.classes)
    if not striped(data):

        def shares(at: Array) -> Array:
            given = claims(at).astype(float)
            nobody = ~given.any(axis=1)
            return np.column_stack([given / np.maximum(given.sum(axis=1), 1)[:, None], nobody])

        return Region(score=shares, tones=(*range(k), -1), mixed=True, lines=(), check=data.X)
    low, extent = data.X.min(axis=0), np.ptp(data.X, axis=0)
    slope = np.divide(_STRIPES, extent, out=np.zeros(data.d), where=extent > _THIN)

    def hatched(at: Array) -> Array:
        given = claims(at)
        several = given.sum(axis=1)
        turn = np.floor((at - low) @ slope) % np.maximum(several, 1)
        places = np.arange(len(at))
        nth = np.cumsum(given, axis=1) - 1 == turn[:, None]  # the claim whose turn the stripe is
        scores = np.zeros((len(at), k + 1))
        scores[:, :k] = given & nth
        scores[places, k] = several == 0
        return scores

    return Region(score=hatched, tones=(*range(k), -1), lines=(), depth=2.0)


def base_stage(
    data: Dataset,
    problems: tuple[BaseProblem, ...],
    state: Classifiers,
    before: Classifiers | None,
    bias: bool,
    *,
    claims: Callable[[Array], Array],
    crossed: Array,
    title: str,
    several: str,
    more: tuple[Mark, ...] = (),
) -> Panel:
    """The places that are claimed, the boundary of each problem, and the arrow w of the one worked on, to be dragged.

    Args:
        claims: (m, d) places -> (m, K) bool.
        crossed: (n,) bool, rows that are labelled wrong.
        several: what the places are that more than one class claims.
        more: marks above the rows.
    """
    rows = Points(
        at=data.X,
        classes=data.y,
        ringed=state.corrected,
        crossed=crossed & bool(state.W.any()),
        says=says_claims(data, claims),
    )
    lines: list[Mark] = []
    for k, (of, w) in enumerate(zip(problems, state.W)):
        weights, offset = parts(w, bias)
        if weights.any() and (len(problems) <= _LINES or k == state.worked):
            in_hand: Tone = "accent" if k == state.worked else "muted"
            tone = of.positive if of.negative < 0 else in_hand  # a class has its own colour, a pair has none
            name = "this pair's border" if tone == "accent" else ""
            lines.append(Hyperplane(normal=weights, offset=offset, tone=tone, name=name))
    arrows: tuple[Mark, ...] = ()
    if state.worked >= 0:
        k = state.worked
        weights, offset = parts(state.W[k], bias)
        was = None if before is None else parts(before.W[k], bias)[0]

        def pulled(held: Any, weights: Array, offset: float) -> State:
            w = np.append(weights, offset) if bias else weights
            now: State = held.replaced(
                W=changed(held.W, k, w),
                bounds=changed(held.bounds, k, float(w @ w)),
                settled=changed(held.settled, k, False),
            )
            return now

        drawn = normals(data, weights, offset, was)
        if problems[k].negative < 0:  # each problem has a w of its own, in the tone of its class
            drawn = tuple(replace(arrow, tone=problems[k].positive) if arrow.name == "w" else arrow for arrow in drawn)
        arrows = (*drawn, *grips(data, weights, offset, was, bias, pulled))
    tint = (claimed(data, claims),) if state.W.any() else ()
    words = f"{title}; {'striped' if striped(data) else 'mixed'}: {several}"
    if problems[0].negative < 0:  # of pairs somebody has a vote wherever they have begun
        words += f"; {'untinted' if striped(data) else 'grey'}: none"
    return Panel(title=words, space="data", marks=(*tint, rows, *lines, *more, *arrows), equal=alike(data))


def problem_table(
    problems: tuple[BaseProblem, ...],
    state: Classifiers,
    most: tuple[float, ...],
    errors: Array,
    own: Mapping[str, tuple[str, ...]],
) -> Panel:
    """Rows of each side, corrections and the most there can be, rows on the wrong side now, and passes, by problem.

    Args:
        most: R²/γ² of each, NaN where there is none.
        errors: (P,) rows of each that are not on their side.
        own: more columns.
    """
    counts = [int(np.count_nonzero(of.signs > 0)) for of in problems]
    heads: dict[str, Any] = {
        "problem": [of.name for of in problems],
        "+": counts,
        "-": [len(of.rows) - plus for of, plus in zip(problems, counts)],
        "m": state.mistakes,
        "R²/γ²": most,
        "errors": errors,
        **own,
        "passes": state.passes,
    }
    tones = tuple(of.positive if of.negative < 0 else None for of in problems)
    visited = sum(len(of.rows) for of in problems)
    marked = (state.worked,) if state.worked >= 0 else ()
    return columns("problems", heads, f"{visited} rows in a round", tones=tones, marked=marked)


def known_bounds(problem: Problem, problems: tuple[BaseProblem, ...], state: Classifiers) -> tuple[float, ...]:
    """R²/γ² of each problem that has been worked on by the perceptron; NaN where there is none, or after a fork."""
    if problem.forked or problem.parameters.base != "perceptron":
        return (np.nan,) * len(problems)
    begun = (bool(passes) and len(of.rows) > 0 for passes, of in zip(state.passes, problems))
    made = (separation(problem, k, of) if known else None for k, (of, known) in enumerate(zip(problems, begun)))
    most = [np.nan if best is None else most_mistakes(best) for best in made]
    return tuple(value if np.isfinite(value) else np.nan for value in most)
