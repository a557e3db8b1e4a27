"""Marks: the painters of all of them, and the order in which those of a panel are painted."""

from algorithms.core import DragHandles, Points
from algorithms.core.resolve import Faded, Tint
from algorithms.core.scene import Mark
from tui.paint import bars, curves, drawings, matrices, points, regions  # each registers its painters
from tui.paint.canvas import HALF, SPACE
from tui.paint.dispatch import paint as paint
from tui.paint.legend import legend_of as legend_of
from tui.paint.palette import faded
from tui.paint.plot import Plot

__all__ = ["bars", "curves", "drawings", "legend_of", "matrices", "paint", "paint_all", "points", "regions"]

_NEWEST, _OLDEST = 0.75, 0.25  # of its colour in something that was


def paint_all(marks: tuple[Mark, ...], plot: Plot) -> None:
    """Paint a panel's marks in their order; but history lies under the present, seen only where that leaves room.

    Names come last, where they cover nothing.
    """
    past = [mark for mark in marks if isinstance(mark, Faded)]
    if past:
        _paint_over(marks, past, plot)
    else:
        for mark in marks:
            paint(mark, plot)
    plot.write_names()


def _paint_over(marks: tuple[Mark, ...], past: list[Faded], plot: Plot) -> None:
    """Paint what was, and over it what is."""
    grounds = [mark for mark in marks if isinstance(mark, Tint)]
    for mark in [*grounds, *past]:
        paint(mark, plot)
    canvas = plot.canvas
    dots, ink = canvas.dots.copy(), canvas.ink.copy()
    canvas.dots[:] = 0
    for mark in marks:
        if not isinstance(mark, Tint | Faded):
            paint(mark, plot)
    free = (canvas.dots == 0) & (dots > 0) & ((canvas.glyphs == SPACE) | (canvas.glyphs == HALF))
    canvas.dots[free], canvas.ink[free] = dots[free], ink[free]
    plot.past_seen = bool(free.any()) or any(isinstance(mark.mark, Points) for mark in past)


@paint.register
def _(mark: DragHandles, plot: Plot) -> None:
    """Paint nothing: what can be dragged is painted by other marks."""


@paint.register
def _(mark: Faded, plot: Plot) -> None:
    """Paint another mark in colours nearer to the panel's the older it is, without its name."""
    share = _NEWEST + (_OLDEST - _NEWEST) * mark.age
    paint(mark.mark, Plot(plot.canvas, plot.limits, faded(plot.palette, round(share, 2))))
