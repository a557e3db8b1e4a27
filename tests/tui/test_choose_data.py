"""The data picker reads in a thread: it says how far it is, and escape ends it."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select, Static

from algorithms import find
from algorithms.data import textfile
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import until
from tui.app import IterscopeApp
from tui.screens.choose_data import ChooseData
from tui.screens.stage import StageScreen

BLOCK = 1 << 10


class Gate:
    """Holds a reading up after its first blocks until it is opened."""

    def __init__(self) -> None:
        self.reached, self.opened = Event(), Event()
        self.blocks = 0

    def block(self, file: textfile.TextFile, handle: BinaryIO, count: int) -> bytes:
        if file.name == "large.csv":
            self.blocks += 1
            if self.blocks == 8:
                self.reached.set()
                self.opened.wait(30)
        return handle.read(count)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(textfile, "_BLOCK", BLOCK)
    monkeypatch.setattr(textfile.TextFile, "_read", lambda self, handle, count: gate.block(self, handle, count))
    monkeypatch.setattr("tui.screens.choose_data._MOMENT", 0.0)
    yield gate
    gate.opened.set()  # no thread is left waiting


@pytest.fixture
def large(tmp_path: Path) -> str:
    path = tmp_path / "large.csv"
    path.write_text("a,b\n" + "".join(f"{i % 9},{i % 7}.5\n" for i in range(2000)))
    return str(path)


async def picking(pilot: Pilot[None]) -> ChooseData:
    await pilot.press("d")
    await until(pilot, lambda: isinstance(pilot.app.screen, ChooseData))
    screen = pilot.app.screen
    assert isinstance(screen, ChooseData)
    await until(pilot, lambda: bool(screen.query("#path")))
    return screen


def app() -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find("lloyd")))


def opened(pilot: Pilot[None]) -> Any:
    """What the stage shows, None while it is not on top."""
    return pilot.app.screen.loaded if isinstance(pilot.app.screen, StageScreen) else None


async def test_a_reading_ends_with_the_app(gate: Gate, large: str) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        screen = await picking(pilot)
        await take(pilot, screen, large)
        await until(pilot, gate.reached.is_set)
        (worker,) = (worker for worker in pilot.app.workers if worker.name == "read")
        pilot.app.exit()
        await until(pilot, lambda: worker.is_cancelled)
        gate.opened.set()
    assert gate.blocks == 8


def words(screen: ChooseData, where: str) -> str:
    return str(screen.query_one(where, Static).render())


async def take(pilot: Pilot[None], screen: ChooseData, path: str) -> None:
    field = screen.query_one("#path", Input)
    field.focus()
    field.value = path
    await pilot.press("enter")


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
async def test_how_far_a_reading_is_stands_where_the_hint_was(gate: Gate, large: str, size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        screen = await picking(pilot)
        hint = words(screen, ".hint")
        await take(pilot, screen, large)
        await until(pilot, lambda: gate.reached.is_set() and "reading large.csv" in words(screen, ".hint"))
        assert "%   esc ends it" in words(screen, ".hint")
        assert hint != words(screen, ".hint")
        await pilot.press("enter")  # a second time does nothing
        gate.opened.set()
        await until(pilot, lambda: opened(pilot) is not None and opened(pilot).data.n == 2000)


async def test_escape_ends_a_reading_and_leaves_the_dialog_open(gate: Gate, large: str) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        screen = await picking(pilot)
        hint = words(screen, ".hint")
        await take(pilot, screen, large)
        await until(pilot, gate.reached.is_set)
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert "large.csv was not read: you ended it." in words(screen, ".trouble")
        assert words(screen, ".hint") == hint
        blocks = gate.blocks
        gate.opened.set()
        await pilot.app.workers.wait_for_complete()
        assert gate.blocks == blocks  # not a block more
        assert pilot.app.screen is screen
        await pilot.press("escape")
        await until(pilot, lambda: opened(pilot) is not None)
        assert opened(pilot).data.name == "faithful"


async def test_a_refusal_stands_in_the_dialog_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("a,price\n1,$2\n2,$3\n")
    async with app().run_test(size=(80, 24)) as pilot:
        screen = await picking(pilot)
        await take(pilot, screen, str(path))
        await until(pilot, lambda: "row 0 (line 2) has '$2' in column price" in words(screen, ".trouble"))
        assert pilot.app.screen is screen
        trouble, hint = (screen.query_one(where).region for where in (".trouble", ".hint"))
        assert 0 < trouble.bottom <= hint.y < hint.bottom < 24  # both are on the screen


async def test_a_sample_and_the_decimal_sign_are_asked_for_as_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "commas.csv"
    path.write_text("a;b\n" + "1,5;2\n2,5;3\n4,5;9\n" * 9)
    async with app().run_test(size=(100, 30)) as pilot:
        screen = await picking(pilot)
        screen.query_one("#d-sample", Input).value = "few"
        await take(pilot, screen, "iris")
        assert "sample 'few' is not a whole number" in words(screen, ".trouble")
        screen.query_one("#path", Input).value = str(path)
        screen.query_one("#d-sample", Input).value = "12"
        screen.query_one("#d-decimal", Select).value = ","
        await pilot.press("enter")
        await until(pilot, lambda: opened(pilot) is not None and opened(pilot).data.name == "commas.csv")
        recipe = opened(pilot).recipe
        assert (recipe.sample, recipe.decimal, recipe.load().n) == (12, ",", 12)


async def test_a_map_is_chosen_in_the_dialog_and_named_in_the_header() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        screen = await picking(pilot)
        screen.query_one("#d-map", Input).value = "cube"
        await take(pilot, screen, "xor")
        assert "there is no feature map 'cube'" in words(screen, ".trouble")
        screen.query_one("#d-map", Input).value = "products"
        await pilot.press("enter")
        await until(pilot, lambda: opened(pilot) is not None and opened(pilot).data.name == "xor")
        assert (opened(pilot).recipe.map, opened(pilot).data.d) == ("products", 3)
        screen = await picking(pilot)
        assert screen.query_one("#d-map", Input).value == "products"
        assert "products map" in str(screen.query_one("#recipes", OptionList).get_option_at_index(0).prompt)


async def test_the_kinds_of_files_that_are_read_are_named_whole() -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(80, 24)) as pilot:
        field = (await picking(pilot)).query_one("#path", Input)
        await until(pilot, lambda: field.content_size.width > 0)
        assert field.placeholder.startswith("a file (CSV, TSV, NPZ, JSON, Parquet)")
        assert len(field.placeholder) <= field.content_size.width
