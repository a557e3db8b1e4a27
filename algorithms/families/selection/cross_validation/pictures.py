"""Panels of a choice among models: their errors along what tells them apart, drawn and as a table."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Array, Cursor, Dataset, ErrorBars, GhostTrail, Panel, Path, Paths, Points, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.panels.coefficients import coefficient_bars, coefficient_paths
from algorithms.toolbox.panels.functions import Function, function_panel, padded, predicted_panel, sizes_of
from algorithms.toolbox.panels.linear import boundary, sides
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.truths import true_function

_DRAWN = 12  # folds whose errors are drawn one by one
_LISTED = 5  # and are columns of the table


class Errors(Struct, frozen=True, eq=False):
    """Errors of models that differ in one number, on folds that they were not fitted to.

    Attributes:
        letter: its name: "degree".
        values: (v,) what it may be.
        each: (v, K) on the folds; NaN where not known yet.
        training: (v, K) on the rows fitted on.
    """

    letter: str
    values: Array
    each: Array
    training: Array

    @property
    def known(self) -> Array:
        """The values that are scored on all folds."""
        return np.flatnonzero(~np.isnan(self.each).any(axis=1))

    @property
    def mean(self) -> Array:
        """(v,) over the folds."""
        return np.asarray(self.each.mean(axis=1))

    @property
    def deviation(self) -> Array:
        """(v,) the standard error of the mean, as if the folds were independent; NaN for a single one."""
        K = self.each.shape[1]
        return self.each.std(axis=1, ddof=1) / np.sqrt(K) if K > 1 else np.full(len(self.each), np.nan)


def errors_along(errors: Errors, choice: int, name: str, data: Dataset, log: bool = False) -> Panel:
    """Draw the errors along the value: of each fold, their mean with its standard error, and on the rows fitted on.

    Args:
        choice: which value is looked at.
        name: of that: "degree 3".
        data: the rows; what is worse than the mean of their targets is of no use, and the axis ends above it. Where
            the truth is known, that of their noise is drawn.
        log: whether the values are shown on a logarithmic axis.
    """
    values, known, K = errors.values, errors.known, errors.each.shape[1]
    each = np.stack([np.column_stack([values, errors.each[:, k]]) for k in range(min(K, _DRAWN))])
    here = each[:, choice][~np.isnan(each[:, choice, 1])]
    marks: list[Mark] = [
        Cursor(x=float(values[choice]), name=name),
        Paths(at=each, strength=np.full(len(each), 0.4), name="folds"),
        *((Points(at=here, tone="muted", rows=False, names=("each fold",)),) if len(here) else ()),
    ]
    if "noise" in data.truth:
        floor = np.column_stack([values[[0, -1]], np.full(2, data.truth["noise"] ** 2)])
        marks.append(Paths(at=floor[None], tones=(3,), name="σ² of the noise"))
    if len(known):
        mean, error = errors.mean[known], np.nan_to_num(errors.deviation[known])
        at = np.column_stack([values[known], mean])
        training = np.column_stack([values[known], errors.training.mean(axis=1)[known]])
        marks += [
            Paths(at=training[None], tones=(2,), name="training"),
            Path(at=at),
            ErrorBars(at=at, lower=mean - error, upper=mean + error, name="mean ± standard error"),
            Points(at=at[[mean.argmin()]], tone="accent", ringed=np.ones(1, bool), rows=False, names=("least",)),
        ]
    variance = float(np.var(np.asarray(data.y)))
    left, right = padded(np.log10(values) if log else values, 0.05)
    return Panel(
        title=f"error along {errors.letter}" + ", logarithmic" * log,
        marks=tuple(marks),
        axes=(errors.letter, "error"),
        limits=((10**left, 10**right) if log else (left, right), (0.0, 1.25 * variance or 1.0)),
        log="x" if log else "",
        note=f"{_DRAWN} of {K} folds drawn" if K > _DRAWN else "",
    )


def errors_table(errors: Errors, choice: int) -> Panel:
    """List the mean errors with their standard errors, those on the rows fitted on, and those of the first folds."""
    each = {f"fold {k + 1}": errors.each[:, k] for k in range(min(errors.each.shape[1], _LISTED))}
    values = [f"{value:.4g}" for value in errors.values]
    training = errors.training.mean(axis=1)
    summary = {errors.letter: values, "mean": errors.mean, "±": errors.deviation, "training": training}
    known = errors.known
    note = f"least at {errors.values[known[errors.mean[known].argmin()]]:.4g}" if len(known) else ""
    return columns("errors", {**summary, **each}, note, marked=(choice,))


def held_out_panel(
    data: Dataset,
    predict: Function | None,
    held: Array,
    earlier: Callable[[Any], Function | None],
    among: Callable[[Any, Any], bool],
    note: str,
) -> Panel:
    """Draw a fit and the rows, those held out of it larger; with one feature over it, beside the fits without others.

    Args:
        predict: None where nothing is fitted yet.
        held: (n,) bool.
        earlier, among: as of `function_panel`.
    """
    if data.d > 1 or data.kind == "class":
        return predicted_panel(
            data, None if predict is None else predict(data.X), larger=held, kind="held out", note=note
        )
    names = ("fit", "fits without other folds", "truth")
    truth = true_function(data)
    return function_panel(
        data, predict, truth=truth, larger=held, kind="held out", earlier=earlier, among=among, names=names, note=note
    )


def classifier_panel(
    data: Dataset, weights: Array | None, held: Array, earlier: Callable[[Any], Array | None], **shown: Any
) -> Panel:
    """Draw the sides of b + w·x = 0 and the rows, those held out larger, those on the wrong side crossed.

    Args:
        weights: (d + 1,) b and w; None where nothing is fitted yet.
        held: (n,) bool.
        earlier: (state) -> the weights that it held, whose boundary is drawn faintly; None where there were none.
        shown: among, as of GhostTrail, and the note of the panel.
    """
    among, note = shown["among"], shown["note"]
    z = None if weights is None else data.signs * (data.X @ weights[1:] + weights[0])
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=sizes_of(held),
        sizes="held out",
        crossed=None if z is None else z <= 0,
        says=None if z is None else says_margin(z),
    )

    def line(past: Any) -> Mark | None:
        then = earlier(past)
        return None if then is None else boundary(then[1:], float(then[0]))

    past = GhostTrail(mark=line, among=among, name="fits without other folds")
    now: tuple[Mark, ...] = ()
    if weights is not None and weights[1:].any():
        b = float(weights[0])
        drawn = boundary(weights[1:], b, "ink")
        now = (replace(sides(data, weights[1:], b), lines=()), *(() if drawn is None else (drawn,)))
    return Panel(title="the boundary b + w·x = 0", space="data", marks=(*now[:1], past, *now[1:], rows), note=note)


def penalised_paths(features: tuple[str, ...], penalties: Array, w: Array, at: float) -> Panel:
    """Draw (v, p) coefficients along λ, fitted to all rows."""
    return coefficient_paths(features, penalties, w, at, axis="λ", log="x", note="of all rows")


def legendre_bars(w: Array) -> Panel:
    """Draw the coefficients of a polynomial of one feature as bars."""
    names = tuple(f"P{degree}" for degree in range(len(w)))
    return coefficient_bars(names, w, note="of Legendre's polynomials")
