"""`s` in a comparison: two sources beside each other, and in them the line that gives the first difference."""

from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from algorithms import datasets
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.loading import load
from tests.playback.programs import OTHER, RIGHT, WRONG
from tests.tui.compare.pilot import at, screen, tinies, tiny
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.widgets.sources_abreast import SourcesAbreast


def opened(path: Path, source: str) -> LoadedRun:
    path.write_text(source)
    return LoadedRun.checked(load(str(path), apart=True), datasets.recipe("faithful"), {}, str(path))


def app_of(tmp_path: Path, other: str) -> IterscopeApp:
    beside = opened(tmp_path / "beside.py", other)
    return IterscopeApp(opened(tmp_path / "right.py", RIGHT), against=[ComparedRun("", beside.timeline(), beside)])


def lines(pilot: Pilot[None]) -> list[str]:
    return text(pilot, "#source").splitlines()


def has(pilot: Pilot[None], *words: str) -> Callable[[], bool]:
    return lambda: all(word in text(pilot, "#source") for word in words)


async def test_two_versions_are_a_diff_and_the_line_that_differs_first_is_marked(tmp_path: Path) -> None:
    async with app_of(tmp_path, WRONG).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("s")
        for size in ((120, 36), (80, 24)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: screen(pilot).size == size)  # noqa: B023
            await until(pilot, has(pilot, "2 lines of 7 differ", "def adam(X):"))
            assert "≠" not in text(pilot, "#source")
            assert any(line.count("~ ") == 2 and "+ 0.1" in line and "- 0.1" in line for line in lines(pilot))
        await pilot.press("D")
        await until(pilot, has(pilot, "v first differs, given in line 5", "v_ first differs, given in line 5"))
        await until(pilot, at(pilot, 1, 1))
        for size in ((80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: screen(pilot).size == size)  # noqa: B023
            await until(pilot, has(pilot, "v first differs, given in line 5", "v_ first differs, given in line 5"))
            (marked,) = [line for line in lines(pilot) if line.count("≠") == 2]
            assert "v = 0.9 * v + 0.1" in marked
            assert "v = 0.9 * v - 0.1" in marked
        await pilot.press("s")
        await until(pilot, lambda: not screen(pilot).query_one(SourcesAbreast).display)


async def test_two_programs_stand_each_around_its_own_line(tmp_path: Path) -> None:
    async with app_of(tmp_path, OTHER).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "s", "D")
        await until(pilot, has(pilot, "adam, right.py", "newton, beside.py", "w first differs, given in line 6"))
        await until(pilot, has(pilot, "w first differs, given in line 4"))
        assert sum(line.count("▸") for line in lines(pilot)) == 2
        await pilot.press("tab")
        await until(pilot, lambda: screen(pilot).current == 1)
        assert "differ" not in lines(pilot)[0], "of B it was not asked yet"


async def test_runs_of_one_program_show_its_source_once() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("s")
        await until(pilot, lambda: "▸" in text(pilot, "#source"))
        assert text(pilot, "#source").count("▸") == 1


async def test_the_row_that_differs_is_in_sight_where_the_line_that_gives_it_is_the_same(
    tmp_path: Path,
) -> None:
    filler = "".join(f"    # line {i}\n" for i in range(30))
    text = "def rate(t):\n    return 1 / t\n\n\ndef mine():\n" + filler
    text += "    for t in range(1, 4):\n        x = rate(t)\n        yield {'x': x}\n"
    first, other = opened(tmp_path / "a.py", text), opened(tmp_path / "b.py", text.replace("1 / t", "1 / (t + 1)"))
    app = IterscopeApp(first, against=[ComparedRun("", other.timeline(), other)])
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("D", "s")
        await until(pilot, has(pilot, "x first differs, given in line 37; line 2 is another", "~ "))
        await until(pilot, has(pilot, "return 1 / t", "return 1 / (t + 1)"))
        await pilot.resize_terminal(80, 24)
        await until(pilot, has(pilot, "x ≠ in line 37, ~ 2", "~ "))
        await until(pilot, has(pilot, "return 1 / t", "return 1 / (t + 1)"))
