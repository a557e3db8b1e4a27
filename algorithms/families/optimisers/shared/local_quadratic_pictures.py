"""Panels of a quadratic that stands for a function of the plane about a place: its level line, and both along a step.

q(z) = f(x) + ∇f(x)·(z - x) + ½ (z - x)ᵀH(z - x)
"""

import numpy as np

from algorithms.core import Array, Cursor, Labels, Panel, Path
from algorithms.core.scene import Mark
from algorithms.toolbox.functions import Function

_TONE = 2
_PLACES = 141
_AROUND = 721  # directions
_FAR = 4.0  # of what is shown of f
_THIN = 1e-9  # of the greatest curvature: what is less counts as that in spreading directions
_SPAN = (-0.25, 1.5)  # of a step
_SHARE = 0.3  # of what is shown of f
_STRAIGHT = 1e-9  # a smaller curvature is as good as none


def level_line(f: Function, x: Array, H: Array, flat: Array | None, name: str) -> tuple[Mark, ...]:
    """q's line through x: an ellipse about q's minimum, or the branches of a hyperbola; and where q is flat.

    Args:
        x: (2,) where q touches f.
        H: (2, 2) q's curvature.
        flat: (2,) where ∇q = 0; None where that is nowhere. Outside of what is shown of f it has no label.
        name: of the line.
    """
    (left, right), (low, high) = f.window
    line = Path(at=conic(x, f.gradient(x), H, _FAR * max(right - left, high - low)), tone=_TONE, name=name)
    if flat is None or not (left <= flat[0] <= right and low <= flat[1] <= high):
        return (line,)
    return line, Labels(at=flat[None], texts=("∇q = 0",), tones=(_TONE,))


def conic(x: Array, g: Array, H: Array, far: float) -> Array:
    """(m, 2) places with q = f(x): along each direction u from x the one at r = -2 g·u/u·Hu.

    It is NaN beyond `far` and between the branches of a hyperbola.

    The directions are spread as H stretches them, so that they reach the ends of a thin ellipse too.
    """
    values, vectors = np.linalg.eigh(H)
    stretched = np.sqrt(np.maximum(np.abs(values), _THIN * (np.abs(values).max() or 1.0)))
    angles = np.linspace(0.0, np.pi, _AROUND)
    u = (np.column_stack([np.cos(angles), np.sin(angles)]) / stretched) @ vectors.T
    bend = np.vecdot(u @ H, u)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = (-2 * (u @ g) / bend)[:, None] * u
        off[np.linalg.norm(off, axis=1) > far] = np.nan
    off[:-1][np.diff(np.sign(bend)) != 0] = np.nan  # there one branch of a hyperbola ends
    return np.asarray(x + off)


def along_step(
    f: Function, x: Array, H: Array, d: Array, s: float, enough: float | None, letter: str = "s", reach: float = 1.0
) -> tuple[Panel, ...]:
    """f and q over how much of a step d from x is taken; nothing where there is no step.

    Args:
        s: how much is tried or was taken.
        enough: the share of the promised fall that Armijo's test asks for; None where there is no test.
        letter: how s is called.
        reach: the s about which it is drawn.
    """
    if not d.any():
        return ()
    span = (_SPAN[0] * reach, _SPAN[1] * reach)
    at, now = np.linspace(*span, _PLACES), float(f.value(x))
    slope, bend = float(f.gradient(x) @ d), float(d @ H @ d)
    q = now + at * slope + at * at * bend / 2
    room = 0.3 * float(np.ptp(q)) or 1.0
    low, high = min(float(q.min()), now) - room, max(float(q.max()), now) + room
    heights = f.value(x + at[:, None] * d)
    shown = np.where((heights > low - room) & (heights < high + room), heights, np.nan)
    test = (
        ()
        if enough is None
        else (Path(at=np.column_stack([at, now + enough * at * slope]), tone=3, name="Armijo: f at most"),)
    )
    return (
        Panel(
            title="f and q along d",
            marks=(
                *test,
                Path(at=np.column_stack([at, q]), tone=_TONE, name="q"),
                Path(at=np.column_stack([at, shown]), tone="ink", name="f"),
                Cursor(x=s, name=letter),
            ),
            axes=(letter, f"f(x + {letter} d)"),
            limits=(span, (low, high)),
        ),
    )


def shapes(f: Function, x: Array, B: Array) -> tuple[Mark, ...]:
    """How a learned curvature B and the true one H look about x: zᵀBz = r² and zᵀHz = r², one r for both.

    An ellipse stands for a positive definite matrix; H has none where a curvature is not positive.

    Args:
        x: (2,), in the plane of f.
        B: (2, 2), positive definite.
    """
    shown = [("B", B, _TONE), ("H", f.hessian(x), 0)]
    rings = [(name, _ring(M), tone) for name, M, tone in shown if np.linalg.eigvalsh(M)[0] > _STRAIGHT]
    r = _SHARE * min(high - low for low, high in f.window) / max(float(np.abs(ring).max()) for _, ring, _ in rings)
    return tuple(Path(at=x + r * ring, tone=tone, name=name) for name, ring, tone in reversed(rings))


def why_no_ellipse(H: Array) -> str:
    """Say why H has none; "" where it has one."""
    least = float(np.linalg.eigvalsh(H)[0])
    if least > _STRAIGHT:
        return ""
    return f"H has no ellipse: λ = {least:.3g}" if least < -_STRAIGHT else "H has no ellipse: it is flat"


def _ring(M: Array) -> Array:
    """(m, 2) places z about the middle with zᵀMz = 1."""
    values, vectors = np.linalg.eigh(M)
    turn = np.linspace(0, 2 * np.pi, _PLACES)
    return np.asarray((np.column_stack([np.cos(turn), np.sin(turn)]) / np.sqrt(values)) @ vectors.T)
