"""What stands in large digits in a hall, of every algorithm: whole labels, and numbers that are its point."""

import pytest

from algorithms import Timeline, find, names
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.theorems.page import TheoremPage, theorem_page
from tests.tui.pilot import stage, text, until, worked_out
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.paint.text import typeset
from tui.sections.theorems.large import BigSides, paint_statement, rows_of_statement

WIDTHS = (80, 100, 120)
STEPS = 150  # of the run that opens, after which most theorems have spoken
BELOW = 5  # rows under a statement


def opened(name: str) -> Timeline:
    run = LoadedRun.usual(find(name)).timeline()
    run.advance(STEPS)
    return run


def shown(page: TheoremPage, columns: int) -> str:
    rows = rows_of_statement(page, DARK, columns)
    canvas = Canvas(columns, rows + BELOW, DARK.background, DARK.ink)
    paint_statement(canvas, page, DARK)
    BigSides().paint(canvas.part(0, rows, columns, BELOW), page, DARK)
    return "\n".join("".join(map(chr, row)) for row in canvas.glyphs)


@pytest.mark.parametrize("name", names())
def test_no_statement_and_no_label_is_cut_at_any_width(name: str) -> None:
    run = opened(name)
    for theorem in range(len(run.algorithm.theorems)):
        page = theorem_page(run, run.at(run.last), theorem)
        for columns in WIDTHS:
            assert "…" not in (seen := shown(page, columns)), seen


@pytest.mark.parametrize("name", [name for name in names() if find(name).contrast is not None])
async def test_what_is_measured_as_the_point_stands_in_large_digits_at_the_end(name: str) -> None:
    contrast = find(name).contrast
    assert contrast is not None
    async with IterscopeApp(LoadedRun.usual(find(name))).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "step 0 of" in text(pilot, "#header"))
        await worked_out(pilot)  # at once: nothing is drawn on the way
        await pilot.press("F")
        await pilot.press("r")
        for size in ((80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: contrast.words in " ".join(text(pilot, "#big").split()))
            big = " ".join(text(pilot, "#big").split())
            assert "measured" in big, size
            assert "█" in big, size
            assert "…" not in big, size
            for label in contrast.names:
                assert all(word in big for word in label.split()), (size, label)


@pytest.mark.parametrize("name", [name for name in names() if find(name).in_hall])
async def test_the_theorem_that_is_the_point_is_large_at_the_end_and_compares_two_numbers(name: str) -> None:
    async with IterscopeApp(LoadedRun.usual(find(name))).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "step 0 of" in text(pilot, "#header"))
        await worked_out(pilot)
        await pilot.press("r")
        await pilot.press("F")
        await until(pilot, lambda: typeset(find(name).in_hall) in text(pilot, "#big"))
        run = stage(pilot).player.timeline
        stated = [theorem.statement for theorem in find(name).theorems]
        sides = run.verdicts(run.at(run.last))[stated.index(find(name).in_hall)].sides
        assert sides is not None
        assert sides.values[0] < sides.values[1]
