"""A curve is broken where it begins to measure something else, and a line says why."""

from functools import cache
from typing import Any

import numpy as np

from algorithms import Timeline, datasets, find
from algorithms.core import Points
from algorithms.playback.comparison.objectives import Objectives
from algorithms.playback.pictures.viewer import CurveNow, Viewer
from algorithms.playback.theorems.page import theorem_page
from algorithms.timeline.series import broken
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.sections.charts.axis import ChartContext, line_of
from tui.sections.charts.curves import Charts
from tui.sections.panels.plots import entries_of
from tui.sections.theorems.charts import TheoremCharts

ROWS = datasets.moons.with_(n=60)


@cache
def finished(name: str, **parameters: Any) -> Timeline:
    return Timeline(find(name), ROWS.load(), parameters).run()


def curve_of(run: Timeline, name: str) -> CurveNow:
    charts = Viewer(run).picture(run.at(run.last), 40, 12).charts
    return next(curve for curves in charts.values() for curve in curves if curve.curve.name == name)


def painted(run: Timeline, curve: CurveNow) -> list[str]:
    canvas = Canvas(90, 14, DARK.panel, DARK.ink)
    Charts().paint(canvas, curve.curve.name, [curve], ChartContext(run.last, run.last), DARK)
    return ["".join(map(chr, row)) for row in canvas.glyphs]


def test_a_line_has_a_hole_before_each_break() -> None:
    x, values = broken(np.arange(4), np.arange(4.0), [2])
    assert x.tolist() == [0, 1, 2, 2, 3]
    assert np.isnan(values).tolist() == [False, False, True, False, False]
    assert broken(np.arange(4), np.arange(4.0), [])[0].tolist() == [0, 1, 2, 3]


def test_the_dual_does_not_fall_where_rows_are_taken_out_and_a_line_says_so() -> None:
    run = finished("smo")
    (pruned,) = [t for t in range(run.last + 1) if run.kind(t).phase == "prune"]
    dual = curve_of(run, "dual")
    assert dual.breaks == ((pruned, "α = 0 taken out"),)
    assert len(dual.breaks[0][1]) < 20  # as many columns as there are beside it in a chart of 40
    line = line_of(dual, 0, ChartContext(run.last, run.last))
    assert line.x[np.isnan(line.values)].tolist() == [pruned]
    shown = painted(run, dual)
    assert any("α = 0 taken out" in row for row in shown)
    column = next(row.index("┊") for row in shown if "┊" in row)
    assert sum(row[column] == "┊" for row in shown) >= 6


def test_rows_that_were_taken_out_are_seen_to_be() -> None:
    run = finished("smo")
    viewer = Viewer(run)
    state: Any = run.at(run.last).state
    stage = viewer.picture(run.at(run.last), 60, 20).stage
    (rows,) = [mark for mark in stage.marks if isinstance(mark, Points)]
    assert rows.faded is not None
    assert np.array_equal(rows.faded, ~state.kept)
    assert ("·", "muted", "taken out") in entries_of(stage, run.data)
    first = viewer.picture(run.at(1), 88, 20).stage
    (all_rows,) = [mark for mark in first.marks if isinstance(mark, Points)]
    assert not np.asarray(all_rows.faded).any()
    assert ("·", "muted", "taken out") not in entries_of(first, run.data)


def test_the_sides_of_a_theorem_are_broken_there_too() -> None:
    run = finished("smo")
    index = next(i for i, t in enumerate(run.algorithm.theorems) if "never falls" in t.statement)
    page = theorem_page(run, run.at(run.last), index)
    (sides, *_) = TheoremCharts().paint(Canvas(100, 30, DARK.panel, DARK.ink), page, DARK)
    assert all(curve.breaks == page.breaks != () for curve in sides.curves)


def test_each_price_has_a_curve_of_its_own() -> None:
    run = Timeline(find("dual_coordinate_descent"), datasets.moons.with_(n=16).load(), {"path": 3}).run()
    states: list[Any] = [run.at(t).state for t in range(run.last + 1)]
    prices = [t for t in range(1, run.last + 1) if states[t].stage > states[t - 1].stage]
    assert [t for t, _ in curve_of(run, "primal").breaks] == prices
    assert len(prices) == 2


def test_a_fork_of_another_objective_breaks_what_measures_it_and_nothing_else() -> None:
    run = Timeline(find("pegasos"), ROWS.load())
    run.advance(20)
    fork = run.fork(10, lam=0.5)
    fork.advance(10)
    assert Objectives([(each.algorithm, each.problem) for each in (run, fork)]).other("objective", 0, 1) == "C"
    assert curve_of(fork, "objective").breaks == ((fork.begin, "the fork"),)
    assert curve_of(fork, "training error").breaks == ()
    same = run.fork(10, seed=4)
    same.advance(10)
    assert curve_of(same, "objective").breaks == ()


def test_words_beside_breaks_do_not_run_into_each_other_and_stand_at_one_of_them_at_least() -> None:
    run = Timeline(
        find("dual_coordinate_descent"), datasets.load("blobs", n=16, spread=1.5), {"path": 8, "C": 100}
    ).run()
    curve = curve_of(run, "support vectors")
    for columns in range(24, 60):
        canvas = Canvas(columns, 14, DARK.panel, DARK.ink)
        Charts().paint(canvas, curve.curve.name, [curve], ChartContext(run.last, run.last), DARK)
        rows = ["".join(map(chr, row)) for row in canvas.glyphs]
        assert any("the next C" in row for row in rows), columns
        assert not any("Cthe" in row or "the┊" in row for row in rows), columns
