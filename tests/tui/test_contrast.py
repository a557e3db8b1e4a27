"""Every letter, digit and sign on the screen can be read from the last row: its contrast is 4.5 or more."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from textual.command import CommandList
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from algorithms import datasets, find, names
from algorithms.core import Labels
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tests.tui.compare.pilot import at as compared_at
from tests.tui.contrast import ENOUGH, contrast, faint, is_read, whole_screen
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas, cells_of
from tui.paint.cells import Cells
from tui.paint.legible import luminance
from tui.paint.marks import paint_all
from tui.paint.palette import DARK, LIGHT
from tui.paint.plot import Plot
from tui.screens.catalogue import CatalogueScreen
from tui.screens.compare import CompareScreen
from tui.screens.lectures import LecturesScreen
from tui.screens.stage import StageScreen
from tui.screens.sweep import SweepScreen
from tui.screens.theorem import TheoremScreen

LOOKS = ("dark", "light")
DIALOGS = ("f", "p", "d", "g", "b", "e", "R", "C", "y", "v", "ctrl+s", "ctrl+o", "question_mark", "ctrl+p")


@pytest.fixture(autouse=True)
def truecolor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have regions in their tints, which terminals of fewer colours do not show."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


class Watch:
    """Collects what is too faint on the screens that a test visits, and fails once for all of it."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot, self.seen = pilot, 0
        self.trouble: list[str] = []

    def look(self, where: str) -> None:
        screen = self.pilot.app.screen
        inside = None
        if isinstance(screen, ModalScreen):  # what it stands before is dimmed on purpose
            inside = screen.children[0].region or Region.from_union(
                [w.region for w in screen.walk_children() if w.region]
            )
        cells = whole_screen(self.pilot.app, inside)
        assert cells.glyphs.size, where
        self.seen += sum(map(is_read, cells.glyphs.ravel().tolist()))
        self.trouble += [f"{where}: {one}" for one in faint(cells)]

    async def press(self, where: str, *keys: str) -> None:
        await self.pilot.press(*keys)
        self.look(where)

    async def comes(self, kind: type[Screen[object]]) -> None:
        await until(self.pilot, lambda: isinstance(self.pilot.app.screen, kind))
        await self.pilot.pause()


@asynccontextmanager
async def watched(app: IterscopeApp, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Watch]:
    async with app.run_test(size=size) as pilot:
        watch = Watch(pilot)
        yield watch
        assert not watch.trouble, "\n".join(watch.trouble)
        assert watch.seen > 500


def cells(line: str, ink: int, ground: int) -> Cells:
    glyphs = cells_of(line)[None]
    return Cells(glyphs, np.full(glyphs.shape, ink << 24 | ground, np.int64))


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast(0xFFFFFF, 0) == pytest.approx(21)
    assert contrast(0, 0xFFFFFF) == pytest.approx(21)
    assert contrast(0x777777, 0xFFFFFF) == pytest.approx(4.48, abs=0.005)
    assert contrast(0x123456, 0x123456) == 1


def test_letters_digits_and_signs_are_read_and_drawings_are_not() -> None:
    for glyph in "aZé日Σμ‖²07+-=≤,.×∞✓✗–→⟨…·":
        assert is_read(ord(glyph)), glyph
    for glyph in " ─│╭┈━█▌▀▄░⠙⣀●▲■◆★✚▼◗♣♠•▴▪♦⋆▾○△□◇☆✛▽◌♧♤▸▶":
        assert not is_read(ord(glyph)), glyph
    (one,) = faint(cells("│ J = 0.5 ⠙●", 0x777777, 0xFFFFFF))
    assert (one.row, one.column, one.text) == (0, 2, "J = 0.5")
    assert not faint(cells("│ J = 0.5 ⠙●", 0x767676, 0xFFFFFF))


def test_text_in_any_colour_is_read_on_any_ground_and_no_farther_from_its_colour_than_it_takes() -> None:
    for palette in (DARK, LIGHT):
        colours = [*palette.classes, palette.ink, palette.dim, palette.faint, palette.accent, palette.wrong]
        canvas = Canvas(3, len(colours) ** 2, palette.panel, palette.ink)
        pairs = [(ink, ground) for ink in colours for ground in colours]
        for row, (ink, ground) in enumerate(pairs):
            canvas.text(0, row, "a●", ink, ground)
        shown = Cells(*canvas.cells())
        assert not faint(shown)
        for (ink, ground), styles in zip(pairs, shown.styles.tolist()):
            letter, shape = (style >> 24 & 0xFFFFFF for style in styles[:2])
            assert shape == ink  # what is drawn keeps its colour
            if contrast(ink, ground) >= ENOUGH:
                assert letter == ink
            else:
                assert contrast(letter, ground) < ENOUGH * 1.15


def test_a_letter_in_the_colour_of_a_class_is_read_on_the_panel_as_it_is() -> None:
    for palette in (DARK, LIGHT):
        written = (*palette.classes, palette.ink, palette.dim, palette.accent, palette.good, palette.wrong)
        assert min(contrast(colour, palette.panel) for colour in written) >= ENOUGH
        assert contrast(palette.dim, palette.selected) >= ENOUGH


def test_a_label_is_bright_on_a_dark_ground_by_day_and_dark_on_a_bright_one_by_night() -> None:
    for palette, bright in ((LIGHT, True), (DARK, False)):
        for tone in (*range(len(palette.classes)), "ink", "muted", "accent"):
            canvas = Canvas(9, 1, palette.panel, palette.ink)
            mark = Labels(at=np.array([[0.5, 0.5]]), texts=("x",), tones=(tone,))
            paint_all((mark,), Plot(canvas, Limits(0, 1, 0, 1), palette))
            glyphs, styles = canvas.cells()
            style = int(styles[0, glyphs[0].tolist().index(ord("x"))])
            assert (luminance(style >> 24 & 0xFFFFFF) > luminance(style & 0xFFFFFF)) == bright, (palette.name, tone)


@pytest.mark.parametrize("look", LOOKS)
async def test_the_stage_its_dialogs_and_a_lecture(look: str) -> None:
    async with watched(IterscopeApp(LoadedRun.usual(find("lloyd")), at=7, look=look)) as watch:
        await until(watch.pilot, at(watch.pilot, 7))
        watch.look("stage")
        for key in DIALOGS:
            await watch.pilot.press(key)
            await watch.comes(ModalScreen)
            watch.look(key)
            if key == "ctrl+p":
                await watch.pilot.press("k", "m")
                hits = watch.pilot.app.screen.query_one(CommandList)
                await until(watch.pilot, lambda hits=hits: hits.option_count > 3)
                watch.look("commands found")
            if watch.pilot.app.screen.query("Input, OptionList"):
                await watch.press(f"{key}, another field", "tab")
            while isinstance(watch.pilot.app.screen, ModalScreen):
                await watch.pilot.press("escape")
        await watch.press("editing", "i")
        await watch.press("the stage", "escape")
        await watch.press("many lines of the source", "s")
        await watch.press("a lecture", "s", "s", "F")
        await watch.press("a theorem in a lecture", "2")


@pytest.mark.parametrize("look", LOOKS)
async def test_wrong_fields_words_and_forks(look: str) -> None:
    async with watched(IterscopeApp(LoadedRun.usual(find("perceptron")), at=9, look=look)) as watch:
        await until(watch.pilot, at(watch.pilot, 9))
        await watch.pilot.press("p")
        await watch.comes(ModalScreen)
        watch.pilot.app.screen.query(Input).first().value = "-1"
        await watch.press("a parameter that is refused", "enter")
        await watch.pilot.press("escape", "f")
        await watch.comes(ModalScreen)
        await watch.press("a fork of nothing", "enter")
        await watch.pilot.press(*"0.5", "enter")
        await watch.comes(StageScreen)
        await until(watch.pilot, lambda: len(stage(watch.pilot).session.branches.all) > 1)
        await watch.pilot.pause()
        watch.look("a fork")
        await watch.pilot.press("B")
        await watch.comes(ModalScreen)
        watch.look("runs")
        await watch.pilot.press("escape", "q")
        await watch.comes(ModalScreen)
        watch.look("leaving with a fork that is not saved")
        await watch.pilot.press("escape")


@pytest.mark.parametrize("look", LOOKS)
async def test_many_runs(look: str) -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.iris, {"k": 3, "start": "rows"})
    async with watched(IterscopeApp(opened, look=look), (100, 30)) as watch:
        await until(watch.pilot, at(watch.pilot, 0))
        await watch.pilot.press("R")
        await watch.comes(ModalScreen)
        values = watch.pilot.app.screen.query_one("#values", Input)
        values.value = "0:5"
        values.focus()
        await watch.pilot.press("enter")
        await watch.comes(SweepScreen)
        await until(watch.pilot, lambda: "5 of 5 runs, all done" in text(watch.pilot))
        for key in ("right", "space", "x"):
            await watch.press(key, key)


@pytest.mark.parametrize("look", LOOKS)
async def test_opened_theorems(look: str) -> None:
    opened = LoadedRun.checked(find("perceptron"), datasets.blobs.with_(margin=0.3), {"eta": 0.5})
    async with watched(IterscopeApp(opened, at=3, look=look), (100, 30)) as watch:
        await until(watch.pilot, at(watch.pilot, 3))
        await watch.press("opened", "enter")
        await watch.comes(TheoremScreen)
        for number in range(2, len(opened.algorithm.theorems) + 1):
            await watch.press(f"theorem {number}", "down")
        for _ in range(4):
            await watch.press("down the page", "pagedown")


@pytest.mark.parametrize("look", LOOKS)
async def test_a_comparison(look: str) -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.iris, {"k": 3, "start": "rows", "seed": 7})
    app = IterscopeApp(opened, against=[variant(opened, parameters="start=k-means++").timeline()], look=look)
    async with watched(app) as watch:
        await until(watch.pilot, compared_at(watch.pilot, 0, 0))
        await watch.comes(CompareScreen)
        for key in ("right", "D", "tab", "m", "t", "r", "question_mark"):
            await watch.press(key, key)


@pytest.mark.parametrize("look", LOOKS)
async def test_the_catalogue_and_the_lectures(look: str) -> None:
    async with watched(IterscopeApp(look=look)) as watch:
        await watch.comes(CatalogueScreen)
        await until(watch.pilot, lambda: "step" in text(watch.pilot, "#preview"))
        watch.look("catalogue")
        await watch.press("another", "down")
        await watch.press("a filter", "slash", "k", "m")
        await watch.press("nothing found", *"qqq")
        await watch.pilot.press("escape", "tab")
        await watch.comes(LecturesScreen)
        await watch.press("lectures", "down")
        await watch.press("keys", "question_mark")


@pytest.mark.soak
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", names())
async def test_every_algorithm(name: str, look: str) -> None:
    async with watched(IterscopeApp(LoadedRun.usual(find(name)), look=look), (160, 48)) as watch:
        await until(watch.pilot, at(watch.pilot, 0))
        run = stage(watch.pilot).player.timeline
        run.advance(2000, 10.0)
        for t in {0, 1, 2, run.last // 4, run.last // 2, run.last - 1, run.last} & {*range(run.last + 1)}:
            stage(watch.pilot).player.seek(t)
            stage(watch.pilot).act()
            await until(watch.pilot, lambda t=t: f"step {t:,} of" in text(watch.pilot, "#header"))
            watch.look(f"{name} at step {t}")
            for key in ("m", "t", "x"):
                await watch.press(f"{name} at step {t}, {key}", key)
