"""How far a run is, as the header says it: computed is not over, and what the timeline counts is named."""

from textual.pilot import Pilot

from algorithms import Timeline, find
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows as TinyRows
from tests.tui.pilot import app, at, text, until
from tui.app import IterscopeApp
from tui.sections.panels.forks import Rows
from tui.widgets.header import how_far


def test_a_run_has_ended_at_its_end_alone() -> None:
    run = Timeline(TINY, TinyRows().load(), {"steps": 12})
    run.advance(5)
    assert how_far(run, 0) == " so far"
    run.run()
    assert how_far(run, 0) == how_far(run, 11) == ", computed"
    assert how_far(run, 12) == ", ended"


async def test_the_header_says_so_and_the_timeline_names_iterations() -> None:
    async with app(steps=12).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: "step 0 of 12, computed" in text(pilot, "#header"))
        assert text(pilot, "#track").splitlines()[-1].rstrip().endswith("iteration →")
        await pilot.press("r")
        await until(pilot, lambda: "step 12 of 12, ended" in text(pilot, "#header"))


async def keys_of(name: str, pilot: Pilot[None]) -> str:
    await until(pilot, lambda: "space" in text(pilot, "#keys"))
    return text(pilot, "#keys")


async def test_n_is_no_key_where_no_events_are_named() -> None:
    for name, shown in (("gradient_descent", False), ("perceptron", True)):
        opened = LoadedRun.checked(find(name), find(name).datasets[0], dict(find(name).settings[0]))
        async with IterscopeApp(opened).run_test(size=(160, 48)) as pilot:
            assert ("n event" in await keys_of(name, pilot)) is shown


def test_the_cursor_stands_on_the_mark_of_an_iteration_that_begins_there() -> None:
    assert Rows((0,), 2, 156, 10).column(3) == 47  # of 46.5: the mark is in the first column that begins at or after
    assert Rows((0,), 2, 156, 10).column(5) == 78
    assert [Rows((0,), 2, 11, 10).column(t) for t in (0, 3, 10, 12)] == [0, 3, 10, 10]
