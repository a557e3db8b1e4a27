"""Several rows in one cell of the stage are seen to be several, and named one by one where the mouse is."""

from threading import Thread, current_thread, main_thread

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import find
from algorithms.core import Points
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, still, text, until, worked_out
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.marks import paint
from tui.paint.palette import DARK, LIGHT, Palette, unpack
from tui.paint.plot import Plot
from tui.sections.panels.row_tooltip import listed, paint_row_tooltip, wrapped
from tui.widgets.stage import Stage

AT = np.array([(1.5, 0.5), (3.5, 0.5), (3.5, 0.5), (5.5, 0.5), (5.5, 0.5), (5.5, 0.5), (7.5, 0.5), (7.5, 0.5)])
CLASSES = np.array([0, 0, 0, 0, 0, 0, 0, 1])
ONE, TWO, THREE, BOTH = 1, 3, 5, 7  # columns, with so many rows; two of two classes


def painted(palette: Palette = DARK, **marks: object) -> Canvas:
    canvas = Canvas(10, 1, palette.panel, palette.ink)
    paint(Points(at=AT, classes=CLASSES, **marks), Plot(canvas, Limits(0, 10, 0, 1), palette))  # type: ignore[arg-type]
    return canvas


def apart(a: int, b: int) -> float:
    return float(np.abs(unpack(a) - unpack(b)).sum())


@pytest.mark.parametrize("palette", [DARK, LIGHT])
def test_more_rows_have_a_stronger_ground_and_a_lighter_mark(palette: Palette) -> None:
    canvas = painted(palette)
    ground, ink = canvas.ground[0], canvas.ink[0]
    assert ground[ONE] == palette.panel
    assert 0 < apart(ground[TWO], palette.panel) < apart(ground[THREE], palette.panel)
    assert ink[ONE] == palette.classes[0]
    assert apart(ink[THREE], palette.ink) < apart(ink[TWO], palette.ink) < apart(ink[ONE], palette.ink)
    assert not canvas.bold[0, ONE]
    assert canvas.bold[0, TWO]  # and that is seen without colours
    assert canvas.glyphs[0, TWO] == canvas.glyphs[0, ONE]


def test_two_classes_in_a_cell_are_seen_as_two() -> None:
    canvas = painted()
    assert chr(canvas.glyphs[0, BOTH]) == "▲"
    other, own = unpack(DARK.classes[0]), unpack(DARK.classes[1])
    ground, ink = unpack(canvas.ground[0, BOTH]), unpack(canvas.ink[0, BOTH])
    assert np.abs(ground - other).sum() < np.abs(ground - own).sum()
    assert np.abs(ink - own).sum() < np.abs(ink - other).sum()


def test_what_the_step_is_about_keeps_its_look_and_other_points_are_not_counted() -> None:
    ringed = np.arange(len(AT)) == 4
    canvas = painted(ringed=ringed)
    assert canvas.ground[0, THREE] == DARK.held
    assert painted(rows=False).ground[0, THREE] == DARK.panel


@pytest.mark.parametrize("seed", range(20))
def test_of_rows_in_a_cell_what_matters_most_is_on_top(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n, layers = 60, ("faded", "crossed", "haloed", "ringed")
    at, tones = np.column_stack([generator.integers(0, 10, n) + 0.5, np.full(n, 0.5)]), np.arange(n) % 4
    masks = {name: generator.random(n) < generator.choice([0.1, 0.5]) for name in layers if generator.random() < 0.6}
    weights = np.round(generator.random(n), 1) if seed % 2 else None
    canvas = Canvas(10, 1, DARK.panel, DARK.ink)
    points = Points(at=at, classes=tones, weights=weights, rows=False, **masks)
    paint(points, Plot(canvas, Limits(0, 10, 0, 1), DARK))

    def on_top(i: int) -> tuple[float, ...]:
        faded, crossed, haloed, ringed = (name in masks and bool(masks[name][i]) for name in layers)
        layer = 4 if ringed else 3 if haloed else 0 if faded else 2 if crossed else 1
        return layer, 0.0 if weights is None else weights[i], i

    for column in np.unique(at[:, 0].astype(int)):
        top = max(np.flatnonzero(at[:, 0].astype(int) == column).tolist(), key=on_top)
        alone = Canvas(1, 1, DARK.panel, DARK.ink)
        own = {name: mask[[top]] for name, mask in masks.items()}
        weight = None if weights is None else weights[[top]]
        one = Points(at=np.full((1, 2), 0.5), classes=tones[[top]], weights=weight, rows=False, **own)
        paint(one, Plot(alone, Limits(0, 1, 0, 1), DARK))
        assert canvas.glyphs[0, column] == alone.glyphs[0, 0] or chr(canvas.glyphs[0, column]) in "▪▫■□"


def test_a_bracket_stands_beside_a_row_in_hand_and_never_on_another_row() -> None:
    next_to_each_other = Points(at=np.array([(3.5, 0.5), (4.5, 0.5)]), ringed=np.array([True, False]))
    canvas = Canvas(10, 1, DARK.panel, DARK.ink)
    paint(next_to_each_other, Plot(canvas, Limits(0, 10, 0, 1), DARK))
    assert "".join(map(chr, canvas.glyphs[0, 2:6])) == "⟨●● "


def test_a_text_is_wrapped_at_blanks_and_placed_beside_its_cell() -> None:
    assert wrapped("one two three four", 9) == ["one two", "  three", "  four"]
    assert listed([3, 17, 21]) == "rows 3, 17, 21"
    assert listed(list(range(12))) == "12 rows: 0, 1, 2, 3, 4, 5, 6, 7 ..."
    for cell in ((2, 1), (2, 10), (38, 1), (38, 10)):
        canvas = Canvas(40, 12, DARK.panel, DARK.ink)
        paint_row_tooltip(canvas, ["rows 3, 17", "3: low; y f 0.5: right", "17: high"], cell, DARK)
        lines = ["".join(map(chr, row)) for row in canvas.cells()[0]]
        (top,) = [i for i, line in enumerate(lines) if "rows 3, 17" in line]
        assert "3: low; y f 0.5: right" in lines[top + 1]
        assert "17: high" in lines[top + 2]
        assert not lines[cell[1]].strip()


async def test_hover_and_click_name_every_row_of_a_cell_and_what_is_said_of_it() -> None:
    lloyd = find("lloyd")
    async with IterscopeApp(LoadedRun.checked(lloyd, lloyd.datasets[0], {"k": 3})).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right", "right")
        await until(pilot, at(pilot, 2))
        stage = pilot.app.screen.query_one(Stage)
        assert stage.plot is not None
        assert stage._picture is not None
        (points,) = [mark for mark in stage._picture.stage.marks if isinstance(mark, Points) and mark.rows]
        column, row, _ = stage.plot.cells(points.at)
        cells = list(zip(column.tolist(), row.tolist()))
        crowded = next(cell for cell in cells if 2 <= cells.count(cell) <= 3)
        alone = next(cell for cell in cells if cells.count(cell) == 1)
        rows = [i for i, cell in enumerate(cells) if cell == crowded]
        spot = (stage._box[0] + crowded[0], stage._box[1] + crowded[1])
        assert points.says is not None
        said = [points.says(i) for i in rows]
        await pilot.hover("#stage", offset=spot)
        await until(pilot, lambda: f"rows {', '.join(map(str, rows))}" in text(pilot, "#stage"))
        shown = " ".join(text(pilot, "#stage").replace("│", " ").split())
        assert all(f"{i}: {words.split(':')[0]}" in shown for i, words in zip(rows, said))
        await pilot.click("#stage", offset=spot)
        await pilot.hover("#header")
        await until(pilot, lambda: stage._row is None)
        assert f"rows {', '.join(map(str, rows))}" in text(pilot, "#stage")  # a click pins it
        await pilot.hover("#stage", offset=(stage._box[0] + alone[0], stage._box[1] + alone[1]))
        one = cells.index(alone)
        await until(pilot, lambda: f"row {one}: " in text(pilot, "#stage"))
        assert "from its mean" in text(pilot, "#stage")
        threads: list[Thread] = []

        def says(row: int) -> str:
            threads.append(current_thread())
            return f"row {row} answers from elsewhere"

        await worked_out(pilot)
        await still(pilot)  # no other picture comes in place of the one that is put there
        elsewhere = replace(stage._picture.stage, marks=(replace(points, says=says),))
        stage.show(replace(stage._picture, stage=elsewhere, apart=True), (), stage._data)
        await until(pilot, lambda: f"row {one} answers from elsewhere" in text(pilot, "#stage"))
        assert main_thread() not in threads  # the screen does not wait for it
        assert len(threads) == 1
