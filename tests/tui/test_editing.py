"""Editing on the screen: mouse and keys do the same, each change is a fork that can be undone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from textual.pilot import Pilot

from algorithms import Add, Label, Move, Remove, datasets, find
from algorithms.core import DragHandles
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen
from tui.widgets.stage import Stage

DATA = {"lloyd": datasets.faithful, "perceptron": datasets.blobs.with_(n=60, margin=0.1)}


def app(name: str, **parameters: Any) -> IterscopeApp:
    recipe = DATA.get(name) or find(name).datasets[0]
    if name in ("perceptron", "stochastic_gradient"):  # which would go on for long after what is looked at
        parameters = {"epochs": 4} | parameters
    return IterscopeApp(LoadedRun.checked(find(name), recipe, parameters))  # type: ignore[arg-type]


def view(pilot: Pilot[None]) -> Stage:
    return stage(pilot).query_one(Stage)


def hand(pilot: Pilot[None]) -> Any:
    return stage(pilot).session.branch


async def editing(pilot: Pilot[None], t: int) -> StageScreen:
    """At step t, the data being edited."""
    await until(pilot, at(pilot, 0))
    stage(pilot).action_seek(t)
    await until(pilot, at(pilot, t))
    await pilot.press("i")
    await until(pilot, lambda: stage(pilot).editing and " editing " in text(pilot, "#header"))
    return stage(pilot)


def cell_of(pilot: Pilot[None], place: Any) -> tuple[int, int]:
    return view(pilot)._cell((float(place[0]), float(place[1])))


def rows(pilot: Pilot[None]) -> Any:
    """(n, 2) where the rows are shown."""
    points = view(pilot)._points()
    assert points is not None
    return points.at


def grips(pilot: Pilot[None]) -> DragHandles:
    return view(pilot)._grips()[0]


def empty(pilot: Pilot[None]) -> tuple[int, int]:
    """A cell with nothing near it."""
    plot, box = view(pilot).plot, view(pilot)._box
    assert plot is not None
    for y in range(3, plot.canvas.rows - 3):
        for x in range(4, plot.canvas.columns - 4):
            place = view(pilot)._place(box[0] + x, box[1] + y)
            if view(pilot).row_near(place) is None and view(pilot).grip_near(place) is None:
                return box[0] + x, box[1] + y
    raise AssertionError("there is no room")


async def press(pilot: Pilot[None], cell: tuple[int, int]) -> None:
    await pilot.mouse_down("#stage", offset=cell)


async def release(pilot: Pilot[None], cell: tuple[int, int]) -> None:
    await pilot.hover("#stage", offset=cell)
    await pilot.mouse_up("#stage", offset=cell)


async def click(pilot: Pilot[None], cell: tuple[int, int], button: int = 1) -> None:
    await pilot.mouse_down("#stage", offset=cell, button=button)
    await pilot.mouse_up("#stage", offset=cell)


async def drag(pilot: Pilot[None], begin: tuple[int, int], end: tuple[int, int]) -> None:
    await press(pilot, begin)
    await release(pilot, end)


def edited(pilot: Pilot[None], *kinds: type) -> Callable[[], bool]:
    return lambda: tuple(type(edit) for edit in hand(pilot).change.edits) == kinds


@pytest.mark.parametrize(("name", "t"), [("lloyd", 4), ("perceptron", 9)])
async def test_the_mouse_adds_moves_and_removes_rows_in_one_fork(name: str, t: int) -> None:
    async with app(name).run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, t)
        n, first = screen.data.n, screen.player.frame.state
        await click(pilot, cell := empty(pilot))
        await until(pilot, edited(pilot, Add))
        assert (hand(pilot).begin, screen.data.n, screen.player.t) == (t, n + 1, t)
        assert (
            np.abs(np.subtract(cell_of(pilot, rows(pilot)[-1]), cell)).max() <= 2
        )  # a second run takes a line, and the legend may
        assert f"row {n} is added" in text(pilot, "#narration")
        await drag(pilot, cell_of(pilot, rows(pilot)[-1]), to := empty(pilot))
        await until(pilot, edited(pilot, Add, Move))
        assert cell_of(pilot, rows(pilot)[-1]) == to
        await click(pilot, cell_of(pilot, rows(pilot)[-1]), button=3)
        await until(pilot, edited(pilot, Add, Move, Remove))
        assert screen.data.n == n
        assert [b.name for b in screen.session.branches.all][0] == "first run"
        assert len(screen.session.branches.all) == 2
        assert screen.session.branches.root.timeline.at(t).state is first
        assert " removed at " in text(pilot, "#track")


@pytest.mark.parametrize(("name", "t"), [("lloyd", 4), ("perceptron", 9)])
async def test_the_keys_do_the_same(name: str, t: int) -> None:
    async with app(name).run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, t)
        n = screen.data.n
        screen._point(view(pilot)._place(*empty(pilot)))
        await pilot.press("enter")
        await until(pilot, edited(pilot, Add))
        before = rows(pilot)[-1].copy()
        assert screen.player.t == t
        await pilot.press("enter", "right", "shift+right")
        assert "row " in (view(pilot).pencil or "").text  # type: ignore[union-attr]
        assert view(pilot).pencil.carried is not None  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, edited(pilot, Add, Move))
        x, y = cell_of(pilot, before)
        assert cell_of(pilot, rows(pilot)[n])[0] in range(x + 5, x + 8)
        assert screen.player.t == t  # the arrows did not step
        screen._point(tuple(rows(pilot)[n]))
        await pilot.press("delete")
        await until(pilot, edited(pilot, Add, Move, Remove))
        await pilot.press("escape")
        await until(pilot, lambda: "editing" not in text(pilot, "#header"))
        await pilot.press("right")
        await until(pilot, at(pilot, t + 1))


async def test_escape_lets_go_first_and_then_leaves() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        screen._point(tuple(rows(pilot)[3]))
        await pilot.press("enter", "left", "escape")
        assert screen.editing
        assert screen._held is None
        assert len(screen.session.branches.all) == 1
        assert "◈" in text(pilot, "#stage")
        await pilot.press("escape")
        assert not screen.editing
        assert "◈" not in text(pilot, "#stage")


async def test_what_is_carried_is_let_go_when_another_step_is_shown() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        screen._point(tuple(rows(pilot)[3]))
        await pilot.press("enter", "left")
        assert screen._held is not None
        await pilot.press("l")
        await until(pilot, at(pilot, 5))
        assert screen._held is None
        assert view(pilot).pencil.carried is None  # type: ignore[union-attr]


async def test_a_mean_is_dragged_with_the_mouse_and_with_the_keys() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        await press(pilot, cell_of(pilot, grips(pilot).at[1]))
        assert "mean 1" in text(pilot, "#stage")
        to = view(pilot)._place(*empty(pilot))  # the stage may lose a row to the words, and show a little more
        await release(pilot, empty(pilot))
        await until(pilot, lambda: list(hand(pilot).change.state) == ["means"])
        assert np.allclose(grips(pilot).at[1], to)
        assert "mean 1 is moved" in text(pilot, "#narration")
        screen._point(tuple(grips(pilot).at[0]))
        await pilot.press("enter", "up", "up", "enter")
        await until(pilot, lambda: "mean 0 is moved" in text(pilot, "#narration"))
        assert len(screen.session.branches.all) == 2
        assert np.allclose(grips(pilot).at[1], to), "the other is where it was put"
        await pilot.press("escape", "right")
        await until(pilot, at(pilot, 5))
        assert screen.player.frame.state.moved > 0


async def test_the_weights_of_a_perceptron_are_dragged() -> None:
    async with app("perceptron").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 9)
        was = screen.player.frame.state.w
        await drag(pilot, cell_of(pilot, grips(pilot).at[0]), empty(pilot))
        await until(pilot, lambda: "w" in hand(pilot).change.state)
        assert not np.allclose(screen.player.frame.state.w, was)
        assert screen.player.t == 9


async def test_a_label_is_flipped_and_the_class_in_hand_is_that_of_new_rows() -> None:
    async with app("perceptron").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 9)
        screen._point(tuple(rows(pilot)[7]))
        row = view(pilot).row_near(screen._at)
        was = int(screen.data.y[row])
        await pilot.press("f")
        await until(pilot, edited(pilot, Label))
        assert int(screen.data.y[row]) == 1 - was
        for key, code in (("2", 1), ("1", 0)):
            await pilot.press(key)
            screen._point(view(pilot)._place(*empty(pilot)))
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(hand(pilot).change.edits[-1], Add))
            assert int(screen.data.y[-1]) == code
        await pilot.press("3")
        assert "classes go from 1 to 2" in text(pilot, "#narration")


async def test_a_blob_is_one_edit_and_the_same_each_time() -> None:
    async with app("perceptron").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 9)
        n = screen.data.n
        place = view(pilot)._place(*empty(pilot))
        screen._point(place)
        await pilot.press("o")
        await until(pilot, edited(pilot, *[Add] * 12))
        first = screen.data.X[n:].copy()
        assert np.hypot(*(first.mean(axis=0) - place)) < np.ptp(screen.data.X, axis=0).min() / 5
        await pilot.press("u")
        await until(pilot, lambda: hand(pilot) is screen.session.branches.root)
        screen._point(place)
        await pilot.press("o")
        await until(pilot, edited(pilot, *[Add] * 12))
        assert np.array_equal(screen.data.X[n:], first)
        await pilot.press("o")
        await until(pilot, edited(pilot, *[Add] * 24))
        assert not np.array_equal(screen.data.X[n : n + 12], screen.data.X[n + 12 :])


async def test_undo_goes_back_edit_by_edit_and_then_to_the_parent() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        n = screen.data.n
        for kinds in ([Add], [Add, Add]):
            await click(pilot, empty(pilot))
            await until(pilot, edited(pilot, *kinds))
        await pilot.press("u")
        await until(pilot, edited(pilot, Add))
        await pilot.press("u")
        await until(pilot, lambda: hand(pilot) is screen.session.branches.root)
        assert (screen.data.n, screen.player.t, len(screen.session.branches.all)) == (n, 4, 1)
        assert screen.editing
        await pilot.press("u")
        await until(pilot, lambda: "nothing to undo" in text(pilot, "#narration"))


async def test_a_fork_that_has_run_on_is_left_alone_by_the_next_edit_and_by_undo() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        await click(pilot, empty(pilot))
        await until(pilot, edited(pilot, Add))
        one = hand(pilot)
        screen.action_seek(6)
        await until(pilot, at(pilot, 6))
        await click(pilot, empty(pilot))
        await until(pilot, lambda: hand(pilot).parent is one)
        await pilot.press("u", "u")
        await until(pilot, lambda: hand(pilot) is screen.session.branches.root)
        assert screen.session.branches.all == [screen.session.branches.root, one]
        assert screen.player.t == 4
        assert "stays" in text(pilot, "#narration")


async def test_an_edit_where_no_change_is_sound_begins_before_and_says_so() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 5)
        assert screen.player.frame.state.phase == "assign"
        await click(pilot, empty(pilot))
        await until(pilot, edited(pilot, Add))
        assert screen.player.t == 4
        assert "from step 4" in text(pilot, "#narration")


async def test_what_cannot_be_done_is_told_and_changes_nothing() -> None:
    async with app("beta_bernoulli").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 9)
        await pilot.press("enter")
        await until(pilot, lambda: "is no row" in text(pilot, "#narration"))
        await pilot.press("delete")
        await until(pilot, lambda: "there is no row at the cursor" in text(pilot, "#narration"))
        assert len(screen.session.branches.all) == 1


async def test_a_row_is_put_on_a_fit() -> None:
    async with app("stochastic_gradient").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 9)
        cell = empty(pilot)
        place = view(pilot)._place(*cell)
        await click(pilot, cell)
        await until(pilot, edited(pilot, Add))
        assert rows(pilot)[-1] == pytest.approx(place)
        await drag(pilot, cell_of(pilot, rows(pilot)[-1]), to := empty(pilot))
        await until(pilot, edited(pilot, Add, Move, Label))
        assert cell_of(pilot, rows(pilot)[-1]) == to
        await pilot.press("u", "u")
        await until(pilot, lambda: hand(pilot) is screen.session.branches.root)


async def test_dragging_where_nothing_is_still_pans() -> None:
    async with app("lloyd").run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        x, y = empty(pilot)
        before = view(pilot).plot.limits  # type: ignore[union-attr]
        await drag(pilot, (x, y), (x + 6, y))
        await until(pilot, lambda: view(pilot).plot.limits != before)  # type: ignore[union-attr]
        assert len(screen.session.branches.all) == 1


async def test_in_more_dimensions_what_the_plane_does_not_show_stays_and_is_told() -> None:
    recipe = datasets.iris
    async with IterscopeApp(LoadedRun.checked(find("lloyd"), recipe, {})).run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 4)
        plane, was = screen.viewer.plane, screen.data.X[7].copy()
        screen._point(tuple(rows(pilot)[7]))
        row = view(pilot).row_near(screen._at)
        was = screen.data.X[row].copy()
        await pilot.press("enter", "shift+right", "enter")
        await until(pilot, edited(pilot, Move))
        away = screen.data.X[row] - was
        assert np.allclose(away, (away @ plane.basis.T) @ plane.basis)
        assert "does not show" in text(pilot, "#narration")
        screen._point(view(pilot)._place(*empty(pilot)))
        await pilot.press("enter")
        await until(pilot, edited(pilot, Move, Add))
        new = screen.data.X[-1]
        assert np.allclose(plane.lift(plane.project(new[None])), new)


@pytest.mark.parametrize("size", SIZES)
async def test_the_mode_is_said_at_every_size_and_its_keys_are_in_the_help(size: tuple[int, int]) -> None:
    async with app("lloyd").run_test(size=size) as pilot:
        await editing(pilot, 4)
        shown = text(pilot)
        for words in (" editing ", "◈", "┼", "click adds a row", "remove", "done"):
            assert words in shown, words
        await pilot.press("question_mark")
        await until(pilot, lambda: not isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: "while editing" in text(pilot, "#help"))
        shown = text(pilot, "#help")
        assert "12 rows around the cursor" in shown


@pytest.mark.parametrize("size", SIZES)
async def test_the_words_of_a_row_leave_the_axis_to_be_read_and_name_no_handle_where_none_is(
    size: tuple[int, int],
) -> None:
    async with app("adaboost", rounds=4).run_test(size=size) as pilot:
        screen = await editing(pilot, 4)
        assert "drag a row; right click removes" in text(pilot, "#narration")
        first = view(pilot)._box[0]

        def axis() -> list[str]:
            return [line[:first] for line in text(pilot, "#stage").splitlines()]

        screen._point(view(pilot).middle)
        await until(pilot, lambda: "┼" in text(pilot, "#stage"))
        ticks = axis()
        at = rows(pilot)
        far = at[(at[:, 0] - at[:, 0].mean()).argmax()], at[at[:, 0].argmin()], at[at[:, 1].argmax()]
        for place in far:
            screen._point(tuple(place))
            said = view(pilot).words_of(view(pilot).row_near(screen._at) or 0)
            await until(pilot, lambda said=said: said.split()[1] in text(pilot, "#stage"))
            assert axis() == ticks
            assert all(word in text(pilot, "#stage") for word in said.split())


async def test_a_row_is_moved_among_the_features_before_a_map_and_mapped_again() -> None:
    recipe = datasets.xor.with_(n=30, map="products")
    async with IterscopeApp(LoadedRun.checked(find("perceptron"), recipe, {})).run_test(size=(120, 40)) as pilot:
        screen = await editing(pilot, 9)
        await click(pilot, empty(pilot))
        await until(pilot, edited(pilot, Add))
        cell = cell_of(pilot, rows(pilot)[-1])
        await drag(pilot, cell, (cell[0] + 9, cell[1] + 6))
        await until(pilot, edited(pilot, Add, Move))
        assert np.allclose(rows(pilot)[-1], screen.data.X[-1, :2])
        assert np.abs(np.subtract(cell_of(pilot, rows(pilot)[-1]), cell) - (9, 6)).max() <= 1  # it has room made for it
        x1, x2, product = screen.data.X[-1]
        assert product == x1 * x2
        assert "xor, n 30" in text(pilot, "#header")
        assert screen.data.words == "xor, products map, edited"
