"""Panels of the lasso: the ellipse that meets the diamond, the coefficients with zeros marked, the soft threshold."""

from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import (
    Array,
    Arrow,
    Band,
    Bars,
    Contours,
    Cursor,
    Dataset,
    DragHandles,
    Labels,
    Panel,
    Path,
    Points,
    Segments,
    Trail,
    columns,
    numbers,
)
from algorithms.core.scene import Mark, Tone
from algorithms.families.regression.shared.lasso import Lasso, Solution, soft
from algorithms.toolbox.panels.functions import padded

_ZERO, _KEPT = 0, 1  # tones of a coefficient that is 0, and of one that is not
_LEVELS = (0.02, 0.1, 0.3, 0.6, 1.0)  # of ½‖r‖² at 0, above the least
_SINGULAR = 1e-9  # of the greatest curvature: a smaller one has no least place
_ALIKE = 4.0  # how many times as long one axis may be as the other for angles to be shown as they are
_PLACES = 181
_WRITTEN, _LETTERS = 4, 9  # names of coefficients, and how long they are
_BESIDE = 0.18  # of a column: how far left of what a coefficient becomes stands what it was
_BEYOND = 0.14  # of the largest coefficient: how far beyond its end a name stands


class Pair(Struct, frozen=True, eq=False):
    """Two coefficients that are looked at, the others being as in w*.

    Attributes:
        which: (2,) int.
        aim: (2,) of w*.
        bend: (2, 2) of XᵀX.
        slope: (2,) x_j·r* .
        least: (2,) where ½‖r‖² is least, None where that is no single place.
        limits: of the picture, with 0, the diamond and the least squares in it.
    """

    which: Array
    aim: Array
    bend: Array
    slope: Array
    least: Array | None
    limits: tuple[tuple[float, float], tuple[float, float]]

    def squares(self, at: Array) -> Array:
        """(m,) ½‖r‖² at (m, 2) places, less that at w*."""
        off = at - self.aim
        return np.asarray(np.vecdot(off @ self.bend, off) / 2 - off @ self.slope)


def pair(f: Lasso, best: Solution) -> Pair | None:
    """Choose the coefficient that says most in w*, and of those that are 0 the one nearest to being let in.

    Where none is 0, the one that says most after the first; None where there is one coefficient in all.
    """
    if f.d == 1:
        return None
    says = np.abs(best.w) * np.sqrt(f.of.squares)
    first = int(says.argmax()) if says.any() else int(np.abs(best.correlations).argmax())
    near = 2 + np.abs(best.correlations) / (f.lam or 1.0)
    ranked = np.where(best.w == 0, near, says / (says.max() or 1.0))
    ranked[first] = -1.0
    which = np.sort([first, int(ranked.argmax())])
    aim, bend, slope = best.w[which], f.of.gram[np.ix_(which, which)], best.correlations[which]
    values = np.linalg.eigvalsh(bend)
    least = None if values[0] <= _SINGULAR * values[1] else aim + np.linalg.solve(bend, slope)
    reach = float(np.abs(aim).sum())
    seen = [aim, np.zeros(2), np.array([reach, reach]), -np.array([reach, reach])]
    if least is not None:
        seen.append(1.2 * least)
    ends = np.array(seen)
    if not ends.any():
        ends = np.array([[-1.0, -1.0], [1.0, 1.0]])
    x, y = padded(ends[:, 0], 0.12), padded(ends[:, 1], 0.12)
    return Pair(which, aim, bend, slope, least, (x, y))


def picture(
    data: Dataset, f: Lasso, best: Solution, seen: Pair | None, w: Array, earlier: Array | None, moved: Any
) -> Panel:
    """Draw two coefficients over the level lines, or a single one under F."""
    if seen is None:
        return kink_panel(f, best, data.features[0], w, moved)
    return diamond_panel(f, best, seen, data.features, w, earlier, moved)


def diamond_panel(
    f: Lasso, best: Solution, seen: Pair, names: tuple[str, ...], w: Array, earlier: Array | None, moved: Any
) -> Panel:
    """Draw the level lines of ½‖r‖², of them the one that meets the diamond of ‖w*‖₁ in w*, and the path of w.

    Args:
        names: of the coefficients.
        w: (d,) where it stands.
        earlier: (d,) where the last step came from.
        moved: (state, w) -> the state with these coefficients, for dragging.
    """
    i, j = seen.which.tolist()
    zero = float(seen.squares(np.zeros((1, 2)))[0])
    least = 0.0 if seen.least is None else float(seen.squares(seen.least[None])[0])
    levels = tuple(least + share * (zero - least) for share in _LEVELS) if zero > least else ()
    reach = float(np.abs(seen.aim).sum())
    corners = reach * np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    marks: list[Mark] = [Contours(height=seen.squares, levels=levels, name="levels of ½‖r‖²")]
    if reach:
        marks += [
            Path(at=corners, tone=1, name="Σ|w| as in w*"),
            Contours(height=seen.squares, levels=(0.0,), tone=0, name="½‖r‖² as at w*"),
        ]
    places, texts = [seen.aim], ["w*"]
    if seen.least is not None:
        places.append(seen.least)
        texts.append("least squares")
    at = w[seen.which]
    marks += [
        Labels(at=np.array(places), texts=tuple(texts), tones=("muted",)),
        Trail(where=lambda state: state.w[seen.which][None], tones=("accent",), name="path of w"),
    ]
    if earlier is not None and (earlier[seen.which] != at).any():
        marks.append(Arrow(start=earlier[seen.which], end=at, tone="accent", legend="the step"))

    def drag(state: Any, _: int, to: Array) -> Any:
        there = state.w.copy()
        there[seen.which] = to
        return moved(state, there)

    marks += [
        Labels(at=at[None], texts=("w",), tones=("accent",)),
        DragHandles(at=at[None], moved=drag, names=("w",)),
    ]
    (left, right), (bottom, top) = seen.limits
    across, up = right - left, top - bottom
    return Panel(
        title="the ellipse meets the diamond",
        marks=tuple(marks),
        axes=(f"w of {names[i]}", f"w of {names[j]}"),
        limits=seen.limits,
        equal=max(across, up) <= _ALIKE * min(across, up),
        note="" if f.d == 2 else "level lines with the others as in w*",
    )


def kink_panel(f: Lasso, best: Solution, name: str, w: Array, moved: Any) -> Panel:
    """With a single coefficient: F over it, with its kink at 0."""
    a, c, aim = float(f.of.squares[0]), float(f.of.moments[0]), float(best.w[0])
    far = c / a if a and c else 1.0  # of least squares
    low, high = sorted((-0.7 * far, 1.7 * far))
    over = np.linspace(low, high, _PLACES)
    room = 0.15 * (high - low)  # for the names at the ends of the curves

    def value(at: Array) -> Array:
        return np.asarray(f.of.total / 2 - c * at + a * at * at / 2 + f.lam * np.abs(at))

    places = np.array([aim, float(w[0])])
    return Panel(
        title="F over w",
        marks=(
            Path(at=np.column_stack([over, value(over) - f.lam * np.abs(over)]), tone="muted", name="½‖r‖²"),
            Path(at=np.column_stack([over, f.lam * np.abs(over)]), tone=1, name="λ|w|"),
            Path(at=np.column_stack([over, value(over)]), tone=0, name="F"),
            Labels(at=np.column_stack([places, value(places)]), texts=("w*", "w"), tones=("muted", "accent")),
            DragHandles(
                at=np.column_stack([places[1:], value(places[1:])]),
                moved=lambda state, _, to: moved(state, to[:1]),
                names=("w",),
            ),
        ),
        axes=(f"w of {name}", "F"),
        limits=((low, high + room), (0.0, 1.05 * float(value(over).max()) or 1.0)),
    )


def sparse_bars(names: tuple[str, ...], w: Array, reach: float) -> Panel:
    """Draw (d,) coefficients as bars, those below 0 in another tone; a dot marks each that is exactly 0.

    Args:
        reach: how large they may come to be, for the axis.
    """
    d, zero = len(w), w == 0
    x, reach = np.arange(d) + 1.0, 1.1 * reach or 1.0
    tones: tuple[Tone, ...] = tuple("accent" if value >= 0 else "wrong" for value in w.tolist())
    marks: tuple[Mark, ...] = (
        Bars(heights=np.clip(w, -reach, reach), edges=np.arange(d + 1) + 0.5, tones=tones),
        Points(at=np.column_stack([x, np.zeros(d)])[zero], tone=_ZERO, names=("exactly 0",), rows=False),
        *_written(names, w, w, reach),
    )
    return Panel(
        title="coefficients",
        marks=marks,
        axes=("column", "w"),
        limits=((0.4, d + 0.8), (-1.35 * reach, 1.35 * reach)),
        note=f"{int(zero.sum())} of {d} at 0",
    )


def _written(names: tuple[str, ...], values: Array, ends: Array, reach: float) -> tuple[Labels, ...]:
    """Write the names of those with the largest (d,) values beyond their (d,) ends, where there is nothing else."""
    d = len(values)
    largest = (np.abs(values) >= np.sort(np.abs(values))[-min(_WRITTEN, d)]) & (values != 0)
    which = np.flatnonzero(largest)[:_WRITTEN]
    if not len(which):
        return ()
    beyond = np.clip(ends[which] + _BEYOND * reach * np.sign(ends[which]), -1.25 * reach, 1.25 * reach)
    at = np.column_stack([which + 1.0, beyond])
    return (Labels(at=at, texts=tuple(names[k][:_LETTERS] for k in which), tones=("muted",), glyph=" "),)


def correlations_panel(f: Lasso, w: Array, q: Array, j: int) -> Panel:
    """Draw x_j·r of each column between -λ and λ: inside, a coefficient is 0, and where it is not, at an edge."""
    x = np.arange(f.d) + 1.0
    ends = np.array([0.5, f.d + 0.5])
    reach = 1.25 * max(f.greatest, f.lam) or 1.0
    band = Band(x=ends, lower=np.full(2, -f.lam), upper=np.full(2, f.lam), name="from -λ to λ")
    cursor = () if j < 0 else (Cursor(x=float(x[j]), name=f"{j + 1}"),)
    points = Points(
        at=np.column_stack([x, np.clip(q, -reach, reach)]),
        classes=(w != 0).astype(np.int64),
        names=("wⱼ = 0", "wⱼ not 0"),
        rows=False,
    )
    return Panel(
        title="xⱼ·r of each column",
        marks=(band, *cursor, points),
        axes=("column", "xⱼ·r"),
        limits=((0.5, f.d + 0.5), (-reach, reach)),
    )


def threshold_panel(z: Array, threshold: float, shrunk: bool, reach: float) -> Panel:
    """Draw what the soft threshold makes of (m,) numbers: from the diagonal, where they were, to 0 by the threshold.

    Args:
        shrunk: whether they are shrunk already, or still to be.
        reach: how large they may come to be, for the axes.
    """
    limits = (-1.1 * reach, 1.1 * reach)
    over = np.linspace(*limits, _PLACES)
    before, after = np.column_stack([z, z]), np.column_stack([z, soft(z, threshold)])
    marks: tuple[Mark, ...] = (
        Path(at=np.column_stack([over, over]), tone="muted", name="before"),
        Path(at=np.column_stack([over, soft(over, threshold)]), tone=_KEPT, name="after"),
    )
    if shrunk:
        marks += (Segments(start=before, end=after, tone="accent", name="the step"),)
    marks += (Points(at=after if shrunk else before, tone="accent", rows=False),)
    return Panel(
        title="the soft threshold",
        marks=marks,
        axes=("before", "after"),
        limits=(limits, limits),
        note=f"threshold {threshold:.3g}",
    )


def shrinkage_panel(u: Array, threshold: float, shrunk: bool, names: tuple[str, ...], reach: float) -> Panel:
    """Draw (d,) coefficients side by side, before they are shrunk and after; those within the band become 0.

    Args:
        shrunk: whether they are shrunk already, or still to be.
        names: of the coefficients, written over the largest.
        reach: how large they may come to be, for the axes.
    """
    d, after = len(u), soft(u, threshold)
    x = np.arange(d) + 1.0
    limits = (0.4, d + 0.8), (-1.35 * reach, 1.35 * reach)
    before, there = np.column_stack([x - _BESIDE, u]), np.column_stack([x, after])
    edge = np.full(2, threshold)
    band = Band(x=np.array(limits[0]), lower=-edge, upper=edge, name="becomes 0 from here")
    marks: tuple[Mark, ...] = (band, Path(at=np.column_stack([limits[0], np.zeros(2)]), tone="muted"))
    marks += (Points(at=before, tone="muted", names=("before",), rows=False),)
    if shrunk:
        codes = np.where(after == 0, _ZERO, _KEPT)
        points = Points(at=there, classes=codes, names=("after: 0", "not 0 (even if near)"), rows=False)
        marks += (Segments(start=before, end=there, tone="muted", name="from before"), points)
    marks += _written(names, after if shrunk else u, u, reach)
    return Panel(
        title="coefficients, before and after",
        marks=marks,
        axes=("column", "coefficient"),
        limits=limits,
        note=f"threshold {threshold:.3g}, named: the largest",
    )


def so_far(f: Lasso, best: Solution, w: Array, gap: float, error: float) -> Panel:
    """List F, its duality gap, λ and the zeros as numbers."""
    return numbers(
        {
            "F": f.value(w),
            "F(w*)": best.value,
            "duality gap": gap,
            "λ": f.lam,
            "λmax": f.greatest,
            "coefficients at 0": int((w == 0).sum()),
            "of them 0 in w*": int(((w == 0) & (best.w == 0)).sum()),
            "Σ|wⱼ|": float(np.abs(w).sum()),
            "mean squared error": error,
        }
    )


def coefficient_table(
    data: Dataset, f: Lasso, best: Solution, w: Array, q: Array, marked: tuple[int, ...] = ()
) -> Panel:
    """List the coefficients with those of w* and with x_j·r; the glyph tells the zeros apart."""
    tones: tuple[Tone | None, ...] = tuple(0 if value == 0 else 1 for value in w.tolist())
    heads = {"feature": data.features, "w": w, "w*": best.w, "xⱼ·r": q}
    return columns("weights", heads, f"λ = {f.lam:.4g}", tones=tones, marked=marked)
