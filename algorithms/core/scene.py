"""Scenes: what there is to see of a state, in data space and in roles, never in colours or cells.

A mark speaks of points in R^d (in a panel of `space="data"`, projected by the app) or of points in the
plane (`space="own"`). Whatever is coloured has a tone: the code of a class or cluster (an int), or a role.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array

Role = Literal["ink", "muted", "accent", "wrong"]
Tone = Role | int


class Mark(Struct, frozen=True, kw_only=True, eq=False, tag=True):
    """Something to be seen."""


class Points(Mark, frozen=True, kw_only=True):
    """One dot a row.

    Attributes:
        at: (n, d).
        classes: (n,) int tones, each with its own glyph; `tone` for all when None.
        shares: (n, k) rows that sum to one: the colours of k tones mixed.
        weights: (n,) in [0, 1]: shown by size.
        ringed: (n,) bool, what this step is about: unmistakable.
        crossed: (n,) bool, wrong ones.
        haloed: (n,) bool, on a ground of their own colour: those of a kind to be told apart (on the margin).
        rows: whether at[i] is row i of the data (so that it can be hovered and picked).
        put: in a panel of its own space, the row that lies at a place there: (2,) -> its (d,) features and its
            target, or None for none; without it rows are not put there by hand.
    """

    at: Array
    classes: Array | None = None
    shares: Array | None = None
    weights: Array | None = None
    ringed: Array | None = None
    crossed: Array | None = None
    haloed: Array | None = None
    tone: Tone = "ink"
    rows: bool = True
    put: Callable[[Array], tuple[Array, float | None]] | None = None


class Labels(Mark, frozen=True, kw_only=True):
    """Marked places with a name beside each: means, a solution.

    Attributes:
        at: (m, d).
        texts: m names.
        tones: m tones, or one for all.
        glyph: "+" or another single character.
    """

    at: Array
    texts: tuple[str, ...]
    tones: tuple[Tone, ...] = ("ink",)
    glyph: str = "+"


class Region(Mark, frozen=True, kw_only=True):
    """The plane tinted by what the model says of each place.

    Attributes:
        score: (m, d) -> (m,) signed (positive: tone 1, negative: tone 0), or (m, k): the greatest wins.
        tones: the tone of each side or column; (0, 1) or 0..k-1 by default.
        mixed: the columns of `score` are shares that sum to one, and colours mix instead of one winning.
        lines: the levels of a signed score that are drawn as lines.
        depth: the score (or lead over the second) at which the tint is fullest; the greatest seen if None.
        check: (n, d) rows to say for what share of them this slice tells the truth; None: not asked.
    """

    score: Callable[[Array], Array]
    tones: tuple[int, ...] = ()
    mixed: bool = False
    lines: tuple[float, ...] = (0.0,)
    depth: float | None = None
    check: Array | None = None


class Contours(Mark, frozen=True, kw_only=True):
    """Level lines of a height: (m, d) -> (m,), at `levels`."""

    height: Callable[[Array], Array]
    levels: tuple[float, ...]
    tone: Tone = "muted"


class Hyperplane(Mark, frozen=True, kw_only=True):
    """The set where normal·x + offset = 0; normal is (d,)."""

    normal: Array
    offset: float
    tone: Tone = "ink"


class Path(Mark, frozen=True, kw_only=True):
    """Straight pieces through (m, d) points; NaN lifts the pen."""

    at: Array
    tone: Tone = "ink"
    name: str = ""


class Segments(Mark, frozen=True, kw_only=True):
    """Separate straight pieces from start[i] to end[i], (m, d) each.

    Attributes:
        values: (m,) in [-1, 1], shown as strength and sign (the weights of a network); None for one tone.
    """

    start: Array
    end: Array
    tone: Tone = "muted"
    values: Array | None = None


class Units(Mark, frozen=True, kw_only=True):
    """The units of a network: a chip each, shaded by its value.

    Attributes:
        at: (m, d).
        values: (m,) in [-1, 1].
        texts: m short texts, or () for none.
        marked: (m,) bool, what this step is about.
    """

    at: Array
    values: Array
    texts: tuple[str, ...] = ()
    marked: Array | None = None


class Tree(Mark, frozen=True, kw_only=True):
    """A rooted tree, drawn as an outline that keeps the marked nodes in sight; alone in its panel.

    Attributes:
        parents: (m,) int, the parent of each node, before it in the order; -1 for the root.
        texts: what each node says.
        tones: one tone a node, shown as its glyph; None for no glyph.
        marked: the nodes this step is about.
    """

    parents: Array
    texts: tuple[str, ...]
    tones: tuple[Tone | None, ...] = ()
    marked: tuple[int, ...] = ()


class Arrow(Mark, frozen=True, kw_only=True):
    """From start to end, (d,) each, with a name at its head."""

    start: Array
    end: Array
    tone: Tone = "ink"
    name: str = ""


class Ellipse(Mark, frozen=True, kw_only=True):
    """A Gaussian's outline: mean (d,), covariance (d, d), at so many standard deviations."""

    mean: Array
    covariance: Array
    deviations: tuple[float, ...] = (1.0, 2.0)
    tone: Tone = "ink"


class Trail(Mark, frozen=True, kw_only=True):
    """Where something has been: `where(state)` -> (m, d) for m things; one path each, supplied by the timeline."""

    where: Callable[[Any], Array]
    tones: tuple[Tone, ...] = ("muted",)


class GhostTrail(Mark, frozen=True, kw_only=True):
    """A mark of the last few different earlier states, faint: `mark(state)` -> Mark or None."""

    mark: Callable[[Any], Mark | None]
    last: int = 8


class DragHandles(Mark, frozen=True, kw_only=True):
    """Places that can be dragged, and what becomes of the state; not painted, another mark shows them.

    Attributes:
        at: (m, d).
        moved: (state, i, to) -> the state with the i-th of them at `to`, (d,): made by `state.replaced`.
        names: m names: "the mean a".
    """

    at: Array
    moved: Callable[[Any, int, Array], Any]
    names: tuple[str, ...]


class Bars(Mark, frozen=True, kw_only=True):
    """Bars over an axis: heights (m,) over edges (m + 1,), or named ones without edges.

    Attributes:
        tones: m tones, or one for all.
        names: m names when there are no edges.
    """

    heights: Array
    edges: Array | None = None
    names: tuple[str, ...] = ()
    tones: tuple[Tone, ...] = ("muted",)


class Matrix(Mark, frozen=True, kw_only=True):
    """(r, c) numbers as an image; `signed` shows 0 as the middle of a diverging scale."""

    values: Array
    signed: bool = False


class Table(Mark, frozen=True, kw_only=True):
    """Rows of text and numbers under named columns.

    Attributes:
        columns: the heads.
        rows: one tuple of cells a row: text, int, float, or None for nothing.
        tones: one tone a row, shown as its glyph at the left; () for none.
        marked: the rows this step is about.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    tones: tuple[Tone | None, ...] = ()
    marked: tuple[int, ...] = ()


class Panel(Struct, frozen=True, kw_only=True, eq=False):
    """Marks that share axes.

    Attributes:
        title: what is shown, in a few words.
        marks: painted in this order, the first at the back.
        space: "data" (R^d of the rows, seen on a plane) or "own" (plane coordinates of this panel).
        axes: the names of the horizontal and the vertical axis, for "own".
        limits: ((left, right), (bottom, top)) for "own", for the whole run; from the marks when None.
        equal: one unit is as long across as it is up, so that angles and lengths are true.
        note: a few words for the panel's corner.
        features: of "data", the two features on which it is best seen, until a person chooses a plane.
    """

    title: str
    marks: tuple[Mark, ...]
    space: Literal["data", "own"] = "own"
    axes: tuple[str, str] = ("", "")
    limits: tuple[tuple[float, float], tuple[float, float]] | None = None
    equal: bool = False
    note: str = ""
    features: tuple[int, int] | None = None


class Scene(Struct, frozen=True, eq=False):
    """Panels, the main one first."""

    panels: tuple[Panel, ...]


def columns(title: str, heads: Mapping[str, Any], note: str = "", **marked: Any) -> Panel:
    """Make a panel with a table, given column by column; NaN is nothing."""
    cells = [[_cell(value) for value in np.asarray(column).tolist()] for column in heads.values()]
    return Panel(title=title, note=note, marks=(Table(columns=tuple(heads), rows=tuple(zip(*cells)), **marked),))


def numbers(facts: Mapping[str, float | int | str | None], title: str = "so far") -> Panel:
    """Make a panel with names and numbers; NaN and None are nothing."""
    rows = tuple((name, _cell(value)) for name, value in facts.items())
    return Panel(title=title, marks=(Table(columns=("", "now"), rows=rows),))


def _cell(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
