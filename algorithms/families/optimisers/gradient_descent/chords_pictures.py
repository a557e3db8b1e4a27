"""A function of the plane beside its chord: how far it hangs below it, or stands above."""

import numpy as np

from algorithms.core import Array, Labels, Panel, Path, Points
from algorithms.toolbox.functions import Function

_PLACES = 141
_BEYOND = 0.4  # of the chord's length, on each side
_STRAIGHT = 1e-9  # of the size of f: a lesser gap is rounding
_TONE = 1


def chord_panel(f: Function, a: Array, b: Array, names: tuple[str, str]) -> Panel:
    """Draw f less its chord from a to b (2,), which lies level so that a small gap is seen; and the gap half-way."""
    share, (below, above) = np.linspace(-_BEYOND, 1 + _BEYOND, _PLACES), f.half_way(a, b)
    first, last = (float(f.value(end)) for end in (a, b))
    gap = f.value(a + share[:, None] * (b - a)) - (first + share * (last - first))
    if np.abs(gap).max() <= _STRAIGHT * (abs(first) + abs(last)):
        gap, below = np.zeros(_PLACES), above
    room = 0.15 * float(np.ptp(gap)) or 1.0
    middle = np.array([[0.5, 0.0], [0.5, below - above]])
    return Panel(
        title="f less its chord",
        marks=(
            Path(at=np.array([[0.0, 0.0], [1.0, 0.0]]), tone=_TONE),
            Path(at=np.column_stack([share, gap]), tone="ink", name="f"),
            Path(at=middle, tone="muted"),
            Points(at=middle[1:], classes=np.array([0]), rows=False),
            Labels(
                at=np.array([[0.0, 0.0], [1.0, 0.0]]),
                texts=names,
                tones=tuple("accent" if name == "x" else "muted" for name in names),
            ),
        ),
        axes=("share of it", ""),
        limits=((-_BEYOND, 1 + _BEYOND), (float(gap.min()) - room, float(gap.max()) + room)),
        note=f"half-way f is {below:.4g}, the chord {above:.4g}",
    )
