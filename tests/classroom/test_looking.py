"""What a class sees is what the lecturer's terminal shows, dialogs and fields too, and it never stands in the way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from algorithms.playback.runs.loaded_run import LoadedRun
from tests.classroom.viewer import Viewer, asked, looking_on
from tests.tiny import TINY, Rows
from tests.tui.pilot import app, at, stage, until
from tui.app import IterscopeApp
from tui.classroom.broadcast import Broadcast
from tui.classroom.looking import whole
from tui.paint.cells import UNKNOWN
from tui.screens.parameters import EditParameters

SIZE = (100, 30)


def watched() -> tuple[IterscopeApp, Broadcast]:
    """The tiny run, and the broadcast of it."""
    broadcast = Broadcast("127.0.0.1", 0)
    return IterscopeApp(LoadedRun.checked(TINY, Rows(), {}), broadcast=broadcast), broadcast


@asynccontextmanager
async def lecture() -> AsyncIterator[tuple[Pilot[None], Viewer]]:
    """The tiny run at its start, and one who looks on and sees it."""
    made, broadcast = watched()
    async with made.run_test(size=SIZE) as pilot:
        await until(pilot, at(pilot, 0))
        with looking_on(broadcast.link) as viewer:
            await seen(viewer, "step 0 of")
            yield pilot, viewer


async def seen(viewer: Viewer, text: str) -> None:
    """Wait in another thread until a viewer sees a text."""
    await asyncio.to_thread(viewer.until, text)


async def test_steps_and_fields_are_seen_as_they_are_shown() -> None:
    async with lecture() as (pilot, viewer):
        made = pilot.app
        places = {viewer.place}
        for t in (1, 2):
            await pilot.press("right")
            await seen(viewer, f"step {t} of")
            places.add(viewer.place)
        assert len(places) == 3, "a place for each step"
        await pilot.press("p")
        await until(pilot, lambda: isinstance(made.screen, EditParameters))
        field = made.screen.query(Input).first()
        field.value = "0.4321"
        await seen(viewer, "0.4321")
        shown = whole(made.screen)
        while (viewer.cells.glyphs != shown.glyphs).any():
            await asyncio.to_thread(viewer.take)
            shown = whole(made.screen)
        assert (shown.glyphs != UNKNOWN).all()
        assert viewer.place not in places


async def test_a_resized_terminal_is_seen_in_its_size() -> None:
    async with lecture() as (pilot, viewer):
        await pilot.resize_terminal(120, 36)
        while viewer.cells.glyphs.shape != (36, 120):
            await asyncio.to_thread(viewer.take)
        await seen(viewer, "step 0 of")


async def test_the_other_look_is_seen() -> None:
    async with lecture() as (pilot, viewer):
        made = pilot.app
        dark = int(viewer.cells.styles[0, -1])
        made.action_look()
        while int(viewer.cells.styles[0, -1]) == dark:
            await asyncio.to_thread(viewer.take)


async def test_the_link_is_shown_and_the_end_ends_it() -> None:
    made, broadcast = watched()
    async with made.run_test(size=SIZE) as pilot:
        await until(pilot, at(pilot, 0))
        assert any(broadcast.link in str(notice.message) for notice in made._notifications)
        commands = {command.title: command for command in made.get_system_commands(made.screen)}
        made.clear_notifications()
        commands["Link of the class"].callback()
        await until(pilot, lambda: any(broadcast.link in str(notice.message) for notice in made._notifications))
        assert (await asyncio.to_thread(asked, broadcast.link))[0] == 200
    with pytest.raises(ConnectionError):
        asked(broadcast.link)


async def test_nothing_of_it_is_there_where_nobody_asked() -> None:
    made = app()
    async with made.run_test(size=SIZE) as pilot:
        await until(pilot, at(pilot, 0))
        assert made.painted is None
        assert "Link of the class" not in {command.title for command in made.get_system_commands(made.screen)}


async def test_all_steps_of_a_burst_end_with_the_last() -> None:
    made, broadcast = watched()
    async with made.run_test(size=SIZE) as pilot:
        await until(pilot, at(pilot, 0))
        with looking_on(broadcast.link) as viewer:
            await pilot.press(*["right"] * 12)
            await until(pilot, lambda: stage(pilot).player.t == 12)
            await seen(viewer, "step 12 of")
            while not np.array_equal(viewer.cells.glyphs, whole(made.screen).glyphs):
                await asyncio.to_thread(viewer.take)
