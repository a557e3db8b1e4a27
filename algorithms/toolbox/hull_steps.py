"""Steps in the hull of rows: towards the row that lies lowest along a point of it, or away from the highest.

A point z = Σ λ_i row_i of the hull goes a part f of the way to a row, (1 - f) z + f row; with f < 0 it goes away from
it, and can until the row's λ is used up.

References: Frank and Wolfe (1956), An algorithm for quadratic programming, Naval Research Logistics Quarterly 3; Guélat
and Marcotte (1986), Some comments on Wolfe's 'away step', Mathematical Programming 35.
"""

import numpy as np

from algorithms.core import Array


def chosen(products: Array, z: Array, shares: Array, away: bool) -> tuple[int, bool]:
    """The row that lies lowest along z, or the highest of those in z that may give back, and which of the two.

    The one along which ‖z‖² falls faster is taken.
    """
    lowest = int(products.argmin())
    highest = int(np.where(shares > 0, products, -np.inf).argmax())
    square = float(z @ z)
    back = away and float(products[highest]) - square > square - float(products[lowest])
    return (highest, True) if back else (lowest, False)


def least_share(share: float) -> float:
    """How far from a row z can go until the row's share in it is used up, as a negative part of the way to it."""
    return -float(share / (1 - share)) if share < 1 else 0.0


def how_far(z: Array, row: Array, least: float) -> float:
    """f in [least, 1] for which (1 - f) z + f row is nearest to 0."""
    way = row - z
    return float(np.clip(-(z @ way) / (way @ way), least, 1.0))


def moved(shares: Array, row: int, far: float) -> Array:
    """(n,) λ when z goes so far to the row, or away from it."""
    shares = (1 - far) * shares
    shares[row] = max(shares[row] + far, 0.0)
    return shares


def shares_left(shares: Array, rows: Array) -> Array:
    """(n,) λ of rows after an edit, as they were to each other; all on the first row where none is left.

    Args:
        rows: (n,) for each row now, which one it was; -1 for a new one.
    """
    left = np.where(rows >= 0, shares[rows], 0.0)
    total = float(left.sum())
    return np.asarray(left / total) if total > 0 else np.eye(1, len(rows))[0]


def nearest(products: Array, z: Array) -> float:
    """The least u·row over (n,) products z·row, with u = z/‖z‖; 0 where z is 0."""
    length = float(np.linalg.norm(z))
    return float(products.min()) / length if length else 0.0


def widest_apart(points: Array) -> float:
    """What no two points of the hull of (n, p) points are further apart than: twice the farthest from their mean."""
    return 2 * float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
