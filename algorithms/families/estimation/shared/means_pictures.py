"""Panels of what is believed of a mean: densities over it, the rows as they come, and the mean with the deviation."""

from collections.abc import Callable, Mapping
from math import ceil, log2, nan, sqrt
from typing import Any

import numpy as np

from algorithms.core import (
    Array,
    Band,
    Contours,
    Dataset,
    DragHandles,
    GhostTrail,
    Labels,
    Panel,
    Path,
    Paths,
    Points,
    State,
    Trail,
    columns,
)
from algorithms.core.scene import Mark, Tone
from algorithms.families.estimation.shared.growing_pictures import rows_shown
from algorithms.families.estimation.shared.mean_beliefs import MeanBelief
from algorithms.families.estimation.shared.student import Student
from algorithms.toolbox.panels.functions import padded

_TONES: dict[str, Tone] = {"prior": "muted", "likelihood": 2, "posterior": "accent"}
_TRUTH = 3
_DEPTHS = np.array([4.5, 2.0, 0.5])  # below its greatest, of level lines: three, two and one deviations of a Gaussian

Ends = tuple[float, float]


def density_panel(
    beliefs: Mapping[str, Student | None],
    ends: Ends,
    axis: str,
    truth: float,
    earlier: Callable[[Any], Student],
    moved: Callable[[Any, float], State],
    sets: Callable[[float], dict[str, Any]],
) -> Panel:
    """Draw prior, likelihood and posterior over μ, each of area 1, with earlier posteriors and the truth.

    Args:
        beliefs: of "prior", "likelihood" (None before there is one) and "posterior".
        ends: what is shown of μ, for the whole run.
        truth: μ of made data; NaN where it is not known.
        earlier: (state) -> what was believed in an earlier state.
        moved, sets: what becomes of a state, and of the parameters at the start, where the posterior's mean is dragged.
    """
    now = {name: one for name, one in beliefs.items() if one is not None}
    top = 2.0 ** ceil(log2(1.05 * max(float(one.density(one.place)) for one in now.values())))
    posterior = now["posterior"]
    room = 0.02 * (ends[1] - ends[0])
    at = np.array([[np.clip(posterior.place, ends[0] + room, ends[1] - room), posterior.density(posterior.place)]])
    known = (Path(at=np.array([[truth, 0.0], [truth, top]]), tone=_TRUTH, name="truth"),) if truth == truth else ()
    return Panel(
        title="what is believed of μ",
        marks=(
            GhostTrail(mark=lambda past: density_path(earlier(past), ends, top, "accent"), last=3, name="before"),
            *known,
            *(
                Paths(at=density_path(one, ends, top, _TONES[name]).at[None], tones=(_TONES[name],), name=name)
                for name, one in now.items()
            ),
            Labels(at=at, texts=("m",), tones=("accent",)),
            DragHandles(
                at=at,
                moved=lambda state, _, to: moved(state, float(to[0])),
                names=("m",),
                sets=lambda to: sets(float(to[0])),
            ),
        ),
        axes=(f"μ of {axis}", "density"),
        limits=(ends, (0.0, top)),
        note="likelihood scaled to area 1",
    )


def density_path(of: Student, ends: Ends, top: float, tone: Tone) -> Path:
    """Draw a density as far as it is below `top`; about its place as finely as it is narrow."""
    close = of.place + of.width * np.linspace(-6, 6, 121)
    at = np.sort(np.concatenate([np.linspace(*ends, 161), close[(close > ends[0]) & (close < ends[1])]]))
    height = of.density(at)
    return Path(at=np.column_stack([at, np.where(height <= top, height, nan)]), tone=tone)


def rows_panel(
    data: Dataset, axis: str, rows: int, coming: Student, truth: float, beside: float, means: Callable[[Any], Array]
) -> Panel:
    """Draw the rows so far in the order they came, two estimates after each, and what is expected of the next.

    Args:
        rows: how many have come.
        coming: what is expected of the next.
        beside: a value that is seen too: the prior's mean.
        means: (state) -> (2,) the posterior's mean and the mean of the rows, NaN where there is none.
    """
    number, last = np.arange(1.0, rows + 1), rows_shown(rows, data.n) + 1.0
    ahead: tuple[Mark, ...] = ()
    if rows < data.n:
        x, (low, high) = np.array([rows + 0.6, last]), coming.interval
        at = np.column_stack([x, np.full(2, coming.place)])
        band = Band(x=x, lower=np.full(2, low), upper=np.full(2, high), name="95% of the next")
        ahead = (band, Path(at=at, tone="accent"))
    known = (Path(at=np.array([[0.0, truth], [last, truth]]), tone=_TRUTH, name="truth"),) if truth == truth else ()

    def put(to: Array) -> tuple[Array, float | None]:
        return to[1:], None

    def trail(which: int, tone: Tone, name: str) -> Trail:
        return Trail(where=lambda past: np.array([[past.rows, means(past)[which]]]), tones=(tone,), name=name)

    at = np.column_stack([number, data.X[:rows, 0]])
    return Panel(
        title="row by row",
        marks=(
            *ahead,
            *known,
            trail(1, _TONES["likelihood"], "MLE"),
            trail(0, _TONES["posterior"], "posterior mean"),
            Points(at=at, ringed=number == rows, tone=0, put=put if data.d == 1 else None),
        ),
        axes=("row", axis),
        limits=((0.0, last), padded(np.append(data.X[:, 0], beside), 0.1)),
    )


def joint_panel(belief: MeanBelief, ends: Ends, deepest: float, places: Mapping[str, tuple[float, float]]) -> Panel:
    """Draw level lines of what is believed of μ and σ together, and estimates of both.

    Args:
        ends: what is shown of μ.
        deepest: the largest σ that is shown.
        places: (μ, σ) by name: "MAP", "MLE", "truth"; left out where one is NaN.
    """
    mode = float(belief.log_density(belief.mean, belief.likeliest_square))
    shown = {name: at for name, at in places.items() if at[0] == at[0] and at[1] == at[1]}
    texts = tuple("" if name == "truth" else name for name in shown)  # which lies near to the others, and on top
    tones: dict[str, Tone] = {"MAP": _TONES["posterior"], "MLE": _TONES["likelihood"], "truth": _TRUTH}

    def height(at: Array) -> Array:
        return belief.log_density(at[:, 0], np.maximum(at[:, 1], 1e-3 * deepest) ** 2)

    return Panel(
        title="what is believed of μ and σ",
        marks=(
            Contours(height=height, levels=tuple((mode - _DEPTHS).tolist()), tone="accent", name="posterior"),
            Labels(at=np.array([*shown.values()]), texts=texts, tones=tuple(tones[name] for name in shown)),
        ),
        axes=("μ", "σ"),
        limits=(ends, (0.0, deepest)),
        note="MAP: the mode of μ and σ²",
    )


def ends_of(x: Array, mean: float, deviation: float) -> Ends:
    """Choose what is shown of μ: the prior, three deviations of it, and where the rows lead."""
    room, middle = 3 * float(x.std()) / sqrt(min(len(x), 4)), float(x.mean())
    return min(mean - 3 * deviation, middle - room), max(mean + 3 * deviation, middle + room)


def distributions(beliefs: Mapping[str, Student | None]) -> Panel:
    """List what is said of μ: centre, deviation and the middle 95% of each, nothing for one that is not there yet."""
    heads: dict[str, Any] = {"": ("mean and mode", "deviation", "precision", "2.5% is below", "2.5% is above")}
    for name, one in beliefs.items():
        heads[name] = (nan,) * 5 if one is None else (one.place, one.deviation, one.deviation**-2, *one.interval)
    return columns("of μ", heads, note="the likelihood's mode is the MLE")
