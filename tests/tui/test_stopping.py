"""Stopping where it matters: breakpoints forwards and back, the last change of a number, where two runs differ."""

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from algorithms import Change, find, load
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.cursor.player import Goal
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline import conditions
from tests.tui.pilot import SIZES, app, at, stage, text, until, worked_out
from tui.app import IterscopeApp
from tui.screens.breakpoints import Breakpoints
from tui.screens.last_change import LastChange
from tui.screens.other_run import OtherRun
from tui.screens.stage import StageScreen
from tui.widgets.stage import Stage


async def shown(pilot: Pilot[None], kind: type) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))


def said(pilot: Pilot[None], query: str) -> str:
    return str(pilot.app.screen.query_one(query, Static).render())


def stop_at(pilot: Pilot[None], *texts: str) -> None:
    stage(pilot).session.breakpoints[:] = [Breakpoint(each) for each in texts]
    stage(pilot).session.arm()


async def test_a_breakpoint_is_typed_with_completion_and_stops_a_run() -> None:
    async with app(steps=500).run_test(size=SIZES[-1]) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("b")
        await shown(pilot, Breakpoints)
        assert "no breakpoints yet" in said(pilot, ".words")
        await pilot.press("x")
        assert "to be compared" in said(pilot, ".caret")
        await pilot.press("[", "0", "]", "space", "less_than_sign", "1")
        assert "found by replaying the run" in said(pilot, ".caret")
        await pilot.press("enter")
        assert [(stop.text, stop.on) for stop in stage_of(pilot).session.breakpoints] == [("x[0] <1", True)]
        assert "x[0] <1" in str(pilot.app.screen.query_one("#stops", OptionList).get_option_at_index(0).prompt)
        await pilot.press("escape")
        await shown(pilot, StageScreen)
        await pilot.press("r")
        await until(pilot, at(pilot, 7))  # 4 * 0.8**7 = 0.84
        for size in reversed(SIZES):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "stopped where x[0] <1" in text(pilot, "#narration"))
        await pilot.press("home")
        await until(pilot, at(pilot, 0))
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "▾" in text(pilot, "#track"))


def stage_of(pilot: Pilot[None]) -> StageScreen:
    (found,) = (screen for screen in pilot.app.screen_stack if isinstance(screen, StageScreen))
    return found


async def test_tab_completes_and_the_arrows_choose() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await shown(pilot, Breakpoints)
        field = pilot.app.screen.query_one("#condition", Input)
        await pilot.press("k", "tab")
        assert field.value == "kick"
        field.value = "k"
        await pilot.pause()
        await pilot.press("enter")
        assert field.value == "kick"
        assert stage_of(pilot).session.breakpoints == []
        field.value = "l"
        await pilot.pause()
        await pilot.press("tab")
        assert field.value == "log f"
        await pilot.press("space", "down", "tab")
        assert field.value == "log f falls"
        assert "measuring" in said(pilot, ".caret")


async def test_what_cannot_be_read_is_said_while_it_is_typed_and_not_added() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await shown(pilot, Breakpoints)
        pilot.app.screen.query_one("#condition", Input).value = "z > [link=x]1"
        await pilot.pause()
        assert "there is no 'z'" in said(pilot, ".caret")
        assert said(pilot, ".caret").startswith("^")
        await pilot.press("enter")
        assert "not added" in said(pilot, ".trouble")
        assert stage_of(pilot).session.breakpoints == []


async def test_breakpoints_are_switched_off_and_removed() -> None:
    async with app(steps=40).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        stop_at(pilot, "a kick", "step 7")
        await pilot.press("b")
        await shown(pilot, Breakpoints)
        field = pilot.app.screen.query_one("#condition", Input)
        await pilot.press("down", "space")
        assert [stop.on for stop in stage_of(pilot).session.breakpoints] == [False, True]
        assert "○ off" in str(pilot.app.screen.query_one("#stops", OptionList).get_option_at_index(0).prompt)
        await pilot.press("up")
        assert field.has_focus
        await pilot.press("escape", "right_square_bracket")
        await until(pilot, at(pilot, 7))
        await pilot.press("b")
        await shown(pilot, Breakpoints)
        await pilot.press("down", "down", "d", "d")
        assert stage_of(pilot).session.breakpoints == []
        await pilot.press("escape")
        await shown(pilot, StageScreen)
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "there are no breakpoints; b makes one" in text(pilot, "#narration"))


class Looking:
    """Looks for what is nowhere, for as long as it is wanted."""

    progress, done = 0.5, False

    def work(self, seconds: float) -> None:
        pass


async def test_what_is_nowhere_is_no_longer_looked_for() -> None:
    async with app(steps=40).run_test(size=(100, 30)) as pilot:
        await pilot.press("r")
        await until(pilot, at(pilot, 40))
        await until(pilot, lambda: not getattr(stage(pilot).picture, "coarse", True))  # else it is drawn again
        looking = Looking()
        stage(pilot).player.pursue(Goal("nothing", lambda run: None, search=looking, words=lambda t: "it is nowhere"))
        stage(pilot).act()
        await until(pilot, lambda: "to nothing 50%, esc stops" in text(pilot, "#header"))
        looking.done = True
        await until(pilot, lambda: "it is nowhere" in text(pilot, "#narration"))
        await until(pilot, lambda: "esc stops" not in text(pilot, "#header"))


async def test_it_runs_on_and_back_to_the_next_breakpoint() -> None:
    async with app(steps=60).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        stop_at(pilot, "a kick", "step 12")
        for key, t in (("]", 5), ("]", 10), ("]", 12), ("]", 15), ("[", 12), ("[", 10), ("[", 5)):
            await pilot.press("right_square_bracket" if key == "]" else "left_square_bracket")
            await until(pilot, at(pilot, t))
            await until(pilot, lambda: "stopped where" in text(pilot, "#narration"))
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: "before step 5 it never comes to" in text(pilot, "#narration"))
        assert stage(pilot).player.t == 5


async def test_playing_stops_at_a_breakpoint_and_goes_on_from_it() -> None:
    async with app(steps=400).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        stop_at(pilot, "x[0] < 1", "iteration 9")
        for speed in (8, 10):  # 1,000 steps a second, and as fast as it goes
            stage(pilot).player.pace = speed
            stage(pilot).action_seek(0)
            await until(pilot, at(pilot, 0))
            await pilot.press("space")
            await until(pilot, at(pilot, 7))
            assert not stage(pilot).player.playing
            stage(pilot).session.breakpoints[0].on = False
            stage(pilot).session.arm()
            await pilot.press("space")
            await until(pilot, at(pilot, 45))
            assert "stopped where iteration 9" in text(pilot, "#narration")
            stage(pilot).session.breakpoints[0].on = True
            stage(pilot).session.arm()


async def test_a_long_search_shows_its_progress_and_is_cancelled() -> None:
    async with app(steps=100_000).run_test(size=(120, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        stop_at(pilot, "f < 0")
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "to f < 0" in text(pilot, "#header") and "esc stops" in text(pilot, "#header"))
        await pilot.press("escape")
        assert stage(pilot).player.goal is None
        assert stage(pilot).player.t == 0


async def test_a_curve_that_raises_ends_the_search_with_a_sentence(tmp_path: Path) -> None:
    from copy import copy

    from algorithms.core import Curve
    from tests.tiny import TINY, Rows

    broken = copy(TINY)
    broken.curves = (Curve("bad", lambda p, s: 1 / 0 if s.t > 3 else 1.0),)
    async with IterscopeApp(LoadedRun.checked(broken, Rows(), {})).run_test(size=(120, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        stop_at(pilot, "bad > 3")
        for key in ("right_square_bracket", "r"):
            await pilot.press(key)
            await until(pilot, lambda: "bad could not be measured at step 4: ZeroDivision" in text(pilot, "#narration"))


async def test_when_it_last_changed() -> None:
    opened = LoadedRun.checked(find("perceptron"), find("perceptron").datasets[1], {})
    async with IterscopeApp(opened).run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        run = await worked_out(pilot)
        changes = [t for t in range(1, len(run)) if run.kind(t).phase == "mistake"]
        stage(pilot).action_seek(run.last)
        await until(pilot, at(pilot, run.last))
        await pilot.press("y")
        await shown(pilot, LastChange)
        await pilot.press("w", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, at(pilot, changes[-1]))
        assert f"w last changed here, at step {changes[-1]:,}: [" in text(pilot, "#narration")
        await pilot.press("y")
        await shown(pilot, LastChange)
        prompts = [str(o.prompt) for o in pilot.app.screen.query_one("#values", OptionList).options]
        assert any(p.startswith("w ") and "changes here" in p for p in prompts)
        curves = [curve.name for curve in run.algorithm.curves]
        marked = {name for name in curves if any(p.startswith(name) and "changes here" in p for p in prompts)}
        changing = {name for name in curves if conditions.parse(f'"{name}" changes', run).holds(run, changes[-1])}
        assert marked == changing > {"mistakes"}
        await pilot.press(*"norm", "left_parenthesis", "w", "right_parenthesis", "enter")
        await until(pilot, at(pilot, changes[-2]))
        await pilot.press("y")
        await shown(pilot, LastChange)
        await pilot.press(*"nothing", "enter")
        assert "there is no 'nothing'" in said(pilot, ".trouble")


async def test_what_changed_in_the_step_is_the_last_panel_and_its_rows_are_clicked() -> None:
    async with app(steps=20).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        assert "nothing comes before this" in text(pilot, "#side")
        await pilot.press("right", "right")
        await until(pilot, at(pilot, 2))
        side = text(pilot, "#side").splitlines()
        top = next(i for i, line in enumerate(side) if "changed in this step" in line)
        assert top > next(i for i, line in enumerate(side) if "numbers" in line)
        assert "3.2 → 2.56" in side[top + 2]
        await pilot.click("#side", offset=(4, top + 2))
        await until(pilot, at(pilot, 1))
        assert "x last changed here, at step 1" in text(pilot, "#narration")


async def test_the_panels_of_the_scene_keep_their_place() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for size in ((100, 30), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.press("3")
            await until(pilot, lambda: "value" in text(pilot, "#side") and "x" in text(pilot, "#side"))
            await pilot.press("4")
            await until(pilot, lambda: "nothing comes before this" in text(pilot, "#side"))


async def test_where_two_runs_differ() -> None:
    async with app(steps=60).run_test(size=(140, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("D")
        await until(pilot, lambda: "there is one run; f makes a second one" in text(pilot, "#narration"))
        stage(pilot).session.fork(0, Change(parameters={"eta": 0.2}), "faster")
        await until(pilot, lambda: stage(pilot).session.branch.name == "faster")
        stage(pilot).action_seek(30)
        await until(pilot, at(pilot, 30))
        await pilot.press("D")
        await until(pilot, at(pilot, 1))
        assert "They differ first at step 1 (step): x[0] is 2.4 in faster, 3.2 in first run" in text(
            pilot, "#narration"
        )
        stage(pilot).session.fork(10, Change(), "as before")
        await until(pilot, lambda: stage(pilot).session.branch.name == "as before")
        await pilot.press("D")
        await shown(pilot, OtherRun)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "no difference from faster" in text(pilot, "#narration"))


async def test_breakpoints_hold_for_every_run_and_stay_when_one_is_chosen() -> None:
    async with app(steps=60).run_test(size=(140, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        stop_at(pilot, "x[0] < 1")
        stage(pilot).session.fork(0, Change(parameters={"eta": 0.3}), "faster")
        await until(pilot, lambda: stage(pilot).session.branch.name == "faster")
        await pilot.press("right_square_bracket")
        await until(pilot, at(pilot, 2))  # 4 * 0.4**2 = 0.64
        await pilot.press("tab", "home", "right_square_bracket")
        await until(pilot, at(pilot, 7))


async def test_a_readers_own_fields_are_known_once_it_has_yielded(tmp_path: Path) -> None:
    file = tmp_path / "of_mine.py"
    file.write_text(
        "def run(n=30):\n    x = 1.0\n    for i in range(n):\n        x *= 0.9\n        yield {'x': x, 'i': i}\n"
    )
    algorithm = load(str(file), apart=True)
    async with IterscopeApp(LoadedRun.checked(algorithm, algorithm.datasets[0], {})).run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: stage(pilot).player.timeline.last > 3)
        await pilot.press("b")
        await shown(pilot, Breakpoints)
        await pilot.press(*"x <.5", "enter")
        assert [stop.text for stop in stage_of(pilot).session.breakpoints] == ["x <.5"]
        await pilot.press("escape")
        await shown(pilot, StageScreen)
        await pilot.press("r")
        await until(pilot, at(pilot, 7))


async def test_a_breakpoint_on_a_row_marks_the_row_and_does_not_stop_where_every_row_joins() -> None:
    async with IterscopeApp(LoadedRun.usual(find("lloyd"))).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: stage(pilot).picture is not None)
        run = await worked_out(pilot)
        labels = [run.at(t).state.labels for t in range(len(run))]
        row = next(i for i in range(run.data.n) if any(labels[t][i] != labels[t - 1][i] for t in range(2, len(run))))
        moved = next(t for t in range(2, len(run)) if labels[t][row] != labels[t - 1][row])
        stop_at(pilot, f"row {row} moves")
        await pilot.press("r")
        await until(pilot, lambda: f"stopped where row {row} moves" in text(pilot, "#narration"))
        assert stage(pilot).player.t == moved
        assert pilot.app.screen.query_one(Stage).picked == row
        assert f" {row}: " in text(pilot, "#stage"), "alone, or among those in its cell"
        await pilot.press("right")
        await until(pilot, lambda: stage(pilot).player.t == moved + 1)
