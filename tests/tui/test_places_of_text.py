"""Labels, names, ticks and legends: none covers another, none is lost where there is room."""

import re

import numpy as np
import pytest

from algorithms import find
from algorithms.core import Arrow, Dataset, Labels, Path, Paths, Points, Units
from algorithms.core.plane import Axis
from algorithms.core.resolve import ResolvedPanel
from algorithms.core.scene import Mark
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.export.pictures import Painter
from tui.paint.axes import plotted
from tui.paint.canvas import Canvas, fitted
from tui.paint.cells import Cells
from tui.paint.marks import paint_all
from tui.paint.palette import DARK, mix
from tui.paint.plot import Plot
from tui.paint.ticks import roundest
from tui.sections.panels.plots import cut_at_word, legend_rows, paint_legend
from tui.widgets.column import Column


def painted(*marks: Mark, columns: int = 40, rows: int = 12) -> list[str]:
    canvas = Canvas(columns, rows, DARK.panel, DARK.ink)
    paint_all(marks, Plot(canvas, Limits(0, 10, 0, 10), DARK))
    return ["".join(map(chr, row)) for row in canvas.glyphs.tolist()]


def label(text: str, x: float, y: float) -> Labels:
    return Labels(at=np.array([[x, y]]), texts=(text,))


def test_a_label_stands_right_of_its_point_and_left_of_it_at_the_edge() -> None:
    (line,) = [line for line in painted(label("mean", 5, 5)) if "mean" in line]
    assert line.index("+ mean") == 20
    (line,) = [line for line in painted(label("mean", 9.9, 5)) if "mean" in line]
    assert line.endswith("mean +")


@pytest.mark.parametrize("away", [0.0, 0.3, 0.8, -0.5, -1.2])
def test_labels_at_one_place_are_all_read(away: float) -> None:
    shown = "\n".join(painted(label("least", 5, 5), label("x*", 5 + away, 5), label("x", 5 + away, 5)))
    assert " least " in shown
    assert " x* " in shown
    assert " x " in shown
    assert shown.count("+") == (1 if away == 0 else 2)


def test_units_in_one_row_stand_side_by_side() -> None:
    at = np.array([[5, 4.8], [5, 4.7], [5, 4.6], [5, 8], [9.9, 2]])
    units = Units(at=at, values=np.array([0.1, 0.2, 0.3, 0.4, 0.5]), texts=("0.1", "0.2", "0.3", "0.4", "0.5"))
    lines = painted(units)
    (line,) = [line for line in lines if "0.1" in line]
    assert sorted(line.split()) == ["0.1", "0.2", "0.3"]
    assert lines[2].index("0.4") == line.index("0.1")
    assert any(line.endswith(" 0.5 ") for line in lines)
    many = Units(at=np.tile([[5, 5.0]], (40, 1)), values=np.zeros(40), texts=("0.7",) * 40)
    assert len("".join(painted(many)).split()) <= 5  # no wider than that


def test_an_arrows_name_keeps_away_from_a_label_that_is_painted_after_it() -> None:
    arrow = Arrow(start=np.array([[2.0, 5.0]]), end=np.array([[4.5, 5.0]]), name="-g")
    shown = "\n".join(painted(arrow, label("x", 5, 5)))
    assert "-g" in shown
    assert "+ x " in shown


@pytest.mark.parametrize("columns", [30, 42, 60, 100])
@pytest.mark.parametrize("span", [1.2, 3.3, 5.9, 6.3, 12.0, 24.0, 49.0])
def test_each_axis_has_two_ticks_at_least(columns: int, span: float) -> None:
    canvas = Canvas(columns, 14, DARK.panel, DARK.ink)
    limits = Limits(-span / 2 - 0.1, span / 2, -span / 2 - 0.1, span / 2)
    plot = plotted(canvas, limits, Axis("x"), Axis("y"), DARK)
    rows = ["".join(map(chr, row)) for row in canvas.glyphs.tolist()]
    left = canvas.columns - plot.canvas.columns - 1
    assert len(rows[-2].split()) >= 2
    assert sum(bool(row[:left].strip()) for row in rows[:-2]) >= 2


def test_an_axis_with_a_long_name_has_the_room_that_the_other_leaves() -> None:
    canvas = Canvas(46, 14, DARK.panel, DARK.ink)
    plotted(canvas, Limits(0, 1, 0, 1), Axis("share of voters wrong"), Axis("chance"), DARK)
    assert "".join(map(chr, canvas.glyphs[-1])).split() == ["↑", "chance", "share", "of", "voters", "wrong", "→"]
    canvas = Canvas(46, 14, DARK.panel, DARK.ink)
    plotted(canvas, Limits(0, 1, 0, 1), Axis("a name that is much too long to stand"), Axis("another such name"), DARK)
    last = "".join(map(chr, canvas.glyphs[-1]))
    assert last.startswith("↑ another such name    a name that is much… →")


def test_a_legend_has_all_names_in_short_rather_than_the_first_ones_whole() -> None:
    names = ("within the threshold", "before the step", "after the step", "truth")
    at = np.eye(2)[None]
    marks = tuple(Paths(at=at, name=name, tones=(i,)) for i, name in enumerate(names))
    panel = ResolvedPanel("", marks, Axis("x"), Axis("y"), limits=None, equal=False, note="", space="own")
    data = Dataset(np.zeros((2, 2)), name="none")
    for columns, shown in (
        (110, names),
        (60, ("within", "before", "after the step", "truth")),
        (48, ("within", "before", "after", "truth")),
        (40, ("within", "before", "after", "truth")),
    ):
        canvas = Canvas(columns, 3, DARK.panel, DARK.ink)
        paint_legend(canvas, panel, DARK, data)
        line = "".join(map(chr, canvas.glyphs[-1]))
        assert tuple(name.strip() for name in line.split("━")[1:]) == shown
    canvas = Canvas(48, 20, DARK.panel, DARK.ink)
    rows = legend_rows(panel, data, canvas.columns, canvas.rows)
    assert rows == 2  # where there is room, all names are whole
    paint_legend(canvas, panel, DARK, data, rows=rows)
    lines = ["".join(map(chr, row)) for row in canvas.glyphs[-2:]]
    assert [name.strip() for line in lines for name in line.split("━")[1:]] == list(names)


def test_a_sign_of_how_points_are_painted_takes_a_second_row_of_the_legend() -> None:
    at = np.array([[1.0, 5.0], [1.0, 5.0], [9.0, 5.0]])
    marks = (Points(at=at, names=("a name that is rather long",), tone=0, ringed=np.array([False, False, True])),)
    panel = ResolvedPanel("", marks, Axis("x"), Axis("y"), limits=None, equal=False, note="", space="own")
    data = Dataset(np.zeros((2, 2)), name="none")
    paint_all(marks, plot := Plot(Canvas(20, 10, DARK.panel, DARK.ink), Limits(0, 10, 0, 10), DARK))
    canvas = Canvas(46, 20, DARK.panel, DARK.ink)
    assert legend_rows(panel, data, canvas.columns, canvas.rows) == 1
    rows = legend_rows(panel, data, canvas.columns, canvas.rows, plot)
    paint_legend(canvas, panel, DARK, data, plot, rows)
    said = " ".join(" ".join("".join(map(chr, row)) for row in canvas.glyphs[-2:]).split())
    assert "several rows" in said
    assert "this step" in said


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("moons, n 300, noise 0.2", 11, "moons, n…"),
        ("moons, n 300, noise 0.2", 13, "moons, n 300…"),
        ("is now 0.05134", 12, "is now…"),
        ("F 1.2e-05 or so", 7, "F…"),
        ("goes by -0.35 now", 12, "goes by…"),
        ("it has 1,234 rows", 10, "it has…"),
        ("12345", 3, "…"),
        ("x12345 and more", 6, "x1234…"),
        ("rows 12. And", 8, "rows 12…"),
    ],
)
def test_no_text_is_cut_within_a_number(text: str, width: int, shown: str) -> None:
    assert fitted(text, width) == shown


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("another label of its own", 14, "another label"),
        ("share of the rows", 10, "share"),
        ("before, and after", 9, "before"),
        ("unquestionable", 9, "unquesti…"),
    ],
)
def test_a_name_in_a_legend_is_cut_after_a_word_that_says_something(name: str, width: int, shown: str) -> None:
    assert cut_at_word(name, width) == shown


def test_a_name_without_room_at_the_end_of_its_line_is_in_the_legend_and_one_with_room_is_not() -> None:
    plot = Plot(Canvas(30, 10, DARK.panel, DARK.ink), Limits(0, 10, 0, 10), DARK)
    out = Path(at=np.array([[0.0, 5.0], [20.0, 5.0]]), tone=3, name="truth")
    within = Path(at=np.array([[0.0, 2.0], [5.0, 2.0]]), tone=1, name="fit")
    paint_all((out, within), plot)
    assert plot.unnamed == [("━", 3, "truth")]
    assert any("fit" in "".join(map(chr, row)) for row in plot.canvas.glyphs)


def test_no_name_stands_on_a_point_a_line_or_the_row_in_hand() -> None:
    """Wherever a mean lies among the rows: the ringed one is seen with both brackets, and no other row is covered
    where there is room beside them."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        at = rng.uniform(1, 9, (25, 2))
        ringed = np.arange(25) == 0
        plot = Plot(Canvas(60, 20, DARK.panel, DARK.ink), Limits(0, 10, 0, 10), DARK)
        points = Points(at=at, ringed=ringed, tone=2)
        arrow = Arrow(start=np.array([[5.0, 5.0]]), end=at[1:2], name="w before")
        paint_all((Labels(at=at[:1] + rng.normal(0, 0.15, 2), texts=("mean",)), points, arrow), plot)
        column, row, _ = plot.cells(at)
        shown = "".join(map(chr, plot.canvas.glyphs[row[0], column[0] - 1 : column[0] + 2]))
        assert re.fullmatch("[⟨■]▪[⟩■]", shown), "a bracket on either side, unless another row is there"
        lines = ["".join(map(chr, line)) for line in plot.canvas.glyphs]
        assert sum(" mean " in line for line in lines) == 1
        cells = {(r, c) for r, c in zip(row.tolist(), column.tolist())}
        squares = {(r, c) for r, line in enumerate(lines) for c, glyph in enumerate(line) if glyph in "■▪"}
        hidden = cells - squares
        assert len(hidden) <= 1  # the cell of the mean itself, marked by its sign
        named = [(r, line.index("w before")) for r, line in enumerate(lines) if "w before" in line]
        assert not any(plot.canvas.dots[r, c : c + 8].any() for r, c in named)


def test_labels_leave_a_blank_between_them() -> None:
    """Else "x + x*" would read as a sum; only the marked places themselves may touch."""
    for away in np.linspace(0.3, 4.0, 20):
        plot = Plot(Canvas(40, 12, DARK.panel, DARK.ink), Limits(0, 10, 0, 10), DARK)
        two = Labels(at=np.array([[5.0, 5.0], [5 + away, 5.0]]), texts=("x", "x*"), tones=(0, 1))
        paint_all((two,), plot)
        canvas = plot.canvas
        first, second = (canvas.ground == mix(DARK.background, DARK.classes[i], DARK.label) for i in (0, 1))
        assert first.sum() == 1 + len(" x ")
        touching = (first[:, :-1] & second[:, 1:]) | (second[:, :-1] & first[:, 1:])
        signs = canvas.glyphs == ord("+")
        assert not (touching & ~(signs[:, :-1] & signs[:, 1:])).any()


def test_a_name_does_not_touch_a_label() -> None:
    path = Path(at=np.array([[3.0, 5.0], [4.95, 5.0]]), name="the disc")
    shown = painted(label("w", 5, 5), path, label("a", 9, 9), columns=24)
    assert not any("disc+" in line or "w the" in line for line in shown)
    assert any("the disc" in line for line in shown)


def test_of_several_numbers_the_roundest_is_shown() -> None:
    assert [roundest(*some) for some in ((0, 7), (1, 2), (3, 5), (7, 12), (18, 23), (43, 61), (98, 104))] == [
        0, 1, 4, 10, 20, 50, 100,
    ]  # fmt: skip


async def test_many_iterations_are_numbered_at_even_distances() -> None:
    async with IterscopeApp(LoadedRun.usual(find("linear_feasibility"))).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        stage(pilot).player.timeline.advance(500)
        stage(pilot).player.seek(500)
        stage(pilot).act()
        await until(pilot, at(pilot, 500))
        numbers = [int(number.replace(",", "")) for number in text(pilot, "#track").split("\n")[-1].split()[:-2]]
        assert len(numbers) >= 8
        assert {b - a for a, b in zip(numbers, numbers[1:])} == {numbers[1] - numbers[0]}


def test_a_bar_ends_where_it_ends_in_a_picture_too() -> None:
    """A font that is not as high as a cell would leave a line of the ground below."""
    ink, ground = (255, 200, 0), (0, 0, 40)
    for eighths in range(1, 9):
        style = sum(c << s for c, s in zip((*ink, *ground), (40, 32, 24, 16, 8, 0)))
        painter = Painter()
        painter.draw(Cells(np.array([[0x2580 + eighths]], np.uint32), np.array([[style]], np.int64)))
        assert painter.image is not None
        pixels = np.asarray(painter.image)
        filled = (pixels == ink).all(axis=2)
        assert (filled | (pixels == ground).all(axis=2)).all()
        assert filled.all(axis=1).sum() == filled.any(axis=1).sum() == round(eighths / 8 * len(pixels))
        assert filled[-1].all()


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
async def test_a_legend_beside_the_stage_and_the_tabs_below_it_are_both_whole(size: tuple[int, int]) -> None:
    async with IterscopeApp(LoadedRun.usual(find("kernel_pca"))).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("3")
        await until(pilot, lambda: pilot.app.screen.query_one(Column).kept()["section"] == 3)
        await until(pilot, lambda: "● inner" in text(pilot, "#side"))
        legend, lower = text(pilot, "#side").split("\n")[-2:]
        assert "● inner  ▲ outer" in legend
        assert "8" in lower or "▸" in lower
        assert "inner" not in lower
        assert "z₁ →" in text(pilot, "#side")
