"""The canvas: text cannot steer a terminal, dots and glyphs end up where they belong."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from tui.paint.canvas import CONTINUED, HALF, Canvas, cells_of, fitted, width_of
from tui.paint.strips import strips_of


def blank(columns: int = 10, rows: int = 3) -> Canvas:
    return Canvas(columns, rows, 0x101010, 0xFFFFFF)


def row_of(canvas: Canvas, row: int) -> str:
    return "".join(chr(c) for c in canvas.cells()[0][row])


def test_text_is_cut_at_both_edges() -> None:
    canvas = blank(5)
    canvas.text(-2, 0, "abcdefghij", 0)
    assert row_of(canvas, 0) == "cdefg"
    canvas.text(3, 9, "below", 0)
    canvas.text(9, 1, "right", 0)
    assert row_of(canvas, 1).strip() == ""


@pytest.mark.parametrize("evil", ["\x1b[2J", "\x9b31m", "a\x07b", "\u202eabc", "\u200b", "x\u0301", "\x00"])
def test_nothing_that_steers_a_terminal_gets_in(evil: str) -> None:
    canvas = blank(20)
    canvas.text(0, 0, evil, 0)
    shown = row_of(canvas, 0).replace(chr(CONTINUED), "")
    assert all(c.isprintable() for c in shown)


@given(st.text(max_size=40))
def test_any_text_takes_the_cells_it_says(text: str) -> None:
    canvas = Canvas(100, 1, 0, 0)
    assert canvas.text(0, 0, text, 1) == width_of(text)
    glyphs, styles = canvas.cells()
    strip = strips_of(glyphs, styles)[0]
    assert cell_len(strip.text) == 100


@given(st.text(max_size=30), st.integers(0, 30))
def test_fitted_text_fits(text: str, width: int) -> None:
    assert width_of(fitted(text, width)) <= width


def test_wide_characters_take_two_cells() -> None:
    assert list(cells_of("日")) == [ord("日"), CONTINUED]


def test_a_part_shows_in_the_whole() -> None:
    canvas = blank()
    canvas.part(4, 1, 3, 1).text(0, 0, "abcdef", 0)
    assert row_of(canvas, 1) == "    abc   "


def test_braille_dots_of_one_cell_join() -> None:
    canvas = blank(2, 1)
    canvas.braille(np.array([0.0, 1.0]), np.array([0.0, 3.0]), 0xFF)
    assert row_of(canvas, 0)[0] == chr(0x2800 + 0x01 + 0x80)


def test_dots_outside_are_left_out() -> None:
    canvas = blank(2, 1)
    canvas.braille(np.array([-5.0, 99.0, np.nan, np.inf]), np.array([0.0, 0.0, 0.0, 0.0]), 0xFF)
    assert row_of(canvas, 0) == "  "


def test_strips_hold_what_the_cells_show() -> None:
    canvas = blank(8, 2)
    canvas.text(1, 0, "red", 0xFF0000)
    canvas.text(4, 0, "blue", 0x0000FF, ground=0x00FF00, bold=True)
    strips = strips_of(*canvas.cells())
    assert [s.text for s in strips] == [" redblue", " " * 8]
    blue = strips[0]._segments[-1].style
    assert blue is not None
    assert blue.bold
    assert blue.color is not None
    assert blue.color.triplet == (0, 0, 255)


def test_an_accent_that_no_letter_has_stands_behind_it() -> None:
    assert "".join(map(chr, cells_of("w\u0304 and e\u0301, α\u0302"))) == "w¯ and é, α^"
    assert width_of("w\u0304") == 2


def test_a_half_cell_whose_line_is_taken_away_has_its_own_colour_again() -> None:
    canvas = blank(2, 1)
    canvas.glyphs[:], canvas.ink[:], canvas.ground[:] = HALF, 0x202020, 0x303030
    x, y = np.array([0.0]), np.array([0.0])
    tops = canvas.ink.copy()
    canvas.braille(x, y, 0xFFFFFF)
    canvas.clear(y.astype(int), x.astype(int), tops)
    assert canvas.cells()[0][0].tolist() == [HALF, HALF]
    assert canvas.ink[0].tolist() == [0x202020, 0x202020], "and not that of the line that is gone"
    canvas.braille(x, y, 0xFFFFFF)
    canvas.clear(y.astype(int), x.astype(int))
    assert row_of(canvas, 0)[0] == " ", "where it is not known, the cell has one colour"


@given(st.integers(0, 2**32 - 1))
def test_lines_drawn_at_once_are_those_drawn_in_turn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    canvas, inks, strong = blank(6, 4), np.array([1, 2, 3, 4]), frozenset({8, 9})
    canvas.glyphs[:] = rng.choice([32, HALF, ord("x")], (4, 6), p=(0.7, 0.15, 0.15))
    canvas.dots[:] = rng.choice([0, 1, 0x80], (4, 6))
    canvas.ink[:] = rng.choice([1, 2, 8, 9, 0xFFFFFF], (4, 6))
    one_by_one = blank(6, 4)
    one_by_one.paste(canvas)
    turns = np.sort(rng.integers(0, 4, 60))
    x, y = rng.uniform(-2, 14, 60), rng.uniform(-2, 18, 60)
    inks = rng.choice(inks, 4)
    there = canvas.braille_in_turn(x, y, turns, inks, strong)
    cells = [one_by_one.braille(x[turns == t], y[turns == t], int(inks[t]), strong) for t in range(4)]
    for name in ("glyphs", "ink", "dots"):
        assert getattr(canvas, name).tolist() == getattr(one_by_one, name).tolist(), name
    assert {*zip(*map(np.ndarray.tolist, there))} == {c for at in cells for c in zip(*map(np.ndarray.tolist, at))}
