"""Runs on other data: they have limits of their own, and the table says what differs."""

from algorithms import datasets, find
from algorithms.playback.comparison.compared_run import kindred
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import against
from tests.tui.compare.pilot import at
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.sections.comparison.data import OtherData, data_rows
from tui.widgets.stage import Stage


def test_data_of_other_names_have_limits_of_their_own() -> None:
    assert datasets.moons.load().features == datasets.blobs.load().features
    assert not kindred(datasets.moons.load(), datasets.blobs.load())
    assert kindred(datasets.blobs.with_(margin=0.1).load(), datasets.blobs.load())


def test_data_that_differ_are_counted_in_rows() -> None:
    first, second = OtherData("blobs, margin 0.1", 60, 2), OtherData("moons", 200, 2)
    title, words, rows, features = data_rows([first, second], apart=True)
    assert title.mark.text == "each stage has axes of its own"
    assert [cell.text for cell in words.cells] == ["blobs, margin 0.1", "moons"]
    assert [cell.text for cell in (*rows.cells, *rows.after)] == ["60", "200", "+140"]
    assert features.after[0].text == "="
    of_three = data_rows([first, second, second], apart=False)
    assert [row.name for row in of_three[1:4]] == ["A  blobs, margin 0.1", "B  moons", "C  moons"]
    assert of_three[0].mark.text == "the same axes"
    assert data_rows([], apart=False) == []


async def test_a_run_on_other_data_is_asked_for_by_what_differs_and_the_table_tells() -> None:
    opened = LoadedRun.checked(find("perceptron"), datasets.recipe("blobs").with_(n=30, margin=0.5), {})
    others = [against(opened, text).timeline() for text in ("data=blobs margin=0.2", "data=moons n=40")]
    async with IterscopeApp(opened, against=others).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0, 0))
        await until(pilot, lambda: "each stage has axes of its own" in text(pilot, "#abreast"))
        assert "C  moons, n 40" in text(pilot, "#abreast")
        assert "moons, n 40" in text(pilot, "#pane-2 PaneHeading")
        assert "blobs, margin 0.2" in text(pilot, "#pane-1 PaneHeading")
        limits = [stage.plot.limits for stage in pilot.app.screen.query(Stage) if stage.plot is not None]
        assert limits[0] == limits[1] != limits[2]
