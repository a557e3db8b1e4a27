"""Digits three rows high, of half cells, for the last row of a hall."""

from tui.paint.canvas import HALF, SPACE, Canvas

HEIGHT = 3  # rows of cells, six of half cells
QUOTES = ord('"')
_GAP = 1  # columns between two
_SHAPES = {
    "0": "#### #..# #..# #..# #..# ####",
    "1": ".#. ##. .#. .#. .#. ###",
    "2": "#### ...# ...# #### #... ####",
    "3": "#### ...# .### ...# ...# ####",
    "4": "#..# #..# #### ...# ...# ...#",
    "5": "#### #... #### ...# ...# ####",
    "6": "#### #... #### #..# #..# ####",
    "7": "#### ...# ...# ..#. ..#. ..#.",
    "8": "#### #..# #### #..# #..# ####",
    "9": "#### #..# #### ...# ...# ####",
    "-": "... ... ### ... ... ...",
    "+": "... .#. ### .#. ... ...",
    ".": ". . . . . #",
    ",": ". . . . # #",
    "e": ".... #### #..# #### #... ####",
    "n": ".... .... ###. #..# #..# #..#",
    "a": ".... .... .### #..# #..# .###",
    "∞": "..... ##.## #.#.# ##.## ..... .....",
    "≤": "....# ..##. ##... ..##. ....# #####",
    "<": "....# ..##. ##... ..##. ....# .....",
    "=": ".... #### .... #### .... ....",
    "≠": "...# #### .##. #### #... ....",
}


def columns_of(text: str) -> int:
    """Count the columns that a text takes, of signs that there are."""
    return sum(len(_SHAPES[sign].split()[0]) + _GAP for sign in text if sign in _SHAPES) - _GAP


def paint_digits(canvas: Canvas, column: int, row: int, text: str, ink: int, upper: int = HALF) -> int:
    """Write a number in large digits with their upper left corner at a cell; returns the column after it.

    Args:
        upper: what stands for the upper half of a cell; `QUOTES` where a half block would be a blank.
    """
    for sign in text:
        lines = _SHAPES.get(sign, "").split()
        for y in range(0, len(lines), 2):
            for x, (above, below) in enumerate(zip(lines[y], lines[y + 1])):
                glyph = {"##": ord("█"), "#.": upper, ".#": ord("▄")}.get(above + below, SPACE)
                if 0 <= column + x < canvas.columns and row + y // 2 < canvas.rows:
                    canvas.glyphs[row + y // 2, column + x] = glyph
                    canvas.ink[row + y // 2, column + x] = ink
        column += (len(lines[0]) + _GAP) if lines else 0
    return column
