"""A table of how a function of the plane curves at a place, and what becomes of a step along each direction."""

from collections.abc import Mapping

import numpy as np

from algorithms.core import Array, Panel, columns


def curvature_table(curvatures: Array, directions: Array, gradient: Array, steps: Mapping[str, Array]) -> Panel:
    """The directions in which f curves most and least, with the slope along each.

    Args:
        curvatures: (2,) λ.
        directions: (2, 2) the direction of each.
        gradient: (2,) ∇f.
        steps: more columns by head, (2,) each: what a step does along each direction.
    """
    along = np.vecdot(directions, gradient)
    heads = {"x₁ of v": directions[:, 0], "x₂ of v": directions[:, 1], "λ": curvatures, "v·∇f": along}
    return columns("curvature at x", heads | dict(steps))
