"""Places of the plane have the cells they should; lines are clipped, not lost."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from algorithms import Timeline, datasets, find
from algorithms.core import Bars, Path, Points
from algorithms.core.resolve import Tint
from algorithms.playback.pictures.limits import Limits, limits_around
from algorithms.playback.pictures.rulers import Scale, on_lines
from algorithms.playback.pictures.viewer import Viewer
from tui.paint.canvas import SPACE, Canvas
from tui.paint.marks import paint
from tui.paint.palette import DARK
from tui.paint.plot import Plot
from tui.sections.panels.plots import paint_plot


def plot(columns: int = 20, rows: int = 10, limits: Limits | None = None) -> Plot:
    return Plot(Canvas(columns, rows, DARK.panel, DARK.ink), limits or Limits(0, 20, 0, 10), DARK)


def text_of(p: Plot) -> list[str]:
    return ["".join(map(chr, row)) for row in p.canvas.cells()[0]]


def bars_of(p: Plot) -> list[str]:
    """The cells, full ones as full: a full cell of a bar is its background."""
    full = (p.canvas.ground != DARK.panel) & (p.canvas.glyphs == ord(" "))
    return ["".join("█" if f else chr(g) for g, f in zip(*row)) for row in zip(p.canvas.glyphs, full)]


def test_a_point_has_its_cell() -> None:
    p = plot()
    paint(Points(at=np.array([[3.5, 7.5]]), classes=np.array([1])), p)
    assert text_of(p)[2][3] == "▲"


def test_a_point_outside_is_marked_at_the_edge() -> None:
    p = plot()
    paint(Points(at=np.array([[99.0, 5.0]])), p)
    assert "▸" in text_of(p)[4] + text_of(p)[5]


@given(st.floats(0.01, 19.9), st.floats(0.01, 9.9))
def test_cells_and_places_agree(x: float, y: float) -> None:
    p = plot()
    column, row, inside = p.cells(np.array([[x, y]]))
    assert inside[0]
    back = p.place(float(column[0]), float(row[0]))
    assert abs(back[0] - x) <= 0.51
    assert abs(back[1] - y) <= 0.51


def test_a_line_far_beyond_the_view_still_crosses_it() -> None:
    p = plot()
    paint(Path(at=np.array([[-1e3, -1e3], [1e3, 1e3]])), p)
    assert sum(c != " " for line in text_of(p) for c in line) >= 9


@given(st.lists(st.tuples(st.floats(), st.floats()), min_size=2, max_size=30))
def test_no_line_can_break_the_plot(places: list[tuple[float, float]]) -> None:
    paint(Path(at=np.array(places)), plot())
    paint(Points(at=np.array(places)), plot())


@given(st.lists(st.integers(-20, 44) | st.floats(-1e3, 1e3), min_size=4, max_size=4))
def test_a_piece_has_the_same_dots_alone_and_among_many(ends: list[float]) -> None:
    alone, among = (Plot(Canvas(12, 6, DARK.panel, DARK.ink), Limits(0, 1, 0, 1), DARK) for _ in range(2))
    alone.pieces(np.array([ends], float), DARK.ink)
    among.pieces(np.array([ends] * 9, float), DARK.ink)
    assert np.array_equal(alone.canvas.dots, among.canvas.dots)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_pieces_drawn_in_turn_are_those_drawn_one_by_one(seed: int, inside: bool) -> None:
    rng, beyond = np.random.default_rng(seed), 0 if inside else 3
    start, end = rng.uniform(-beyond, (20 + beyond, 10 + beyond), (2, 12, 2))
    at_once, one_by_one = plot(), plot()
    inks = rng.choice([0x102030, 0x405060, *sorted(at_once.palette.classes[:2])], 12, p=(0.4, 0.4, 0.1, 0.1))
    at_once.in_turn(start, end, inks)
    for i, ink in enumerate(inks.tolist()):
        one_by_one.segments(start[i : i + 1], end[i : i + 1], ink)
    for name in ("glyphs", "ink", "dots"):
        assert getattr(at_once.canvas, name).tolist() == getattr(one_by_one.canvas, name).tolist(), name
    assert at_once._lines.tolist() == one_by_one._lines.tolist()


def test_points_keep_the_colour_of_the_region_under_them() -> None:
    p = plot()
    paint(Tint(tones=np.zeros((20, 20), np.int16), strength=np.ones((20, 20), np.float32)), p)
    before = p.canvas.ground.copy()
    paint(Points(at=np.array([[3.5, 7.5]]), classes=np.array([1])), p)
    assert (p.canvas.ground == before).all()


def test_mixed_shares_are_as_light_where_they_are_even_as_where_one_has_all() -> None:
    """Shares that are rounded to sixths may sum to more than one, or less: they are made one again."""
    even, odd = (0.25, 0.25, 0.5), (5 / 12, 5 / 12, 1 / 6)
    shares = np.array([[even, odd, (1 / 3, 1 / 3, 1 / 3), (0.08, 0.0, 0.92)]], np.float32)
    tint = Tint(
        tones=np.zeros((1, 4), np.int16), strength=np.ones((1, 4), np.float32), shares=shares, palette=(3, 3, 3)
    )
    p = plot(4, 1)
    paint(tint, p)
    assert len(set(p.canvas.ground[0].tolist())) == 1, "three parts of one colour are that colour"


def test_equal_limits_have_square_units() -> None:
    limits = Limits(0, 1, 0, 1).equal(80, 20)
    assert np.isclose(limits.width / 80, limits.height / 40)


def test_limits_of_one_place_have_an_extent() -> None:
    limits = limits_around(np.array([[3.0, 0.0]]))
    assert limits.width > 0
    assert limits.height > 0


def test_zooming_about_a_point_keeps_it_in_place() -> None:
    limits = Limits(0, 10, 0, 10).zoomed(0.5, 0.2, 0.8)
    assert np.isclose(limits.left + 0.2 * limits.width, 2)
    assert np.isclose(limits.bottom + 0.8 * limits.height, 8)


def test_bars_stand_on_zero_and_nothing_is_nothing() -> None:
    p = plot(8, 4, Limits(0, 4, 0, 8))
    paint(Bars(heights=np.array([0.0, 8.0, 4.0, 0.01]), edges=np.array([0.0, 1.0, 2.0, 3.0, 4.0]), tones=(0,)), p)
    assert bars_of(p) == ["  ██    ", "  ██    ", "  ████  ", "  ████▁▁"]


@pytest.mark.parametrize(("height", "place"), [(1.5, 1.9), (-1.5, -1.9), (1.5, 1.1), (-1.5, -1.1)])
def test_a_point_on_the_last_cell_of_a_bar_leaves_its_end_where_it_is(height: float, place: float) -> None:
    p = plot(1, 8, Limits(0.0, 1.0, -4.0, 4.0))
    paint(Bars(heights=np.array([height]), edges=np.array([0.0, 1.0]), tones=(0,)), p)
    paint(Points(at=np.array([[0.5, place]]), tone="accent", rows=False), p)
    row = 2 if height > 0 else 5
    upper, lower = int(p.canvas.ground[row, 0]), int(p.canvas.ink[row, 0])
    assert chr(p.canvas.glyphs[row, 0]) == "▄", "two halves"
    bar, point = DARK.tone(0), DARK.accent
    beyond = abs(place) > abs(height)
    inner, outer = (lower, upper) if height > 0 else (upper, lower)
    assert (inner, outer) == ((bar, point) if beyond else (point, DARK.panel)), "half a row is not made whole"


def test_bars_may_hang_from_zero() -> None:
    p = plot(2, 4, Limits(0, 2, -4, 4))
    paint(Bars(heights=np.array([4.0, -4.0]), edges=np.array([0.0, 1.0, 2.0]), tones=(0,)), p)
    assert bars_of(p) == ["█ ", "█ ", " █", " █"]


def test_a_line_passes_under_a_point() -> None:
    p = plot()
    paint(Points(at=np.array([[10.0, 5.1]]), classes=np.array([2])), p)
    paint(Path(at=np.array([[0.0, 5.1], [20.0, 5.1]])), p)
    assert "■" in "".join(text_of(p))


def test_a_haloed_point_stands_on_a_ground_of_one_colour_for_all_classes() -> None:
    p = plot()
    at, two = np.array([[3.5, 7.5], [8.5, 7.5]]), np.array([1, 1])
    paint(Points(at=at, classes=two, haloed=np.array([True, False])), p)
    assert text_of(p)[2][3] == text_of(p)[2][8] == "▲"
    assert p.canvas.ground[2, 3] not in (DARK.panel, DARK.held)
    assert p.canvas.ground[2, 8] == DARK.panel
    other = plot()
    paint(Points(at=at[:1], classes=two[:1] + 2, haloed=np.array([True])), other)
    assert other.canvas.ground[2, 3] == p.canvas.ground[2, 3]


def test_what_a_step_is_about_is_on_yellow_also_with_a_halo() -> None:
    p = plot()
    yes = np.array([True])
    paint(Points(at=np.array([[3.5, 7.5]]), classes=np.array([1]), haloed=yes, ringed=yes), p)
    assert p.canvas.ground[2, 3] == DARK.held


def test_of_points_in_one_cell_the_heaviest_is_seen() -> None:
    for weights in ([1.0, 0.0], [0.0, 1.0]):
        p = plot()
        paint(Points(at=np.array([[3.5, 7.5]] * 2), classes=np.array([0, 1]), weights=np.array(weights)), p)
        assert text_of(p)[2][3] == ("●" if weights[0] else "▲")


def test_data_are_first_seen_as_the_scene_asks_until_a_plane_is_chosen() -> None:
    tree = find("decision_tree")
    run = Timeline(tree, datasets.load("iris"))
    run.advance(4)
    viewer = Viewer(run)
    assert viewer.picture(run.at(3), 40, 20).stage.across.name == "petal_length_cm"
    assert viewer.plane is viewer.planes[0]
    viewer.choose_plane(viewer.planes[1])
    assert viewer.picture(run.at(2), 40, 20).stage.across.name.startswith("component 1")


def test_zooming_ends_where_numbers_can_no_longer_be_told_apart() -> None:
    run = Timeline(find("lloyd"), datasets.load("faithful"), {"k": 3})
    run.advance(3)
    for factor in (0.3, 30.0):
        viewer = Viewer(run)
        picture = viewer.picture(run.at(2), 40, 20)
        title = picture.stage.title
        for _ in range(300):
            viewer.choose_limits(title, picture.limits[title].zoomed(factor))
            picture = viewer.picture(run.at(2), 40, 20)
            assert not picture.trouble
        view = picture.limits[title]
        assert view.divisible
        assert view.width < 1e-6 or view.width > 30
        canvas = Canvas(50, 24, DARK.panel, DARK.ink)
        paint_plot(canvas, picture.stage, view, DARK)
        assert not any(word in "".join(map(chr, canvas.cells()[0].ravel())) for word in ("nan", "inf"))


def test_a_direction_is_flat_by_its_own_size_alone() -> None:
    small_and_large = np.array([[0.0, 0.0], [1e-9, 1e9]])
    assert limits_around(small_and_large, margin=0.0) == Limits(0.0, 1e-9, 0.0, 1e9)
    assert limits_around(np.array([[5e22, 0.0], [5e22 + 1e7, 1.0]])).width > 1e21
    smallest = limits_around(np.array([[0.0, 0.0], [5e-324, 1e-310]]))
    assert smallest.divisible


def test_bars_that_are_lower_than_a_row_are_told_apart_also_where_0_is_within_one() -> None:
    for limits in (Limits(-0.5, 3.5, -2.0, 2.0), Limits(-0.5, 3.5, -1.0, 1.0)):  # on an edge of four rows
        p = plot(columns=4, rows=4, limits=limits)
        paint(Bars(heights=np.array([0.05, 0.4, -0.05, -0.4])), p)
        looks = [tuple(zip(p.canvas.glyphs[:, i].tolist(), p.canvas.ground[:, i].tolist())) for i in range(4)]
        assert len(set(looks)) == 4
    p = plot(columns=2, rows=5, limits=Limits(-0.5, 1.5, -2.5, 2.5))  # in the middle of a row
    paint(Bars(heights=np.array([0.4, -0.4])), p)
    assert p.canvas.glyphs[2].tolist() == [0x2584, 0x2584]
    assert p.canvas.ground[2, 0] != p.canvas.ground[2, 1], "the upper half, and the lower one"


def test_a_bar_of_next_to_nothing_is_a_stroke_on_the_line_of_0_and_one_of_nothing_is_none() -> None:
    p = plot(columns=3, rows=5, limits=Limits(-0.5, 2.5, -2.5, 2.5))
    paint(Bars(heights=np.array([0.01, 0.0, -0.01])), p)
    assert ["".join(row) for row in bars_of(p)] == ["   ", "   ", "━ ━", "   ", "   "]


def test_bars_grow_from_the_middle_of_the_row_of_0_as_far_as_dots_are_from_it() -> None:
    heights = np.array([0.85, 0.3, -0.4, -0.2])
    limits = on_lines(Limits(-0.5, 3.5, -0.4, 0.9), 20, 9, Scale(bars=True), equal=False)
    p = plot(columns=20, rows=9, limits=limits)
    ink = DARK.classes[1]
    foot = int(p.cells(np.array([[0.0, 0.0]]))[1][0])
    ends = p.cells(np.stack([np.arange(4.0), heights], axis=1))[1].tolist()
    paint(Bars(heights=heights, tones=(1,)), p)
    assert p.canvas.glyphs[foot, [0, 10]].tolist() == [0x2584, 0x2584], "half a row"
    assert p.canvas.ground[foot, [0, 10]].tolist() == [ink, DARK.panel], "the upper half, and the lower one"
    for column, end, height in zip((0, 5, 10, 15), ends, heights):
        filled = np.flatnonzero((p.canvas.glyphs[:, column] != SPACE) | (p.canvas.ground[:, column] == ink))
        assert (filled.min() if height > 0 else filled.max()) == end, "a bar ends in the row of a dot at its height"


def levels(p: Plot, *lines: tuple[float, int]) -> Plot:
    """Level lines across the plot, each at its height and in its ink."""
    for height, ink in lines:
        p.line(np.array([[0.0, height], [20.0, height]]), ink)
    return p


def test_the_dots_of_a_cell_are_those_of_one_line() -> None:
    yellow, pink, grey = DARK.accent, DARK.tone(3), DARK.dim
    alone = {ink: levels(plot(), (height, ink)).canvas for height, ink in ((5.1, yellow), (5.4, pink), (5.9, grey))}
    for order in ([(5.9, grey), (5.1, yellow)], [(5.1, yellow), (5.9, grey)]):
        canvas = levels(plot(), *order).canvas
        np.testing.assert_array_equal(canvas.dots, alone[yellow].dots, "what is faint gives way, drawn before or after")
        assert set(canvas.ink[canvas.dots > 0].tolist()) == {yellow}
    canvas = levels(plot(), (5.1, yellow), (5.4, pink)).canvas
    row = int(np.flatnonzero(canvas.dots.any(axis=1))[0])
    assert set(canvas.ink[row, :].tolist()) == {yellow, pink}, "both are seen, in turn"
    for column, ink in enumerate(canvas.ink[row].tolist()):
        assert ink == (pink, yellow)[(row + column) % 2]
        assert canvas.dots[row, column] == alone[ink].dots[row, column]
