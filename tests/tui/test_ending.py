"""The end says what it leaves open, and what to try next, which a key opens."""

import pytest

from algorithms import datasets, find, names
from algorithms.data.recipe import Recipe
from algorithms.playback.runs.first_screen import ask_for
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import parsed
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen


@pytest.mark.parametrize("size", [(160, 48), (120, 36), (80, 24)])
async def test_the_end_leaves_something_open_and_a_key_tries_it(size: tuple[int, int]) -> None:
    async with IterscopeApp(LoadedRun.usual(find("lloyd"))).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("T")
        await until(pilot, lambda: "where a run has ended" in text(pilot, "#narration"))
        assert stage(pilot).player.t == 0
        await pilot.press("end")
        await until(pilot, lambda: "Try next" in text(pilot, "#narration"))
        shown = " ".join(text(pilot, "#narration").split())
        assert "The end: " in shown
        assert ("No theorem says that this minimum is the least." in shown) == (size[0] >= 120)
        assert "Try next: T start elsewhere, U two clusters." in shown
        first = stage(pilot)
        await pilot.press("U")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and pilot.app.screen is not first)
        await until(pilot, at(pilot, 0))
        assert stage(pilot).player.timeline.problem.parameters.k == 2


async def test_what_would_give_the_run_in_hand_is_not_offered_and_its_key_says_so() -> None:
    bayes = find("naive_bayes")
    run = LoadedRun.checked(bayes, bayes.datasets[0], {"smoothing": 0})
    async with IterscopeApp(run).run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("end")
        await until(pilot, lambda: "Try next: U bells for penguins." in text(pilot, "#narration"))
        first = stage(pilot)
        await pilot.press("T")
        await until(pilot, lambda: "no count lent: this is the run in hand already" in text(pilot, "#narration"))
        assert pilot.app.screen is first
    votes = find("majority_vote")
    async with IterscopeApp(LoadedRun.usual(votes)).run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("end")
        await until(pilot, lambda: "Try next: T p = 0.6, U voters err together." in text(pilot, "#narration"))
        first = stage(pilot)
        await pilot.press("U")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and pilot.app.screen is not first)
        await until(pilot, at(pilot, 0))
        await pilot.press("end")
        await until(pilot, lambda: "Try next: T p = 0.6." in text(pilot, "#narration"))


def test_a_run_is_the_one_asked_for_by_its_data_and_the_parameters_that_have_an_effect() -> None:
    def asked(words: str, data: Recipe, **parameters: object) -> bool:
        one = find("pca")
        return ask_for(parsed(["pca", *words.split()]), LoadedRun.checked(one, data, parameters))

    usual, iris = find("pca").datasets[0], datasets.iris
    assert asked("-p centre=false", usual, centre=False)
    assert not asked("-p centre=false", usual)
    assert not asked("-p centre=false", iris, centre=False)
    assert asked("--data iris", iris)
    assert not asked("--data iris", iris, centre=False)
    kernel = find("kernel_k_means")
    linear = LoadedRun.checked(kernel, kernel.datasets[0], {"kernel": "linear", "gamma": 3.0})
    assert ask_for(parsed(["kernel_k_means", "-p", "kernel=linear"]), linear)


@pytest.mark.parametrize("name", names())
def test_every_algorithm_leaves_something_open_and_has_two_things_to_try_in_one_row(name: str) -> None:
    one = find(name)
    assert one.leaves_open.endswith(".")
    assert len(one.tries) == 2
    first, second = (words for words, _ in one.tries)
    assert len(f"Try next: T {first}, U {second}.") <= 64  # of 80 columns, where the phase stands before it
