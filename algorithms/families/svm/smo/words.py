"""What is said of SMO's steps, with this step's numbers."""

import numpy as np

from algorithms.core import Words
from algorithms.families.svm.smo.multipliers import Multipliers, pair_of


def start(now: Multipliers) -> str:
    no, yes = now.of.data.classes
    return f"α = 0, so f = b. A row of {yes} would be on its margin with b = 1, a row of {no} with b = -1."


def moved(before: Multipliers, now: Multipliers) -> str:
    """Two multipliers went as far as they could."""
    (i, j), row = now.pair, now.of.data.row
    asked = (
        f"Row {i} ({row(i)}) asks for b >= {before.F[i]:.3g}, row {j} ({row(j)}) for b <= {before.F[j]:.3g}: "
        "both cannot be."
    )
    changes = " and ".join(f"{before.alpha[r]:.3g} → {now.alpha[r]:.3g}" for r in (i, j))
    ends = [(r, "0" if now.alpha[r] == 0 else "C") for r in (i, j) if now.alpha[r] in (0, now.of.box)]
    stops = (
        f"both stop at {ends[0][1]}"
        if len({end for _, end in ends}) < len(ends)
        else " and ".join(f"row {r} stops at {end}" for r, end in ends)
    )
    why = stops if now.phase == "clipped" else "now both ask for the same b"
    if (pair := pair_of(before, now)).topless:
        on = "without end" if np.isinf(pair.room) else "to the end of the box"
        why = f"k cannot tell the two apart, both ask for what they did, and W would rise {on}"
    gained = max(now.solution.dual - before.solution.dual, 0.0)
    return Words.of(asked, f"α goes {changes}; {why}.", f"W rises by {gained:.3g}.")


def optimal(now: Multipliers, held_out: tuple[int, int] | None) -> str:
    """Along no pair's line does W rise more steeply than tol; where m < M every row is in its case.

    Args:
        held_out: how many rows held out are wrong, and how many there are.
    """
    delta, carry, n = max(now.solution.delta, 0.0), int((now.alpha > 0).sum()), len(now.kept)
    left, change = int(now.kept.sum()), now.squared_change**0.5
    among = f"{n} rows" if left == n else f"the {left} rows left of {n}"
    same = "" if now.first is None else f", as it was with all rows: ‖w' - w‖ = {change:.2g}"
    wide = f"The margin is 1/‖w‖ = {1 / now.solution.norm:.3g} to each side; " if now.solution.norm else ""
    wrong = f"rong rows: {int((now.solution.margins <= 0).sum())} of {n}"
    aside = "" if held_out is None else f", and {held_out[0]} of {held_out[1]} held out"
    return Words.of(
        f"Complementary slackness holds to within max(0, (m - M)/2) = {delta:.2g}.",
        f"{carry} of {among} have α > 0 and carry w{same}. {wide}{'w' if wide else 'W'}{wrong}{aside}.",
    )


def prune(now: Multipliers) -> str:
    out, left = int((~now.kept).sum()), int(now.kept.sum())
    gone = "1 has α = 0 and is" if out == 1 else f"{out or 'none'} have α = 0 and are"
    return (
        f"Done with all rows: {gone} taken out. With the {left} that are left a new run begins, from α = 0 and W = 0."
    )


def changed(now: Multipliers) -> str:
    """Where a fork begins."""
    if now.pair:
        i, j = now.pair
        return f"Rows {i} and {j} were moved: their α are now {now.alpha[i]:.3g} and {now.alpha[j]:.3g}."
    if not now.alpha.any():
        return "α = 0: of what there was nothing is left, or W(α) < 0 = W(0), so that none of it is worth keeping."
    return "Every row keeps its α as far as the change lets it; those of one class shrink until Σ α y = 0 again."
