"""Forks on the screen: both runs stay, every key goes where it says, and nothing a person made is lost unasked."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from algorithms import Add, Algorithm, Change, find, load
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows
from tests.tui.pilot import SIZES, app, at, stage, still, text, until
from tests.tui.slow import SLOW
from tui.app import IterscopeApp
from tui.screens.confirm import Confirm
from tui.screens.fork import Fork
from tui.screens.runs import Rename, Runs
from tui.screens.session import Leave
from tui.screens.stage import StageScreen
from tui.widgets.raster import RasterView


def names(pilot: Pilot[None]) -> list[str]:
    return [branch.name for branch in stage(pilot).session.branches.all]


def preview(pilot: Pilot[None], widget: str) -> str:
    """What a widget shows of the screen that a dialog covers."""
    (found,) = (screen for screen in pilot.app.screen_stack if isinstance(screen, StageScreen))
    return "\n".join(strip.text for strip in found.query_one(widget, RasterView).strips)


def hand(pilot: Pilot[None]) -> str:
    return stage(pilot).session.branch.name


async def shown(pilot: Pilot[None], kind: type) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))


async def go(pilot: Pilot[None], t: int) -> None:
    stage(pilot).action_seek(t)
    await until(pilot, at(pilot, t))


async def fork(pilot: Pilot[None], t: int, name: str = "", **parameters: float) -> None:
    stage(pilot).session.fork(t, Change(parameters=parameters), name)
    await until(pilot, lambda: stage(pilot).session.branch.change.parameters == parameters)


async def test_a_fork_is_made_from_the_step_in_hand_and_both_runs_stay() -> None:
    async with app().run_test(size=SIZES[-1]) as pilot:
        await go(pilot, 7)
        before = stage(pilot).player.frame.state
        await pilot.press("f")
        await shown(pilot, Fork)
        assert isinstance(pilot.app.focused, Input)
        assert pilot.app.focused.id == "p-eta"
        await pilot.press("0", ".", "0", "1", "enter")
        await shown(pilot, StageScreen)
        await until(pilot, lambda: "eta 0.1 -> 0.01 at 7" in text(pilot, "#track"))
        assert names(pilot) == ["first run", "eta 0.1 -> 0.01 at 7"]
        for size in reversed(SIZES):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "▸ eta 0.1 -> 0.01 at 7" in text(pilot, "#track"))
            assert "▸ eta" in text(pilot, "#header"), size
            assert "tab goes to the other run" in text(pilot, "#narration"), size
        assert stage(pilot).player.frame.state is before
        await pilot.press("right")
        await until(pilot, at(pilot, 8))
        assert stage(pilot).player.frame.state.x == before.x * 0.98
        await pilot.press("tab")
        await until(pilot, at(pilot, 8))
        assert stage(pilot).session.branches.root.timeline.at(8).state.x == before.x * 0.8


async def test_tab_goes_between_the_runs_at_the_same_step() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.5)
        await fork(pilot, 7, eta=0.2)
        await go(pilot, 12)
        for key, name in (
            ("tab", "first run"),
            ("tab", "eta 0.1 -> 0.5 at 7"),
            ("tab", "eta 0.5 -> 0.2 at 7"),
            ("shift+tab", "eta 0.1 -> 0.5 at 7"),
            ("shift+tab", "first run"),
            ("shift+tab", "eta 0.5 -> 0.2 at 7"),
        ):
            await pilot.press(key)
            await until(pilot, at(pilot, 12))
            assert hand(pilot) == name
            assert f"▸ {name}" in text(pilot, "#header")


async def test_tab_beyond_the_end_of_a_run_goes_to_its_end_and_says_so() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, steps=10)
        await pilot.press("tab")
        await go(pilot, 25)
        await pilot.press("tab")
        await until(pilot, at(pilot, 10))
        await until(pilot, lambda: "step 25 is not there: this run ends at step 10" in text(pilot, "#narration"))


async def test_the_look_and_the_speed_are_kept_between_runs_and_the_playing_goes_on() -> None:
    async with app(steps=5000).run_test(size=(120, 40)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.01)
        await pilot.press("z", "plus", "plus")
        limits = stage(pilot).picture.limits  # type: ignore[union-attr]
        await pilot.press("tab", "space")
        await until(pilot, lambda: stage(pilot).player.t > 9)
        assert "zoomed" in text(pilot, "#stage")
        assert stage(pilot).picture.limits == limits  # type: ignore[union-attr]
        other = stage(pilot).player
        await pilot.press("tab")
        assert stage(pilot).player.playing
        assert not other.playing
        assert stage(pilot).player.speed == other.speed == 25
        t = other.t
        await until(pilot, lambda: stage(pilot).player.t > t + 3)
        assert other.t == t


async def test_a_fork_of_a_fork_and_the_header_says_what_the_step_was_made_with() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.5)
        await go(pilot, 9)
        await fork(pilot, 9, eta=0.2, name="slower again")
        one, two = stage(pilot).session.branches.all[1:]
        assert two.parent is one
        await until(pilot, at(pilot, 9))
        for t, eta in ((9, "0.2"), (8, "0.5"), (6, "0.1")):
            await go(pilot, t)
            assert f"eta {eta}  " in text(pilot, "#header")
        await pilot.press("p")
        assert pilot.app.screen.query_one("#p-eta", Input).value == "0.2"


async def test_the_form_says_where_it_begins_what_is_fixed_and_what_will_not_do() -> None:
    async with IterscopeApp(LoadedRun.usual(find("gaussian_mixture"))).run_test(size=(100, 30)) as pilot:
        await go(pilot, 3)
        await pilot.press("f")
        await shown(pilot, Fork)
        dialog = pilot.app.screen
        said = str(dialog.query_one(".words").render())
        assert "from the state of step 2;" in said
        assert "After expect (step 3) no change is sound: it begins at the last maximise before." in said
        assert "fall silent" not in said
        assert dialog.query_one("#p-k").disabled
        assert "Fixed, as they settle how a run starts: k, covariance, start, seed." in said
        for keys, words in ((["enter"], "Nothing differs yet"), (["x"], "floor = 'x' will not do")):
            await pilot.press(*keys)
            await pilot.pause()
            assert words in str(dialog.query_one(".trouble").render())
        await pilot.press("backspace", "0", ".", "1", "enter")
        await shown(pilot, StageScreen)
        assert stage(pilot).session.branch.change == Change(parameters={"floor": 0.1})
        assert (stage(pilot).session.branch.at, stage(pilot).session.branch.begin) == (3, 2)
        await until(pilot, lambda: "forked at step 2, the last sound place before step 3" in text(pilot, "#narration"))


async def test_the_form_says_that_theorems_about_a_whole_run_fall_silent() -> None:
    async with IterscopeApp(LoadedRun.usual(find("adaboost"))).run_test(size=(100, 30)) as pilot:
        await go(pilot, 3)
        await pilot.press("f")
        await shown(pilot, Fork)
        assert "about a whole run fall silent" in str(pilot.app.screen.query_one(".words").render())


async def test_a_fork_is_called_as_it_is_wanted_unless_the_name_is_taken() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await pilot.press("f")
        await shown(pilot, Fork)
        await pilot.press("1")
        pilot.app.screen.query_one("#name", Input).value = "first run"
        await pilot.pause()
        assert "already" in str(pilot.app.screen.query_one(".trouble").render())
        await pilot.press("enter")
        await shown(pilot, Fork)
        pilot.app.screen.query_one("#name", Input).value = "bold"
        await pilot.press("enter")
        await shown(pilot, StageScreen)
        assert names(pilot) == ["first run", "bold"]


async def test_escape_leaves_it_as_it_is() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        for key in ("f", "B"):
            await pilot.press(key, "escape")
            await shown(pilot, StageScreen)
            assert (names(pilot), stage(pilot).player.t) == (["first run"], 7)
        await pilot.press("tab")
        assert "there is one run" in text(pilot, "#narration")


async def test_a_run_that_cannot_be_forked_says_why() -> None:
    algorithm = load("demos/kmeans_of_a_student.py")
    opened = LoadedRun.checked(algorithm, algorithm.datasets[0], {}, "demos/kmeans_of_a_student.py")
    async with IterscopeApp(opened).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("f")
        await until(pilot, lambda: "no fork: this run keeps" in text(pilot, "#narration"))


async def test_a_run_whose_steps_take_long_is_forked_and_left_between_two_of_them() -> None:
    async with IterscopeApp(LoadedRun.checked(SLOW, Rows(), {})).run_test(size=(100, 30)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: stage(pilot).session.access.busy and stage(pilot).player.timeline.last > 2)
        stage(pilot).session.fork(2, Change(parameters={"eta": 0.5}))
        assert len(names(pilot)) == 1  # the step in hand is made first
        await until(pilot, lambda: len(names(pilot)) == 2 and stage(pilot).player.t == 2)
        first = stage(pilot).session.branches.root.timeline
        length = len(first)
        await pilot.press("right", "right")
        await until(pilot, at(pilot, 4))
        assert len(first) == length
        await pilot.press("tab")
        await until(pilot, lambda: hand(pilot) == "first run" and stage(pilot).player.t == 4)


@pytest.mark.parametrize(("algorithm", "begin"), [(find("lloyd"), 6), (TINY, 0)])
async def test_a_fork_with_a_row_more_shows_it(algorithm: Algorithm, begin: int) -> None:
    opened = LoadedRun.usual(algorithm)
    async with IterscopeApp(opened).run_test(size=(120, 40)) as pilot:
        await go(pilot, 6)
        far = tuple(opened.data.X.max(axis=0) * 2)
        label = None if opened.data.kind == "none" else 0.0
        stage(pilot).session.fork(6, Change(edits=(Add(far, label),)))
        await until(pilot, lambda: len(names(pilot)) == 2 and stage(pilot).player.t == begin)
        assert ("afresh" in text(pilot, "#narration")) == (begin == 0)
        assert stage(pilot).data.n == opened.data.n + 1
        await pilot.press("right")
        await until(pilot, at(pilot, begin + 1))
        await pilot.press("tab")
        await until(pilot, at(pilot, begin + 1))
        assert stage(pilot).data is opened.data
        await pilot.press("shift+tab")
        await until(pilot, lambda: stage(pilot).data.n == opened.data.n + 1)


# All runs


async def test_the_runs_are_listed_gone_to_renamed_and_deleted() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.5)
        await go(pilot, 9)
        await fork(pilot, 9, eta=0.2)
        await fork(pilot, 8, steps=12)
        await pilot.press("B")
        await shown(pilot, Runs)
        listed = pilot.app.screen.query_one(OptionList)
        lines = [str(option.prompt) for option in listed.options]
        assert [line[:2].strip() for line in lines] == ["", "", "", "▸"]
        assert "from step 7" in lines[1]
        assert "    eta 0.5 -> 0.2 at 9" in lines[2]
        await pilot.press("up", "up", "r")
        await shown(pilot, Rename)
        await pilot.press("b", "o", "l", "d", "enter")
        await shown(pilot, Runs)
        assert "bold" in str(listed.options[1].prompt)
        assert "eta 0.1 -> 0.5" in str(listed.options[1].prompt)
        await until(pilot, lambda: "bold" in preview(pilot, "#track"))
        await pilot.press("enter")
        await shown(pilot, StageScreen)
        assert hand(pilot) == "bold"
        await pilot.press("B", "down", "down", "delete")
        await shown(pilot, Confirm)
        await pilot.press("enter")
        await shown(pilot, Runs)
        assert len(listed.options) == 4
        await until(pilot, lambda: "0.2 at 9" in preview(pilot, "#track") and "12 at" not in preview(pilot, "#track"))
        await pilot.press("escape")
        await shown(pilot, StageScreen)
        assert names(pilot) == ["first run", "bold", "eta 0.5 -> 0.2 at 9"]


async def test_deleting_a_run_with_forks_is_asked_about_and_its_parent_is_in_hand_after() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.5)
        await go(pilot, 9)
        await fork(pilot, 9, eta=0.2)
        for answer, left in (("escape", 3), ("enter", 1)):
            await pilot.press("B", "up", "d")
            await shown(pilot, Confirm)
            assert "its fork with it" in str(pilot.app.screen.query("Static")[1].render())
            await pilot.press(answer)
            await shown(pilot, Runs)
            await pilot.press("escape")
            await shown(pilot, StageScreen)
            assert len(names(pilot)) == left
        await until(pilot, at(pilot, 9))
        assert hand(pilot) == "first run"
        assert "▸" not in text(pilot, "#header")
        await pilot.press("B", "d")
        await pilot.pause()
        assert "cannot be deleted" in str(pilot.app.screen.query_one(".trouble").render())


async def test_a_new_run_in_place_of_forks_is_asked_about() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.5)
        for answer in ("escape", "l"):
            await pilot.press("p", "0", ".", "3", "enter")
            await shown(pilot, Leave)
            await pilot.press(answer)
            await shown(pilot, StageScreen)
            if answer == "escape":
                assert (names(pilot), stage(pilot).player.t) == (["first run", "eta 0.1 -> 0.5 at 7"], 7)
        await until(pilot, lambda: "eta 0.3" in text(pilot, "#header"))
        assert names(pilot) == ["first run"]


async def test_another_algorithm_in_place_of_forks_is_asked_about() -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await fork(pilot, 0, eta=0.5)
        await pilot.press("a", "enter")
        await shown(pilot, Leave)
        await pilot.press("l")
        await shown(pilot, StageScreen)
        assert names(pilot) == ["first run"]


# The timeline


async def test_with_one_run_the_timeline_is_as_it_was() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        assert pilot.app.screen.query_one("#track").size.height == 2
        assert "first run" not in text(pilot)


@pytest.mark.parametrize(("size", "most"), [((160, 48), 4), ((80, 24), 3)])
async def test_the_timeline_shows_some_runs_around_the_one_in_hand(size: tuple[int, int], most: int) -> None:
    async with app().run_test(size=size) as pilot:
        await go(pilot, 12)
        for i in range(6):
            await fork(pilot, 12, f"fork {i}", eta=0.2 + i / 10)
            await until(pilot, lambda i=i: f"▸ fork {i}" in text(pilot, "#track"))  # type: ignore[misc]
        await until(pilot, lambda: len(text(pilot, "#track").splitlines()) == most + 1)
        assert f"{7 - most} more, B: all" in text(pilot, "#track").splitlines()[-1]


async def test_a_row_of_the_timeline_is_clicked() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await fork(pilot, 7, eta=0.5)
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await still(pilot)
        await pilot.click("#track", offset=(3, 0))  # the name of the first
        await until(pilot, lambda: hand(pilot) == "first run" and stage(pilot).player.t == 7)
        await pilot.click("#track", offset=(97, 1))
        await until(pilot, lambda: hand(pilot) == "eta 0.1 -> 0.5 at 7" and stage(pilot).player.t == 30)
        await pilot.click("#track", offset=(60, 1))
        await until(pilot, lambda: 7 < stage(pilot).player.t < 30)


async def test_the_cursor_stands_on_the_run_that_made_the_step() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 30)
        await fork(pilot, 20, eta=0.5)
        await until(pilot, lambda: len(text(pilot, "#track").splitlines()) == 3)
        await go(pilot, 25)
        for t, rows in ((25, ["○", "●"]), (15, ["●", ""])):
            await go(pilot, t)
            lines = text(pilot, "#track").splitlines()
            for line, sign in zip(lines, rows):
                assert sign in line
            assert "┗" in lines[1] or "╰" in lines[1]
