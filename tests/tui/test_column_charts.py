"""The charts beside the stage under the mouse and the keys: zoom, pan, read, go there; what is along, logarithms."""

import json
from pathlib import Path

import numpy as np
import pytest
from textual import events
from textual.binding import Binding
from textual.pilot import Pilot

from algorithms import Opening, find
from algorithms.core import Refused, Table
from algorithms.playback.cursor.coordinates import Spent
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import app, at, stage, text, until
from tui.app import IterscopeApp
from tui.paint.x_axis import XAxis
from tui.screens.stage import charting
from tui.screens.theorem import TheoremScreen
from tui.sections.column.layout import slots
from tui.widgets.column import Column
from tui.widgets.column_charts import SideChart, head


def column(pilot: Pilot[None]) -> Column:
    return stage(pilot).query_one(Column)


def drawn(pilot: Pilot[None]) -> SideChart:
    return column(pilot)._drawn[0]


def seen(pilot: Pilot[None]) -> XAxis:
    return drawn(pilot).chart.x_axis


def cell(pilot: Pilot[None], t: int, row: int = 4) -> tuple[int, int]:
    """The cell of a step on the chart."""
    return 1 + drawn(pilot).chart.column(t), drawn(pilot).slot.top + row


def wheel(pilot: Pilot[None], cell: tuple[int, int], turns: int) -> None:
    """Turn the wheel, up where the turns are above 0."""
    x, y = (column(pilot).region.x + cell[0], column(pilot).region.y + cell[1])
    kind = events.MouseScrollUp if turns > 0 else events.MouseScrollDown
    for _ in range(abs(turns)):
        pilot.app.screen._forward_event(kind(None, x, y, 0, 0, 0, False, False, False, screen_x=x, screen_y=y))


async def ended(pilot: Pilot[None]) -> None:
    """All of the run is on the chart, and its first step is shown."""
    await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
    await pilot.press("end", "home")
    await until(pilot, at(pilot, 0))
    await until(pilot, lambda: seen(pilot).last == stage(pilot).player.timeline.last)


@pytest.mark.parametrize("size", [(160, 48), (100, 30)])
async def test_the_wheel_zooms_about_the_pointer_dragging_pans_and_w_shows_the_whole(size: tuple[int, int]) -> None:
    async with app(steps=200).run_test(size=size) as pilot:
        await ended(pilot)
        whole = text(pilot, "#side")
        place = cell(pilot, 100)
        await pilot.mouse_down("#side", offset=place)
        await pilot.mouse_up("#side", offset=(place[0] - 5, place[1]))
        screen = pilot.app.screen
        x, y = column(pilot).region.x + place[0] - 5, column(pilot).region.y + place[1]
        screen._forward_event(events.Click(column(pilot), x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y))
        await pilot.pause()
        assert stage(pilot).player.t == 0, "nor does one where all is seen"
        under = drawn(pilot).step(place[0])
        wheel(pilot, place, 6)
        await until(pilot, lambda: "zoomed, w: whole" in text(pilot, "#side"))
        await until(pilot, lambda: seen(pilot).last - seen(pilot).first < 80)
        assert abs(drawn(pilot).step(place[0]) - under) <= 3
        first, last = seen(pilot).first, seen(pilot).last

        await pilot.mouse_down("#side", offset=place)
        await pilot.hover("#side", offset=(place[0] - 5, place[1]))
        await until(pilot, lambda: seen(pilot).first > first)
        await pilot.mouse_up("#side", offset=(place[0] - 5, place[1]))
        assert seen(pilot).last - seen(pilot).first == last - first
        await pilot.pause()
        assert stage(pilot).player.t == 0, "a drag goes to no step"

        step = drawn(pilot).step(place[0])
        await pilot.click("#side", offset=place)
        await until(pilot, at(pilot, step))
        assert seen(pilot).last - seen(pilot).first == last - first, "the part stays"

        await pilot.press("z")
        await until(pilot, lambda: "zoomed" in text(pilot, "#stage"))
        await pilot.press("w")
        await until(pilot, lambda: "zoomed" not in text(pilot, "#stage"))
        assert "zoomed" in text(pilot, "#side"), "what was zoomed last is whole first"
        await pilot.press("w", "home")
        await until(pilot, at(pilot, 0))
        await pilot.hover("#header")
        await until(pilot, lambda: text(pilot, "#side") == whole)
        await pilot.press("z")
        wheel(pilot, place, 1)
        await until(pilot, lambda: "zoomed" in text(pilot, "#side") and "zoomed" in text(pilot, "#stage"))
        await pilot.press("w")
        await until(pilot, lambda: "zoomed" not in text(pilot, "#side"))
        assert "zoomed" in text(pilot, "#stage")


async def test_hovering_reads_the_curves_and_changes_nothing_else() -> None:
    async with app(steps=200).run_test(size=(120, 40)) as pilot:
        await ended(pilot)
        before = column(pilot).cells
        assert before is not None
        x, y = cell(pilot, 100)
        await pilot.hover("#side", offset=(x, y))
        step = drawn(pilot).step(x)
        await until(pilot, lambda: f" step {step} " in text(pilot, "#side"))
        curve = drawn(pilot).curves[0]
        assert abs(curve.t[step] - step) == 0
        glyphs, now = before[0], column(pilot).cells
        assert now is not None
        rows, columns = np.nonzero(glyphs != now[0])
        (ticks,) = {int(row) for row, column in zip(rows, columns) if column != x}
        assert "200" in "".join(map(chr, glyphs[ticks])), "the label stands in place of the ticks"
        await pilot.hover("#stage")
        await until(pilot, lambda: column(pilot).cells is not None and bool((column(pilot).cells[0] == glyphs).all()))  # type: ignore[index]


async def test_along_the_chart_stand_steps_iterations_or_time_and_the_axis_says_so() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await ended(pilot)
        await pilot.press("end")
        await until(pilot, at(pilot, 30))
        assert " step " in text(pilot, "#side")
        await pilot.press("j")
        await until(pilot, lambda: "along iteration" in text(pilot, "#side"))
        assert (seen(pilot).first, seen(pilot).last) == (0, 6)
        await pilot.click("#side", offset=cell(pilot, 2))
        await until(pilot, lambda: stage(pilot).player.timeline.iteration_starts()[2] == stage(pilot).player.t)
        await pilot.press("j")
        await until(pilot, lambda: "s of processor time" in text(pilot, "#side"))
        await until(pilot, lambda: not column(pilot).coordinate.lags)  # type: ignore[union-attr]
        await pilot.pause(0.1)
        chart = drawn(pilot)
        places = column(pilot).coordinate.of(chart.curves[0].t)  # type: ignore[union-attr]
        assert 0 < places[-1] <= seen(pilot).last
        await pilot.hover("#side", offset=(1 + chart.chart.column(float(places[20])), 4))
        await until(pilot, lambda: "s, step " in text(pilot, "#side"))
        await pilot.press("j")
        await until(pilot, lambda: " step " in text(pilot, "#side"))


async def test_where_steps_take_long_they_are_timed_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charting, "SLOW", -1.0)
    async with app().run_test(size=(120, 40)) as pilot:
        await ended(pilot)
        await pilot.press("j", "j")
        await until(pilot, lambda: isinstance(column(pilot).coordinate, Spent) and not column(pilot).coordinate.lags)  # type: ignore[union-attr]
        await until(pilot, lambda: not stage(pilot).session.access.busy)
        await pilot.press("right")
        await until(pilot, at(pilot, 1))


async def test_what_cannot_be_timed_is_said_and_shown_along_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(run: object) -> None:
        raise Refused("its steps cannot be timed one by one.")

    monkeypatch.setattr(charting, "Spent", refuse)
    async with app().run_test(size=(120, 40)) as pilot:
        await ended(pilot)
        await pilot.press("j", "j")
        await until(pilot, lambda: "cannot be timed one by one" in text(pilot, "#narration"))
        assert " step " in text(pilot, "#side")


def test_the_chart_in_hand_has_the_rows_that_it_wants() -> None:
    table = ("numbers", Table(columns=("a",), rows=(("x",),)))
    tall = slots(35, 0, 0, 1, 0, (table,), (8, 10, 12), (9, 25))
    assert [slot.rows for slot in tall if slot.kind == "curves"] == [35 - 2 - 9 - 3 + 1]
    crowded = slots(35, 0, 0, 1, 0, (table,), (20, 30, 30))
    assert crowded[0].rows == 17, "thirteen of the plot, with legend, ticks and frame"
    assert [slot.rows for slot in slots(18, 1, 0, 3, 0, (), (2, 2, 2), (9, 17))] == [9, 9]
    assert [slot.rows for slot in slots(18, 1, 0, 3, 0, (), (2, 2, 2), (13, 17))] == [17], "five curves need a legend"
    assert [slot.kind for slot in slots(1, 1, 0, 3, 0, (), (0, 0, 0), (1, 1))] == ["curves"], "a window one row high"


async def test_a_curve_with_a_variable_of_its_own_is_drawn_along_that_first_and_along_steps_when_asked() -> None:
    async with IterscopeApp(LoadedRun.usual(find("nearest_neighbours"))).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await until(pilot, lambda: "along k" in text(pilot, "#side"))
        await pilot.press("j")
        await until(pilot, lambda: " step " in text(pilot, "#side"))
        assert "along k" not in text(pilot, "#side")
        await pilot.press("j", "j", "j")
        await until(pilot, lambda: "along k" in text(pilot, "#side"))


async def test_values_are_logarithmic_or_not_and_the_notice_says_what_has_no_logarithm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with IterscopeApp(LoadedRun.usual(find("gaussian_mixture"))).run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await pilot.press("k")
        await until(pilot, lambda: "none of its values is above 0" in text(pilot, "#narration"))
        assert "logarithmic" not in text(pilot, "#side").splitlines()[0]
        assert "between them: " not in text(pilot, "#side"), "no theorem has said yet which one is not above the other"
        await pilot.press("right")
        await until(pilot, lambda: "between them: " in text(pilot, "#side"))
        assert '0 at each "expect"' in text(pilot, "#side")
        await pilot.press("end")
        await until(pilot, lambda: stage(pilot).player.t == stage(pilot).player.timeline.last)
        await pilot.press("home")
        await until(pilot, at(pilot, 0))
        assert "■ mean log-likelihood -3.280" in text(pilot, "#side"), "as at later steps"
        await pilot.press("x")
        await until(pilot, lambda: "gap, logarithmic" in text(pilot, "#side"))
        await pilot.press("k")
        await until(pilot, lambda: "gap, logarithmic" not in text(pilot, "#side"))
        assert "above 0" not in text(pilot, "#narration")
        await pilot.press("j")
        wheel(pilot, cell(pilot, 8), 3)
        await until(pilot, lambda: "zoomed" in text(pilot, "#side"))
        part, shown = seen(pilot), text(pilot, "#side")
        stage(pilot).session.save(tmp_path / "a.json", stage(pilot).view_now())
    kept = json.loads((tmp_path / "a.json").read_text())["view"]["side"]
    assert kept["along"] == "iteration"
    assert kept["logarithmic"] == {"gap": False}
    async with IterscopeApp(session=Opening("a.json")).run_test(size=(160, 48)) as pilot:
        await until(pilot, lambda: "zoomed" in text(pilot, "#side"))
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await until(pilot, lambda: seen(pilot) == part)
        assert shown.splitlines()[0] == text(pilot, "#side").splitlines()[0]


async def test_some_values_without_a_logarithm_are_a_gap_and_are_counted() -> None:
    async with app(eta=0.5).run_test(size=(120, 40)) as pilot:
        await ended(pilot)
        await pilot.press("k")
        await until(pilot, lambda: "30 of 31 values of f have no logarithm" in text(pilot, "#narration"))
        assert ", logarithmic" in text(pilot, "#side")


def test_the_opened_theorem_has_the_same_key_for_logarithms() -> None:
    bindings = [binding for binding in TheoremScreen.BINDINGS if isinstance(binding, Binding)]
    assert {key for b in bindings if b.action == "log" for key in b.key.split(",")} == {"l", "k"}


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (50, ("error along degree", "zoomed   x: 1 of 5")),
        (33, ("error along degree", "zoomed   x: 1/5")),
        (23, ("error", "zoomed   x: 1 of 5")),
        (20, ("error", "zoomed   x: 1/5")),
        (12, ("error", "zoomed")),
        (10, ("error along degree", "")),
    ],
)
def test_a_title_gives_way_to_the_key_that_shows_the_next_chart(cells: int, shown: tuple[str, str]) -> None:
    titles = ["error along degree", "error"]
    assert head(titles, ["zoomed", "x: 1 of 5"], lambda title: cells - len(title)) == shown


async def test_what_is_along_a_chart_is_named_before_its_numbers_and_not_beside_the_next_title() -> None:
    async with IterscopeApp(LoadedRun.usual(find("bayesian_linear_regression"))).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "deviation, log" in text(pilot, "#side"))
        shown = text(pilot, "#side").splitlines()
        title = next(i for i, line in enumerate(shown) if "deviation, log" in line)
        assert shown[title].startswith("├─ deviation, log")
        assert "step" not in shown[title]
        assert shown[title - 1].split()[:3] == ["│", "step", "0"]


async def test_what_a_narrow_chart_is_along_is_named_before_its_numbers_whatever_it_is() -> None:
    async with IterscopeApp(LoadedRun.usual(find("pegasos"))).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: " step " in text(pilot, "#side"))
        for names in (("iter.",), ("s", "ms", "µs", "ns")):
            await pilot.press("j")
            await until(pilot, lambda names=names: text(pilot, "#side").splitlines()[-2].split()[1] in names)
            assert "objective, log   x: 1 of 5" in text(pilot, "#side")


async def test_a_chart_that_is_not_on_the_screen_is_not_changed_and_the_notice_says_why() -> None:
    async with IterscopeApp(LoadedRun.usual(find("pegasos"))).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "objective, log" in text(pilot, "#side"))
        words = "there is no chart on the screen: 1 shows the curves"
        for key in "jk":
            await pilot.press("2")
            await until(pilot, lambda: "objective, log" not in text(pilot, "#side"))
            await pilot.press(key)
            await until(pilot, lambda: words in " ".join(text(pilot, "#narration").split()))
            await pilot.press("1")
            await until(pilot, lambda: "objective, log" in text(pilot, "#side") and " step " in text(pilot, "#side"))
        assert column(pilot).along == "own"
        await pilot.press("k")
        await until(pilot, lambda: "objective, log" not in text(pilot, "#side"))
