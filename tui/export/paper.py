"""Figures for a paper, drawn by matplotlib: curves of a run, and the panels of a step, in the units of the data."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from algorithms.core import Array, Curve
from algorithms.core.errors import Refused, no_such
from algorithms.core.resolve import Faded, Levels, ResolvedPanel, Tint
from algorithms.core.scene import (
    Arrow,
    Band,
    Bars,
    Cursor,
    DragHandles,
    ErrorBars,
    Labels,
    Mark,
    Matrix,
    Path,
    Paths,
    Points,
    Segments,
    Table,
    Tone,
    Tree,
    Units,
)
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.pictures.viewer import Viewer
from algorithms.timeline import Frame, Timeline
from algorithms.timeline.series import broken
from tui.paint.matrices import matrix_colours, shape_of
from tui.paint.palette import LIGHT, mix, unpack
from tui.paint.regions import tint_colours

_GRID = (150, 60)  # cells of the stage that regions are asked for on
_WIDE, _HIGH = 4.6, 3.4  # inches of a panel
_MARKERS = "o^sD*Pv>Xhd<"  # one a class, as the screen has glyphs
_DOT, _RING = 16.0, 60.0  # points squared
_STYLES = ("-", "--", ":", "-.")  # of curves that share a chart


class Drawing(Figure):
    """A figure that a notebook shows by itself; `savefig` writes it in any form that matplotlib knows."""

    def _repr_png_(self) -> bytes:
        from io import BytesIO

        held = BytesIO()
        self.savefig(held, format="png", dpi=110)
        return held.getvalue()


def curves_of(run: Timeline[Any], names: Sequence[str], *, unthinned: bool = False) -> Drawing:
    """Draw curves of a run along what they are drawn along on the screen; those that share a chart there do here.

    Raises:
        Refused: for a name that no curve has, or where there are none.
    """
    every = {curve.name: curve for curve in run.algorithm.curves}
    for name in names:
        if name not in every:
            raise no_such("curve", name, every)
    charts: dict[str, list[Curve]] = {}
    for name in names or _usual(run):
        charts.setdefault(every[name].group, []).append(every[name])
    if not charts:
        raise Refused(f"{run.algorithm.title} has no curves with a value so far.")
    figure = Drawing(figsize=(_WIDE * min(len(charts), 2), _HIGH * -(-len(charts) // 2)), layout="constrained")
    for place, (title, curves) in enumerate(charts.items(), 1):
        axes = figure.add_subplot(-(-len(charts) // 2), min(len(charts), 2), place)
        for i, curve in enumerate(curves):
            x, y, along, log = _line(run, curve, unthinned)
            label = curve.name if not curve.formula else f"{curve.name}: {curve.formula}"
            colour = _rgb(curve.tone if curve.tone is not None else 3 + i)
            axes.plot(x, y, _STYLES[i % len(_STYLES)], color=colour, label=_plain(label), linewidth=1.2)
            axes.set_xlabel(_plain(along))
            if log:
                axes.set_xscale("log")
        axes.set_yscale("log" if any(curve.log for curve in curves) else "linear")
        axes.set_ylabel(_plain(title))
        axes.legend(fontsize="small", frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _usual(run: Timeline[Any]) -> list[str]:
    """Name the curves that have a value, and are not there to be drawn along alone."""
    along = {curve.variable.name for curve in run.algorithm.curves if curve.variable is not None}
    names = [curve.name for curve in run.algorithm.curves if curve.name not in along]
    return [name for name in names if len(run.curve(name)[0])]


def _line(run: Timeline[Any], curve: Curve, unthinned: bool) -> tuple[Array, Array, str, bool]:
    """Get places and values of a curve, what they are along, and whether that is logarithmic."""
    t, values = run.curve(curve.name, unthinned=unthinned)
    if curve.variable is not None:
        at, x = run.curve(curve.variable.name, unthinned=unthinned)
        _, ours, theirs = np.intersect1d(t, at, return_indices=True)
        return x[theirs], values[ours], *curve.variable.axis(run.problem)
    anew = [step for step, _ in (*run.begun_anew(), *run.forks_of(curve.name))]
    return *broken(t, values, anew), "step", False


def panels_of(frame: Frame[Any]) -> Drawing:
    """Draw the panels of a step that are pictures, the main one first; tables are left to `Table`.

    Raises:
        Refused: for a frame that is of no run any more.
    """
    if frame.run is None:
        raise Refused("a frame that was pickled has left its run: ask the run for it again.")
    viewer = Viewer(frame.run)
    count = max(viewer.picture(frame, *_GRID, stage_only=True).drawn, 1)
    columns = min(count, 2)
    figure = Drawing(figsize=(_WIDE * columns, _HIGH * -(-count // columns)), layout="constrained")
    for place in range(count):
        viewer.on_stage = place
        picture = viewer.picture(frame, *_GRID, stage_only=True)
        axes = figure.add_subplot(-(-count // columns), columns, place + 1)
        _Sheet(axes, picture.stage, picture.limits[picture.stage.title]).draw()
    figure.suptitle(_plain(f"{frame.run.algorithm.title}, step {frame.t:,}"), fontsize="medium")
    return figure


class _Sheet:
    """Draws a panel onto axes of matplotlib, in the units that the data came in.

    Attributes:
        faint: how much of their colours marks have: less than all of what was earlier.
    """

    def __init__(self, axes: Any, panel: ResolvedPanel, limits: Limits):
        self.axes, self.panel, self.limits, self.faint = axes, panel, limits, 1.0

    def draw(self) -> None:
        """Draw the marks, and name the axes."""
        axes, panel, limits = self.axes, self.panel, self.limits
        bare = any(isinstance(mark, Matrix | Tree) for mark in panel.marks)
        if not bare:
            corners = self.place(np.array([[limits.left, limits.bottom], [limits.right, limits.top]]))
            axes.set_xlim(*corners[:, 0])
            axes.set_ylim(*corners[:, 1])
            axes.set_xscale("log" if "x" in panel.log else "linear")
            axes.set_yscale("log" if "y" in panel.log else "linear")
            axes.set_xlabel(_plain(panel.across.name))
            axes.set_ylabel(_plain(panel.up.name))
            axes.spines[["top", "right"]].set_visible(False)
            if panel.equal:
                axes.set_aspect("equal", adjustable="box")
        for mark in panel.marks:
            draw(mark, self)
        axes.set_title(_plain(panel.title), fontsize="small")
        handles, _ = axes.get_legend_handles_labels()
        if handles:
            axes.legend(fontsize="x-small", frameon=True, framealpha=0.85, loc="best")

    def place(self, at: Array) -> Array:
        """Get (…, 2) places of the plane in the units of the axes."""
        across, up = self.panel.across, self.panel.up
        places = np.stack([across.offset + across.unit * at[..., 0], up.offset + up.unit * at[..., 1]], axis=-1)
        for i, axis in enumerate("xy"):
            if axis in self.panel.log:
                places[..., i] = 10.0 ** places[..., i]
        return places

    def heights(self, x: Array, *ends: Array) -> list[Array]:
        """Get ends over x in the units of the axes."""
        return [self.place(np.stack([np.asarray(x, float), np.asarray(end, float)], axis=-1)) for end in ends]

    def colour(self, tone: Tone) -> tuple[float, ...]:
        """Find the colour of a tone."""
        return (*_rgb(tone), self.faint)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Get left, right, bottom and top of what is seen."""
        limits = self.limits
        (left, bottom), (right, top) = self.place(
            np.array([[limits.left, limits.bottom], [limits.right, limits.top]])
        ).tolist()
        return left, right, bottom, top

    def grid(self, rows: int, columns: int) -> tuple[Array, Array]:
        """Get the middles of a grid over what is seen, from the top down."""
        limits = self.limits
        x = limits.left + (np.arange(columns) + 0.5) * limits.width / columns
        y = limits.top - (np.arange(rows) + 0.5) * limits.height / rows
        at = self.place(np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1))
        return at[..., 0], at[..., 1]


@singledispatch
def draw(mark: Mark, sheet: _Sheet) -> None:
    """Draw a resolved mark; what is there to be dragged is drawn by other marks."""
    if not isinstance(mark, DragHandles | Table):
        raise TypeError(f"{type(mark).__name__} is not a mark that can be drawn")


@draw.register
def _(mark: Faded, sheet: _Sheet) -> None:
    before, sheet.faint = sheet.faint, 0.6 - 0.4 * mark.age
    draw(mark.mark, sheet)
    sheet.faint = before


@draw.register
def _(mark: Points, sheet: _Sheet) -> None:
    at, n = sheet.place(mark.at), len(mark.at)
    codes = None if mark.classes is None else np.asarray(mark.classes, int)
    if codes is None and mark.shares is not None:
        codes = np.argmax(mark.shares, axis=1)
    sizes = np.full(n, _DOT) if mark.weights is None else _DOT * (0.3 + 2 * np.asarray(mark.weights, float))
    faded, crossed, ringed, haloed = (_mask(x, n) for x in (mark.faded, mark.crossed, mark.ringed, mark.haloed))
    for code in [None] if codes is None else np.unique(codes).tolist():
        here = np.ones(n, bool) if codes is None else codes == code
        tone: Tone = mark.tone if code is None else code
        name = mark.names[code or 0] if (code or 0) < len(mark.names) else None
        look: dict[str, Any] = {"marker": _MARKERS[(code or 0) % len(_MARKERS)], "linewidths": 0.8}
        colour = sheet.colour(tone)
        if mark.shares is not None:
            colours = mark.shares @ np.array([_rgb(k) for k in range(mark.shares.shape[1])])
        else:
            colours = np.tile(colour[:3], (n, 1))
        alpha = np.where(faded, 0.25, 1.0) * sheet.faint
        for some, filled in ((here & ~crossed, True), (here & crossed, False)):
            if some.any():
                inks = np.column_stack([colours, alpha])[some]
                fill = {"c": inks} if filled else {"facecolors": "none", "edgecolors": inks}
                label = None if name is None or not filled else _plain(name)
                sheet.axes.scatter(*at[some].T, s=sizes[some], zorder=3, label=label, **fill, **look)
    rings: tuple[tuple[Array, Tone], ...] = ((haloed, "muted"), (ringed, "ink"))
    for some, ink in rings:
        if some.any():
            edges = {"facecolors": "none", "edgecolors": [sheet.colour(ink)]}
            sheet.axes.scatter(*at[some].T, s=_RING, linewidths=1.2, zorder=4, **edges)


@draw.register
def _(mark: Labels, sheet: _Sheet) -> None:
    tones = mark.tones if len(mark.tones) == len(mark.texts) else mark.tones[:1] * len(mark.texts)
    for at, text, tone in zip(sheet.place(np.asarray(mark.at, float)), mark.texts, tones):
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": sheet.colour(tone), "alpha": 0.85}
        sheet.axes.plot(*at, marker="P", color=sheet.colour(tone), markeredgecolor="white", zorder=5)
        sheet.axes.annotate(_plain(text), at, (5, 5), textcoords="offset points", fontsize="small", bbox=box, zorder=5)


@draw.register
def _(mark: Tint, sheet: _Sheet) -> None:
    colours = unpack(tint_colours(mark, LIGHT)) / 255
    x, y = sheet.grid(*mark.tones.shape)
    sheet.axes.pcolormesh(x, y, colours, shading="nearest", zorder=0, rasterized=True)


@draw.register
def _(mark: Levels, sheet: _Sheet) -> None:
    heights = [h - np.delete(mark.height, i, 0).max(axis=0) for i, h in enumerate(mark.height)] if mark.winner else []
    ink = {"colors": [sheet.colour(mark.tone)], "linewidths": 1.0, "zorder": 2}
    for height in heights or [mark.height]:
        levels = [0.0] if mark.winner else sorted(mark.levels)
        inside = [v for v in levels if np.nanmin(height) < v < np.nanmax(height)]  # matplotlib warns of the others
        if inside:
            sheet.axes.contour(*sheet.grid(*height.shape), height, levels=inside, **ink)
    if mark.name:
        sheet.axes.plot([], [], color=sheet.colour(mark.tone), label=_plain(mark.name))


@draw.register
def _(mark: Path, sheet: _Sheet) -> None:
    at = sheet.place(np.asarray(mark.at, float))
    sheet.axes.plot(*at.T, color=sheet.colour(mark.tone), linewidth=1.2, zorder=2, label=_plain(mark.name) or None)


@draw.register
def _(mark: Paths, sheet: _Sheet) -> None:
    count = len(mark.at)
    tones = mark.tones if len(mark.tones) == count else mark.tones[:1] * count
    strength = np.ones(count) if mark.strength is None else np.asarray(mark.strength, float)
    for i, (at, tone) in enumerate(zip(sheet.place(np.asarray(mark.at, float)), tones)):
        red, green, blue, share = sheet.colour(tone)
        label = _plain(mark.name) if mark.name and i == 0 else None
        ink = (red, green, blue, share * (0.1 + 0.9 * strength[i]))
        sheet.axes.plot(*at.T, color=ink, linewidth=1.0, zorder=2, label=label)


@draw.register
def _(mark: Band, sheet: _Sheet) -> None:
    lower, upper = sheet.heights(mark.x, mark.lower, mark.upper)
    red, green, blue, share = sheet.colour(mark.tone)
    name = _plain(mark.name) or None
    sheet.axes.fill_between(
        lower[:, 0], lower[:, 1], upper[:, 1], color=(red, green, blue), alpha=0.2 * share, linewidth=0, label=name
    )


@draw.register
def _(mark: ErrorBars, sheet: _Sheet) -> None:
    x = np.asarray(mark.at, float)[:, 0]
    middle, lower, upper = sheet.heights(x, np.asarray(mark.at, float)[:, 1], mark.lower, mark.upper)
    ends = np.maximum([middle[:, 1] - lower[:, 1], upper[:, 1] - middle[:, 1]], 0)
    look: dict[str, Any] = {"fmt": "o", "markersize": 3, "capsize": 2, "linewidth": 1}
    sheet.axes.errorbar(*middle.T, yerr=ends, color=sheet.colour(mark.tone), label=_plain(mark.name) or None, **look)


@draw.register
def _(mark: Cursor, sheet: _Sheet) -> None:
    x = sheet.place(np.array([mark.x, 0.0]))[0]
    sheet.axes.axvline(x, color=sheet.colour(mark.tone), linewidth=1, linestyle="--", label=_plain(mark.name) or None)


@draw.register
def _(mark: Segments, sheet: _Sheet) -> None:
    start, end = sheet.place(np.asarray(mark.start, float)), sheet.place(np.asarray(mark.end, float))
    values = None if mark.values is None else np.clip(np.asarray(mark.values, float), -1, 1)
    for i, (one, other) in enumerate(zip(start, end)):
        ink = sheet.colour(mark.tone) if values is None else (*_rgb(int(values[i] > 0)), 0.15 + 0.85 * abs(values[i]))
        label = _plain(mark.name) if mark.name and i == 0 else None
        sheet.axes.plot(*np.stack([one, other]).T, color=ink, linewidth=1.0, zorder=1, label=label)


@draw.register
def _(mark: Arrow, sheet: _Sheet) -> None:
    (start,), (end,) = (sheet.place(np.atleast_2d(np.asarray(at, float))) for at in (mark.start, mark.end))
    look = {"arrowstyle": "-|>", "color": sheet.colour(mark.tone), "shrinkA": 0, "shrinkB": 0}
    sheet.axes.annotate("", end, start, arrowprops=look, zorder=4)
    if mark.name:
        sheet.axes.annotate(_plain(mark.name), end, (4, 4), textcoords="offset points", fontsize="small", zorder=5)


@draw.register
def _(mark: Units, sheet: _Sheet) -> None:
    at, marked = sheet.place(np.asarray(mark.at, float)), _mask(mark.marked, len(mark.at))
    values = np.clip(np.asarray(mark.values, float), -1, 1)
    for i, place in enumerate(at):
        shade = mix(LIGHT.panel, LIGHT.tone(int(values[i] > 0)), float(abs(values[i])))
        edge = sheet.colour("ink" if marked[i] else "muted")
        sheet.axes.plot(*place, "o", markersize=13, markerfacecolor=unpack(shade) / 255, markeredgecolor=edge, zorder=3)
        if mark.texts:
            sheet.axes.annotate(_plain(mark.texts[i]), place, ha="center", va="center", fontsize="xx-small", zorder=4)


@draw.register
def _(mark: Bars, sheet: _Sheet) -> None:
    heights = np.asarray(mark.heights, float)
    tones = mark.tones if len(mark.tones) == len(heights) else mark.tones[:1] * len(heights)
    colours = [sheet.colour(tone) for tone in tones]
    if mark.edges is not None:
        edges = np.asarray(mark.edges, float)
        sheet.axes.bar(edges[:-1], heights, np.diff(edges), align="edge", color=colours, edgecolor="white")
        return
    across, up = heights.size, heights[np.isfinite(heights)]
    sheet.axes.bar(np.arange(across), heights, color=colours)
    sheet.axes.set_xticks(np.arange(across), [_plain(name) for name in mark.names], fontsize="x-small", rotation=30)
    sheet.axes.set_xlim(-0.6, across - 0.4)
    if up.size and up.min() < up.max():
        sheet.axes.set_ylim(min(0.0, float(up.min())) * 1.05, max(0.0, float(up.max())) * 1.05)


@draw.register
def _(mark: Matrix, sheet: _Sheet) -> None:
    values = np.full(shape_of(mark), np.nan)
    rows, columns = np.shape(mark.values)
    values[:rows, :columns] = mark.values
    sheet.axes.imshow(unpack(matrix_colours(mark, values, LIGHT)) / 255, interpolation="nearest")
    for row, column in mark.marked:
        sheet.axes.plot(column, row, "s", markerfacecolor="none", markeredgecolor=_rgb("accent"))
    sheet.axes.set_xlabel("column")
    sheet.axes.set_ylabel("row")


@draw.register
def _(mark: Tree, sheet: _Sheet) -> None:
    """Draw a tree as the outline that the screen has: a node a line, children under it and to the right."""
    parents = np.asarray(mark.parents, int)
    depth = np.zeros(len(parents), int)
    for node, parent in enumerate(parents):
        depth[node] = 0 if parent < 0 else depth[parent] + 1
    order: list[int] = []
    waiting = [node for node, parent in enumerate(parents) if parent < 0][::-1]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += [child for child in np.flatnonzero(parents == node)[::-1].tolist() if child not in order]
    for row, node in enumerate(order):
        weight = "bold" if node in mark.marked else "normal"
        sheet.axes.text(depth[node], -row, _plain(mark.texts[node]), fontsize="x-small", va="center", weight=weight)
        if parents[node] >= 0:
            above, left = -order.index(int(parents[node])), depth[node] - 0.7
            elbow = [left, left, depth[node] - 0.1], [above - 0.4, -row, -row]
            sheet.axes.plot(*elbow, color=_rgb("muted"), linewidth=0.8)
    sheet.axes.set_xlim(-0.5, max(depth.max(initial=0) + 3, 4))
    sheet.axes.set_ylim(-len(order), 1)
    sheet.axes.axis("off")


def _mask(given: Array | None, n: int) -> Array:
    return np.zeros(n, bool) if given is None else np.asarray(given, bool)


def _rgb(tone: Tone) -> tuple[float, ...]:
    return to_rgb(f"#{LIGHT.tone(tone):06x}")


def _plain(text: str) -> str:
    """Write a text as it is: matplotlib takes what stands between dollars for mathematics of its own."""
    return "".join(sign if sign.isprintable() else "?" for sign in text).replace("$", r"\$").lstrip("_")
