"""An algorithm without rows on the screen: no key crashes, and none speaks of rows that are not there."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from textual.pilot import Pilot

from algorithms import Branches, Change, Dataset, Opening, Timeline, find
from algorithms.cli.report import report
from algorithms.core.parameters import as_typed
from algorithms.core.state import same
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import read
from algorithms.saving.session import default_name, session_of, write_session
from algorithms.timeline.conditions import Unreadable, completions, parse
from tests.tui.pilot import SIZES, at, stage, text, until
from tui.app import IterscopeApp
from tui.widgets.stage import Stage

_NO_ROWS = "there are no rows: only a ◈ can be moved"
DESCENT = find("gradient_descent")


def app(**parameters: Any) -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(DESCENT, DESCENT.datasets[0], parameters))


async def shown(pilot: Pilot[None], t: int = 0) -> None:
    await until(pilot, at(pilot, 0))
    stage(pilot).action_seek(t)
    await until(pilot, at(pilot, t))
    await until(pilot, lambda: (picture := stage(pilot).picture) is not None and picture.frame.t == t)


def says(pilot: Pilot[None], words: str) -> Callable[[], bool]:
    return lambda: words in " ".join(text(pilot).split())


def test_it_opens_with_the_first_of_its_settings() -> None:
    changed = DESCENT.with_defaults()
    changed.settings = ({"function": "huber", "eta": 0.5}, {})
    opened = LoadedRun.usual(changed)
    assert opened.parameters == {"function": "huber", "eta": 0.5}
    assert opened.timeline().parameters["function"] == "huber"
    assert LoadedRun.usual(find("lloyd")).parameters == {}


@pytest.mark.parametrize("size", SIZES)
async def test_it_is_shown_without_a_word_of_data(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await shown(pilot, 3)
        await until(pilot, says(pilot, "the path over valley"))
        assert "no data" not in text(pilot, "#header")


async def test_the_keys_of_data_and_planes_say_that_there_are_none() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await shown(pilot)
        await pilot.press("d")
        await until(pilot, says(pilot, "Gradient descent works on no data; p changes its parameters"))
        await pilot.press("v")
        await until(pilot, says(pilot, "there are no data: no plane to choose"))


async def test_every_dialog_opens_and_closes() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await shown(pilot, 2)
        before = pilot.app.screen
        for key in ("e", "c", "p", "b", "f", "g", "ctrl+s", "a", "question_mark"):
            await pilot.press(key)
            await until(pilot, lambda: pilot.app.screen is not before, f"the dialog of {key}")
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is before, f"the end of the dialog of {key}")


async def test_editing_begins_on_the_first_handle_and_moves_x_into_a_fork() -> None:
    async with app(function="two wells", eta=0.3, start=(-0.1, 1.5)).run_test(size=(160, 48)) as pilot:
        await shown(pilot, 3)
        await pilot.press("i")
        await until(pilot, says(pilot, "◈ x: drag it"))
        await pilot.press("enter", *["shift+right"] * 4, "enter")
        await until(pilot, lambda: len(stage(pilot).session.branches.all) == 2)
        run = stage(pilot).session.branch.timeline
        assert run.at(3).state.x[0] > 0.3
        await until(pilot, lambda: run.stopped is not None)
        assert run.at(run.last).state.x == pytest.approx(np.array([1.5, 0]), abs=1e-6)


async def test_dragged_at_step_0_the_start_is_a_parameter_of_a_run_of_its_own() -> None:
    async with app(eta=0.05).run_test(size=(160, 48)) as pilot:
        await shown(pilot)
        await pilot.press("i", "enter", *["shift+right"] * 3, "enter")
        await until(pilot, lambda: len(stage(pilot).session.branches.all) == 2)
        branch = stage(pilot).session.branch
        run = branch.timeline
        assert run.from_start
        assert run.parameters["start"][0] > -1.9
        assert tuple(run.at(0).state.x) == run.parameters["start"] == branch.change.parameters["start"]
        assert f"start {as_typed(run.parameters['start'])}" in text(pilot, "#header")
        await until(pilot, lambda: run.last >= 20)
        assert run.verdicts(run.at(20))[2].status == "holds"  # the rate speaks of the whole run, from its own start
        await pilot.press("u")
        await until(pilot, lambda: stage(pilot).session.branch.parent is None)


async def test_dragged_again_before_it_goes_on_it_is_the_same_run_with_another_start() -> None:
    async with app(eta=0.05).run_test(size=(160, 48)) as pilot:
        await shown(pilot)
        session = stage(pilot).session
        for there in (1.0, 0.5):
            session.change(Change(parameters={"start": (there, 1.0)}), "start")
        assert [b.timeline.parameters["start"] for b in session.branches.all][0] == (-2.0, 1.0)
        assert session.branch.timeline.parameters["start"] == (0.5, 1.0)


async def test_keys_that_change_rows_say_that_there_are_none() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await shown(pilot, 3)
        await pilot.press("i")
        await until(pilot, lambda: stage(pilot).editing)
        for key in ("delete", "f", "o", "2"):
            stage(pilot).tell("nothing yet")
            await until(pilot, lambda: not says(pilot, _NO_ROWS)(), f"another word before {key}")
            await pilot.press(key)
            await until(pilot, says(pilot, _NO_ROWS), f"{_NO_ROWS!r} at {key}")
            assert len(stage(pilot).session.branches.all) == 1, key


async def test_away_from_a_handle_nothing_is_added_and_n_goes_back_to_it() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await shown(pilot, 3)
        await pilot.press("i", "shift+right", "shift+up", "enter")
        await until(pilot, says(pilot, "there is no ◈ here; n goes to the next"))
        await pilot.press("n")
        await until(pilot, says(pilot, "◈ x: drag it"))
        assert stage(pilot).query_one(Stage).grip_near(stage(pilot)._at) is not None
        assert len(stage(pilot).session.branches.all) == 1


def test_conditions_name_no_rows() -> None:
    offered = completions("", DESCENT, Dataset.none) + completions("ro", DESCENT, Dataset.none)
    assert not any("row" in completion.text for completion in offered)
    with pytest.raises(Unreadable, match="there is no row 0: Gradient descent works on no data"):
        parse("row 0 moves", DESCENT, Dataset.none)


def test_the_report_counts_no_rows() -> None:
    page = StringIO()
    run = Timeline(DESCENT, Dataset.none)
    run.advance(5)
    report(run, Console(file=page, width=100))
    assert "function = valley" in page.getvalue()
    assert "row" not in page.getvalue()
    assert "no data" not in page.getvalue()


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--data", "iris"], "Gradient descent works on no data: iris would change nothing in it."),
        (["--scale"], "these flags change data, and it works on none: give none of them."),
        (["--against", "perceptron"], "Perceptron learns from data"),
    ],
)
def test_data_are_refused_in_a_sentence(words: list[str], refusal: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read("iterscope", ["gradient_descent", *words])
    assert refusal in capsys.readouterr().err


def test_another_run_of_it_stands_against_it_and_one_on_data_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    request = read("iterscope", ["gradient_descent", "--against", "gradient_descent:start=1,-1,eta=0.05"])
    assert request.against[0].timeline.parameters["start"] == (1.0, -1.0)
    with pytest.raises(SystemExit):
        read("iterscope", ["perceptron", "--against", "gradient_descent"])
    assert "Gradient descent works on no data: blobs would change nothing in it." in capsys.readouterr().err


def test_a_session_with_a_fork_is_had_again_bit_for_bit(tmp_path: Path) -> None:
    tree = Branches(Timeline(DESCENT, Dataset.none, {"function": "two wells", "eta": 0.3, "start": (-0.1, 1.5)}).run())
    tree.fork(tree.root, 3, Change(state={"x": np.array([0.4, 1.0])})).timeline.run()
    tree.fork(tree.root, 5, Change(parameters={"eta": 0.1})).timeline.run()
    tree.fork(tree.root, 0, Change(parameters={"start": (1.0, -0.5)})).timeline.run()
    write_session(session_of(tree, DESCENT.datasets[0], tmp_path / "a.json"), tmp_path / "a.json")
    assert default_name(DESCENT.name, DESCENT.datasets[0].name) == "gradient_descent.json"
    opening = Opening(tmp_path / "a.json")
    assert opening.work()
    assert opening.differences == []
    for was, now in zip(tree.all, opening.branches.all, strict=True):
        assert now.timeline.parameters == was.timeline.parameters
        assert same(was.timeline.at(was.timeline.last).state, now.timeline.at(now.timeline.last).state)
