"""Key e: what is on the screen, and what is behind it, in files that other programs open."""

import asyncio
import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyte
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hnp
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from algorithms import Refused
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.files import write_in_parts
from tests.examples import examples
from tests.tiny import TINY, Rows
from tests.tui.animation import played
from tests.tui.pilot import app, at, stage, text, until
from tui.app import IterscopeApp
from tui.export.animation import cast, gif
from tui.export.cells import shown as shown_cells
from tui.export.svg import svg
from tui.paint.cells import Cells, painting
from tui.screens.export import KINDS, ExportDialog, Writing, free_name
from tui.screens.stage import StageScreen
from tui.widgets.raster import RasterView


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files go."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def ask(pilot: Pilot[None], suffix: str, name: str = "", **fields: str) -> ExportDialog:
    """Open the dialog and fill it in for the first thing of that ending."""
    await pilot.press("e")
    await until(pilot, lambda: isinstance(pilot.app.screen, ExportDialog))
    dialog = pilot.app.screen
    assert isinstance(dialog, ExportDialog)
    dialog.query_one("#kinds", OptionList).highlighted = [kind.suffix for kind in KINDS].index(suffix)
    await pilot.pause()
    for field, value in (fields | ({"file": name} if name else {})).items():
        dialog.query_one(f"#{field}", Input).value = value
    await pilot.pause()
    return dialog


async def write(pilot: Pilot[None], suffix: str, name: str = "", **fields: str) -> None:
    """Export, and wait until the screen says that it is written."""
    await ask(pilot, suffix, name, **fields)
    await pilot.press("enter")
    await told(pilot, "written: ")


async def told(pilot: Pilot[None], words: str) -> None:
    """Wait until the screen of the run is there again, and says so."""
    await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and words in text(pilot, "#narration"))


async def test_numbers_have_every_step_so_far(folder: Path) -> None:
    async with app(steps=9).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 10)
        for suffix in (".csv", ".jsonl", ".npz"):
            await write(pilot, suffix)
        run = stage(pilot).player.timeline
        values = [run.values(run.at(t))[0] for t in range(10)]
    with (folder / "tiny-two-rows.csv").open(newline="") as file:
        assert [float(row["f"]) for row in csv.DictReader(file)] == values
    lines = (folder / "tiny-two-rows.jsonl").read_text().splitlines()
    assert [json.loads(line)["curves"]["f"] for line in lines] == values
    with np.load(folder / "tiny-two-rows.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["f"], values)


async def test_the_state_is_that_of_the_step_in_hand(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await pilot.press("l", "l", "l")
        await until(pilot, at(pilot, 3))
        dialog = await ask(pilot, ".csv")
        dialog.query_one("#kinds", OptionList).highlighted = 3
        await pilot.pause()
        await pilot.press("enter")
        await told(pilot, "written: tiny-two-rows-step-3.npz")
        x = stage(pilot).player.frame.state.x  # type: ignore[attr-defined]
    with np.load(folder / "tiny-two-rows-step-3.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["x"], x)
        assert found["t"] == 3


async def test_the_screen_is_exported_without_the_dialog(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await pilot.press("l")
        await until(pilot, at(pilot, 1))
        await write(pilot, ".svg")
        await write(pilot, ".txt")
    picture = (folder / "tiny-two-rows-step-1.svg").read_text()
    ElementTree.fromstring(picture)
    said = (folder / "tiny-two-rows-step-1.txt").read_text()
    assert len(said.splitlines()) == 30
    for words in ("Tiny descent", "step 1 of", "f(x) = x²", "x is 3.200 now."):
        assert words in said
        assert words in " ".join(re.sub("<[^>]*>", "", picture).replace("&#160;", " ").split())
    assert "asciinema" not in said + picture, "the dialog's"


# The animation


async def test_a_view_that_has_grown_since_it_was_painted_is_shown_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when keys wait behind a new size of the terminal: the views are drawn with the last of them."""
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        header = stage(pilot).query_one("#header", RasterView)
        before = shown_cells(stage(pilot), 0)
        monkeypatch.setattr(RasterView, "redraw", lambda view: None)
        await pilot.resize_terminal(160, 48)
        await until(pilot, lambda: header.region.width > 100)
        cells = shown_cells(stage(pilot), 0)
        assert cells.glyphs.shape == (48, 160)
        assert cells.text.splitlines()[0] == before.text.splitlines()[0]


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
async def test_a_cast_shows_on_a_terminal_what_the_screen_showed(folder: Path, size: tuple[int, int]) -> None:
    async with app(steps=12).run_test(size=size) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 13)
        for t in (*range(8), 0):  # tables keep the rows that they had at the steps that were seen
            stage(pilot).player.seek(t)
            stage(pilot).act()
            stage(pilot).redraw()
        await write(pilot, ".cast", first="2", last="7", speed="5")
        assert stage(pilot).player.t == 0, "the screen is where it was"
        assert "step 0 of 12" in text(pilot, "#header")
        wanted = []
        for t in range(2, 8):
            stage(pilot).player.seek(t)
            stage(pilot).act()
            stage(pilot).session.forget_notice()
            stage(pilot).redraw()
            wanted.append((stage(pilot).cells_now().text.splitlines(), stage(pilot).cells_now().styles[0, 1]))
    found = list(played((folder / "tiny-two-rows.cast").read_bytes()))
    assert [seconds for seconds, _, _ in found] == [0, 0.2, 0.4, 0.6, 0.8, 1.0, 3.0]
    for (lines, style), (_, shown, ink) in zip(wanted, found):
        assert shown == lines
        assert ink == f"{int(style) >> 24 & 0xFFFFFF:06x}"


async def test_a_cast_has_a_marker_at_every_event(folder: Path) -> None:
    async with app(steps=12).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 13)
        await write(pilot, ".cast", first="3", last="12", speed="2")
    _, *lines = [json.loads(line) for line in (folder / "tiny-two-rows.cast").read_text().splitlines()]
    assert [line for line in lines if line[1] == "m"] == [[1.0, "m", "a kick"], [3.5, "m", "a kick"]]


_glyphs = st.sampled_from([ord(" "), ord("a"), ord("●"), ord("⠿"), ord("▀"), 0xFFFD])


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.tuples(
            hnp.arrays(np.uint32, (4, 9), elements=_glyphs),
            hnp.arrays(np.int64, (4, 9), elements=st.sampled_from([0xFF0000 << 24, (1 << 48) | 0x00FF00, 7])),
            st.lists(st.tuples(st.integers(0, 3), st.integers(0, 7)), max_size=4),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_screen_follows_any_other(screens: list[Any]) -> None:
    terminal = pyte.Screen(9, 4)
    stream = pyte.Stream(terminal)
    before = None
    for glyphs, styles, wide in screens:
        for row, column in wide:
            if 0 not in glyphs[row, max(column - 1, 0) : column + 3]:
                glyphs[row, column : column + 2] = ord("語"), 0
                styles[row, column + 1] = styles[row, column]
        after = Cells(glyphs, styles)
        stream.feed(painting(before, after))
        before = after
        assert [line.rstrip() for line in terminal.display] == [line.rstrip() for line in after.text.splitlines()]
        for row in range(4):
            for column in range(9):
                cell, style = terminal.buffer[row][column], int(styles[row, column])
                if glyphs[row, column]:
                    assert cell.bg == f"{style & 0xFFFFFF:06x}"
                if glyphs[row, column] not in (0, 32):  # of a blank the ground alone is seen
                    assert cell.fg == f"{style >> 24 & 0xFFFFFF:06x}"
                    assert cell.bold == bool(style >> 48)


def cells(letter: str, size: tuple[int, int] = (3, 8)) -> Cells:
    styles = np.full(size, 0xD7DAE0 << 24 | 0x14161B, np.int64)
    return Cells(np.full(size, ord(letter), np.uint32), styles)


async def test_a_gif_has_a_picture_a_step(folder: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    async with app(steps=12).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 13)
        await write(pilot, ".gif", first="1", last="5", speed="2")
    with image.open(folder / "tiny-two-rows.gif") as opened:
        assert opened.n_frames == 5
        assert opened.info["loop"] == 0
        durations, pictures = [], []
        for i in range(5):
            opened.seek(i)
            durations.append(opened.info["duration"])
            pictures.append(np.asarray(opened.convert("RGB")).copy())
    assert durations == [500, 500, 500, 500, 2000]
    assert all((a != b).any() for a, b in zip(pictures, pictures[1:]))
    assert tuple(pictures[4][-1, -1]) == (0x14, 0x16, 0x1B), "the background of the screen"


def test_a_gif_draws_what_the_cells_are() -> None:
    image = pytest.importorskip("PIL.Image")
    glyphs = np.array([[ord(" "), ord("▀"), ord("⠁"), ord("─"), ord("●"), ord("語"), 0]], np.uint32)
    styles = np.full(glyphs.shape, 0xFF0000 << 24 | 0x0000FF, np.int64)
    file = BytesIO()
    frames = [(0.5, Cells(glyphs, styles)), (1.0, Cells(glyphs[:, ::-1].copy(), styles))][:1]
    assert list(gif(lambda: iter(frames), 0.1)(file)) == [0.5]
    with image.open(file) as opened:
        picture = np.asarray(opened.convert("RGB"))
    height, width = picture.shape[0], picture.shape[1] // 7
    red = (picture == (255, 0, 0)).all(axis=2)
    tiles = [red[:, i * width : (i + 1) * width] for i in range(7)]
    assert not tiles[0].any()
    assert tiles[1][: height // 2].all()
    assert not tiles[1][height // 2 + 1 :].any()
    assert tiles[2][: height // 4, : width // 2].any()
    assert not tiles[2][height // 4 + 1 :].any()
    assert tiles[3].any(axis=0).all(), "frames have no gaps"
    assert tiles[4].any()


def test_a_picture_that_stays_is_one_that_lasts() -> None:
    image = pytest.importorskip("PIL.Image")
    file = BytesIO()
    frames = [(0.2, cells("a")), (0.4, cells("a")), (0.6, cells("b")), (1.0, cells("b"))]
    list(gif(lambda: iter(frames), 0.25)(file))
    with image.open(file) as opened:
        assert opened.n_frames == 2
        assert opened.info["duration"] == 500


def test_a_terminal_that_changes_its_size_meanwhile_is_followed_or_said() -> None:
    frames = [(0.5, cells("a", (3, 8))), (0.75, None), (1.0, cells("b", (2, 5)))]
    file = BytesIO()
    list(cast(lambda: iter(frames), 1.0, "t")(file))
    _, *events = [json.loads(line) for line in file.getvalue().decode().splitlines()]
    assert [(seconds, kind) for seconds, kind, _ in events] == [(0, "o"), (1, "r"), (1, "o"), (3, "o")]
    assert events[1][2] == "5x2"
    terminal = pyte.Screen(5, 2)
    pyte.Stream(terminal).feed(events[2][2])
    assert terminal.display == ["bbbbb", "bbbbb"]
    pytest.importorskip("PIL.Image")
    with pytest.raises(Refused, match="changed its size"):
        list(gif(lambda: iter(frames), 1.0)(BytesIO()))


def test_without_pillow_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.export.animation.find_spec", lambda name: None)
    with pytest.raises(Refused, match="Pillow, which is not installed: pip install"):
        gif(lambda: iter([]), 1.0)


# The dialog


async def complaint(pilot: Pilot[None], said: str) -> None:
    await pilot.press("enter")
    await until(pilot, lambda: said in str(pilot.app.screen.query_one(".trouble", Static).render()))


async def test_nothing_is_overwritten_unasked(folder: Path) -> None:
    (folder / "mine.csv").write_text("mine")
    async with app().run_test(size=(100, 30)) as pilot:
        await ask(pilot, ".csv", "mine.csv")
        await complaint(pilot, "mine.csv is there already: enter again replaces it")
        pilot.app.screen.query_one("#file", Input).value = "mine"
        await complaint(pilot, "mine.csv is there already")
        assert (folder / "mine.csv").read_text() == "mine"
        await pilot.press("enter")
        await told(pilot, "written: mine.csv")
    assert (folder / "mine.csv").read_text().startswith("t,")


async def test_what_will_not_do_is_said_and_the_dialog_stays(folder: Path) -> None:
    (folder / "folder").mkdir()
    async with app(steps=9).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 10)
        dialog = await ask(pilot, ".cast", " ")
        await complaint(pilot, "name the file")
        for field, value, said in (
            ("first", "x", "steps are numbered 0 to 9"),
            ("first", "8", "from step 8 to 7 will not do"),
            ("last", "10", "has steps 0 to 9"),
            ("speed", "fast", "from 0.05 to 60"),
            ("speed", "nan", "from 0.05 to 60"),
        ):
            good = {"file": "a", "first": "0", "last": "7", "speed": "4"} | {field: value}
            for name, typed in good.items():
                dialog.query_one(f"#{name}", Input).value = typed
            await complaint(pilot, said)
        await pilot.press("escape")
        await ask(pilot, ".csv", "missing/a.csv")
        await complaint(pilot, "there is no folder missing")
        await pilot.press("escape")
        await ask(pilot, ".csv", f"{'long' * 80}.csv")
        await pilot.press("enter")
        await told(pilot, "longlong")
    assert [p.name for p in folder.iterdir()] == ["folder"]


async def test_a_gif_of_too_many_steps_is_refused(folder: Path) -> None:
    async with app(steps=900).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 901)
        await ask(pilot, ".gif", first="0", last="900")
        await complaint(pilot, "a GIF of 901 steps is too large")


async def test_escape_stops_it_and_nothing_is_left(folder: Path) -> None:
    async with app(steps=1500).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 1501)
        await ask(pilot, ".cast", "long", first="0", last="1500")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Writing))
        await until(pilot, lambda: "%" in str(pilot.app.screen.query_one("#share", Static).render()))
        await asyncio.sleep(0.2)
        await pilot.press("escape")
        await told(pilot, "stopped: long.cast was not written")
        assert isinstance(pilot.app.screen, StageScreen)
        assert stage(pilot).player.t == 0
    assert list(folder.iterdir()) == []


async def test_an_end_of_the_app_while_it_writes_leaves_nothing(folder: Path) -> None:
    async with app(steps=1500).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) == 1501)
        await ask(pilot, ".cast", "long", first="0", last="1500")
        await pilot.press("enter")
        await until(pilot, lambda: any(folder.iterdir()))
        pilot.app.exit()
    assert list(folder.iterdir()) == []


async def test_the_dialog_fits() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        dialog = await ask(pilot, ".cast")
        for size in ((80, 24), (100, 30), (160, 48)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: dialog.size == size)  # type: ignore[misc]
            box = dialog.query_one(".dialog").region
            for widget in dialog.query("Input, Label, Static, OptionList"):
                assert box.contains_region(widget.region), (size, widget)


# Hostile names

HOSTILE = "\x1b]0;x\x07[@click=app.quit]../../<&\u202e\ud800"


def hostile() -> IterscopeApp:
    """The tiny algorithm and its data, named by whoever wishes harm."""
    import copy

    algorithm = copy.copy(TINY)
    algorithm.title = HOSTILE
    algorithm.phases = dict.fromkeys(TINY.phases, HOSTILE)
    algorithm.explain = lambda problem, before, after: HOSTILE
    opened = LoadedRun.checked(algorithm, Rows(), {})
    opened.data.name = HOSTILE
    return IterscopeApp(opened)


async def test_hostile_names_do_no_harm_to_files_or_who_reads_them(folder: Path) -> None:
    async with hostile().run_test(size=(100, 30)) as pilot:
        await pilot.press("l")
        for suffix in (".svg", ".txt", ".csv", ".npz"):
            await write(pilot, suffix)
        await write(pilot, ".cast", first="0", last="1")
        made = svg(pilot.app, HOSTILE)
    ElementTree.fromstring(made)
    names = sorted(p.name for p in folder.iterdir())
    assert len(names) == 5
    assert all(name.isprintable() and name[0].isalnum() for name in names)
    (picture,) = folder.glob("*.svg")
    ElementTree.parse(picture)
    (said,) = folder.glob("*.txt")
    assert all(c.isprintable() or c == "\n" for c in said.read_text())
    (recording,) = folder.glob("*.cast")
    content = recording.read_text()
    first, *events = [json.loads(line) for line in content.splitlines()]
    assert first["title"].isprintable()
    for _, _, data in events:
        assert "\x1b]" not in data
        assert re.sub(r"\x1b\[[0-9;?]*[mHJGhl]", "", data).isprintable(), "nothing but colours and places"


def test_a_free_name_is_numbered(folder: Path) -> None:
    assert free_name("../a b", ".csv") == "a-b.csv"
    (folder / "a-b.csv").write_text("")
    assert free_name("../a b", ".csv") == "a-b-2.csv"


def test_a_cast_of_nothing_is_nothing(folder: Path) -> None:
    list(write_in_parts(folder / "a.cast", cast(lambda: iter([]), 1.0, "t")))
    assert (folder / "a.cast").read_bytes() == b""
