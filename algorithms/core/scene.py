"""Scenes: what there is to see of a state, in data space and in roles, never in colours or cells.

A mark speaks of points in R^d (in a panel of `space="data"`, projected by the app) or of points in the
plane (`space="own"`). Whatever is coloured has a tone: the code of a class or cluster (an int), or a role.
"""

import hashlib
import pickle
from collections.abc import Callable
from itertools import count
from typing import Any, Literal

from msgspec import Struct

from algorithms.core.arrays import Array

Role = Literal["ink", "muted", "accent", "wrong"]
Tone = Role | int
Part = tuple[Any, Callable[[Array], Array]]  # what a score is one term of, and the term: (m, d) -> (m,) or (m, k)


class Mark(Struct, frozen=True, kw_only=True, eq=False, tag=True):
    """Something to be seen."""


class Points(Mark, frozen=True, kw_only=True):
    """One dot a row.

    Attributes:
        at: (n, d).
        classes: (n,) int tones, each with its own glyph; `tone` for all when None.
        shares: (n, k) rows that sum to one: the colours of k tones mixed.
        weights: (n,) in [0, 1]: shown by size.
        sizes: what the size shows, for the legend; of two sizes, what the large ones are.
        ringed: (n,) bool, what this step is about: unmistakable.
        crossed: (n,) bool, wrong ones.
        cross: what these are, for the legend, where that is more than "wrong": "wrong when left out".
        haloed: (n,) bool, dark on a bright grey ground: those of a kind to be told apart (on the margin).
        halo: what these are, for the legend.
        faded: (n,) bool, a dim dot: those that take no part.
        fade: what these are, for the legend.
        rows: whether at[i] is row i of the data (so that it can be hovered and picked).
        names: what the codes of `classes` (or the columns of `shares`) mean, for a legend of these points; one name
            for all when there are neither.
        put: in a panel of its own space, the row that lies at a place there: (2,) -> its (d,) features and its
            target, or None for none; without it rows are not put there by hand.
        says: what the algorithm says of a row that is looked at, in a clause or two: its cluster and how far from the
            mean, its margin. Asked for no other row, so it may cost something.
    """

    at: Array
    classes: Array | None = None
    shares: Array | None = None
    weights: Array | None = None
    sizes: str = ""
    ringed: Array | None = None
    crossed: Array | None = None
    cross: str = "wrong"
    haloed: Array | None = None
    halo: str = ""
    faded: Array | None = None
    fade: str = ""
    tone: Tone = "ink"
    rows: bool = True
    names: tuple[str, ...] = ()
    put: Callable[[Array], tuple[Array, float | None]] | None = None
    says: Callable[[int], str] | None = None


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
        terms: (part, score) pairs in place of `score`, which is then their sum. A term's grid is kept as long as its
            part is the same object and the view stays, so that a vote of 200 trees costs one new tree a step; so a
            term depends on its part alone.
        tones: the tone of each side or column; (0, 1) or 0..k-1 by default.
        mixed: the columns of `score` are shares that sum to one (a single one: the share of tone 1), and colours mix
            instead of one winning; of `terms` the mean.
        lines: the levels of a signed score that are drawn as lines; of several columns or shares, whether there is a
            line where another one becomes the greatest.
        depth: the score (or lead over the second) at which the tint is fullest; the greatest seen if None.
        check: (n, d) rows to say for what share of them this slice tells the truth; None: not asked.
        name: what the lines are, for the legend.
    """

    score: Callable[[Array], Array] | None = None
    terms: tuple[Part, ...] = ()
    tones: tuple[int, ...] = ()
    mixed: bool = False
    lines: tuple[float, ...] = (0.0,)
    depth: float | None = None
    check: Array | None = None
    name: str = ""

    def __reduce__(self) -> Any:
        """Pickle it with digests in place of its parts: elsewhere the same part arrives as another object each time."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        fields["terms"] = tuple((_digest(part), score) for part, score in self.terms)
        return _region, (fields,)


def _region(fields: dict[str, Any]) -> Region:
    return Region(**fields)


_undigested = count()


def _digest(part: Any) -> str:
    """Digest a part: equal texts for equal parts, and never the same for one that cannot be pickled."""
    if isinstance(part, str):
        return part
    try:
        return hashlib.blake2b(pickle.dumps(part), digest_size=16).hexdigest()
    except Exception:  # whatever a reader's own class raises
        return f"undigested {next(_undigested)}"


class Contours(Mark, frozen=True, kw_only=True):
    """Level lines of a height.

    Attributes:
        height: (m, d) -> (m,), for all places at once.
        levels: where the lines are; () has them chosen so that they spread over the view, and kept while it stays.
        name: what they are, for the legend.
    """

    height: Callable[[Array], Array]
    levels: tuple[float, ...] = ()
    tone: Tone = "muted"
    name: str = ""


class Hyperplane(Mark, frozen=True, kw_only=True):
    """The set where normal·x + offset = 0.

    Attributes:
        normal: (d,).
        name: what it is, for the legend.
        box: (d,) least and greatest corner of the box outside of which there is nothing of it; None: it has no end.
    """

    normal: Array
    offset: float
    tone: Tone = "ink"
    name: str = ""
    box: tuple[Array, Array] | None = None


class Path(Mark, frozen=True, kw_only=True):
    """Straight pieces through (m, d) points, with a name at their end; NaN lifts the pen."""

    at: Array
    tone: Tone = "ink"
    name: str = ""


class Paths(Mark, frozen=True, kw_only=True):
    """Many curves of one kind: fits of bootstrap samples, samples of a posterior.

    Attributes:
        at: (c, m, d) places; NaN lifts the pen.
        strength: (c,) in [0, 1]: a weak curve fades into the panel; None: all in full.
        tones: c tones, or one for all.
        name: what they are, for the legend.
    """

    at: Array
    strength: Array | None = None
    tones: tuple[Tone, ...] = ("ink",)
    name: str = ""


class Band(Mark, frozen=True, kw_only=True):
    """The ground between two curves over x, in a panel of its own space: an interval at each place.

    Attributes:
        x: (m,) rising.
        lower, upper: (m,) ends of the interval at each x.
        name: what it is, for the legend.
    """

    x: Array
    lower: Array
    upper: Array
    tone: Tone = "muted"
    name: str = ""


class ErrorBars(Mark, frozen=True, kw_only=True):
    """Estimates with intervals, in a panel of its own space.

    Attributes:
        at: (m, 2) the estimates.
        lower, upper: (m,) ends of the interval of each, on the vertical axis.
        name: what they are, for the legend.
    """

    at: Array
    lower: Array
    upper: Array
    tone: Tone = "ink"
    name: str = ""


class Cursor(Mark, frozen=True, kw_only=True):
    """A vertical line at x through a panel of its own space: the λ or the degree that is looked at."""

    x: float
    tone: Tone = "accent"
    name: str = ""


class Segments(Mark, frozen=True, kw_only=True):
    """Separate straight pieces from start[i] to end[i], (m, d) each.

    Attributes:
        values: (m,) in [-1, 1], shown as strength and sign (the weights of a network); None for one tone.
        name: what they are, for the legend.
    """

    start: Array
    end: Array
    tone: Tone = "muted"
    values: Array | None = None
    name: str = ""


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
    """From start to end, (d,) each, with a name at its head.

    Attributes:
        legend: what it is, for the legend, of one without a name.
        over: whether it is seen over points, which else cover it.
    """

    start: Array
    end: Array
    tone: Tone = "ink"
    name: str = ""
    legend: str = ""
    over: bool = False


class Ellipse(Mark, frozen=True, kw_only=True):
    """A Gaussian's outline: mean (d,), covariance (d, d), at so many standard deviations; `name` is for the legend."""

    mean: Array
    covariance: Array
    deviations: tuple[float, ...] = (1.0, 2.0)
    tone: Tone = "ink"
    name: str = ""


class Trail(Mark, frozen=True, kw_only=True):
    """Where something has been: `where(state)` -> (m, d) for m things; one path each, supplied by the timeline.

    A place of another shape than the last one's is left out: of a state on other rows, say, empty. `name` is for the
    legend.
    """

    where: Callable[[Any], Array]
    tones: tuple[Tone, ...] = ("muted",)
    name: str = ""


class GhostTrail(Mark, frozen=True, kw_only=True):
    """A mark of the last few different earlier states, faint, under what is now.

    Attributes:
        mark: (state) -> its mark, or None.
        last: how many of the states at most.
        among: (past, now) -> whether an earlier state is one of them (only fits of the present degree); None: all are.
        name: what they are, for the legend.
    """

    mark: Callable[[Any], Mark | None]
    last: int = 8
    among: Callable[[Any, Any], bool] | None = None
    name: str = "earlier"


class DragHandles(Mark, frozen=True, kw_only=True):
    """Places that can be dragged, and what becomes of the state; not painted, another mark shows them.

    Attributes:
        at: (m, d).
        moved: (state, i, to) -> the state with the i-th of them at `to`, (d,): made by `state.replaced`.
        names: m names: "the mean a".
        sets: of a single place where a run starts, (to) -> the parameters that have it start at `to`, (d,). At step 0
            a drag then begins a run of its own with them, of which all theorems speak; later it changes the state.
    """

    at: Array
    moved: Callable[[Any, int, Array], Any]
    names: tuple[str, ...]
    sets: Callable[[Array], dict[str, Any]] | None = None


class Bars(Mark, frozen=True, kw_only=True):
    """Bars over an axis: heights (m,) over edges (m + 1,), or named ones without edges.

    Attributes:
        tones: m tones, or one for all.
        names: m names when there are no edges.
        meanings: (tone, what bars of it are), for the legend.
    """

    heights: Array
    edges: Array | None = None
    names: tuple[str, ...] = ()
    tones: tuple[Tone, ...] = ("muted",)
    meanings: tuple[tuple[Tone, str], ...] = ()


class Matrix(Mark, frozen=True, kw_only=True):
    """(r, c) numbers as an image; `signed` shows 0 as the middle of a diverging scale.

    Attributes:
        scale: the values at the two ends of the colours, so that these do not shift as rows enter; the least and the
            greatest there are if None. Of a signed one the ends lie as far from 0 as the farther of the two.
        shape: (rows, columns) that it will have when it is whole; the values are its upper left part.
        marked: (row, column) of each entry that this step is about.
        ends: what the darkest and the brightest mean, for the legend, where it is not their values.
    """

    values: Array
    signed: bool = False
    scale: tuple[float, float] | None = None
    shape: tuple[int, int] | None = None
    marked: tuple[tuple[int, int], ...] = ()
    ends: tuple[str, str] | None = None


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
        log: of "own", the axes that are logarithmic: the horizontal ("x"), the vertical ("y") or both. What is not
            above 0 lies at their edge, and the note says so. Limits and marks are in the numbers themselves.
        equal: one unit is as long across as it is up, so that angles and lengths are true.
        note: a few words for the panel's corner.
        features: of "data", the two features on which it is best seen, until a person chooses a plane.
    """

    title: str
    marks: tuple[Mark, ...]
    space: Literal["data", "own"] = "own"
    axes: tuple[str, str] = ("", "")
    limits: tuple[tuple[float, float], tuple[float, float]] | None = None
    log: Literal["", "x", "y", "xy"] = ""
    equal: bool = False
    note: str = ""
    features: tuple[int, int] | None = None


class Scene(Struct, frozen=True, eq=False):
    """Panels, the main one first."""

    panels: tuple[Panel, ...]
