"""The mouse names the letter, or the word of the field, that it is on, wherever that is painted."""

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from algorithms import find
from algorithms.core.glossary import meaning
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, text, until
from tui.app import IterscopeApp
from tui.screens.explaining import explained
from tui.screens.theorem import TheoremScreen


def said(words: str) -> Callable[[], str]:
    return lambda: words


LETTERS = [("μ, Σ", said("mean and covariance")), ("r_i", said("share")), ("w", said("weights")), ("a", said("?"))]


@pytest.mark.parametrize(
    ("line", "under", "words"),
    [
        ("minimise ‖w‖²", "w", "w: weights"),
        ("now or never", "w", ""),  # a part of a word
        ("w1 of the rows", "w", ""),  # the name of a column
        ("2Σμ", "μ", "μ: mean and covariance"),
        ("Σ r_ij x", "ij", "r_i: share"),
        ("a row", "a", ""),
        ("of the soft margin", "margin", "soft margin: A margin that rows may be inside of, at a price for each."),
    ],
)
def test_what_is_under_the_mouse_is_said(line: str, under: str, words: str) -> None:
    assert explained(line, line.index(under), LETTERS) == words


async def tip(pilot: Pilot[None], widget: str, words: str, under: str) -> str:
    """What the mouse says of a part of some words that a widget shows."""
    lines = text(pilot, widget).splitlines()
    row = next(i for i, line in enumerate(lines) if words in line)
    await pilot.hover(widget, offset=(lines[row].index(words) + words.index(under), row))
    return str(pilot.app.screen.query_one(widget).tooltip or "")


async def test_letters_and_words_are_named_where_they_stand() -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right")
        await until(pilot, at(pilot, 1))
        assert (await tip(pilot, "#narration", "mistakes m ≤", "m ≤")).endswith(": 0 → 1")  # before the step and after
        assert await tip(pilot, "#narration", "mistakes m ≤", "stakes") == ""
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await until(pilot, lambda: "γ" in text(pilot, "#theorem"))
        assert (await tip(pilot, "#theorem", "γ", "γ")).startswith("γ: ")


async def test_a_word_of_the_catalogue_is_explained() -> None:
    hinge = meaning("hyperplane")
    assert hinge is not None
    async with IterscopeApp().run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "hyperplane" in text(pilot, "#about"))
        assert await tip(pilot, "#about", "hyperplane", "plane") == f"{hinge.word}: {hinge.sentence}"
        assert "least" in await tip(pilot, "#about", "γ²", "γ")
