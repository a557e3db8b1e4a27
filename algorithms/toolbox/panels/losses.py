"""Panel of a loss over the margin, with every row sitting on it."""

from collections.abc import Callable
from math import ceil, log2

import numpy as np

from algorithms.core import Array, Cursor, Dataset, Panel, Path, Points, Segments
from algorithms.toolbox.margin_losses import margin_loss
from algorithms.toolbox.panels.row_words import says_cost

_PLACES = 241
_LEAST = 2.0  # margins that are always seen
_FAR = 3.0  # of the rows' spread: a longer slack is not drawn


def loss_over_margin(
    z: Array,
    classes: Array | None,
    loss: Callable[[Array], Array],
    formula: str,
    *,
    name: str = "the loss over the margin",
    ringed: Array | None = None,
    weights: Array | None = None,
    sizes: str = "",
    beyond: str = "",
    note: str = "",
    margin: str = "y f(x)",
) -> Panel:
    """Draw a loss over z = y f with the rows on it, and the 0-1 step behind.

    Args:
        z: (n,) margins of the rows.
        classes: (n,) their codes.
        loss: (m,) z -> (m,).
        beyond: what is said at z = 1; nothing there where it is empty.
        weights, sizes: (n,) sizes of the rows in [0, 1], and what these show.
        margin: what z is: "y w·x" where the algorithm calls something else f.
    """
    reach = 2.0 ** ceil(log2(max(float(np.abs(z).max()), _LEAST)))  # so that it changes seldom
    along = np.linspace(-reach, reach, _PLACES)
    at = loss(z)
    top = 1.1 * max(float(at.max()), 1.5)
    step = np.array([[-reach, 1.0], [0.0, 1.0], [0.0, 0.0], [reach, 0.0]])
    line = np.column_stack([along, loss(along)])
    line[line[:, 1] > 2 * top] = np.nan
    one = (Cursor(x=1.0, tone="muted", name=beyond),) if beyond else ()
    return Panel(
        title=name,
        marks=(
            Path(at=step, tone="muted", name="0-1 loss"),
            *one,
            Path(at=line, tone="accent", name=formula),
            Points(
                at=np.column_stack([z, at]),
                classes=classes,
                ringed=ringed,
                crossed=z <= 0,
                weights=weights,
                sizes=sizes,
                says=says_cost(z, at),
            ),
        ),
        axes=(f"z = {margin}", "loss"),
        limits=((-reach, reach), (-0.05 * top, top)),
        note=note,
    )


def squares_over_margin(z: Array, rows: Points) -> Panel:
    """Draw (1 - z)², which least squares charges a row, also for being right by more than 1.

    Args:
        rows: as they are marked elsewhere.
    """
    squared, many = margin_loss("squared"), int((z > 1).sum())
    return loss_over_margin(
        z,
        rows.classes,
        squared.of,
        squared.formula,
        name="what a row pays",
        ringed=rows.ringed,
        weights=rows.weights,
        sizes=rows.sizes,
        beyond="right by 1",
        note=f"rows that pay for being right by more than 1: {many} of {len(z)}",
    )


def square_in_words(z: float) -> str:
    """What least squares says of a row with the margin z."""
    cost = f"costs (1 - y f)² = {(1 - z) ** 2:.3g}, twice its part of J"
    if z > 1:
        return f"y f = {z:.3g}, right by more than 1, which still {cost}: W turns back."
    side = "right, but short of 1" if z > 0 else "on no side" if z == 0 else "wrong"
    return f"y f = {z:.3g}, {side}, which {cost}: W turns towards it."


def slack_lines(data: Dataset, weights: Array, xi: Array) -> tuple[Segments, ...]:
    """Draw from each row short of z = 1 to the place where it would have it, ξ/‖w‖ away.

    Of more than two features there are none: a plane would show their shadows, which end on no line that is seen.

    Args:
        weights: (d,) w without the bias.
        xi: (n,) ξ = max(0, 1 - z).
    """
    length, spread = float(np.linalg.norm(weights)), float(data.X.std(axis=0).max())
    drawn = (xi > 0) & (xi < _FAR * spread * length)
    if data.d > 2 or not drawn.any():
        return ()
    way = (data.signs * xi)[drawn, None] * (weights / length**2)
    return (Segments(start=data.X[drawn], end=data.X[drawn] + way, name="ξ = 1 - z"),)
