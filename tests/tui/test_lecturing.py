"""For a hall: little of the screen, large; the same keys step, and everything comes back."""

import pytest

from algorithms import find
from algorithms.playback.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.digits import HEIGHT, columns_of, paint_digits
from tui.paint.palette import DARK


def opened(name: str) -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find(name)))


def test_every_digit_has_a_shape_of_its_own_and_takes_the_columns_it_says() -> None:
    shapes = set()
    for digit in "0123456789-+.e∞≤<=":
        canvas = Canvas(12, HEIGHT, DARK.panel, DARK.ink)
        assert paint_digits(canvas, 0, 0, digit, DARK.ink) == columns_of(digit) + 1
        assert (canvas.glyphs[:, columns_of(digit) :] == 32).all()
        shapes.add(canvas.glyphs.tobytes())
    assert len(shapes) == 18


@pytest.mark.parametrize("size", SIZES)
async def test_a_lecture_shows_the_stage_a_chart_a_theorem_in_large_and_a_sentence(size: tuple[int, int]) -> None:
    async with opened("gaussian_mixture").run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        for _ in range(5):
            await pilot.press("right")
        await until(pilot, at(pilot, 5))
        narrated = text(pilot, "#narration")
        await pilot.press("F")
        await until(pilot, lambda: "the log-likelihood never falls" in text(pilot, "#big"))
        assert "█" in text(pilot, "#big")
        assert not pilot.app.screen.query_one("#source").display
        assert not pilot.app.screen.query_one("#track").display
        assert "theorems" not in text(pilot, "#side")
        assert "log-likelihood" in text(pilot, "#side")
        first = text(pilot, "#narration").split(". ")[0].strip().split("\n")[0]
        assert first in narrated
        before = text(pilot, "#big")
        await pilot.press("right", "right")
        await until(pilot, lambda: text(pilot, "#big") != before)
        await pilot.press("2")
        await until(pilot, lambda: "the lower bound F touches it" in text(pilot, "#big"))
        await pilot.press("F")
        await until(pilot, lambda: pilot.app.screen.query_one("#track").display)
        assert stage(pilot).player.t == 7


async def test_one_that_is_silent_says_why() -> None:
    async with opened("perceptron").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        statements = [theorem.statement for theorem in find("perceptron").theorems]
        raised = next(i for i, statement in enumerate(statements) if "a correction raises" in statement)
        await pilot.press("F", *"2" * raised)
        await until(pilot, lambda: statements[raised] in text(pilot, "#big"))
        assert "not at this step" in text(pilot, "#big")
        assert "█" not in text(pilot, "#big")
