"""The tabs beside the stage: every one is there with a name, in the lines of the frame, the one in hand whole."""

import numpy as np
import pytest

from algorithms import find
from algorithms.core import Bars, Panel, Path, Points, Table
from algorithms.core.plane import planes
from algorithms.core.resolve import ResolvedPanel, View, resolve
from algorithms.core.scene import Mark
from algorithms.data import faithful
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import app, at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.text import tells_nothing
from tui.sections.column.layout import is_empty, slots
from tui.sections.column.order import PanelOrder
from tui.sections.column.tab_names import shorter_names, tab_name
from tui.sections.column.tabs import Tab, placed_tabs
from tui.widgets.column import Column

FEW = tuple(enumerate(("curves", "theorems", "weights", "error", "changed in this step"), start=1))
MANY = tuple(
    enumerate(
        ("curves", "theorems", "α y of the rows", "Gram matrix", "support vectors", "so far", "changed in this step"),
        start=1,
    )
)
TREE = tuple(
    enumerate(
        (
            *("curves", "theorems", "the tree", "gain over threshold", "gain: I(p) over its chord", "error by leaves"),
            *("best of each feature", "leaves", "the way of row 0", "changed in this step"),
        ),
        start=1,
    )
)
WIDTHS = [32, 34, 41, 55, 60]  # at 80, 100, 120, 160 and 200 columns


def overlap(tabs: tuple[Tab, ...]) -> bool:
    lines = [[tab for tab in tabs if tab.lower == lower] for lower in (False, True)]
    return any(a.end > b.left + 1 for line in lines for a, b in zip(line, line[1:]))


def named(tabs: tuple[Tab, ...]) -> dict[int, str]:
    return {tab.number: tab.name for tab in tabs if not tab.further}


def further(tabs: tuple[Tab, ...]) -> dict[str, int]:
    return {tab.name: tab.further for tab in tabs if tab.further}


@pytest.mark.parametrize("names", [FEW, MANY, TREE])
@pytest.mark.parametrize("columns", WIDTHS)
def test_every_tab_in_sight_has_a_name_that_can_be_read_and_the_chosen_one_is_among_them(
    names: tuple[tuple[int, str], ...], columns: int
) -> None:
    for chosen in range(len(names) + 1):
        tabs = placed_tabs(names, chosen, columns)
        shown = named(tabs)
        assert all(2 <= tab.left < tab.end <= columns - 2 for tab in tabs)
        assert not overlap(tabs)
        assert len(set(shown.values())) == len(shown)
        assert not chosen or chosen in shown
        assert len(shown) + sum(further(tabs).values()) == len(names)
        for number, name in shown.items():
            title = dict(names)[number]
            whole = {word.rstrip(",:;") for word in title.split()}
            letters = name.rstrip(".…")
            assert {word.rstrip(",:;") for word in letters.split()} <= whole or (
                name.endswith(".") and len(letters) >= 5 and title.startswith(letters)
            )
            assert name == title or not tells_nothing(letters.split()[-1])
            assert name[-1] in ".…" or not tab_name(title).startswith(f"{name} "), "what is cut says so"


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_chosen_one_and_those_beside_it_are_whole_where_that_can_be(columns: int) -> None:
    short = tuple(enumerate(("curves", "theorems", "problems", "so far", "confusion", "weights", "changed"), start=1))
    for chosen in range(1, 8):
        shown = named(placed_tabs(short, chosen, columns))
        assert shown[chosen] == short[chosen - 1][1]
        beside = [number for number in (chosen - 1, chosen + 1) if number in shown]
        assert beside
        assert all(shown[number] == short[number - 1][1] for number in beside)


def test_one_line_is_enough_where_little_is_cut() -> None:
    assert not any(tab.lower for tab in placed_tabs(FEW[:4], 1, 55))
    assert [tab.name for tab in placed_tabs(FEW, 1, 80)] == [name for _, name in FEW]
    assert named(placed_tabs(FEW, 1, 60))[5] == "changed…"


def test_what_is_further_is_counted_and_can_be_brought_into_sight() -> None:
    tabs = placed_tabs(TREE, 1, 32)
    assert further(tabs) == {"▸": len(TREE) - len(named(tabs))}
    on = tabs[-1]
    assert (on.name, on.number) == ("▸", len(named(tabs)) + 1)
    assert on.number in named(placed_tabs(TREE, 1, 32, on.number)), "a click on it shows the next ones"
    seen, about = set(named(tabs)), on.number
    while "▸" in further(tabs):
        tabs = placed_tabs(TREE, 1, 32, about)
        seen |= set(named(tabs))
        about = tabs[-1].number
    assert seen == {number for number, _ in TREE}
    assert "◂" in further(tabs)
    assert tabs[0].number == min(named(tabs)) - 1


def test_tabs_stay_where_they_are_while_the_one_that_is_chosen_is_in_sight_with_the_next() -> None:
    short = tuple((i, f"panel {letter}") for i, letter in enumerate("abcdefghi", start=1))
    shown = [tuple(named(placed_tabs(short, chosen, 32))) for chosen in (1, 2, 3)]
    assert len(set(shown)) == 1


def test_names_are_cut_after_words_that_say_something() -> None:
    assert shorter_names("changed in this step", ()) == ("changed in this step", "changed…")
    assert shorter_names("the error along degree", ()) == ("the error along degree", "error along degree", "error…")
    assert shorter_names("coefficients", ()) == ("coefficients", "coeff.")
    assert "xⱼ·r…" in shorter_names("xⱼ·r of each column", ())
    assert shorter_names("Beta(a, b)", ()) == ("Beta(a, b)",)
    assert shorter_names("z is the mean of", ())[-1] == "z is the mean…"
    assert all(len(name) > 2 for name in shorter_names("p against x·w", ()))


@pytest.mark.parametrize("title", ["support vectors", "confusion", "toss by toss", "soft threshold", "Gram matrix"])
def test_what_would_be_a_stump_is_no_name(title: str) -> None:
    assert shorter_names(title, ()) == (title,)


def test_names_are_not_cut_within_a_clause() -> None:
    assert shorter_names("rows that p and q are made of", ()) == (
        "rows that p and q are made of",
        "rows that p and q are made…",
        "rows…",
    )


def test_names_that_begin_alike_are_told_apart_by_the_word_in_which_they_differ() -> None:
    gains = ("gain over threshold", "gain: I(p) over its chord")
    assert shorter_names(gains[0], gains[1:])[-1] == "gain threshold"
    assert shorter_names(gains[1], gains[:1])[-1] == "gain I(p)"
    assert shorter_names("f along x₁", ("f along x₂",))[-1] == "f x₁"
    assert shorter_names("error along degree", ("errors",)) == ("error along degree",)


def test_a_number_that_differs_from_step_to_step_is_no_part_of_a_name() -> None:
    assert tab_name("the way of row 6") == "the way of row"
    assert tab_name("of 4 voters") == "voters"
    assert tab_name("labelling 12") == "labelling"
    assert tab_name("the best so far, number 2") == "the best so far"
    assert tab_name("the boundary w·x = 0") == "the boundary w·x = 0"
    assert tab_name("f along x1") == "f along x1"


TABLE = Table(columns=("a",), rows=(("x",),))


def filled(order: PanelOrder, *titles: str, stage: str = "stage") -> list[tuple[str, bool]]:
    """What is shown, and whether it is there."""
    return [(title, shown is TABLE) for title, shown in order.filled(stage, tuple((t, TABLE) for t in titles))]


def test_a_panel_that_is_not_there_at_a_step_keeps_its_number() -> None:
    order = PanelOrder()
    assert [there for _, there in filled(order, "margins", "stumps", "changed")] == [True] * 3
    assert [title for title, _ in filled(order, "margins", "α over z", "stumps", "changed")][2] == "stumps"
    places = [
        filled(order, "margins", "Z over α", "stumps", "changed"),
        filled(order, "margins", "stumps", "changed"),
        filled(order, "margins", "α over z", "stumps", "changed"),
    ]
    assert [[title for title, _ in place].index("stumps") for place in places] == [2, 2, 2]
    assert places[1][1] == ("Z over α", False)
    assert filled(order, "stumps", "changed", stage="margins") == [("stumps", True), ("changed", True)]


def test_panels_whose_order_is_another_or_whose_names_are_one_are_shown_as_they_are() -> None:
    order = PanelOrder()
    filled(order, "a", "b", "c")
    assert filled(order, "c", "a") == [("c", True), ("a", True)]
    assert filled(order, "row 1", "row 2", "a") == [("row 1", True), ("row 2", True), ("a", True)]


async def test_tabs_stand_in_the_frame_and_are_clicked_there() -> None:
    smo = find("smo")
    async with IterscopeApp(LoadedRun.checked(smo, smo.datasets[0], {})).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1 curves" in text(pilot, "#side"))
        column = pilot.app.screen.query_one(Column)
        lines = text(pilot, "#side").splitlines()
        assert lines[0].startswith("╭")
        assert " 2 " in lines[0]
        assert "▸" in lines[-1]
        for section in range(2, 8):
            await pilot.press(str(section))
            await until(pilot, lambda section=section: column.kept()["section"] == section)
            lines = text(pilot, "#side").splitlines()
            assert any(f" {section} " in line for line in (lines[0], lines[-1]))
            names = [title for title, _ in stage(pilot).picture.beside]  # type: ignore[union-attr]
            assert section == 2 or any(names[section - 3] in line for line in (*lines[:2], lines[-1]))
            if section == 6:  # its name is whole in its tab: no row says it again, and the numbers are beside the names
                assert "6 so far" in lines[0] + lines[-1]
                assert lines[1].rstrip(" │").endswith("now")
                (row,) = [line for line in lines if "rows with α = C" in line]
                assert row.rstrip(" │").endswith("0")
        upper = text(pilot, "#side").splitlines()[0]
        await pilot.click("#side", offset=(upper.index("◂") + 1, 0))
        await until(pilot, lambda: "3 α y" in text(pilot, "#side"))
        assert column.kept()["section"] == 7, "the others are shown, the one in hand stays"
        upper = text(pilot, "#side").splitlines()[0]
        await pilot.click("#side", offset=(upper.index(" 4 ") + 1, 0))
        await until(pilot, lambda: column.kept()["section"] == 4)


async def test_what_there_is_not_has_no_tab_and_no_empty_panel() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        column, screen = pilot.app.screen.query_one(Column), stage(pilot)
        assert "╭─ 1 " in text(pilot, "#side")
        await pilot.press("7")
        await until(pilot, lambda: "here: curves" in screen.notice_for(screen.picture))  # type: ignore[arg-type]
        assert column.kept()["section"] == 0


def test_where_no_theorem_is_stated_the_others_have_its_room() -> None:
    table = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("values", table), ("locals", table))
    shown = slots(34, 0, 0, 1, 0, beside, (0, 0, 0))
    assert [slot.kind for slot in shown] == ["curves", "panel", "panel"]
    assert [slot.kind for slot in slots(34, 0, 0, 1, 0, beside, (4, 6, 9))][:2] == ["curves", "theorems"]


def test_sections_share_the_lines_between_them_and_reach_the_frame() -> None:
    table = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("values", table), ("locals", table))
    for theorems in ((0, 0, 0), (4, 6, 9)):
        shown = slots(34, 0, 0, 1, 0, beside, theorems)
        assert shown[0].top == 1
        assert all(a.top + a.rows == b.top + 1 for a, b in zip(shown, shown[1:]))
        assert shown[-1].top + shown[-1].rows == 34
    alone = slots(34, 1, 0, 3, 0, beside, (4, 6, 9))
    assert len(alone) == 3
    assert all(a.top + a.rows == b.top + 1 for a, b in zip(alone, alone[1:]))
    assert alone[-1].top + alone[-1].rows == 34


def test_a_panel_with_nothing_in_it_is_passed_over() -> None:
    full = Table(columns=("yielded", "value"), rows=(("loss", 1.0),))
    beside = (("none yet", Table(columns=("row",), rows=())), ("values", full))
    assert [slot.index for slot in slots(34, 0, 0, 1, 0, beside, (4, 6, 9)) if slot.kind == "panel"] == [1]


def test_bars_of_no_height_and_lines_nowhere_are_nothing_to_see() -> None:
    def panel(*marks: Mark) -> ResolvedPanel:
        return resolve(Panel(title="p", marks=marks), planes(faithful.load())[0], View(0, 1, 0, 1, 4, 4))

    assert is_empty(panel(Bars(heights=np.zeros(3), names=("a", "b", "c"))))
    assert not is_empty(panel(Bars(heights=np.array([0.0, 0.5]), names=("a", "b"))))
    assert not is_empty(panel(Bars(heights=np.array([0.0, np.nan]), names=("a", "b"))))
    assert is_empty(panel(Path(at=np.full((3, 2), np.nan)), Points(at=np.zeros((0, 2)))))
    assert not is_empty(panel(Path(at=np.full((3, 2), np.nan)), Points(at=np.zeros((1, 2)))))


def test_rows_go_to_statements_then_to_the_panel_in_hand_and_last_to_the_chart() -> None:
    table = Table(columns=("a",), rows=(("x",),) * 9)
    rows = {
        rows: {s.kind: s.rows - 1 for s in slots(rows, 0, 0, 1, 0, (("t", table),), (6, 8, 14))} for rows in (38, 60)
    }
    assert rows[38] == {"curves": 16, "theorems": 9, "panel": 11}, "statements are whole, and so is the table"
    assert rows[60] == {"curves": 58 - 15 - 11, "theorems": 15, "panel": 11}, "nothing is empty"
    grown = slots(60, 0, 0, 1, 0, (("t", table),), (6, 8, 14), tables={"t": 12})
    assert grown[-1].rows == 12 + 2, "a table that had more rows keeps them: what is above does not jump"


async def test_the_note_of_a_panel_that_needs_a_legend_after_all_stands_there_once() -> None:
    opened = LoadedRun.checked(find("least_squares"), find("least_squares").datasets[0], {})
    async with IterscopeApp(opened).run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: "t: 1 of 6" in text(pilot, "#side"))
        await pilot.press("right", "t")
        await until(pilot, lambda: "t: 2 of 6" in text(pilot, "#side"))
        assert text(pilot, "#side").count("t: 2 of 6") == 1
