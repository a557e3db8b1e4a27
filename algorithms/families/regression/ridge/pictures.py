"""What there is to see of ridge regression: the loss meeting the disc, coefficients and errors along λ, the fit."""

from typing import Any

import numpy as np

from algorithms.core import Panel, Scene, columns, numbers
from algorithms.families.regression.ridge.fit import RidgeFit
from algorithms.families.regression.ridge.ridge_pictures import (
    BIAS as BIAS,
    VARIANCE as VARIANCE,
    bias_and_variance,
    loss_meets_disc,
)
from algorithms.toolbox.panels.coefficients import coefficient_paths
from algorithms.toolbox.panels.functions import function_panel, predicted_panel
from algorithms.toolbox.truths import true_function

_LISTED = 12  # directions in the table


def scene(fit: RidgeFit) -> Scene:
    return Scene((*pictures(fit), directions(fit), so_far(fit)))


def pictures(fit: RidgeFit) -> tuple[Panel, ...]:
    """The loss and the disc where there are two weights or more, the coefficients along λ, and the fit."""
    rows, lam = fit.rows, fit.lam
    data, w, known = rows.data, rows.coefficients, rows.truth
    note = "of scaled features" if data.scaled else ""
    at = lam if 0 < lam < np.inf else None
    paths = coefficient_paths(data.features, rows.penalties[1:-1], w, at, axis="λ", log="x", note=note)
    if data.d == 1:
        by_row = data.map is not None
        shown = (
            predicted_panel(data, fit.predict(data.X))
            if by_row
            else function_panel(data, fit.predict, truth=true_function(data))
        )
        return shown, *error_panel(fit), paths
    i, j = sorted(np.abs(w).max(axis=0).argsort(kind="stable")[-2:].tolist())
    true = None if known is None else known.w
    disc = loss_meets_disc(data.features, rows.X, rows.y, fit.w, w, (i, j), lam, true)
    return disc, paths, *error_panel(fit), predicted_panel(data, fit.predict(data.X))


def error_panel(fit: RidgeFit) -> tuple[Panel, ...]:
    """Bias² and variance along λ, where the truth is known."""
    rows = fit.rows
    if rows.truth is None:
        return ()
    parts = rows.parts
    return (bias_and_variance(rows.penalties[1:-1], parts[1:-1], parts[-1], fit.lam, rows.most_that_helps),)


def directions(fit: RidgeFit) -> Panel:
    of = fit.rows.of
    heads: dict[str, Any] = {
        "direction": range(1, len(of.S[:_LISTED]) + 1),
        "s²": of.S[:_LISTED] ** 2,
        "kept, s²/(s² + λ)": fit.shrinkage[:_LISTED],
        "of y along it": of.along[:_LISTED],
    }
    more = len(of.S) - _LISTED
    return columns("directions of the rows", heads, f"and {more} more" if more > 0 else "")


def so_far(fit: RidgeFit) -> Panel:
    rows, lam = fit.rows, fit.lam
    facts: dict[str, Any] = {
        "λ": lam,
        "γ of the prior, 1/√λ": lam**-0.5 if lam else np.inf,
        "‖w‖": fit.norm,
        "‖w‖ at λ = 0": float(np.linalg.norm(rows.shortest)),
        "weights that are 0": int((fit.w == 0).sum()),
        "RSS": fit.rss,
        "degrees of freedom": fit.freedom,
        "leave-one-out error": fit.left_out_error,
        "the least so far": fit.least,
        "at λ*": fit.best,
    }
    if rows.truth is not None:
        facts |= {
            "E‖ŵ - w‖², MSE": fit.parts.total,
            "the least": min(p.total for p in rows.parts),
            "2σ²/‖w*‖²": rows.most_that_helps,
        }
    return numbers(facts)
