"""What is said of the steps of least squares, with this step's numbers."""

import numpy as np

from algorithms.core import Array
from algorithms.families.regression.least_squares.orthogonal import depends
from algorithms.families.regression.least_squares.projection import Projection

_ROUNDED = 1e-24  # of ‖y‖²: what rounding leaves of a residual's square


def rss_in_words(r: Array, y: Array) -> str:
    """RSS, which is 0 where only rounding is left of it."""
    left = float(r @ r)
    return f"RSS = {left:.4g}" if left > _ROUNDED * float(y @ y) else "RSS = 0 but for rounding"


def counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def orthogonalise(now: Projection) -> str:
    j = now.seen[-1]
    name, x = now.of.names[j], now.column
    if not now.directions:
        return f"{name} is the first column: nothing is to be taken off it. ŷ will be y's projection on it."
    if depends(now.part, x):
        return f"Nothing but rounding is left of {name} without its parts along the columns before it: z = 0."
    share = float(np.linalg.norm(now.part) / np.linalg.norm(x))
    others = "column" if len(now.directions) == 1 else f"span of the {len(now.directions)} columns"
    angle = np.degrees(np.arcsin(min(share, 1.0)))
    return f"Of {name} {share:.1%} of its length is left: its angle to the {others} before it is {angle:.3g}°."


def project(now: Projection) -> str:
    j, r, y = now.seen[-1], now.r, now.of.y
    row, taken = int(np.abs(r).argmax()), float(now.directions[-1] @ y) ** 2
    made = f"{now.of.names[j]} takes {taken:.4g} off: {rss_in_words(r, y)}; its weight is {now.w[j]:.4g}."
    if float(r @ r) <= _ROUNDED * float(y @ y):
        return f"{made} Every row is fitted exactly."
    return f"{made} {now.data.who(row)} is farthest off, by {r[row]:+.4g}."


def dependent(now: Projection) -> str:
    name, left = now.of.names[now.seen[-1]], rss_in_words(now.r, now.of.y)
    return f"{name} is a sum of columns before it: ŷ stays, {left} as before. Many w fit as well; X⁺y is the shortest."


def start(now: Projection) -> str:
    left, come = rss_in_words(now.r, now.of.y), counted(len(now.w), "column is", "columns are")
    return f"ŷ = 0, so all of y is residual: {left}. {come} to come."


def end(now: Projection) -> str:
    """Why it is over."""
    p = now.of.X.shape[1]
    more = p - len(now.used)
    lost = f", {counted(more, 'of them depends', 'of them depend')} on others" if more else ""
    return f"{counted(p, 'column is', 'columns are')} in{lost}; ŷ is y's projection, {rss_in_words(now.r, now.of.y)}"
