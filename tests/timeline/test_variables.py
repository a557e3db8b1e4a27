"""Curves along a variable of their own: joined step by step, drawn by it, recorded with it."""

from pathlib import Path

import numpy as np
import pytest

from algorithms import Timeline, datasets, find
from algorithms.core import Curve, Variable
from algorithms.playback.pictures.viewer import Viewer
from algorithms.saving.export.numbers import export_numbers
from algorithms.saving.runlog import LoggedRun, Recorder
from algorithms.timeline.variables import AlongVariable, along_variable
from tests.timeline.toys import DATA, declared, length, orbit

LAPS = Variable("laps", lambda problem, state: state.iteration)
ALONG = declared(orbit, curves=(Curve("length", length, phases=("lap",), along=LAPS), Curve("always", length)))


def lapped(laps: int) -> Timeline:
    return Timeline(ALONG, DATA, {"laps": laps}).run()


def test_a_curve_is_joined_with_its_variable_where_both_were_measured() -> None:
    run = lapped(4)
    along = along_variable(run, ALONG.curves[0])
    assert along is not None
    assert along.t.tolist() == [4, 8, 12, 16]
    assert along.x.tolist() == [1, 2, 3, 4]
    assert np.array_equal(along.values, run.curve("length")[1])
    assert along_variable(run, ALONG.curves[1]) is None


def test_of_what_comes_again_the_last_value_is_drawn_where_it_first_came() -> None:
    along = AlongVariable("k", False, np.arange(4), np.array([5.0, 3.0, 5.0, 1.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    x, values, since = along.line()
    assert (x.tolist(), values.tolist(), since.tolist()) == ([1, 3, 5], [4, 2, 3], [3, 1, 0])
    assert along.until(1).line()[1].tolist() == [2, 1]
    assert (along.last_before(2), np.isnan(along.last_before(-1))) == (5.0, True)


def test_on_a_logarithmic_axis_there_is_no_zero() -> None:
    below = Variable("k", lambda problem, state: state.iteration - 2, log=lambda problem: True)
    run = Timeline(declared(orbit, curves=(Curve("length", length, phases=("lap",), along=below),)), DATA, {"laps": 5})
    along = along_variable(run.run(), run.algorithm.curves[0])
    assert along is not None
    assert along.x.tolist() == [1, 2, 3]


def test_in_a_silent_phase_the_picture_has_the_last_value_where_it_was_measured() -> None:
    run = lapped(4)
    charts = Viewer(run).picture(run.at(9), 40, 12).charts
    (now,) = charts["length along laps"]
    assert (now.here, now.now) == (2.0, run.curve("length")[1][1])
    assert charts["always"][0].along is None
    (exactly,) = Viewer(run).picture(run.at(12), 40, 12).charts["length along laps"]
    assert exactly.here == 3.0


@pytest.mark.parametrize(("model", "letter", "log"), [("polynomial", "degree", False), ("ridge", "λ", True)])
def test_cross_validation_is_drawn_along_what_it_tries(model: str, letter: str, log: bool) -> None:
    run = Timeline(find("cross_validation"), datasets.recipe("sine", n=20).load(), {"model": model, "tried": 4}).run()
    along = along_variable(run, run.algorithm.curves[0])
    assert along is not None
    assert (along.name, along.log, len(along.line()[0])) == (letter, log, 4)
    assert along.values[-1] == along.values.min(), "at the end the cursor stands at what was chosen"
    assert {f"error along {letter}", "fold error"} < Viewer(run).picture(run.at(0), 40, 12).charts.keys()


def test_a_recording_and_an_export_keep_the_variable(tmp_path: Path) -> None:
    run = lapped(3)
    recorder = Recorder.of(tmp_path / "run.log", ALONG, run.problem)
    for t in range(len(run)):
        frame = run.at(t)
        recorder.keep(frame.before, frame.state, frame.line)
    recorder.end("done")
    read = LoggedRun(tmp_path / "run.log")
    again = Timeline(read, read.data or DATA).run()
    along = along_variable(again, read.curves[0])
    assert along is not None
    assert (along.name, along.x.tolist()) == ("laps", [1, 2, 3])
    export_numbers(tmp_path / "run.csv", run)
    heads, *rows = [line.split(",") for line in (tmp_path / "run.csv").read_text().splitlines()]
    assert [row[heads.index("laps")] for row in rows if row[heads.index("length")]] == ["1.0", "2.0", "3.0"]
