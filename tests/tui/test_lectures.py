"""The lectures are browsed like the algorithms; a statement is opened at the step where it is seen."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from algorithms import find
from algorithms.lectures import commands, sections
from algorithms.playback.comparison.follower import Follower
from tests.lectures.samples import SAMPLES, plant
from tests.tui.pilot import SIZES, app, at, text, until
from tui.app import IterscopeApp
from tui.screens.catalogue import CatalogueScreen
from tui.screens.compare import CompareScreen
from tui.screens.help import Help
from tui.screens.lectures import LecturesScreen
from tui.screens.stage import StageScreen
from tui.screens.theorem import TheoremScreen
from tui.widgets.column import Column

IDS = [one.id for one in SAMPLES]


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)


def listed(pilot: Pilot[None]) -> list[str]:
    """The ids of what is listed."""
    return [option.id for option in pilot.app.screen.query_one("#names", OptionList).options if option.id]


def headings(pilot: Pilot[None]) -> list[str]:
    return [str(option.prompt) for option in pilot.app.screen.query_one("#names", OptionList).options if not option.id]


def current(pilot: Pilot[None]) -> str:
    screen = pilot.app.screen
    assert isinstance(screen, LecturesScreen | CatalogueScreen)
    return screen.current


async def lectures(pilot: Pilot[None]) -> None:
    """Go from the catalogue to the first statement of the lectures."""
    await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen) and current(pilot) != "")
    await pilot.press("tab")
    await until(pilot, lambda: isinstance(pilot.app.screen, LecturesScreen) and current(pilot) != "")
    await pilot.press("home")


async def test_a_statement_stands_with_its_places_beside_its_run() -> None:
    async with IterscopeApp().run_test(size=SIZES[0]) as pilot:
        await lectures(pilot)
        assert listed(pilot) == IDS
        assert [heading[:12] for heading in headings(pilot)] == [
            "Machine lear", "Clustering: ", "Soft margin", "CS 446: supp", "Lecture 6: s", "Lecture 7: m",
        ]  # fmt: skip
        parts = ("M35  Clustering: Lloyd", "Reassigning lowers F", "theorem", '"the objective J never rises"', "curve")
        names = pilot.app.screen.query_one("#names", OptionList)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "python -m tui lloyd" in text(pilot, "#about"))
            assert [part for part in parts if part not in text(pilot, "#about")] == [], size
            await until(pilot, lambda: "step 6" in text(pilot, "#preview"))
            room = names.scrollable_content_region.width
            assert all(len(str(option.prompt)) <= room for option in names.options), size


async def test_the_preview_stays_at_the_step_that_is_to_be_seen() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await lectures(pilot)
        await until(pilot, lambda: "step 6" in text(pilot, "#preview"))
        for _ in range(10):
            await pilot.pause(0.05)
            assert "step 6" in text(pilot, "#preview")
        await until(pilot, lambda: "step 1 " in text(pilot, "#preview"))  # and it starts over


async def test_a_long_statement_is_read_to_its_end_where_there_is_little_room() -> None:
    async with IterscopeApp().run_test(size=(80, 24)) as pilot:
        await lectures(pilot)
        await pilot.press(*"A20")
        await until(pilot, lambda: "Only rows with" in text(pilot, "#about"))
        assert "more" in text(pilot, "#about").splitlines()[0]
        seen = ""
        for _ in range(30):
            seen += text(pilot, "#about")
            await pilot.press("shift+down")
        for part in ("the lecture errs:", "--against", "multipliers", "prune", "expectation", "parameter   C"):
            assert part in seen
        assert "above" in text(pilot, "#about").splitlines()[0]
        await pilot.press(*["shift+up"] * 30)
        assert "Only rows with" in text(pilot, "#about")


async def test_typing_filters_by_the_words_of_a_statement() -> None:
    async with IterscopeApp().run_test(size=(80, 24)) as pilot:
        await lectures(pilot)
        for typed, ids in (
            ("never r", ["M35"]),  # a theorem
            ("mistakes p", ["A21"]),  # what it says
            ("cs446", ["A20", "A21", "A28"]),  # a lecture
            ("slack", ["A20", "A21"]),  # a section
            ("blobs", ["A20"]),  # a run
            ("a28", ["A28"]),
            ("no of it", []),
        ):
            await pilot.press(*("space" if c == " " else c for c in typed))
            assert listed(pilot) == ids, typed
            assert f"{len(ids)} of {len(IDS)}" in str(pilot.app.screen.query_one("#filter", Static).render()), typed
            if not ids:
                await until(pilot, lambda: "No statement has 'no of it'" in text(pilot, "#about"))
                await pilot.press("enter")
            await pilot.press("escape")
            assert listed(pilot) == IDS, typed


async def test_what_is_called_so_is_the_current_one() -> None:
    async with IterscopeApp().run_test(size=(80, 24)) as pilot:
        await lectures(pilot)
        await pilot.press("end")
        await pilot.press(*"a20")
        assert current(pilot) == "A20"


async def test_enter_opens_its_run_at_its_step_and_one_comes_back_to_it() -> None:
    async with IterscopeApp().run_test(size=(80, 24)) as pilot:
        await lectures(pilot)
        await pilot.press(*"perceptron")
        await until(pilot, lambda: current(pilot) == "A21")
        await pilot.press("enter")
        await until(pilot, at(pilot, 9))
        assert pilot.app.screen.loaded.algorithm is find("perceptron")  # type: ignore[attr-defined]
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, LecturesScreen))
        assert current(pilot) == "A21"
        assert listed(pilot) == IDS
        await pilot.press("escape")
        await until(pilot, at(pilot, 9))
        await pilot.press("a", "tab")
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        assert current(pilot) == "perceptron"
        await pilot.press("escape")
        await until(pilot, at(pilot, 9))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))


def _compared(pilot: Pilot[None]) -> Sequence[Follower]:
    screen = pilot.app.screen
    assert isinstance(screen, CompareScreen)
    return screen.together.followers


async def test_a_comparison_is_opened_as_one() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await lectures(pilot)
        await pilot.press(*"a20", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await until(pilot, lambda: "step 4" in text(pilot))
        await until(pilot, lambda: not any(run.aim for run in _compared(pilot)))  # there: on its way escape stops it
        await pilot.press("escape")
        await until(pilot, at(pilot, 4))


@pytest.mark.parametrize(
    ("id", "sentence"),
    [("M139", "demos/rows_that_may_go.py"), ("A28", "it is about the exam")],
)
async def test_a_statement_without_a_run_says_what_to_type_instead(id: str, sentence: str) -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await lectures(pilot)
        await pilot.press(*id)
        await until(pilot, lambda: sentence in text(pilot, "#preview"))
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, LecturesScreen)
        assert any(sentence in notice.message for notice in pilot.app._notifications)


async def test_a_demo_that_holds_an_algorithm_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = replace(SAMPLES[1], demo=("rows_that_may_go.py", "running_mean.py"))
    monkeypatch.setattr(sections, "statements", lambda: (demo,))
    command = "python -m tui demos/running_mean.py --data faithful"
    assert commands(demo) == ("python demos/rows_that_may_go.py", command)
    async with IterscopeApp().run_test(size=(130, 36)) as pilot:
        await lectures(pilot)
        await until(pilot, lambda: command in text(pilot, "#about"))
        await until(pilot, lambda: "enter opens it: python -m tui demos/running_mean.py" in text(pilot, "#preview"))
        await pilot.press("enter")
        await until(pilot, at(pilot, 0))
        assert "faithful" in text(pilot, "#header")
        assert "the mean so far" in text(pilot, "#stage")


async def test_a_run_that_is_refused_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [replace(SAMPLES[0], run="lloyd --data nowhere.csv --at 6"), replace(SAMPLES[3], run="lloyd --nonsense")]
    monkeypatch.setattr(sections, "statements", lambda: tuple(wrong))
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await lectures(pilot)
        await until(pilot, lambda: "nowhere.csv" in text(pilot, "#preview"))
        await pilot.press("down")
        await until(pilot, lambda: "unrecognized arguments" in text(pilot, "#preview"))
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.is_running


async def test_one_goes_from_an_algorithm_to_what_it_shows_and_back() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        await pilot.press(*"dual", "space", *"coordinate")
        await until(pilot, lambda: current(pilot) == "dual_coordinate_descent")
        await pilot.press("tab")
        await until(pilot, lambda: isinstance(pilot.app.screen, LecturesScreen))
        assert current(pilot) == "A20"  # which compares with it
        await pilot.press("tab")
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        assert current(pilot) == "smo"
        assert len(pilot.app.screen_stack) == 2


async def test_an_opened_theorem_names_the_statements_that_it_shows() -> None:
    async with IterscopeApp().run_test(size=(160, 48)) as pilot:
        await lectures(pilot)
        await until(pilot, lambda: current(pilot) == "M35")
        await pilot.press("enter")
        await until(pilot, at(pilot, 6))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await until(pilot, lambda: "lectures: M35 (Clustering: Lloyd, convergence)" in text(pilot))
        await pilot.press("up")  # one of which they say nothing
        await until(pilot, lambda: "theorem 1 of" not in text(pilot) and "lectures:" not in text(pilot))


async def test_the_lectures_are_found_by_name_over_a_run_and_left_again() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for typed, id in (("lectures", "M35"), ("A21", "A21")):
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
            palette = pilot.app.screen
            palette.query_one(Input).value = typed
            await until(pilot, lambda: any(typed in str(o.prompt).casefold() or typed in str(o.prompt)  # noqa: B023
                                           for o in palette.query_one(OptionList).options[:1]))  # fmt: skip # noqa: B023
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, LecturesScreen))
            await until(pilot, lambda: current(pilot) == id)  # noqa: B023
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))


async def test_its_keys_are_told_and_can_be_clicked() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await lectures(pilot)
        keys = text(pilot, "#keys")
        assert "tab algorithms" in keys
        await pilot.click("#keys", offset=(keys.index("tab algorithms") + 1, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        await until(pilot, lambda: "tab lectures" in text(pilot, "#keys"))
        keys = text(pilot, "#keys")
        await pilot.click("#keys", offset=(keys.index("tab lectures") + 1, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, LecturesScreen))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))

        def shown() -> str:
            return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())

        for words in ("its run at the step", "the algorithms, by family", "⇧↓"):
            await until(pilot, lambda: words in shown())  # noqa: B023


async def test_an_opened_statement_stays_and_what_it_names_is_in_front() -> None:
    async with IterscopeApp().run_test(size=SIZES[-1]) as pilot:
        await lectures(pilot)
        await pilot.press(*"perceptron")
        await until(pilot, lambda: current(pilot) == "A21")
        await pilot.press("enter")
        await until(pilot, at(pilot, 9))
        await until(pilot, lambda: "A21: The mistakes of a perceptron are bounded." in text(pilot, "#narration"))
        column = pilot.app.screen.query_one(Column)
        stated = [theorem.statement for theorem in find("perceptron").theorems]
        assert "m <= " in stated[column.kept()["theorem"]]
        assert "mistakes" in text(pilot, "#side")
        await pilot.press("right")
        await until(pilot, at(pilot, 10))
        for size in reversed(SIZES):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "mistakes" in text(pilot, "#side"))
            assert "A21: The mistakes" in text(pilot, "#narration"), "while one steps on, too"
