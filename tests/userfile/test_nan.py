"""A nan that is yielded is seen as one, wherever its number stands."""

import json
import math
from collections.abc import Iterator
from io import StringIO
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from algorithms import Dataset, Timeline, export_numbers
from algorithms.cli.chart import Series as Line, chart
from algorithms.cli.report import report
from algorithms.core import Bars, Labels, Matrix, Path, Paths, Table
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import CurveNow, Viewer
from algorithms.saving.export.rows import lines
from algorithms.saving.export.steps import Steps
from algorithms.saving.runlog import LoggedRun, Recorder
from algorithms.timeline.changed_fields import formatted
from algorithms.userfile.in_process import plain_algorithm
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.paint.x_axis import steps_up_to
from tui.sections.charts.curves import ChartContext, Charts
from tui.sections.charts.overlay import Abscissa, Overlay, Series
from tui.sections.comparison.fields import Fields, StateNow
from tui.sections.comparison.numbers import numbers, paint_numbers

ROWS = Dataset(np.arange(12.0).reshape(6, 2) ** 1.5, name="rows")


def failing() -> Iterator[Any]:
    for t in range(9):
        yield {"loss": 1 / (t + 1) if t < 5 else np.nan}


def seldom() -> Iterator[Any]:
    for t in range(6):
        yield {"loss": 2.0 - t, "error": 0.5} if t % 2 == 0 else {"loss": 2.0 - t}


def run_of(function: Any) -> Timeline:
    return Timeline(plain_algorithm(function), ROWS, {}).run()


def curve_at(run: Timeline, name: str, t: int) -> CurveNow:
    (curve,) = Viewer(run).picture(run.at(t), 40, 12).charts[name]
    return curve


def legend(curve: CurveNow, t: int) -> str:
    canvas = Canvas(40, 8, DARK.panel, DARK.ink)
    Charts().paint(canvas, curve.curve.name, [curve], ChartContext(t, 10), DARK)
    return "".join(map(chr, canvas.glyphs[0]))


def test_the_last_finite_value_is_not_carried_on_where_the_value_is_nan_now() -> None:
    run = run_of(failing)
    now = curve_at(run, "loss", 9)
    assert math.isnan(now.now)
    assert "loss nan" in legend(now, 9)
    assert curve_at(run, "loss", 5).now == 0.2


def test_what_is_not_yielded_at_every_step_holds_on() -> None:
    now = curve_at(run_of(seldom), "error", 4)
    assert now.now == 0.5
    assert "error 0.500" in legend(now, 4)


def test_an_infinite_value_is_shown_as_one() -> None:
    def growing() -> Iterator[Any]:
        for t in range(4):
            yield {"loss": float(t) if t < 2 else np.inf}

    now = curve_at(run_of(growing), "loss", 4)
    assert now.now == np.inf
    assert "∞" in legend(now, 4)


def test_the_table_and_the_sentence_say_nan() -> None:
    run = run_of(failing)
    frame = run.at(8)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    table = next(p for p in scene.panels if p.title == "values").marks[0]
    assert isinstance(table, Table)
    assert table.rows == (("loss", "nan"),)
    assert run.algorithm.explain(run.problem, frame.before, frame.state) == "It yielded loss nan."
    assert run.algorithm.explain(run.problem, run.at(5).state, run.at(6).state) == (
        "It yielded loss nan (was 0.2). Note: loss becomes nan."
    )


def test_the_comparison_says_nan_of_each_run_and_no_difference() -> None:
    pictures = [Viewer(run).picture(run.at(9), 40, 12) for run in (run_of(failing), run_of(failing))]
    (loss,) = [row for row in numbers(pictures) if row.name == "loss"]
    assert [math.isnan(value) for value in loss.values if value is not None] == [True, True]
    canvas = Canvas(60, 10, DARK.panel, DARK.ink)
    paint_numbers(canvas, pictures, "", DARK)
    (line,) = [words for row in canvas.glyphs if (words := "".join(map(chr, row))).strip("│ ").startswith("loss")]
    assert line.split() == ["│", "loss", "nan", "nan", "│"]


def test_the_first_nan_is_told_and_marked_on_the_timeline() -> None:
    run = run_of(failing)
    assert run.first_nan == 6
    assert "the first nan is at step 6, in loss" in run.algorithm.notices
    assert run_of(seldom).first_nan is None


def test_a_mark_stands_on_the_timeline_where_the_first_nan_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.widgets.track import Track

    track = Track()
    monkeypatch.setattr(Track, "size", property(lambda self: type("Size", (), {"width": 60, "height": 2})()))
    monkeypatch.setattr(Track, "palette", property(lambda self: DARK))
    player = Player(run_of(failing))
    track._player = player
    canvas = Canvas(60, 2, DARK.panel, DARK.ink)
    track.paint(canvas)
    column = 2 + round(6 / player.range * 55)
    assert "✗" in "".join(map(chr, canvas.glyphs[0, column - 1 : column + 2]))


def test_a_centre_that_is_nan_leaves_the_others_their_colours() -> None:
    def centres(X: Any) -> Iterator[Any]:
        at = X[:3].copy()
        at[0] = np.nan
        yield {"centres": at, "labels": np.array([0, 1, 2, 0, 1, 2])}

    run = run_of(centres)
    frame = run.at(1)
    panel = run.algorithm.scene(run.problem, frame.before, frame.state).panels[0]
    labels = next(mark for mark in panel.marks if isinstance(mark, Labels))
    assert labels.texts == ("centres 1", "centres 2")
    assert labels.tones == (1, 2)
    assert "centres 3×2 float64, 2 nan" in dict_of_values(run)
    Viewer(run).picture(frame, 40, 12)


def dict_of_values(run: Timeline) -> str:
    frame = run.at(run.last)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    table = next(p for p in scene.panels if p.title == "values").marks[0]
    assert isinstance(table, Table)
    return "; ".join(f"{name} {value}" for name, value in table.rows)


def test_bars_and_matrices_are_handed_their_nan() -> None:
    def arrays() -> Iterator[Any]:
        yield {"w": np.array([1.0, np.nan, 3.0]), "m": np.array([[1.0, np.nan, 2.0], [0.0, np.inf, 1.0]])}

    run = run_of(arrays)
    frame = run.at(1)
    panels = {p.title: p.marks[0] for p in run.algorithm.scene(run.problem, frame.before, frame.state).panels}
    bars, matrix = panels["w"], panels["m"]
    assert isinstance(bars, Bars)
    assert isinstance(matrix, Matrix)
    assert np.isnan(bars.heights[1])
    assert np.isnan(matrix.values[0, 1])
    assert np.isinf(matrix.values[1, 1])
    assert Viewer(run).picture(frame, 40, 12).trouble == ""


def test_lines_of_a_run_tell_nan_from_nothing(tmp_path: File) -> None:
    def steps(function: Any) -> Steps:
        algorithm = plain_algorithm(function)
        return Steps(algorithm, algorithm.problem(ROWS))

    assert "nan" in list(lines(steps(failing), "table"))[-1]
    assert list(lines(steps(failing), "csv"))[-1].endswith(",nan")
    assert json.loads(list(lines(steps(failing), "jsonl"))[-1])["curves"] == {"loss": "nan"}
    assert "nan" not in "".join(lines(steps(seldom), "csv"))


def arrays_too() -> Iterator[Any]:
    for t in range(3):
        yield {"loss": 1.0, "w": np.array([t, np.nan]), "note": f"step {t}", "grows": np.zeros(t + 1)}


def test_arrays_are_exported(tmp_path: File) -> None:
    run = run_of(arrays_too)
    for name in ("run.npz", "run.jsonl"):
        export_numbers(tmp_path / name, run)
    with np.load(tmp_path / "run.npz") as archive:
        assert np.array_equal(archive["w"], [[0, np.nan], [1, np.nan], [2, np.nan]], equal_nan=True)
        assert archive["w t"].tolist() == [1, 2, 3]
        assert archive["note"].tolist() == ["step 0", "step 1", "step 2"]
        assert archive["grows at 3"].shape == (3,)
    first, *_, last = map(json.loads, (tmp_path / "run.jsonl").read_text().splitlines())
    assert "fields" not in first
    assert last["fields"] == {"w": [2.0, "nan"], "note": "step 2", "grows": [0.0, 0.0, 0.0]}


def test_a_recording_has_its_nan_and_its_arrays(tmp_path: File) -> None:
    with Recorder(tmp_path / "run.log") as recorder:
        for yielded in failing():
            recorder.write(yielded)
    recorded = LoggedRun(tmp_path / "run.log")
    run = Timeline(recorded, recorded.datasets[0], {}).run()
    assert run.first_nan == 5
    assert math.isnan(curve_at(run, "loss", 8).now)


def broken() -> Iterator[Any]:
    for t in range(30):
        yield {"loss": np.nan if 10 <= t < 20 else 1.0 + t}


def columns_with_ink(canvas: Canvas) -> list[bool]:
    """Which columns of a plot have a curve in them."""
    return [any(0x2800 < glyph < 0x2900 for glyph in column) for column in canvas.glyphs.T]


def test_a_chart_has_a_hole_where_a_number_is_nan() -> None:
    run = run_of(broken)
    t, values = run.curve("loss")
    assert t.tolist() == list(range(1, 31)), "it was yielded at each step"
    assert np.isnan(values[10:20]).all()
    canvas = Canvas(70, 12, DARK.panel, DARK.ink)
    Charts().paint(canvas, "loss", [curve_at(run, "loss", 30)], ChartContext(30, 30), DARK)
    inked = columns_with_ink(canvas.part(0, 2, 70, 9))
    first, last = inked.index(True), 69 - inked[::-1].index(True)
    gap = [not inked[c] for c in range(first, last)]
    assert sum(gap) >= 15, "a third of the steps are nan"


def test_what_was_not_yielded_makes_no_hole() -> None:
    t, values = run_of(seldom).curve("error")
    assert t.tolist() == [1, 3, 5]
    assert np.isfinite(values).all()


def test_a_run_that_ended_at_nan_is_not_held_at_its_last_number() -> None:
    t, values = run_of(failing).curve("loss")
    ended = Series(0, t.astype(float), values, 9.0, math.nan, ended=True)
    assert math.isnan(ended.last)
    canvas = Canvas(70, 12, DARK.panel, DARK.ink)
    Overlay().paint(canvas, "loss", "", [ended], Abscissa("step", steps_up_to(40), 9.0), False, DARK)
    assert "A nan" in "".join(map(chr, canvas.glyphs[1]))
    assert not any(columns_with_ink(canvas.part(20, 2, 48, 9))), "nothing goes on behind the fifth step"


def test_a_report_says_nan_and_has_the_hole() -> None:
    console = Console(width=100, record=True, file=StringIO())
    report(run_of(failing), console)
    (line,) = [line for line in console.export_text().splitlines() if line.strip("│┃ ").startswith("loss ")]
    assert line.replace("│", " ").split() == ["loss", "1", "nan", "0.2", "1"]
    x = np.arange(31.0)
    whole = chart([Line("loss", x, x)], 80, 12)
    holed = chart([Line("loss", x, np.where((x > 9) & (x < 20), np.nan, x))], 80, 12)
    assert whole is not None
    assert holed is not None
    count = [sum(0x2800 < ord(sign) < 0x2900 or sign == "⠒" for sign in drawing) for drawing in (whole, holed)]
    assert count[1] < 0.8 * count[0]


def test_a_generator_of_numbers_keeps_its_stage_beyond_the_first_nan() -> None:
    def numbers_alone() -> Iterator[float]:
        for t in range(9):
            yield 1 / (t + 1) if t != 5 else np.nan

    run = Timeline(plain_algorithm(numbers_alone), Dataset.none, {}).run()
    viewer = Viewer(run)
    for t in range(1, 10):
        picture = viewer.picture(run.at(t), 40, 12)
        assert picture.trouble == "", f"step {t}"
    lines = [mark.at for mark in picture.stage.marks if isinstance(mark, Path | Paths)]
    assert len(lines) == 1
    assert np.isnan(lines[0][..., 1]).any(), "the line has a hole there"


def test_a_field_that_is_nan_in_one_run_is_said_to_be_nan() -> None:
    def other() -> Iterator[Any]:
        yield {"loss": 0.44}

    def nan() -> Iterator[Any]:
        yield {"loss": np.nan}

    states = [StateNow(1, run_of(function).at(1).state) for function in (other, nan)]
    rows = Fields().rows(states, 0, None)
    (row,) = [row for row in rows if row.name == "loss"]
    assert [cell.text for cell in row.cells] == ["0.4400", "nan"]
    assert "∞" not in "".join(cell.text for each in rows for cell in (*each.cells, *each.after))
    of_three = Fields().rows([*states, states[0]], 0, None)
    assert "∞" not in "".join(cell.text for each in of_three for cell in (*each.cells, *each.after))
    assert formatted(math.nan) == "nan"


@pytest.mark.parametrize("size", [8, 100])
def test_a_vector_that_begins_at_0_has_an_axis_of_its_own_height(size: int) -> None:
    def vectors() -> Iterator[Any]:
        for t in range(4):
            yield {"w": 0.01 * t * np.linspace(-1, 1, size)}

    run = run_of(vectors)
    viewer = Viewer(run)
    for t in range(1, 5):
        picture = viewer.picture(run.at(t), 40, 12)
    limits = picture.limits["w"]
    assert limits.top < 0.05
    assert limits.bottom > -0.05


def test_a_coefficient_of_one_row_is_a_vector_and_no_place_among_the_points() -> None:
    def fitted() -> Iterator[Any]:
        yield {"coef_": np.array([[0.5, -1.0, 2.0]])}

    rows = Dataset(np.arange(12.0).reshape(4, 3), name="rows")
    run = Timeline(plain_algorithm(fitted), rows, {}).run()
    panels = run.algorithm.scene(run.problem, None, run.at(1).state).panels
    assert not any(isinstance(mark, Labels) for mark in panels[0].marks)
    bars = next(p for p in panels if p.title == "coef_").marks[0]
    assert isinstance(bars, Bars)
    assert bars.heights.tolist() == [0.5, -1.0, 2.0]
    assert bars.names == rows.features
