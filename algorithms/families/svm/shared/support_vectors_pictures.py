"""Panels of support vector machines: f with its margin, multipliers, support vectors, both problems in numbers."""

from collections.abc import Callable, Mapping

import numpy as np

from algorithms.core import Array, Bars, Dataset, Panel, Points, Region, Segments, Table
from algorithms.core.scene import Tone
from algorithms.toolbox.coordinate_ascent import Both
from algorithms.toolbox.duals import Solution
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.signed_rows import with_offset

_MOST_ROWS = 24
_NEAR = 1e-3  # of 1: a row with such a y f lies on the margin
_FULL = 2.0  # |f| at which the tint is fullest

Cell = str | int | float | None


def margin_stage(
    data: Dataset,
    f: Callable[[Array], Array],
    alpha: Array,
    box: float,
    margins: Array,
    pair: tuple[int, ...] = (),
    kept: Array | None = None,
) -> Panel:
    """f = -1, 0, 1; support vectors by the size of α, those on the margin with a halo; a pair that was moved is joined.

    Args:
        f: (m, d) -> (m,).
        alpha, margins: (n,) multipliers and y f of the rows.
        box: C, infinite for a hard margin.
        pair: the rows that were moved: two, one or none.
        kept: (n,) bool, the rows that are in the problem; all of them if not given.
    """
    supports, begun = alpha > 0, bool(alpha.any())
    tint = Region(score=f, lines=(-1.0, 0.0, 1.0), depth=_FULL, check=data.X)
    joined = (
        (Segments(start=data.X[[pair[0]]], end=data.X[[pair[1]]], tone="accent", name="the pair"),)
        if len(pair) == 2
        else ()
    )
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=np.where(supports, 0.4 + 0.6 * alpha / _full(alpha, box), 0.0),
        sizes="size: α",
        haloed=supports & (alpha < box),
        halo="0 < α < C" if np.isfinite(box) else "α > 0",
        crossed=(margins < 0) & begun,  # α = 0 has not said anything yet
        ringed=np.isin(np.arange(data.n), pair),
        faded=None if kept is None else ~kept,
        fade="taken out",
        says=says_margin(margins),
    )
    return Panel(
        title="f = 0, and its margin f = ±1",
        space="data",
        marks=(*((tint,) if begun else ()), *joined, rows),
    )


def multipliers(signs: Array, alpha: Array, box: float, marked: tuple[int, ...] = ()) -> Panel:
    """α y of the support vectors, the greatest first: what stands up is as much as what hangs down."""
    shares = alpha * signs
    shown = np.flatnonzero((alpha > 0) | np.isin(np.arange(len(alpha)), marked))
    shown = shown[np.argsort(-shares[shown], kind="stable")]
    tones: list[Tone] = ["accent" if r in marked else int(signs[r] > 0) for r in shown.tolist()]
    bars = Bars(
        heights=shares[shown] if len(shown) else np.zeros(1),
        edges=np.arange(max(len(shown), 1) + 1.0),
        tones=tuple(tones) or ("muted",),
    )
    top = 1.05 * _full(alpha, box)
    return Panel(
        title="α y of the support vectors",
        marks=(bars,),
        axes=("rows by α y", "α y"),
        limits=((0.0, float(max(len(shown), 8))), (-top, top)),
    )


def support_vectors(data: Dataset, alpha: Array, box: float, margins: Array, marked: tuple[int, ...] = ()) -> Panel:
    """The marked rows first, then those on the margin, then those at C that fall short the most."""
    free, first = (alpha > 0) & (alpha < box), np.isin(np.arange(data.n), marked)
    order = np.lexsort((margins, -alpha, ~free, ~first))
    listed = order[(first | (alpha > 0))[order]]
    shown = listed[:_MOST_ROWS].tolist()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (r, float(alpha[r]), _place(float(alpha[r]), box), float(margins[r]), data.row(r, 1)) for r in shown
    )
    table = Table(
        columns=("row", "α", "", "y f", ""),
        rows=rows or ((None, None, "none yet", None, ""),),
        tones=tuple(int(data.signs[r] > 0) for r in shown) or (None,),
        marked=tuple(range(len(marked))),
    )
    note = f"{len(shown)} of {len(listed)}" if len(listed) > len(shown) else ""
    return Panel(title="support vectors", marks=(table,), note=note)


def facts(now: Solution, alpha: Array, box: float, kept: Array) -> Mapping[str, Cell]:
    """Both problems in numbers, on the rows that are kept."""
    alpha = alpha[kept]
    idle, on = alpha == 0, np.abs(now.margins[kept] - 1) <= _NEAR
    return {
        "W(α), the dual": now.dual,
        "P(w, b), the primal": now.primal,
        "m, b is not below it": now.up,
        "M, b is not above it": now.low,
        "b": now.bias,
        **({"any b does from m to M": f"{now.up:.4g} to {now.low:.4g}"} if now.gap <= 0 else {}),
        "‖w‖": now.norm,
        "margin 1/‖w‖": 1 / now.norm if now.norm else None,
        "‖w‖/Σα, no margin is wider": now.reach,
        "rows with 0 < α < C": int(((alpha > 0) & (alpha < box)).sum()),
        "rows with α = C": int((alpha == box).sum()),
        "rows with α = 0": int(idle.sum()),
        "rows with y f = 1 and α = 0": int((idle & on).sum()) if now.total else None,
        "wrong rows": int((now.margins < 0).sum()) if now.total else None,
    }


def linear_facts(at: Both, constant: float) -> Mapping[str, Cell]:
    """Both problems of a linear machine in numbers; b is what the constant is worth with its weight."""
    total, ended = float(at.alpha.sum()), np.isfinite(at.machine.most)
    features = with_offset(at.w, constant)
    return {
        "D(α), the dual": at.dual,
        "P(w), the primal": at.primal if np.isfinite(at.primal) else "∞",
        "P - D": at.gap if np.isfinite(at.gap) else "∞",
        **({} if at.machine.loss == "hard margin" else {"C": at.machine.C}),
        "Σ α": total,
        "‖w‖²": at.norm**2,
        "‖w‖ without the constant": float(np.linalg.norm(features[:-1])),
        "b": float(features[-1]) if constant else None,
        "least z/‖w‖": float(at.z.min()) / at.norm if at.norm else None,
        "‖w‖/Σα, no margin is wider": at.norm / total if total else None,
        "rows with α = 0": int((at.alpha == 0).sum()),
        **({"rows with α = C": int((at.alpha == at.machine.most).sum())} if ended else {}),
        "wrong rows": int((at.z <= 0).sum()) if total else None,
    }


def _full(alpha: Array, box: float) -> float:
    """C; for a hard margin the greatest α."""
    return box if np.isfinite(box) else float(alpha.max()) or 1.0


def _place(alpha: float, box: float) -> str:
    return "0" if alpha == 0 else "C" if alpha == box else "between"
