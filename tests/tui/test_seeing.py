"""The next step that looks different, and what an algorithm is compared with, on the stage."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from algorithms import Timeline, datasets, find, names
from algorithms.core import Hyperplane
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import requested
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp

WITH = ("least_squares_classifier", "online_gradient_descent", "pegasos", "perceptron")


def still(X: np.ndarray) -> Iterator[dict[str, object]]:
    """Places that move at the fifth thing that is yielded, and at the ninth; a count that goes on beside them."""
    for t in range(12):
        yield {"places": X[:5] + (t >= 4) + (t >= 8), "t": t}


async def test_it_goes_to_the_next_step_that_looks_different_and_to_the_end() -> None:
    from algorithms.userfile.in_process import plain_algorithm

    loaded = LoadedRun.checked(plain_algorithm(still), datasets.recipe("faithful"), {})
    async with IterscopeApp(loaded).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for t in (1, 5, 9):
            await pilot.press("S")
            await until(pilot, at(pilot, t))
        await pilot.press("S")
        await until(pilot, at(pilot, 12))
        assert "to the end nothing looks different" in text(pilot, "#narration")


async def test_whoever_goes_elsewhere_ends_the_search() -> None:
    from algorithms.userfile.in_process import plain_algorithm

    def never(X: np.ndarray) -> Iterator[dict[str, object]]:
        while True:
            yield {"places": X[:5]}

    loaded = LoadedRun.checked(plain_algorithm(never), datasets.recipe("faithful"), {})
    async with IterscopeApp(loaded).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right", "S")
        await until(pilot, lambda: stage(pilot).player.timeline.last > 20)
        await pilot.press("left")
        await until(pilot, at(pilot, 0))
        before = stage(pilot).player.timeline.last
        await pilot.pause(0.3)
        assert stage(pilot).player.t == 0
        assert stage(pilot).player.timeline.last <= before + 10_000


def test_those_that_know_it_declare_it() -> None:
    assert tuple(sorted(name for name in names() if find(name).compared is not None)) == WITH


@pytest.mark.parametrize("name", WITH)
def test_it_is_a_named_line_on_the_first_panel_that_separates_as_it_says(name: str) -> None:
    algorithm = find(name)
    data = datasets.load("blobs", **({"margin": 1.0} if name == "perceptron" else {}))
    run = Timeline(algorithm, data)
    run.advance(30)
    assert algorithm.compared is not None
    (line,) = algorithm.compared(run.problem, run.at(run.last).state)
    assert isinstance(line, Hyperplane)
    assert line.name
    right = ((data.X @ line.normal + line.offset) * data.signs > 0).mean()
    assert right == 1.0 if name == "perceptron" else right > 0.9
    viewer = Viewer(run)
    frame = run.at(run.last)
    assert line.name not in _names(viewer, frame)
    viewer.compares = True
    assert line.name in _names(viewer, frame)
    again = Viewer(run)
    again.restore(viewer.kept())
    assert again.compares


def _names(viewer: Viewer, frame: object) -> str:
    return " ".join(getattr(mark, "name", "") for mark in viewer.picture(frame, 60, 20).stage.marks)  # type: ignore[arg-type]


async def test_a_key_puts_it_there_and_takes_it_away() -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        assert "widest margin" not in text(pilot, "#stage")
        await pilot.press("O")
        await until(pilot, lambda: "widest margin" in text(pilot, "#stage"))
        assert "O takes it away" in text(pilot, "#narration")
        await pilot.press("O")
        await until(pilot, lambda: "widest margin" not in text(pilot, "#stage"))


async def test_rows_that_have_no_such_thing_say_so_and_nothing_is_switched() -> None:
    moons = LoadedRun.checked(find("perceptron"), datasets.recipe("moons"), {})
    async with IterscopeApp(moons).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("O")
        await until(pilot, lambda: "these rows have nothing that it could be compared with" in text(pilot))
        assert not stage(pilot).viewer.compares


async def test_nothing_is_gone_to_while_a_question_stands() -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("P")
        await until(pilot, lambda: stage(pilot).asked is not None)
        await pilot.press("S", "O")
        await pilot.pause(0.3)
        assert stage(pilot).player.t == 0
        assert "widest margin" not in text(pilot, "#stage")


@pytest.mark.parametrize("bias", [1.0, 5.0])
def test_the_constant_that_stands_for_the_bias_is_part_of_the_line(bias: float) -> None:
    run = Timeline(find("pegasos"), datasets.load("blobs", margin=1.0), {"bias": bias, "lam": 0.01})
    run.advance(5)
    (line,) = find("pegasos").compared(run.problem, run.at(3).state)  # type: ignore[misc]
    data = run.problem.data
    assert ((data.X @ line.normal + line.offset) * data.signs > 0).all()  # type: ignore[attr-defined]


async def test_a_run_in_a_process_of_its_own_is_looked_at_aside(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    body = "import numpy as np\n\ndef mine():\n    for t in range(12):\n"
    file.write_text(body + "        yield {'places': np.eye(2) * (1 + (t >= 4)), 't': t}\n")
    async with IterscopeApp(requested([str(file)]).opened).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for t in (1, 5, 12):
            await pilot.press("S")
            await until(pilot, at(pilot, t))


async def test_where_nothing_is_known_the_key_says_so() -> None:
    async with IterscopeApp(LoadedRun.usual(find("lloyd"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("O")
        await until(pilot, lambda: "nothing is known here that this one could be compared with" in text(pilot))
