"""What there is to see of fits to many samples: they, their mean and the truth, and the parts of their error."""

import numpy as np

from algorithms.core import Panel, Scene
from algorithms.families.selection.bias_variance.bias_variance_pictures import (
    fits_panel,
    learning_curve,
    mean_fit_panel,
    parts_along,
    parts_at_rows,
    parts_table,
)
from algorithms.families.selection.bias_variance.fits import Fits
from algorithms.families.selection.shared.candidates import Growing
from algorithms.toolbox.panels.functions import padded


def scene(now: Fits) -> Scene:
    parts, name, data = now.parts, now.name, now.of.data
    spread = float(np.var(now.of.truth.f))
    along = parts_along(parts, now.choice, name, spread, parts.letter == "λ")
    shown: tuple[Panel, ...] = (fits(now), along, parts_table(parts, now.choice))
    if isinstance(now.of.models, Growing):
        shown = (fits(now), learning_curve(parts, now.of.expected_errors, now.choice, name), *shown[1:])
    if data.d > 1:
        return Scene(shown)
    bias, most = (now.mean - now.of.truth.f) ** 2, spread + 2 * now.of.truth.sigma**2 or 1.0
    unknown = np.full(data.n, np.nan)
    bias, variance = (np.where(now.rows & (now.sample >= 0), part, unknown) for part in (bias, now.variance))
    at_rows = parts_at_rows(data, bias, variance, most, name)
    return Scene((*shown, at_rows))


def fits(now: Fits) -> Panel:
    """All fits of the present value, their mean and the truth."""
    data, of, s = now.of.data, now.of.truth, now.sample
    note = "" if s < 0 else f"{now.name}, {s + 1} of {now.of.samples} samples"
    targets = now.of.drawn.targets
    if data.d > 1:
        return mean_fit_panel(data, of.f, (now.mean, now.variance, now.fit) if s >= 0 else None, note)
    shown = (targets[s], now.at) if s >= 0 else None
    return fits_panel(data, shown, of.function, padded(targets, 0.1), note, now.rows)
