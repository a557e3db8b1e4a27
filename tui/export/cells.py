"""The cells of a screen, and what turns one screen into the next on a terminal."""

from typing import Any

import numpy as np
from msgspec import Struct
from textual.geometry import Region

from algorithms.core import Array
from tui.paint.canvas import CONTINUED, SPACE
from tui.widgets.raster import RasterView


class Cells(Struct, frozen=True, eq=False):
    """What every cell shows.

    Attributes:
        glyphs: (rows, columns) code points, 0 for the second cell of a character that is two wide.
        styles: (rows, columns) bold << 48 | ink << 24 | ground.
    """

    glyphs: Array
    styles: Array

    @property
    def text(self) -> str:
        """Get the rows as lines, without the blanks at their ends."""
        return "".join(line.replace("\0", "").rstrip() + "\n" for line in self._lines)

    @property
    def _lines(self) -> list[str]:
        columns = self.glyphs.shape[1]
        whole = self.glyphs.astype("<u4").tobytes().decode("utf-32-le")
        return [whole[at : at + columns] for at in range(0, len(whole), columns)]


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


def painting(before: Cells | None, after: Cells) -> str:
    """Write what a terminal that shows `before` has to be sent to show `after`."""
    other = before is None or before.glyphs.shape != after.glyphs.shape
    parts = ["\x1b[0m\x1b[2J"] if other else []
    style = -1
    for row, first, end in changes(before, after):
        parts.append(f"\x1b[{row + 1};{first + 1}H")
        for glyph, key in zip(after.glyphs[row, first:end].tolist(), after.styles[row, first:end].tolist()):
            if key != style:
                parts.append(_colours(key))
                style = key
            if glyph != CONTINUED:
                parts.append(chr(glyph))
    return "".join(parts)


def _colours(key: int) -> str:
    ink, ground = rgb(key >> 24), rgb(key)
    bold = "1;" if key >> 48 else ""
    return f"\x1b[0;{bold}38;2;{ink[0]};{ink[1]};{ink[2]};48;2;{ground[0]};{ground[1]};{ground[2]}m"


def rgb(packed: int) -> tuple[int, int, int]:
    """Take apart the red, green and blue of a packed colour."""
    return packed >> 16 & 255, packed >> 8 & 255, packed & 255
