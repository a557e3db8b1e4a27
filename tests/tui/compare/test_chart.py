"""The chart of several runs: letters where runs end, held values, values at the edge, and what it is drawn along."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from textual import events
from textual.pilot import Pilot

from algorithms import datasets, find
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tests.tui.compare.pilot import at, clusterings, screen, tinies, tiny
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK, mix
from tui.paint.x_axis import steps_up_to
from tui.sections.charts import overlay
from tui.sections.charts.edge import spread
from tui.sections.charts.overlay import Abscissa, Overlay, Series
from tui.widgets.chart_and_numbers import ChartAndNumbers


def series(run: int, ends: int, value: float, cursor: float, **more: Any) -> Series:
    x = np.arange(ends + 1.0)
    values = np.linspace(value + 5.0, value, ends + 1)
    held = ends < cursor
    return Series(run, x, values, min(ends, cursor), value, ended=True, held=held, **more)


def painted(*shown: Series, cursor: float, width: int = 70, height: int = 16) -> Canvas:
    canvas = Canvas(width, height, DARK.background, DARK.ink)
    Overlay().paint(canvas, "objective", "", shown, Abscissa("step", steps_up_to(20), cursor), False, DARK)
    return canvas


def lines(canvas: Canvas) -> list[str]:
    return ["".join(map(chr, row)) for row in canvas.glyphs]


def test_a_run_that_has_ended_keeps_its_letter_at_its_last_step_and_its_line_goes_on_faintly() -> None:
    canvas = painted(series(0, 8, 2.0, 20), series(1, 20, 6.0, 20), cursor=20)
    shown = lines(canvas)
    row = next(i for i, line in enumerate(shown) if "A" in line[10:58] and i > 1)
    letter, end = shown[row].index("A", 10), shown[row].rindex("A")
    assert shown[row][end : end + 3] == "A 2"
    plot = range(letter + 1, end - 2)
    inks = {int(canvas.ink[row, c]) for c in plot if 0x2800 < canvas.glyphs[row, c] < 0x2900}
    assert inks == {mix(DARK.panel, DARK.run(0), 0.4)}
    other = next(i for i, line in enumerate(shown) if "B" in line[10:60] and i > 1)
    assert shown[other].index("B", 10) > letter + 20, "it ends where the axis does"


def test_two_runs_have_their_difference_in_the_legend_and_their_values_at_the_edge() -> None:
    shown = lines(painted(series(0, 8, 2.0, 20), series(1, 20, 6.5, 20), cursor=20))
    assert "━ A 2" in shown[1]
    assert "━ B 6.5" in shown[1]
    assert "B - A +4.5" in shown[1]
    assert any(line.rstrip("│ ").endswith("B 6.5000") for line in shown[2:])


def test_of_more_runs_the_legend_says_what_the_letters_mean_and_values_do_not_touch() -> None:
    runs = [series(i, 20 - i, value, 20) for i, value in enumerate((2.0, 2.01, 9.0, 9.001))]
    shown = lines(painted(*runs, cursor=20))
    assert "each letter stands where its run ends" in shown[1]
    at_the_edge = [line[-13:].strip(" │") for line in shown[2:]]
    edge = [words for words in at_the_edge if words and words[0] in "ABCD"]
    assert edge == ["D 9.0010", "C 9", "B 2.0100", "A 2"]
    none_has_ended = [series(i, 20, value, 3) for i, value in enumerate((2.0, 3.0, 4.0))]
    assert "each letter" not in lines(painted(*none_has_ended, cursor=3))[1]


def test_values_that_were_measured_in_another_phase_are_dim_and_say_since_when() -> None:
    now = [series(i, 8, value, 8) for i, value in enumerate((2.0, 6.5))]
    before = [series(i, 8, value, 9, held_from=8, measured=8.0) for i, value in enumerate((2.0, 6.5))]
    for runs, words, ink in ((now, False, DARK.ink), (before, True, DARK.dim)):
        runs = [replace(run, here=8.0 if not words else 9.0, held=False) for run in runs]
        canvas = painted(*runs, cursor=9 if words else 8)
        legend = lines(canvas)[1]
        assert ("held since step 8" in legend) == words
        assert int(canvas.ink[1, legend.index("6.5")]) == ink
        assert "B - A +4.5" in legend
        row = next(i for i, line in enumerate(lines(canvas)) if "6.5000" in line)
        assert int(canvas.ink[row, lines(canvas)[row].index("6.5000")]) == ink
        assert "held" not in lines(painted(*runs, cursor=9, width=46))[1], "where there is no room for it"
    other = [replace(before[0], held_from=7), before[1]]
    assert "held since step: A 7, B 8" in lines(painted(*other, cursor=9, width=100))[1]


def test_a_growing_chart_is_drawn_again_a_moment_later_and_another_runs_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(overlay, "perf_counter", lambda: now)
    shown, canvas = Overlay(), Canvas(70, 16, DARK.background, DARK.ink)
    against = Abscissa("step", steps_up_to(20), 8.0)

    def paint(value: float, ends: int) -> Any:
        run = series(0, ends, value, 8)
        return shown.paint(canvas, "objective", "", [run], against, False, DARK)

    first = paint(2.0, 8)
    assert paint(2.0, 9) is first
    assert not shown.stale, "it is not looked at again and again until then"
    now = 1.0
    assert shown.stale
    second = paint(2.0, 9)
    assert second is not first
    assert not shown.stale
    shown.forget()
    assert paint(2.0, 9) is not second


def test_a_narrow_chart_has_its_values_in_the_legend_alone() -> None:
    shown = lines(painted(series(0, 8, 2.0, 20), series(1, 20, 6.5, 20), cursor=20, width=40))
    assert "━ B 6.5" in shown[1]
    assert not any("B 6.5" in line for line in shown[2:])


@given(st.lists(st.integers(0, 11), max_size=4).map(sorted))
def test_values_at_the_edge_keep_their_order_and_rows_of_their_own(wanted: list[int]) -> None:
    rows = spread(wanted, 12)
    assert rows == sorted(set(rows))
    assert all(0 <= row < 12 for row in rows)
    assert all(abs(row - at) < 4 for row, at in zip(rows, wanted))
    if len(set(wanted)) == len(wanted):
        assert rows == wanted


def test_how_the_chart_is_looked_at_is_kept_as_far_as_it_can_be_meant() -> None:
    chart, other = ChartAndNumbers(), ChartAndNumbers()
    assert chart.kept() == {"curve": 0}
    kept = {
        "curve": 2,
        "near": True,
        "along the common axis": True,
        "fields": True,
        "logarithmic": {"f": True},
        "zoomed": {"f along step": [3.0, 9.0]},
    }
    other.restore(kept)
    assert other.kept() == kept
    other.restore({"curve": "x", "near": 3, "logarithmic": {"f": "no"}, "zoomed": [4], "fields": "yes"})
    assert other.kept()["curve"] == 0
    assert not other.near
    assert other.own
    assert "logarithmic" not in other.kept()


async def test_playing_and_running_to_the_end_stop_at_breakpoints_of_any_run_and_tell_which() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        runs = [run.timeline.run() for run in screen(pilot).compared]
        firsts = [int(t[values < 1][0]) for t, values in (run.curve("f") for run in runs)]
        screen(pilot).session.breakpoints[:] = [Breakpoint("f < 1")]
        await pilot.press("r")
        await until(pilot, at(pilot, firsts[1], firsts[1]))
        await until(pilot, lambda: "B stops where f < 1" in text(pilot, "#stories"))
        await pilot.press("plus", "plus", "space")
        await until(pilot, at(pilot, firsts[0], firsts[0]))
        await until(pilot, lambda: "A stops where f < 1" in text(pilot, "#stories"))
        assert not screen(pilot).together.playing
        await pilot.press("r")
        await until(pilot, at(pilot, runs[0].last, runs[1].last))


async def test_the_chart_is_drawn_along_what_the_runs_are_aligned_by_and_in_logarithms() -> None:
    async with clusterings().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right", "j")
        await until(pilot, lambda: "iteration →" in text(pilot, "#abreast"))
        assert "aligned by iteration" in text(pilot, "#top")
        await pilot.press("j", "j")
        await until(pilot, lambda: "step →" in text(pilot, "#abreast"))
        assert "logarithmic" not in text(pilot, "#abreast")
        await pilot.press("k")
        await until(pilot, lambda: "logarithmic" in text(pilot, "#abreast"))
        await pilot.press("k")
        await until(pilot, lambda: "logarithmic" not in text(pilot, "#abreast"))
        for _ in range(4):
            if "log-likelihood" in text(pilot, "#abreast").splitlines()[0]:
                break
            await pilot.press("x")
        await pilot.press("k")
        await until(pilot, lambda: "so no logarithm" in text(pilot, "#stories"))


async def test_a_curve_along_a_variable_of_its_own_is_drawn_along_the_steps_too() -> None:
    opened = LoadedRun.usual(find("ridge"))
    async with IterscopeApp(opened, against=[variant(opened).timeline()]).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("end")
        chart = screen(pilot).query_one(ChartAndNumbers)
        for _ in range(9):
            if chart.along_own:
                break
            await pilot.press("x")
        assert chart.along_own
        await until(pilot, lambda: " along " in text(pilot, "#abreast"))
        await pilot.press("j")
        await until(pilot, lambda: " along " not in text(pilot, "#abreast"))
        assert "step →" in text(pilot, "#abreast")


async def test_the_chart_follows_the_cursor_from_near_and_is_read_where_the_mouse_is() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r")
        await until(pilot, at(pilot, 30, 30))
        assert "│all " not in text(pilot, "#abreast")
        await pilot.press("W", "left", "left")
        await until(pilot, at(pilot, 28, 28))
        shown = text(pilot, "#abreast").splitlines()
        ticks, part = next((a, b) for a, b in zip(shown, shown[1:]) if "│all " in b)
        assert ticks.split()[1] == "14", "a step in four columns"
        assert "─━" in part
        await pilot.hover("#abreast", offset=(40, 6))
        await until(pilot, lambda: "┆" in text(pilot, "#abreast"))
        line = next(line for line in text(pilot, "#abreast").splitlines() if " step " in line and " A " in line)
        words = line.split()
        x = int(words[words.index("step") + 1])
        values = [run.timeline.curve("f")[1] for run in screen(pilot).compared]
        for letter, value in zip("AB", values):
            assert float(words[words.index(letter) + 1].replace(",", "")) == pytest.approx(value[x], rel=1e-2)
        await pilot.hover("#tracks")
        await until(pilot, lambda: "┆" not in text(pilot, "#abreast"))
        await pilot.press("u", "u", "W", "W")
        await until(pilot, lambda: "from near the chart is seen along steps" in text(pilot, "#stories"))


def wheel(pilot: Pilot[None], x: int, y: int, turns: int) -> None:
    """Turn the wheel over the chart and table, up where the turns are above 0."""
    region = screen(pilot).query_one(ChartAndNumbers).region
    place = {"screen_x": region.x + x, "screen_y": region.y + y}
    kind = events.MouseScrollUp if turns > 0 else events.MouseScrollDown
    for _ in range(abs(turns)):
        screen(pilot)._forward_event(kind(None, region.x + x, region.y + y, 0, 0, 0, False, False, False, **place))


async def test_the_wheel_zooms_the_chart_dragging_pans_it_and_w_shows_the_whole() -> None:
    async with tinies(tiny(eta=0.3, steps=200), steps=200).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r")
        await until(pilot, at(pilot, 200, 200))
        await pilot.press("home")
        await until(pilot, at(pilot, 0, 0))
        chart = screen(pilot).query_one(ChartAndNumbers)

        def seen() -> tuple[float, float]:
            return chart._drawn[0].chart.x_axis.ends()

        whole = seen()
        under = chart._drawn[0].chart.step(40 - 1)
        wheel(pilot, 40, 5, 5)
        await until(pilot, lambda: "zoomed, w: whole" in text(pilot, "#abreast"))
        await until(pilot, lambda: seen()[1] - seen()[0] < 100)
        assert abs(chart._drawn[0].chart.step(40 - 1) - under) <= 3
        first, last = seen()
        await pilot.mouse_down("#abreast", offset=(40, 5))
        await pilot.hover("#abreast", offset=(34, 5))
        await until(pilot, lambda: seen()[0] > first)
        await pilot.mouse_up("#abreast", offset=(34, 5))
        assert seen()[1] - seen()[0] == last - first
        await pilot.pause()
        assert screen(pilot).together.place[0] == 0, "a drag goes nowhere"
        step = chart._drawn[0].chart.step(40 - 1)
        await pilot.click("#abreast", offset=(40, 5))
        await until(pilot, at(pilot, step, step))
        await pilot.press("z")
        await until(pilot, lambda: "zoomed" in text(pilot, "#pane-0 Stage"))
        await pilot.press("w")
        await until(pilot, lambda: "zoomed" not in text(pilot, "#pane-0 Stage"))
        assert "zoomed" in text(pilot, "#abreast"), "what was zoomed last is whole first"
        await pilot.press("w")
        await until(pilot, lambda: seen() == whole)
        wheel(pilot, 120, 8, -1)
        await pilot.pause()
        assert seen() == whole, "over the table it scrolls that"


async def test_a_curve_measured_in_one_phase_is_known_in_the_other_too() -> None:
    opened = LoadedRun.checked(find("gaussian_mixture"), datasets.recipe("faithful"), {"k": 2})
    app = IterscopeApp(opened, against=[variant(opened, parameters="k=3").timeline()])
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press(*["right"] * 4, "x", "x")
        await until(pilot, lambda: "gap" in text(pilot, "#abreast").split("numbers")[0])
        phases = {}
        for t in (5, 6):
            await pilot.press("right")
            await until(pilot, at(pilot, t, t))
            phases[t] = screen(pilot).compared[0].timeline.kind(t).phase
            held = phases[t] != "maximise"
            await until(pilot, lambda held=held, t=t: (f"held since step {t - 1}" in text(pilot, "#abreast")) == held)
        assert set(phases.values()) == {"expect", "maximise"}
