"""Every page and dialog at any size, down to one cell: opened there, and made smaller and larger while it is open."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from algorithms import find
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.tried_run import tried, tried_fork
from algorithms.playback.sweeps.request import request
from algorithms.playback.sweeps.swept_runs import SweptRuns
from tests.tui.compare.pilot import clusterings
from tests.tui.pilot import until
from tui.app import IterscopeApp
from tui.commands import Commands
from tui.screens.adding_run import GivePlace, RunsThere
from tui.screens.ask_sweep import AskSweep
from tui.screens.asking import Dialog
from tui.screens.breakpoints import Breakpoints
from tui.screens.catalogue import CatalogueScreen
from tui.screens.choose_data import ChooseData
from tui.screens.choose_plane import ChoosePlane
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.confirm import Confirm
from tui.screens.export import ExportDialog, Writing
from tui.screens.follow_value import FollowValue
from tui.screens.fork import Fork
from tui.screens.form_preview import FormPreview
from tui.screens.go_to import GoTo
from tui.screens.help import Help
from tui.screens.last_change import LastChange
from tui.screens.lectures import LecturesScreen
from tui.screens.lessons import ChooseLesson
from tui.screens.other_run import OtherRun
from tui.screens.parameters import EditParameters, ParameterForm
from tui.screens.rescued import OfferRescued
from tui.screens.run_screen import RunScreen
from tui.screens.runs import Rename, Runs
from tui.screens.session import Leave, OpenSession, Replaying, SaveSession
from tui.screens.stage import StageScreen
from tui.screens.stage.editing import WHILE_EDITING
from tui.screens.sweep import SweepScreen
from tui.screens.theorem import TheoremScreen

SIZES = [(1, 1), (81, 1), (100, 30), (4, 10), (2, 60)]
LARGE = (100, 30)


def never() -> Iterator[float]:
    while True:
        time.sleep(0.01)  # at work, without the processor
        yield 0.5


class Standing:
    """A session that is replayed for ever."""

    file, progress, differences, moved, done = "lesson.json", 0.3, (), "", False

    def work(self, _seconds: float) -> bool:
        time.sleep(0.01)
        return False


def screens(stage: StageScreen) -> Iterator[Screen[Any]]:
    """Make every page and dialog there is, as the stage would."""
    session, loaded = stage.session, stage.loaded
    run, branches, hand = stage.player.timeline, session.branches, session.branch
    entrants = session.candidates
    yield LastChange(run, stage.player.frame)
    yield FollowValue(run, stage.player.frame, ())
    yield Breakpoints([Breakpoint("t > 3")], run, lambda: None)
    yield EditParameters(loaded)
    yield EditParameters(loaded, FormPreview(cast(Any, front(stage)), tried))
    yield Fork(branches, hand, 0, FormPreview(cast(Any, front(stage)), tried_fork, "the fork"))
    yield ChooseData(loaded)
    yield ExportDialog("x", 0, 3, 4.0)
    yield Writing("x.csv", never())
    yield Runs(branches, hand, lambda: None)
    yield Rename(branches, hand)
    yield ChooseRuns(loaded, entrants)
    yield GivePlace(entrants, entrants[0])
    yield RunsThere(entrants, entrants)
    yield OtherRun([hand])
    yield AskSweep(loaded)
    yield GoTo(0, 5)
    yield ChooseLesson()
    yield Confirm("It goes.", "deletes it")
    yield SaveSession(Path("x.json"), None)
    yield OpenSession(loaded.algorithm, "", None)
    yield Replaying(cast(Any, Standing()))
    yield Leave("A fork is not saved.")
    yield OfferRescued("There is something.", "x.rescued.json")
    yield ChoosePlane(stage.data, stage.viewer.planes, stage.viewer.plane)
    yield Help(stage.all_bindings, WHILE_EDITING, stage.signs_now())
    yield Commands()
    yield TheoremScreen(stage.theorem_page, stage._step_on)
    yield SweepScreen(SweptRuns(request(loaded, "seed", "0,1", 1, loaded.algorithm.curves[0].name)), run)
    yield CatalogueScreen()
    yield LecturesScreen()


def front(stage: StageScreen) -> RunScreen:
    """The page of runs in front: the stage, or the comparison over it."""
    return next(screen for screen in reversed(stage.app.screen_stack) if isinstance(screen, RunScreen))


def concrete(kind: type) -> set[type]:
    below = {each for child in kind.__subclasses__() for each in concrete(child)}
    return below or {kind}


async def begun(pilot: Pilot[None], kind: type[RunScreen]) -> StageScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    stage = next(screen for screen in pilot.app.screen_stack if isinstance(screen, StageScreen))
    await until(pilot, lambda: stage.picture is not None)
    return stage


async def opened(pilot: Pilot[None], screen: Screen[Any]) -> None:
    pilot.app.push_screen(screen)
    await until(pilot, lambda: pilot.app.screen is screen and screen.is_mounted)
    await pilot.pause()
    assert pilot.app.screen is screen, f"{screen} at {pilot.app.size}"


async def resized(pilot: Pilot[None], screen: Screen[Any], *sizes: tuple[int, int]) -> None:
    for size in sizes:
        await pilot.resize_terminal(*size)
        assert pilot.app.screen is screen, f"{screen} at {size}"
        if size == LARGE and isinstance(screen, Dialog) and not isinstance(screen, ParameterForm):  # at the foot
            await until(pilot, lambda: in_the_middle(screen))


async def closed(pilot: Pilot[None], screen: Screen[Any]) -> None:
    screen.dismiss()
    await until(pilot, lambda: not screen.is_running)


def in_the_middle(screen: Screen[Any]) -> bool:
    """Whether a dialog stands in the middle, and what is behind it can be seen."""
    box, (columns, rows) = screen.query_one(".dialog").region, screen.size
    apart = (box.x - (columns - box.right), box.y - (rows - box.bottom))
    return max(map(abs, apart)) <= 1 and screen.styles.background.a < 1


def stands_alone(screen: Screen[Any]) -> bool:
    return not isinstance(screen, ParameterForm)


def lloyd() -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find("lloyd")))


def test_no_dialog_is_left_out() -> None:
    made = {Commands, SweepScreen, TheoremScreen, Help}  # which are no dialogs
    source = Path(__file__).read_text()
    ours = {kind for kind in concrete(Dialog) | made if kind.__module__.startswith("tui.")}
    assert [kind.__name__ for kind in ours if f"yield {kind.__name__}(" not in source] == []


async def test_each_opens_and_is_open_at_any_size() -> None:
    async with lloyd().run_test(size=LARGE) as pilot:
        stage = await begun(pilot, StageScreen)
        # What stands behind others does not matter to them, and need not be drawn; it does to a form, which is first.
        for screen, again in sorted(zip(screens(stage), screens(stage)), key=lambda pair: stands_alone(pair[0])):
            if stands_alone(screen) and pilot.app.screen is stage:
                await pilot.app.push_screen(nothing := Screen())
            await pilot.resize_terminal(*SIZES[0])
            await opened(pilot, screen)
            await resized(pilot, screen, *SIZES[1:])
            await closed(pilot, screen)
            await opened(pilot, again)
            await resized(pilot, again, SIZES[0])
            await closed(pilot, again)
        assert pilot.app.screen is nothing
        await pilot.app.pop_screen()
        await resized(pilot, stage, *SIZES)


async def test_a_form_is_open_over_a_comparison_at_any_size() -> None:
    async with clusterings().run_test(size=LARGE) as pilot:
        stage = await begun(pilot, CompareScreen)
        for screen in screens(stage):
            if isinstance(screen, ParameterForm):
                await opened(pilot, screen)
                await resized(pilot, screen, *SIZES)
                await closed(pilot, screen)
        await resized(pilot, front(stage), *SIZES)


@pytest.mark.parametrize("size", SIZES)
async def test_a_comparison_opens_at_any_size(size: tuple[int, int]) -> None:
    async with clusterings().run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and pilot.app.screen.is_mounted)
        await pilot.pause(0.1)
