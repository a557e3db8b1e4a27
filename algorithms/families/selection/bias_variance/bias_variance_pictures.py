"""Panels of fits to many samples of one truth: all of them with their mean, and the parts that their error has."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Cursor, Dataset, ErrorBars, Panel, Path, Paths, Points, columns
from algorithms.core.scene import Mark, Tone
from algorithms.toolbox.panels.functions import Function, padded
from algorithms.toolbox.panels.row_words import Says

_PLACES = 241  # of a curve
BIAS: Tone = 1  # the tones of what an error is made of, in panels and on charts
VARIANCE: Tone = 5
TRAINING: Tone = 2
SUM: Tone = "accent"
FRESH: Tone = "ink"
_DRAWN = 60  # rows whose spread is drawn


class Parts(Struct, frozen=True, eq=False):
    """What the error of models is made of, models that differ in one number; NaN where not measured.

    Attributes:
        letter: its name: "degree".
        values: (v,) what it may be.
        bias, variance: (v,) bias² and variance, means over the rows.
        expected: (v,) what their sum is on average over samples.
        training, fresh: (v, S) errors on the sample fitted and on a fresh one.
        noise: σ².
    """

    letter: str
    values: Array
    bias: Array
    variance: Array
    expected: Array
    training: Array
    fresh: Array
    noise: float

    @property
    def known(self) -> Array:
        return np.flatnonzero(~np.isnan(self.bias))

    @property
    def error(self) -> Array:
        return np.asarray(self.bias + self.variance)

    @property
    def deviation(self) -> Array:
        """(v,) the standard error of the mean error on fresh targets."""
        return np.asarray(self.fresh.std(axis=1, ddof=1) / np.sqrt(self.fresh.shape[1]))


def fits_panel(
    data: Dataset,
    shown: tuple[Array, Function] | None,
    truth: Function,
    limits: tuple[float, float],
    note: str = "",
    rows: Array | None = None,
) -> Panel:
    """Draw over the one feature all fits of a model faintly, the last, their mean, the truth and the last sample.

    Args:
        shown: (n,) the targets of that sample, and (m, 1) places -> (m, s) fits, the present one last; None before any.
        limits: the range of the targets of all samples.
        rows: (n,) bool, those that are fitted; None: all.
    """
    x = data.original(data.X)[:, 0]
    across = padded(x, 0.04)
    at = np.union1d(np.linspace(*across, _PLACES), x)
    places = (at[:, None] - data.centre) / data.spread

    def drawn(heights: Array) -> Array:
        return np.column_stack([at, heights])

    marks: list[Mark] = []
    if shown is not None:
        y, heights = shown[0], shown[1](places)
        all_fits = np.stack([drawn(height) for height in heights.T])
        marks = [
            Paths(at=all_fits, strength=np.full(len(all_fits), 0.35), name="fits"),
            sample_of(np.column_stack([x, y]), rows, says_of_sample(data, *shown)),
            Paths(at=drawn(heights[:, -1])[None], tones=(0,), name="its fit"),
            Paths(at=drawn(heights.mean(axis=1))[None], tones=("accent",), name="mean fit"),
        ]
    return Panel(
        title=f"fits to samples of {data.target}"[:40],
        marks=(*marks, Paths(at=drawn(truth(places))[None], tones=(3,), name="truth")),
        axes=(data.features[0], data.target),
        limits=(across, limits),
        note=note,
    )


def says_of_sample(data: Dataset, y: Array, fits: Function) -> Says:
    """Say the target that a row has in a sample, what its own fit says there and what the mean fit does."""

    def says(row: int) -> str:
        f = fits(data.X[[row]])[0]
        return f"y {y[row]:.4g} in this sample, its fit {f[-1]:.4g}, mean fit {f.mean():.4g}"

    return says


def sample_of(at: Array, rows: Array | None, says: Says) -> Points:
    """The places of a sample's rows, (n, 2), or of those that are fitted."""
    if rows is None or rows.all():
        return Points(at=at, tone="muted", names=("sample",), says=says)
    return Points(at=at[rows], tone="muted", names=("sample",), rows=False)


def says_mean_fit(f: Array, mean: Array, variance: Array, last: Array) -> Says:
    """Say the truth of a row, its last fit, and the mean of the fits with their deviation; all (n,)."""

    def says(row: int) -> str:
        scatter = f"mean fit {mean[row]:.4g} ± {np.sqrt(variance[row]):.2g}"
        return f"truth {f[row]:.4g}, last fit {last[row]:.4g}, {scatter}"

    return says


def mean_fit_panel(data: Dataset, f: Array, fits: tuple[Array, Array, Array] | None, note: str = "") -> Panel:
    """Draw for each row the mean of the fits with their deviation, and the last fit, against the truth.

    Args:
        fits: (n,) their mean, their variance and the last one; None before the first.
    """
    ends = padded(f, 0.2)
    marks: list[Mark] = [Path(at=np.array([[ends[0], ends[0]], [ends[1], ends[1]]]), tone=3, name="truth")]
    if fits is not None:
        shown = f.argsort(kind="stable")[np.unique(np.linspace(0, data.n - 1, _DRAWN).round().astype(int))]
        mean, off = fits[0][shown], np.sqrt(fits[1][shown])
        at = np.column_stack([f[shown], mean])
        marks += [
            ErrorBars(at=at, lower=mean - off, upper=mean + off, tone="accent", name="mean fit ± deviation"),
            Points(at=np.column_stack([f, fits[2]]), tone=0, names=("last fit",), says=says_mean_fit(f, *fits)),
        ]
    return Panel(
        title="fits against the truth",
        marks=tuple(marks),
        axes=("true value", f"fit of {data.target}"),
        limits=(ends, ends),
        note=note,
    )


def parts_along(parts: Parts, choice: int, name: str, spread: float, log: bool = False) -> Panel:
    """Draw bias², variance and their sum along the value, the least marked, and the training and the fresh error.

    Args:
        choice: which value is looked at.
        name: of that: "degree 3".
        spread: the variance of the truth over the rows, which is all the bias² that the mean alone has.
        log: whether the values are shown on a logarithmic axis.
    """
    values, known = parts.values, parts.known
    ends = values[[0, -1]]
    marks: list[Mark] = [
        Cursor(x=float(values[choice]), name=name),
        Paths(at=np.column_stack([ends, np.full(2, parts.noise)])[None], tones=("muted",), name="σ²"),
    ]
    if len(known):
        at, error = values[known], parts.error[known]
        fresh, off = parts.fresh.mean(axis=1)[known], parts.deviation[known]
        lines: tuple[tuple[Array, Tone, str], ...] = (
            (parts.training.mean(axis=1)[known], TRAINING, "training"),
            (parts.bias[known], BIAS, "bias²"),
            (parts.variance[known], VARIANCE, "variance"),
            (error, SUM, "sum"),
        )
        marks += [Paths(at=np.column_stack([at, line])[None], tones=(tone,), name=name) for line, tone, name in lines]
        marks += [
            ErrorBars(at=np.column_stack([at, fresh]), lower=fresh - off, upper=fresh + off, tone=FRESH, name="fresh"),
            Points(at=np.column_stack([at, error])[[error.argmin()]], tone=SUM, ringed=np.ones(1, bool), rows=False),
        ]
    left, right = padded(np.log10(values) if log else values, 0.05)
    return Panel(
        title=f"error along {parts.letter}" + ", logarithmic" * log,
        marks=tuple(marks),
        axes=(parts.letter, "error"),
        limits=((10**left, 10**right) if log else (left, right), (0.0, 1.25 * (spread + 2 * parts.noise) or 1.0)),
        log="x" if log else "",
    )


def learning_curve(parts: Parts, expected: Array, choice: int, name: str) -> Panel:
    """Draw the training and the fresh error over the number of rows, with their errors, and what is expected of them.

    Args:
        expected: (v, 2) the training and the fresh error, on average over samples.
        choice: which number of rows is looked at.
        name: of that: "n = 10 rows".
    """
    values, known = parts.values, parts.known
    marks: list[Mark] = [
        Cursor(x=float(values[choice]), name=name),
        Paths(at=np.column_stack([values[[0, -1]], np.full(2, parts.noise)])[None], tones=("muted",), name="σ²"),
    ]
    tones: tuple[Tone, ...] = (TRAINING, FRESH)
    for column, tone, sign in zip(expected.T, tones, ("E training", "E fresh")):
        marks.append(Paths(at=np.column_stack([values, column])[None], tones=(tone,), name=sign))
    for errors, tone, named in ((parts.training, tones[0], "training"), (parts.fresh, tones[1], "fresh")):
        mean, off = errors.mean(axis=1)[known], errors.std(axis=1, ddof=1)[known] / np.sqrt(errors.shape[1])
        if len(known):
            at = np.column_stack([values[known], mean])
            marks.append(ErrorBars(at=at, lower=mean - off, upper=mean + off, tone=tone, name=named))
    return Panel(
        title="learning curve",
        marks=tuple(marks),
        axes=("rows n", "error"),
        limits=(padded(values, 0.05), (0.0, 1.25 * float(expected.max()) or 1.0)),
    )


def parts_at_rows(data: Dataset, bias: Array, variance: Array, most: float, note: str = "") -> Panel:
    """Draw bias² and variance at each place of the one feature.

    Args:
        bias, variance: (n,) of the rows.
        most: where the axis ends.
    """
    x = data.original(data.X)[:, 0]
    order = x.argsort(kind="stable")
    lines: tuple[tuple[Array, Tone, str], ...] = ((bias, BIAS, "bias²"), (variance, VARIANCE, "variance"))
    return Panel(
        title=f"bias² and variance along {data.features[0]}"[:40],
        marks=tuple(
            Paths(at=np.column_stack([x, part])[None, order], tones=(tone,), name=name) for part, tone, name in lines
        ),
        axes=(data.features[0], "at each row"),
        limits=(padded(x, 0.04), (0.0, most)),
        note=note,
    )


def parts_table(parts: Parts, choice: int) -> Panel:
    """List bias², variance, their sum and what it is on average; errors on the samples and on fresh ones."""
    error, known = parts.error, parts.known
    note = f"least at {parts.values[known[error[known].argmin()]]:.4g}" if len(known) else ""
    heads = {
        parts.letter: [f"{value:.4g}" for value in parts.values],
        "bias²": parts.bias,
        "variance": parts.variance,
        "sum": error,
        "expected": parts.expected,
        "training": parts.training.mean(axis=1),
        "fresh": parts.fresh.mean(axis=1),
        "±": parts.deviation,
    }
    return columns("errors", heads, note, marked=(choice,))
