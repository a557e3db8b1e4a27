"""Panels of a function with kinks at 0: the path of two weights over it, its supporting line, the parabola over |w|."""

from collections.abc import Callable
from math import ceil, log2
from typing import Any

import numpy as np

from algorithms.core import Array, Arrow, Contours, DragHandles, Labels, Panel, Path, Points, State, Trail
from algorithms.core.scene import Tone
from algorithms.families.regression.shared.lasso import Lasso, Solution

_PLACES = 161
_BESIDE = 0.4  # of the larger weight: how much is seen on either side of one that is 0
_ROOM = 0.25
_WIDEST = 1.75  # of w/v


def pair_of(best: Solution, deepest: bool) -> Array:
    """(2,) int: the largest coefficient of w*, and one of those that are 0 there.

    Where none of the others is 0, the least of them; the first twice where there is no other.

    Args:
        deepest: of those at 0 the one with the least |x_j·r|, deepest in its kink; else the one with the greatest.
    """
    w, q = np.abs(best.w), np.abs(best.correlations)
    first = int((w if w.any() else q).argmax())
    others = np.delete(np.arange(len(w)), first)
    if not len(others):
        return np.array([first, first])
    none = others[w[others] == 0]
    if not len(none):
        return np.array([first, others[w[others].argmin()]])
    return np.array([first, none[(-q if deepest else q)[none].argmax()]])


def spans(best: Solution, pair: Array) -> tuple[tuple[float, float], tuple[float, float]]:
    """How much of two coefficients is shown: 0 and those of w*, with room on all sides."""
    aim = best.w[pair]
    reach = _BESIDE * (float(np.abs(aim).max()) or 1.0)
    first, second = [
        (min(0.0, a) - _ROOM * max(abs(a), reach), max(0.0, a) + _ROOM * max(abs(a), reach)) for a in aim.tolist()
    ]
    return first, second if abs(float(aim[1])) > _ROOM * reach else (-reach, reach)


def kinked_path(
    f: Lasso,
    best: Solution,
    pair: Array,
    names: tuple[str, ...],
    w: Array,
    *,
    moved: Callable[[Any, Array], State],
    earlier: Array | None = None,
) -> Panel:
    """Show two coefficients and where they have been over the level lines of F, which have corners on the axes.

    Args:
        pair: (2,) int, which two; the others are as in w*.
        names: of all coefficients.
        w, earlier: (d,) coefficients, and those before the step.
        moved: (state, (2,) to) -> the state with the two there.
    """
    limits, aim, H, q = spans(best, pair), best.w[pair], f.of.gram[np.ix_(pair, pair)], best.correlations[pair]
    (left, right), (low, high) = limits

    def height(at: Array) -> Array:
        off = at - aim
        bowl = np.vecdot(off @ H, off) / 2 - off @ q
        return np.asarray(best.value + bowl + f.lam * (np.abs(at) - np.abs(aim)).sum(axis=1))

    step = () if earlier is None else (Arrow(start=earlier[pair], end=w[pair], tone="accent", legend="the step"),)
    return Panel(
        title="the path of two coefficients over F",
        marks=(
            Contours(height=height, name="levels of F"),
            Path(at=np.array([[left, 0.0], [right, 0.0]]), tone="muted"),
            Path(at=np.array([[0.0, low], [0.0, high]]), tone="muted"),
            Trail(where=lambda state: state.w[pair][None], tones=("accent",), name="path of w"),
            *step,
            Labels(at=np.stack([aim, w[pair]]), texts=("w*", "w"), tones=("ink", "accent")),
            DragHandles(at=w[pair][None], moved=lambda state, _, to: moved(state, to), names=("w",)),
        ),
        axes=(names[pair[0]], names[pair[1]]),
        limits=limits,
        note="" if f.d == 2 else "the others as in w*",
    )


def supporting_line(f: Lasso, best: Solution, pair: Array, names: tuple[str, ...], w: Array) -> Panel:
    """Draw F along the second of a pair of coefficients, less F(w), with the line of a subgradient under it.

    At a kink there are many lines; the two steepest are drawn.
    """
    j, alone = int(pair[1]), 1.6 * abs(float(best.w[pair[1]])) or 1.0
    span = (-alone, alone) if f.d == 1 else spans(best, pair)[1]
    at, q, square, reach = float(w[j]), float(f.correlations(w)[j]), float(f.of.squares[j]), max(map(abs, span))
    slopes = {"supporting line": f.lam * np.sign(at) - q} if at else {"supporting lines": -f.lam - q, "": f.lam - q}
    along = _within(span)
    change = square * (along - at) ** 2 / 2 - q * (along - at) + f.lam * (np.abs(along) - abs(at))
    top = square * reach**2 / 2 + f.lam * reach or 1.0
    lines = tuple(_line(along[::-1], slope * (along[::-1] - at), "ink", name, top) for name, slope in slopes.items())
    return Panel(
        title=f"F along {names[j]}",
        marks=(
            _line(along, change, "accent", "F - F(w)", top),
            *lines,
            Labels(at=np.array([[at, 0.0]]), texts=("w",), tones=("accent",)),
        ),
        axes=(names[j], "F - F(w)"),
        limits=(span, (-top / 2, top)),
        note="" if span[0] <= at <= span[1] else "w lies outside of what is shown",
    )


def parabola_over_size(name: str, w: float, v: float, epsilon: float, touches: bool, widest: float) -> Panel:
    """Draw |w|, as it is smoothed, and the parabola over it that a weighted least-squares problem has in its place.

    Args:
        w: the weight.
        v: what it is weighed by, which is where the parabola touches.
        touches: whether it touches at w; else w is where it led to.
        widest: how large the weight is where it is largest in the run: one that shrinks is seen to.
    """
    reach = 2.0 ** ceil(log2(1.6 * max(v, abs(w), widest)))  # so that it changes seldom
    along, top = _within((-reach, reach)), 1.5 * reach
    parabola = np.full(_PLACES, np.inf) if v == 0 else along * (along / (2 * v)) + epsilon * (epsilon / (2 * v)) + v / 2
    on = abs(w) if v == 0 else w * (w / (2 * v)) + epsilon * (epsilon / (2 * v)) + v / 2
    smooth = () if epsilon == 0 else (_line(along, np.hypot(along, epsilon), "ink", "√(w² + ε²)", top),)
    return Panel(
        title=f"the parabola over |{name}|",
        marks=(
            _line(along, np.abs(along), "muted", "|w|", top),
            *smooth,
            _line(along, parabola, "accent", "parabola", top),
            Labels(at=np.array([[w, min(on, top)]]), texts=("w touches" if touches and v else "w",), tones=("accent",)),
        ),
        axes=(f"w of {name}", "penalty / λ"),
        limits=((-reach, reach), (-top / 8, top)),  # so that what names the lowest place has room below it
    )


def weights_in_units(u: Array, none: Array) -> Panel:
    """Draw all coefficients in units of what each is weighed by, u = w/v, for then all parabolas are one: (u² + 1)/2.

    Args:
        u: (d,) w/v.
        none: (d,) bool, those that are 0 in w*.
    """
    along, top = _within((-_WIDEST, _WIDEST)), (_WIDEST**2 + 1) / 2
    shown = np.clip(u, -_WIDEST, _WIDEST)
    beyond = int((np.abs(u) > _WIDEST).sum())
    names = ("0 in w*", "not 0 in w*")
    return Panel(
        title="all coefficients, w/v",
        marks=(
            _line(along, np.abs(along), "muted", "|u|", top),
            _line(along, (along**2 + 1) / 2, "ink", "(u² + 1)/2", top),
            Points(
                at=np.column_stack([shown, (shown**2 + 1) / 2]), classes=(~none).astype(int), names=names, rows=False
            ),
        ),
        axes=("u = w/v", "penalty / λv"),
        limits=((-_WIDEST, _WIDEST), (0.0, top)),
        note=f"{beyond} farther out" if beyond else "1: the slope is λ",
    )


def _within(span: tuple[float, float]) -> Array:
    """Places of a span, the ends a little inside."""
    room = 0.01 * (span[1] - span[0])
    return np.linspace(span[0] + room, span[1] - room, _PLACES)


def _line(x: Array, y: Array, tone: Tone, name: str, top: float) -> Path:
    """A curve as far as it is seen, so that its end, where the name stands, is in sight."""
    seen = (-0.48 * top < y) & (y < 0.97 * top)
    return Path(at=np.column_stack([x[seen], y[seen]]), tone=tone, name=name)
