"""Separation: whether a hyperplane through the origin has all rows strictly on one side, with the proof of it.

The point of least norm in the convex hull of z_1, ..., z_n answers both ways. If it is p != 0, then
z_i·p >= ‖p‖² for every row: p/‖p‖ separates, and no unit vector does so with a wider margin than ‖p‖. If it
is 0, then 0 = Σ λ_i z_i with λ >= 0, Σ λ = 1, and no u has u·z_i > 0 for all i, since Σ λ_i (u·z_i) = 0. Some
u may still have u·z_i >= 0 for all: rows that can be separated weakly, with margin 0, are not separated here.

Whether rows can be separated does not depend on the units of the columns, nor on the lengths of the rows; the margin
does. So what is too short to be told from 0 in the rows as they are is decided on balanced ones: columns divided by
their greatest entry and rows by their length, in turns. Where rounding hides the answer there too, it is undecided.

References: Wolfe (1976), Finding the nearest point in a polytope, Mathematical Programming 11; Gordan (1873).
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from algorithms.core import Array, DoesNotApply, Undecided

_PRODUCTS = 500_000_000  # multiplications that may be spent on looking: about half a second
_WIDE = 1e-12  # of the longest row: a margin that no rounding can have made
_ROUNDING = 8 * np.finfo(float).eps  # of balanced rows, for each column: a mean as short as this is 0
_LEFT = 1e-6  # of what is added in a column: more is no rounding, whose part grows where weights are small
_TURNS = 8  # of balancing columns and rows
_NOTHING = 1e-12  # a weight that rounding may have made of 0
_OPTIMAL = 1e-10  # a margin this close to the best possible, relatively, is the best


class Separation(Struct, frozen=True, eq=False):
    """The answer, and what proves it: a direction, a weighted mean that is 0, or neither.

    Attributes:
        direction: (p,) unit vector with every row at least `margin` on its positive side, or None.
        margin: the least z·direction, measured on the rows; 0 where there is no direction.
        shares: (n,) weights >= 0 that sum to one.
        remainder: the norm of the rows' mean under those weights; no unit vector has a margin above it.
        longest: the norm of the longest row.
        impossible: whether that mean is 0, to rounding: then nothing separates the rows strictly.
        why: what keeps the answer open, where there is neither a direction nor a proof; else "".
    """

    direction: Array | None
    margin: float
    shares: Array
    remainder: float
    longest: float
    impossible: bool
    why: str


def separate(rows: Array) -> Separation:
    """Look for a separating direction of (n, p) rows, or for the proof that there is none.

    The work is bounded by a count, not by a clock, so that the same rows always have the same answer. When the
    count runs out, the best direction so far stands with the margin it has; there may be none. The margin is the widest
    there is but for that, and but for a direction that only the balanced rows show: that separates, and no more.
    """
    size = float(np.abs(rows).max()) or 1.0  # taken out, so that no square overflows or vanishes
    rows = rows / size
    longest = float(np.sqrt(np.vecdot(rows, rows).max()))
    hull = shortest_point(rows, _WIDE * longest, _WIDE * longest)
    direction, shares, impossible, why = hull.direction, hull.shares, False, ""
    if direction is None:
        direction, shares, impossible, why = decided_on_balanced(rows)
    margin = 0.0 if direction is None else float((rows @ direction).min())
    return Separation(
        direction=direction,
        margin=size * margin,
        shares=shares,
        remainder=size * float(np.linalg.norm(shares @ rows)),
        longest=size * longest,
        impossible=impossible,
        why=why,
    )


def strictly(best: Separation) -> bool | DoesNotApply | Undecided:
    """Whether the rows can be separated strictly, as the hypothesis of a theorem, with the reason where they cannot."""
    if best.direction is not None:
        return True
    if best.impossible:
        rows = np.count_nonzero(best.shares)
        return DoesNotApply(f"the rows cannot be separated strictly: a weighted mean of {rows} of the y x is 0")
    return Undecided(f"{best.why}; none has a margin above {best.remainder:.3g}")


class HullPoint(Struct, frozen=True, eq=False):
    """The shortest point of the rows' hull, as far as it was approached.

    Attributes:
        direction: (p,) the unit vector of the widest margin on the way, None where none was wide enough.
        shares: (n,) the weights of the rows in the shortest point.
        length: its norm.
        exhausted: whether the work ran out before it was reached.
    """

    direction: Array | None
    shares: Array
    length: float
    exhausted: bool


def shortest_point(rows: Array, narrowest: float, zero: float) -> HullPoint:
    """Go down the hull of (n, p) rows until its point is the shortest, or as short as `zero`.

    Args:
        narrowest: a direction with a margin no wider than this is none.
    """
    n, p = rows.shape
    shares, best, widest, spent, length = np.zeros(n), None, narrowest, 0, 0.0
    for members, weights, point, reached in hull_points(rows):
        length = float(np.linalg.norm(point))
        if length > 0 and reached.min() / length > widest:
            best, widest = point / length, float(reached.min()) / length
        shares[:] = 0
        shares[members] = weights
        spent += n * p + 8 * p * len(members) ** 2
        if length <= zero or widest >= length * (1 - _OPTIMAL) or spent > _PRODUCTS:
            break
    return HullPoint(best, shares, length, spent > _PRODUCTS)


def decided_on_balanced(rows: Array) -> tuple[Array | None, Array, bool, str]:
    """(a separating direction or None, shares, whether they prove that there is none, why neither) of (n, p) rows."""
    p = rows.shape[1]
    zero = ~rows.any(axis=1)
    if zero.any():  # a row that is 0 lies on every hyperplane
        return None, np.asarray(zero / np.count_nonzero(zero)), True, ""
    lengths, columns = balance(rows)
    rounding = _ROUNDING * p
    hull = shortest_point(rows / columns / lengths[:, None], rounding, rounding)
    if hull.direction is not None:
        direction = hull.direction / columns
        direction /= np.abs(direction).max()  # before its length is taken, whose square may overflow
        direction /= np.linalg.norm(direction)
        if (rows @ direction > 4 * p * np.finfo(float).eps * (np.abs(rows) @ np.abs(direction))).all():
            return direction, hull.shares, False, ""
    shares = hull.shares / lengths
    shares /= shares.sum()
    if hull.direction is None and hull.length <= rounding and _cancels(rows, shares):
        return None, shares, True, ""
    why = "no separator was found in time" if hull.exhausted else "rounding hides whether anything separates the rows"
    return None, shares, False, why


def _cancels(rows: Array, shares: Array) -> bool:
    """Tell whether what is added in each column of (n, p) rows under these weights cancels.

    A column in which all entries have one sign can be so short beside the others, whatever the balance, that a mean
    which is not 0 in it is as short as rounding.
    """
    return bool((np.abs(shares @ rows) <= _LEFT * (shares @ np.abs(rows))).all())


def balance(rows: Array) -> tuple[Array, Array]:
    """Find what to divide each of (n, p) rows and each column by: then rows have length 1, and columns entries near 1.

    Columns and rows take turns, since a long row hides the unit of a column and the other way round.
    """
    lengths, columns = np.ones(len(rows)), np.ones(rows.shape[1])
    for _ in range(_TURNS):
        greatest = (np.abs(rows) / lengths[:, None]).max(axis=0)
        columns = np.where(greatest > 0, greatest, 1.0)
        lengths = np.linalg.norm(rows / columns, axis=1)
    return lengths, columns


def hull_points(rows: Array) -> Iterator[tuple[list[int], Array, Array, Array]]:
    """Points of the hull of (n, p) rows, each shorter than the one before, down to the shortest (Wolfe).

    Yields (members, weights, point, rows·point): the point is the mean of the members under the weights. A
    turn brings in the row that lies lowest along the point, then goes to the shortest point of the flat
    through the members, and on the way drops each member whose weight would turn negative.
    """
    members = [int(np.vecdot(rows, rows).argmin())]
    weights = np.ones(1)
    shortest = np.inf
    while True:
        point = weights @ rows[members]
        if not point @ point < shortest:  # rounding hides what is left to gain
            return
        shortest = float(point @ point)
        reached = rows @ point
        yield members, weights, point, reached
        lowest = int(reached.argmin())
        if lowest in members:
            return
        members, weights = [*members, lowest], np.append(weights, 0.0)
        aim = shortest_of_flat(rows[members])
        while aim.min() <= _NOTHING:
            members, weights = dropped(members, weights, aim)
            aim = shortest_of_flat(rows[members])
        weights = aim


def dropped(members: list[int], weights: Array, aim: Array) -> tuple[list[int], Array]:
    """From the weights towards the aim until the first weight is used up, without the member whose weight that is.

    A newcomer's weight is still 0 when another is used up at once; it stays.
    """
    falling = np.flatnonzero(aim <= _NOTHING)
    room = weights[falling] - aim[falling]
    steps = np.divide(weights[falling], room, out=np.zeros(len(falling)), where=room > _NOTHING)
    step = steps.min()
    weights = np.delete((1 - step) * weights + step * aim, falling[steps.argmin()]).clip(min=0.0)
    return [m for i, m in enumerate(members) if i != falling[steps.argmin()]], weights / weights.sum()


def shortest_of_flat(points: Array) -> Array:
    """(m, p) -> (m,) weights that sum to one, of the shortest point of the flat through the points."""
    differences = points[1:] - points[0]
    along = np.linalg.lstsq(differences.T, -points[0])[0]
    return np.append(1 - along.sum(), along)
