"""Panels of a function under constraints: the point between its forces, and θ over each multiplier."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import (
    Array,
    Arrow,
    Contours,
    Cursor,
    DragHandles,
    Labels,
    Panel,
    Path,
    Region,
    State,
    Trail,
    columns,
    numbers,
)
from algorithms.core.scene import Mark, Tone
from algorithms.families.duality.dual_ascent.constrained import Constrained
from algorithms.families.duality.dual_ascent.multipliers import GAP

_LONGEST = 0.3  # of the window's width, for the greatest force
_PLACES = 61  # of a curve of θ
_DIGITS = "₁₂₃"
TONES: tuple[Tone, ...] = (2, 3, 0)  # of the constraints; what is allowed has 1, the point the accent


def named(letter: str, i: int, m: int) -> str:
    """α₁, α₂, ... where there are several."""
    return letter if m == 1 else f"{letter}{_DIGITS[i]}"


def feasible(of: Constrained) -> tuple[Mark, ...]:
    """Tint where all inequalities are met, with each constraint's edge as a line."""
    inequalities = ~of.signed
    marks: list[Mark] = []
    if inequalities.any():
        marks.append(
            Region(
                score=lambda at: np.where((of.g(at)[..., inequalities] <= 0).all(axis=-1), 1.0, -1.0),
                tones=(-1, 1),
                lines=(),
                depth=1.0,  # allowed is allowed: one shade
            )
        )
    edges = zip(of.constraints, TONES)
    marks += [
        Contours(height=g.value, levels=(0.0,), tone=tone, name=g.text.replace("<=", "≤").replace(">=", "≥"))
        for g, tone in edges
    ]
    return tuple(marks)


def forces(of: Constrained, at: Array, alpha: Array) -> tuple[Arrow, ...]:
    """-∇f and each -α∇g at a place, to one scale: where L is least they cancel."""
    pulls = -np.vstack([of.gradient(at)[None], alpha[:, None] * of.slopes(at)])
    names = ("-∇f", *(named("-α", i, of.m) + named("∇g", i, of.m) for i in range(of.m)))
    longest = float(np.linalg.norm(pulls, axis=1).max())
    if longest == 0:
        return ()
    scale = _LONGEST * (of.window[0][1] - of.window[0][0]) / longest
    tones: tuple[Tone, ...] = ("ink", *TONES)
    drawn = zip(pulls, names, tones)
    return tuple(
        Arrow(start=at, end=at + scale * pull, tone=tone, name=name)
        for pull, name, tone in drawn
        if float(np.linalg.norm(pull)) > 1e-3 * longest
    )


def between_forces(of: Constrained, at: Array, alpha: Array, where: Callable[[Any], Array], formula: str) -> Panel:
    """The point that the multipliers choose, over the level lines of f, in what the constraints allow."""
    low, high = np.array(of.window).T
    return Panel(
        title=formula,
        marks=(
            *feasible(of),
            Contours(height=of.value, name="levels of f"),
            Trail(where=lambda state: where(state)[None], tones=("accent",), name="path of x"),
            Labels(at=of.solution[None], texts=("x*",), tones=("muted",)),
            *forces(of, at, alpha),
            Labels(at=at[None], texts=("x",), tones=("accent",)),
        ),
        axes=of.axes,
        limits=of.window,
        equal=True,
        note="tinted: allowed" if ((low <= at) & (at <= high)).all() else "x lies outside of what is shown",
    )


def dual_over_each(
    of: Constrained, at: Array, alpha: Array, moved: Callable[[Any, Array], State], reach: float
) -> Panel:
    """θ as each multiplier alone moves from where it is; L(x, ·) of the point in hand touches it, drawn where steepest.

    Args:
        reach: the largest multiplier that is shown.
        moved: (state, α) -> the state with other multipliers.
    """
    lowest = -0.3 * reach if not of.signed.any() else -reach
    along = np.linspace(lowest, reach, _PLACES)
    value = float(of.lagrangian(at, alpha))
    g = of.g(at)
    bottom = min(of.theta(np.clip(alpha, 0, None) if not of.signed.any() else alpha), of.optimum)
    bottom = bottom if np.isfinite(bottom) else of.optimum
    span = max(of.optimum - bottom, 0.25 * abs(of.optimum), 0.25)
    marks: list[Mark] = []
    for i in range(of.m):
        tone = TONES[i]
        moves = np.repeat(alpha[None], _PLACES, axis=0)
        moves[:, i] = along
        heights = of.thetas(moves)
        marks.append(Path(at=np.column_stack([along, heights]), tone=tone, name=f"θ({named('α', i, of.m)})"))
    steepest = int(np.abs(g).argmax())
    tangent = np.column_stack([along, value + g[steepest] * (along - alpha[steepest])])
    marks.insert(0, Path(at=tangent, tone="muted", name=f"L(x, {named('α', steepest, of.m)})"))
    places = np.column_stack([alpha, np.full(of.m, value)])
    names = tuple(named("α", i, of.m) for i in range(of.m))

    def drag(state: Any, i: int, to: Array) -> State:
        changed = alpha.copy()
        changed[i] = to[0]
        return moved(state, changed)

    level = np.array([[lowest, of.optimum], [reach, of.optimum]])
    return Panel(
        title="θ, and p* above it",
        marks=(
            Cursor(x=0.0, tone="muted"),
            Path(at=level, tone="ink", name="p*"),
            *marks,
            Labels(at=places, texts=names, tones=TONES[: of.m]),
            DragHandles(at=places, moved=drag, names=names),
        ),
        axes=("α", "θ"),
        limits=((lowest, reach), (of.optimum - 2 * span, of.optimum + span)),
    )


def under_the_wall(of: Constrained, at: Array, alpha: Array) -> Panel:
    """α g for each constraint, at the g of the point in hand, below the wall that is 0 where it is met and ∞ beyond."""
    g = of.g(at)
    reach = 2.0 ** np.ceil(np.log2(max(float(np.abs(g).max()), 0.5)))  # so that it changes seldom
    top = max(1.2 * float(np.abs(alpha).max()) * reach, 0.5)
    ends = np.array([-reach, reach])
    lines = tuple(Path(at=np.column_stack([ends, alpha[i] * ends]), tone=TONES[i]) for i in range(of.m))
    wall = Path(at=np.array([[-reach, 0.0], [0.0, 0.0], [0.0, top]]), tone="ink", name="wall")
    names = tuple(named("g", i, of.m) for i in range(of.m))
    here = Labels(at=np.column_stack([g, alpha * g]), texts=names, tones=TONES[: of.m])
    return Panel(
        title="α g under the wall", marks=(*lines, wall, here), axes=("g", "α g"), limits=((-reach, reach), (-top, top))
    )


def constraints(of: Constrained, at: Array, alpha: Array) -> Panel:
    """What a place makes of each constraint, and what that weighs."""
    g = of.g(at)
    texts = [each.text for each in of.constraints]
    heads = {"constraint": texts, "α": alpha, "g(x)": g, "α g": alpha * g, "α*": of.multipliers}
    return columns("constraints", heads, tones=TONES[: of.m])


def duality(of: Constrained, at: Array, alpha: Array) -> Panel:
    """Both problems in numbers."""
    theta = float(of.lagrangian(at, alpha)) if of.least(alpha) is not None else None
    left = of.optimum - of.greatest
    return numbers(
        {
            "minimise": of.formula,
            "f(x)": float(of.value(at)),
            "L(x, α)": theta,
            "p*": of.optimum,
            "θ*, the greatest θ": of.greatest,
            "gap that stays, p* - θ*": left if left > GAP else 0.0,
            "Σ|α g|": float(np.abs(alpha * of.g(at)).sum()),
            "1/L": None if of.L is None else 1 / of.L,
        }
    )
