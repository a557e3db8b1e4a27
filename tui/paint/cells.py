"""The cells of a screen, and what a terminal that shows some is sent to show others: those that changed, and of their
colours only what is other than before."""

from functools import lru_cache

import numpy as np
from msgspec import Struct
from rich.color import Color, ColorSystem

from algorithms.core import Array
from tui.paint.canvas import CONTINUED, SPACE

UNKNOWN = 0xFFFFFFFF  # the glyph of a cell that is not ours to send
_GROUND = 0xFFFFFF  # of a style
_INK = _GROUND << 24
_TURN, _MOVE = 17, 5  # bytes that tell a colour, and that go to another place of a row
_NEAR = 3  # cells in one style between two that changed: going past them costs as much


class Cells(Struct, frozen=True, eq=False):
    """What every cell shows.

    Attributes:
        glyphs: (rows, columns) code points, 0 for the second cell of a character that is two wide.
        styles: (rows, columns) bold << 48 | ink << 24 | ground.
    """

    glyphs: Array
    styles: Array

    def put(self, marked: Array, other: "Cells") -> None:
        """Have the marked cells show what those of others do."""
        self.glyphs[marked], self.styles[marked] = other.glyphs[marked], other.styles[marked]

    @property
    def text(self) -> str:
        """Get the rows as lines, without the blanks at their ends."""
        return "".join(line.replace("\0", "").rstrip() + "\n" for line in self._lines)

    @property
    def _lines(self) -> list[str]:
        columns = self.glyphs.shape[1]
        whole = self.glyphs.astype("<u4").tobytes().decode("utf-32-le")
        return [whole[at : at + columns] for at in range(0, len(whole), columns)]


def painting(before: Cells | None, after: Cells, system: ColorSystem = ColorSystem.TRUECOLOR) -> str:
    """Write what a terminal that shows `before` is sent to show `after`; without `before`, all of it.

    It begins and ends in no style. Where colours come again and again, as those of regions do, what has one is written
    together, wherever it stands: going to a place takes less than telling a colour.
    """
    columns = after.glyphs.shape[1]
    at = np.flatnonzero(_with_those_between(_changed(before, after), after.styles))
    if not len(at):
        return ""
    glyphs, styles = after.glyphs.ravel()[at], after.styles.ravel()[at]
    blank = glyphs == SPACE
    last = np.maximum.accumulate(np.where(blank, 0, np.arange(len(at))))
    styles = styles[last] & ~_GROUND | styles & _GROUND  # a blank's ink is not seen: it takes that of the glyph before
    begins = np.ones(len(at), bool)
    begins[1:] = (np.diff(at) > 1) | (at[1:] % columns == 0) | (styles[1:] != styles[:-1])
    cuts = np.flatnonzero(begins)
    ends = np.append(cuts[1:], len(at))
    runs = _Runs(cuts, ends, at[cuts], at[ends - 1] + 1, styles[cuts], np.logical_and.reduceat(blank, cuts))
    together = runs.in_order(np.argsort(runs.by_colour, kind="stable"))
    chosen = min(runs, together, key=lambda ordered: ordered.bytes(columns))
    return chosen.written(glyphs.astype("<u4").tobytes().decode("utf-32-le"), columns, system)


class _Runs(Struct, frozen=True, eq=False):
    """Cells of one style beside each other, in the order in which they are written.

    Attributes:
        first, stop: (m,) which of all that are sent.
        at, beyond: (m,) the places of the first and of that after the last.
        styles: (m,) packed.
        blank: (m,) whether there is nothing but blanks, which are written in any ink.
    """

    first: Array
    stop: Array
    at: Array
    beyond: Array
    styles: Array
    blank: Array

    @property
    def by_colour(self) -> Array:
        """Number the styles so that those on one ground follow each other, and blanks begin."""
        return (self.styles & _GROUND) << 26 | np.where(self.blank, 0, (self.styles >> 24) + 1)

    def in_order(self, order: Array) -> "_Runs":
        return _Runs(*(getattr(self, name)[order] for name in self.__struct_fields__))

    def bytes(self, columns: int) -> int:
        """Estimate how many bytes take one to all places and through all styles."""
        moves, other_row = self.at[1:] != self.beyond[:-1], self.at[1:] // columns != self.at[:-1] // columns
        inked = np.maximum.accumulate(np.where(self.blank, 0, np.arange(len(self.at))))
        inks, grounds = self.styles[inked] >> 24, self.styles & _GROUND
        turns = np.count_nonzero(np.diff(inks)) + np.count_nonzero(np.diff(grounds))
        return int(_TURN * turns + _MOVE * np.count_nonzero(moves | other_row) + 2 * np.count_nonzero(other_row))

    def written(self, text: str, columns: int, system: ColorSystem) -> str:
        """Write them; `text` has the characters of all that are sent."""
        parts: list[str] = []
        row, beyond, style = -1, -1, None
        listed = (column.tolist() for column in (self.first, self.stop, self.at, self.beyond, self.styles, self.blank))
        for first, stop, place, after, wanted, blank in zip(*listed):
            row_before, (row, column) = row, divmod(place, columns)
            if row != row_before:
                parts.append(f"\x1b[{row + 1};{column + 1}H")
            elif place != beyond:
                parts.append(f"\x1b[{column + 1}G")
            other = style & ~_GROUND | wanted & _GROUND if blank and style is not None else wanted
            if other != style:
                parts.append(_turn(style, other, system))
                style = other
            parts.append(text[first:stop])
            beyond = after
        return "".join(parts).replace("\0", "") + "\x1b[0m"


def _changed(before: Cells | None, after: Cells) -> Array:
    """Mark the cells that look otherwise, those of a wide character together."""
    glyphs = after.glyphs
    known: Array = glyphs != UNKNOWN
    if before is None:
        return known
    other = after.styles ^ before.styles
    changed: Array = known & ((glyphs != before.glyphs) | (np.where(glyphs == SPACE, other & _GROUND, other) != 0))
    second = glyphs[:, 1:] == CONTINUED
    if second.any():
        changed[:, :-1] |= changed[:, 1:] & second
        changed[:, 1:] |= changed[:, :-1] & second
    return changed


def _with_those_between(changed: Array, styles: Array) -> Array:
    """Mark also the few cells of one style between two marked ones of a row; all of them as one array."""
    columns, changed, styles = changed.shape[1], changed.ravel(), styles.ravel()
    at = np.flatnonzero(changed)
    turns = np.cumsum(np.diff(styles, prepend=styles[:1]) != 0)
    left, right = at[:-1], at[1:]
    joined = (right - left <= _NEAR + 1) & (turns[left] == turns[right]) & (left // columns == right // columns)
    left, right = left[joined], right[joined]
    for k in range(1, _NEAR + 1):
        changed[left[right - left > k] + k] = True
    return changed


@lru_cache(16384)
def _turn(before: int | None, after: int, system: ColorSystem) -> str:
    """Write what turns a style into another."""
    other = after ^ before if before is not None else _INK | _GROUND | (after >> 48 << 48)
    codes: list[str] = []
    if other >> 48:
        codes.append("1" if after >> 48 else "22")
    if other & _INK:
        codes.extend(_codes(after >> 24 & 0xFFFFFF, True, system))
    if other & _GROUND:
        codes.extend(_codes(after & 0xFFFFFF, False, system))
    return f"\x1b[{';'.join(codes)}m"


@lru_cache(16384)
def _codes(packed: int, ink: bool, system: ColorSystem) -> tuple[str, ...]:
    """Write a colour as the terminal has it."""
    colour = Color.from_rgb(packed >> 16, packed >> 8 & 255, packed & 255)
    return colour.downgrade(system).get_ansi_codes(foreground=ink)
