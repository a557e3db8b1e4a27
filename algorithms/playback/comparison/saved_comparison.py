"""A comparison on its way to a file and back: which runs, by what they were aligned, where, and how they were seen."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from algorithms.playback.comparison.alignment import alignment_named
from algorithms.playback.comparison.comparison_view import ComparisonView
from algorithms.playback.comparison.side_by_side import SideBySide, Tree

if TYPE_CHECKING:
    from algorithms.saving.session import Opening
    from algorithms.saving.session.schema import SavedComparison


def saved_comparison(side_by_side: SideBySide[Any], kept: Sequence[Tree]) -> "SavedComparison | None":
    """Describe how runs stood beside each other; None where fewer than two of them are kept."""
    from algorithms.saving.session.schema import Aligned, ComparedBranch, SavedComparison

    view = side_by_side.last_view
    if view is None:
        return None
    runs: list[ComparedBranch] = []
    hand = 0
    for i, run in enumerate(side_by_side.again()):
        tree, branch = side_by_side.home(run.timeline) or (None, None)
        if branch is None or tree not in kept:
            continue
        if i == side_by_side.hand:
            hand = len(runs)
        at = view.index(run.timeline)
        t = branch.begin if at is None else view.runs[at][1]
        runs.append(ComparedBranch(kept.index(tree), branch.name, t, view.look(run.timeline) or {}))
    if len(runs) < 2:
        return None
    along, within = view.place
    aligned = cast(Aligned, view.alignment.name)
    return SavedComparison(tuple(runs), hand, aligned, along, None if math.isinf(within) else within, view.screen)


def compared_in(opening: "Opening", side_by_side: SideBySide[Any]) -> None:
    """Have runs beside each other as they were saved; the sessions are there, in the order of the file."""
    saved = opening.session.compared
    if saved is None:
        return
    homes = (opening, *opening.beside)
    runs = [homes[run.session].branch(run.branch).timeline for run in saved.runs]
    steps = tuple((run, min(each.t, run.last)) for run, each in zip(runs, saved.runs))
    place = saved.along, math.inf if saved.within is None else saved.within
    looks = tuple(run.look for run in saved.runs)
    alignment = alignment_named(saved.aligned, runs)
    side_by_side.recall(ComparisonView(steps, saved.hand, alignment, place, saved.view, looks))
