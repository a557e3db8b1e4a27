"""Angles between directions."""

import numpy as np

from algorithms.core import Array


def degrees(a: Array, b: Array) -> float:
    """The angle of two vectors, 0 to 180; NaN where one is 0."""
    lengths = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    return float(np.degrees(np.arccos(np.clip(np.vdot(a, b) / lengths, -1, 1)))) if lengths else np.nan
