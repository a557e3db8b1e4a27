"""Blocks of signs and sentences, laid out in as few columns as hold them."""

from collections.abc import Sequence

from msgspec import Struct

from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import wrapped
from tui.sections.signs import Sign

_MOST = 5  # columns
_APART = 2  # cells from one to the next
_UNWRAPPED = 999
_LONG = 21  # cells of a sign from which on its words stand below it, at most

Block = tuple[str, Sequence[Sign]]  # a heading, and what stands under it


class Line(Struct, frozen=True):
    """A heading, a sign with the first line of its words, or a further line of them; words stand from `indent` on."""

    words: str = ""
    indent: int = 0
    sign: Sign | None = None
    heading: str = ""

    @property
    def width(self) -> int:
        """Count the cells up to its end."""
        beside = self.indent + width_of(self.words) if self.words else 0
        return max(beside, width_of(self.heading), width_of(self.sign.sign) if self.sign else 0)


class Columns(Struct, frozen=True):
    """Blocks as they are laid out.

    Attributes:
        lines: of each column.
    """

    lines: tuple[tuple[Line, ...], ...]

    @property
    def rows(self) -> int:
        """Count the rows of the longest column."""
        return max(map(len, self.lines), default=0)

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        """Paint them beside each other, spread over the canvas."""
        widths = [max(line.width for line in lines) for lines in self.lines]
        apart = max((canvas.columns - sum(widths)) // max(len(widths), 1), _APART)
        left = 0
        for lines, width in zip(self.lines, widths):
            room = canvas.columns - left
            for row, line in enumerate(lines[: canvas.rows]):
                canvas.text(left, row, fitted(line.heading, room), palette.ink, bold=True)
                if line.sign is not None:
                    canvas.text(left, row, fitted(line.sign.sign, room), line.sign.ink, line.sign.ground)
                canvas.text(left + line.indent, row, fitted(line.words, room - line.indent), palette.dim)
            left += width + apart


def laid_out(blocks: Sequence[Block], columns: int, rows: int, whole: bool = False, most: int = _MOST) -> Columns:
    """Lay blocks out in so much room, of a row at least, in one column if that will do.

    Args:
        whole: whether words are in one line each, however wide.
        most: how many columns are tried.
    """
    rows, filled = max(rows, 1), list[list[Line]]()
    for count in range(1, most + 1):
        each = (columns - _APART * (count - 1)) // count
        filled = _filled([_lines(block, _UNWRAPPED if whole else each) for block in blocks], rows)
        if len(filled) <= count:
            break
    return Columns(tuple(map(tuple, filled)))


def _lines(block: Block, columns: int) -> list[Line]:
    """Wrap a block: words stand beside their sign, of one that is long below it."""
    heading, signs = block
    longest = min(columns // 4, _LONG) if columns < _UNWRAPPED else _LONG
    indent = max((width for sign in signs if (width := width_of(sign.sign)) <= longest), default=0) + 2
    lines = [Line(heading=heading)] if heading else []
    for sign in signs:
        above = width_of(sign.sign) > indent - 2
        words = wrapped(sign.words, max(columns - indent, 1)) or [""]
        lines += [Line(sign=sign)] if above else []
        lines += [Line(line, indent, None if i or above else sign) for i, line in enumerate(words)]
    return lines


def _filled(blocks: Sequence[list[Line]], rows: int) -> list[list[Line]]:
    """Put each block into the first column that has room for it, with a blank between; one that is too long for any
    goes on in the next."""
    columns: list[list[Line]] = []
    for block in blocks:
        while len(block) > rows:
            columns.append(block[:rows])
            block = block[rows:]
        there = next((column for column in columns if len(column) + 1 + len(block) <= rows), None)
        if there is None:
            columns.append([*block])
        else:
            there += [Line(), *block]
    return columns
