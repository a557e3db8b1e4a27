"""Panels of a front: what every price leaves of the loss, against the length of w it takes."""

import numpy as np

from algorithms.core import Array, Labels, Panel, Path, Points, columns

_NOTE = "the least ½‖w‖² for Σ loss <= T"  # the same front, by what is allowed in place of what it costs


def front_panels(solved: Array, now: Array) -> tuple[Panel, ...]:
    """Draw (k, 4) prices that are solved, C, ½‖w‖², Σ loss and gap a row: as a line, and in numbers.

    Args:
        now: (4,) the same of the price in hand.
    """
    over = len(solved) > 0 and np.array_equal(solved[-1], now)
    drawn, shown = solved[:, [2, 1]], solved if over else np.vstack([solved, now])
    line = (Path(at=drawn, tone="muted"), Points(at=drawn, rows=False)) if len(drawn) else ()
    here = Labels(at=now[[2, 1]][None], texts=("now",), tones=("accent",))
    picture = Panel(
        title="the front: a point for each C",
        marks=(*line, here),
        axes=("T = Σ loss", "½‖w‖²"),
        limits=_around(drawn) if len(drawn) else None,
        note=_NOTE,
    )
    C, half, total, left = shown.T
    table = {"C": C, "‖w‖": np.sqrt(2 * half), "Σ loss": total, "P - D": np.maximum(left, 0.0)}
    return picture, columns("by C, the last in hand", table, marked=(len(shown) - 1,))


def _around(drawn: Array) -> tuple[tuple[float, float], tuple[float, float]]:
    """From 0 to beyond the greatest of each coordinate."""
    right, top = (1.1 * np.maximum(drawn.max(axis=0), 1e-300)).tolist()
    return (-0.05 * right, right), (-0.05 * top, top)
