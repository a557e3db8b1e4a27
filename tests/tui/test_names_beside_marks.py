"""Labels touch their marks, names keep off points, arrows are told apart, and borders lie on the edge of the tint."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms.core import Array, Arrow, Labels, Matrix, Path, Points, Segments
from algorithms.core.resolve import Levels, Tint
from algorithms.core.scene import Mark
from algorithms.playback.pictures.limits import Limits
from tui.paint.canvas import SPACE, Canvas
from tui.paint.legend import legend_of
from tui.paint.marks import paint, paint_all
from tui.paint.palette import DARK, mix, unpack
from tui.paint.plot import Plot
from tui.paint.points import ON_GROUND, halo_of
from tui.sections.panels.plots import cut_at_word

COLUMNS, ROWS = 40, 12


def plot(columns: int = COLUMNS, rows: int = ROWS) -> Plot:
    """A plot on which (x, y) is in column x and row rows - 1 - y."""
    return Plot(Canvas(columns, rows, DARK.panel, DARK.ink), Limits(0, columns, 0, rows), DARK)


def painted(*marks: Mark) -> Plot:
    p = plot()
    paint_all(marks, p)
    return p


def lines_of(p: Plot) -> list[str]:
    return ["".join(map(chr, row)) for row in p.canvas.cells()[0]]


def crowd(around: tuple[int, int], reach: int) -> Array:
    """A point in each cell so near to (column, y)."""
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    return np.column_stack([x.ravel() + around[0], y.ravel() + around[1]]) + 0.5


def labelled(p: Plot, tone: int) -> Array:
    """The (row, column) of the cells on a label's ground."""
    return np.argwhere(p.canvas.ground == mix(DARK.background, DARK.classes[tone], DARK.label))


@pytest.mark.parametrize("column", [0, 1, 20, 38, 39])
@pytest.mark.parametrize("y", [0, 6, 11])
def test_a_label_touches_its_mark_also_in_a_crowd(column: int, y: int) -> None:
    mark = Labels(at=np.array([[column + 0.5, y + 0.5]]), texts=("mean",), tones=(2,))
    p = painted(Points(at=crowd((20, 6), 4), tone=0), mark)
    row = ROWS - 1 - y
    cells = labelled(p, 2)
    assert chr(p.canvas.glyphs[row, column]) == "+"
    assert len(cells) == 1 + len(" mean ")
    text = np.array([cell for cell in cells.tolist() if cell != [row, column]])
    assert np.abs(text - [row, column]).max(axis=1).min() == 1
    assert not p.unnamed


@pytest.mark.parametrize("tone", [1, "muted"])
def test_a_label_keeps_off_a_level_line_of_its_own_colour_and_may_cover_one_of_many(tone: int | str) -> None:
    x, _ = np.meshgrid(np.linspace(0, COLUMNS, 4 * COLUMNS), np.arange(4 * ROWS))
    line = Levels(height=x - 23.5, tone=tone)  # type: ignore[arg-type]
    p = painted(line, Labels(at=np.array([[20.5, 6.5]]), texts=("mean",), tones=(2,)))
    columns = labelled(p, 2)[:, 1]
    assert (columns.min() < 20) == (tone == 1)


def test_no_label_covers_a_mark_a_row_in_hand_or_another_label() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        at = np.column_stack([rng.uniform(12, 24, 5), rng.uniform(3, 8, 5)])
        ringed = Points(at=at[:1], ringed=np.ones(1, bool), rows=False)
        p = painted(ringed, Labels(at=at[1:], texts=("a1", "b2", "c3", "d4"), tones=(1, 2, 3, 4)))
        lines = lines_of(p)
        assert any("⟨▪⟩" in line or "⟨●⟩" in line for line in lines)
        for text in ("a1", "b2", "c3", "d4"):
            in_legend = any(name == text for _, _, name in p.unnamed)
            assert any(f" {text} " in line for line in lines) != in_legend


def test_two_labels_of_one_place_are_not_read_as_one() -> None:
    at = np.array([[20.5, 6.5]])
    for texts in (("x", "∇q = 0"), ("x*", "x")):
        p = painted(*(Labels(at=at, texts=(text,), tones=(tone,)) for tone, text in enumerate(texts)))
        lines = lines_of(p)
        assert all(any(f" {text} " in line for line in lines) for text in texts)
        assert not any(texts[0] in line and texts[1] in line.replace(texts[0], "", 1) for line in lines)


def test_a_label_without_a_mark_does_not_hide_the_point_that_it_names() -> None:
    at = np.array([[20.5, 6.5]])
    p = painted(Points(at=at, tone=0, rows=False), Labels(at=at, texts=("x2",), tones=(1,), glyph=" "))
    assert "● x2 " in lines_of(p)[5]
    alone = painted(Labels(at=at, texts=("x2",), tones=(1,), glyph=" "))
    assert set(labelled(alone, 1)[:, 1].tolist()) == {18, 19, 20, 21}  # about its place, with a blank on both sides


def test_a_name_stands_a_blank_off_points_and_beside_its_head_or_is_in_the_legend() -> None:
    arrow = Arrow(start=np.array([[10.5, 6.5]]), end=np.array([[20.5, 6.5]]), name="w")
    free = painted(arrow)
    assert lines_of(free)[5][22] == "w"
    assert painted(Points(at=crowd((18, 6), 7), tone=0), arrow).unnamed == [("→", "ink", "w")]
    for column in (21, 22, 23, 24):
        p = painted(Points(at=np.array([[column + 0.5, 6.5]]), tone=0), arrow)
        (line,) = [line for line in lines_of(p) if "w" in line]
        assert "●w" not in line
        assert "w●" not in line


def test_the_name_of_an_arrow_stands_at_its_middle_where_its_head_has_no_room() -> None:
    arrow = Arrow(start=np.array([[4.5, 6.5]]), end=np.array([[30.5, 6.5]]), name="w")
    p = painted(Points(at=crowd((32, 6), 4), tone=0), arrow)
    (where,) = [line.index("w") for line in lines_of(p) if "w" in line]
    assert abs(where - 17) <= 2


def test_a_name_over_the_end_of_a_curve_does_not_touch_another_curve() -> None:
    """Else it is read as the name of the other one."""
    fit = Path(at=np.array([[0.5, 6.5], [39.5, 6.5]]), name="fit")
    for column, named in ((36.5, False), (33.5, True)):
        fitted_y_axis = Path(at=np.array([[column, 0.5], [column, 11.5]]), tone=1)
        assert (painted(fitted_y_axis, fit).unnamed == []) is named


def dots_of(p: Plot) -> int:
    return int(np.unpackbits(p.canvas.dots.view(np.uint8)).sum())


def test_a_short_arrow_has_a_small_head_and_what_was_has_none() -> None:
    start = np.array([[10.5, 6.5]])
    heads = []
    for length in (1.0, 3.0, 4.0, 12.0):
        end = start + [length, 0.0]
        line = painted(Segments(start=start, end=end))
        heads.append(dots_of(painted(Arrow(start=start, end=end))) - dots_of(line))
        assert dots_of(painted(Arrow(start=start, end=end, tone="muted"))) == dots_of(line)
    assert heads[0] == 0
    assert 0 < heads[1] <= heads[2] < heads[3]


def test_arrows_that_others_cover_are_not_named() -> None:
    start, end = np.array([[2.5, 6.5]]), np.array([[12.5, 6.5]])
    was, step = (
        Arrow(start=start, end=end, tone="muted", name="before"),
        Arrow(start=end, end=start, tone=1, legend="the step"),
    )
    apart = replace(was, end=end + [0.0, 5.0])
    assert any("before" in line for line in lines_of(painted(apart, replace(was, tone="ink", name="w"))))
    covered = painted(was, Arrow(start=start, end=end, name="w"))
    assert not any("before" in line for line in lines_of(covered))
    assert covered.unnamed == []
    crowd = Points(at=np.column_stack([np.arange(2.5, 13.0), np.full(11, 6.5)]))
    assert painted(was, step, crowd).unnamed == []


def test_a_step_that_is_seen_is_in_the_legend_and_one_of_a_dot_is_not() -> None:
    start = np.array([[10.5, 6.5]])
    assert painted(Arrow(start=start, end=start + [4.0, 0.0], tone=1, legend="the step")).unnamed == [
        ("→", 1, "the step")
    ]
    assert painted(Arrow(start=start, end=start + [0.5, 0.0], tone=1, legend="the step")).unnamed == []


# The legend


def test_what_size_and_halo_show_and_all_hollow_shapes_are_in_the_legend() -> None:
    at, classes = np.zeros((4, 2)), np.arange(4)
    yes, no = np.ones(4, bool), np.zeros(4, bool)
    points = Points(at=at, classes=classes, crossed=yes, weights=yes.astype(float), sizes="α", haloed=yes, halo="α > 0")
    assert legend_of((points,), None, ()) == [
        ("○△□◇", "muted", "wrong"),
        ("•●", "muted", "α"),
        (ON_GROUND, "ink", "α > 0"),
    ]
    assert legend_of((Points(at=at, haloed=no, halo="α > 0", sizes="α"),), None, ()) == []
    matrix = Matrix(values=np.eye(2), ends=("w below 0", "w above 0"))
    assert legend_of((matrix,), None, ()) == [("░", "ink", "w below 0"), ("█", "ink", "w above 0")]


def test_a_halo_is_grey_and_several_rows_in_a_cell_are_not() -> None:
    at = np.array([[2.5, 2.5], [2.5, 2.5], [8.5, 2.5]])
    for tone in range(len(DARK.classes)):
        p = plot()
        paint(Points(at=at, tone=tone, haloed=np.array([False, False, True])), p)
        assert p.canvas.ground[ROWS - 3, 8] == halo_of(DARK)
        assert float(np.abs(unpack(int(p.canvas.ground[ROWS - 3, 2])) - unpack(halo_of(DARK))).sum()) > 30


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("max(0, 1 - z)", "max(0, 1 - z)"),
        ("nothing changes", "nothing changes"),
        ("lines that may be", "lines"),
        ("mean (y - x·m)² of all", "mean"),
        ("w before", "w before"),
        ("C p = C/(1 + e^z)", "C p = C/(1 + e^z)"),
        ("rows, their means", "rows"),
        ("two equally likely", "two equally likely"),
    ],
)
def test_a_name_is_not_cut_within_a_formula_nor_where_it_would_say_something_else(name: str, shown: str) -> None:
    assert cut_at_word(name, 11) == shown


# Regions


def stepped(at: float, rows: int = 2 * ROWS, columns: int = COLUMNS) -> tuple[Tint, Levels]:
    """Two levels, the upper one down to a row of half-cells."""
    height = np.where(np.arange(rows) < at, 0.02, -1.0)[:, None] * np.ones(columns)
    height[:, : columns // 2] *= 40.0  # a vote that is surer there: the border is where it was
    tones = (height > 0).astype(np.int16)
    strength = np.full(height.shape, 0.5, np.float32)
    return Tint(tones=tones, strength=strength), Levels(height=height)


@pytest.mark.parametrize("at", [7, 8])
def test_the_border_of_a_vote_is_straight_and_on_the_edge_of_the_tint(at: int) -> None:
    p = plot()
    tint, border = stepped(at)
    paint(tint, p)
    paint(border, p)
    (row,) = set(np.nonzero(p.canvas.dots)[0].tolist())
    assert (p.canvas.dots[row] == p.canvas.dots[row, 0]).all()
    assert set(p.canvas.glyphs.ravel().tolist()) == {SPACE}
    upper = p.canvas.ground[:, 0] == p.canvas.ground[0, 0]
    assert upper.tolist() == [r <= row for r in range(ROWS)]


def test_a_point_is_on_the_ground_of_the_half_cell_in_which_it_lies() -> None:
    p = plot()
    tint, _ = stepped(7)  # the edge is in the middle of row 3
    paint(tint, p)
    paint(Points(at=np.array([[5.5, 8.8], [9.5, 8.2]]), tone=0), p)
    assert p.canvas.ground[3, 5] == p.canvas.ground[0, 5]
    assert p.canvas.ground[3, 9] == p.canvas.ground[6, 9]


def test_a_smooth_border_has_its_own_place_within_a_cell() -> None:
    p = plot()
    y = np.arange(2 * ROWS)[:, None] + 0.02 * np.arange(COLUMNS)
    paint(Levels(height=9.3 - y), p)
    assert len({int(dots) for dots in p.canvas.dots.ravel() if dots}) > 2


def test_a_border_aslant_is_finer_than_cells_also_between_shares_of_0_and_1() -> None:
    p = plot()
    y, x = np.mgrid[: 2 * ROWS, :COLUMNS]
    paint(Levels(height=np.where(y < 4.3 + 0.4 * x, 1.0, -1.0)), p)
    middle, lowest = (int(np.unpackbits(p.canvas.dots & np.uint8(row)).sum()) for row in (0x12, 0xC0))
    assert 3 * middle > lowest  # where borders go along cells, all lie at the foot of one
