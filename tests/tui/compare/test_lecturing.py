"""For a hall: the stages beside each other, and under them one chart or one theorem; the keys go on working."""

from itertools import product

import numpy as np
import pytest

from algorithms import Timeline, datasets, find, names
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from algorithms.playback.theorems.page import theorem_page
from tests.tui.compare.pilot import at, clusterings, screen, tinies, tiny
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.paint.text import typeset
from tui.paint.x_axis import XAxis
from tui.screens.compare import CompareScreen
from tui.screens.theorem import TheoremScreen
from tui.sections.theorems.abreast import Common, CurvesAbreast, OfRun, paint_digits_abreast, rows_of_digits
from tui.sections.theorems.large import BigSides
from tui.widgets.theorems_abreast import TheoremsAbreast

SIZES = [(120, 36), (100, 30)]


def margins() -> IterscopeApp:
    """The perceptron on separable rows, with two margins."""
    blobs = datasets.recipe("blobs").with_(n=40, margin=0.1)
    opened = LoadedRun.checked(find("perceptron"), blobs, {})
    return IterscopeApp(opened, against=[variant(opened, data="blobs:n=40,margin=0.2").timeline()])


def shown(pilot: object, widget: str) -> bool:
    return bool(pilot.app.screen.query_one(widget).display)  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", SIZES)
async def test_a_lecture_on_several_runs_shows_stages_one_chart_or_theorem_and_a_line_a_run(
    size: tuple[int, int],
) -> None:
    async with margins().run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r")
        await until(pilot, at(pilot, 800, 320))
        await pilot.press("F")
        await until(pilot, lambda: text(pilot, "#keys").strip() == "F leaves")
        assert "mistakes: m" in text(pilot, "#abreast")
        assert "numbers" not in text(pilot)
        assert not shown(pilot, "#tracks")
        lines = text(pilot, "#stories").splitlines()
        assert [line.split()[0] for line in lines] == ["A", "B"]
        for line, mistakes in zip(lines, (42, 17)):
            assert line.rstrip().endswith(f"w separates the classes, after {mistakes} mistakes.")

        await pilot.press("3")  # the theorem, in digits
        await until(pilot, lambda: "mistakes m ≤ (R² + 2 margin/η)/γ²" in text(pilot, "#large"))
        assert not shown(pilot, "#abreast")
        large = text(pilot, "#large")
        assert "█" in large
        assert large.count("✓ held wherever it was measured") == 2
        await pilot.press("3")  # the next one
        await until(pilot, lambda: "η m γ ≤ w·w* ≤ ‖w‖" in text(pilot, "#large"))
        assert text(pilot, "#large").count("‖w‖") == 3  # in the statement, and in each run
        assert "█" in text(pilot, "#large")

        await pilot.press("2")  # its sides as curves
        await until(pilot, lambda: "█" not in text(pilot, "#large"))
        large = text(pilot, "#large")
        assert "4.20" in large
        assert "17.8" in large
        top = next(line for line in large.splitlines() if line.startswith("│") and "≤" not in line)
        assert [word for word in top.split() if word.isdigit()] == ["30", "30"]  # one axis for both
        before = large
        await pilot.press("g", *"100", "enter")  # the keys of the comparison
        await until(pilot, at(pilot, 100, 100))
        await until(pilot, lambda: text(pilot, "#large") != before)
        await pilot.click("#large", offset=(size[0] // 2 - 2, 6))
        await until(pilot, at(pilot, 800, 320))
        await pilot.press("1")  # the stages alone, or all
        await until(pilot, lambda: not shown(pilot, "#large"))
        await pilot.press("1")
        await until(pilot, lambda: shown(pilot, "#large"))
        await pilot.press("x")
        await until(pilot, lambda: shown(pilot, "#abreast"))
        assert "mistakes: m" in text(pilot, "#abreast")
        await pilot.press("x")
        await until(pilot, lambda: "mistakes: m" not in text(pilot, "#abreast"))
        await pilot.press("t")
        await until(pilot, lambda: "█" in text(pilot, "#large"))
        await pilot.press("F")
        await until(pilot, lambda: shown(pilot, "#tracks"))
        assert shown(pilot, "#abreast")
        assert not shown(pilot, "#large")
        assert at(pilot, 800, 320)()


async def test_four_runs_have_their_digits_where_there_is_room_and_lines_of_text_elsewhere() -> None:
    others = [tiny(eta=eta) for eta in (0.2, 0.3, 0.4)]
    async with tinies(*others, eta=0.1).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0, 0, 0))
        await pilot.press("right", "F", "3")
        await until(pilot, lambda: "f never rises" in text(pilot, "#large"))
        assert "█" in text(pilot, "#large")
        assert all(f" {letter} " in text(pilot, "#large") for letter in "ABCD")
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "█" not in text(pilot, "#large"))
        assert text(pilot, "#large").count("≤") == 1 + 4, "of the statement, and of each run"
        large = screen(pilot).query_one(TheoremsAbreast)
        assert large.size.height == 1 + 4 + 1  # the statement, a line a run, and a blank one


def test_the_sides_of_a_theorem_have_an_axis_for_the_steps_that_are_seen() -> None:
    run = tiny().run()
    rising = np.arange(100.0)
    one = OfRun(0, theorem_page(run, run.at(3), 0), rising, np.column_stack([rising, rising + 1]), 3.0)
    curves = CurvesAbreast()
    seen = Common(XAxis(0.0, 10.0), 3.0, "step", 1)
    curves.paint(Canvas(60, 14, DARK.panel, DARK.ink), [one], seen, (0, 1), DARK)
    axis = curves.drawn[0][2].y_axis
    assert 11 <= axis.high <= 15, "of the run to come, which rises to 100, nothing is seen"


async def test_a_theorem_of_one_of_the_runs_is_shown_for_that_one() -> None:
    async with clusterings().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 4, "F", "3")
        await until(pilot, lambda: "the objective J never rises" in text(pilot, "#large"))
        assert " A " in text(pilot, "#large")
        assert " B " not in text(pilot, "#large")
        assert text(pilot, "#large").count("✓ held wherever it was measured") == 1
        await pilot.press("2", *["3"] * len(find("lloyd").theorems))
        await until(pilot, lambda: " B " in text(pilot, "#large"))
        assert " A " not in text(pilot, "#large")
        await pilot.press("u")  # by iteration
        await until(pilot, lambda: "iteration →" in text(pilot, "#large"))


async def test_a_lecture_goes_on_when_one_of_the_runs_is_another_and_when_it_is_gone_back_to() -> None:
    async with margins().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 9, "F", "3", "3", "2")
        await until(pilot, lambda: "η m γ ≤ w·w* ≤ ‖w‖" in text(pilot, "#large"))
        await pilot.press("p", *"2", "enter")
        await until(pilot, lambda: "eta 2" in text(pilot) and "η m γ ≤ w·w* ≤ ‖w‖" in text(pilot))
        await until(pilot, lambda: "█" not in text(pilot, "#large") and shown(pilot, "#large"))
        assert text(pilot, "#keys").strip() == "F leaves"
        assert not shown(pilot, "#tracks")
        await pilot.press("s")  # the source has its rows here too
        await until(pilot, lambda: shown(pilot, "#source"))
        assert "⣀" in text(pilot, "#large")
        await pilot.press("s", "c")
        await until(pilot, lambda: not isinstance(pilot.app.screen, CompareScreen))
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and shown(pilot, "#large"))
        await until(pilot, lambda: "η m γ ≤ w·w* ≤ ‖w‖" in text(pilot, "#large"))
        await pilot.press("F")
        await until(pilot, lambda: shown(pilot, "#tracks"))
        assert not shown(pilot, "#large")


async def test_enter_opens_the_theorem_in_hand_or_the_first_of_a_run_that_does_not_state_it() -> None:
    async with clusterings().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 4, "F", "3", "3")
        second, other = find("lloyd").theorems[1].statement, find("gaussian_mixture").theorems[0].statement
        await until(pilot, lambda: second in text(pilot, "#large"))
        for statement in (second, other):
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
            await until(pilot, lambda statement=statement: statement in text(pilot))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
            await pilot.press("tab")


def bags() -> IterscopeApp:
    """A bag of trees beside one of fewer."""
    opened = LoadedRun.checked(find("bagging"), find("bagging").datasets[0], {"trees": 9})
    return IterscopeApp(opened, against=[variant(opened, parameters="trees=3").timeline()])


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_what_is_measured_as_the_point_stands_beside_that_of_the_other_run(size: tuple[int, int]) -> None:
    contrast, first = find("bagging").contrast, find("bagging").theorems[0].statement
    assert contrast is not None
    async with bags().run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("F", "3")
        await until(pilot, lambda: contrast.words in text(pilot, "#large"))
        assert text(pilot, "#large").count("not measured so far") == 2
        await pilot.press("r")
        await until(pilot, lambda: all(one.run.stopped is not None for one in screen(pilot).together.followers))
        await until(pilot, lambda: text(pilot, "#large").count("measured") == 2 and "█" in text(pilot, "#large"))
        large = " ".join(text(pilot, "#large").split())
        assert "…" not in large
        for name in contrast.names:
            assert large.count(name) == 2, large
        await pilot.press("3")
        await until(pilot, lambda: typeset(first) in " ".join(text(pilot, "#large").split()))
        await pilot.press(*["3"] * len(find("bagging").theorems))
        await until(pilot, lambda: contrast.words in text(pilot, "#large"))
        await pilot.press("2")  # it has no sides to be drawn: the first theorem has
        await until(pilot, lambda: typeset(first) in " ".join(text(pilot, "#large").split()))


async def test_the_theorem_that_was_chosen_on_its_page_is_large_in_the_hall() -> None:
    chosen = find("lloyd").theorems[2].statement
    async with clusterings().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 4, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await pilot.press("down", "down", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await pilot.press("F")
        await until(pilot, lambda: shown(pilot, "#large") and typeset(chosen) in text(pilot, "#large"))
        await pilot.press("F", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen) and "theorem 3 of" in text(pilot))


@pytest.mark.parametrize("name", names())
def test_no_label_of_a_run_beside_another_is_cut(name: str) -> None:
    algorithm = find(name)
    run = Timeline(algorithm, algorithm.datasets[0].load(), algorithm.settings[0])
    run.advance(60)
    frame, rows = run.at(run.last), 14
    for theorem, columns in product(range(len(algorithm.theorems)), [80, 100, 120, 160]):
        page = theorem_page(run, frame, theorem)
        of_runs = [OfRun(i, page, np.zeros(0), np.zeros((0, 0)), 0.0) for i in range(2)]
        canvas = Canvas(columns, rows_of_digits(of_runs, columns, rows), DARK.panel, DARK.ink)
        assert canvas.rows <= rows
        paint_digits_abreast(canvas, of_runs, BigSides(), DARK)
        lines = ["".join(map(chr, row)) for row in canvas.glyphs.tolist()]
        assert not any("…" in line for line in lines), "\n".join(lines)


@pytest.mark.parametrize("size", [(100, 30), (80, 24)])
async def test_a_statement_that_takes_two_rows_hides_no_letter_of_a_run(size: tuple[int, int]) -> None:
    statement = find("bagging").theorems[3].statement
    async with bags().run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 6, "F", *"33333")
        await until(pilot, lambda: typeset(statement) in " ".join(text(pilot, "#large").split()))
        large = text(pilot, "#large")
        assert all(f" {letter} " in large for letter in "AB")
