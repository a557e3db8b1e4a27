"""The tabs beside the stage: every one is there with a name, in the lines of the frame, the one in hand whole."""

import numpy as np
import pytest

from algorithms import find
from algorithms.core import Bars, Panel, Path, Points, Table
from algorithms.core.plane import planes
from algorithms.core.resolve import ResolvedPanel, View, resolve
from algorithms.core.scene import Mark
from algorithms.data import faithful
from algorithms.playback.loaded_run import LoadedRun
from tests.tui.pilot import app, at, stage, text, until
from tui.app import IterscopeApp
from tui.sections.side import is_empty, slots
from tui.sections.tabs import Tab, placed_tabs, shortened
from tui.widgets.side import Side

FEW = tuple(enumerate(("curves", "theorems", "weights", "error", "changed in this step"), start=1))
MANY = tuple(
    enumerate(
        ("curves", "theorems", "α y of the rows", "Gram matrix", "support vectors", "so far", "changed in this step"),
        start=1,
    )
)
WIDTHS = [32, 34, 41, 55, 60]  # at 80, 100, 120, 160 and 200 columns


def overlap(tabs: tuple[Tab, ...]) -> bool:
    lines = [[tab for tab in tabs if tab.lower == lower] for lower in (False, True)]
    return any(a.end > b.left + 1 for line in lines for a, b in zip(line, line[1:]))


@pytest.mark.parametrize("names", [FEW, MANY])
@pytest.mark.parametrize("columns", WIDTHS)
def test_every_tab_has_a_name_of_its_own_and_the_chosen_one_is_whole(
    names: tuple[tuple[int, str], ...], columns: int
) -> None:
    for chosen, full in ((0, ""), *names):
        tabs = placed_tabs(names, chosen, columns)
        assert [tab.number for tab in tabs] == [number for number, _ in names]
        assert all(2 <= tab.left < tab.end <= columns - 2 for tab in tabs)
        assert not overlap(tabs)
        shown = [tab.name for tab in tabs]
        assert len(set(shown)) == len(shown)
        assert all(name and whole.startswith(name) for name, (_, whole) in zip(shown, names))
        assert not chosen or shown[chosen - 1] == full or columns < 40  # then it has a row of its own


def test_one_line_is_enough_where_little_is_cut() -> None:
    assert not any(tab.lower for tab in placed_tabs(FEW[:4], 1, 55))
    assert [tab.name for tab in placed_tabs(FEW, 1, 80)] == [name for _, name in FEW]
    assert shortened("changed in this step", 9) == "changed"  # by the word, as it is said
    assert shortened("components at 1 and 2 deviations", 14) == "components"


def test_names_that_begin_alike_are_told_apart() -> None:
    names = ((1, "curves"), (2, "theorems"), (3, "curvature at x"), (4, "gain over threshold"), (5, "gain by chord"))
    shown = [tab.name for tab in placed_tabs(names, 2, 32)]
    assert len(set(shown)) == len(shown)
    assert shown[0] in ("curve", "curves")
    assert shown[2].startswith("curva")


def test_of_ten_tabs_no_two_have_one_name() -> None:
    titles = ("curves", "theorems", "the tree", "gain over threshold", "gain: best of each", "error", "best", "leaves")
    for columns in WIDTHS:
        shown = [
            tab.name for tab in placed_tabs(tuple(enumerate((*titles, "the way", "changed"), start=1)), 1, columns)
        ]
        assert len(set(shown)) == 10, columns
        assert all(shown)


def test_an_article_goes_before_the_words_do() -> None:
    assert shortened("the error along degree", 9) == "error"
    assert shortened("the tree", 4) == "tree"
    assert shortened("theorems", 3) == "the"


def test_room_at_the_right_of_the_lower_line_is_kept() -> None:
    assert max(tab.end for tab in placed_tabs(MANY, 1, 32, 10) if tab.lower) <= 32 - 10


def test_more_than_there_is_room_for_keep_their_numbers() -> None:
    many = tuple((i, f"panel {i}") for i in range(1, 13))
    assert [tab.number for tab in placed_tabs(many, 1, 32)] == list(range(1, 13))


async def test_tabs_stand_in_the_frame_and_are_clicked_there() -> None:
    smo = find("smo")
    async with IterscopeApp(LoadedRun.checked(smo, smo.datasets[0], {})).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1 curves" in text(pilot, "#side"))
        side = pilot.app.screen.query_one(Side)
        lines = text(pilot, "#side").splitlines()
        assert lines[0].startswith("╭")
        assert " 2 " in lines[0]
        assert " 7 " in lines[-1]
        for section in range(2, 8):
            await pilot.press(str(section))
            await until(pilot, lambda section=section: side.kept()["section"] == section)
            lines = text(pilot, "#side").splitlines()
            assert any(f" {section} " in line for line in (lines[0], lines[-1]))
            names = [title for title, _ in stage(pilot).picture.beside]  # type: ignore[union-attr]
            assert section == 2 or any(names[section - 3] in line for line in (*lines[:2], lines[-1]))
            if section == 6:  # its name is whole in its tab: no row says it again, and the numbers are beside the names
                assert "6 so far" in lines[0] + lines[-1]
                assert lines[1].rstrip(" │").endswith("now")
                (row,) = [line for line in lines if "rows with α = C" in line]
                assert row.rstrip(" │").endswith("0")
        lower = text(pilot, "#side").splitlines()[-1]
        await pilot.click("#side", offset=(lower.index(" 6 ") + 1, side.size.height - 1))
        await until(pilot, lambda: side.kept()["section"] == 6)


async def test_what_there_is_not_has_no_tab_and_no_empty_panel() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        side, screen = pilot.app.screen.query_one(Side), stage(pilot)
        assert "╭─ 1 " in text(pilot, "#side")
        await pilot.press("7")
        await until(pilot, lambda: "here: curves" in screen.notice_for(screen.picture))  # type: ignore[arg-type]
        assert side.kept()["section"] == 0


def test_where_no_theorem_is_stated_the_others_have_its_room() -> None:
    table = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("values", table), ("locals", table))
    shown = slots(34, 0, 0, 1, 0, beside, (0, 0))
    assert [slot.kind for slot in shown] == ["curves", "panel", "panel"]
    assert [slot.kind for slot in slots(34, 0, 0, 1, 0, beside, (4, 9))][:2] == ["curves", "theorems"]


def test_sections_share_the_lines_between_them_and_reach_the_frame() -> None:
    table = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("values", table), ("locals", table))
    for theorems in ((0, 0), (4, 9)):
        shown = slots(34, 0, 0, 1, 0, beside, theorems)
        assert shown[0].top == 1
        assert all(a.top + a.rows == b.top + 1 for a, b in zip(shown, shown[1:]))
        assert shown[-1].top + shown[-1].rows == 34
    alone = slots(34, 1, 0, 3, 0, beside, (4, 9))
    assert len(alone) == 3
    assert all(a.top + a.rows == b.top + 1 for a, b in zip(alone, alone[1:]))
    assert alone[-1].top + alone[-1].rows == 34


def test_a_panel_with_nothing_in_it_is_passed_over() -> None:
    full = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("none yet", Table(columns=("row",), rows=())), ("values", full))
    assert [slot.index for slot in slots(34, 0, 0, 1, 0, beside, (4, 9)) if slot.kind == "panel"] == [1]


def test_bars_of_no_height_and_lines_nowhere_are_nothing_to_see() -> None:
    def panel(*marks: Mark) -> ResolvedPanel:
        return resolve(Panel(title="p", marks=marks), planes(faithful.load())[0], View(0, 1, 0, 1, 4, 4))

    assert is_empty(panel(Bars(heights=np.zeros(3), names=("a", "b", "c"))))
    assert not is_empty(panel(Bars(heights=np.array([0.0, 0.5]), names=("a", "b"))))
    assert not is_empty(panel(Bars(heights=np.array([0.0, np.nan]), names=("a", "b"))))
    assert is_empty(panel(Path(at=np.full((3, 2), np.nan)), Points(at=np.zeros((0, 2)))))
    assert not is_empty(panel(Path(at=np.full((3, 2), np.nan)), Points(at=np.zeros((1, 2)))))
