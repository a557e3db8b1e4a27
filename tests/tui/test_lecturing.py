"""For a hall: little of the screen, large; the same keys step, and everything comes back."""

from copy import copy

import pytest

from algorithms import find
from algorithms.core.regions import Levels, Tint
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows
from tests.tui.pilot import SIZES, at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.digits import HEIGHT, QUOTES, columns_of, paint_digits
from tui.paint.palette import DARK
from tui.paint.text import typeset
from tui.terminal.ascii import in_ascii
from tui.widgets.sides_chart import SidesChart
from tui.widgets.stage import Stage


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


def test_every_digit_has_a_shape_of_its_own_in_ascii_alone_too() -> None:
    shapes = set()
    for digit in "0123456789-+.e≤<=":
        canvas = Canvas(12, HEIGHT, DARK.panel, DARK.ink)
        paint_digits(canvas, 0, 0, digit, DARK.ink, QUOTES)
        shapes.add(in_ascii("\n".join("".join(map(chr, row)) for row in canvas.glyphs)))
    assert len(shapes) == 17


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
        assert text(pilot, "#keys").strip() == "F leaves"
        assert "steps/s" not in text(pilot, "#header")
        first = text(pilot, "#narration").split(". ")[0].strip().split("\n")[0]
        phase, *sentence = first.split()  # the one that says most, wherever it stands
        assert narrated.split()[0] == phase
        assert " ".join(sentence) in " ".join(narrated.split())
        before = text(pilot, "#big")
        await pilot.press("right", "right")
        await until(pilot, lambda: text(pilot, "#big") != before)
        await pilot.press("2")
        await until(pilot, lambda: "the lower bound F touches log L/n" in text(pilot, "#big"))
        await pilot.press("F")
        await until(pilot, lambda: pilot.app.screen.query_one("#track").display)
        assert stage(pilot).player.t == 7
        assert "space play" in text(pilot, "#keys")
        assert "iteration 4   step 7 of" in text(pilot, "#header")


async def test_one_that_is_silent_says_why() -> None:
    async with opened("perceptron").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        statements = [theorem.statement for theorem in find("perceptron").theorems]
        raised = next(i for i, statement in enumerate(statements) if "a correction raises" in statement)
        await pilot.press("F", *"2" * raised)
        await until(pilot, lambda: statements[raised] in text(pilot, "#big"))
        assert "not at this step" in text(pilot, "#big")
        assert "█" not in text(pilot, "#big")


async def test_the_sides_of_the_theorem_in_hand_are_the_chart_with_their_marks_at_the_numbers() -> None:
    async with opened("gaussian_mixture").run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("r")
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await pilot.press("home", *["right"] * 15, "F", "2")
        await until(pilot, lambda: "touches log L/n after E" in text(pilot, "#big"))
        assert "■" not in text(pilot, "#big")
        await pilot.press("1")
        await until(pilot, lambda: "the sides near step 15" in text(pilot, "#sides"))
        assert not pilot.app.screen.query_one("#side").display
        names = text(pilot, "#big").split("\n")[1]
        assert "■ F" in names
        assert "◆ log L/n" in names
        assert "step before: maximise" in names
        await pilot.press("W")
        await until(pilot, lambda: "the sides over the run" in text(pilot, "#sides"))
        assert text(pilot, "#sides").count("=") > 10  # where F touches
        await pilot.press("2")
        await until(pilot, lambda: "neither step lowers F" in text(pilot, "#big"))
        assert "■ F before" in text(pilot, "#big").split("\n")[1]
        await pilot.press("enter")  # opens the one in hand
        await until(pilot, lambda: "theorem 3 of" in text(pilot, "#theorem"))
        await pilot.press("escape")
        chart = pilot.app.screen.query_one("#sides", SidesChart)
        await pilot.click("#sides", offset=(chart.size.width - 3, 8))
        await until(pilot, at(pilot, stage(pilot).player.timeline.last))
        await pilot.press("x")
        await until(pilot, lambda: pilot.app.screen.query_one("#side").display)
        assert not chart.display


async def test_the_sides_stand_along_the_theorems_own_variable_and_logarithmic_as_the_charts_do() -> None:
    async with opened("perceptron").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("r")
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await pilot.press("F", "1")
        await until(pilot, lambda: "the sides over the run" in text(pilot, "#sides"))
        await pilot.press("j")
        await until(pilot, lambda: "the sides along m" in text(pilot, "#sides"))
        assert "m →" in text(pilot, "#sides")
        before = "logarithmic" in text(pilot, "#sides")
        await pilot.press("k")
        await until(pilot, lambda: ("logarithmic" in text(pilot, "#sides")) != before)


async def test_a_theorem_that_has_spoken_keeps_its_numbers_while_it_is_silent_and_says_since_when() -> None:
    async with opened("perceptron").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("n", "F", *"2222")
        await until(pilot, lambda: "a correction raises" in text(pilot, "#big"))
        assert "✓ held wherever it was measured" in text(pilot, "#big")
        last, before = 0, [""]
        while stage(pilot).player.frame.state.phase == "mistake":
            last, before = stage(pilot).player.t, text(pilot, "#big").split("\n")[2:5]
            await pilot.press("right")
        await until(pilot, lambda: f"spoke last at step {last}" in text(pilot, "#big"))
        held = [line.rstrip() for line in text(pilot, "#big").split("\n")[2:5]]
        assert all(now and then.startswith(now) for now, then in zip(held, before))  # but for what was left between


async def test_what_is_measured_as_the_point_comes_before_the_theorems_and_comes_round_again() -> None:
    async with opened("full_joint").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("r")
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await pilot.press("F")
        await until(pilot, lambda: "the errors of the table, and of naive Bayes" in text(pilot, "#big"))
        assert "error of naive Bayes" in text(pilot, "#big")
        theorems = find("full_joint").theorems
        await pilot.press("2")
        await until(pilot, lambda: typeset(theorems[0].statement) in text(pilot, "#big"))
        await pilot.press(*"2" * len(theorems))
        await until(pilot, lambda: "measured" in text(pilot, "#big"))
        await pilot.press("1")
        await until(pilot, lambda: typeset(theorems[0].statement) in text(pilot, "#big"))


async def test_the_first_theorem_is_large_once_it_has_spoken_though_another_speaks_now() -> None:
    async with opened("decision_tree").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("F")
        first = typeset(find("decision_tree").theorems[0].statement)
        shown = first[:20]
        await until(pilot, lambda: "█" in text(pilot, "#big"))
        assert shown not in text(pilot, "#big"), "one that speaks stands for it until then"
        await pilot.press("right", "right", "right")
        await until(pilot, lambda: shown in text(pilot, "#big"))
        await pilot.press("right")
        await until(pilot, at(pilot, 4))
        assert shown in text(pilot, "#big")


async def test_without_theorems_there_is_no_box_for_one() -> None:
    bare = copy(TINY)
    bare.theorems = ()
    async with IterscopeApp(LoadedRun.checked(bare, Rows(), {})).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("F", "2")
        await until(pilot, lambda: "no theorem is stated" in text(pilot, "#narration"))
        assert not pilot.app.screen.query_one("#big").display
        assert not pilot.app.screen.query_one("#sides").display


@pytest.mark.parametrize("name", ["dual_ascent", "multilayer_perceptron", "newton"])
async def test_tints_and_level_lines_are_on_the_scale_of_the_axes_in_the_hall_and_back(name: str) -> None:
    few = {"epochs": 1} if name == "multilayer_perceptron" else {}
    algorithm = find(name)
    run = LoadedRun.checked(algorithm, algorithm.datasets[0], few)
    async with IterscopeApp(run).run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right", "right")
        await until(pilot, at(pilot, 2))

        def one_scale() -> bool:
            plot, picture = stage(pilot).query_one(Stage).plot, stage(pilot).picture
            assert plot is not None
            assert picture is not None
            grids = {m.height.shape for m in picture.stage.marks if isinstance(m, Levels)}
            grids |= {m.tones.shape for m in picture.stage.marks if isinstance(m, Tint)}
            assert grids
            room = 2 * plot.canvas.rows, plot.canvas.columns
            of, asked = plot.limits, picture.limits[picture.stage.title]
            same = (of.width, of.height) == pytest.approx((asked.width, asked.height))
            return same and grids == {room}

        for key in ("F", "F"):
            await pilot.press(key)
            await until(pilot, one_scale)


async def test_the_hall_is_entered_with_a_theorem_that_speaks_and_one_that_was_chosen_stays() -> None:
    async with opened("newton").run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        first = typeset(find("newton").theorems[0].statement)[:20]
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3))
        assert stage(pilot).player.timeline.verdicts(stage(pilot).player.frame)[0].sides is None
        await pilot.press("F")
        await until(pilot, lambda: "█" in text(pilot, "#big"))
        assert first not in text(pilot, "#big")
        assert "held wherever it was measured" in text(pilot, "#big")
        await pilot.press("F", "left")
        await until(pilot, at(pilot, 2))
        await pilot.press("F")
        await until(pilot, lambda: first in text(pilot, "#big"))
        await pilot.press(*"2" * len(find("newton").theorems), "right")
        await until(pilot, at(pilot, 3))
        await until(pilot, lambda: "spoke last at step 2" in text(pilot, "#big"))
        assert first in text(pilot, "#big")
