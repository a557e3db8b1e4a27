"""A run of several is turned like a knob, seen in its pane at the same place; escape leaves the old, enter takes it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textual.pilot import Pilot

from algorithms import Timeline, datasets, find
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from algorithms.saving.session.schema import session_bytes
from tests.tiny import Rows
from tests.tui.compare.pilot import at, screen, tinies, tiny, worked_out
from tests.tui.own_file import own_file
from tests.tui.pilot import still, text, until
from tests.tui.slow import SLOW
from tui.app import IterscopeApp
from tui.screens.compare import CompareScreen
from tui.screens.parameters import ParameterForm


def minima() -> IterscopeApp:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {"k": 3, "start": "rows", "seed": 7})
    return IterscopeApp(opened, against=[variant(opened, parameters="start=k-means++").timeline()])


def behind(pilot: Pilot[None]) -> CompareScreen:
    """The comparison, also while a form is in front of it."""
    (those,) = (screen for screen in pilot.app.screen_stack if isinstance(screen, CompareScreen))
    return those


def seen(pilot: Pilot[None], *widgets: str) -> str:
    """What the comparison shows under the form."""
    views = [behind(pilot).query_one(widget) for widget in widgets or ("#stages", "#abreast", "#tracks")]
    return "\n".join(strip.text for view in views for line in view.query("*") or [view] for strip in lines_of(line))


def lines_of(view: Any) -> list[Any]:
    return [view.render_line(y) for y in range(view.size.height)]


def steps(pilot: Pilot[None]) -> list[int]:
    return [picture.frame.t for picture in behind(pilot).pictures if picture is not None]


def title(pilot: Pilot[None]) -> str:
    return str(pilot.app.screen.query_one(".dialog").border_title)


def written(pilot: Pilot[None]) -> bytes:
    """The session as it would be saved."""
    session = behind(pilot).session
    behind(pilot).note_look()
    return session_bytes(session.file.written(session, Path("kept.json"), {}))


async def asked(pilot: Pilot[None], name: str, key: str = "p") -> None:
    """Open the form, with the keys on a parameter."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, ParameterForm))
    pilot.app.screen.query_one(f"#p-{name}").focus()
    await pilot.pause()


async def test_a_seed_is_turned_beside_the_other_run_and_escape_leaves_all_as_it_was() -> None:
    async with minima().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("D", "D", *["right"] * 5, "tab")
        await until(pilot, at(pilot, 5, 5))
        await worked_out(pilot)
        await still(pilot)
        those, before, saved = screen(pilot), seen(pilot), written(pilot)
        runs, followers, viewers = those.compared, list(those.together.followers), list(those.viewers)
        first, known = those.pictures[0], dict(those.together.first_differences)

        await asked(pilot, "seed")
        assert title(pilot) == "Parameters"
        for seed in (8, 9):
            await pilot.press("right")
            await until(pilot, lambda seed=seed: those.compared[1].timeline.parameters["seed"] == seed)
            await until(pilot, lambda: title(pilot) == "Parameters: the new run at step 5")
        fresh = Timeline(find("lloyd"), runs[1].timeline.data, {"k": 3, "start": "k-means++", "seed": 9})
        fresh.advance(6)
        picture = those.pictures[1]
        assert picture is not None
        assert np.array_equal(picture.frame.state.means, fresh.at(5).state.means)
        assert steps(pilot) == [5, 5]
        assert first is not None
        assert those.pictures[0] is not None
        assert those.pictures[0].frame is first.frame, "the other stays"
        assert "seed 9" in seen(pilot, "#stages")
        assert written(pilot) == saved, "no run that is tried out is saved"

        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen is those and those.compared == runs)
        await until(pilot, lambda: seen(pilot) == before)
        assert those.together.followers == followers
        assert those.viewers == viewers
        assert those.together.first_differences == known
        assert written(pilot) == saved
        assert those.current == 1
        await pilot.press("right")
        await until(pilot, at(pilot, 6, 6))


async def test_enter_takes_the_run_that_is_seen_at_the_place_where_all_stand() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("u", *["right"] * 7, "tab")  # by iteration
        await until(pilot, at(pilot, 7, 7))
        others, place = screen(pilot).compared[0].timeline, screen(pilot).together.place
        await asked(pilot, "eta")
        await pilot.press("right")
        await until(pilot, lambda: "the new run at step 7" in title(pilot))
        tried = behind(pilot).compared[1].timeline
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await until(pilot, at(pilot, 7, 7))
        assert screen(pilot).compared[1].timeline is tried, "it is not begun again"
        assert screen(pilot).compared[0].timeline is others
        assert screen(pilot).together.place == place
        assert "B is another run" in text(pilot, "#stories")


async def test_a_fork_is_seen_in_the_pane_of_its_parent_before_it_is_one_more_run() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 4)
        await until(pilot, at(pilot, 4, 4))
        parent = screen(pilot).compared[0].timeline
        await asked(pilot, "eta", key="f")
        await pilot.press("right")
        await until(pilot, lambda: title(pilot) == "Fork at step 4: the fork at step 4")
        assert behind(pilot).compared[0].timeline.parent is parent
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and len(screen(pilot).compared) == 3)
        await until(pilot, at(pilot, 4, 4, 4))
        assert screen(pilot).compared[0].timeline is parent


async def test_a_slow_run_is_tried_out_in_its_thread_and_what_is_turned_past_is_given_up() -> None:
    opened = LoadedRun.checked(SLOW, Rows(), {})
    async with IterscopeApp(opened, against=[variant(opened, parameters="eta=0.2").timeline()]).run_test(
        size=(120, 40)
    ) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        old = screen(pilot).compared
        await asked(pilot, "eta")
        await pilot.press("right")
        await until(pilot, lambda: behind(pilot).compared != old)
        passed = behind(pilot).compared[0].timeline
        await pilot.press("right")
        await until(pilot, lambda: behind(pilot).compared[0].timeline is not passed)
        await until(pilot, lambda: title(pilot) == "Parameters: the new run at step 3")
        await until(pilot, lambda: steps(pilot) == [3, 3])
        length = len(passed)
        await pilot.press("right", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and screen(pilot).compared == old)
        assert len(passed) == length
        assert not any(follower.busy for follower in screen(pilot).together.followers)
        await pilot.press("left")
        await until(pilot, at(pilot, 2, 2))


async def test_a_readers_own_file_is_tried_out_in_its_own_process(tmp_path: Path) -> None:
    algorithm = own_file(tmp_path)
    opened = LoadedRun.checked(algorithm, algorithm.datasets[0], {})
    other = variant(opened, parameters="rate=0.4").timeline()
    async with IterscopeApp(opened, against=[other]).run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        old = screen(pilot).compared
        for key, rates in (("escape", [0.5, 0.4]), ("enter", [0.2, 0.4])):
            await asked(pilot, "rate")
            await pilot.press("left")
            await until(pilot, lambda: title(pilot) == "Parameters: the new run at step 3")
            await until(pilot, lambda: states(pilot) == pytest.approx([0.2**3, 0.4**3]))
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
            await until(pilot, lambda rates=rates: states(pilot) == pytest.approx([rate**3 for rate in rates]))
            assert (screen(pilot).compared == old) == (key == "escape")
            await until(pilot, at(pilot, 3, 3))


def states(pilot: Pilot[None]) -> list[float]:
    """What x is in the pictures."""
    return [picture.frame.state.get("x") for picture in behind(pilot).pictures if picture is not None]


@pytest.mark.parametrize(("size", "runs"), [((160, 48), 2), ((160, 48), 4), ((100, 30), 2), ((80, 24), 2)])
async def test_the_form_leaves_the_stages_free_and_the_chart_where_there_is_room(
    size: tuple[int, int], runs: int
) -> None:
    others = [tiny(eta=0.1 * i + 0.2) for i in range(runs - 1)]
    async with tinies(*others).run_test(size=size) as pilot:
        await until(pilot, at(pilot, *[0] * runs))
        await asked(pilot, "eta")
        form = pilot.app.screen.query_one(".dialog").region
        stages = behind(pilot).query_one("#stages").region.bottom
        assert form.y >= stages - (size == (80, 24)), "of the frame there a line"
        if size == (160, 48):
            assert form.y >= behind(pilot).query_one("#abreast").region.bottom
        field = pilot.app.screen.query_one("#p-eta").region
        assert field.height == 1
        assert form.contains_region(field)
