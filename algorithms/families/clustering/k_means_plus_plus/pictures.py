"""Panel of a draw by unequal chances: a wheel, unrolled, with pieces as long as the chances, and what points at one."""

import numpy as np

from algorithms.core import Array, Bars, Cursor, Panel
from algorithms.core.scene import Tone

_NAMED = 3  # pointers that have room for a name


def wheel(chances: Array, pieces: Array | None = None, drawn: tuple[int, ...] = (), u: tuple[float, ...] = ()) -> Panel:
    """Draw the pieces side by side from 0 to 1, each as wide and as high as the chance of its row, and the pointers.

    Args:
        chances: (n,) p, which sum to one; zeros where nothing can be drawn.
        pieces: (n,) int tones of the pieces; None where they have none.
        drawn: the rows pointed at; none before the draw.
        u: where in [0, 1) each of them was pointed at.
    """
    ends = chances.cumsum()
    held = np.flatnonzero(np.diff(ends, prepend=0.0) > 0)  # a chance below the rounding of the sum has no width
    if not len(held):
        return Panel(title="wheel of chances, unrolled", marks=(), limits=((0.0, 1.0), (0.0, 1.0)), note="no chances")
    edges = np.append(0.0, ends[held])
    tones: tuple[Tone, ...] = ("muted",) if pieces is None else tuple(pieces[held].tolist())
    pointers = [Cursor(x=value, name=_name(row, len(u))) for row, value in zip(drawn, u)]
    top = 1.15 * float(chances.max())
    note = f"{len(held):,} pieces" if not u else "u = " + ", ".join(f"{value:.3g}" for value in u[:_NAMED])
    return Panel(
        title="wheel of chances, unrolled",
        marks=(Bars(heights=chances[held], edges=edges, tones=tones), *pointers),
        axes=("Σ p", "p"),
        limits=((0.0, 1.0), (0.0, top)),
        note=note + (", ..." if len(u) > _NAMED else ""),
    )


def _name(row: int, pointers: int) -> str:
    return f"row {row}" if pointers <= _NAMED else ""
