"""The catalogue filters by what is typed, and stays usable with sixty algorithms at every size."""

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from algorithms import find, names
from algorithms.core.catalogue import BEGIN, by_family, in_course
from algorithms.lectures.lessons import course, lesson_named
from tests.sixty import plant
from tests.tui.pilot import SIZES, app, text, until
from tui.app import IterscopeApp
from tui.screens.catalogue import CatalogueScreen
from tui.screens.stage import StageScreen


def listed(pilot: Pilot[None]) -> list[str]:
    """The ids of what is listed: algorithms, and before they are sought those to begin with, and families."""
    options = pilot.app.screen.query_one("#names", OptionList).options
    return [option.id for option in options if option.id]


def current(pilot: Pilot[None]) -> str | None:
    names = pilot.app.screen.query_one("#names", OptionList)
    return None if names.highlighted is None else names.get_option_at_index(names.highlighted).id


async def opened(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: "step" in text(pilot, "#preview"))


async def test_typing_filters_by_title_family_theorem_and_data() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        for typed, there, not_there in (
            ("margin", "smo", "pca"),  # a theorem
            ("never rises", "lloyd", "perceptron"),  # a theorem, both words of one
            ("Clustering", "lloyd", "pca"),  # a family
            ("faithful", "gaussian_mixture", "adaboost"),  # data
            ("k-means", "lloyd", "pca"),  # a title
            ("huygens", "lloyd", "pca"),  # who proved it
        ):
            await pilot.press(*("space" if c == " " else "minus" if c == "-" else c for c in typed))
            assert there in listed(pilot), typed
            assert not_there not in listed(pilot), typed
            await pilot.press("escape")
            assert f"begin {there}" in listed(pilot) or there in listed(pilot), typed
            assert "family linear" in listed(pilot), typed


async def test_one_begins_with_six_and_what_one_will_see_in_each() -> None:
    async with IterscopeApp().run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        lessons = [f"lesson {name}" for name in course()]
        families = [f"family {family}" for family in by_family()]
        assert listed(pilot) == [*(f"begin {name}" for name in BEGIN), *lessons, *families]
        assert current(pilot) == "begin perceptron"
        options = pilot.app.screen.query_one("#names", OptionList).options
        said = " ".join("\n".join(str(option.prompt) for option in options).split())
        assert all(find(name).point in said for name in BEGIN)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert pilot.app.screen.loaded.algorithm is find("perceptron")  # type: ignore[attr-defined]


async def test_a_family_opens_from_the_first_to_the_special_and_closes_from_within() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press("left", "right")  # at the perceptron: there is nothing to open
        assert current(pilot) == "begin perceptron"
        await pilot.press(*["down"] * (len(BEGIN) + len(course())), "right")
        assert current(pilot) == "family linear"
        place = listed(pilot).index("family linear")
        assert tuple(listed(pilot)[place + 1 :][: len(in_course("linear"))]) == in_course("linear")
        await until(pilot, lambda: find("perceptron").point.split(",")[0][:30] in text(pilot, "#about"))
        await pilot.press("down", "down", "left")
        assert current(pilot) == "family linear"
        assert "logistic_regression" not in listed(pilot)
        await pilot.press("enter")
        assert "logistic_regression" in listed(pilot)
        await pilot.press("enter")
        assert "logistic_regression" not in listed(pilot)


async def test_a_lesson_is_found_and_begun() -> None:
    lesson = lesson_named("k-means")
    async with IterscopeApp().run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await pilot.press(*["down"] * len(BEGIN))
        assert current(pilot) == f"lesson {course()[0]}"
        await until(pilot, lambda: f"{len(lesson_named(course()[0]).moments)} moments" in text(pilot, "#about"))
        await pilot.press(*"down", "space", *"where")
        assert listed(pilot)[-1] == "lesson k-means"
        await pilot.press("end", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert pilot.app.reader.lesson == lesson  # type: ignore[attr-defined]


async def test_an_algorithm_says_what_comes_before_and_after_it() -> None:
    async with IterscopeApp().run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        assert "nothing: a course can begin here" in text(pilot, "#about")
        await until(pilot, lambda: "after   Logistic regression, gradient ascent" in text(pilot, "#about"))
        await pilot.press(*"pegasos")
        await until(pilot, lambda: "Stochastic gradient descent, least squares" in text(pilot, "#about"))


async def test_the_theorem_that_is_sought_stands_first() -> None:
    async with IterscopeApp().run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "never rises" not in text(pilot, "#about")
        await pilot.press(*"lloyd", "space", *"never", "space", *"rises")
        await until(pilot, lambda: "objective J never rises" in text(pilot, "#about").splitlines()[1])


async def test_what_is_called_so_comes_before_what_speaks_of_it() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press(*"boosting")
        assert current(pilot) == "gradient_boosting"
        await pilot.press("escape")
        assert current(pilot) == "gradient_boosting"  # which stays when all are listed again


async def test_enter_watches_what_was_found_and_what_is_not_there_is_said() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press(*"lloydx")
        await until(pilot, lambda: "No algorithm says 'lloydx'" in text(pilot, "#about"))
        assert f"0 of {len(names()) + len(course())}" in str(pilot.app.screen.query_one("#filter", Static).render())
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, CatalogueScreen)
        await pilot.press("backspace", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert pilot.app.screen.loaded.algorithm is find("lloyd")  # type: ignore[attr-defined]


async def test_q_is_a_letter_like_the_others() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press(*"quadratic")
        assert pilot.app.is_running
        assert current(pilot) == "newton"
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not pilot.app.is_running)


async def test_what_is_pasted_filters_and_steers_nothing() -> None:
    from textual.events import Paste

    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        pilot.app.screen.post_message(Paste("\x1b[2Jk-means\n[@click=app.quit]"))
        await pilot.pause()
        assert "\x1b" not in str(pilot.app.screen.query_one("#filter", Static).render())
        await pilot.press("escape")
        pilot.app.screen.post_message(Paste(" k-means \n"))
        await until(pilot, lambda: "lloyd" in listed(pilot) and "perceptron" not in listed(pilot))


async def test_escape_clears_the_filter_and_then_goes_back_to_the_run() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "step 0 of" in text(pilot, "#header"))
        await pilot.press("a")
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        await pilot.press(*"ada")  # a is a letter like the others
        assert {"adaboost", "gradient_boosting"} <= {*listed(pilot)}  # which speaks of it; others may come to be
        assert "perceptron" not in listed(pilot)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, CatalogueScreen)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))


async def test_one_finds_ones_way_among_sixty_at_every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    sixty = plant(monkeypatch)
    async with IterscopeApp().run_test(size=SIZES[-1]) as pilot:
        await opened(pilot)
        families = [entry for entry in listed(pilot) if entry.startswith("family ")]
        await pilot.press("end")
        for _ in families:
            await pilot.press("right", "up")
        shown = [entry for entry in listed(pilot) if " " not in entry]
        assert sorted(shown) == sorted(sixty)
        await pilot.press(*"randomforest")
        assert listed(pilot) == []
        await pilot.press("escape", *"random", "space", *"forest")
        assert listed(pilot) == ["random_forest"]
        await until(pilot, lambda: "Random forest" in text(pilot, "#about"))
        await pilot.press("escape", *"boosting")
        assert {"adaboost", "gradient_boosting", "logit_boost"} <= set(listed(pilot))
        await pilot.press("escape")
        for size in SIZES:  # all of them, with every family open
            await pilot.resize_terminal(*size)
            names = pilot.app.screen.query_one("#names", OptionList)
            room = names.scrollable_content_region.width
            assert {*sixty} <= {*listed(pilot)}, size
            lines = [line for option in names.options for line in str(option.prompt).splitlines()]
            assert max(map(len, lines)) <= room, (size, max(lines, key=len))
