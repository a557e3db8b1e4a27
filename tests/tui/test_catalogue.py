"""The catalogue filters by what is typed, and stays usable with sixty algorithms at every size."""

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from algorithms import find, names
from tests.sixty import plant
from tests.tui.pilot import SIZES, app, text, until
from tui.app import IterscopeApp
from tui.screens.catalogue import CatalogueScreen
from tui.screens.stage import StageScreen


def listed(pilot: Pilot[None]) -> list[str]:
    """The names of the algorithms that are listed."""
    options = pilot.app.screen.query_one("#names", OptionList).options
    return [option.id for option in options if option.id]


def current(pilot: Pilot[None]) -> str | None:
    names = pilot.app.screen.query_one("#names", OptionList)
    return None if names.highlighted is None else names.get_option_at_index(names.highlighted).id


async def opened(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: "step" in text(pilot, "#preview"))


@pytest.mark.parametrize(
    ("typed", "there", "not_there"),
    [
        ("margin", "smo", "pca"),  # a theorem
        ("never rises", "lloyd", "perceptron"),  # a theorem, both words of one
        ("Clustering", "lloyd", "pca"),  # a family
        ("faithful", "gaussian_mixture", "adaboost"),  # data
        ("k-means", "lloyd", "pca"),  # a title
        ("huygens", "lloyd", "pca"),  # who proved it
    ],
)
async def test_typing_filters_by_title_family_theorem_and_data(typed: str, there: str, not_there: str) -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press(*("space" if c == " " else "minus" if c == "-" else c for c in typed))
        assert there in listed(pilot)
        assert not_there not in listed(pilot)
        await pilot.press("escape")
        assert tuple(listed(pilot)) == names()


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
        await until(pilot, lambda: "No algorithm has 'lloydx'" in text(pilot, "#about"))
        assert f"0 of {len(names())}" in str(pilot.app.screen.query_one("#filter", Static).render())
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, CatalogueScreen)
        await pilot.press("backspace", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert pilot.app.screen.loaded.algorithm is find("lloyd")  # type: ignore[attr-defined]


async def test_q_quits_while_nothing_is_typed_and_is_a_letter_afterwards() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await pilot.press(*"squ")
        await pilot.press("backspace", "backspace", "q")
        assert pilot.app.is_running
        assert "stochastic_gradient" in listed(pilot)  # least squares
        await pilot.press("escape", "slash", "q")  # what begins with q
        assert pilot.app.is_running
        await pilot.press("backspace", "q")
        assert not pilot.app.is_running


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


@pytest.mark.parametrize("size", SIZES)
async def test_one_finds_ones_way_among_sixty(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    sixty = plant(monkeypatch)
    async with IterscopeApp().run_test(size=size) as pilot:
        await opened(pilot)
        assert tuple(listed(pilot)) == sixty
        await pilot.press("end")
        assert current(pilot) == sixty[-1]
        await pilot.press(*"randomforest")
        assert listed(pilot) == []
        await pilot.press("escape", *"random", "space", *"forest")
        assert listed(pilot) == ["random_forest"]
        await until(pilot, lambda: "Random forest" in text(pilot, "#about"))
        await pilot.press("escape", *"boosting")
        assert {"adaboost", "gradient_boosting", "logit_boost"} <= set(listed(pilot))
        names = pilot.app.screen.query_one("#names", OptionList)
        room = names.scrollable_content_region.width
        assert all(len(str(option.prompt)) <= room for option in names.options)
