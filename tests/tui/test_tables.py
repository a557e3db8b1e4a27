"""Tables beside the stage: scrolled by rows and columns, following the step, and bright where it changed something."""

import re

import pytest
from textual import events

from algorithms import find
from algorithms.core import Table
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas, width_of
from tui.paint.palette import DARK
from tui.sections.panels.tables import (
    Extract,
    Offset,
    aligned,
    broken_name,
    changed_cells,
    extract,
    paint_table,
    panned,
    scrolled,
)
from tui.widgets.column import Column

LONG = Table(columns=("row", "α"), rows=tuple((i, i / 7) for i in range(28)), marked=(20,))
WIDE = Table(
    columns=("of the weights", "last one", "averaged", "exact", "difference"),
    rows=(("intercept of it", -1.234e-5, 12345.6, -0.98765, 3.25), ("slope", 0.5, 0.25, 1.75, -1.5)),
)


def painted(table: Table, columns: int, rows: int, offset: Offset = Offset()) -> tuple[list[str], Extract]:
    canvas = Canvas(columns, rows, DARK.panel, DARK.ink)
    seen = extract(table, columns, rows, offset)
    paint_table(canvas, table, DARK, seen)
    return ["".join(map(chr, row)) for row in canvas.cells()[0].tolist()], seen


def test_each_row_can_be_reached_and_the_mark_counts_the_others() -> None:
    seen = extract(Table(columns=LONG.columns, rows=LONG.rows), 30, 10)
    assert (seen.offset.row, seen.rows, seen.below) == (0, 9, 19)
    assert seen.words(28) == "↓ 19 rows, pgdn"
    reached = set(range(seen.rows))
    while seen.below:
        seen = extract(Table(columns=LONG.columns, rows=LONG.rows), 30, 10, scrolled(LONG, seen, 8))
        reached |= set(range(seen.offset.row, seen.offset.row + seen.rows))
    assert reached == set(range(28))
    assert seen.words(28) == "↑ 19 rows, pgdn"
    assert seen.words(8, brief=True) == "↑ 19"
    assert seen.words(8) == ""
    assert scrolled(LONG, seen, 5).row == seen.offset.row


def test_the_row_of_the_step_is_brought_into_sight_unless_a_person_scrolled_away() -> None:
    seen = extract(LONG, 30, 10)
    assert 20 in range(seen.offset.row, seen.offset.row + seen.rows)
    away = scrolled(LONG, seen, -12)
    assert away.away
    assert extract(LONG, 30, 10, away).offset.row == away.row
    back = scrolled(LONG, extract(LONG, 30, 10, away), 12)
    assert not back.away
    elsewhere = Table(columns=LONG.columns, rows=LONG.rows, marked=(2,))
    assert extract(elsewhere, 30, 10, back).offset.row == 0
    assert extract(elsewhere, 30, 10, away).offset.row == away.row
    near = Table(columns=LONG.columns, rows=LONG.rows, marked=(back.row + 1,))
    assert extract(near, 30, 10, back).offset.row == back.row  # it is in sight already: nothing jumps


@pytest.mark.parametrize("columns", range(24, 60, 3))
def test_every_number_can_be_brought_into_sight_whole(columns: int) -> None:
    offset, seen_numbers = Offset(), set()
    for _ in range(5):
        lines, seen = painted(WIDE, columns, 6, offset)
        assert all(left + width <= columns for _, left, width in seen.places)
        assert seen.places[0][0] == 0
        assert seen.right == len(WIDE.columns) - 1 - max(j for j, _, _ in seen.places)
        seen_numbers |= {j for j, _, _ in seen.places}
        assert "…" not in "".join(line[seen.places[0][1] + seen.places[0][2] :] for line in lines[1:])
        offset = panned(seen, 1)
    assert seen_numbers == set(range(5))
    assert not seen.right
    assert panned(extract(WIDE, columns, 6, Offset(column=9)), 1).column <= 3


def test_columns_that_wait_beside_are_counted() -> None:
    seen = extract(WIDE, 24, 6)
    assert seen.right
    assert f"→ {seen.right} column" in seen.words(40)
    assert extract(WIDE, 24, 6, panned(seen, 1)).words(40).startswith("← 1")


def test_heads_and_names_are_cut_before_columns_wait() -> None:
    table = Table(columns=("feature", "w", "w of logistic regression"), rows=(("petal length", 1.25, -0.5),))
    lines, seen = painted(table, 30, 3)
    assert seen.whole
    assert "…" in lines[0]
    assert lines[1].split()[-2:] == ["1.250", "-0.500"]


def test_cells_are_compared_by_name_or_else_by_place() -> None:
    before = Table(columns=("name", "value"), rows=(("a", 1.0), ("b", 2.0)))
    after = Table(columns=("name", "value"), rows=(("b", 2.0), ("a", 1.5), ("c", 3.0)))
    assert changed_cells(after, before) == [[False, False], [False, True], [True, True]]
    assert changed_cells(after, None) is None
    assert changed_cells(after, Table(columns=("name",), rows=())) is None
    twice = Table(columns=("name", "value"), rows=(("a", 1.0), ("a", 2.0)))
    assert changed_cells(twice, Table(columns=("name", "value"), rows=(("a", 1.0), ("a", 9.0)))) == [
        [False, False],
        [False, True],
    ]


def test_what_changed_is_bright_and_bold_and_names_are_dim() -> None:
    before = Table(columns=("name", "value"), rows=(("mistakes", 3), ("margin", 0.5)))
    after = Table(columns=("name", "value"), rows=(("mistakes", 4), ("margin", 0.5)))
    canvas = Canvas(30, 3, DARK.panel, DARK.ink)
    paint_table(canvas, after, DARK, before=before)
    ((_, name, _), (_, value, width)) = extract(after, 30, 3).places
    last = value + width - 1
    assert [int(canvas.ink[row, name]) for row in (1, 2)] == [DARK.dim, DARK.dim]
    assert [int(canvas.ink[row, last]) for row in (1, 2)] == [DARK.ink, DARK.dim]
    assert [bool(canvas.bold[row, last]) for row in (1, 2)] == [True, False]  # also where there are no colours


def test_the_row_of_the_step_has_a_mark() -> None:
    lines, _ = painted(Table(columns=("name", "value"), rows=(("a", 1.0), ("b", 2.0)), marked=(1,)), 20, 3)
    assert [width_of(line) for line in lines] == [20, 20, 20]
    assert [line[-1] for line in lines] == [" ", " ", "◂"]


async def test_keys_and_wheel_scroll_the_table_and_it_stays_where_it_was_left() -> None:
    smo = find("smo")
    async with IterscopeApp(LoadedRun.checked(smo, smo.datasets[0], {})).run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        player, column = stage(pilot).player, pilot.app.screen.query_one(Column)
        player.step(24)
        await pilot.press("5")
        await until(pilot, lambda: "rows" in text(pilot, "#side") and player.t == 24)
        shown = text(pilot, "#side")
        assert re.search(r"↓ \d+ rows", shown)
        marked = next(line for line in shown.splitlines()[1:] if "◂" in line)
        await pilot.press("pagedown")
        await until(pilot, lambda: re.search(r"↑ \d+ ", text(pilot, "#side")))
        assert marked not in text(pilot, "#side")
        await pilot.press("pagedown", "pagedown", "pagedown", "pagedown", "pagedown")
        screen = stage(pilot)
        await until(pilot, lambda: screen.notice_for(screen.picture) == "that is the end of the table")  # type: ignore[arg-type]
        await pilot.press("right")
        await until(pilot, lambda: player.t == 25)
        (above,) = re.findall(r"↑ (\d+)", text(pilot, "#side"))  # a person looks elsewhere than at the step's rows
        wheel = {"delta_x": 0, "delta_y": -1, "button": 0, "meta": False, "ctrl": False}
        spot = {"x": 9, "y": 6, "screen_x": 9, "screen_y": 7}
        column.post_message(events.MouseScrollUp(column, **spot, **wheel, shift=False))
        await until(pilot, lambda: f"↑ {int(above) - 2} " in text(pilot, "#side"))
        first, heads = text(pilot, "#side").splitlines()[3], text(pilot, "#side").splitlines()[2]
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: "← 1" in text(pilot, "#side"))
        assert text(pilot, "#side").splitlines()[2] != heads
        await pilot.press("less_than_sign")
        await until(pilot, lambda: text(pilot, "#side").splitlines()[3] == first)
        column.post_message(events.MouseScrollDown(column, **spot, **wheel, shift=True))
        await until(pilot, lambda: "← 1" in text(pilot, "#side"))


def test_the_tables_of_the_step_before_are_those_that_its_own_picture_had() -> None:
    lloyd = find("lloyd")
    player = RunSession(LoadedRun.checked(lloyd, lloyd.datasets[0], {"k": 3}), 0, None).player
    viewer, tables = Viewer(player.timeline), {}
    player.timeline.advance(9)
    pictures = [viewer.picture(player.timeline.at(t), 40, 20) for t in range(9)]
    for t, picture in enumerate(pictures):
        tables[t] = {title: shown.rows for title, shown in picture.beside[:-1] if isinstance(shown, Table)}
    before = [{title: table.rows for title, table in picture.tables_before.items()} for picture in pictures]
    assert before == [{}, *(tables[t] for t in range(8))]
    jumped = viewer.picture(player.timeline.at(3), 40, 20)  # not from step 2: its scene is asked for
    assert {title: table.rows for title, table in jumped.tables_before.items()} == tables[2]


def test_digits_are_cut_last() -> None:
    table = Table(columns=("", "now"), rows=(("a name that is far too long for the column", 16.25), ("b", -0.104)))
    lines, seen = painted(table, 30, 3)
    assert seen.digits == 4
    assert [line.split()[-1] for line in lines[1:]] == ["16.25", "-0.104"]


def test_names_that_are_cut_are_told_apart() -> None:
    names = ("setosa or versicolor", "setosa or virginica", "versicolor or virginica")
    table = Table(columns=("problem", "errors", "passes"), rows=tuple((name, 123456, 1234567) for name in names))
    lines, _ = painted(table, 30, 4)
    assert len({line.split("…")[0] for line in lines[1:]}) == 3


@pytest.mark.parametrize("columns", range(28, 60))
def test_two_blanks_are_between_columns_unless_one_would_have_to_wait_beside(columns: int) -> None:
    heads = ("", "setosa", "versicolor", "virginica")
    table = Table(columns=heads, rows=(("petal_length_cm", 0.125, -1.5, 0.0625), ("bias", 12.5, 0.25, -0.75)))
    seen = extract(table, columns, 6)
    assert seen.whole
    ends = [(left, left + width) for _, left, width in seen.places]
    gaps = [b - a for (_, a), (b, _) in zip(ends, ends[1:])]
    assert min(gaps) >= 2 or (seen.digits == 3 and columns < 32), "digits are cut before columns come so near"


def test_deviations_and_points_stand_below_each_other() -> None:
    rows = (("1", "4.345 ± 0.37"), ("2", "62.29 ± 12.8"), ("3", "2.72 ± 1.04"))
    lines, _ = painted(Table(columns=("", "waiting"), rows=rows), 30, 5)
    assert len({line.index("±") for line in lines[1:4]}) == 1
    assert len({line.index(".") for line in lines[1:4]}) == 1
    assert len({line.rindex(".") for line in lines[1:4]}) == 1
    assert aligned(["0.95", "1.2", "12"]) == [" 0.95", " 1.2 ", "12   "]


def test_a_name_that_is_cut_goes_on_in_a_second_line_where_lines_are_free() -> None:
    rows = (("petal_length_of_it", 0.125, -1.5), ("bias", 12.5, 0.25))
    table = Table(columns=("feature", "setosa", "versicolor"), rows=rows, marked=(0,))
    lines, seen = painted(table, 30, 4)
    assert seen.lines == (0, 0, 1)
    assert [line.split()[0] for line in lines[1:]] == ["petal_", "length_of_it", "bias"]
    lines, seen = painted(table, 30, 3)
    assert seen.lines == (0, 1)
    assert "…" in lines[1], "where there is no line for it, it is cut"
    assert broken_name("petal_length_cm", 13) == ("petal_length_", "cm")
    assert broken_name("setosa or virginica", 12) == ("setosa or", "virginica")
    assert broken_name("incomprehensible", 10) == ("incomprehe", "nsible")
