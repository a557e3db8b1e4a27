"""An opened theorem on the screen: it is opened, stepped through, scrolled and left."""

import re

import numpy as np
import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from algorithms import Timeline, datasets, find
from algorithms.core import Sides
from algorithms.core.theorems import Relation
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.theorems.page import theorem_page
from tests.tui.pilot import at, text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.screens.stage import StageScreen
from tui.screens.theorem import TheoremScreen, TheoremView
from tui.sections.theorems.charts import spans_powers
from tui.sections.theorems.head import paint_head
from tui.sections.theorems.notes import paint_step
from tui.sections.theorems.unmeasured import Stretch


def app() -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(find("perceptron"), datasets.blobs.with_(margin=0.3), {"eta": 0.5}))


def text_of(screen: TheoremScreen) -> str:
    cells = screen.query_one("#theorem").cells  # type: ignore[attr-defined]
    assert cells is not None
    return "\n".join("".join(map(chr, row)) for row in cells[0].tolist())


async def test_it_shows_numbers_letters_hypotheses_and_proof_and_goes_on_stepping() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        await pilot.press("right", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, TheoremScreen)
        for size in ((160, 48), (100, 30), (80, 24)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "theorem 1 of 7" in text_of(screen))
            assert "the rows can be separated strictly" in text_of(screen), size
            assert "step size" in text_of(screen), size
            await pilot.press("down", "right")
            assert "theorem 2 of 7" in text_of(screen), size
            assert "step 2 of" in text_of(screen), size
            assert "✓ holds" in text_of(screen), size
            for _ in range(4):
                await pilot.press("pagedown")
            assert "source: Novikoff (1962)" in text_of(screen), size
            await pilot.press("up", "left")
        await pilot.press("right", "escape")
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        assert stage.player.t == 2


async def test_a_theorem_that_is_clicked_is_opened() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        await pilot.press("right")
        lines = text(pilot, "#side").splitlines()
        row = next(i for i, line in enumerate(lines) if "a row is corrected exactly where" in line)
        await pilot.click("#side", offset=(8, row))
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        assert isinstance(pilot.app.screen, TheoremScreen)
        assert "theorem 4 of 7" in text_of(pilot.app.screen)


@pytest.mark.parametrize(("size", "listed"), [((160, 48), 7), ((80, 24), 7)])
async def test_the_theorems_are_listed_with_the_opened_one_marked_and_a_click_opens_another(
    size: tuple[int, int], listed: int
) -> None:
    async with app().run_test(size=size) as pilot:
        await pilot.press("right")
        await until(pilot, at(pilot, 1))
        await pilot.press("enter", "down", "down")
        screen = pilot.app.screen
        assert isinstance(screen, TheoremScreen)
        for _ in range(8):
            await pilot.press("pagedown")
        lines = text_of(screen).splitlines()
        found = [(y, match) for y, line in enumerate(lines) if (match := re.search(r"▸? ?(\d) [✓✗–?] \S", line))]
        rows = {int(match[1]): (y, match.start(1)) for y, match in found}
        assert len(rows) == listed
        assert "▸ 3 ✓ ‖w‖² ≤ " in lines[rows[3][0]]
        assert "4 ✓ a row is corrected exactly where" in lines[rows[4][0]]
        await pilot.click("#theorem", offset=(rows[4][1] + 6, rows[4][0]))
        await until(pilot, lambda: "theorem 4 of 7" in text_of(screen))
        assert "▸ 4 ✓ a row is corrected" in text_of(screen)
        await pilot.press("up", "up", "up")
        assert "theorem 1 of 7" in text_of(screen)


async def opened(pilot: Pilot[None], *keys: str) -> TheoremScreen:
    await pilot.pause()
    await pilot.press(*keys)
    await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
    screen = pilot.app.screen
    assert isinstance(screen, TheoremScreen)
    return screen


def rows_of(text: str, first: str, end: str) -> int:
    """Count the rows from that with one text to that before the next with another."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if first in line)
    return next(i for i, line in enumerate(lines) if i > start and end in line) - start


async def test_the_sides_over_the_run_stand_over_what_is_left_between_them() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot, *["right"] * 20, "enter", "down")
        for size, sides, gaps in (((120, 36), 13, 7), ((160, 48), 20, 11), ((100, 30), 7, 4)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda width=size[0]: 0 <= width - len(text_of(screen).splitlines()[0]) <= 4)  # type: ignore[misc]
            shown = text_of(screen)
            assert rows_of(shown, "the sides over the run", "what is left between them") >= sides + 2, size
            assert rows_of(shown, "what is left between them", "the proof") >= gaps + 2, size
            for mark in "●▲■◆★✚▼":  # of each side and difference: in the head, and on its curve or said to be behind
                assert shown.count(mark) >= 2, (size, mark)
            for hidden, seen in re.findall(r"(\S) behind (\S)", shown):
                assert shown.count(hidden) == 2, "it is in the head and in those words, and on no curve"
                assert shown.count(seen) >= 3, size


async def test_at_the_smallest_size_numbers_letters_and_proof_come_first() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, "right", "right", "enter", "down")
        assert "what the letters mean" in text_of(screen)
        assert "the sides over the run" not in text_of(screen)
        await pilot.press("pagedown", "pagedown")
        assert "the sides over the run" in text_of(screen)


async def test_a_page_is_whole_in_a_terminal_of_a_few_columns() -> None:
    """A theorem with a long proof takes hundreds of rows there, and the list of the theorems comes last."""
    opened = LoadedRun.usual(find("kernel_regression"))
    async with IterscopeApp(opened).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "step 0" in text(pilot, "#header"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        view = pilot.app.screen.query_one(TheoremView)
        count = len(opened.algorithm.theorems)
        for columns in (40, 18, 9, 5, 4):
            view.paint(Canvas(columns, 10, DARK.panel, DARK.ink))
            assert view._listed[2] == range(count), columns


async def test_j_puts_the_sides_along_its_own_variable_and_l_on_logarithms() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot, *["right"] * 20, "enter", "down", "j")
        assert "the sides along m " in text_of(screen)
        assert "m →" in text_of(screen)
        await pilot.press("l")
        assert "the sides along m, logarithmic" in text_of(screen)
        await pilot.press("j", "l")
        assert "the sides over the run ─" in text_of(screen)


async def test_a_click_on_a_chart_goes_to_that_step() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot, *["right"] * 20, "enter", "down")
        lines = text_of(screen).splitlines()
        row = next(i for i, line in enumerate(lines) if "the sides over the run" in line)
        await pilot.click("#theorem", offset=(10, row + 5))
        await until(pilot, lambda: "step 0 of" in text_of(screen))
        assert re.search(r"m +mistakes corrected so far +0", text_of(screen))


async def test_a_silent_theorem_says_when_it_last_spoke() -> None:
    loaded = LoadedRun.checked(find("lloyd"), datasets.faithful, {})
    async with IterscopeApp(loaded).run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot, *["right"] * 5, "enter", "down", "down", "down")
        await until(pilot, lambda: "step 5 of" in text_of(screen))
        assert "it says nothing here: not at this step; it last spoke at step 4:" in text_of(screen)
        assert "J + between" in text_of(screen)
        await pilot.press(*["left"] * 4)
        assert "it speaks at step 2 first" in text_of(screen)
        await pilot.press("right")
        assert "✓ holds" in text_of(screen)


async def test_from_near_the_sides_follow_the_cursor() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot, *["right"] * 20, "enter", "down", "W")
        assert "the sides near step 20 " in text_of(screen)
        assert "what is left between them over the run" in text_of(screen)
        await pilot.press("right", "right", "right")
        assert "the sides near step 23 " in text_of(screen)
        await pilot.press("W")
        assert "the sides over the run" in text_of(screen)


def test_from_near_the_steps_that_were_not_measured_are_asked() -> None:
    run = Timeline(find("perceptron"), datasets.load("moons"), {"epochs": 25}).run()
    page = theorem_page(run, run.at(2000), 2)
    so_far, stretch = page.so_far, Stretch()
    assert so_far is not None
    near = np.arange(1990, 2011)
    assert not np.isin(near, so_far.t).all()
    filled = stretch.filled(page, so_far, 10)
    while stretch.unfinished:
        filled = stretch.filled(page, so_far, 10)
    assert np.isin(near, filled.t).all()
    assert (np.diff(filled.t) > 0).all()
    for t in near.tolist():
        sides = run.verdicts(run.at(t))[2].sides
        assert sides is not None
        assert filled.values[np.searchsorted(filled.t, t)].tolist() == list(sides.values)


@pytest.mark.parametrize("relation", ["<=", "=="])
def test_a_chain_that_is_too_long_for_the_line_stands_under_itself_with_nothing_cut(relation: Relation) -> None:
    run = Timeline(find("perceptron"), datasets.load("blobs"), {})
    run.advance(4)
    page = theorem_page(run, run.at(3), 1)
    names = ("the first of three sides", "the second, which is longer", "the third")
    sides = Sides(*zip(names, (1.0, 2.0, 12345.5)), relation=relation)
    links = ((1.0, 0.1), (12343.5, 0.1))
    canvas = Canvas(60, 12, DARK.panel, DARK.ink)
    rows = paint_head(canvas, replace(page, verdict=replace(page.verdict, sides=sides), links=links), DARK)
    lines = ["".join(map(chr, row)) for row in canvas.cells()[0].tolist()]
    for name, value in zip(names, ("1", "2", "12,34")):
        assert any(name in line and value in line for line in lines[:rows])
    assert sum("left" in line or "apart" in line for line in lines[:rows]) == 2


def test_only_values_of_many_sizes_above_0_are_on_a_logarithmic_axis_unasked() -> None:
    assert spans_powers(np.array([[1.0, 5000.0, 3.0]]))
    assert not spans_powers(np.array([[1.0, 500.0, 3.0]]))
    assert not spans_powers(np.array([[0.0, 5000.0, 3.0]]))
    assert not spans_powers(np.array([[np.nan, np.inf, 3.0]]))


async def test_what_is_left_has_the_mark_of_its_curve_where_a_step_has_fewer_sides_than_others() -> None:
    loaded = LoadedRun.checked(find("gaussian_mixture"), datasets.faithful, {})
    async with IterscopeApp(loaded).run_test(size=(120, 36)) as pilot:
        screen = await opened(pilot, *["right"] * 6, "enter", "down")
        await until(pilot, lambda: "step 6 of" in text_of(screen))  # an M step: F <= log L/n; after E there are three
        head, _, charts = text_of(screen).partition("the sides ")
        marks = re.findall(r"([●▲■◆★✚▼]) [-\d.e]+ left", head)
        assert marks == ["◆"]
        assert "◆" in charts
        assert "what is left between them" in charts


async def page_of(pilot: Pilot[None], theorem: int) -> str:
    """The opened page of a theorem at the end of the run."""
    stage = pilot.app.screen
    assert isinstance(stage, StageScreen)
    await until(pilot, lambda: stage.player.timeline.stopped is not None)
    screen = await opened(pilot, "end", "enter", *["down"] * theorem)
    await until(pilot, lambda: f"theorem {theorem + 1} of" in text_of(screen))
    return text_of(screen)


async def test_an_equality_has_the_curve_of_its_value_and_the_largest_difference_in_words() -> None:
    adaboost = find("adaboost")
    opened = LoadedRun.checked(adaboost, adaboost.datasets[0], {"rounds": 30})
    async with IterscopeApp(opened).run_test(size=(120, 36)) as pilot:
        shown = await page_of(pilot, 1)
        assert "Π Z" in shown
        assert re.search(r"the sides differ by at most \S+, at step \d+, of [\d,]+ steps measured: rounding", shown)
        assert rows_of(shown, "the sides over the run", "the proof") >= 15, "the curve has the room of both charts"
        assert "how far they are apart" not in shown
        assert not re.search(r"[●▲■◆★] \S+ apart", shown), "there is no curve with that mark"


async def test_an_equality_of_every_entry_has_words_and_no_empty_chart() -> None:
    async with IterscopeApp(LoadedRun.usual(find("majority_vote"))).run_test(size=(120, 36)) as pilot:
        shown = await page_of(pilot, 1)
        assert re.search(r"the sides differ by at most \S+, at step \d+, of [\d,]+ steps measured: rounding", shown)
        assert "step →" not in shown
        assert "log" not in text(pilot, "#keys")
        await pilot.press("escape", "F", "1")
        await until(pilot, lambda: "differ by" in text(pilot, "#sides"))


async def test_a_silent_theorem_of_the_list_stands_as_it_spoke_last_with_the_step() -> None:
    perceptron = find("perceptron")
    raises = next(i for i, theorem in enumerate(perceptron.theorems) if "a correction raises" in theorem.statement)
    async with app().run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        await pilot.press("n", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, TheoremScreen)

        def row() -> str:
            found = (line for line in text_of(screen).splitlines() if re.search(rf" {raises + 1} [✓✗–?] \S", line))
            return next(found)

        run = pilot.app.screen_stack[1].player.timeline  # type: ignore[attr-defined]
        assert "at step" not in row()
        for t in range(2, 9):
            await pilot.press("right")
            spoke = [s for s in range(t + 1) if run.verdicts(run.at(s))[raises].sides is not None]
            if spoke[-1] == t:
                assert "at step" not in row()
            else:
                assert f"{raises + 1} ✓ " in row()
                assert f"at step {spoke[-1]}" in row()
        await pilot.press(*["left"] * 9)
        assert f"{raises + 1} – " in row()
        assert "at step" not in row()


@pytest.mark.parametrize(("rows", "begins"), [(20, "Row 49"), (5, "Least squares gets")])
def test_of_a_step_with_little_room_the_point_stays(rows: int, begins: str) -> None:
    run = Timeline(find("least_squares_classifier"), datasets.load("tilt")).run()
    canvas = Canvas(44, rows, DARK.panel, DARK.ink)
    used = paint_step(canvas, theorem_page(run, run.at(run.last), 0), DARK)
    lines = ["".join(map(chr, row)).strip() for row in canvas.glyphs.tolist()][1:used]
    assert lines[0].startswith(begins)
    assert lines[-1].endswith("than 1.")
