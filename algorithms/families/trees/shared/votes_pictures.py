"""Panels and words of trees that vote: the vote over the plane, the newest bag and tree, and what they come to."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Contours, Dataset, Panel, Points, Problem, Region, Words, columns, numbers, once
from algorithms.core.scene import Mark
from algorithms.families.trees.shared.bags import Bagged, heard, in_a_bag, says, says_of_rows, tally
from algorithms.families.trees.shared.linear_voters import LinearVoter
from algorithms.families.trees.shared.trees_pictures import outline, telling_features
from algorithms.families.trees.shared.vote_statements import (
    correlation,
    different,
    margins,
    out_of_bag_error,
    spread,
    squared_error,
    squared_error_of_a_tree,
    strength,
    tree_error,
    unseen,
    vote_error,
)
from algorithms.toolbox.impurity import total_impurity
from algorithms.toolbox.panels.margins import margin_bars
from algorithms.toolbox.panels.row_words import says_scores
from algorithms.toolbox.questions import columns_of
from algorithms.toolbox.trees import LEAF, Nodes

_OUTSIDE, _MOST = 0.12, 4  # size of a row outside the bag; draws that make a row as large as can be
_LISTED = 60
_MOST_CLASSES = 6


@once
def features_shown(problem: Problem) -> tuple[int, int] | None:
    """The two features on which the vote is seen best."""
    p, data = problem.parameters, problem.data
    return telling_features(data.once(columns_of), total_impurity(p.criterion, data.n), p.max_depth, p.min_leaf)


def vote_panels(problem: Problem, state: Bagged, more: tuple[Panel, ...] = ()) -> tuple[Panel, ...]:
    """Show the vote, panels of an algorithm's own, the margins, the newest tree, the trees and what they come to."""
    data = problem.data
    newest = state.bags[-1] if state.bags else None
    wrong = (tally(problem, state).argmax(axis=1) != data.y) & bool(state.trees)
    panels = [vote_stage(data, state.trees, newest, wrong, features_shown(problem)), *more]
    if state.trees:
        panels += [
            margin_bars(margins(unseen(problem), state).margins, "margin, held out" if data.held_out else "margin"),
            newest_panel(data, state.trees[-1]),
            trees_table(state.trees, state.bags, heard(problem, state), np.asarray(data.y)),
        ]
    if state.bags:
        panels.append(numbers(so_far(problem, state)))
    return tuple(panels)


def vote_stage(
    data: Dataset, trees: tuple[Nodes, ...], bag: Array | None, wrong: Array, features: tuple[int, int] | None
) -> Panel:
    """Draw the rows by how often the newest bag holds them, the shares of the votes, and the newest tree's boundary.

    Args:
        bag: (n,) how often each row is in it; None without one.
        wrong: (n,) bool, rows that the vote gets wrong.
        features: the two on which the vote is seen best.
    """
    k = len(data.classes)
    sizes = None if bag is None else np.where(bag > 0, np.minimum(0.25 + bag / _MOST, 1.0), _OUTSIDE)
    marks: list[Mark] = []
    if trees:
        terms = tuple((tree, ballots(tree, k)) for tree in trees)
        marks.append(Region(terms=terms, mixed=True, check=data.X, name="the vote"))
    said = says_scores(data, lambda at: np.mean([ballots(tree, k)(at) for tree in trees], axis=0), "votes")
    marks.append(
        Points(
            at=data.X,
            classes=data.y,
            weights=sizes,
            sizes="size: draws",
            crossed=wrong,
            says=said if trees else None,
        )
    )
    if trees:
        newest = trees[-1]
        levels = tuple(code + 0.5 for code in range(k - 1))
        marks.append(
            Contours(
                height=lambda at: says(newest, at).astype(float), levels=levels, tone="accent", name="the newest tree"
            )
        )
    return Panel(
        title="the trees' votes, colours mixed" if trees else "rows by draws",
        space="data",
        marks=tuple(marks),
        features=features,
    )


def newest_panel(data: Dataset, tree: Nodes) -> Panel:
    """The newest tree as an outline; of a linear rule its weights, over the sizes of the features."""
    if not isinstance(tree, LinearVoter):
        return outline(data, tree, 0)
    shown = slice(_LISTED)
    heads = {"feature": ("1", *data.features)[shown]} | {
        name: weights[shown] for name, weights in zip(data.classes[:_MOST_CLASSES], tree.W)
    }
    return columns("the newest rule", heads, note="weights of features over their greatest size")


def ballots(tree: Nodes, k: int) -> Callable[[Array], Array]:
    """(m, d) places -> (m, k) the vote of a tree at each: 1 for its class, 0 for the others."""
    return lambda at: np.eye(k)[says(tree, at)]


def trees_table(trees: tuple[Nodes, ...], bags: tuple[Array, ...], said: Array, y: Array) -> Panel:
    """List the last trees: leaves, different rows in the bag, and the share of the rows outside that it gets wrong.

    Args:
        said: (T, n) what each says of each row.
    """
    first = max(len(trees) - _LISTED, 0)
    numbers = range(len(trees) - 1, first - 1, -1)
    outside = [bags[b] == 0 for b in numbers]
    heads = {
        "tree": [b + 1 for b in numbers],
        "leaves": [leaves_of(trees[b]) for b in numbers],
        "rows": [int((~out).sum()) for out in outside],
        "wrong outside": [_share((said[b] != y)[out]) for b, out in zip(numbers, outside)],
    }
    return columns("trees", heads, marked=(0,) if trees else ())


def leaves_of(tree: Nodes) -> int | None:
    """How many leaves a tree has; None of a linear rule."""
    return None if isinstance(tree, LinearVoter) else int((tree.left == LEAF).sum())


def _share(wrong: Array) -> float:
    return float(wrong.mean()) if len(wrong) else np.nan


def so_far(problem: Problem, state: Bagged) -> dict[str, float | None]:
    """The errors, and what the squared error of the vote is made of."""
    return {
        "rows in the newest": different(problem, state),
        "out-of-bag error": out_of_bag_error(problem, state),
        "mean ‖h - y‖²": squared_error_of_a_tree(problem, state),
        "less the spread": spread(problem, state),
        "is ‖p - y‖²": squared_error(problem, state),
        "strength s": strength(problem, state) if state.trees else None,
        "correlation ρ": correlation(problem, state) if state.trees else None,
    }


def bag_drawn(problem: Problem, state: Bagged) -> str:
    """Say how many rows the newest bag holds."""
    n, newest, b = problem.data.n, state.bags[-1], len(state.bags)
    most, there = int(newest.max()), int((newest > 0).sum())
    hit = f"Bag {b}: {n} draws hit {there} different rows, {there / n:.1%}; {in_a_bag(n):.1%} are expected."
    row, left_out = int(newest.argmax()), n - there
    outside = f"{left_out} row{' is' if left_out == 1 else 's are'} outside"
    return f"{hit} Row {row} is in it {most} time{'s' * (most > 1)}, {outside}."


def tree_grown(problem: Problem, state: Bagged) -> str:
    """Say how the newest tree does outside its bag, and the vote beside a tree."""
    tree, b = state.trees[-1], len(state.trees)
    leaves, outside = int((tree.left == LEAF).sum()), state.bags[-1] == 0
    lost = int((says_of_rows(problem.data, tree) != problem.data.y)[outside].sum())
    linear = isinstance(tree, LinearVoter)
    grown = (
        f"Rule {b} weighs {problem.data.d} feature{'s' * (problem.data.d > 1)}"
        if linear
        else f"Tree {b} has {leaves} lea{'ves' if leaves > 1 else 'f'}"
    )
    if outside.any():
        many = int(outside.sum())
        grown += f" and is wrong on {lost} of the {many} row{'s' * (many > 1)} outside its bag"
    return Words.of(f"{grown}.", of_the_vote(problem, state))


def of_the_vote(problem: Problem, state: Bagged) -> str:
    """Say the error of the vote, and that of a tree."""
    name = "the training error" if problem.held_out is None else "the error on rows held out"
    vote, one = vote_error(unseen(problem), state), tree_error(unseen(problem), state)
    return f"Of the vote of {len(state.trees)} {name} is {vote:.1%}; a single tree has {one:.1%} on average."
