"""The Gram matrix of some rows as a panel."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, Matrix, Panel
from algorithms.toolbox.kernels import Kernel, eigenvalue_rounding, kernel_size, least_eigenvalue

_MOST_ROWS = 96


class GramSample(Struct, frozen=True, eq=False):
    """k of m rows with each other.

    Attributes:
        values: (m, m).
        least: its least eigenvalue, not negative but for rounding if k is a kernel.
        lost: what rounding may have made of that.
        part: whether there are more rows.
    """

    values: Array
    least: float
    lost: float
    part: bool


def gram_sample(data: Dataset, kernel: Kernel) -> GramSample:
    """Some rows, one class after the other; all of them unless they are many."""
    m = min(data.n, _MOST_ROWS)
    rows = data.X[np.argsort(data.signs, kind="stable")[np.arange(m) * data.n // m]]
    values = kernel(rows, rows)
    lost = eigenvalue_rounding(values) + m * 2.0**-52 * kernel_size(data, kernel)
    return GramSample(values, least_eigenvalue(values), lost, m < data.n)


def gram(sample: GramSample, signed: bool) -> Panel:
    """The sample as an image; `signed` where k may be negative."""
    part = f"{len(sample.values)} rows, " if sample.part else ""
    return Panel(
        title="Gram matrix, class by class",
        marks=(Matrix(values=sample.values, signed=signed),),
        note=f"{part}least eigenvalue {sample.least:.2g}",
    )
