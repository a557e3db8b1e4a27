"""What is said of rows that go to the nearest mean, and of the objective J that falls by it."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.clusters import NO_CLUSTER
from algorithms.toolbox.panels.clusters import who

_LISTED = 8  # clusters in a sentence


def figure(value: float) -> str:
    """A number to four digits, with no exponent before it has to have one."""
    return f"{value:,.0f}" if 1e4 <= value < 1e12 else f"{value:.4g}"


def dealt(n: int) -> str:
    """How a run starts from a random assignment."""
    return f"The {n} rows are dealt at random to clusters of equal size, so the means start close together."


def sizes_listed(labels: Array) -> str:
    """The first clusters with how many rows each has: "97 in 0, 75 in 1"."""
    counts = np.bincount(labels).tolist()
    return ", ".join(f"{c} in {j}" for j, c in enumerate(counts[:_LISTED])) + ", ..." * (len(counts) > _LISTED)


def fallen(was: float, now: float) -> str:
    """By how much J fell."""
    return f"J falls by {figure(max(was - now, 0.0))} to {figure(now)}."


def assignment(
    data: Dataset,
    was: Array | None,
    labels: Array,
    moved: int,
    J: float,
    away: Callable[[Array], Array],
    place: str = "",
    unit: str = "",
) -> str:
    """How many rows went to the nearest mean, and which of them gained most by it.

    Args:
        was: (n,) clusters before; None where they are not known.
        labels: (n,) clusters now.
        moved: how many rows this assignment moved.
        J: the objective.
        away: (m,) rows -> (m, k) squared distances to the means.
        place: what of a row is near to a mean, where it is not the row itself: "its φ is ".
        unit: of the distances, as it stands behind them.
    """
    now = f"J = {figure(J)}."
    if moved == 0:
        return f"No row is nearer to another mean than to its own, so none moves: {now}"
    changed = np.flatnonzero(labels != was) if was is not None and was[0] != NO_CLUSTER else np.empty(0, np.intp)
    if not len(changed):
        return f"Every row joins the nearest mean: {sizes_listed(labels)}. {now}"
    far, each = np.sqrt(away(changed)), np.arange(len(changed))
    new, old = labels[changed], np.asarray(was)[changed]
    most = int((far[each, old] - far[each, new]).argmax())  # the row that gains most
    row, joins, leaves = int(changed[most]), int(new[most]), int(old[most])
    return (
        f"{moved} of {data.n} rows change{'s' * (moved == 1)} cluster. Row {row} ({who(data, row)}) joins {joins}: "
        f"{place}{far[most, joins]:.3g} from its mean, {far[most, leaves]:.3g} from that of {leaves}{unit}. {now}"
    )
