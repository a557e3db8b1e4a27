"""What marks look like in cells: curves, bands, intervals, cursors, bars, matrices, and what was under what is."""

import re
from typing import Any

import numpy as np
import pytest

from algorithms.core import (
    Arrow,
    Band,
    Bars,
    Cursor,
    ErrorBars,
    GhostTrail,
    Hyperplane,
    Matrix,
    Panel,
    Path,
    Paths,
    Points,
    Region,
)
from algorithms.core.plane import planes
from algorithms.core.resolve import Faded, History, ResolvedPanel, View, resolve
from algorithms.core.scene import Mark
from algorithms.data import faithful
from algorithms.playback.pictures.limits import Limits, wanted_limits
from tests.tiny import TinyState
from tui.paint.canvas import HALF, Canvas
from tui.paint.marks import legend_of, paint, paint_all
from tui.paint.matrices import matrix_part
from tui.paint.palette import DARK
from tui.paint.plot import Plot
from tui.sections.panels.plots import paint_legend, paint_plot

DATA = faithful.with_(scale=True).load()


def plot(columns: int = 20, rows: int = 10, limits: Limits | None = None) -> Plot:
    return Plot(Canvas(columns, rows, DARK.panel, DARK.ink), limits or Limits(0, 20, 0, 10), DARK)


def lines_of(canvas: Canvas) -> list[str]:
    return ["".join(map(chr, row)) for row in canvas.cells()[0]]


def painted(panel: Panel, columns: int = 44, rows: int = 14, past: History | None = None) -> Canvas:
    """A panel with its frame's line for the legend, as at the side."""
    plane, canvas = planes(DATA)[0], Canvas(columns, rows, DARK.panel, DARK.ink)
    limits = Limits(-2.0, 2.0, -2.0, 2.0)
    if panel.space == "own":
        limits = wanted_limits(resolve(panel, plane, View(0, 1, 0, 1)))
    view = View(limits.left, limits.right, limits.bottom, limits.top, columns, 2 * rows)
    flat: ResolvedPanel = resolve(panel, plane, view, past)
    paint_plot(canvas.part(0, 0, columns, rows - 1), flat, limits, DARK)
    paint_legend(canvas, flat, DARK, DATA)
    return canvas


def brightness(colour: int) -> int:
    return sum(colour >> s & 255 for s in (0, 8, 16))


def test_a_weak_curve_is_fainter_and_a_strong_one_lies_on_it() -> None:
    p = plot()
    level = np.array([[0.0, 5.1], [20.0, 5.1]])
    weak, strong = level + [0.0, 3.0], level
    paint(Paths(at=np.stack([strong, level, weak]), strength=np.array([1.0, 0.0, 0.0])), p)
    rows = [int(np.flatnonzero(p.canvas.dots[:, 3])[i]) for i in (0, 1)]
    faint, full = (int(p.canvas.ink[row, 3]) for row in rows)
    assert full == DARK.ink
    assert brightness(DARK.panel) < brightness(faint) < brightness(full) / 2


def test_a_band_is_a_ground_between_its_curves_and_leaves_what_is_drawn() -> None:
    p = plot()
    paint(Path(at=np.array([[0.0, 5.1], [20.0, 5.1]])), p)
    dots = p.canvas.dots.copy()
    paint(Band(x=np.array([5.0, 15.0]), lower=np.array([3.0, 3.0]), upper=np.array([7.0, 7.0]), tone=0), p)
    assert np.array_equal(p.canvas.dots, dots)
    ground = p.canvas.ground[:, 10]
    assert [bool(colour != DARK.panel) for colour in ground] == [False] * 3 + [True] * 4 + [False] * 3
    assert (p.canvas.ground[:, [2, 18]] == DARK.panel).all()


def test_a_thin_band_is_seen_and_a_band_over_a_region_keeps_the_region() -> None:
    p = plot()
    paint(Band(x=np.array([0.0, 20.0]), lower=np.array([5.1, 5.1]), upper=np.array([5.1, 5.1]), tone=0), p)
    assert (p.canvas.glyphs[4, 2:18] == HALF).all() or (p.canvas.ground[4, 2:18] != DARK.panel).all()


def test_error_bars_that_are_as_long_up_as_down_have_both_ends_or_none() -> None:
    for middle in np.linspace(4.0, 5.0, 11):
        for length, ends in ((0.3, 0), (0.6, 0), (0.8, 2), (1.2, 2)):
            p = plot(columns=3, rows=10, limits=Limits(0, 3, 0, 10))
            at = np.array([[1.5, middle]])
            paint(ErrorBars(at=at, lower=at[:, 1] - length, upper=at[:, 1] + length), p)
            glyphs = "".join(map(chr, p.canvas.glyphs[:, 1]))
            assert glyphs.count("┬") + glyphs.count("┴") == ends


def test_error_bars_have_caps_a_middle_and_arrows_where_they_leave_the_view() -> None:
    p = plot()
    at = np.array([[3.5, 5.5], [8.5, 5.5], [13.5, 5.5]])
    paint(ErrorBars(at=at, lower=np.array([2.5, -5.0, 5.4]), upper=np.array([8.5, 99.0, 5.6])), p)
    text = lines_of(p.canvas)
    assert [row[3] for row in text] == list(" ┬││●││┴  ")
    assert [row[8] for row in text] == list("▴│││●││││▾")
    assert [row[13] for row in text] == list("    ●     ")


def test_a_cursor_is_a_line_with_a_name_and_hides_nothing() -> None:
    p = plot()
    paint(Points(at=np.array([[10.5, 5.5]]), classes=np.array([1])), p)
    paint_all((Cursor(x=10.5, name="λ now"),), p)
    text = lines_of(p.canvas)
    assert text[0][12:17] == "λ now"
    assert [row[10] for row in text] == list("┊┊┊┊▲┊┊┊┊┊")
    gone = plot()
    paint(Cursor(x=99.0, name="λ"), gone)
    assert "".join(lines_of(gone.canvas)).strip() == ""


def test_a_logarithmic_axis_has_powers_and_the_legend_says_what_has_none() -> None:
    at = np.array([[1e-6, 1.0], [1.0, 100.0], [0.0, 10.0]])
    marks = (Points(at=at, rows=False), Path(at=at[:2]))
    panel = Panel(title="p", marks=marks, axes=("λ", "error"), log="xy", limits=((1e-7, 10.0), (0.1, 1000.0)))
    text = lines_of(painted(panel, 60, 16))
    joined = "\n".join(text)
    assert all(tick in joined for tick in ("1e-6", "1e-2", "1", "100")), joined
    assert "◂▾ ≤ 0" in text[-1]
    assert any(line.lstrip(" 0123456789").startswith("◂") for line in text)


# What is no number


def test_of_bars_nan_and_infinity_have_signs_of_their_own_and_a_word() -> None:
    heights = np.array([1.0, np.nan, np.inf, -np.inf, 3.0])
    panel = Panel(title="p", marks=(Bars(heights=heights, names=tuple("abcde"), tones=(0,)),), axes=("", "h"))
    canvas = painted(panel)
    text = lines_of(canvas)
    assert "× nan" in text[-1]
    assert "∞ 2 infinite" in text[-1]
    signs = [line for line in text[:-1] if "×" in line or "∞" in line]
    assert "∞" in signs[0]
    assert "×" in signs[-1]
    assert "∞" in signs[-1]  # the one below, at the lower edge
    assert "×" not in signs[0]
    assert (canvas.ink[canvas.glyphs == ord("×")] == DARK.wrong).all()


@pytest.mark.parametrize("signed", [False, True])
def test_of_a_matrix_nan_and_infinity_have_colours_signs_and_a_word(signed: bool) -> None:
    values = np.array([[1.0, np.nan], [-np.inf, 0.0]])
    canvas = painted(Panel(title="p", marks=(Matrix(values=values, signed=signed),)))
    text = lines_of(canvas)
    assert "× nan" in text[-1]
    assert "∞ infinite" in text[-1]
    colours = set(canvas.ground[:-1].ravel().tolist()) | set(canvas.ink[:-1].ravel().tolist())
    assert {DARK.wrong, DARK.accent} <= colours
    zero = painted(Panel(title="p", marks=(Matrix(values=np.nan_to_num(values), signed=signed),)))
    assert "nan" not in "".join(lines_of(zero))


# Bars and matrices in little room


@pytest.mark.parametrize("columns", [9, 20, 31, 44])
@pytest.mark.parametrize("spike", [0, 7, 16, 29])
def test_of_thirty_bars_in_a_narrow_panel_the_spike_is_seen(columns: int, spike: int) -> None:
    heights = np.ones(30)
    heights[spike] = 10.0
    p = plot(columns, 10, Limits(-0.5, 29.5, 0, 10))
    paint(Bars(heights=heights, names=("",) * 30, tones=(0,)), p)
    top = p.canvas.ground[2] == DARK.classes[0]
    assert 1 <= top.sum() <= max(2, columns // 10)
    assert abs(np.flatnonzero(top).mean() + 0.5 - (spike + 0.5) / 30 * columns) <= 1.0
    assert ((p.canvas.ground[-1] == DARK.classes[0]).sum()) >= columns // 2
    said = "".join(lines_of(p.canvas))
    assert ("the tallest of" in said) == (columns >= 25 and columns < 30) or columns < 25


@pytest.mark.parametrize("columns", range(24, 40))
def test_the_bars_of_one_chart_are_of_one_width_also_beside_none_and_at_the_edge(columns: int) -> None:
    heights = np.array([1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])  # two of a group, and room before the next
    p = plot(columns, 6, Limits(-0.5, 7.5, 0, 1))
    paint(Bars(heights=heights, names=("",) * 8, tones=(0, 1, 0, 0, 1, 0, 0, 1)), p)
    row = "".join("ab "[_tone_of(ground)] for ground in p.canvas.ground[3].tolist())
    widths = {len(bar) for bar in re.findall("a+|b+", row)}
    assert widths == {columns // 8 - 1}, "what is wider would count for more"


def _tone_of(ground: int) -> int:
    return DARK.classes.index(ground) if ground in DARK.classes[:2] else 2


def test_where_bars_share_a_column_it_says_so() -> None:
    p = plot(30, 6, Limits(-0.5, 199.5, 0, 1))
    paint(Bars(heights=np.ones(200), names=("",) * 200), p)
    assert "each column the tallest of 7" in lines_of(p.canvas)[0]
    wide = plot(30, 6, Limits(-0.5, 9.5, 0, 2))
    paint(Bars(heights=np.ones(10), names=("",) * 10), wide)
    assert "column" not in "".join(lines_of(wide.canvas))


def entry_widths(columns: int, rows: int, shape: tuple[int, int]) -> tuple[set[int], set[int]]:
    """How many cells across and half-cells down the entries of a chequered matrix have."""
    values = np.add.outer(np.arange(shape[0]), np.arange(shape[1])) % 2.0
    mark, canvas = Matrix(values=values), Canvas(columns, rows, DARK.panel, DARK.ink)
    part = matrix_part(canvas, mark)
    paint(mark, Plot(part, Limits(0, 1, 0, 1), DARK))
    across = part.ink[0]
    down = np.stack([part.ink[:, 0], part.ground[:, 0]], axis=1).ravel()[: 2 * part.rows]

    def runs(line: Any, count: int) -> set[int]:
        ends = np.flatnonzero(np.diff(line)) + 1
        return set(np.diff([0, *ends.tolist()]).tolist()) if len(ends) else {len(line) // count}

    return runs(across, shape[1]), runs(down, shape[0])


FITTING = [
    (columns, rows, shape)
    for columns, rows in ((42, 13), (30, 20), (50, 9))
    for shape in ((3, 3), (8, 8), (10, 17), (5, 30), (16, 16), (17, 29))
]


@pytest.mark.parametrize(("columns", "rows", "shape"), FITTING)
def test_the_entries_of_a_matrix_are_all_of_one_size(columns: int, rows: int, shape: tuple[int, int]) -> None:
    across, down = entry_widths(columns, rows, shape)
    assert len(across) == len(down) == 1
    assert across == down


def test_of_more_entries_than_cells_the_extreme_is_seen_and_it_says_so() -> None:
    values = np.zeros((100, 100))
    values[37, 71] = 5.0
    canvas = painted(Panel(title="p", marks=(Matrix(values=values, signed=True),)))
    assert "extremes of 4 × 4" in "".join(lines_of(canvas))
    assert DARK.classes[1] in set(canvas.ink.ravel().tolist()) | set(canvas.ground.ravel().tolist())


def colour_at(mark: Matrix, row: int, column: int) -> int:
    canvas = Canvas(24, 12, DARK.panel, DARK.ink)
    part = matrix_part(canvas, mark)
    paint(mark, Plot(part, Limits(0, 1, 0, 1), DARK))
    size = part.columns // (mark.shape or mark.values.shape)[1]
    return int(part.ground[(row * size) // 2, column * size])


def test_with_a_scale_colours_do_not_shift_as_rows_enter_and_with_a_shape_nor_do_places() -> None:
    whole = np.array([[1.0, 0.2, 0.1], [0.2, 4.0, 0.3], [0.1, 0.3, 9.0]])
    growing = [
        Matrix(values=whole[:n, :n], signed=True, scale=(-10.0, 10.0), shape=(3, 3), marked=((n - 1, n - 1),))
        for n in (1, 2, 3)
    ]
    assert len({colour_at(mark, 0, 0) for mark in growing}) == 1
    assert len({colour_at(Matrix(values=whole[:n, :n], signed=True, shape=(3, 3)), 0, 0) for n in (1, 2, 3)}) == 3
    assert colour_at(growing[0], 2, 2) not in (colour_at(growing[2], 2, 2), DARK.panel)  # not there yet


def test_marked_entries_stand_in_brackets() -> None:
    canvas = painted(Panel(title="p", marks=(Matrix(values=np.eye(3), marked=((1, 2), (2, 0))),)))
    text = "".join(lines_of(canvas))
    assert text.count("⟨") == text.count("⟩") == 2


# What was, and what is


def history(*slopes: float) -> History:
    return History(recent=[TinyState(t=i, x=np.array([slope])) for i, slope in enumerate(slopes)])


def line(slope: float, tone: Any = "muted") -> Hyperplane:
    return Hyperplane(normal=np.array([slope, -1.0]), offset=0.0, tone=tone)


def test_the_present_is_drawn_in_full_over_its_own_history() -> None:
    ghosts = GhostTrail(mark=lambda state: line(state.x[0]), name="earlier boundaries")
    region = Region(score=lambda at: 0.5 * at[:, 0] - at[:, 1])
    panel = Panel(title="p", space="data", marks=(region, ghosts))
    alone = painted(Panel(title="p", space="data", marks=(region,)))
    with_past = painted(panel, past=history(0.5, 0.52, -0.5))
    now = (alone.dots > 0) & (alone.ink == DARK.ink)
    assert now.sum() > 20
    assert np.array_equal(with_past.dots[now], alone.dots[now])
    assert (with_past.ink[now] == DARK.ink).all()
    past = (with_past.dots > 0) & ~now
    assert past.sum() > 10
    inks = {int(ink) for ink in with_past.ink[past]}
    assert len(inks) >= 2  # it fades
    assert all(brightness(ink) < brightness(DARK.dim) for ink in inks)
    assert "earlier boundaries" in lines_of(with_past)[-1]
    assert "earlier" not in lines_of(alone)[-1]


def test_what_was_is_faint_whatever_it_is() -> None:
    p = plot()
    point = Points(at=np.array([[3.5, 7.5]]), classes=np.array([1]))
    paint(Faded(mark=point, age=1.0), p)
    assert chr(p.canvas.glyphs[2, 3]) == "▲"
    assert brightness(DARK.panel) < brightness(int(p.canvas.ink[2, 3])) < brightness(DARK.classes[1])


def test_names_of_what_ends_in_one_place_do_not_cover_each_other() -> None:
    p = plot(30, 10)
    start, heads = np.array([[5.0, 5.0]]), (np.array([[12.0, 5.2]]), np.array([[12.3, 5.3]]))
    marks: list[Mark] = [Arrow(start=start, end=heads[0], tone=1, name="w before")]
    marks += [Arrow(start=start, end=heads[1], name="w")]
    paint_all(tuple(marks), p)
    text = lines_of(p.canvas)
    assert any("w before" in line for line in text)
    assert sum(line.replace("w before", "").count("w") for line in text) == 1


def test_points_with_names_bring_a_legend_of_their_own() -> None:
    at = np.zeros((3, 2))
    marks: tuple[Mark, ...] = (Points(at=at, classes=np.array([0, 1, 1]), names=("train", "test")),)
    assert legend_of(marks, None, ()) == [("●", 0, "train"), ("▲", 1, "test")]
    assert legend_of((Points(at=at, names=("samples",), tone="accent"),), None, ()) == [("●", "accent", "samples")]
    assert legend_of((Points(at=at, classes=np.array([0, 1, 1])),), np.array([0, 1, 1]), ("a", "b")) == [
        ("●", 0, "a"),
        ("▲", 1, "b"),
    ]
    curves = (Paths(at=np.eye(2)[None], name="fits"), Band(x=at[:, 0], lower=at[:, 0], upper=at[:, 0], name="95%"))
    assert [name for _, _, name in legend_of(curves, None, ())] == ["fits", "95%"]


# What bars stand for


@pytest.mark.parametrize(("columns", "seen"), [(60, ("free", "money", "meeting")), (30, ("free", "money", "meet"))])
def test_named_bars_have_their_names_below(columns: int, seen: tuple[str, ...]) -> None:
    bars = Bars(heights=np.array([0.2, 0.5, 0.1]), names=("free", "money", "meeting"))
    panel = Panel(title="p", marks=(bars,), axes=("feature", "share"), limits=((-0.5, 2.5), (0.0, 1.0)))
    text = "\n".join(lines_of(painted(panel, columns)))
    assert all(name in text for name in seen), text


def test_bars_too_narrow_for_names_have_numbers() -> None:
    bars = Bars(heights=np.ones(30), names=("length of a petal",) * 30)
    text = "\n".join(lines_of(painted(Panel(title="p", marks=(bars,), axes=("feature", "share")), 50)))
    assert "10" in text, text
    assert "len" not in text, text


def test_an_arrow_that_is_over_points_is_seen_where_they_lie() -> None:
    places = np.column_stack([np.full(9, 10.5), np.arange(9) + 0.5])
    for over in (False, True):
        p = plot()
        paint_all((Points(at=places), Arrow(start=places[:1], end=places[6:7], tone="accent", over=over)), p)
        column = [row[10] for row in lines_of(p.canvas)]
        assert [glyph == "●" for glyph in column[3:10]] == [not over] * 7
        assert column[1] == column[2] == "●"  # beyond its head


def test_the_row_and_column_still_to_come_point_at_an_entry_that_this_step_is_about() -> None:
    """Of 30 rows an entry has half a cell, too little for brackets."""
    halves = []
    for marked in ((), ((3, 3),)):
        p = plot(20, 10)
        paint(Matrix(values=np.eye(4), shape=(20, 20), marked=marked), p)
        halves.append(np.stack([p.canvas.ink, p.canvas.ground], axis=1).reshape(20, 20))
    changed = halves[0] != halves[1]
    assert changed[3, 4:].all()
    assert changed[4:, 3].all()
    assert changed.sum() == 2 * 16
