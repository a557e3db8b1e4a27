"""Regions and level lines: scores and heights asked for on a grid over the view."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.projection import Looking, Projection, View
from algorithms.core.scene import Contours, Mark, Region, Tone

HONEST = 0.8  # a slice that is right about fewer rows than this is not tinted
UNTINTED = "no tint"
_SLICE, _OF_ROWS = "other features at mean: the model's answer on ", " of rows"


class Tint(Mark, frozen=True, kw_only=True):
    """A resolved Region on the view's grid, top row first.

    Attributes:
        tones: (rows, columns) int16; -1 where there is none.
        strength: (rows, columns) float32 in [0, 1]; 0 at the boundary.
        shares: (rows, columns, k) float32 for a mixed region, else None.
        palette: the tones of the k shares.
    """

    tones: Array
    strength: Array
    shares: Array | None = None
    palette: tuple[int, ...] = ()


class Levels(Mark, frozen=True, kw_only=True):
    """Level lines of a (rows, columns) height on the view's grid, top row first.

    With `winner`, height is (k, rows, columns) and the lines are where the greatest changes. `name` is for the legend.
    """

    height: Array
    levels: tuple[float, ...] = (0.0,)
    tone: Tone = "ink"
    winner: bool = False
    name: str = ""


def grid_scores(score: Callable[[Array], Array], to: Projection, view: View) -> Array:
    """Ask for the score at the centres of the view's grid, top row first: (rows, columns, k)."""
    x = view.left + (np.arange(view.columns) + 0.5) * (view.right - view.left) / view.columns
    y = view.top - (np.arange(view.rows) + 0.5) * (view.top - view.bottom) / view.rows
    places = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1).reshape(-1, 2)
    values = np.asarray(score(to.lift(places)), float)
    return values.reshape(view.rows, view.columns, -1)


def contours(mark: Contours, looking: Looking) -> Levels:
    """Resolve a height's level lines; levels that are not given are chosen once for the part of the plane in view."""
    view = looking.view
    height = looking.grids.height(
        mark.height, looking.place, lambda: grid_scores(mark.height, looking.to, looking.view)[..., 0]
    )
    place = (looking.place[0], looking.title, view.left, view.right, view.bottom, view.top)
    return Levels(
        height=height, levels=mark.levels or looking.grids.levels(place, height), tone=mark.tone, name=mark.name
    )


def _winners(scores: Array) -> Array:
    """Choose the column that wins, (m, k) -> (m,); a signed score gives 1 where positive, else 0."""
    return np.asarray(scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1), np.int16)


def _scores_at(mark: Region, at: Array, looking: Looking, where: str) -> Array:
    """Ask for (m, k) scores at (m, d) places, which are `where` for this region as long as the view stays."""
    if mark.score is not None:
        return _columns(mark.score(at))
    place = (*looking.place, looking.title, where, hash(at.tobytes()))
    return looking.grids.summed(place, mark.terms, lambda score: _columns(score(at)))


def _scores(mark: Region, looking: Looking) -> Array:
    """Ask for (rows, columns, k) scores on the view's grid; of mixed votes the mean, of a single share its rest too."""
    to, view = looking.to, looking.view
    if mark.score is not None:
        scores = grid_scores(mark.score, to, view)
    else:
        place = (*looking.place, looking.title, "view")
        scores = looking.grids.summed(place, mark.terms, lambda score: grid_scores(score, to, view))
    if not mark.mixed:
        return scores
    if mark.terms:
        scores = scores / len(mark.terms)
    return np.concatenate([1.0 - scores, scores], axis=2) if scores.shape[2] == 1 else scores


def _slice_says(mark: Region, looking: Looking) -> float:
    """Measure for what share of the rows the slice through the space says what the model says of them."""
    assert mark.check is not None
    to = looking.to
    sliced = _winners(_scores_at(mark, to.lift(to.project(mark.check)), looking, "rows on the slice"))
    return float((sliced == _winners(_scores_at(mark, mark.check, looking, "rows"))).mean())


def slice_in_fewer_words(note: list[str]) -> tuple[list[str], ...]:
    """Say of a slice that it is one in fewer words, and in fewest; nothing where no clause of a note is about one."""
    share = next((clause for clause in note if clause.startswith(_SLICE)), "")
    if not share:
        return ()
    untinted = [UNTINTED] if UNTINTED in note else []
    share = share.removeprefix(_SLICE).removesuffix(_OF_ROWS)
    return [f"slice: {share} agree", *untinted], ["a slice", *untinted], [f"slice: {UNTINTED}" if untinted else "slice"]


def region(mark: Region, looking: Looking) -> tuple[list[Mark], str]:
    if mark.score is None and not mark.terms:
        return [], ""
    note = ""
    if mark.check is not None and not looking.to.whole:
        agree = _slice_says(mark, looking)
        note = f"{_SLICE}{agree:.0%}{_OF_ROWS}"
        if agree < HONEST:
            return [], f"{note}, {UNTINTED}"
    scores = _scores(mark, looking)
    k = scores.shape[2]
    tones = np.array(mark.tones or range(max(k, 2)), np.int16)
    between: list[Mark] = []
    if k > 1 and mark.lines:
        between = [Levels(height=np.moveaxis(scores, 2, 0), winner=True, tone="muted", name=mark.name)]
    if mark.mixed:
        return [_mixed(scores, tones), *between], note
    if k == 1:
        signed = scores[..., 0]
        lead, winner = np.abs(signed), (signed > 0).astype(np.intp)
        between = [Levels(height=signed, levels=mark.lines, name=mark.name)] if mark.lines else []
    else:
        two = np.partition(scores, k - 2, axis=2)[..., -2:]
        lead, winner = two[..., 1] - two[..., 0], scores.argmax(axis=2)
    finite = np.where(np.isfinite(lead), lead, 0.0)
    depth = mark.depth or float(finite.max()) or 1.0
    strength = np.clip(finite / depth, 0.0, 1.0).astype(np.float32)
    return [Tint(tones=tones[winner], strength=strength), *between], note


def _mixed(scores: Array, tones: Array) -> Tint:
    """Mix the colours of shares."""
    shares = scores.astype(np.float32)
    palette = tuple(int(tone) for tone in tones)
    return Tint(tones=tones[scores.argmax(axis=2)], strength=shares.max(axis=2), shares=shares, palette=palette)


def _columns(scores: Any) -> Array:
    given = np.asarray(scores, float)
    return given.reshape(len(given), -1)
