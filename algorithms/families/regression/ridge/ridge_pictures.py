"""Panels of a penalised fit: the loss meeting the disc that the weights are kept in, and bias against variance."""

import numpy as np

from algorithms.core import Array, Contours, Cursor, Labels, Panel, Path, Paths, Points
from algorithms.core.scene import Mark
from algorithms.families.regression.ridge.ridge_error import Parts

BIAS, VARIANCE = 0, 1  # their tones, here and in the curves
_SHARES = (0.03, 0.15, 0.4, 0.75)  # of what there is to gain from w = 0: levels of the loss


def loss_meets_disc(
    names: tuple[str, ...],
    X: Array,
    y: Array,
    w: Array,
    path: Array,
    shown: tuple[int, int],
    lam: float,
    known: Array | None,
) -> Panel:
    """Draw the level lines of RSS over two weights, the others as they are, and the disc ‖w‖ <= ‖w_λ‖.

    Args:
        names: of the p features.
        X, y: (n, p) and (n,), both without their means.
        w: (p,) the weights of now; the level line through them touches the disc.
        path: (v, p) the weights along λ.
        shown: the two weights.
        known: (p,) the true ones, None where they are not known.
    """
    pair = list(shown)
    r = y - X @ w
    g, bend = X[:, pair].T @ r, X[:, pair].T @ X[:, pair]
    here, radius = w[pair], float(np.linalg.norm(w[pair]))
    centre = here + np.linalg.lstsq(bend, g)[0]
    lowest = -float(g @ (centre - here))

    def height(at: Array) -> Array:
        """RSS less that of w."""
        away = at - here
        return np.asarray(np.vecdot(away @ bend, away) - 2 * away @ g)

    total = float(y @ y)
    levels = tuple(lowest + share * total for share in _SHARES)
    seen = path[:, pair] if known is None else np.vstack([path[:, pair], known[pair]])
    half = 1.15 * float(np.abs(seen).max()) or 1.0
    turn = np.linspace(0.0, 2 * np.pi, 73)
    disc = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    marks: list[Mark] = [Contours(height=height, levels=levels, name="levels of RSS")]
    if radius and lam > 0 and lowest < -1e-12 * total:
        marks.append(Contours(height=height, levels=(0.0,), tone=1, name="RSS as at w"))
    marks += [
        Path(at=path[:, pair], tone="ink", name="w along λ"),
        Path(at=disc, tone=0, name="the disc"),
        Labels(at=np.zeros((1, 2)), texts=("0",), tones=("muted",)),
    ]
    if (np.abs(centre) <= half).all():
        marks.append(Labels(at=centre[None], texts=("least RSS",), tones=(1,)))
    if known is not None:
        marks.append(Labels(at=known[pair][None], texts=("true w",), tones=(2,), glyph="×"))
    marks.append(Labels(at=here[None], texts=("w",), tones=("accent",), glyph="●"))
    more = len(w) > 2
    return Panel(
        title="the loss meets the disc",
        marks=tuple(marks),
        axes=(f"w of {names[shown[0]]}", f"w of {names[shown[1]]}"),
        limits=((-half, half), (-half, half)),
        equal=True,
        note="other weights as they are" if more else "",
    )


def bias_and_variance(penalties: Array, parts: list[Parts], without: Parts, lam: float, most: float) -> Panel:
    """Draw bias², variance and their sum along λ, with the least sum marked.

    Args:
        penalties: (v,) finite, above 0.
        parts: of each of them.
        without: at λ = 0.
        lam: the λ that is looked at.
        most: 2σ²/‖w*‖², up to which every λ helps.
    """
    bias, variance = np.array([p.bias for p in parts]), np.array([p.variance for p in parts])
    total = bias + variance
    least = int(total.argmin())
    ends = float(penalties.min()), float(penalties.max())

    def along(values: Array) -> Array:
        return np.column_stack([penalties, values])

    marks: list[Mark] = [Path(at=np.array([[e, without.total] for e in ends]), tone="muted", name="MSE at λ = 0")]
    if ends[0] <= most <= ends[1]:
        marks.append(Cursor(x=most, tone="muted", name=f"2σ²/‖w*‖² = {most:.3g}"))
    if ends[0] <= lam <= ends[1]:
        marks.append(Cursor(x=lam, name=f"λ = {lam:.4g}"))
    marks += [
        Paths(at=along(bias)[None], tones=(BIAS,), name="bias²"),
        Paths(at=along(variance)[None], tones=(VARIANCE,), name="variance"),
        Paths(at=along(total)[None], name="their sum, MSE"),
        Points(at=along(total)[[least]], tone="accent", ringed=np.ones(1, bool), rows=False, names=("least",)),
    ]
    top = 1.15 * max(float(total.max()), without.total) or 1.0
    return Panel(
        title="bias² and variance along λ, logarithmic",
        marks=tuple(marks),
        axes=("λ", "E‖ŵ - w‖²"),
        limits=(ends, (0.0, top)) if ends[0] < ends[1] else None,
        log="x",
        note=f"least at λ = {penalties[least]:.4g}",
    )
