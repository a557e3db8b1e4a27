"""The tabs beside the stage: every one is there, named where there is room, the one in hand first of all."""

import pytest

from algorithms import find
from algorithms.core import Table
from algorithms.playback.loaded_run import LoadedRun
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.sections.side import slots
from tui.widgets.side import Side, named_as_fits

NAMES = ["curves", "theorems", "weights", "error", "changed in this step"]


@pytest.mark.parametrize("chosen", range(5))
@pytest.mark.parametrize("room", [0, 3, 8, 20, 22, 30, 60])
def test_names_take_no_more_room_than_there_is(room: int, chosen: int) -> None:
    named = named_as_fits(NAMES, chosen, room)
    assert len(named) == len(NAMES)
    assert sum(len(name) + 2 for name in named if name) <= room
    assert all(name in ("", full) for i, (name, full) in enumerate(zip(named, NAMES)) if i != chosen)
    assert NAMES[chosen].startswith(named[chosen].rstrip("…"))
    if room >= 8:
        assert named[chosen]
    if room >= 22:
        assert named[chosen] == NAMES[chosen]


def test_with_room_for_all_nothing_is_cut() -> None:
    assert named_as_fits(NAMES, 1, 60) == NAMES


async def test_no_number_of_a_tab_touches_the_edge() -> None:
    smo = find("smo")
    async with IterscopeApp(LoadedRun.checked(smo, smo.datasets[0], {})).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: " 7" in text(pilot, "#side").splitlines()[0])
        side = pilot.app.screen.query_one(Side)
        for section in range(2, 8):
            await pilot.press(str(section))
            await until(pilot, lambda section=section: side.kept()["section"] == section)
            await until(pilot, lambda section=section: f"{section} " in text(pilot, "#side").splitlines()[0])
            assert text(pilot, "#side").splitlines()[0].endswith(" ")


async def test_numbers_are_seen_beside_names_that_would_take_all_the_room() -> None:
    smo = find("smo")
    async with IterscopeApp(LoadedRun.checked(smo, smo.datasets[0], {})).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: " 7" in text(pilot, "#side").splitlines()[0])
        await pilot.press("6")
        await until(pilot, lambda: "W(α)" in text(pilot, "#side"))
        (line,) = [line for line in text(pilot, "#side").splitlines() if "rows with α = C" in line]
        assert line.rstrip(" │").endswith("0")


def test_where_no_theorem_is_stated_the_others_have_its_room() -> None:
    table = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("values", table), ("locals", table))
    kinds = [slot.kind for slot in slots(34, 0, 0, 1, 0, beside, (0, 0))]
    assert kinds == ["curves", "panel", "panel"]
    assert sum(slot.rows for slot in slots(34, 0, 0, 1, 0, beside, (0, 0))) == 34
    assert [slot.kind for slot in slots(34, 0, 0, 1, 0, beside, (4, 9))][:2] == ["curves", "theorems"]
    assert [slot.kind for slot in slots(34, 2, 0, 1, 0, beside, (0, 0))] == ["theorems"]  # asked for, it says so
