"""A key that does nothing says why, and what it said is gone with the next key."""

from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from algorithms import Timeline, datasets, find, load
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.compare.pilot import at as both_at, screen, tinies, tiny, worked_out
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.parameters import ParameterForm
from tui.widgets.column import Column


def at_the_end(pilot: Pilot[None]) -> Callable[[], bool]:
    """Whether the last step is shown of a run that has ended: before that it is not known how short it is."""

    def holds() -> bool:
        run = stage(pilot).player.timeline
        return run.stopped is not None and at(pilot, run.last)()

    return holds


async def test_a_key_without_effect_says_why_until_the_next_key() -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 3})
    async with IterscopeApp(opened).run_test(size=(160, 48)) as pilot:
        await pilot.press("r")
        await until(pilot, at_the_end(pilot))
        await pilot.press("W")
        await until(pilot, lambda: "the run is so short that all of it is seen from near" in text(pilot, "#narration"))
        await pilot.press("x")
        await until(pilot, lambda: "so short" not in text(pilot, "#narration"))
        await pilot.press("j", "W")
        await until(pilot, lambda: "seen along the steps; j chooses these" in text(pilot, "#narration"))
        await pilot.press("3", "pagedown", "pagedown")
        await until(pilot, lambda: "all rows of the table are there" in text(pilot, "#narration"))
        await pilot.press("F")
        await until(pilot, lambda: text(pilot, "#keys").strip() == "F leaves")
        assert "the table" not in text(pilot, "#narration")
        first = stage(pilot).query_one(Column).kept()["chart"]
        await pilot.press("x")  # though a table was alone beside the stage before
        assert stage(pilot).query_one(Column).kept()["chart"] != first
        await pilot.press("3")
        await until(pilot, lambda: "in a hall 1 draws the sides" in text(pilot, "#narration"))


async def test_in_a_comparison_too_and_what_is_alone_is_not_to_be_shown_alone() -> None:
    async with tinies(tiny(eta=0.2)).run_test(size=(80, 24)) as pilot:
        await until(pilot, both_at(pilot, 0, 0))
        await pilot.press("3")
        for _ in range(8):
            await pilot.press("pagedown")
        await until(pilot, lambda: "all rows of the table are there" in text(pilot, "#stories"))
        assert "3 shows it alone" not in screen(pilot).session.notice
        await pilot.press("F")
        await until(pilot, lambda: text(pilot, "#keys").strip() == "F leaves")
        assert "table" not in text(pilot, "#stories")


async def test_a_comparison_of_short_runs_is_seen_from_near_as_it_is() -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 2})
    other = Timeline(opened.algorithm, opened.data, {"k": 2, "seed": 1})
    async with IterscopeApp(opened, against=[other]).run_test(size=(160, 48)) as pilot:
        await until(pilot, both_at(pilot, 0, 0))
        await worked_out(pilot)  # before that it is not known how short they are
        await pilot.press("right")
        await until(pilot, both_at(pilot, 1, 1))
        await pilot.press("W")
        short = "the runs are so short that all of them is seen from near"
        await until(pilot, lambda: short in text(pilot, "#stories"))
        await pilot.press("k")
        await until(pilot, lambda: short not in text(pilot, "#stories"))


async def test_the_one_chart_is_said_to_be_one_and_a_parameter_without_bounds_takes_any_number(tmp_path: Path) -> None:
    file = tmp_path / "halving.py"
    file.write_text(
        "def halving(rate=0.5):\n    x = 1.0\n    while x > 1e-9:\n        x *= rate\n        yield {'x': x}\n"
    )
    algorithm = load(str(file), apart=True)
    async with IterscopeApp(LoadedRun.checked(algorithm, algorithm.datasets[0], {})).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "━ x" in text(pilot, "#side"))
        assert "x: 1 of" not in text(pilot, "#side")
        await pilot.press("x")
        await until(pilot, lambda: "there is one chart" in text(pilot, "#narration"))
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, ParameterForm))
        await until(pilot, lambda: str(pilot.app.screen.query_one(".trouble").render()) == "any number")
