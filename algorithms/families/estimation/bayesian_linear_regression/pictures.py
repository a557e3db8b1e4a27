"""Panels of what is believed of weights: lines and a band over the rows, and the weights as an ellipse."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import (
    Array,
    Band,
    Dataset,
    DragHandles,
    Ellipse,
    ErrorBars,
    Labels,
    Panel,
    Path,
    Paths,
    Points,
    State,
    Trail,
)
from algorithms.core.scene import Mark, Tone
from algorithms.families.estimation.bayesian_linear_regression.linear_beliefs import WeightBelief
from algorithms.families.estimation.shared.means_pictures import density_path
from algorithms.families.estimation.shared.student import Student
from algorithms.toolbox.panels.functions import Function, padded
from algorithms.toolbox.panels.row_words import Says

_PLACES = 81  # of a curve
_FAINT = 0.45  # of a line that is one of many
_TO_COME = 0.1  # the size of a row that is not known yet
_TRUTH: Tone = 3

Limits = tuple[tuple[float, float], tuple[float, float]]
Row = tuple[Array, float]  # (2,) x and its target


def line_panel(
    data: Dataset, now: WeightBelief, drawn: Array, sigma: float, rows: int, truth: Function | None
) -> Panel:
    """Draw the rows over the one feature, those to come small, lines that may be, and where 95% of rows are expected.

    Args:
        drawn: (c, p) weights drawn from what is believed.
        rows: how many have come; the last is ringed.
        truth: the function that the rows were made from, where it is known.
    """
    x, y = data.original(data.X)[:, 0], np.asarray(data.y, float)
    limits = padded(x, 0.04), padded(np.append(y, 0.0), 0.15)
    at = np.linspace(*limits[0], _PLACES)
    places = (at[:, None] - data.centre) / data.spread
    columns = places if len(now.mean) == 1 else np.column_stack([places, np.ones(_PLACES)])
    fit, variance = now.of_fit(columns)

    def put(to: Array) -> tuple[Array, float]:
        return (to[:1] - data.centre) / data.spread, float(to[1])

    lines = np.stack([np.column_stack([at[[0, -1]], columns[[0, -1]] @ w]) for w in drawn])
    true = () if truth is None else (Path(at=np.column_stack([at, truth(places)]), tone=_TRUTH, name="truth"),)
    wide = 2 * np.sqrt(variance + sigma**2)
    marks: tuple[Mark, ...] = (
        Band(x=at, lower=fit - wide, upper=fit + wide, name="95% of rows"),
        Paths(at=lines, strength=np.full(len(drawn), _FAINT), name="lines that may be"),
        *true,
        Path(at=np.column_stack([at, fit]), tone="accent", name="mean"),
    )
    number = np.arange(data.n)
    weights = np.where(number < rows, 1.0, _TO_COME)

    def of_row(row: int) -> tuple[float, float]:
        mean, spread = now.of_fit(np.append(data.X[row], np.ones(len(now.mean) - 1))[None])
        return float(mean[0]), float(spread[0])

    last, says = number == rows - 1, says_expected(y, of_row, sigma)
    points = Points(at=np.column_stack([x, y]), tone=0, weights=weights, ringed=last, put=put, says=says)
    return Panel(
        title=f"{data.target} against {data.features[0]}"[:40],
        marks=(*marks, points),
        axes=(data.features[0], data.target),
        limits=limits,
        note="small: rows to come" if rows < data.n else "",
    )


def says_expected(y: Array, fit: Callable[[int], tuple[float, float]], sigma: float) -> Says:
    """Say what is expected of a row, within what 95% of such rows are, and how far its target is from it.

    Args:
        fit: a row's number -> the mean of the fit there, and its variance.
    """

    def says(row: int) -> str:
        mean, variance = fit(row)
        within = f"expected {mean:.4g} ± {2 * float(np.sqrt(variance + sigma**2)):.2g}"
        return f"{within}, y less that {float(y[row]) - mean:.4g}"

    return says


def predicted_with_errors(data: Dataset, fit: Array, variance: Array, sigma: float, rows: int) -> Panel:
    """Draw what is expected of each row, with 95% of what it may be, against its target; those to come small."""
    y = np.asarray(data.y, float)
    ends = padded(np.append(y, 0.0), 0.06)
    at, wide, number = np.column_stack([y, fit]), 2 * np.sqrt(variance + sigma**2), np.arange(data.n)
    diagonal = np.array([[ends[0], ends[0]], [ends[1], ends[1]]])
    last, said = number == rows - 1, says_expected(y, lambda row: (float(fit[row]), float(variance[row])), sigma)
    weights = np.where(number < rows, 1.0, _TO_COME)
    return Panel(
        title="expected against true",
        marks=(
            Path(at=diagonal, tone="muted", name="expected = true"),
            ErrorBars(at=at, lower=fit - wide, upper=fit + wide, tone="muted", name="95%"),
            Points(at=at, tone=0, weights=weights, ringed=last, says=said),
        ),
        axes=(data.target, f"expected {data.target}"),
        limits=(ends, ends),
        note="small: rows to come" if rows < data.n else "",
    )


def weights_panel(
    prior: WeightBelief,
    now: WeightBelief,
    drawn: Array,
    end: Array,
    axes: tuple[int, int],
    names: tuple[str, str],
    row: Row | None,
    sigma: float,
    truth: Array | None,
) -> Panel:
    """Draw two of the weights as ellipses of one and two deviations, before all rows and now, with weights drawn.

    Args:
        drawn: (c, p) weights drawn from what is believed.
        end: (p,) where the mean comes to.
        axes: which weights lie across and up.
        row: x and target of the row just taken in, where there are two weights: it says that y = x·w ± σ.
        truth: (p,) the weights of made data, None where they are not known.
    """
    two = list(axes)
    aim, wide = end[two], 2.3 * prior.deviations[two]
    low, high = np.minimum(-wide, aim - wide / 4), np.maximum(wide, aim + wide / 4)
    limits = (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))
    m = now.mean[two]
    known = ("ridge, all rows", aim) if truth is None else ("truth", truth[two])
    tones: tuple[Tone, ...] = ("muted" if truth is None else _TRUTH, "accent")
    says = () if row is None or len(end) != 2 else strip(row[0][two], row[1], sigma, limits)
    return Panel(
        title="what is believed of the weights",
        marks=(
            *says,
            Ellipse(mean=prior.mean[two], covariance=prior.covariance[np.ix_(two, two)], tone="muted", name="prior"),
            Points(at=drawn[:, two], tone="ink", rows=False, weights=np.full(len(drawn), 0.2), names=("drawn",)),
            Trail(where=lambda past: past.mean[two][None], tones=(5,), name="path of m"),
            Ellipse(mean=m, covariance=now.covariance[np.ix_(two, two)], tone="accent", name="now"),
            Labels(at=np.array([known[1], m]), texts=(known[0], ""), tones=tones),
            DragHandles(at=m[None], moved=lambda state, _, to: moved(state, two, to), names=("m",)),
        ),
        axes=names,
        limits=limits,
        note="1 and 2 deviations" + (", others aside" if len(end) > 2 else ""),
    )


def moved(state: Any, which: list[int], to: Array) -> State:
    """Put some of the means elsewhere."""
    mean = state.mean.copy()
    mean[which] = to
    dragged: State = state.replaced(mean=mean)
    return dragged


def strip(
    x: Array, y: float, sigma: float, limits: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[Mark, ...]:
    """Draw the weights (a, b) of which a row says x·w = y ± σ: a strip; nothing where b is not asked about."""
    if abs(x[1]) < 1e-9 * abs(x[0]) or x[1] == 0:
        return ()
    across = np.linspace(*limits[0], _PLACES)
    ends = np.sort([(y - sigma - x[0] * across) / x[1], (y + sigma - x[0] * across) / x[1]], axis=0)
    seen = (ends[1] >= limits[1][0]) & (ends[0] <= limits[1][1])  # a strip's places in sight follow each other
    lower, upper = np.clip(ends[:, seen], *limits[1])
    return () if seen.sum() < 2 else (Band(x=across[seen], lower=lower, upper=upper, tone=0, name="x·w = y ± σ"),)


def slope_panel(prior: WeightBelief, now: WeightBelief, end: Array, name: str) -> Panel:
    """Draw the densities of a single weight, before all rows and now."""
    wide = 2.3 * float(prior.deviations[0])
    ends = min(-wide, float(end[0]) - wide / 4), max(wide, float(end[0]) + wide / 4)
    before, after = (Student(float(one.mean[0]), float(one.deviations[0])) for one in (prior, now))
    top = 2.0 ** np.ceil(np.log2(1.05 * max(float(one.density(one.place)) for one in (before, after))))
    at = np.array([[now.mean[0], after.density(after.place)]])
    return Panel(
        title="what is believed of the weight",
        marks=(
            density_path(before, ends, top, "muted"),
            density_path(after, ends, top, "accent"),
            Labels(at=at, texts=("m",), tones=("accent",)),
            DragHandles(at=at, moved=lambda state, _, to: moved(state, [0], to[:1]), names=("m",)),
        ),
        axes=(f"weight of {name}", "density"),
        limits=(ends, (0.0, float(top))),
    )
