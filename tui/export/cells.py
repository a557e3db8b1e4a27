"""The cells of a screen as it is shown, and where two of them differ."""

from typing import Any

import numpy as np
from textual.geometry import Region

from tui.paint.canvas import CONTINUED, SPACE
from tui.paint.cells import Cells
from tui.widgets.raster import RasterView


def shown(screen: Any, ground: int) -> Cells:
    """Get the cells of a screen's rasters; `ground` where there are none."""
    columns, rows = screen.size
    glyphs, styles = np.full((rows, columns), SPACE, np.uint32), np.full((rows, columns), ground, np.int64)
    for view in screen.query(RasterView):
        if view.display and view.cells is not None:
            (left, top), (height, width) = view.region.offset, view.cells[0].shape
            # A view that has grown since is painted only as far as it was.
            seen = view.region.intersection(Region(left, top, width, height)).intersection(screen.size.region)
            part = np.s_[seen.y : seen.bottom, seen.x : seen.right]
            of_view = np.s_[seen.y - top : seen.bottom - top, seen.x - left : seen.right - left]
            glyphs[part], styles[part] = view.cells[0][of_view], view.cells[1][of_view]
    return Cells(glyphs, styles)


def changes(before: Cells | None, after: Cells) -> list[tuple[int, int, int]]:
    """(row, first column, column after the last) of what differs in each row; all of them without `before`."""
    rows, columns = after.glyphs.shape
    if before is None or before.glyphs.shape != after.glyphs.shape:
        return [(row, 0, columns) for row in range(rows)]
    differs = (before.glyphs != after.glyphs) | (before.styles != after.styles)
    spans: list[tuple[int, int, int]] = []
    for row in np.flatnonzero(differs.any(axis=1)).tolist():
        at = np.flatnonzero(differs[row])
        first, end = int(at[0]), int(at[-1]) + 1
        if first and CONTINUED in (before.glyphs[row, first], after.glyphs[row, first]):  # with its other half
            first -= 1
        if end < columns and CONTINUED in (before.glyphs[row, end], after.glyphs[row, end]):
            end += 1
        spans.append((row, first, end))
    return spans


def rgb(packed: int) -> tuple[int, int, int]:
    """Take apart the red, green and blue of a packed colour."""
    return packed >> 16 & 255, packed >> 8 & 255, packed & 255


def run_lengths(numbers: list[int]) -> list[int]:
    """Write numbers that recur as number and length, again and again."""
    runs: list[int] = []
    for number in numbers:
        if runs and runs[-2] == number:
            runs[-1] += 1
        else:
            runs += [number, 1]
    return runs
