"""What there is to see of SMO: the margin, the multipliers, the Gram matrix and the numbers of both problems."""

import numpy as np

from algorithms.core import Scene, numbers
from algorithms.families.svm.shared.support_vectors_pictures import facts, margin_stage, multipliers, support_vectors
from algorithms.families.svm.smo.gram_pictures import gram
from algorithms.families.svm.smo.multipliers import Multipliers
from algorithms.toolbox.panels.linear import weight_panels


def scene(before: Multipliers | None, now: Multipliers) -> Scene:
    data, alpha, box, kernel = now.of.data, now.alpha, now.of.box, now.of.kernel
    at, pair = now.solution, now.pair
    was = None if before is None else before.linear_weights
    weights = weight_panels(data, now.linear_weights, True, was) if kernel.name == "linear" else ()
    return Scene(
        (
            margin_stage(data, now.f, alpha, box, at.margins, pair, now.kept),
            multipliers(data.signs, alpha, box, pair),
            *weights,
            gram(now.of.sample, signed=kernel.name != "rbf"),
            support_vectors(data, alpha, box, at.margins, pair),
            numbers({**facts(at, alpha, box, now.kept), **more_facts(now)}),
        )
    )


def more_facts(now: Multipliers) -> dict[str, float | int]:
    """γ; and how far from the w on all rows it is, once the run is pruned."""
    gamma, first = now.of.kernel.gamma, now.first_solution
    if first is None or now.first is None:
        return {"γ of the kernel": gamma}
    return {
        "γ of the kernel": gamma,
        "rows taken out": int((~now.kept).sum()),
        "‖w‖ of all rows": first.norm,
        "‖w' - w‖ now": float(np.sqrt(now.squared_change)),
        "‖α' - α‖ now": float(np.linalg.norm(now.alpha - now.first[0])),
    }
