"""Class means: whether they lie on a line, which is what masking asks for."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array

_ROUNDING = 1e-9  # of the line's length: as near to it as rounding leaves means that lie on it
_SHOWN = 6  # classes of which the counts are given


class MeansLine(Struct, frozen=True, eq=False):
    """The line along which class means differ most.

    Attributes:
        t: (K,) where each mean lies along it, from their middle.
        off: how far from the line one of them lies.
    """

    t: Array
    off: float

    @property
    def length(self) -> float:
        """From the first mean to the last."""
        return float(self.t.max() - self.t.min())

    @property
    def ends(self) -> tuple[int, int]:
        """The two outer classes."""
        return int(self.t.argmin()), int(self.t.argmax())

    @property
    def middle(self) -> Array:
        """The other classes."""
        return np.setdiff1d(np.arange(len(self.t)), self.ends)

    def between_ends(self, W: Array) -> tuple[Array, Array]:
        """Of (K, p) weights those of the middle classes, and as many means of the outer ones' weights.

        A class whose mean lies at the share s of the way between the outer means has (1 - s) W_low + s W_high.
        """
        (low, high), middle = self.ends, self.middle
        s = ((self.t[middle] - self.t[low]) / self.length)[:, None]
        return W[middle], (1 - s) * W[low] + s * W[high]


def line_of_means(X: Array, y: Array, classes: int) -> MeansLine | str:
    """The line on which all class means lie, of as many rows each; or why there is none.

    Args:
        X, y: (n, d) rows with (n,) codes.
        classes: K, three or more.
    """
    if classes < 3:
        return "there are two classes, and no middle one"
    counts = np.bincount(y, minlength=classes)
    if not counts.min() == counts.max() > 0:
        shown = ", ".join(map(str, counts[:_SHOWN].tolist())) + (", ..." if classes > _SHOWN else "")
        return f"the classes have {shown} rows so far, not as many each"
    means = np.stack([X[y == c].mean(axis=0) for c in range(classes)])
    away = means - means.mean(axis=0)
    v = np.linalg.svd(away)[2][0]
    t = np.asarray(away @ v)
    line = MeansLine(t, float(np.linalg.norm(away - np.outer(t, v), axis=1).max()))
    if not line.length > 0:
        return "all class means are in one place"
    return (
        line if line.off <= _ROUNDING * line.length else f"a class mean lies {line.off:.3g} off the line of the means"
    )
