"""Dispatch: the painter of each kind of mark."""

from functools import singledispatch

from algorithms.core.scene import Mark
from tui.paint.plot import Plot


@singledispatch
def paint(mark: Mark, plot: Plot) -> None:
    """Paint a resolved mark."""
    raise TypeError(f"{type(mark).__name__} is not a mark that can be painted")
