"""Seen, or not drawn: a run of the catalogue is on the screen as far as one has been, until one asks for all of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows
from tests.tui.pilot import SIZES, stage, text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.widgets.column import Column
from tui.widgets.track import Track

DOTS = "· · · ·"


def app(steps: int = 12, at: int = 0, spec: str = "", whole: bool = False) -> IterscopeApp:
    loaded = LoadedRun.checked(TINY, Rows(), {"steps": steps}, spec)
    return IterscopeApp(loaded, at=at, whole=whole)


def note_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have every step noted that the generator of the tiny algorithm makes."""
    made: list[int] = []
    run = TINY.run

    def noted(*arguments: Any, **named: Any) -> Iterator[Any]:
        for state in run(*arguments, **named):
            made.append(state.t)
            yield state

    monkeypatch.setattr(TINY, "run", noted)
    return made


def shown_at(pilot: Pilot[None], words: str) -> Callable[[], bool]:
    """Whether the header ends with the place that is said."""
    return lambda: text(pilot, "#header").rstrip().endswith(words)


def chart_of(pilot: Pilot[None]) -> tuple[Any, Canvas]:
    """The chart of the column, and the canvas on which it is."""
    column = stage(pilot).query_one(Column)
    canvas = Canvas(column.size.width, column.size.height, column.palette.panel, column.palette.ink)
    column.paint(canvas)
    return column._drawn[0], canvas


def curve_steps(pilot: Pilot[None]) -> dict[int, int]:
    """The steps at which the chart has a dot of a curve or its mark, each with its ink there."""
    drawn, canvas = chart_of(pilot)
    chart = drawn.chart
    steps: dict[int, int] = {}
    rows = range(drawn.rows.start, drawn.rows.stop)
    for t in range(round(chart.x_axis.last) + 1):
        x = drawn.left + chart.column(t)
        for row in rows:
            glyph = int(canvas.glyphs[row, x])
            if 0x2800 < glyph < 0x2900 or chr(glyph) in "●■◆▲":
                steps[t] = int(canvas.ink[row, x])
    return steps


@pytest.mark.parametrize("size", SIZES)
async def test_at_first_there_is_no_curve_no_total_and_no_end(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.pause(0.3)  # time in which a run that is looked ahead of would have been computed
        assert len(stage(pilot).player.timeline) == 1
        header, side, track = (text(pilot, name) for name in ("#header", "#side", "#track"))
        assert not {"of", "ended", "computed", "so far"} & set(header.replace(",", "").split("step")[-1].split())
        assert "drawn as it is seen" in " ".join(side.replace("│", " ").split())
        assert "→" not in side, "the keys are in their line: where a question stands this one does nothing"
        assert DOTS in track
        assert not set("━─┳┬") & set(track.splitlines()[0].replace("┳", "", 1))  # the one is where the cursor is
        assert list(curve_steps(pilot)) == [0]


async def test_a_curve_goes_as_far_as_one_has_been_and_what_was_seen_is_half_as_strong() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right", "right")
        await until(pilot, shown_at(pilot, "step 3"))
        assert list(curve_steps(pilot)) == [0, 1, 2, 3]
        await pilot.press("left")
        await until(pilot, shown_at(pilot, "step 2, seen to 3"))
        inks = curve_steps(pilot)
        assert list(inks) == [0, 1, 2, 3]
        own, palette = inks[1], stage(pilot).query_one(Column).palette
        bright, dim, ground = (
            np.array([ink >> 16, ink >> 8 & 255, ink & 255]) for ink in (own, inks[3], palette.panel)
        )
        assert np.abs(dim - (bright * 0.45 + ground * 0.55)).max() <= 1
        assert "to come" not in text(pilot, "#side")
        assert stage(pilot).query_one(Track)._rows.end == 10


async def test_nothing_is_computed_past_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = note_steps(monkeypatch)
    async with app(steps=1_000).run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right")
        await until(pilot, shown_at(pilot, "step 2"))
        await pilot.press("left", "left", "right")
        await until(pilot, shown_at(pilot, "step 1, seen to 2"))
        await pilot.pause(0.3)
        assert max(made) == 2
        await pilot.press("g", *"7", "enter")
        await until(pilot, shown_at(pilot, "step 7"))
        assert max(made) == 7


@pytest.mark.parametrize("key", ["r", "end"])
async def test_the_end_shows_all(key: str) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press(key)
        await until(pilot, shown_at(pilot, "step 12 of 12, ended"))
        await pilot.press("home")
        await until(pilot, shown_at(pilot, "step 0 of 12, computed"))
        assert max(curve_steps(pilot)) == 12
        assert "·" not in text(pilot, "#track")


async def test_the_key_shows_all_and_hides_what_comes() -> None:
    async with app().run_test(size=(160, 48)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right")
        await until(pilot, shown_at(pilot, "step 2"))
        await pilot.press("V")
        await until(pilot, shown_at(pilot, "step 2 of 12, computed"))
        await until(pilot, lambda: "V hides what comes" in text(pilot, "#narration"))
        assert max(curve_steps(pilot)) == 12
        await pilot.press("V")
        await until(pilot, shown_at(pilot, "step 2"))
        await until(pilot, lambda: "V shows all" in text(pilot, "#narration"))
        assert list(curve_steps(pilot)) == [0, 1, 2]
        assert DOTS in text(pilot, "#track")


async def test_one_who_prepared_hides_what_was_seen_to_its_end() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("r")
        await until(pilot, shown_at(pilot, "step 12 of 12, ended"))
        await pilot.press("V")
        await until(pilot, lambda: "nothing comes after it" in text(pilot, "#narration"))
        await pilot.press("home", "V")
        await until(pilot, shown_at(pilot, "step 0"))
        assert list(curve_steps(pilot)) == [0]
        await pilot.press("right")
        await until(pilot, shown_at(pilot, "step 1"))
        await pilot.press("end")
        await until(pilot, shown_at(pilot, "step 12 of 12, ended"))


async def test_an_event_ahead_is_found_and_what_was_passed_over_counts_as_seen() -> None:
    async with app(steps=1_000).run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("n")
        await until(pilot, shown_at(pilot, "step 5"))
        assert stage(pilot).player.timeline.last == 5  # what was computed beyond it on the way is not to be seen
        assert list(curve_steps(pilot)) == [0, 1, 2, 3, 4, 5]


async def test_a_step_that_is_asked_for_has_been_seen() -> None:
    async with app(at=4).run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 4"))
        await pilot.press("left")
        await until(pilot, shown_at(pilot, "step 3, seen to 4"))


@pytest.mark.parametrize(("spec", "whole"), [("mine.py", False), ("", True)])
async def test_what_is_a_reader_s_own_and_what_was_asked_for_whole_is_shown_whole(spec: str, whole: bool) -> None:
    async with app(spec=spec, whole=whole).run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0 of 12, computed"))


async def test_a_theorem_s_page_shows_no_more() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right", "enter")
        await until(pilot, lambda: "step 2" in text(pilot))
        assert "of 12" not in text(pilot)
        assert "step 2 of" not in text(pilot)
        await pilot.press("right")
        await until(pilot, lambda: "step 3" in text(pilot))


async def test_a_fork_is_seen_as_far_as_one_has_been_in_it() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right", "right", "left")
        await until(pilot, shown_at(pilot, "step 2, seen to 3"))
        session = stage(pilot).session
        from algorithms.timeline.branches import Change

        session.fork(2, Change(parameters={"eta": 0.2}))
        await until(pilot, shown_at(pilot, "step 2"))
        assert [branch.timeline.last for branch in session.branches.all] == [3, 2]
        assert DOTS in text(pilot, "#track")
        await pilot.press("tab")
        await until(pilot, shown_at(pilot, "step 2, seen to 3"))


async def test_runs_beside_each_other_are_shown_whole_and_afterwards_each_as_it_was() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right", "V", "V")
        await until(pilot, shown_at(pilot, "step 2"))
        home = stage(pilot)
        home.compare_with([LoadedRun.checked(TINY, Rows(), {"steps": 12, "eta": 0.2}).timeline()])
        await until(pilot, lambda: home.player.timeline.stopped is not None)
        await until(pilot, lambda: "of 12" in text(pilot))
        await pilot.press("c")
        await until(pilot, lambda: pilot.app.screen is home)
        await until(pilot, shown_at(pilot, "step 2"))


async def test_other_parameters_are_seen_as_far_as_one_was(tmp_path: Path) -> None:
    async with app(steps=40).run_test(size=(120, 36)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right", "right")
        await until(pilot, shown_at(pilot, "step 3"))
        screen = stage(pilot)
        screen._start_over(LoadedRun.checked(TINY, Rows(), {"steps": 40, "eta": 0.2}), 3)
        await until(pilot, shown_at(pilot, "step 3"))
        assert len(screen.player.timeline) == 4


@pytest.mark.parametrize("hidden", [True, False])
async def test_a_session_keeps_how_far_it_was_seen_and_one_of_before_is_whole(tmp_path: Path, hidden: bool) -> None:
    from algorithms import find
    from algorithms.saving.session import Opening, read_session, write_session

    file = tmp_path / "lloyd.json"
    async with IterscopeApp(LoadedRun.usual(find("lloyd")), whole=False).run_test(size=(120, 36)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("right", "right", "right", "left")
        await until(pilot, shown_at(pilot, "step 2, seen to 3"))
        assert stage(pilot).session.save(file, {})
    if not hidden:
        saved = read_session(file)
        view = {name: value for name, value in saved.view.items() if name != "hidden"}
        write_session(replace(saved, view=view), file, overwrite=True)
    async with IterscopeApp(session=Opening(file), whole=False).run_test(size=(120, 36)) as pilot:
        if hidden:
            await until(pilot, shown_at(pilot, "step 2, seen to 3"))
        else:
            await until(pilot, lambda: "ed" in text(pilot, "#header") and "step 2 of" in text(pilot, "#header"))
            await until(pilot, lambda: "computed" in text(pilot, "#header"))


@pytest.mark.parametrize("size", SIZES)
async def test_help_says_what_is_not_drawn_and_how_it_is_shown(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        await pilot.press("question_mark")
        await until(pilot, lambda: "not seen yet: V shows all" in text(pilot, "#help"))
        await pilot.press("pagedown")
        await until(pilot, lambda: "show, hide" in text(pilot, "#help"))


async def test_charts_have_room_that_does_not_change_at_every_step() -> None:
    async with app(steps=40).run_test(size=(100, 30)) as pilot:
        await until(pilot, shown_at(pilot, "step 0"))
        ends: list[float] = []
        for t in range(1, 13):
            await pilot.press("right")
            await until(pilot, shown_at(pilot, f"step {t}"))
            ends.append(chart_of(pilot)[0].chart.x_axis.last)
        assert ends == [10] * 9 + [20] * 3
