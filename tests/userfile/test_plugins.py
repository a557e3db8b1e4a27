"""Algorithms of other distributions: in the catalogue under their names, opened apart, and no end when one fails."""

import os

import pytest

from algorithms.conformance.checking import checked
from algorithms.userfile import load_userfile, plugins as room
from algorithms.userfile.plugins import Plugin, own_spec
from tests.documents import ROOT
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen

DEMO = ROOT / "demos/plugin"
HERE = Plugin("geometric_median", "geometric_median:ALGORITHM", "iterscope-geometric-median 1.0")
BROKEN = Plugin("broken", "no_such_module:ALGORITHM", "iterscope-broken 0.1")


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(DEMO), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.syspath_prepend(str(DEMO))
    monkeypatch.setattr(room, "plugins", lambda: (HERE, BROKEN))


def test_the_one_in_the_demos_keeps_to_what_all_do() -> None:
    wrong = [outcome for outcome in checked(load_userfile(str(DEMO / "geometric_median.py"))) if outcome.wrong]  # type: ignore[arg-type]
    assert wrong == []
    lines = (DEMO / "geometric_median.py").read_text().splitlines()
    assert len([line for line in lines if line.strip()]) <= 90


@pytest.mark.usefixtures("announced")
def test_a_name_is_ours_first_then_another_distributions_else_what_was_typed() -> None:
    assert own_spec("lloyd") == "lloyd"
    assert own_spec("geometric_median") == HERE.spec
    assert own_spec("geometric_medium") == "geometric_medium"
    assert own_spec("mine.py") == "mine.py"


@pytest.mark.usefixtures("announced")
async def test_the_catalogue_lists_it_under_its_distribution_and_opens_it() -> None:
    async with IterscopeApp().run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "geometric median" in listed(pilot))
        assert "From iterscope-geometric-median" in listed(pilot)
        await pilot.press(*"geom")
        await until(pilot, lambda: "iterscope-geometric-median 1.0 has it" in text(pilot, "#about"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: "Geometric median" in text(pilot, "#header"))
        await pilot.press("right")
        await until(pilot, lambda: "Near rows pull more" in text(pilot, "#narration"))


@pytest.mark.usefixtures("announced")
async def test_one_that_fails_is_a_sentence_in_the_catalogue_and_no_end() -> None:
    async with IterscopeApp().run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "broken" in listed(pilot))
        await pilot.press(*"brok", "enter")
        await until(pilot, lambda: "no_such_module" in text(pilot, "#preview"))
        await pilot.press("escape", "down")
        await until(pilot, lambda: "geometric median" in listed(pilot))


def listed(pilot) -> str:
    names = pilot.app.screen.query_one("#names")
    return "\n".join(str(names.get_option_at_index(i).prompt) for i in range(names.option_count))
