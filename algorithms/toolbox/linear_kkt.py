"""The dual of a linear machine in numbers: what a step of one multiplier gains, what the gap between both bounds."""

from collections.abc import Sequence

import numpy as np

from algorithms.core import Answer, Array, Sides
from algorithms.toolbox.coordinate_ascent import Both, put


def goes_to_the_top(old: Both, now: Array, row: int) -> Answer:
    """Hold (n,) α after a visit to a row against the top of the parabola along its own, worked out anew."""
    x = old.rows[row]
    slope, bend = 1 - float(x @ old.w) - old.machine.damping * old.alpha[row], float(x @ x) + old.machine.damping
    flat = old.machine.most if slope > 0 else old.alpha[row]  # along a row of zeros D is a line
    best = old.alpha[row] + slope / bend if bend else flat
    aim = put(old.alpha, row, float(np.clip(best, 0.0, old.machine.most)))
    size = np.maximum(old.alpha, aim) + (1 + float(np.abs(x) @ np.abs(old.w))) / (bend or 1.0)
    if np.array_equal(now, put(old.alpha, row, float(now[row]))):  # the others stay: the row's own is what there is
        sides = (f"α'[row {row}]", float(now[row])), (f"top[row {row}]", float(aim[row]))
        return Sides(*sides, relation="==", size=float(size[row]))
    return Sides.each(("α'", now), ("top", aim), relation="==", size=size, axes=("row",))


def wrongly_settled(old: Both, row: int, tolerance: float, before: int, after: int) -> Sides | None:
    """Hold the count of visits in turn without a slope above the tolerance against it; None where it is right."""
    alpha, most = float(old.alpha[row]), old.machine.most
    slope = 1 - float(old.rows[row] @ old.w) - old.machine.damping * alpha
    held = (alpha <= 0 and slope < 0) or (alpha >= most and slope > 0)
    steep = 0.0 if held else abs(slope)
    right = before + 1 if steep <= tolerance else 0
    return None if after == right else Sides(("visits settled", after), ("in turn", right), relation="==")


def rises(old: Both, now: Both, row: int) -> Answer:
    """D + ½(‖x‖² + δ)s² <= D'."""
    moved, x = float(now.alpha[row] - old.alpha[row]), old.rows[row]
    least = (float(x @ x) + now.machine.damping) * moved**2 / 2
    size = old.size + now.size + least
    return Sides(("D + ½(‖x‖² + δ)s²", old.dual + least), ("D'", now.dual), size=size)


def in_the_box(at: Both) -> Answer:
    """0 <= α <= U."""
    ends = ("0", 0.0), ("least α", float(at.alpha.min())), ("greatest α", float(at.alpha.max()))
    return Sides(*ends, ("U", at.machine.most)) if np.isfinite(at.machine.most) else Sides(*ends)


def made_of_rows(rows: Array, alpha: Array, w: Array, largest: float, names: Sequence[str]) -> Answer:
    """w = Σ α y x for (n, p) rows y x.

    Args:
        largest: the largest Σ α there was since w was worked out from α.
        names: of the weights.
    """
    size = max(largest, float(alpha.sum())) * np.abs(rows).max(axis=0)
    return Sides.each(("w", w), ("Σ α y x", alpha @ rows), relation="==", size=size, entries=names)


def weak_duality(at: Both) -> Answer:
    """D(α) <= P(w), where P is finite."""
    return Sides(("D(α)", at.dual), ("P(w)", at.primal), size=at.size)


def owed_within(at: Both, among: Array) -> Answer:
    """α max(0, z - 1) + (C - α) max(0, 1 - z) <= P - D on each of some rows: the hinge's terms of the gap."""
    owed = at.alpha * np.maximum(at.z - 1, 0.0) + (at.machine.C - at.alpha) * np.maximum(1 - at.z, 0.0)
    return Sides.each(("owed", np.where(among, owed, 0.0)), ("P - D", at.gap), size=at.size, axes=("row",))


def twice_the_slack(at: Both) -> Answer:
    """(α - 2Cξ)²/(4C) <= P - D: the squared hinge's terms of the gap are no less."""
    C = at.machine.C
    off = (at.alpha - 2 * C * np.maximum(1 - at.z, 0.0)) ** 2 / (4 * C)
    return Sides.each(("(α - 2Cξ)²/(4C)", off), ("P - D", at.gap), size=at.size, axes=("row",))


def no_longer(at: Both) -> Answer:
    """½‖w‖² <= Cn, for n rows."""
    return Sides(("½‖w‖²", at.norm**2 / 2), ("Cn", at.machine.C * len(at.alpha)), size=at.size)


def no_wider(at: Both) -> Answer:
    """The least z/‖w‖ is no more than ‖w‖/Σα; None for w = 0."""
    total = float(at.alpha.sum())
    if not at.norm or not total:
        return None
    size = (at.size / total + float(np.abs(at.z).max())) / at.norm
    return Sides(("least z/‖w‖", float(at.z.min()) / at.norm), ("‖w‖/Σα", at.norm / total), size=size)


def on_a_convex_front(solved: Array) -> Answer:
    """The last two prices that are solved, (k, 4): what ½‖w‖² rose by against what Σ loss fell by.

    Neither is solved but for its gap, which is let in.
    """
    (C1, half1, loss1, gap1), (C2, half2, loss2, gap2) = solved[-2:].tolist()
    fell, size = loss1 - loss2, half1 + half2 + (C1 + C2) * (loss1 + loss2)
    sides = ("C₁ fall - gap₁", C1 * fell - gap1), ("rise of ½‖w‖²", half2 - half1), ("C₂ fall + gap₂", C2 * fell + gap2)
    return Sides(*sides, size=size)
