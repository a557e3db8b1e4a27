"""What a support vector machine looks like: f with its margin, the multipliers, the Gram matrix, the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from algorithms.core import Array, Bars, Matrix, Panel, Points, Problem, Region, Segments, Table
from algorithms.core.scene import Tone
from algorithms.families.svm.smo.dual import apart, box_of, decision, found, found_first, kernel_in_use
from algorithms.families.svm.smo.theorems import least_of_sample, sample

if TYPE_CHECKING:
    from algorithms.families.svm.smo.algorithm import SmoState

_MOST_ROWS = 24
_FULL = 2.0  # |f| at which the tint is fullest

Cell = str | int | float | None


def in_hand(n: int, state: SmoState) -> Array:
    """(n,) bool: the pair that was moved."""
    return np.asarray(np.isin(np.arange(n), [state.i, state.j]))


def share_of_most(problem: Problem, state: SmoState) -> Array:
    """(n,) α/C; for a hard margin, of the greatest α."""
    box = box_of(problem)
    return np.asarray(state.alpha / (box if np.isfinite(box) else float(state.alpha.max()) or 1.0))


def stage(problem: Problem, state: SmoState) -> Panel:
    """f = -1, 0, 1; support vectors by the size of α, those on the margin with a halo; the pair in hand joined."""
    data, box = problem.data, box_of(problem)
    supports = state.alpha > 0
    begun = bool(supports.any())
    tint = Region(score=decision(problem, state), lines=(-1.0, 0.0, 1.0), depth=_FULL, check=data.X)
    pair = Segments(start=data.X[[state.i]], end=data.X[[state.j]], tone="accent")
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=np.where(supports, 0.4 + 0.6 * share_of_most(problem, state), 0.0),
        haloed=supports & (state.alpha < box),
        crossed=(problem.of(found, state).margins < 0) & begun,  # α = 0 has not said anything yet
        ringed=in_hand(data.n, state),
    )
    return Panel(
        title="f = 0, and its margin f = ±1",
        space="data",
        marks=(*((tint,) if begun else ()), *((pair,) if state.i >= 0 else ()), rows),
        note="halo 0 < α < C, small α = 0",
    )


def multipliers(problem: Problem, state: SmoState) -> Panel:
    """α y of the support vectors, the greatest first: what stands up is as much as what hangs down."""
    shares, hand, box = state.alpha * problem.data.signs, in_hand(problem.data.n, state), box_of(problem)
    shown = np.flatnonzero((state.alpha > 0) | hand)
    shown = shown[np.argsort(-shares[shown], kind="stable")]
    tones: list[Tone] = ["accent" if hand[r] else int(problem.data.signs[r] > 0) for r in shown.tolist()]
    top = 1.05 * (box if np.isfinite(box) else float(state.alpha.max()) or 1.0)
    bars = Bars(
        heights=shares[shown] if len(shown) else np.zeros(1),
        edges=np.arange(max(len(shown), 1) + 1.0),
        tones=tuple(tones) or ("muted",),
    )
    return Panel(
        title="α y of the support vectors",
        marks=(bars,),
        axes=("in order", "α y"),
        limits=((0.0, float(max(len(shown), 8))), (-top, top)),
    )


def gram(problem: Problem) -> Panel:
    """k of some rows with each other, class by class."""
    rows, values = problem.once(sample)
    least, _ = problem.once(least_of_sample)
    part = "" if len(rows) == problem.data.n else f"{len(rows)} rows, "
    return Panel(
        title="Gram matrix, class by class",
        marks=(Matrix(values=values, signed=kernel_in_use(problem).name != "rbf"),),
        note=f"{part}least eigenvalue {least:.2g}",
    )


def weights(problem: Problem, state: SmoState) -> tuple[Panel, ...]:
    """w as an image, when the rows are images and w is one of them."""
    data = problem.data
    if data.image is None or kernel_in_use(problem).name != "linear":
        return ()
    w = (state.alpha * data.signs) @ data.X
    return (Panel(title="w as an image", marks=(Matrix(values=w.reshape(data.image), signed=True),)),)


def support_vectors(problem: Problem, state: SmoState) -> Panel:
    """The pair in hand first, then those on the margin, then those at C that fall short the most."""
    data, box, margins = problem.data, box_of(problem), problem.of(found, state).margins
    hand = in_hand(data.n, state)
    free = (state.alpha > 0) & (state.alpha < box)
    order = np.lexsort((margins, -state.alpha, ~free, ~hand))
    listed = order[(hand | (state.alpha > 0))[order]]
    shown = listed[:_MOST_ROWS].tolist()
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (r, float(state.alpha[r]), place(float(state.alpha[r]), box), float(margins[r]), data.row(r, 1)) for r in shown
    )
    table = Table(
        columns=("row", "α", "", "y f", ""),
        rows=rows or ((None, None, "none yet", None, ""),),
        tones=tuple(int(data.signs[r] > 0) for r in shown) or (None,),
        marked=tuple(range(int(hand.sum()))),
    )
    note = f"{len(shown)} of {len(listed)}" if len(listed) > len(shown) else ""
    return Panel(title="support vectors", marks=(table,), note=note)


def place(alpha: float, box: float) -> str:
    return "0" if alpha == 0 else "C" if alpha == box else "between"


def numbers(problem: Problem, state: SmoState) -> Panel:
    now, box, first = problem.of(found, state), box_of(problem), problem.of(found_first, state)
    free = int(((state.alpha > 0) & (state.alpha < box)).sum())
    at_the_bound = int((state.alpha == box).sum())
    rows: list[tuple[str, Cell]] = [
        ("W(α), the dual", now.dual),
        ("P(w, b), the primal", now.primal if np.isfinite(now.primal) else None),
        ("m, b is not below it", now.up),
        ("M, b is not above it", now.low),
        ("b", now.bias),
        *((("any b does from m to M", f"{now.up:.4g} to {now.low:.4g}"),) if now.gap <= 0 else ()),
        ("‖w‖", now.norm),
        ("margin 1/‖w‖", 1 / now.norm if now.norm else None),
        ("‖w‖/Σα, no margin is wider", now.reach if now.total else None),
        ("rows with 0 < α < C", free),
        ("rows with α = C", at_the_bound),
        ("rows with α = 0", int((state.alpha[state.kept] == 0).sum())),
        ("wrong rows", int((now.margins < 0).sum()) if now.total else None),
        ("γ of the kernel", kernel_in_use(problem).gamma),
    ]
    if first is not None and state.first_alpha is not None:
        rows += [
            ("rows taken out", int((~state.kept).sum())),
            ("‖w‖ of all rows", first.norm),
            ("‖w' - w‖ now", apart(problem, state)),
            ("‖α' - α‖ now", float(np.linalg.norm(state.alpha - state.first_alpha))),
        ]
    return Panel(title="so far", marks=(Table(columns=("", "now"), rows=tuple(rows)),))
