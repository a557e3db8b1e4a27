"""A cell of a notebook: a run as the page that `e` writes, in a frame of its own; a frame as a still."""

import asyncio
import pickle
import re
from xml.etree import ElementTree

import pytest

import tui
from algorithms import Branches, Change, Comparison, Refused, Timeline
from algorithms.core.painter import painter
from tests.tiny import TINY, Rows
from tests.tui.page import document, hostile, page_in
from tui import show
from tui.notebook import USUAL

SIZE = (80, 24)


def tiny(**parameters: object) -> Timeline:
    return Timeline(TINY, Rows().load(), parameters)


def test_a_cell_shows_the_page_of_a_run_as_far_as_it_has_come() -> None:
    run = tiny(steps=40)
    run.advance(6)
    cell = show(run, size=SIZE)
    assert repr(cell) == "steps 0 to 5"
    held = document(page_in(cell._repr_html_()))
    assert [step[0] for step in held["steps"]] == [0, 1, 2, 3, 4, 5]
    assert held["size"] == [80, 23]
    assert run.last == 5, "what is shown runs no further"


def test_a_run_is_advanced_to_the_step_that_is_asked_for() -> None:
    run = tiny(steps=40)
    told: list[float] = []
    cell = show(run, steps=3, size=SIZE, watch=told.append)
    assert (run.last, repr(cell)) == (3, "steps 0 to 3")
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(Refused, match="a page has 1,000 steps at most"):
        show(run, steps=1000)
    with pytest.raises(Refused, match="a page of 20x10 cells will not do"):
        show(run, size=(20, 10))


def test_a_long_run_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.notebook.USUAL", 4)
    run = tiny(steps=12).run()
    assert repr(show(run, size=SIZE)) == "steps 0 to 4 of 12; show(run, steps=12) has more"
    assert USUAL == 100


def test_what_a_cell_ends_with_is_shown_also_within_a_loop() -> None:
    run = tiny(steps=3).run()

    async def ended() -> str | None:
        return run._repr_html_()

    html = asyncio.run(ended())
    assert html is not None
    assert len(document(page_in(html))["steps"]) == 4


def test_branches_are_tabs_and_a_comparison_stands_side_by_side() -> None:
    runs = Branches(tiny(steps=6).run())
    fork = runs.fork(runs.root, 2, Change(parameters={"eta": 0.3}))
    fork.timeline.run()
    html = runs._repr_html_()
    assert html is not None
    names = [document(page_in(html), which)["name"] for which in (0, 1)]
    assert names == [branch.name for branch in runs.all]
    compared = Comparison(runs.root.timeline, fork.timeline)
    compared.work()
    html = compared._repr_html_()
    assert html is not None
    held = document(page_in(html))
    assert held["steps"][-1][0] == 6
    assert "B" in "".join(held["texts"][1])


def test_nothing_is_run_to_be_shown() -> None:
    run = tiny(steps=6)
    assert run._repr_html_() is None
    assert repr(run) == "<Timeline of tiny on two rows: not begun, advance(n) or run() does>"
    assert len(run) == 0
    assert Comparison(run, tiny(steps=6))._repr_html_() is None
    assert repr(run.run()) == "<Timeline of tiny on two rows: steps 0 to 6, ended>"


def test_a_frame_is_a_still_without_fonts_from_elsewhere() -> None:
    run = tiny(steps=40).run()
    frame = run[5]
    assert repr(frame) == "<Frame 5 of tiny on two rows: kick, iteration 1>"
    picture = frame._repr_svg_()
    assert picture is not None
    drawn = ElementTree.fromstring(picture)
    words = [(element.text or "") for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "step" in " ".join(words)
    assert "5 of 40" in " ".join(words)
    assert not re.findall(r"url\(|@import|href|<style|<script", picture)
    assert {element.get("fill") for element in drawn.iter("{http://www.w3.org/2000/svg}rect")} > {"#fcfcfd"}


def test_a_frame_is_pickled_without_its_run() -> None:
    frame = Timeline("lloyd", "faithful", {"k": 3}).run()[2]
    again = pickle.loads(pickle.dumps(frame))
    assert (again.t, again.run, again._repr_svg_()) == (2, None, None)
    assert repr(again) == "<Frame 2 of LloydState: update, iteration 1>"
    assert len(pickle.dumps(frame)) < 10_000


def test_hostile_words_leave_neither_frame_nor_still() -> None:
    run = hostile().timeline()
    run.advance(4)
    html = show(run)._repr_html_()
    assert len(re.findall("<", html)) == len(re.findall("<", "<iframe></iframe><div></div>"))
    picture = run[2]._repr_svg_()
    assert picture is not None
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()}
    assert names == {"svg", "title", "g", "rect", "text"}


def test_an_error_of_who_watches_ends_it() -> None:
    def tired(share: float) -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        show(tiny(steps=3).run(), size=SIZE, watch=tired)


def test_show_is_imported_when_it_is_asked_for() -> None:
    assert tui.show is show
    assert painter().show is show
    with pytest.raises(AttributeError, match="module 'tui' has no attribute 'nothing'"):
        _ = tui.nothing  # type: ignore[attr-defined]
