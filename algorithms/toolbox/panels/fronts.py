"""Panels of a front: what every price leaves of the loss, against the length of w it takes."""

import numpy as np

from algorithms.core import Array, Labels, Panel, Path, Points, columns

_NOTE = "for Σ loss <= T, too"  # the same front, by what is allowed in place of what it costs


def front_panels(solved: Array, now: Array) -> tuple[Panel, ...]:
    """Draw (k, 4) prices that are solved, C, ½‖w‖², Σ loss and gap a row: as a line, and in numbers.

    Args:
        now: (4,) the same of the price in hand.
    """
    drawn, shown = solved[:, [2, 1]], np.vstack([solved, now])
    line = (Path(at=drawn, tone="muted"), Points(at=drawn, rows=False)) if len(drawn) else ()
    here = Labels(at=now[[2, 1]][None], texts=("now",), tones=("accent",))
    picture = Panel(title="the front: a point for each C", marks=(*line, here), axes=("Σ loss", "½‖w‖²"), note=_NOTE)
    C, half, total, left = shown.T
    table = {"C": C, "‖w‖": np.sqrt(2 * half), "Σ loss": total, "P - D": left}
    return picture, columns("by C, the last in hand", table, marked=(len(solved),))
