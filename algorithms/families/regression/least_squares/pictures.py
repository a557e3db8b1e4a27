"""What there is to see of a projection: y, ŷ and r as a triangle, the fit, the columns made orthogonal."""

from typing import Any

import numpy as np

from algorithms.core import Array, Panel, Scene, columns, numbers
from algorithms.families.regression.least_squares.orthogonal import depends
from algorithms.families.regression.least_squares.projection import Projection
from algorithms.families.regression.least_squares.right_angles_pictures import (
    cosines_panel,
    right_triangle,
    space_panel,
)
from algorithms.toolbox.panels.functions import Function, function_panel, predicted_panel
from algorithms.toolbox.truths import true_function


def scene(now: Projection) -> Scene:
    fit, sides = fit_panel(now), triangle(now)
    first = (in_space(now), sides, fit) if now.data.n == 3 else (fit, sides)
    return Scene((*first, cosines(now), column_table(now), so_far(now)))


def in_space(now: Projection) -> Panel:
    X, y, of = now.of.X, now.of.y, now.of.whole
    named = {name: X[:, j] for j, name in enumerate(now.of.names[:3])}
    left = (now.column, now.part) if now.used else None
    return space_panel(of.U[:, :2], named, y, y - of.fitted(y), now.fitted, left)


def fit_panel(now: Projection) -> Panel:
    data, bias = now.data, now.of.intercept

    def line(then: Any) -> Function:
        return lambda at: then.w[0] * bias + at @ then.w[bias:]

    if data.d > 1 or data.map is not None:
        return predicted_panel(data, line(now)(data.X))
    earlier = lambda past: line(past) if past.phase == "project" else None  # noqa: E731
    return function_panel(data, line(now), truth=true_function(data), earlier=earlier)


def triangle(now: Projection) -> Panel:
    """From the mean on, once that is taken off: all of y is mostly its mean."""
    y = now.of.y
    from_mean = now.of.intercept and bool(now.used) and now.data.n > 3
    middle = float(y.mean()) if from_mean else 0.0

    def fitted(then: Any) -> Array:
        return np.asarray(then.fitted - middle) if then.used or not from_mean else np.zeros(len(y))

    return right_triangle(y - middle, fitted(now), fitted, "from the mean on" if from_mean else "")


def cosines(now: Projection) -> Panel:
    """Between what is left of each column that has come, and the others as they are."""
    X = now.of.X
    left = {j: np.zeros(len(X)) for j in now.seen} | dict(zip(now.used, now.directions))
    if now.in_hand and not depends(now.part, now.column):
        left[now.seen[-1]] = now.part
    rest = [X[:, j] for j in range(X.shape[1]) if j not in left]
    return cosines_panel(np.stack([*left.values(), *rest]), len(left))


def falls_of(now: Projection) -> dict[int, float]:
    """By how much each column that counts made ‖r‖² fall, in their order."""
    y = now.of.y
    return dict.fromkeys(now.counted, 0.0) | {j: float(q @ y) ** 2 for j, q in zip(now.used, now.directions)}


def column_table(now: Projection) -> Panel:
    X = now.of.X
    order = [*now.seen, *(j for j in range(X.shape[1]) if j not in now.seen)]
    takes, names = falls_of(now), now.of.names
    heads = {
        "column": [names[j] for j in order],
        "‖r‖² falls by": [takes.get(j) for j in order],
        "": ["dependent" if j in takes and j not in now.used else None for j in order],
        "w": [float(now.w[j]) if j in now.used else None for j in order],
        "X⁺y at the end": now.of.whole.shortest(now.of.y)[order],
    }
    note = "of scaled features" if now.data.scaled else ""
    return columns("columns", heads, note, marked=(len(now.seen) - 1,) if now.seen else ())


def so_far(now: Projection) -> Panel:
    y = now.of.y
    about = y - y.mean() if now.of.intercept else y
    total, left = float(about @ about), now.rss
    return numbers(
        {
            "‖y‖²": float(y @ y),
            "‖ŷ‖²": float(now.fitted @ now.fitted),
            "RSS = ‖r‖²": left,
            "R², share explained": 1 - left / total if total > 0 and now.used else None,
            "log L": now.likelihood,
            "‖w‖": float(np.linalg.norm(now.w)),
            "‖X⁺y‖ of all columns": float(np.linalg.norm(now.of.whole.shortest(y))),
            "columns used": len(now.used),
            "columns that depend on others": len({*now.counted} - {*now.used}),
        }
    )
