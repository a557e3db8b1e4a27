"""Panels of a sum of small trees: the sum, what it leaves to be fitted, and the loss along the newest tree."""

from collections.abc import Callable
from math import ceil, log2
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Contours, Cursor, Dataset, Hyperplane, Panel, Path, Points, Region, columns
from algorithms.core.scene import Mark
from algorithms.families.boosting.gradient_boosting.regression_trees import Regressor, weighted_sum
from algorithms.families.boosting.gradient_boosting.stages import Stages
from algorithms.families.boosting.gradient_boosting.stagewise import StageLoss
from algorithms.families.boosting.shared.stumps import Stump
from algorithms.families.boosting.shared.stumps_pictures import in_words as stump_in_words
from algorithms.toolbox.panels.functions import function_panel, padded, predicted_panel
from algorithms.toolbox.panels.losses import loss_over_margin
from algorithms.toolbox.panels.row_words import says_margin, says_residual
from algorithms.toolbox.truths import true_function

Sum = Callable[[Array], Array]
_PLACES = 241  # of a curve
_LISTED = 60
_SMALLEST = 0.15  # size of a row whose residual is none


def panels(now: Stages, phase: str, features: tuple[int, int] | None) -> tuple[Panel, ...]:
    """Show f, the residuals with the newest tree, the loss along it, the losses of rows of classes, and the trees.

    Args:
        features: the two on which f between two classes is seen best.
    """
    data = now.data
    shown = [stage(now, features)]
    fitted = bool(now.trees) and phase != "residual"
    shown.append(residuals(data, now.trees[-1] if now.trees else None, now.residual, fitted))
    if phase == "residual":
        most = int(np.abs(now.residual).argmax())  # which the words name
        shown = [with_row(panel, most) for panel in shown]
    if phase == "weigh" and now.weight == "line search":
        shown.append(loss_along(now))
    if data.kind == "class":
        shown.append(losses_of_rows(now.loss, now.y * now.f, data))
    return (*shown, trees_table(data, now.trees, now.weights, marked=phase in ("fit", "weigh")))


def with_row(panel: Panel, row: int) -> Panel:
    """Ring a row among those of a panel."""

    def marked(mark: Mark) -> Mark:
        if not (isinstance(mark, Points) and mark.rows):
            return mark
        return replace(mark, ringed=np.arange(len(mark.at)) == row)

    return replace(panel, marks=tuple(map(marked, panel.marks)))


def stage(now: Stages, features: tuple[int, int] | None) -> Panel:
    """Draw f: over the one feature, against the targets, or as the tint between two classes with rows by residual."""
    data = now.data
    if data.kind == "class":
        return _classes(now, features)
    if data.d > 1:
        return predicted_panel(data, now.f)

    def earlier(state: Any) -> Sum:
        return lambda at: state.constant + weighted_sum(state.trees, state.weights, at)

    def among(past: Any, present: Any) -> bool:
        return past.phase in ("start", "weigh")

    names = ("f", "earlier f", "truth")
    return function_panel(data, now.summed, truth=true_function(data), earlier=earlier, among=among, names=names)


def _classes(now: Stages, features: tuple[int, int] | None) -> Panel:
    data, size = now.data, np.abs(now.residual)
    marks: list[Mark] = []
    if now.trees:
        newest, leaves = now.trees[-1], np.unique(now.trees[-1].value)
        marks.append(Region(score=now.summed, check=data.X))
        if len(newest.value) == 2:
            normal = np.eye(data.d)[newest.feature[0]]
            marks.append(
                Hyperplane(normal=normal, offset=-float(newest.threshold[0]), tone="accent", name="newest tree")
            )
        else:
            levels = tuple(((leaves[1:] + leaves[:-1]) / 2).tolist())
            marks.append(Contours(height=newest, levels=levels, tone="accent", name="newest tree"))
    weights = np.maximum(size / (float(size.max()) or 1.0), _SMALLEST)
    z = np.asarray(now.y * now.f)
    marks.append(Points(at=data.X, classes=data.y, weights=weights, crossed=z <= 0, says=says_margin(z)))
    return Panel(title="rows by residual, and f", space="data", marks=tuple(marks), features=features)


def residuals(data: Dataset, tree: Regressor | None, residual: Array, fitted: bool) -> Panel:
    """Draw r over the feature that the newest tree asks about first, with what the tree says once it is fitted to it.

    Args:
        tree: the newest; None where there is none yet.
        residual: (n,) what is to be fitted, or was.
    """
    j = int(tree.feature[0]) if tree is not None else 0
    x = data.original(data.X)[:, j]
    reach = 1.08 * 2.0 ** ceil(log2(float(np.abs(residual).max()) or 1.0))  # so that it changes seldom
    limits = padded(x, 0.04), (-reach, reach)
    codes = data.y if data.kind == "class" else None
    says = says_residual(residual, (lambda row: float(tree(data.X[[row]])[0])) if tree is not None and fitted else None)
    marks: list[Mark] = [Points(at=np.column_stack([x, residual]), classes=codes, tone=0, says=says)]
    if tree is not None and fitted:
        marks.append(_says(data, tree, j, x, limits[0]))
    return Panel(title="residuals, and the tree", marks=tuple(marks), axes=(data.features[j], "r"), limits=limits)


def _says(data: Dataset, tree: Regressor, j: int, x: Array, ends: tuple[float, float]) -> Mark:
    """What a tree says along feature j; row by row where it asks about others too."""
    if len(tree.value) > 2 and data.d > 1:
        return Points(at=np.column_stack([x, tree(data.X)]), tone="accent", rows=False, names=("h of a row",))
    at = np.linspace(*ends, _PLACES)
    places = np.repeat(data.X[:1], _PLACES, axis=0)
    places[:, j] = (at - data.centre[j]) / data.spread[j]
    return Path(at=np.column_stack([at, tree(places)]), tone="accent", name="h")


def loss_along(now: Stages) -> Panel:
    """Draw the mean loss over α as the newest tree was added, with the best α and what was taken of it."""
    best, taken = now.best_weight, float(now.weights[-1])
    was = now.f - taken * now.h
    along = np.linspace(0.0, max(2.2 * best, 1.1 * taken) or 1.0, 81)
    height = np.array([float(now.loss.of(now.y, was + alpha * now.h).mean()) for alpha in along])
    least, begun = float(height.min()), float(height[0])
    low, high = least - 0.2 * (begun - least), begun + 0.5 * (begun - least)  # beyond the best it may rise out of sight
    height[height > high] = np.nan
    marks: list[Mark] = [Path(at=np.column_stack([along, height]), tone="ink", name="mean loss")]
    marks.append(Cursor(x=best, tone="accent", name="α"))
    note = f"least at {best:.3g}" if now.wrong_somewhere else "falls for ever"
    if not np.isclose(taken, best):
        marks.append(Cursor(x=taken, tone=3, name="να"))
        note += f", taken {taken:.3g}"
    limits = ((0.0, float(along[-1])), (low, high)) if high > low else None
    return Panel(title="loss along the tree", marks=tuple(marks), axes=("α", "mean loss"), note=note, limits=limits)


def losses_of_rows(loss: StageLoss, z: Array, data: Dataset) -> Panel:
    """Draw the loss of classes over z = y f with every row on it."""

    def of_margin(margins: Array) -> Array:
        return loss.of(np.ones_like(margins), margins)

    return loss_over_margin(z, data.y, of_margin, loss.formula, note=f"{int((z <= 0).sum())} of {len(z)} wrong")


def as_stump(tree: Regressor) -> Stump:
    """The stump that a tree of one question is."""
    below, above = tree.value.tolist()
    return Stump(int(tree.feature[0]), float(tree.threshold[0]), below, above)


def in_words(data: Dataset, tree: Regressor) -> str:
    """ "malignant where worst_area > 884, else benign"; of means the first question: "bmi <= 0.0073"."""
    if len(tree.value) == 2 and data.kind == "class" and (np.abs(tree.value) == 1).all():
        return stump_in_words(data, as_stump(tree))
    j = int(tree.feature[0])
    at = float(tree.threshold[0] * data.spread[j] + data.centre[j])
    more = int((tree.threshold[1:] < np.inf).sum())
    return f"{data.features[j]} <= {at:.4g}" + (f" and {more} question{'s' * (more > 1)} more" if more else "")


def trees_table(data: Dataset, trees: tuple[Regressor, ...], weights: Array, marked: bool) -> Panel:
    """List the newest trees: what each asks first, what it says on either side, and its weight once it has one."""
    newest = range(len(trees) - 1, max(len(trees) - 1 - _LISTED, -1), -1)
    shown = [trees[i] for i in newest]
    first = [int(tree.feature[0]) for tree in shown]
    heads: dict[str, list[Any]] = {
        "round": [i + 1 for i in newest],
        "feature": [data.features[j] for j in first],
        "<=": [float(t.threshold[0] * data.spread[j] + data.centre[j]) for t, j in zip(shown, first)],
        "να": [weights[i] if i < len(weights) else np.nan for i in newest],
    }
    if all(len(tree.value) == 2 for tree in shown):
        heads |= {"up to it": [tree.value[0] for tree in shown], "above it": [tree.value[1] for tree in shown]}
    else:
        heads |= {"least": [tree.value.min() for tree in shown], "greatest": [tree.value.max() for tree in shown]}
    return columns("trees, the newest first", heads, marked=(0,) if marked and trees else ())
