"""The table of fields: where runs agree, and by how much they do not."""

from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms import Timeline, datasets, find
from tests.tui.compare.pilot import at, screen, tinies, tiny
from tests.tui.pilot import text, until
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.sections.comparison.fields import Fields, StateNow, field_rows
from tui.sections.comparison.numbers import paint_table
from tui.sections.comparison.rows import Row


def state_of(name: str, t: int, **parameters: Any) -> StateNow:
    run = Timeline(find(name), datasets.iris.load(), parameters)
    run.advance(t + 1)
    return StateNow(t, run.at(t).state)


def changed(now: StateNow, **fields: Any) -> StateNow:
    return StateNow(now.t, replace(now.state, **fields))


def lines(rows: list[Row], runs: int, width: int = 100) -> list[str]:
    canvas = Canvas(width, len(rows) + 3, DARK.background, DARK.ink)
    paint_table(canvas, "fields", rows, runs, "", DARK)
    return ["".join(map(chr, row)) for row in canvas.glyphs]


def test_each_field_of_two_runs_agrees_or_says_by_how_much_and_where() -> None:
    first = state_of("lloyd", 3, k=3)
    means = first.state.get("means").copy()
    means[2, 1] += 0.5
    means[0, 0] *= 1.01
    second = changed(first, means=means, moved=first.state.get("moved") + 3)
    shown = lines(field_rows([first, second], 0, first=2), 2)
    assert any("at step 3" in line and "first at step 2, 2 of 7 differ" in line for line in shown)
    i = next(i for i, line in enumerate(shown) if " means  3 x 4 " in line)
    assert "2 of 12" in shown[i]
    assert "at [2,1]" in shown[i + 1]
    assert "+0.5000" in shown[i + 1]
    share = 100 * 0.5 / first.state.get("means")[2, 1]
    assert f"+{share:.1f} %" in shown[i + 1]
    assert any(" moved " in line and "+3" in line for line in shown)
    same = next(i for i, line in enumerate(shown) if "the same in both" in line)
    assert same > i
    agreeing = [line.split()[1] for line in shown[same + 1 : -1]]
    assert agreeing == ["phase", "iteration", "labels", "sums", "counts"]
    assert all("agrees" in line for line in shown[same + 1 : -1])


def test_the_entry_furthest_apart_as_a_share_stands_where_it_is_another() -> None:
    first = state_of("lloyd", 3, k=3)
    sums = first.state.get("sums").copy()
    sums[1, 3] *= 70.0
    sums[0, 0] += 10 * sums[1, 3]
    shown = lines(field_rows([first, changed(first, sums=sums)], 0), 2)
    assert any("at [0,0]" in line for line in shown)
    assert any("relative, at [1,3]" in line and "+6,900 %" in line for line in shown)


def test_lengths_that_differ_are_said_and_what_only_one_run_has() -> None:
    rows = field_rows([state_of("lloyd", 3, k=3), state_of("lloyd", 3, k=2)], 0)
    shown = lines(rows, 2)
    assert any("means  3 x 4: 3 x 4 and 2 x 4 numbers" in line for line in shown)
    shown = lines(field_rows([state_of("lloyd", 3, k=3), state_of("gaussian_mixture", 3, k=3)], 0), 2)
    assert any("responsibilities  150 x 3 " in line and "there" in line and "in one" in line for line in shown)


def test_of_four_runs_each_is_held_against_the_one_in_hand() -> None:
    first = state_of("lloyd", 3, k=3)
    means = first.state.get("means") + np.eye(3, 4)[::-1] * [0.5, 0.25, 0.125, 0]
    states = [first, first, changed(first, means=means), state_of("lloyd", 3, k=2)]
    shown = lines(field_rows(states, 1), 4, 70)
    head = next(line for line in shown if " means " in line)
    assert head.split()[2:] == ["3", "x", "4", "agrees", "3", "of", "12", "2", "x", "4", "│"]
    i = next(i for i, line in enumerate(shown) if " means " in line)
    assert "0.5000" in shown[i + 1]
    assert "[2,0]" in shown[i + 2]
    assert " % " in shown[i + 3]
    against_the_third = lines(field_rows(states, 2), 4, 70)
    head = next(line for line in against_the_third if " means " in line)
    assert head.count("3 of 12") == 2


def test_structures_of_structures_are_held_against_each_other() -> None:
    first, other, shorter = (state_of("choose_k", t, seed=seed) for t, seed in ((9, 0), (9, 5), (4, 0)))
    shown = lines(field_rows([first, other], 0), 2, 120)
    assert any("at [2].tries[3] " in line and "78.856     145.45" in line for line in shown)
    shown = lines(field_rows([first, shorter], 0), 2, 120)
    assert any("fits  8 parts: 8 and 4 parts" in line for line in shown)
    assert any("at step 9 of A, 4 of B" in line for line in shown)


def test_rows_are_kept_until_another_state_is_shown() -> None:
    first, second = state_of("lloyd", 1, k=3), state_of("lloyd", 1, k=3, seed=4)
    fields = Fields()
    rows = fields.rows([first, second], 0, None)
    assert fields.rows([first, second], 0, None) is rows
    assert fields.rows([first, second], 0, 1) is not rows
    assert fields.rows([first, first], 0, None)[0].mark.text == "all agree"


async def test_the_fields_stand_in_the_table_where_the_runs_first_differ() -> None:
    async with tinies(tiny(eta=0.3), tiny(eta=0.1), steps=90).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0, 0))
        await pilot.press("right", "right", "right", "D")
        await until(pilot, at(pilot, 1, 1, 1))
        await until(pilot, lambda: "first at step 1" in text(pilot, "#abreast"))
        assert "They differ first at step 1 (step): " in text(pilot, "#stories")
        assert "fields of the states, against A" in text(pilot, "#abreast")
        assert "agrees" in text(pilot, "#abreast")
        await pilot.press("tab", "right")
        await until(pilot, lambda: "at step 2" in text(pilot, "#abreast"))
        assert "against B" in text(pilot, "#abreast")
        await pilot.press("D")
        await until(pilot, at(pilot, 1, 1, 1))
        assert "against B" in text(pilot, "#abreast")
        await pilot.press("D")
        await until(pilot, lambda: "theorems" in text(pilot, "#abreast"))
        assert screen(pilot).together.place[0] == 1
        await pilot.press("2", "D")
        await until(pilot, lambda: "fields of the states" in text(pilot, "#abreast"))


async def test_the_table_comes_where_there_is_room_for_one_thing_and_is_scrolled() -> None:
    async with tinies(tiny(eta=0.3), tiny(eta=0.2), tiny(eta=0.1)).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "3 numbers" in text(pilot, "#tabs"))
        await pilot.press("D")
        await until(pilot, lambda: "first at step 1" in text(pilot, "#abreast"))
        assert "D: numbers" in text(pilot, "#abreast")
        await pilot.press("D")
        await until(pilot, lambda: "fields" not in text(pilot, "#abreast"))


async def test_the_table_is_there_while_the_runs_are_still_computed() -> None:
    same = tiny(steps=100_000)
    async with tinies(same, steps=100_000).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("D")
        await until(pilot, lambda: "all agree" in text(pilot, "#abreast"))
        assert not same.stopped
        assert screen(pilot).together.seeks == "the first difference"
        await pilot.press("escape")
        await until(pilot, lambda: not screen(pilot).together.seeks)
