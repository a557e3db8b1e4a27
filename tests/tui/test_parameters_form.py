"""The form of the parameters: turned like knobs, with the new run behind it; escape leaves the old, enter takes it."""

import gc
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import astuple
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input, Select

from algorithms import Change, Timeline, datasets, find
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.session.schema import session_bytes
from tests.tiny import Rows
from tests.tui.own_file import own_file
from tests.tui.pilot import SIZES, app, at, stage, still, text, until, worked_out
from tests.tui.slow import SLOW
from tui.app import IterscopeApp
from tui.screens.confirm import Confirm
from tui.screens.parameters import EditParameters, ParameterForm
from tui.screens.session import Leave
from tui.screens.stage import StageScreen, trying
from tui.widgets.track import Track


def opened(name: str, data: Any = None, **parameters: object) -> IterscopeApp:
    algorithm = find(name)
    return IterscopeApp(LoadedRun.checked(algorithm, data or algorithm.datasets[0], dict(parameters)))


def form(pilot: Pilot[None]) -> ParameterForm[Any]:
    screen = pilot.app.screen
    assert isinstance(screen, ParameterForm)
    return screen


def preview(pilot: Pilot[None]) -> StageScreen:
    """The stage, also while a form is in front of it."""
    (screen,) = (screen for screen in pilot.app.screen_stack if isinstance(screen, StageScreen))
    return screen


def seen(pilot: Pilot[None]) -> Any:
    """The state in the picture."""
    picture = preview(pilot).picture
    assert picture is not None
    return picture.frame.state


def known(pilot: Pilot[None]) -> int:
    """How many values of the first curve the picture has."""
    picture = preview(pilot).picture
    assert picture is not None
    return len(next(iter(picture.charts.values()))[0].values)


def part(pilot: Pilot[None]) -> Any:
    """Which part of the plane is on the stage, from left to right; the rest follows from the room there is."""
    picture = preview(pilot).picture
    assert picture is not None
    return astuple(picture.limits[picture.stage.title])[:2]


def title(pilot: Pilot[None]) -> str:
    return str(form(pilot).query_one(".dialog").border_title)


def complaint(pilot: Pilot[None]) -> str:
    return str(form(pilot).query_one(".trouble").render())


async def go(pilot: Pilot[None], t: int) -> None:
    await until(pilot, lambda: stage(pilot).picture is not None)
    stage(pilot).action_seek(t)
    await until(pilot, lambda: seen(pilot).t == t)


async def asked(pilot: Pilot[None], name: str, key: str = "p") -> None:
    """Open the form, with the keys on a parameter."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, ParameterForm))
    form(pilot).query_one(f"#p-{name}").focus()
    await pilot.pause()


async def turn(pilot: Pilot[None], key: str, words: str) -> None:
    """Turn a parameter, and wait until that is seen: not what was before it, while the form has yet to be told."""
    before = form(pilot)._asked
    await pilot.press(key)
    await until(pilot, lambda: form(pilot)._asked is not before and form(pilot)._asked == form(pilot)._begun)
    await until(pilot, lambda: words in title(pilot))


def written(pilot: Pilot[None]) -> bytes:
    """The session as it would be saved, with digests of the states that it holds."""
    session = preview(pilot).session
    return session_bytes(session.file.written(session, Path("kept.json"), preview(pilot).view_now()))


async def test_eta_is_turned_like_a_knob_and_escape_leaves_the_old_run_as_it_was() -> None:
    async with opened("perceptron").run_test(size=(160, 48)) as pilot:
        await go(pilot, 9)
        stage(pilot).session.fork(9, Change(parameters={"margin": 0.5}))
        await until(pilot, lambda: stage(pilot).player.timeline.begin > 0)
        await go(pilot, 40)
        await go(pilot, 12)
        await worked_out(pilot)  # here, whatever the clock has time for
        await pilot.press("z", "x")
        await still(pilot)
        session, player, state = stage(pilot).session, stage(pilot).player, seen(pilot)
        screen, saved, runs = text(pilot), written(pilot), session.branches.all
        limits, rows = part(pilot), preview(pilot).query_one(Track).styles.height

        await asked(pilot, "eta")
        assert title(pilot) == "Parameters"
        await turn(pilot, "right", "the new run at step 12")
        fresh = Timeline(find("perceptron"), session.loaded.data, {"eta": 2.0, "margin": 0.5})
        fresh.advance(13)
        assert np.array_equal(seen(pilot).w, fresh.at(12).state.w)
        assert not np.array_equal(seen(pilot).w, state.w)
        assert stage_text(pilot, "#header").count("eta 2") == 1
        assert "step 12 of" in stage_text(pilot, "#header")
        assert preview(pilot).query_one(Track).styles.height == rows  # nothing makes room for the stage, or takes it
        assert part(pilot) == pytest.approx(limits)
        assert (preview(pilot).session, session.player) == (session, player)
        assert preview(pilot).shown.range == session.range == 50  # charts keep their length
        await turn(pilot, "left", "Parameters")
        await until(pilot, lambda: title(pilot) == "Parameters")  # back at the value there is: that run itself
        assert seen(pilot) is state
        await turn(pilot, "left", "the new run at step 12")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))

        assert (stage(pilot).session, stage(pilot).player, session.branches.all) == (session, player, runs)
        assert seen(pilot) is state
        assert written(pilot) == saved
        await until(pilot, lambda: text(pilot).splitlines() == screen.splitlines())
        await still(pilot)
        assert text(pilot).splitlines() == screen.splitlines()


def stage_text(pilot: Pilot[None], widget: str) -> str:
    return "\n".join(strip.text for strip in preview(pilot).query_one(widget).strips)  # type: ignore[attr-defined]


async def test_enter_takes_the_run_that_is_seen_at_its_step() -> None:
    async with opened("lloyd", datasets.iris).run_test(size=(100, 30)) as pilot:
        await go(pilot, 4)
        await pilot.press("z")
        limits = part(pilot)
        await asked(pilot, "k")
        await turn(pilot, "right", "the new run at step 4")
        assert len(seen(pilot).means) == 4
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert len(seen(pilot).means) == 3
        await asked(pilot, "seed")
        for seed in (1, 2):
            await turn(pilot, "right", "the new run at step 4")
            await until(pilot, lambda seed=seed: f"seed {seed}" in stage_text(pilot, "#header"))  # type: ignore[misc]
        state, player = seen(pilot), preview(pilot).player
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert stage(pilot).session.player is player  # nothing is computed again
        assert (seen(pilot), player.t, player.timeline.parameters["seed"]) == (state, 4, 2)
        assert part(pilot) == pytest.approx(limits)
        await pilot.press("right")
        await until(pilot, at(pilot, 5))


async def test_forks_are_asked_about_before_the_new_run_takes_their_place() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        stage(pilot).session.fork(7, Change(parameters={"eta": 0.5}))
        await until(pilot, lambda: len(stage(pilot).session.branches.all) == 2)
        await asked(pilot, "eta")
        await turn(pilot, "right", "the new run at step 7")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Leave | Confirm))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert len(stage(pilot).session.branches.all) == 2
        assert seen(pilot) is stage(pilot).session.player.frame.state
        assert stage(pilot).player.timeline.parameters["eta"] == 0.5


async def test_a_run_that_ends_before_the_step_shows_its_last_and_what_will_not_do_is_not_shown() -> None:
    async with app().run_test(size=(120, 30)) as pilot:
        await go(pilot, 25)
        await asked(pilot, "steps")
        await turn(pilot, "left", "the new run ends at step 20, before step 25: 20 steps")
        assert seen(pilot).t == 20
        good = seen(pilot)
        form(pilot).query_one("#p-steps", Input).value = "99999999"
        wrong = "steps = '99999999' will not do: it must be a whole number, 1 <= steps <= 100000."
        await until(pilot, lambda: complaint(pilot) == wrong)
        await pilot.press("right", "enter")  # it cannot be turned or taken either
        await pilot.pause(0.2)
        assert "will not do" in complaint(pilot)
        assert isinstance(pilot.app.screen, EditParameters)
        assert seen(pilot) is good
        form(pilot).query_one("#p-steps", Input).value = "200"
        await until(pilot, lambda: title(pilot) == "Parameters: the new run at step 25")
        assert complaint(pilot) == "steps before it ends; 1 <= steps <= 100000"


async def test_what_the_data_rule_out_is_said_and_the_last_good_run_stays() -> None:
    async with opened("lloyd", datasets.blobs.with_(n=4), k=3).run_test(size=(100, 30)) as pilot:
        await go(pilot, 1)
        await asked(pilot, "k")
        await turn(pilot, "right", "the new run")
        good, words = seen(pilot), title(pilot)
        await pilot.press("right")
        await until(pilot, lambda: complaint(pilot).startswith("5 clusters need 5 rows or more"))
        await pilot.press("right")
        await until(pilot, lambda: complaint(pilot).startswith("6 clusters need 6 rows or more"))
        assert (seen(pilot), title(pilot)) == (good, words)


async def test_no_run_that_was_turned_past_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # Textual keeps what its last thread has worked on
    monkeypatch.setattr(Player, "slow", property(lambda player: False))
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await asked(pilot, "eta")
        runs = []
        for _ in range(3):
            await turn(pilot, "right", "the new run at step 7")
            runs.append(weakref.ref(preview(pilot).player.timeline))
        gc.collect()
        assert [run() is None for run in runs] == [True, True, False]
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await pilot.pause()
        gc.collect()
        assert runs[-1]() is None


async def test_a_long_run_is_computed_in_slices_and_a_newer_value_gives_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "AT_ONCE", 1e-6)
    async with app(steps=20_400, eta=0.0002).run_test(size=(80, 24)) as pilot:
        await go(pilot, 20_000)
        await asked(pilot, "eta")
        await turn(pilot, "right", "on its way to 20,000")
        first = preview(pilot).player
        await until(pilot, lambda: 0 < seen(pilot).t < 20_000)  # the newest step is shown on the way
        assert "esc stops" not in stage_text(pilot, "#header")
        await turn(pilot, "right", "on its way to 20,000")
        length = len(first.timeline)
        monkeypatch.setattr(trying, "AT_ONCE", 0.05)
        await until(pilot, lambda: title(pilot) == "Parameters: the new run at step 20,000")
        assert len(first.timeline) == length < 20_000
        assert preview(pilot).player.timeline.parameters["eta"] == 0.001


async def test_keys_go_between_the_fields_and_turn_finer_and_in_a_number_the_cursor_still_moves() -> None:
    async with opened("lbfgs", steps=5).run_test(size=(100, 30)) as pilot:
        await go(pilot, 2)
        await asked(pilot, "start")
        field = form(pilot).query_one("#p-start", Input)
        assert field.value == "-1.2,1"
        await pilot.press("right")
        assert field.value == "-1.2,1.1"
        await pilot.press("shift+right")
        assert field.value == "-1.2,1.11"
        await pilot.press(*["ctrl+left"] * 6, "left")
        assert field.value == "-1.3,1.11"
        assert field.selected_text == "-1.3"
        await pilot.press(*"-2")
        assert field.value == "-2,1.11"
        await until(pilot, lambda: preview(pilot).player.timeline.parameters["start"] == (-2.0, 1.11))
        form(pilot).query_one("#p-function").focus()
        choice = form(pilot).query_one("#p-function", Select)
        before = choice.value
        await pilot.press("right")
        assert choice.value != before
        await pilot.press("left")
        assert (choice.value, choice.expanded) == (before, False)
        names = [p.name for p in find("lbfgs").parameters]
        await pilot.press("down")
        below = pilot.app.focused
        assert below is not None
        assert below.id == f"p-{names[3]}"  # three columns
        await pilot.press("up")
        assert pilot.app.focused is choice
        await pilot.press("up")
        assert pilot.app.focused is choice


async def test_down_reaches_fields_for_which_there_is_no_room() -> None:
    async with opened("multilayer_perceptron", epochs=1).run_test(size=(80, 24)) as pilot:
        await go(pilot, 1)
        names = [f"p-{p.name}" for p in find("multilayer_perceptron").parameters]
        await asked(pilot, names[0][2:])
        reached = []
        for _ in range(3):
            await pilot.press("down")
            assert pilot.app.focused is not None
            reached.append(pilot.app.focused.id)
        assert reached == names[2:8:2]  # two columns
        grid, field = form(pilot).query_one("#knobs"), pilot.app.focused
        await until(pilot, lambda: grid.region.contains_region(field.region))


def covered(pilot: Pilot[None], *widgets: str) -> list[str]:
    """Which widgets the form lies over."""
    dialog = form(pilot).query_one(".dialog").region
    return [name for name in widgets if preview(pilot).query_one(name, Widget).region.overlaps(dialog)]


async def test_the_form_stands_below_stage_and_chart_with_the_field_in_hand_in_sight() -> None:
    helps = {f"p-{p.name}": p.help for p in find("online_gradient_descent").parameters}
    async with opened("online_gradient_descent", datasets.blobs.with_(n=12), epochs=1).run_test(
        size=SIZES[-1]
    ) as pilot:
        await go(pilot, 1)
        for key, name, sizes in (("p", "seed", SIZES), ("f", "epochs", SIZES[1:])):
            await asked(pilot, name, key)
            for size in sizes:
                await pilot.resize_terminal(*size)
                pictures = ["#stage", "#side", *(["#narration"] if size[1] > 24 and key == "p" else [])]
                await until(pilot, lambda pictures=pictures: covered(pilot, *pictures) == [])  # type: ignore[misc]
                field, grid = pilot.app.focused, form(pilot).query_one("#knobs")
                assert field is not None
                pilot.app.screen.set_focus(None)
                field.focus()
                await until(pilot, lambda grid=grid, field=field: grid.region.contains_region(field.region))  # type: ignore[misc]
                assert complaint(pilot).startswith(helps[field.id or ""])
                assert list(form(pilot).query(".in-hand")) == [field.parent]
            await pilot.press("escape")
        await pilot.press("F")
        await asked(pilot, "eta")
        await until(pilot, lambda: covered(pilot, "#stage", "#side", "#big") == [])


async def test_a_fork_is_seen_at_the_step_in_hand_before_it_is_made() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await go(pilot, 7)
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        session, state = stage(pilot).session, seen(pilot)
        await asked(pilot, "eta", "f")
        await turn(pilot, "right", "the fork at step 7")
        tried = preview(pilot).player.timeline
        assert (tried.begin, tried.parameters["eta"], len(session.branches.all)) == (7, 0.2, 1)
        assert seen(pilot) is state
        await until(pilot, lambda: tried.stopped is not None)
        await until(pilot, lambda: known(pilot) > 8)  # its chart goes on after the step
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert (len(session.branches.all), stage(pilot).player.timeline.parameters["eta"]) == (1, 0.1)
        await asked(pilot, "eta", "f")
        await turn(pilot, "right", "the fork at step 7")
        await pilot.press("enter")
        await until(pilot, lambda: len(session.branches.all) == 2)
        assert stage(pilot).player.timeline.parameters["eta"] == 0.2
        await until(pilot, at(pilot, 7))


async def test_a_slow_run_is_tried_out_in_a_thread_and_shown_as_it_comes() -> None:
    async with IterscopeApp(LoadedRun.checked(SLOW, Rows(), {})).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: stage(pilot).picture is not None)
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3))
        await asked(pilot, "eta")
        began = time.perf_counter()
        await turn(pilot, "right", "the new run at step 3")
        assert time.perf_counter() - began > 0.2
        assert preview(pilot).player.slow
        await until(pilot, lambda: seen(pilot).x[0] == pytest.approx(4 * 0.6**3))
        await pilot.press("escape")
        await until(pilot, at(pilot, 3))
        assert seen(pilot).x[0] == pytest.approx(4 * 0.8**3)
        await asked(pilot, "eta")
        await pilot.press("right", "enter")  # before it has come there
        await until(pilot, lambda: seen(pilot).x[0] == pytest.approx(4 * 0.6**3))
        await until(pilot, at(pilot, 3))


async def test_a_readers_own_file_is_tried_out_in_its_own_process(tmp_path: Path) -> None:
    algorithm = own_file(tmp_path)
    async with IterscopeApp(LoadedRun.checked(algorithm, algorithm.datasets[0], {})).run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: stage(pilot).player.timeline.last > 3)
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3))
        await asked(pilot, "rate")
        await turn(pilot, "left", "the new run at step 3")
        assert seen(pilot).get("x") == pytest.approx(0.2**3)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and at(pilot, 3)())
        assert stage(pilot).player.timeline.parameters["rate"] == 0.2


async def test_enter_on_an_open_choice_chooses_and_on_a_closed_one_begins_the_run() -> None:
    async with opened("lloyd", datasets.iris).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "J = Σ" in text(pilot))
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditParameters))
        choice = pilot.app.screen.query(Select).first()
        choice.focus()
        before = choice.value
        await pilot.press("space")
        await until(pilot, lambda: choice.expanded)
        await pilot.press("down", "enter")
        await until(pilot, lambda: not choice.expanded)
        assert isinstance(pilot.app.screen, EditParameters)
        assert choice.value != before
        await until(pilot, lambda: choice.has_focus)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: f"start {choice.value}" in text(pilot, "#header"))
        for _ in range(5):
            await pilot.pause(0.05)
            assert isinstance(pilot.app.screen, StageScreen)
